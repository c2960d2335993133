"""MCP: a destructive tool waits for a person, whatever their client can do."""

from typing import Final

from entrypoints.cli.transcript.mcp_scenes import how_many_pending
from entrypoints.cli.transcript.script import Scene, Transcript
from entrypoints.cli.transcript.shown import as_json, charge_line

_CANCEL: Final = "dunning_charges_cancel"
_DECLINE: Final = {"action": "decline"}
_YES: Final = {"action": "accept", "content": {"confirm": True}}


async def _elsewhere(transcript: Transcript) -> None:
    wish = _wish(transcript)
    transcript.asks(
        "MCP: cancel the new charge, from a client that cannot ask its person",
        f"{_CANCEL} {as_json(wish)}, as the manager",
    )
    before = await how_many_pending(transcript)
    answer = await transcript.conversation.call(transcript.token("manager"), _CANCEL, wish)
    error = answer.document["error"]
    page, _, sealed = error["confirmation_url"].rpartition("/")
    transcript.answers(f"{error['code']}: {error['message'].replace(sealed, '…')}")
    transcript.expects("a person must agree first", holds=answer.code == "confirmation_required")
    transcript.expects("there is a page for it", holds=page.endswith("/confirm"))
    transcript.expects("nothing has changed", holds=await how_many_pending(transcript) == before)


async def _refused(transcript: Transcript) -> None:
    wish, token = _wish(transcript), transcript.token("manager")
    transcript.asks(
        "MCP: the same, from a client that shows forms; the person refuses",
        f"{_CANCEL} {as_json(wish)}, then {as_json(_DECLINE)}, as the manager",
    )
    before = await how_many_pending(transcript)
    question = await transcript.conversation.ask(token, _CANCEL, wish)
    transcript.answers(question.message)
    answer = await transcript.conversation.answer(token, _CANCEL, wish, question, _DECLINE)
    transcript.answers(as_json(answer.document))
    transcript.expects(
        "a refusal is a result, no error",
        holds=not answer.is_error and answer.document == {"status": "declined"},
    )
    transcript.expects("nothing has changed", holds=await how_many_pending(transcript) == before)


async def _confirmed(transcript: Transcript) -> None:
    wish, token = _wish(transcript), transcript.token("manager")
    transcript.asks(
        "MCP: once more; the person confirms, and the client sends that twice",
        f"{_CANCEL} {as_json(wish)}, then {as_json(_YES)} twice, as the manager",
    )
    before = await how_many_pending(transcript)
    question = await transcript.conversation.ask(token, _CANCEL, wish)
    first = await transcript.conversation.answer(token, _CANCEL, wish, question, _YES)
    again = await transcript.conversation.answer(token, _CANCEL, wish, question, _YES)
    charge = first.document["data"]
    transcript.answers(charge_line(charge))
    transcript.expects("it is cancelled", holds=charge["status"] == "canceled")
    transcript.expects("the second answer is the first, replayed", holds=again.text == first.text)
    after = await how_many_pending(transcript)
    transcript.expects("there is one charge less", holds=after == before - 1)


def _wish(transcript: Transcript) -> dict[str, object]:
    return {"id": transcript.charge_id, "reason": "issued_in_error"}


CONFIRMATION_SCENES: Final[tuple[Scene, ...]] = (_elsewhere, _refused, _confirmed)
