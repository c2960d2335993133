"""Completing an argument: of a script or of a template, within bounds, whatever is sent."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.mcp.ports import Suggestions
from domain.errors import ScopeMissingError
from tests.protocol.anything import fast, json_values, now
from tests.protocol.fixtures import Reader, Sent, error, legacy, modern, result
from tests.protocol.library import BOOK, OTHER, Library
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

OF_PROMPT = {"type": "ref/prompt", "name": "recommend"}
OF_TEMPLATE = {"type": "ref/resource", "uri": BOOK}
GENRE = {"name": "genre", "value": "no"}


def complete(
    ref: object = OF_PROMPT, argument: object = GENRE, make: Any = modern, **params: object
) -> Sent:
    sent: Sent = make("completion/complete", {"ref": ref, "argument": argument, **params})
    return sent


async def suggested(library: Library, sent: Sent, caller: Reader | None = None) -> Any:
    return result(await sent.to(library, caller=caller))["completion"]


@proves("complete.values", "result.modern", "result.legacy")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_an_argument_of_a_script_is_completed(make: Any) -> None:
    reply = await complete(make=make).to(Library())
    assert result(reply)["completion"] == {
        "values": ["novel", "novella"],
        "total": 2,
        "hasMore": False,
    }


@proves("complete.reference")
@pytest.mark.parametrize(("caller", "book"), [(Reader(), "bk_1"), (OTHER, "bk_2")])
async def test_i2_a_template_is_completed_with_what_the_caller_has(
    caller: Reader, book: str
) -> None:
    sent = complete(OF_TEMPLATE, {"name": "id", "value": ""})
    found = await suggested(Library(), sent, caller)
    assert found == {"values": [book], "hasMore": False}


@proves("complete.values")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_o6_of_five_thousand_values_a_hundred_are_sent(make: Any) -> None:
    library = Library()
    values = tuple(f"novel {number}" for number in range(5_000))
    library.completer.suggested = Suggestions(values=values, total=5_000)
    found = await suggested(library, complete(make=make))
    assert found == {"values": list(values[:100]), "total": 5_000, "hasMore": True}


@proves("complete.values")
@pytest.mark.parametrize(
    ("given_values", "has_more"), [((), False), (("a",), True), (("a",) * 100, False)]
)
async def test_the_completer_may_say_that_there_are_more(
    given_values: tuple[str, ...], *, has_more: bool
) -> None:
    library = Library()
    library.completer.suggested = Suggestions(values=given_values, has_more=has_more)
    found = await suggested(library, complete())
    assert found == {"values": list(given_values), "hasMore": has_more}


@proves("complete.reference")
@pytest.mark.parametrize(
    "ref",
    [{"type": "ref/prompt", "name": "nothing"}, {"type": "ref/resource", "uri": "library://x"}],
)
async def test_o4_an_unknown_reference_is_refused(ref: dict[str, str]) -> None:
    for make, status in ((modern, 400), (legacy, 200)):
        reply = await complete(ref, make=make).to(Library())
        assert (reply.status, error(reply)["code"]) == (status, -32602)
        assert "ref" in error(reply)["message"]


@proves("complete.context")
@pytest.mark.parametrize(
    ("context", "given_texts"),
    [
        ({"arguments": {"mood": "calm", "page": 5, "more": None}}, {"mood": "calm"}),
        ({"arguments": {}}, {}),
        ({"arguments": []}, {}),
        ({"arguments": None}, {}),
        ({}, {}),
        (None, {}),
        ("x", {}),
        ([], {}),
    ],
)
async def test_o4_what_is_filled_in_already_reaches_the_completer(
    context: object, given_texts: dict[str, str]
) -> None:
    library = Library()
    for make in (modern, legacy):
        await suggested(library, complete(make=make, context=context))
    assert [wanted.given for wanted in library.completer.wanted] == [given_texts] * 2


@proves("complete.context")
async def test_what_is_typed_reaches_the_completer_as_it_is() -> None:
    library = Library()
    typed = "%_\\' \u200bç"
    await suggested(library, complete(argument={"name": "genre", "value": typed}))
    [wanted] = library.completer.wanted
    assert (wanted.argument, wanted.value) == ("genre", typed)
    assert (wanted.reference.name, wanted.reference.uri) == ("recommend", None)


@proves("complete.shape")
@pytest.mark.parametrize(
    "ref",
    [
        None, [], "ref/prompt", 5, {}, {"type": "ref/prompt"}, {"type": "ref/prompt", "name": 5},
        {"type": "ref/prompt", "uri": BOOK}, {"type": "ref/resource", "name": "recommend"},
        {"type": "ref/tool", "name": "recommend"}, {"type": [], "name": "recommend"},
        {"name": "recommend"},
    ],
)  # fmt: skip
async def test_a_reference_of_another_shape_is_refused(ref: object) -> None:
    library = Library()
    for make in (modern, legacy):
        said = error(await complete(ref, make=make).to(library))
        assert (said["code"], "ref" in said["message"]) == (-32602, True)
    assert library.completer.wanted == []


@proves("complete.shape")
@pytest.mark.parametrize(
    "argument",
    [None, [], "genre", {}, {"name": "genre"}, {"value": "n"}, {"name": "genre", "value": None},
     {"name": 5, "value": "n"}, {"name": "genre", "value": 5}],
)  # fmt: skip
async def test_an_argument_of_another_shape_is_refused(argument: object) -> None:
    library = Library()
    for make in (modern, legacy):
        said = error(await complete(argument=argument, make=make).to(library))
        assert (said["code"], "argument" in said["message"]) == (-32602, True)
    assert library.completer.wanted == []


@proves("names.scope")
async def test_a_completer_may_ask_for_a_scope() -> None:
    library = Library()
    library.completer.failure = ScopeMissingError(("library.read",))
    reply = await complete().to(library)
    assert (reply.status, reply.challenge_scopes) == (403, ("library.read",))


@proves("engine.total")
@fast
@given(st.sampled_from(["ref", "argument", "context"]), json_values)
def test_any_parameter_of_a_completion_may_be_anything(name: str, value: object) -> None:
    library = Library()
    for make in (modern, legacy):
        reply = now(complete(make=make).with_params(**{name: value}).to(library))
        assert reply.status in {200, 400}
    assert library.failures == []
