"""Reports while a request is worked on: how far it is and what is noted, and then the response."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from application.mcp.ports import Contents, Script, Visit
from application.mcp.reports import LEVELS, Level
from application.mcp.rounds import Rounds
from domain.errors import NotFoundError
from tests.protocol.fixtures import (
    ENVELOPE_VERSION,
    MODERN,
    GivenAnswer,
    Reader,
    document,
    error,
    legacy,
    modern,
    result,
)
from tests.protocol.library import READS_ONLY, RULES, WHOLE, Library
from tests.protocol.reporting import DONE, STEPS, Waiting, call, reporting, with_meta
from tests.protocol.requirements import proves
from tests.protocol.streaming import (
    LONGEST,
    give_up_waiting,
    leaving_nothing,
    params_of,
    replied,
    streamed,
    told,
)

pytestmark = pytest.mark.anyio

LOG_LEVEL = "io.modelcontextprotocol/logLevel"
PROGRESS, NOTE = "notifications/progress", "notifications/message"


@proves("stream.progress", "stream.version", "stream.when")
@pytest.mark.parametrize("make", [modern, legacy])
@pytest.mark.parametrize("token", ["abc", "", "7", 7, 0, -1, 2**70, "t" * 256])
async def test_progress_echoes_the_token_and_ends_with_the_result(make: Any, token: object) -> None:
    sent = call(make, progressToken=token)
    messages = await told(reporting(*STEPS), sent)
    said = params_of(messages, PROGRESS)
    assert [one["progressToken"] for one in said] == [token] * 3
    assert {type(one["progressToken"]) for one in said} == {type(token)}
    assert [(one["progress"], one["total"], one.get("message")) for one in said] == list(STEPS)
    assert [message.get("id") for message in messages] == [None, None, None, 7]
    assert messages[-1]["result"]["content"]


@proves("stream.progress")
async def test_what_is_no_further_than_before_is_not_said() -> None:
    steps = [(value, None, None) for value in (0, 0, 2, 1, 2, 2.5, -1, 2.5)]
    said = params_of(await told(reporting(*steps), call(progressToken=1)), PROGRESS)
    assert [one["progress"] for one in said] == [0, 2, 2.5]
    assert not any("total" in one or "message" in one for one in said)


@proves("stream.when", "stream.token")
@pytest.mark.parametrize("make", [modern, legacy])
@pytest.mark.parametrize("token", [None, True, False, 1.5, 1.0, [], {}, "t" * 257])
async def test_what_is_no_token_asks_for_nothing(make: Any, token: object) -> None:
    library = reporting(*STEPS)
    if make is legacy:
        library = _quiet(library)
    reply = await replied(library, call(make, progressToken=token))
    assert result(reply)["content"]


def _quiet(library: Library) -> Library:
    """The same without logging, which older clients would get unasked."""
    quiet = Library(replace(WHOLE, legacy_capabilities={"tools": {}}))
    quiet.books.behaviour = library.books.behaviour
    return quiet


@proves("stream.when")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_where_nothing_is_reported_the_answer_is_json(make: Any) -> None:
    reply = await replied(reporting(), call(make, progressToken=1))
    assert result(reply)["content"]


@proves("stream.when")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_neither_a_client_nor_a_server_without_streams_is_made_to_stream(make: Any) -> None:
    sent = call(make, progressToken=1)
    assert result(await sent.to(reporting(*STEPS)))["content"]
    bare = Library(replace(WHOLE, streams=False))
    bare.books.behaviour = reporting(*STEPS).books.behaviour
    assert result(await replied(bare, sent))["content"]


@proves("stream.progress")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_reading_and_filling_in_report_as_well(make: Any) -> None:
    library = Library()

    def read(visit: Visit[Reader]) -> tuple[Contents, ...]:
        visit.rounds.reports.progress(1)
        return (Contents(uri=RULES, mime_type="text/plain", text="Silence."),)

    def get(visit: Visit[Reader]) -> Script:
        visit.rounds.reports.progress(1)
        return Script(description="A script.", messages=())

    library.shelf.instead, library.scripts.instead = read, get
    for sent in (make("resources/read", {"uri": RULES}), make("prompts/get", {"name": "a"})):
        progress, response = await told(library, with_meta(sent, progressToken="p"))
        assert progress["params"]["progressToken"] == "p"
        assert "result" in response


@proves("stream.error")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_an_error_after_reports_is_the_last_message(make: Any) -> None:
    library = reporting(*STEPS, error=LookupError("the secret shelf"))
    *progress, response = await told(library, call(make, progressToken=1))
    assert len(progress) == 3
    assert response["error"] == {"code": -32603, "message": "Internal error"}
    assert [type(failure) for failure in library.failures] == [LookupError]


@proves("stream.error")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_a_refusal_after_reports_is_the_result_that_it_always_is(make: Any) -> None:
    library = reporting(*STEPS, error=NotFoundError())
    messages = await told(library, call(make, progressToken=1))
    assert messages[-1]["result"]["isError"] is True


@proves("stream.error")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_what_is_refused_before_any_report_is_plain_json(make: Any) -> None:
    library = reporting(*STEPS)
    unknown = await replied(library, call(make, "nothing", progressToken=1))
    assert error(unknown)["code"] == -32602
    sent = call(make, "loans_create", progressToken=1)
    forbidden = await replied(library, sent, READS_ONLY)
    assert (forbidden.status, forbidden.challenge_scopes) == (
        403,
        ("library.read", "library.write"),
    )
    library.buckets.spent = True
    assert (await replied(library, call(make, progressToken=1))).status == 429


def noting(*levels: Level) -> Library:
    """A library whose tools note something at these levels."""
    library = Library()

    def note(_arguments: Mapping[str, Any], rounds: Rounds) -> GivenAnswer:
        for level in levels:
            rounds.reports.note(level, {"shelf\u200b": "three\u202e"}, "shelves")
        return DONE

    library.books.behaviour = note
    return library


@proves("stream.notes")
@pytest.mark.parametrize("least", LEVELS)
async def test_notes_come_from_the_level_on_that_the_request_asks_for(least: str) -> None:
    messages = await told(noting(*LEVELS), call(**{LOG_LEVEL: least}))
    said = params_of(messages, NOTE)
    assert [one["level"] for one in said] == list(LEVELS[LEVELS.index(least) :])
    assert all(one["logger"] == "shelves" for one in said)
    assert "result" in messages[-1]


@proves("stream.notes", "names.cleaned")
async def test_p1_notes_and_progress_are_cleaned() -> None:
    [note, _] = await told(noting("error"), call(**{LOG_LEVEL: "error"}))
    assert note["params"]["data"] == {"shelf": "three"}
    [progress, _] = await told(reporting((1, None, "ha\u200blf")), call(progressToken=1))
    assert progress["params"]["message"] == "half"


@proves("stream.notes")
@pytest.mark.parametrize("level", [None, "loud", "", 3, [], {}, True, "ERROR"])
async def test_without_a_level_that_is_one_nothing_is_noted(level: object) -> None:
    sent = with_meta(call(progressToken=1), **({} if level is None else {LOG_LEVEL: level}))
    reply = await replied(noting(*LEVELS), sent)
    assert result(reply)["content"]


@proves("stream.notes")
async def test_older_clients_hear_notes_from_info_on_where_logging_is_declared() -> None:
    messages = await told(noting(*LEVELS), call(legacy))
    assert [one["level"] for one in params_of(messages, NOTE)] == list(LEVELS[1:])
    quiet = _quiet(noting(*LEVELS))
    assert result(await replied(quiet, call(legacy, progressToken=1)))["content"]
    assert result(await replied(noting("debug"), call(legacy)))["content"]


@proves("stream.cancelled")
@pytest.mark.parametrize("is_waited_for", [True, False])
async def test_closing_a_stream_stops_the_work_however_far_it_was_read(
    *, is_waited_for: bool
) -> None:
    library = Library()
    library.books.behaviour = waiting = Waiting()
    with leaving_nothing():
        async with streamed(library, call(progressToken=1)) as stream:
            assert waiting.begun.is_set()
            if is_waited_for:
                await give_up_waiting(stream)
    assert waiting.was_cancelled
    assert waiting.ended.is_set()


@proves("stream.cancelled")
@pytest.mark.parametrize("meta", [{"progressToken": 1}, {}])
async def test_m4_a_request_that_is_given_up_before_any_report_stops_the_work(
    meta: dict[str, object],
) -> None:
    library = Library()
    library.books.behaviour = waiting = Waiting(reports=False)
    sent = with_meta(call(), **meta)
    with leaving_nothing():
        async with asyncio.timeout(LONGEST):
            asking = asyncio.create_task(library.ask(sent))
            await waiting.begun.wait()
            asking.cancel()
            await asyncio.wait({asking})
    assert asking.cancelled()
    assert waiting.was_cancelled
    assert waiting.ended.is_set()


@proves("stream.error", "sse.deadline")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_a_stream_whose_work_is_cancelled_ends_with_the_error_of_overload(make: Any) -> None:
    library = Library()
    library.books.behaviour = Waiting()
    with leaving_nothing():
        async with streamed(library, call(make, progressToken=1)) as stream:
            assert stream.work is not None
            stream.work.cancel()
            rest = [message async for message in stream.rest]
    assert rest == [
        b'{"jsonrpc":"2.0","id":7,"error":{"code":503,"message":"Service unavailable"}}'
    ]


@proves("stream.bounded")
async def test_a_client_that_does_not_read_misses_reports_and_gets_its_result() -> None:
    library = Library()

    def hasty(_arguments: Mapping[str, Any], rounds: Rounds) -> GivenAnswer:
        for step in range(100_000):
            rounds.reports.progress(step)
        return DONE

    library.books.behaviour = hasty
    with leaving_nothing():
        *progress, response = await told(library, call(progressToken=1))
    said = [one["params"]["progress"] for one in progress]
    assert said == list(range(256))
    assert "result" in response


@proves("stream.version")
@pytest.mark.parametrize(("make", "version"), [(modern, MODERN), (legacy, "2025-06-18")])
async def test_a_stream_names_the_version_that_it_speaks(make: Any, version: str) -> None:
    async with streamed(reporting(*STEPS), call(make, progressToken=1)) as stream:
        assert stream.headers == ((b"mcp-protocol-version", version.encode()),)


@proves("era.envelope", "stream.progress")
async def test_a_token_alone_does_not_make_a_request_modern() -> None:
    sent = call(legacy, progressToken=1)
    assert ENVELOPE_VERSION not in sent.message["params"]["_meta"]
    reply = await replied(reporting(), sent)
    assert "resultType" not in document(reply)["result"]
