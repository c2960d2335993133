"""Calling a tool: arguments, what comes back, and every way of being refused."""

import json
from typing import Any

import pytest

from domain.errors import (
    Detail,
    DuplicateError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    ScopeMissingError,
    StateConflictError,
    UnavailableError,
    ValidationError,
)
from domain.texts import Text
from tests.protocol.fixtures import (
    STRICT,
    GivenAnswer,
    House,
    Reader,
    answer,
    document,
    error,
    header,
    legacy,
    modern,
    refusal,
    result,
    text,
)
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio


@proves("call.arguments")
@pytest.mark.parametrize("arguments", [..., None, {}])
async def test_e5_absent_null_and_empty_arguments_are_the_same(arguments: object) -> None:
    house = House()
    params = {"name": "books_count"} | ({} if arguments is ... else {"arguments": arguments})
    assert (await modern("tools/call", params).to(house)).status == 200
    assert (await legacy("tools/call", params).to(house)).status == 200
    assert [call[2] for call in house.books.calls] == [{}, {}]


@proves("call.arguments")
@pytest.mark.parametrize("arguments", [[], "x", 5, False])
async def test_arguments_that_are_no_object_are_refused(arguments: object) -> None:
    house = House()
    params = {"name": "books_count", "arguments": arguments}
    modern_reply = await modern("tools/call", params).to(house)
    legacy_reply = await legacy("tools/call", params).to(house)
    assert (modern_reply.status, error(modern_reply)["code"]) == (400, -32602)
    assert (legacy_reply.status, error(legacy_reply)["code"]) == (200, -32602)
    assert house.books.calls == []


@proves("call.arguments")
async def test_arguments_reach_the_tool_as_they_were_written() -> None:
    house = House()
    sent = legacy("tools/call", {"name": "books_list", "arguments": {"a": "10", "b": None}})
    body = json.dumps(sent.message).replace('"10"', "1.10").encode()
    await house.post(body)
    [(_, _, arguments, _)] = house.books.calls
    assert str(arguments["a"]) == "1.10"
    assert arguments["b"] is None


@proves("call.text")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_f1_the_text_is_the_whole_answer_indented_by_two(make: Any) -> None:
    house = House()
    given = {"data": [{"name": 'Ana "Á" \\ \n', "sum": 10.5}], "meta": {"total": 1}}
    house.books.behaviour = answer(given)
    told = text(await make("tools/call", {"name": "books_list"}).to(house))
    assert told == json.dumps(given, indent=2, ensure_ascii=False)
    assert "isError" not in result(await make("tools/call", {"name": "books_list"}).to(house))


@proves("call.text")
async def test_numbers_keep_the_digits_they_were_given() -> None:
    house = House()
    given = GivenAnswer(200, b'{"sum":10.10,"big":12345678901234567890}')
    house.books.behaviour = lambda _arguments, _rounds: given
    told = text(await modern("tools/call", {"name": "books_list"}).to(house))
    assert told == '{\n  "sum": 10.10,\n  "big": 12345678901234567890\n}'


@proves("call.empty")
async def test_an_empty_answer_tells_its_status() -> None:
    house = House()
    house.books.behaviour = answer(None, status=204)
    told = text(await modern("tools/call", {"name": "loans_delete"}).to(house))
    assert json.loads(told) == {"status": 204}


@proves("call.refusal")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_f5_a_refusal_is_a_result_that_the_model_can_read(make: Any) -> None:
    house = House()
    missing = Detail("book", "required", Text("Informe o livro.", "Name the book."))
    house.books.behaviour = refusal(ValidationError(missing))
    sent = make("tools/call", {"name": "loans_create"})
    refused = result(await house.post(sent.message, sent.headers, language="en"))
    assert refused["isError"] is True
    assert "structuredContent" not in refused
    told = refused["content"][0]["text"]
    assert json.loads(told) == {
        "error": {
            "code": "VALIDATION_ERROR",
            "message": "The request is not valid.",
            "details": [{"field": "book", "code": "required", "message": "Name the book."}],
            "request_id": "req_1",
        }
    }
    assert told.startswith('{\n  "error"')


@proves("call.refusal", "language")
async def test_refusals_are_portuguese_unless_english_is_asked_for() -> None:
    house = House()
    house.books.behaviour = refusal(NotFoundError())
    sent = modern("tools/call", {"name": "books_list"})
    assert "Não encontrado." in text(await sent.to(house))
    assert "Not found." in text(await house.post(sent.message, sent.headers, language="en"))


@proves("call.refusal")
@pytest.mark.parametrize(
    ("refused", "beside"),
    [
        (
            StateConflictError(
                Text("Já devolvido.", "Returned."), current_status="returned", allowed_actions=["x"]
            ),
            {"current_status": "returned", "allowed_actions": ["x"]},
        ),
        (DuplicateError("title", "bk_1"), {"existing_id": "bk_1"}),
        (RateLimitedError(5), {}),
    ],
)
async def test_extra_members_stand_beside_the_code(
    refused: Exception, beside: dict[str, object]
) -> None:
    house = House()
    house.books.behaviour = refusal(refused)
    told = json.loads(text(await modern("tools/call", {"name": "books_list"}).to(house)))
    members = {"code", "message", "details", "request_id"}
    assert {key: value for key, value in told["error"].items() if key not in members} == beside


