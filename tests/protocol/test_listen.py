"""Waiting for changes: what is acknowledged, how long it lasts, and how many may wait."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import methods

from application.mcp.open_streams import OpenStreams
from application.mcp.streams import Reply, Stream
from tests.protocol.anything import fast, json_values, now
from tests.protocol.fixtures import (
    MODERN,
    SERVER_INFO,
    Reader,
    Sent,
    error,
    header,
    legacy,
    modern,
)
from tests.protocol.library import OTHER, WHOLE, Library
from tests.protocol.requirements import proves
from tests.protocol.streaming import (
    LONGEST,
    give_up_waiting,
    leaving_nothing,
    replied,
    streamed,
    told,
)

pytestmark = pytest.mark.anyio

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
SECOND = Reader(name="reader_two")


def listen(wanted: object = None, request_id: object = 7) -> Sent:
    sent = modern("subscriptions/listen", {"notifications": {} if wanted is None else wanted})
    return Sent({**sent.message, "id": request_id}, sent.headers)


async def open_one(library: Library, caller: Reader | None = None) -> Stream:
    stream = await library.ask(listen(), caller)
    assert isinstance(stream, Stream)
    return stream


@proves("listen.acknowledged", "listen.id", "stream.version")
@pytest.mark.parametrize("request_id", [7, 0, -1, "", "7", "a-b"])
async def test_the_first_message_acknowledges_with_the_id_of_the_request(
    request_id: object,
) -> None:
    async with streamed(Library(), listen({"toolsListChanged": True}, request_id)) as stream:
        first = json.loads(stream.first)
        assert dict(stream.headers) == {b"mcp-protocol-version": MODERN.encode()}
    assert set(first) == {"jsonrpc", "method", "params"}
    assert first["method"] == ACKNOWLEDGED
    assert first["params"]["notifications"] == {"toolsListChanged": True}
    carried = first["params"]["_meta"][SUBSCRIPTION]
    assert (type(carried), carried) == (type(request_id), request_id)
    methods.parse_server_notification(ACKNOWLEDGED, MODERN, first["params"])


@proves("listen.acknowledged")
@pytest.mark.parametrize(
    ("wanted", "honoured"),
    [
        ({}, {}),
        ({"toolsListChanged": True}, {"toolsListChanged": True}),
        ({"toolsListChanged": False, "resourcesListChanged": True}, {"resourcesListChanged": True}),
        ({"promptsListChanged": True}, {}),
        ({"resourceSubscriptions": ["library://rules"], "anything": True}, {}),
        ({"toolsListChanged": 1, "resourcesListChanged": "true"}, {}),
        (
            {"resourcesListChanged": True, "toolsListChanged": True, "promptsListChanged": True},
            {"toolsListChanged": True, "resourcesListChanged": True},
        ),
    ],
)
async def test_what_the_server_has_not_declared_is_not_honoured(
    wanted: dict[str, object], honoured: dict[str, object]
) -> None:
    async with streamed(Library(), listen(wanted)) as stream:
        assert json.loads(stream.first)["params"]["notifications"] == honoured


async def ended(stream: Stream) -> list[dict[str, Any]]:
    async with asyncio.timeout(LONGEST):
        return [json.loads(message) async for message in stream.rest]


@proves("listen.ends", "listen.id", "result.modern")
@pytest.mark.parametrize("request_id", [7, "7"])
async def test_every_stream_ends_with_its_result_when_the_process_is_to_stop(
    request_id: object,
) -> None:
    library = Library()
    streams = [await library.ask(listen(request_id=request_id)), await open_one(library, SECOND)]
    library.streams.close()
    for stream, carried in zip(streams, (request_id, 7), strict=True):
        assert isinstance(stream, Stream)
        [response] = await ended(stream)
        meta = {SERVER_INFO: WHOLE.server_info, SUBSCRIPTION: carried}
        assert response["id"] == carried
        assert response["result"] == {"resultType": "complete", "_meta": meta}
        methods.validate_server_result("subscriptions/listen", MODERN, response["result"])


@proves("listen.ends")
async def test_one_that_is_opened_after_that_ends_at_once() -> None:
    library = Library()
    library.streams.close()
    first, last = await told(library, listen())
    assert first["method"] == ACKNOWLEDGED
    assert last["result"]["resultType"] == "complete"


@proves("listen.ends")
@pytest.mark.parametrize("left", [-1.0, 0.0, 0.01])
async def test_a_stream_ends_with_its_result_when_the_token_does(left: float) -> None:
    library = Library()
    until = asyncio.get_running_loop().time() + left
    async with streamed(library, listen(), until=until) as stream:
        [response] = await ended(stream)
    assert response["result"]["resultType"] == "complete"


@proves("listen.ends")
async def test_a_stream_whose_token_has_time_left_stays_open() -> None:
    until = asyncio.get_running_loop().time() + 3_600
    async with streamed(Library(), listen(), until=until) as stream:
        await give_up_waiting(stream)


@proves("listen.caps")
async def test_a_sixth_stream_of_one_caller_is_refused_and_others_have_their_own() -> None:
    library = Library()
    mine = [await open_one(library) for _ in range(5)]
    reply = await replied(library, listen())
    assert (reply.status, error(reply)["code"]) == (503, 503)
    assert int(header(reply, b"retry-after") or 0) >= 1
    others = [await open_one(library, caller) for caller in (SECOND, OTHER)]
    for stream in (*mine, *others):
        await stream.rest.aclose()


@proves("listen.caps")
async def test_a_thousand_and_first_stream_of_the_process_is_refused() -> None:
    library = Library()
    streams = [await open_one(library, Reader(name=f"reader_{n // 5}")) for n in range(1_000)]
    assert (await replied(library, listen(), OTHER)).status == 503
    await streams.pop().rest.aclose()
    streams.append(await open_one(library, OTHER))
    for stream in streams:
        await stream.rest.aclose()


@proves("listen.caps")
async def test_a_burst_gets_no_more_places_than_there_are() -> None:
    library = Library(streams=OpenStreams(most_of_one=3))
    async with asyncio.timeout(LONGEST):
        answers = await asyncio.gather(*(library.ask(listen()) for _ in range(50)))
    opened = [answer for answer in answers if isinstance(answer, Stream)]
    assert len(opened) == 3
    assert {answer.status for answer in answers if isinstance(answer, Reply)} == {503}
    for stream in opened:
        await stream.rest.aclose()


@proves("listen.caps", "stream.cancelled")
@pytest.mark.parametrize("how", ["unread", "waited for", "ended"])
async def test_a_place_is_free_again_however_the_stream_ends(how: str) -> None:
    library = Library(streams=OpenStreams(most_of_one=1))
    until = asyncio.get_running_loop().time() if how == "ended" else None
    with leaving_nothing():
        await _end(library, how, until)
    async with streamed(library, listen()) as stream:
        assert json.loads(stream.first)["method"] == ACKNOWLEDGED


async def _end(library: Library, how: str, until: float | None) -> None:
    async with streamed(library, listen(), until=until) as stream:
        assert (await replied(library, listen())).status == 503
        if how == "waited for":
            await give_up_waiting(stream)
        elif how == "ended":
            assert len(await ended(stream)) == 1


@proves("listen.refused", "stream.when")
async def test_a_client_that_takes_no_streams_is_told_406() -> None:
    library = Library()
    reply = await listen().to(library)
    assert (reply.status, reply.body) == (406, None)
    async with streamed(library, listen(), takes_json=False) as stream:
        assert stream.work is None


@proves("listen.refused")
@pytest.mark.parametrize("wanted", [[], "x", 5, True, ...])
async def test_what_is_wanted_is_an_object(wanted: object) -> None:
    sent = listen(wanted) if wanted is not ... else modern("subscriptions/listen")
    reply = await replied(Library(), sent)
    assert (reply.status, error(reply)["code"]) == (400, -32602)
    assert "notifications" in error(reply)["message"]


@proves("listen.refused", "features.off")
async def test_without_streams_and_in_the_older_era_there_is_no_such_method() -> None:
    bare = Library(replace(WHOLE, streams=False))
    reply = await replied(bare, listen())
    assert (reply.status, error(reply)["code"]) == (404, -32601)
    older = legacy("subscriptions/listen", {"notifications": {}})
    assert error(await replied(Library(), older))["code"] == -32601


@proves("names.quota")
async def test_a_listen_costs_a_read() -> None:
    library = Library()
    library.buckets.spent = True
    reply = await replied(library, listen())
    assert (reply.status, error(reply)["code"]) == (429, 429)
    assert library.buckets.taken == ["read"]


@proves("listen.acknowledged")
async def test_a_progress_token_of_a_listen_changes_nothing() -> None:
    sent = listen()
    meta = {**sent.message["params"]["_meta"], "progressToken": "p"}
    async with streamed(Library(), sent.with_params(_meta=meta)) as stream:
        assert json.loads(stream.first)["method"] == ACKNOWLEDGED
        assert stream.work is None


@proves("engine.total")
@fast
@given(st.sampled_from(["notifications", "cursor", "name"]), json_values)
def test_any_parameter_of_a_listen_may_be_anything(name: str, value: object) -> None:
    library = Library()
    reply = now(listen().with_params(**{name: value}).to(library))
    assert reply.status in {400, 406}
    assert library.failures == []
