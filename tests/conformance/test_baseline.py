"""A run is as good as the baseline says: no worse, no better, and nothing without a reason."""

import pytest

from tests.conformance.baseline import Expected, Result, judge, read_baseline
from tests.conformance.suite import Ran

FAILED = Ran(scenario="tools-list", failures=("tools-list: no tools",))
WARNED = Ran(scenario="tools-list", warnings=("tools-list: no order",))
PASSED = Ran(scenario="tools-list")

TO_FAIL = Expected(failures={"tools-list": "There are none."})
TO_WARN = Expected(warnings={"tools-list": "There is none."})

FEWEST_WORDS = 8


def test_everything_in_the_baseline_has_its_reason() -> None:
    for revision, expected in read_baseline().items():
        for scenario, reason in (*expected.failures.items(), *expected.warnings.items()):
            assert len(reason.split()) >= FEWEST_WORDS, (revision, scenario)


def test_only_questions_that_the_server_would_have_to_send_itself_are_expected_to_fail() -> None:
    failures = {name: list(one.failures) for name, one in read_baseline().items()}
    assert failures == {
        "2025-11-25": [
            "tools-call-sampling",
            "tools-call-elicitation",
            "elicitation-sep1034-defaults",
            "elicitation-sep1330-enums",
        ]
    }


@pytest.mark.parametrize(
    ("ran", "expected", "result"),
    [
        (PASSED, Expected(), "pass"),
        (FAILED, TO_FAIL, "known failure"),
        (WARNED, TO_WARN, "known warning"),
        (FAILED, Expected(), "FAIL"),
        (WARNED, Expected(), "WARN"),
        (FAILED, TO_WARN, "FAIL"),
        (WARNED, TO_FAIL, "STALE"),
        (PASSED, TO_FAIL, "STALE"),
        (PASSED, TO_WARN, "STALE"),
    ],
)
def test_a_scenario_is_judged_by_what_was_expected_of_it(
    ran: Ran, expected: Expected, result: Result
) -> None:
    (verdict,) = judge(["tools-list"], {ran.scenario: ran}, expected)
    assert verdict.result == result


def test_a_bad_verdict_tells_what_was_found() -> None:
    (verdict,) = judge(["tools-list"], {"tools-list": FAILED}, Expected())
    assert verdict.why == "tools-list: no tools"


def test_a_scenario_that_did_not_run_is_no_good() -> None:
    verdicts = judge(["tools-list"], {}, Expected(failures={"gone": "It was taken out."}))
    assert [(one.scenario, one.result) for one in verdicts] == [
        ("tools-list", "NOT RUN"),
        ("gone", "NOT RUN"),
    ]
