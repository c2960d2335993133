"""Parts add up to the total, and every cent that is left over has its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.splits import equal_parts, pro_rata

totals = st.integers(0, 9_999_999_999)


@pytest.mark.parametrize(
    ("total", "count", "parts"),
    [
        (1_000_00, 3, (333_34, 333_33, 333_33)),
        (1_234_57, 7, (176_37, 176_37, 176_37, 176_37, 176_37, 176_36, 176_36)),
        (2, 3, (1, 1, 0)),
        (0, 2, (0, 0)),
        (99_99, 1, (99_99,)),
    ],
)
def test_example_7_equal_parts_give_the_left_over_cents_to_the_first(
    total: int, count: int, parts: tuple[int, ...]
) -> None:
    assert equal_parts(total, count) == parts


@given(totals, st.integers(1, 400))
def test_equal_parts_add_up_and_differ_by_a_cent_at_most(total: int, count: int) -> None:
    parts = equal_parts(total, count)

    assert len(parts) == count
    assert sum(parts) == total
    assert parts[0] - parts[-1] in {0, 1}
    assert list(parts) == sorted(parts, reverse=True)


@pytest.mark.parametrize(
    ("total", "weights", "shares"),
    [
        (39_58, (45_42, 33_75), (22_71, 16_87)),
        (100, (1, 1, 1), (34, 33, 33)),
        (1, (3, 3), (1, 0)),
        (1, (1, 2), (0, 1)),
        (10, (0, 5), (0, 10)),
        (0, (1, 2), (0, 0)),
    ],
)
def test_shares_of_a_discount_go_by_the_largest_remainder_and_ties_to_the_first(
    total: int, weights: tuple[int, ...], shares: tuple[int, ...]
) -> None:
    assert pro_rata(total, weights) == shares


@given(totals, st.lists(st.integers(0, 10**10), min_size=1, max_size=20).filter(any))
def test_shares_add_up_and_each_is_within_a_cent_of_its_exact_part(
    total: int, weights: list[int]
) -> None:
    shares = pro_rata(total, weights)

    assert sum(shares) == total
    for share, weight in zip(shares, weights, strict=True):
        assert abs(share * sum(weights) - total * weight) < sum(weights)
    assert all(share == 0 for share, weight in zip(shares, weights, strict=True) if not weight)


@given(st.integers(1, 10**10), st.lists(st.integers(1, 10**10), min_size=1, max_size=20))
def test_a_discount_of_no_more_than_the_whole_takes_no_more_than_a_part_off_it(
    total: int, weights: list[int]
) -> None:
    shares = pro_rata(min(total, sum(weights)), weights)

    assert all(share <= weight for share, weight in zip(shares, weights, strict=True))
