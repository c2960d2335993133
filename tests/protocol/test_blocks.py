"""Tool results that are made of blocks: which of them each revision gets, and what goes along."""

from typing import Any

import pytest

from application.mcp.ports import Given
from tests.protocol.fixtures import House, Sent, answer, legacy, modern, result
from tests.protocol.library import HIDDEN
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

TEXT = {"type": "text", "text": "Two books."}
IMAGE = {"type": "image", "data": "AAEC", "mimeType": "image/png"}
EMBEDDED = {
    "type": "resource",
    "resource": {"uri": "library://rules", "mimeType": "text/plain", "text": "Silence."},
}
LINK = {"type": "resource_link", "uri": "library://rules", "name": "rules"}
STRUCTURED = {"count": 2}
CALL = {"name": "books_count"}
REVISIONS = [
    modern("tools/call", CALL),
    legacy("tools/call", CALL),
    legacy("tools/call", CALL, version="2025-03-26"),
]
OLDEST = REVISIONS[2]


async def given(sent: Sent, **members: Any) -> Any:
    house = House()
    house.books.behaviour = lambda _arguments, _rounds: Given(**members)
    return result(await sent.to(house))


@proves("blocks.content", "result.modern", "result.legacy")
@pytest.mark.parametrize("sent", REVISIONS)
async def test_blocks_of_every_kind_come_in_their_order(sent: Sent) -> None:
    found = await given(sent, content=(TEXT, IMAGE, EMBEDDED))
    assert found["content"] == [TEXT, IMAGE, EMBEDDED]
    assert "isError" not in found
    assert "structuredContent" not in found


@proves("blocks.content")
async def test_a_result_may_have_no_blocks_at_all() -> None:
    assert (await given(modern("tools/call", CALL), content=()))["content"] == []


@proves("blocks.structured", "result.unstructured")
@pytest.mark.parametrize("sent", REVISIONS)
async def test_a_structured_part_goes_with_them_in_revisions_that_know_it(sent: Sent) -> None:
    found = await given(sent, content=(TEXT,), structured=STRUCTURED)
    carried = None if sent is OLDEST else STRUCTURED
    assert found.get("structuredContent") == carried


@proves("blocks.structured")
@pytest.mark.parametrize("sent", REVISIONS)
async def test_an_error_never_has_a_structured_part(sent: Sent) -> None:
    found = await given(sent, content=(TEXT,), structured=STRUCTURED, is_error=True)
    assert found["isError"] is True
    assert "structuredContent" not in found


@proves("blocks.structured")
@pytest.mark.parametrize("sent", REVISIONS)
async def test_an_answer_of_one_document_has_no_structured_part(sent: Sent) -> None:
    house = House()
    house.books.behaviour = answer({"count": 2})
    assert "structuredContent" not in result(await sent.to(house))


@proves("blocks.links")
@pytest.mark.parametrize("sent", REVISIONS)
async def test_links_are_for_revisions_that_know_them(sent: Sent) -> None:
    found = await given(sent, content=(TEXT, LINK))
    assert found["content"] == ([TEXT] if sent is OLDEST else [TEXT, LINK])


@proves("text.cleaned")
@pytest.mark.parametrize("sent", REVISIONS)
async def test_p1_blocks_and_the_structured_part_are_cleaned(sent: Sent) -> None:
    hidden = {"type": "text", "text": HIDDEN}
    found = await given(sent, content=(hidden,), structured={"note": HIDDEN})
    assert found["content"][0]["text"] == "Silence, please."
    if sent is not OLDEST:
        assert found["structuredContent"] == {"note": "Silence, please."}
