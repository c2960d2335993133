"""A conversation in lines: what runs at once, what is stopped, what ends it."""

import asyncio
import json

import pytest

from domain.errors import MembershipError, UnauthenticatedError, UnavailableError
from entrypoints.stdio import LONGEST_LINE, MOST_BEGUN, MOST_IN_WORK
from tests.protocol.fixtures import Reader, Sent, legacy, modern
from tests.protocol.requirements import proves
from tests.unit.entrypoints.talks import LONGEST, talk

pytestmark = pytest.mark.anyio

COUNT = modern("tools/call", {"name": "books_count", "arguments": {}})
PING = legacy("ping")


def with_id(sent: Sent, request_id: object) -> Sent:
    return Sent({**sent.message, "id": request_id}, ())


def cancelled(request_id: object) -> bytes:
    params = {"requestId": request_id}
    said = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    return json.dumps(said).encode()


@proves("stdio.at-once")
async def test_so_many_run_at_once_and_the_others_when_there_is_a_place() -> None:
    held = talk()
    held.client.say(*(with_id(COUNT, number) for number in range(MOST_BEGUN)), b"no message")
    error = await held.client.hears()
    await held.books.until(MOST_IN_WORK)
    held.books.open.set()
    heard = [await held.client.hears() for _ in range(MOST_BEGUN)]
    await held.end()

    assert error["error"]["code"] == -32700
    assert sorted(one["id"] for one in heard) == list(range(MOST_BEGUN))
    assert held.books.most == MOST_IN_WORK


@proves("stdio.at-once")
async def test_a_client_that_asks_more_than_is_answered_is_not_read_any_further() -> None:
    held = talk()
    held.client.say(*(with_id(COUNT, number) for number in range(MOST_BEGUN + 1)), b"no message")
    await held.books.until(MOST_IN_WORK)
    assert held.client.has_heard_all
    held.books.open.set()
    heard = [await held.client.hears() for _ in range(MOST_BEGUN + 2)]
    await held.end()

    assert "error" not in heard[0]
    assert sum("error" in one for one in heard) == 1


@proves("stdio.at-once")
async def test_a_client_that_does_not_read_is_not_read_either() -> None:
    held = talk()
    held.client.reads.clear()
    held.client.say(*[b"no message"] * 3)
    await held.client.is_silent()
    assert held.client.taken == 1

    held.client.reads.set()
    refused = [await held.client.hears() for _ in range(3)]
    await held.end()
    assert {one["error"]["code"] for one in refused} == {-32700}


@proves("stdio.at-once")
async def test_a_quick_answer_overtakes_a_slow_one() -> None:
    held = talk()
    held.client.say(with_id(COUNT, "slow"))
    await held.books.until(1)
    held.client.say(with_id(PING, "quick"))
    first = await held.client.hears()
    held.books.open.set()
    second = await held.client.hears()
    await held.end()

    assert [first["id"], second["id"]] == ["quick", "slow"]


@proves("stdio.at-once")
async def test_an_id_is_free_again_once_it_is_answered_and_not_before() -> None:
    held = talk()
    held.client.say(with_id(COUNT, 1), with_id(PING, 1), with_id(PING, "1"))
    second = await held.client.hears()
    other = await held.client.hears()
    held.books.open.set()
    first = await held.client.hears()
    held.client.say(with_id(PING, 1))
    again = await held.client.hears()
    await held.end()

    assert (second["id"], second["error"]["code"]) == (1, -32600)
    assert (other["id"], other["result"]) == ("1", {})
    assert first["result"]["content"]
    assert (again["id"], again["result"]) == (1, {})


@proves("stdio.cancel")
@pytest.mark.parametrize(
    ("request_id", "others"),
    [(1, ["1", 1.0, True, None, [1], {}]), ("1", [1, None]), (0, [False, "", "0"]), ("", [0])],
)
async def test_only_its_own_id_stops_a_request_and_it_stays_unanswered(
    request_id: object, others: list[object]
) -> None:
    held = talk()
    held.client.say(with_id(COUNT, request_id))
    await held.books.until(1)
    held.client.say(*map(cancelled, others), PING)
    assert (await held.client.hears())["result"] == {}
    assert held.books.stopped == 0

    held.client.say(cancelled(request_id))
    await held.books.until(0)
    await held.end()
    assert held.books.stopped == 1
    assert held.failures == []


@proves("stdio.cancel")
async def test_a_request_that_waits_for_its_place_is_stopped_as_well() -> None:
    held = talk()
    held.client.say(*(with_id(COUNT, number) for number in range(MOST_IN_WORK + 1)))
    await held.books.until(MOST_IN_WORK)
    held.client.say(cancelled(MOST_IN_WORK), PING)
    held.books.open.set()
    heard = [await held.client.hears() for _ in range(MOST_IN_WORK + 1)]
    await held.end()

    assert {one["id"] for one in heard} == {*range(MOST_IN_WORK), PING.message["id"]}


@proves("stdio.cancel")
async def test_a_request_that_is_answered_or_unknown_cannot_be_stopped() -> None:
    held = talk()
    held.client.say(cancelled(7), PING)
    answered = await held.client.hears()
    held.client.say(cancelled(7), b'{"jsonrpc":"2.0","method":"notifications/cancelled"}', PING)
    again = await held.client.hears()
    await held.end()

    assert answered["result"] == again["result"] == {}


