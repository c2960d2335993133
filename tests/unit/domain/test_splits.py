"""Parts add up to the total, and every cent that is left over has its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.splits import equal_parts

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
