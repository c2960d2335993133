"""REST: the same operations behind the other door."""

from http import HTTPStatus
from typing import Final

from entrypoints.cli.transcript.script import Scene, Transcript
from entrypoints.cli.transcript.shown import as_json, brl_of, charge_line, refusal_line

_CHARGES: Final = "/v1/charges"
_OLDEST: Final[dict[str, str | int]] = {"status": "overdue", "sort_by": "due_date", "per_page": 3}
_KEY: Final = "transcript-rest"


async def _list(transcript: Transcript) -> None:
    transcript.asks("REST: what is oldest?", f"GET {_CHARGES} {as_json(_OLDEST)}, as the viewer")
    token = transcript.token("viewer", "v1")
    answer = await transcript.conversation.get(token, _CHARGES, _OLDEST)
    charges, meta = answer.document["data"], answer.document["meta"]
    for charge in charges:
        transcript.answers(charge_line(charge))
    transcript.answers(f"{meta['total']} in all, {brl_of(meta['sum_total_due'])} owed on them")
    due_dates = [charge["due_date"] for charge in charges]
    transcript.expects("200", holds=answer.status == HTTPStatus.OK)
    transcript.expects("the oldest first", holds=due_dates == sorted(due_dates))


async def _create(transcript: Transcript) -> None:
    wish = {
        "debtor_id": await transcript.debtor_of_a(),
        "description": "Taxa de biblioteca",
        "amount": 38.5,
        "due_date": "2026-12-22",
    }
    transcript.asks(
        "REST: create a charge, then again with the same key",
        f"POST {_CHARGES} {as_json(wish)}, Idempotency-Key: {_KEY}, twice, as the manager",
    )
    token = transcript.token("manager", "v1")
    first = await transcript.conversation.post(token, _CHARGES, wish, key=_KEY)
    again = await transcript.conversation.post(token, _CHARGES, wish, key=_KEY)
    transcript.charge_id = first.document["data"]["id"]
    for answer in (first, again):
        mark = " (replayed)" if answer.is_replay else ""
        transcript.answers(charge_line(answer.document["data"]) + mark)
    transcript.expects("201", holds=first.status == HTTPStatus.CREATED)
    transcript.expects("the second answer is the first", holds=again.text == first.text)
    transcript.expects(
        "only the second is marked as a replay", holds=again.is_replay and not first.is_replay
    )


async def _foreign(transcript: Transcript) -> None:
    path, wish = f"{_CHARGES}/{await transcript.charge_of_b()}/cancel", {"reason": "other"}
    transcript.asks(
        "REST: cancel a charge of the other organisation",
        f"POST {path} {as_json(wish)}, as the owner",
    )
    answer = await transcript.conversation.post(transcript.token("owner", "v1"), path, wish)
    transcript.answers(f"{answer.status} {refusal_line(answer.document)}")
    transcript.expects("404, as for no charge at all", holds=answer.status == HTTPStatus.NOT_FOUND)


async def _cancel(transcript: Transcript) -> None:
    path, wish = f"{_CHARGES}/{transcript.charge_id}/cancel", {"reason": "issued_in_error"}
    transcript.asks("REST: cancel the new charge", f"POST {path} {as_json(wish)}, as the manager")
    answer = await transcript.conversation.post(transcript.token("manager", "v1"), path, wish)
    charge = answer.document["data"]
    transcript.answers(charge_line(charge))
    transcript.expects("200, without a question", holds=answer.status == HTTPStatus.OK)
    transcript.expects("it is cancelled", holds=charge["status"] == "canceled")
    transcript.expects("nothing is owed on it", holds=charge["amounts"]["total_due"] == 0)


REST_SCENES: Final[tuple[Scene, ...]] = (_list, _create, _foreign, _cancel)
