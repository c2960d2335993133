"""Event streams through the HTTP door: frames, comments, deadlines, places, clients that vanish."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from adapters.http import event_stream
from application.mcp.rounds import Rounds
from tests.protocol.door import BOTH, PAGE, Client, answered, asking, door, read_event
from tests.protocol.fixtures import MODERN, GivenAnswer, Sent, legacy, modern
from tests.protocol.library import READS_ONLY, Library
from tests.protocol.reporting import DONE, STEPS, Waiting, call, reporting
from tests.protocol.requirements import proves
from tests.protocol.streaming import LONGEST, leaving_nothing

pytestmark = pytest.mark.anyio

COMMENT = b":\n\n"
LISTEN = modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
WATCHED = call(progressToken="p")
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


def waiting_library() -> tuple[Library, Waiting]:
    library = Library()
    library.books.behaviour = waiting = Waiting()
    return library, waiting


@proves("sse.frames", "stream.version")
@pytest.mark.parametrize(("make", "version"), [(modern, MODERN), (legacy, "2025-06-18")])
async def test_each_message_is_one_event_and_the_answer_is_nobody_s_to_keep(
    make: Any, version: str
) -> None:
    async with asking(door(reporting(*STEPS)), call(make, progressToken="p")) as (client, _):
        said = [await client.event() for _ in range(4)]
        assert await client.part() == b""
    assert [one.get("method") for one in said] == ["notifications/progress"] * 3 + [None]
    assert said[-1]["id"] == 7
    assert client.status == 200
    assert client.headers == {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
        "mcp-protocol-version": version,
    }


@proves("sse.frames")
async def test_no_text_can_break_a_line_of_data() -> None:
    library = reporting((1, None, "a\nb\rc\r\n\ndata: x\u2028d"))
    async with asking(door(library), WATCHED) as (client, _):
        assert (await client.event())["params"]["message"] == "a\nb\rc\r\n\ndata: x\u2028d"
        assert "result" in await client.event()


@proves("sse.cors")
@pytest.mark.parametrize("sent", [WATCHED, LISTEN])
async def test_c19_a_page_of_an_accepted_origin_may_read_the_stream(sent: Sent) -> None:
    async with asking(door(reporting(*STEPS)), sent, Origin=PAGE) as (client, _):
        await client.event()
        assert client.headers["access-control-allow-origin"] == PAGE
        assert client.headers["vary"] == "Origin"
    async with asking(door(Library()), sent, Origin="https://evil.test") as (client, _):
        assert (await client.document())["error"]["code"] == "ORIGIN_NOT_ALLOWED"
        assert client.status == 403


@proves("sse.comments")
@pytest.mark.parametrize("sent", [WATCHED, LISTEN])
async def test_a_comment_shows_that_a_quiet_stream_is_alive(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert event_stream.QUIET == 15
    monkeypatch.setattr(event_stream, "QUIET", 0.01)
    library, _ = waiting_library()
    async with asking(door(library), sent) as (client, _):
        await client.event()
        assert [await client.part() for _ in range(3)] == [COMMENT] * 3


@proves("sse.comments")
async def test_what_comes_after_a_comment_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "QUIET", 0.01)
    library, go_on = Library(), asyncio.Event()

    async def report(_arguments: Mapping[str, Any], rounds: Rounds) -> GivenAnswer:
        rounds.reports.progress(1)
        await go_on.wait()
        rounds.reports.progress(2)
        return DONE

    library.books.behaviour = report
    async with asking(door(library), WATCHED) as (client, _):
        await client.event()
        assert await client.part() == COMMENT
        go_on.set()
        said = [part for part in [await client.part() for _ in range(2)] if part != COMMENT]
        while len(said) < 2:
            said.append(await client.part())
    assert read_event(said[0])["params"]["progress"] == 2
    assert "result" in read_event(said[1])


@proves("sse.deadline")
async def test_a_stream_whose_time_is_up_ends_with_the_error_and_its_work_is_stopped() -> None:
    library, waiting = waiting_library()
    with leaving_nothing():
        async with asking(door(library, deadline=0.05), WATCHED) as (client, answering):
            await client.event()
            error = {"code": 503, "message": "Service unavailable"}
            assert await client.event() == {"jsonrpc": "2.0", "id": 7, "error": error}
            assert await client.part() == b""
            await asyncio.wait({answering})
        assert waiting.was_cancelled


@proves("sse.deadline")
async def test_before_the_first_report_the_same_is_told_as_plain_json() -> None:
    library = Library()
    library.books.behaviour = waiting = Waiting(reports=False)
    client = await answered(door(library, deadline=0.01), WATCHED)
    assert (client.status, client.headers["retry-after"]) == (503, "1")
    assert (await client.document())["error"]["code"] == 503
    assert waiting.was_cancelled


@proves("sse.deadline", "listen.ends")
async def test_a_listen_outlives_every_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "QUIET", 0.02)
    library = Library()
    async with asking(door(library, deadline=0.01), LISTEN) as (client, answering):
        assert (await client.event())["method"] == ACKNOWLEDGED
        # Deadlines are looked at four times a second.
        assert [await client.part() for _ in range(20)] == [COMMENT] * 20
        assert not answering.done()
        library.streams.close()
        while (part := await client.part()) == COMMENT:
            pass
        assert read_event(part)["result"]["resultType"] == "complete"
        assert await client.part() == b""


@proves("listen.ends")
async def test_a_listen_ends_when_its_token_does() -> None:
    library = Library()
    ends = library.clock.now().timestamp() + 0.05
    async with asking(door(library, expires_at=ends), LISTEN) as (client, _):
        assert (await client.event())["method"] == ACKNOWLEDGED
        assert (await client.event())["result"]["resultType"] == "complete"
        assert await client.part() == b""


@proves("sse.place")
async def test_a_listen_takes_no_place_of_those_who_work() -> None:
    library = Library()
    endpoint = door(library, places=1)
    async with asking(endpoint, LISTEN) as (client, _), asking(endpoint, LISTEN) as (other, _):
        for one in (client, other):
            assert (await one.event())["method"] == ACKNOWLEDGED
        assert (await answered(endpoint, call())).status == 200


@proves("sse.place")
async def test_work_behind_a_stream_keeps_its_place_until_it_ends() -> None:
    library, waiting = waiting_library()
    endpoint = door(library, places=1)
    async with asking(endpoint, WATCHED) as (client, _):
        await client.event()
        assert (await answered(endpoint, call())).status == 503
    assert waiting.ended.is_set()
    library.books.behaviour = lambda _arguments, _rounds: DONE
    assert (await answered(endpoint, call())).status == 200


@proves("sse.place", "stream.bounded")
async def test_a_client_that_does_not_read_keeps_no_place_when_the_work_is_done() -> None:
    library = reporting(*STEPS)
    endpoint = door(library, places=1)
    async with asking(endpoint, WATCHED) as (client, answering):
        client.reads.clear()
        async with asyncio.timeout(LONGEST):
            while (await answered(endpoint, call())).status == 503:
                pass
        assert not answering.done()
        client.reads.set()
        said = [await client.event() for _ in range(4)]
    assert "result" in said[-1]


async def _ended(answering: "asyncio.Task[None]") -> None:
    async with asyncio.timeout(LONGEST):
        await answering


@proves("sse.gone", "stream.cancelled")
@pytest.mark.parametrize("reads", [True, False])
async def test_m4_hanging_up_stops_the_work_even_of_a_client_that_did_not_read(
    *, reads: bool
) -> None:
    library, waiting = waiting_library()
    with leaving_nothing():
        async with asking(door(library), WATCHED) as (client, answering):
            if reads:
                await client.event()
            else:
                client.reads.clear()
                await waiting.begun.wait()
            client.is_gone.set()
            await _ended(answering)
        assert waiting.was_cancelled
        assert waiting.ended.is_set()


@proves("sse.gone", "listen.caps")
async def test_hanging_up_frees_the_place_of_a_listen() -> None:
    library = Library()
    endpoint = door(library)
    with leaving_nothing():
        for _ in range(12):
            async with asking(endpoint, LISTEN) as (client, answering):
                assert (await client.event())["method"] == ACKNOWLEDGED
                client.is_gone.set()
                await _ended(answering)


@proves("sse.gone")
@pytest.mark.parametrize("sent", [WATCHED, LISTEN])
async def test_a_client_that_leaves_everything_unread_is_not_waited_for(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert event_stream.PATIENCE == 60
    monkeypatch.setattr(event_stream, "PATIENCE", 0.02)
    library, waiting = waiting_library()
    with leaving_nothing():
        async with asking(door(library), sent) as (client, answering):
            client.reads.clear()
            await _ended(answering)
            assert not client.is_gone.is_set()
        assert waiting.was_cancelled is (sent is WATCHED)


@proves("sse.gone", "stream.cancelled")
async def test_a_server_that_fails_to_send_stops_the_work_too() -> None:
    library, waiting = waiting_library()
    client = Client(WATCHED, {"Accept": BOTH})

    async def fail(_message: object) -> None:
        raise OSError

    with leaving_nothing():
        async with asyncio.timeout(LONGEST):
            with pytest.raises(OSError):  # noqa: PT011 -- the one above
                await door(library)(client.scope, client.receive, fail)
    assert waiting.was_cancelled


@proves("sse.gone", "stream.cancelled")
async def test_a_server_that_stops_ends_its_streams() -> None:
    library, waiting = waiting_library()
    with leaving_nothing():
        async with asking(door(library), WATCHED) as (client, answering):
            await client.event()
            answering.cancel()
            await asyncio.wait({answering}, timeout=LONGEST)
            assert answering.cancelled()
    assert waiting.was_cancelled


@proves("stream.when", "listen.refused")
@pytest.mark.parametrize(
    ("sent", "accept", "status"),
    [
        (LISTEN, "application/json", 406),
        (LISTEN, "application/json, text/event-stream;q=0", 406),
        (LISTEN, "text/event-stream;q=0, */*", 406),
        (WATCHED, "text/event-stream", 406),
        (WATCHED, "text/*", 406),
        (WATCHED, "application/json", 200),
        (WATCHED, "text/event-stream;q=0, */*", 200),
        (call(progressToken=1, name="nothing"), BOTH, 400),
        (call(), BOTH, 200),
    ],
)
async def test_c1_whoever_cannot_be_sent_a_stream_is_answered_in_json(
    sent: Sent, accept: str, status: int
) -> None:
    client = await answered(door(reporting(*STEPS)), sent, accept=accept)
    assert client.status == status
    document = await client.document()
    if status == 406:
        assert document["error"]["code"] == "NOT_ACCEPTABLE"


@proves("stream.when")
@pytest.mark.parametrize(
    ("sent", "accept"),
    [
        (LISTEN, "text/event-stream"),
        (LISTEN, "text/*"),
        (LISTEN, "*/*"),
        (LISTEN, "application/json;q=0.1, Text/Event-Stream;q=0.9"),
        (WATCHED, BOTH),
        (WATCHED, "*/*"),
    ],
)
async def test_c1_whoever_can_be_sent_a_stream_is(sent: Sent, accept: str) -> None:
    async with asking(door(reporting(*STEPS)), sent, accept=accept) as (client, _):
        await client.event()
        assert client.headers["content-type"] == "text/event-stream"


@proves("names.scope", "stream.error")
async def test_a9_a_missing_scope_is_challenged_before_any_stream() -> None:
    library = reporting(*STEPS)
    sent = call(name="loans_create", progressToken=1)
    client = await answered(door(library, reader=READS_ONLY), sent)
    assert client.status == 403
    assert 'scope="library.read library.write"' in client.headers["www-authenticate"]
    assert (await client.document())["error"]["code"] == 403
