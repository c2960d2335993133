"""Many charges in one call: how many, how quickly, and two calls at once."""

import asyncio
from time import perf_counter
from typing import Final

import pytest

from tests.doors.firms import Ledger, Pair
from tests.doors.house import House
from tests.doors.test_charges_bulk import a_stranger, an_item, create, in_book, kept

pytestmark = pytest.mark.anyio

ENOUGH_SECONDS: Final = 2.0


@pytest.mark.parametrize("mode", ["atomic", "partial"])
async def test_two_who_describe_the_same_debtor_at_once_share_one(
    house: House, ledger: Ledger, pair: Pair, mode: str
) -> None:
    first, second = await asyncio.gather(
        *(create(house, pair.a.owner, an_item(debtor=a_stranger(7)), mode=mode) for _ in range(2))
    )

    assert (first.status, second.status) == (201, 201)
    assert await in_book(ledger, pair.a) == (1, 2)


@pytest.mark.parametrize("mode", ["atomic", "partial"])
async def test_of_two_with_the_same_external_id_at_once_one_is_told_where(
    house: House, ledger: Ledger, pair: Pair, mode: str
) -> None:
    debtor = await kept(ledger, pair.a)
    items = [an_item(debtor), an_item(debtor, external_id="NF-1")]

    answers = await asyncio.gather(
        *(create(house, pair.a.owner, *items, mode=mode) for _ in range(2))
    )

    assert len(await ledger.rows(pair.a.id, "charges")) == (2 if mode == "atomic" else 3)
    if mode == "atomic":
        (refused,) = (one for one in answers if one.status != 201)
        assert (refused.code, refused.details) == (
            "DUPLICATE",
            [("items[1].external_id", "duplicate")],
        )
    else:
        assert sorted(one.data["failed"] for one in answers) == [0, 1]


@pytest.mark.parametrize(("count", "code"), [(0, "too_few_items"), (201, "too_many_items")])
async def test_from_one_to_two_hundred_items_are_taken(
    house: House, ledger: Ledger, pair: Pair, count: int, code: str
) -> None:
    debtor = await kept(ledger, pair.a)

    answer = await create(house, pair.a.owner, *[an_item(debtor)] * count)

    assert answer.details == [("items", code)]


@pytest.mark.parametrize("mode", ["atomic", "partial"])
async def test_two_hundred_with_a_new_debtor_each_are_quick(
    house: House, ledger: Ledger, pair: Pair, mode: str
) -> None:
    seconds = []
    for first in (1, 201):
        numbers = range(first, first + 200)
        items = [an_item(debtor=a_stranger(n), external_id=f"NF-{n}") for n in numbers]
        began = perf_counter()
        answer = await create(house, pair.a.owner, *items, mode=mode)
        seconds.append(perf_counter() - began)
        assert answer.data["created"] == 200

    # Other load can only add to it.
    assert min(seconds) < ENOUGH_SECONDS
    assert await in_book(ledger, pair.a) == (400, 400)
