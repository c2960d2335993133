"""The risk score is the sum that the documentation says, between 0 and 100."""

import pytest

from domain.dunning.risk import risk_score


@pytest.mark.parametrize(
    ("days_late", "points"),
    [(0, 0), (1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (90, 30), (179, 60), (180, 60), (9000, 60)],
)
def test_three_days_late_are_a_point_up_to_sixty(days_late: int, points: int) -> None:
    assert risk_score(days_late=days_late, bounces=0) == points


@pytest.mark.parametrize(("bounces", "points"), [(0, 0), (1, 5), (3, 15), (4, 15)])
def test_a_bounce_is_five_points_up_to_fifteen(bounces: int, points: int) -> None:
    assert risk_score(days_late=0, bounces=bounces) == points


@pytest.mark.parametrize(("broken", "points"), [(0, 0), (1, 10), (2, 20), (3, 25), (9, 25)])
def test_a_broken_promise_is_ten_points_up_to_twenty_five(broken: int, points: int) -> None:
    assert risk_score(days_late=0, bounces=0, broken_promises=broken) == points


def test_all_of_it_is_a_hundred() -> None:
    assert risk_score(days_late=400, bounces=9, broken_promises=9) == 100