@proves("call.unknown")
@pytest.mark.parametrize("name", ["nope", "", "Books_list", "{name}", "loans_create"])
async def test_f5_a_tool_that_is_not_the_callers_is_an_unknown_tool(name: str) -> None:
    caller = Reader(shelves=frozenset({"books"}), scopes=frozenset())
    sent = {make: make("tools/call", {"name": name}) for make in (modern, legacy)}
    for house, words in (
        (House(), f"Unknown tool: {name}"),
        (House(STRICT), f"Tool {name} not found"),
    ):
        told = [await sent[make].to(house, caller=caller) for make in (modern, legacy)]
        assert [(reply.status, error(reply)) for reply in told] == [
            (400, {"code": -32602, "message": words}),
            (200, {"code": -32602, "message": words}),
        ]


@proves("call.unknown")
async def test_a_long_unknown_name_is_not_sent_back_whole() -> None:
    reply = await legacy("tools/call", {"name": "x" * 100_000}).to(House())
    assert reply.body is not None
    assert len(reply.body) < 500


@proves("call.unknown")
async def test_a_permission_denied_later_looks_like_an_unknown_tool() -> None:
    house = House()
    house.books.behaviour = refusal(PermissionDeniedError())
    reply = await modern("tools/call", {"name": "books_list"}).to(house)
    assert error(reply) == {"code": -32602, "message": "Unknown tool: books_list"}


@proves("call.scope")
@pytest.mark.parametrize("make", [modern, legacy])
@pytest.mark.parametrize("later", [False, True])
async def test_a_missing_scope_is_a_challenge_with_every_scope(make: Any, *, later: bool) -> None:
    house = House()
    house.books.behaviour = refusal(ScopeMissingError(["library.read", "library.write"]))
    caller = Reader() if later else Reader(scopes=frozenset())
    reply = await make("tools/call", {"name": "books_list"}).to(house, caller=caller)
    assert reply.status == 403
    assert reply.challenge_scopes == ("library.read", "library.write")
    assert document(reply) == {
        "jsonrpc": "2.0",
        "id": 7,
        "error": {
            "code": 403,
            "message": "Insufficient scope",
            "data": {"error": "insufficient_scope", "scope": "library.read library.write"},
        },
    }
    assert bool(house.books.calls) is later


@proves("call.unavailable")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_what_does_not_answer_is_a_503_in_both_eras(make: Any) -> None:
    house = House()
    house.books.behaviour = refusal(UnavailableError(retry_after=4))
    reply = await make("tools/call", {"name": "books_list"}).to(house)
    assert (reply.status, error(reply)["code"]) == (503, 503)
    assert header(reply, b"retry-after") == "4"
    assert document(reply)["id"] == 7


@proves("call.failure")
@pytest.mark.parametrize(("make", "status"), [(modern, 500), (legacy, 200)])
async def test_what_nobody_foresaw_is_told_to_the_log_alone(make: Any, status: int) -> None:
    house = House()
    secret = RuntimeError("password=hunter2")
    house.books.behaviour = refusal(secret)
    reply = await make("tools/call", {"name": "books_list"}).to(house)
    assert reply.status == status
    assert error(reply) == {"code": -32603, "message": "Internal error"}
    assert house.failures == [secret]


@proves("call.never-asks")
@pytest.mark.parametrize(
    ("make", "method"),
    [
        (modern, "tools/list"),
        (modern, "server/discover"),
        (legacy, "tools/list"),
        (legacy, "tools/call"),
        (legacy, "initialize"),
        (legacy, "ping"),
    ],
)
async def test_methods_that_never_ask_ignore_answers_of_any_shape(make: Any, method: str) -> None:
    params = {"name": "books_list", "inputResponses": 5, "requestState": ["x"], "task": {}}
    assert (await make(method, params).to(House())).status == 200


@proves("call.never-asks")
async def test_tools_that_never_ask_take_no_notice_of_a_state() -> None:
    house = House()
    params = {"name": "books_list", "inputResponses": {"a": {}}, "requestState": "x", "task": {}}
    assert (await modern("tools/call", params).to(house)).status == 200
    assert house.books.calls[0][2] == {}


@proves("limit.spent")
@pytest.mark.parametrize("make", [modern, legacy])
@pytest.mark.parametrize(
    ("method", "params", "rate_class"),
    [
        ("tools/list", {}, "read"),
        ("tools/call", {"name": "books_list"}, "read"),
        ("tools/call", {"name": "loans_create"}, "write"),
        ("tools/call", {"name": "loans_delete"}, "destructive"),
        ("tools/call", {"name": "nope"}, "read"),
    ],
)
async def test_an_empty_bucket_is_a_429_with_its_state(
    make: Any, method: str, params: dict[str, Any], rate_class: str
) -> None:
    house = House()
    house.buckets.spent = True
    reply = await make(method, params).to(house)
    assert (reply.status, error(reply)["code"]) == (429, 429)
    assert document(reply)["id"] == 7
    assert header(reply, b"retry-after") == "2"
    assert header(reply, b"ratelimit") == f'"{rate_class}";r=0;t=17'
    assert header(reply, b"ratelimit-policy") == f'"{rate_class}";q=30;w=60'
    assert house.buckets.taken == [rate_class]
    assert house.books.calls == []


@proves("limit.outside")
async def test_the_handshake_and_rejected_requests_cost_nothing() -> None:
    house = House()
    house.buckets.spent = True
    assert (await modern("server/discover").to(house)).status == 200
    assert (await legacy("initialize").to(house)).status == 200
    assert (await legacy("ping").to(house)).status == 200
    await modern("tools/nope").to(house)
    await modern("tools/list").with_header("Mcp-Method").to(house)
    await modern("tools/list").to(house, query="toolsets=nothing")
    assert house.buckets.taken == []
