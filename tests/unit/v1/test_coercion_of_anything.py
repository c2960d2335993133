"""Whatever JSON arrives, it is read or refused in our own words; and reading is stable."""

import string
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from adapters.v1.arguments import ArgumentReader
from application.operations.request import Arguments
from domain.errors import BadRequestError, ValidationError
from tests.unit.v1.samples import (
    CHARGE,
    DEBTOR,
    CreateCharge,
    ListCharges,
    Terms,
    bound,
    cancel_charge,
    create_charge,
    list_charges,
)

numbers = st.one_of(
    st.integers(),
    st.decimals(),
    st.sampled_from([Decimal("1E+999999"), Decimal("1E-999999"), Decimal("sNaN"), 10**400]),
)
texts = st.one_of(
    st.text(),
    st.text(alphabet=st.characters(exclude_categories=()), max_size=5),
    st.text(alphabet='[]{}":,0123456789eE+-.NaNull \ud800\x00'),
    st.sampled_from([CHARGE, DEBTOR, "2026-03-02", "2026-03-02T00:00:00Z", "pending", "null"]),
)
anything: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
own_names = st.sampled_from(
    [*CreateCharge.__struct_fields__, *ListCharges.__struct_fields__, "idempotency_key", "id"]
)
anything_named = st.dictionaries(own_names | texts, anything, max_size=8)

readers = [bound(operation).read for operation in (list_charges, create_charge, cancel_charge)]


@given(st.sampled_from(readers), anything_named, st.none() | texts)
def test_f5_any_arguments_are_read_or_refused_as_a_refusal(
    read: ArgumentReader, raw: dict[str, object], key: str | None
) -> None:
    first, again = _outcome(read, raw, key), _outcome(read, raw, key)

    assert first == again


@given(
    amount=st.integers(min_value=1, max_value=9_999_999_999),
    fine=st.integers(min_value=0, max_value=2_0000),
    due=st.dates(min_value=date(1900, 1, 1), max_value=date(2199, 12, 31)),
    tags=st.lists(st.text(alphabet=string.printable, max_size=20), max_size=3),
)
def test_what_was_read_reads_the_same_when_sent_again(
    amount: int, fine: int, due: date, tags: list[str]
) -> None:
    first = _created(amount, fine, due, tags)
    again = _created(first.amount, fine, first.due_date, first.tags)

    assert again == first
    assert (first.amount, first.terms, first.due_date) == (amount, Terms(fine_percent=fine), due)


def _outcome(
    read: ArgumentReader, raw: dict[str, object], key: str | None
) -> Arguments | list[tuple[str, str]]:
    try:
        return read(raw, header_key=key)
    except (ValidationError, BadRequestError) as refused:
        found = [(detail.field, detail.code) for detail in refused.details]
    assert len(found) <= 20
    return found


def _created(amount: int, fine: int, due: date, tags: Sequence[str]) -> CreateCharge:
    raw = {
        "debtor_id": DEBTOR,
        "amount": Decimal(amount).scaleb(-2),
        "terms": {"fine_percent": Decimal(fine).scaleb(-4)},
        "due_date": due.isoformat(),
        "tags": list(tags),
        "idempotency_key": "k",
    }
    values = bound(create_charge).read(raw).values
    assert isinstance(values, CreateCharge)
    return values
