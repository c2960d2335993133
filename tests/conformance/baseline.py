"""What the server is known not to meet, and why; and how a run is judged by it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import msgspec

from tests.conformance.suite import Ran

FILE: Final = Path(__file__).with_name("baseline.yml")

Result = Literal["pass", "known failure", "known warning", "FAIL", "WARN", "STALE", "NOT RUN"]
GOOD: Final[frozenset[Result]] = frozenset({"pass", "known failure", "known warning"})


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of one revision: scenarios that fail and scenarios that only warn, with the reasons."""

    failures: dict[str, str] = {}
    warnings: dict[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A scenario's result, and the words that go with it: a reason, or what was found."""

    scenario: str
    result: Result
    why: str = ""


def read_baseline() -> dict[str, Expected]:
    """The file, by revision."""
    return msgspec.yaml.decode(FILE.read_bytes(), type=dict[str, Expected])


def judge(scenarios: Iterable[str], found: Mapping[str, Ran], expected: Expected) -> list[Verdict]:
    """A verdict on each of `scenarios` and of those expected not to pass.

    What is worse than expected is bad, and so is what is better.
    """
    names = dict.fromkeys((*scenarios, *expected.failures, *expected.warnings))
    return [_verdict(name, found.get(name), expected) for name in names]


def _verdict(name: str, ran: Ran | None, expected: Expected) -> Verdict:
    if ran is None:
        return Verdict(scenario=name, result="NOT RUN")
    failure, warning = expected.failures.get(name), expected.warnings.get(name)
    if ran.failures:
        return _known_or_bad(ran, failure, "known failure", "FAIL")
    if ran.warnings and failure is None:
        return _known_or_bad(ran, warning, "known warning", "WARN")
    if failure is not None or warning is not None:
        return Verdict(scenario=name, result="STALE", why="Take it out of the baseline.")
    return Verdict(scenario=name, result="pass")


def _known_or_bad(ran: Ran, reason: str | None, known: Result, bad: Result) -> Verdict:
    if reason is None:
        found = "\n".join((*ran.failures, *ran.warnings))
        return Verdict(scenario=ran.scenario, result=bad, why=found)
    return Verdict(scenario=ran.scenario, result=known, why=reason.strip())