@proves("stdio.lines")
@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"{", -32700, None),
        (b"\xff", -32700, None),
        (b'{"id":1,"id":2}', -32700, None),
        (b"[" * 100_000, -32700, None),
        (b"[]", -32600, None),
        (b"null", -32600, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":5,"result":{}}', -32600, None),
        (b'{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600, 5),
        (b'{"jsonrpc":"2.0","id":"a","method":1}', -32600, "a"),
    ],
)
async def test_a_bad_line_is_refused_and_the_next_one_is_read(
    line: bytes, code: int, request_id: object
) -> None:
    held = talk()
    held.client.say(line, PING)
    refused, answered = await held.client.hears(), await held.client.hears()
    await held.end()

    assert refused["error"]["code"] == code
    assert refused["id"] == request_id
    assert answered["result"] == {}


@proves("stdio.size")
async def test_a_line_that_is_too_long_is_refused_by_its_size() -> None:
    held = talk()
    held.client.say(None)
    refused = await held.client.hears()
    await held.end()

    assert refused["id"] is None
    assert refused["error"]["code"] == -32600
    assert str(LONGEST_LINE) in refused["error"]["message"]


@proves("stdio.lines")
async def test_notifications_are_not_answered() -> None:
    held = talk()
    held.client.say(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    held.client.say(b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"books_count"}}')
    await held.end()

    assert held.books.most == 0


@proves("stdio.version")
async def test_what_initialize_has_settled_holds_from_then_on() -> None:
    held = talk()
    heard = []
    first = legacy("initialize", {"protocolVersion": "2025-03-26"})
    again = legacy("initialize", {"protocolVersion": "2025-06-18"})
    held.books.open.set()
    for sent in (legacy("tools/list"), first, modern("initialize"), again, COUNT):
        held.client.say(sent)
        heard.append(await held.client.hears())
    await held.end()

    assert [one["result"].get("protocolVersion") for one in (heard[1], heard[3])] == [
        "2025-03-26", "2025-06-18"
    ]  # fmt: skip
    assert heard[2]["error"]["code"] == -32601
    assert heard[4]["result"]["resultType"] == "complete"


@proves("stdio.token")
async def test_every_request_is_admitted_anew_and_who_may_return_is_not_sent_away() -> None:
    refusals = iter([None, MembershipError(), UnavailableError(), None])

    async def admit() -> Reader:
        refused = next(refusals)
        if refused is not None:
            raise refused
        return Reader()

    held = talk(admit)
    heard = []
    for _ in range(4):
        held.client.say(PING)
        heard.append(await held.client.hears())
    await held.end()

    assert heard[0]["result"] == heard[3]["result"] == {}
    assert heard[1]["error"]["data"]["code"] == "PERMISSION_DENIED"
    assert heard[2]["error"]["code"] == 503
    assert held.failures == []


@proves("stdio.token")
async def test_a_token_that_counts_no_more_ends_the_conversation_and_what_is_in_work() -> None:
    admitted = iter([Reader()])

    async def admit() -> Reader:
        for reader in admitted:
            return reader
        raise UnauthenticatedError("The token has expired.")

    held = talk(admit)
    held.client.say(with_id(COUNT, 1))
    await held.books.until(1)
    held.client.say(with_id(PING, 2))
    heard = await held.client.hears()
    with pytest.raises(UnauthenticatedError):
        await asyncio.wait_for(held.held, LONGEST)

    assert heard["id"] == 2
    assert heard["error"]["data"]["code"] == "UNAUTHENTICATED"
    assert held.books.stopped == 1
    assert held.client.has_heard_all


@proves("stdio.end")
async def test_a_request_whose_time_is_up_is_stopped_and_told_so() -> None:
    held = talk(deadline=0.01)
    held.client.say(COUNT)
    heard = await held.client.hears()
    await held.end()

    assert heard["error"]["code"] == 503
    assert held.books.stopped == 1


@proves("stdio.end")
async def test_at_the_end_what_was_begun_is_finished() -> None:
    held = talk()
    held.client.say(COUNT)
    held.client.leave()
    await held.books.until(1)
    held.books.open.set()
    answer = await held.client.hears()
    await held.end()

    assert answer["result"]["content"]


@proves("stdio.end")
async def test_cancelling_it_stops_what_is_in_work() -> None:
    held = talk()
    held.client.say(COUNT)
    await held.books.until(1)
    held.held.cancel()
    with pytest.raises(asyncio.CancelledError):
        await held.held

    assert held.books.stopped == 1
    assert held.client.has_heard_all


@proves("stdio.lines")
async def test_a_failure_of_ours_is_noted_and_answered_without_its_text() -> None:
    async def admit() -> Reader:
        raise RuntimeError("the secret")

    held = talk(admit)
    held.client.say(PING)
    heard = await held.client.hears()
    await held.end()

    assert heard["error"] == {"code": -32603, "message": "Internal error"}
    assert [type(failure) for failure in held.failures] == [RuntimeError]
