"""Examples fit the schema of their fields, and say no more than a first call needs."""

from datetime import date, datetime
from typing import Annotated, Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import UNSET, Meta, Struct, UnsetType

from adapters.v1.examples import INVENTED, World, example_object
from adapters.v1.input_shape import shape_of
from adapters.v1.tool_schema import object_schema
from application.operations.fields import SEVERAL, Input, Money, Percent, about, id_of, one_of
from tests.unit.v1.samples import Status

DEBTOR = "dbt_4bpgqfpk5bz4exjar5da34pz7q"
DEMO = World(
    day="2026-12-01",
    instant="2026-12-01T10:00:00-03:00",
    ids={"dbt": DEBTOR},
    days={"due_date": "2026-12-21"},
    words={"status": "overdue", "kind": "unheard-of", "label": "Work"},
)


Words = Annotated[str, Meta(max_length=20)]


class Line(Struct, kw_only=True, forbid_unknown_fields=True):
    debtor_id: Annotated[Annotated[str, id_of("dbt")] | None, about("Who owes.")] = None
    amount: Annotated[Money, about("How much.")]
    note: Annotated[Words | None, about("A note.")] = None


class Everything(Input):
    id: Annotated[str, id_of("chg"), about("An id.")]
    due_date: Annotated[date, about("A day with a meaning.")]
    paid_at: Annotated[date, about("Any day.")]
    at: Annotated[datetime, about("An instant.")]
    status: Annotated[Status, about("One of several.")]
    kind: Annotated[str, one_of(("goods", "labour")), about("One of a table.")]
    statuses: Annotated[tuple[Status, ...], SEVERAL, about("Several of several.")]
    days: Annotated[dict[Annotated[str, one_of(("RS", "SP"))], int], about("By state.")]
    items: Annotated[tuple[Line, ...], Meta(min_length=1), about("Lines.")]
    share: Annotated[Percent, about("A share.")]
    count: Annotated[int, Meta(ge=3, le=9), about("A number.")]
    code: Annotated[str, Meta(min_length=20, max_length=30), about("A text.")]
    sure: Annotated[bool, about("Yes or no.")]
    custom_data: Annotated[dict[str, object], about("Anything.")]
    notes: Annotated[Words | None, about("Left out.")] = None


class Change(Input):
    version: Annotated[int | None, about("What you have read.")] = None
    name: Annotated[Words | UnsetType, about("A name.")] = UNSET
    label: Annotated[Words | UnsetType | None, about("A label.")] = UNSET


class Nothing(Input):
    reveal: Annotated[bool, about("Whether to show all.")] = False


def example_of(declared: type[Input], world: World) -> dict[str, Any]:
    return example_object(shape_of("dunning_sample", declared).fields, world)


@pytest.mark.parametrize("world", [INVENTED, DEMO])
@pytest.mark.parametrize("declared", [Everything, Change, Nothing])
def test_an_example_fits_the_schema_of_its_operation(declared: type[Input], world: World) -> None:
    schema = object_schema(shape_of("dunning_sample", declared), closed=True)

    Draft202012Validator(schema).validate(example_of(declared, world))


def test_it_has_what_is_required_in_the_words_of_its_world() -> None:
    example = example_of(Everything, DEMO)

    assert "notes" not in example
    assert (example["due_date"], example["paid_at"]) == ("2026-12-21", "2026-12-01")
    assert example["at"] == "2026-12-01T10:00:00-03:00"
    assert (example["status"], example["kind"]) == ("overdue", "goods")


def test_several_values_of_an_object_stand_in_one_text() -> None:
    assert example_of(Everything, DEMO)["statuses"] == "pending"


def test_who_owes_is_said_even_where_another_field_could_say_it() -> None:
    assert example_of(Everything, DEMO)["items"] == [{"debtor_id": DEBTOR, "amount": 1284.58}]


def test_a_change_of_which_nothing_is_required_shows_one_member_that_everybody_understands() -> (
    None
):
    assert example_of(Change, DEMO) == {"label": "Work"}


def test_what_only_a_reader_or_a_right_can_give_is_never_volunteered() -> None:
    assert example_of(Nothing, DEMO) == {}
