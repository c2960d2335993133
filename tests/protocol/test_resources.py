"""Reading what is under an address: a text, a file, a question first, or nothing."""

from base64 import b64decode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from application.mcp.ports import Contents
from domain.errors import NotFoundError, PermissionDeniedError, ValidationError
from tests.protocol.anything import fast, json_values, now
from tests.protocol.fixtures import MODERN, Reader, Sent, error, legacy, modern, result
from tests.protocol.librarian import ANSWERS, FORMS, asked, retry
from tests.protocol.library import (
    GUEST,
    LEDGER,
    OTHER,
    PICTURE,
    PLAN,
    RULES,
    Clerk,
    Library,
)
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio


def read(uri: object, make: Any = modern) -> Sent:
    sent: Sent = make("resources/read", {"uri": uri})
    return sent


@proves("read.contents", "result.modern", "result.legacy")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_a_text_comes_as_it_is_with_its_address_and_type(make: Any) -> None:
    found = result(await read("library://books/bk_1", make).to(Library()))
    assert found["contents"] == [
        {"uri": "library://books/bk_1", "mimeType": "text/plain", "text": "Dom Casmurro"}
    ]
    assert ("cacheScope" in found) is (make is modern)


@proves("read.contents")
async def test_the_bytes_of_a_file_come_in_base64() -> None:
    [only] = result(await read(PLAN).to(Library()))["contents"]
    assert set(only) == {"uri", "mimeType", "blob"}
    assert b64decode(only["blob"], validate=True) == PICTURE


@proves("read.contents")
async def test_an_address_may_hold_several_things_and_an_empty_one() -> None:
    library = Library()
    library.shelf.instead = lambda _visit: (
        Contents(uri=RULES, mime_type="text/plain", text=""),
        Contents(uri=PLAN, mime_type="image/png", blob=b""),
    )
    one, other = result(await read(RULES).to(library))["contents"]
    assert (one["text"], other["blob"]) == ("", "")


UNKNOWN = [
    ("library://nothing", Reader()),
    ("library://books/bk_2", Reader()),
    ("library://books/bk_1", OTHER),
    (LEDGER, GUEST),
    ("", Reader()),
    ("not a uri \u200b<>", Reader()),
    ("library://books/..%2Fbk_1", Reader()),
    ("x" * 5_000, Reader()),
]


@proves("read.unknown")
@pytest.mark.parametrize(("uri", "caller"), UNKNOWN)
async def test_o1_unknown_foreign_and_hidden_addresses_are_told_alike(
    uri: str, caller: Reader
) -> None:
    sent = read(uri).with_header("Mcp-Name")
    reply = await sent.to(Library(), caller=caller)
    said = {"message": "Resource not found", "data": {"uri": uri}}
    assert (reply.status, error(reply)) == (400, {"code": -32602, **said})
    reply = await read(uri, legacy).to(Library(), caller=caller)
    assert (reply.status, error(reply)) == (200, {"code": -32002, **said})


@proves("read.unknown")
@pytest.mark.parametrize("refusal", [NotFoundError(), PermissionDeniedError(), ValidationError()])
async def test_why_nothing_is_there_is_nothing_to_tell(refusal: Exception) -> None:
    library = Library()

    def refuse(_visit: object) -> None:
        raise refusal

    library.shelf.instead = refuse
    said = {"code": -32602, "message": "Resource not found", "data": {"uri": RULES}}
    assert error(await read(RULES).to(library)) == said


@proves("select.query", "read.unknown")
async def test_an_address_that_the_toolsets_hide_is_not_there() -> None:
    library = Library()
    assert (await read(LEDGER).to(library, query="toolsets=loans")).status == 200
    assert error(await read(LEDGER).to(library, query="toolsets=books"))["code"] == -32602


@proves("read.shape")
@pytest.mark.parametrize("uri", [None, 5, [], {}, True])
async def test_an_address_is_a_string(uri: object) -> None:
    library = Library()
    for sent, status in ((read(uri), 400), (read(uri, legacy), 200)):
        reply = await sent.to(library)
        assert (reply.status, error(reply)["code"]) == (status, -32602)
        assert "uri" in error(reply)["message"]
    assert library.shelf.reads == 0


def asking() -> tuple[Library, Clerk]:
    library = Library()
    library.shelf.instead = clerk = Clerk(
        (Contents(uri=RULES, mime_type="text/plain", text="First."),)
    )
    return library, clerk


def wanted(uri: str = RULES) -> Sent:
    return read(uri).with_meta(capabilities=FORMS)


@proves("names.rounds")
async def test_reading_may_need_an_answer_first_and_is_never_kept_before() -> None:
    library, clerk = asking()
    told = await asked(library, wanted())
    assert list(told["inputRequests"]) == ["edition"]
    assert not {"ttlMs", "cacheScope", "contents"} & set(told)
    again = retry(wanted(), told, edition=ANSWERS["edition"])
    assert result(await again.to(library))["contents"][0]["text"] == "First."
    assert clerk.came[0] is None


@proves("names.rounds", "rounds.state-bound")
async def test_g_a_state_counts_for_its_method_and_its_address_alone() -> None:
    library, clerk = asking()
    library.scripts.instead = clerk
    told = await asked(library, wanted())
    prompt = modern("prompts/get", {"name": RULES}).with_meta(capabilities=FORMS)
    for other, caller in ((wanted(PLAN), None), (prompt, None), (wanted(), OTHER)):
        reply = await retry(other, told, edition=ANSWERS["edition"]).to(library, caller=caller)
        assert (reply.status, error(reply)["code"]) == (400, -32602)
        assert error(reply)["message"] == "Invalid or expired requestState"
    assert len(clerk.came) == 1


@proves("names.rounds", "rounds.shape")
@pytest.mark.parametrize("odd", [{"requestState": 5}, {"inputResponses": []}])
async def test_what_a_retry_brings_in_the_wrong_shape_is_refused(odd: dict[str, Any]) -> None:
    library, clerk = asking()
    reply = await wanted().with_params(**odd).to(library)
    assert (reply.status, error(reply)["code"]) == (400, -32602)
    assert clerk.came == []


@proves("names.rounds", "rounds.undeclared", "rounds.legacy")
async def test_a_client_that_cannot_be_asked_is_told_what_it_lacks() -> None:
    library, _ = asking()
    for sent, status in ((read(RULES), 400), (read(RULES, legacy), 200)):
        reply = await sent.to(library)
        assert (reply.status, error(reply)["code"]) == (status, -32021)
        required = error(reply)["data"]["requiredCapabilities"]
        assert required == {"elicitation": {"form": {}}}


@proves("engine.total")
@fast
@given(st.sampled_from(["uri", "requestState", "inputResponses", "cursor"]), json_values)
def test_any_parameter_of_a_read_may_be_anything(name: str, value: object) -> None:
    library = Library()
    for sent in (read(RULES), read(RULES, legacy)):
        reply = now(sent.with_params(**{name: value}).with_header("Mcp-Name").to(library))
        assert reply.status in {200, 400}
    assert library.failures == []


@proves("era.name-agrees")
async def test_d7_the_header_repeats_the_address() -> None:
    reply = await read(RULES).with_header("Mcp-Name", PLAN).to(Library())
    assert (reply.status, error(reply)["code"]) == (400, -32020)
    assert dict(reply.headers)[b"mcp-protocol-version"] == MODERN.encode()
