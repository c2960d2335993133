"""Arguments of a whole request: the key, the fingerprint, the ids of the path."""

import copy
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated

import msgspec
import pytest

from adapters.v1.arguments import ArgumentReader
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import Input, One, about
from domain.errors import BadRequestError, ValidationError
from tests.unit.v1.samples import (
    CHARGE,
    CREATE,
    DEBTOR,
    Owner,
    bound,
    cancel_charge,
    create_charge,
    list_charges,
    me,
)

lists = bound(list_charges).read
creates = bound(create_charge).read
cancels = bound(cancel_charge).read


def problems(read: ArgumentReader, raw: Mapping[str, object]) -> list[tuple[str, str]]:
    with pytest.raises(ValidationError) as refused:
        read(raw)
    return [(detail.field, detail.code) for detail in refused.value.details]


class Span(Input):
    first: Annotated[int, about("First.")]
    last: Annotated[int, about("Last.")]

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(str(self.last))


def test_a_rule_of_the_input_type_itself_refuses_without_the_value() -> None:
    @operation("spans", "POST /spans", title="x", description="x", permission=None)
    async def spans(_call: Call, _wanted: Span) -> One[Owner]:
        raise NotImplementedError

    with pytest.raises(ValidationError) as refused:
        bound(spans).read({"first": 7431, "last": 7430})

    [detail] = refused.value.details
    assert detail.code == "invalid"
    assert "7430" not in detail.message.en


def test_e5_an_operation_without_fields_takes_nothing() -> None:
    read = bound(me).read

    assert msgspec.to_builtins(read({}).values) == {}
    assert problems(read, {"id": "x"}) == [("id", "unknown_field")]


def test_the_ids_of_the_path_are_told_apart_for_the_scope_of_a_key() -> None:
    assert cancels({"id": CHARGE, "reason": "other"}).path_ids == (CHARGE,)


def test_h3_equal_arguments_have_equal_fingerprints_whatever_their_form_and_order() -> None:
    one = creates({**CREATE, "terms": {"fine_percent": Decimal("1.5"), "note": None}})
    other = creates(
        {
            "terms": '{"fine_percent":"1.50"}',
            "kind": None,
            "idempotency_key": "second",
            "due_date": "2026-03-02 ",
            "amount": "12.5",
            "debtor_id": DEBTOR,
        }
    )

    assert one.fingerprint == other.fingerprint != b""
    assert one.fingerprint != creates({**CREATE, "amount": 12}).fingerprint
    assert (one.key, other.key) == ("first", "second")


def test_a_fingerprint_does_not_depend_on_how_a_number_was_written() -> None:
    five, other = [
        {
            creates({**CREATE, "items": [{"amount": 1, "value": value}]}).fingerprint
            for value in written
        }
        for written in ([5, "5", Decimal("5.0"), "5.00", Decimal("5E0")], [50, Decimal("0.5")])
    ]

    assert (len(five), len(other), five & other) == (1, 2, set())


def test_a_write_has_the_same_fingerprint_with_and_without_a_key() -> None:
    without = cancels({"id": CHARGE, "reason": "other"})
    under_a_key = cancels({"id": CHARGE, "reason": "other", "idempotency_key": "k"})

    assert (without.key, without.fingerprint) == (None, under_a_key.fingerprint)


def test_a_key_may_stand_in_the_header() -> None:
    without = {name: value for name, value in CREATE.items() if name != "idempotency_key"}

    assert creates(without, header_key="k").key == "k"
    assert creates(CREATE, header_key=" first").key == "first"
    assert creates(CREATE, header_key="first").fingerprint == creates(CREATE).fingerprint


def test_two_different_keys_are_a_bad_request() -> None:
    with pytest.raises(BadRequestError):
        creates(CREATE, header_key="other")


@pytest.mark.parametrize("key", ["", "   ", "k" * 256])
def test_a_key_has_1_to_255_characters(key: str) -> None:
    assert problems(creates, {**CREATE, "idempotency_key": key})[0][0] == "idempotency_key"


def test_a_read_has_no_use_for_a_key_in_the_header() -> None:
    assert lists({}, header_key="k").key is None


def test_reading_leaves_what_was_sent_untouched() -> None:
    sent = {**CREATE, "terms": {"note": " x "}, "items": [{"amount": "1"}], "custom_data": {"a": 1}}
    before = copy.deepcopy(sent)

    assert creates(sent) == creates(sent)
    assert sent == before
