"""Filling a script in: with its arguments, after a question, or not for this caller."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.mcp.ports import Script
from domain.errors import Detail, PermissionDeniedError, ValidationError
from domain.texts import Text
from tests.protocol.anything import fast, json_values, now
from tests.protocol.fixtures import Reader, Sent, error, legacy, modern, result
from tests.protocol.librarian import ANSWERS, FORMS, asked, retry
from tests.protocol.library import GUEST, OTHER, Clerk, Library
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio


def get(name: object = "recommend", make: Any = modern, **params: object) -> Sent:
    sent: Sent = make("prompts/get", {"name": name, **params})
    return sent


NOVEL = {"genre": "novel"}


@proves("prompt.filled", "result.modern", "result.legacy")
@pytest.mark.parametrize("make", [modern, legacy])
@pytest.mark.parametrize("caller", [Reader(), OTHER])
async def test_a_script_comes_with_its_arguments_in_it(make: Any, caller: Reader) -> None:
    script = result(await get(make=make, arguments=NOVEL).to(Library(), caller=caller))
    [message] = script["messages"]
    assert script["description"] == "Recommends a book."
    assert (message["role"], message["content"]["type"]) == ("user", "text")
    assert message["content"]["text"].endswith(f"Recommend novel to {caller.library}.")
    assert "ttlMs" not in script


@proves("prompt.filled")
@pytest.mark.parametrize("params", [{}, {"arguments": None}, {"arguments": {}}])
async def test_absent_null_and_empty_arguments_are_the_same(params: dict[str, Any]) -> None:
    for make in (modern, legacy):
        assert (await get("remind", make, **params).to(Library())).status == 200


@proves("prompt.arguments")
@pytest.mark.parametrize("arguments", [[], "x", 5, False])
async def test_arguments_that_are_no_object_are_refused(arguments: object) -> None:
    for make, status in ((modern, 400), (legacy, 200)):
        reply = await get(make=make, arguments=arguments).to(Library())
        assert (reply.status, error(reply)["code"]) == (status, -32602)
        assert "arguments" in error(reply)["message"]


@proves("prompt.arguments")
@pytest.mark.parametrize("arguments", [{}, {"genre": None}, {"genre": 5}])
async def test_o7_an_argument_that_the_script_misses_is_named(arguments: object) -> None:
    for make, status in ((modern, 400), (legacy, 200)):
        reply = await get(make=make, arguments=arguments).to(Library())
        assert (reply.status, error(reply)["code"]) == (status, -32602)
        assert "genre" in error(reply)["message"]


@proves("prompt.arguments")
async def test_a_refusal_of_the_product_is_told_with_its_code_and_fields() -> None:
    library = Library()
    detail = Detail("genre", "unknown", Text("Não existe.", "There is none."))

    def refuse(_visit: object) -> None:
        raise ValidationError(detail)

    library.scripts.instead = refuse
    said = error(await get(arguments=NOVEL).to(library))
    assert said["code"] == -32602
    assert said["data"]["code"] == "VALIDATION_ERROR"
    assert said["data"]["details"] == [
        {"field": "genre", "code": "unknown", "message": "There is none."}
    ]


@proves("prompt.unknown")
@pytest.mark.parametrize(
    ("name", "caller"), [("nothing", Reader()), ("remind", GUEST), ("", Reader())]
)
async def test_a_script_that_is_not_for_this_caller_is_unknown(name: str, caller: Reader) -> None:
    for make, status in ((modern, 400), (legacy, 200)):
        reply = await get(name, make).to(Library(), caller=caller)
        said = {"code": -32602, "message": f"Unknown prompt: {name}"}
        assert (reply.status, error(reply)) == (status, said)


@proves("prompt.unknown")
async def test_one_that_the_role_forbids_while_it_is_filled_in_is_unknown_too() -> None:
    library = Library()

    def refuse(_visit: object) -> None:
        raise PermissionDeniedError

    library.scripts.instead = refuse
    assert error(await get().to(library))["message"] == "Unknown prompt: recommend"


@proves("prompt.unknown")
async def test_a_long_name_is_not_sent_back_whole_and_a_name_is_a_string() -> None:
    reply = await get("x" * 5_000, legacy).to(Library())
    assert len(error(reply)["message"]) < 200
    names: tuple[object, ...] = (None, 5, [], True)
    for name in names:
        assert error(await get(name).to(Library()))["code"] == -32602
        assert "name" in error(await get(name, legacy).to(Library()))["message"]


def asking() -> tuple[Library, Clerk]:
    library = Library()
    said = {"role": "user", "content": {"type": "text", "text": "The first edition, please."}}
    library.scripts.instead = clerk = Clerk(Script(description="Asked.", messages=(said,)))
    return library, clerk


def wanted(name: str = "recommend") -> Sent:
    return get(name, arguments=NOVEL).with_meta(capabilities=FORMS)


@proves("names.rounds")
async def test_a_script_may_need_an_answer_first() -> None:
    library, clerk = asking()
    told = await asked(library, wanted())
    finished = result(await retry(wanted(), told, edition=ANSWERS["edition"]).to(library))
    assert finished["description"] == "Asked."
    [before, resumed] = clerk.came
    assert before is None
    assert resumed is not None
    assert resumed.answers == {"edition": ANSWERS["edition"]}


@proves("names.rounds", "rounds.state-bound")
async def test_g_a_state_counts_for_its_script_alone() -> None:
    library, clerk = asking()
    library.books.behaviour = lambda _arguments, rounds: clerk(_visit(rounds))
    told = await asked(library, wanted())
    tool = modern("tools/call", {"name": "books_list"}).with_meta(capabilities=FORMS)
    for other, caller in ((wanted("remind"), None), (tool, None), (wanted(), OTHER)):
        reply = await retry(other, told, edition=ANSWERS["edition"]).to(library, caller=caller)
        assert error(reply)["message"] == "Invalid or expired requestState"
    assert len(clerk.came) == 1


def _visit(rounds: Any) -> Any:
    """What the clerk reads of a visit."""
    return type("Visit", (), {"rounds": rounds})()


@proves("names.rounds", "rounds.undeclared", "rounds.legacy")
async def test_a_client_that_cannot_be_asked_is_told_what_it_lacks() -> None:
    library, _ = asking()
    for sent, status in ((get(), 400), (get(make=legacy), 200)):
        reply = await sent.to(library)
        assert (reply.status, error(reply)["code"]) == (status, -32021)


@proves("engine.total")
@fast
@given(st.sampled_from(["name", "arguments", "requestState", "inputResponses"]), json_values)
def test_any_parameter_of_a_prompt_may_be_anything(name: str, value: object) -> None:
    library = Library()
    for sent in (get(arguments=NOVEL), get(make=legacy, arguments=NOVEL)):
        reply = now(sent.with_params(**{name: value}).with_header("Mcp-Name").to(library))
        assert reply.status in {200, 400}
    assert library.failures == []
