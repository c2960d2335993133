"""The table of a run: each scenario with its result, and below it why some did not pass."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from tests.conformance.baseline import Verdict

_WIDTH: Final = 100


def print_table(revision: str, verdicts: Sequence[Verdict], unjudged: Iterable[str]) -> None:
    """Print the scenarios of one revision; `unjudged` were run, but nothing requires them."""
    counted = Counter(one.result for one in verdicts)
    results = ", ".join(f"{count} {result}" for result, count in counted.items())
    print(f"\n{revision}: {len(verdicts)} scenarios, {results}")
    width = max(len(one.scenario) for one in verdicts)
    for one in verdicts:
        print(f"  {one.scenario.ljust(width)}  {one.result}")
    for why in dict.fromkeys(one.why for one in verdicts if one.why):
        print()
        _print_filled(", ".join(one.scenario for one in verdicts if one.why == why), "  ")
        for line in why.splitlines():
            _print_filled(line, "    ")
    print()
    _print_filled(f"Run but not required: {', '.join(sorted(unjudged)) or 'none'}", "  ")


def _print_filled(words: str, indent: str) -> None:
    print(
        textwrap.fill(
            words,
            _WIDTH,
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
            break_long_words=False,
        )
    )
