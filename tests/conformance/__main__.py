"""`make conformance`: exits 1 when a scenario does worse, or better, than the baseline says."""

import asyncio
import sys
from collections.abc import Mapping
from typing import Final

from entrypoints.logs import configure_logs
from tests.conformance.baseline import GOOD, Expected, Verdict, judge, read_baseline
from tests.conformance.report import print_table
from tests.conformance.server import serving
from tests.conformance.suite import INSTALLED, SuiteError, required_by, run_against

# Not required by their revision, because the suite's own server does not pass them.
_BESIDES: Final[Mapping[str, tuple[str, ...]]] = {
    "2026-07-28": (
        "json-schema-2020-12",
        "http-header-validation",
        "http-custom-header-server-validation",
    ),
    "2025-11-25": ("json-schema-2020-12",),
}


def main() -> int:
    """Run, print, and tell by the exit code whether everything is as expected."""
    configure_logs()
    try:
        verdicts = asyncio.run(_verdicts())
    except SuiteError as trouble:
        print(trouble, file=sys.stderr)
        return 1
    if all(one.result in GOOD for one in verdicts):
        return 0
    print(f"\nNot as the baseline says. What the suite printed: {INSTALLED / 'results'}")
    return 1


async def _verdicts() -> list[Verdict]:
    baseline = read_baseline()
    verdicts: list[Verdict] = []
    async with serving() as url:
        for revision, besides in _BESIDES.items():
            required = await required_by(revision)
            found = await run_against(url, revision)
            judged = judge((*required, *besides), found, baseline.get(revision, Expected()))
            print_table(revision, judged, found.keys() - {one.scenario for one in judged})
            verdicts += judged
    return verdicts


if __name__ == "__main__":
    sys.exit(main())
