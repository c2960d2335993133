"""The story of one debt, A-01: from overdue, through its calculation, to paid."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from entrypoints.cli.output import day, table
from entrypoints.cli.transcript.script import Scene, Transcript
from entrypoints.cli.transcript.shown import as_json, brl_of, charge_line, percent_of

_LIST: Final = "dunning_charges_list"
_DUE: Final = "dunning_charges_amount_due"
_PREVIEW: Final = "dunning_payments_preview"
_PAY: Final = "dunning_payments_create"
_GET: Final = "dunning_charges_get"
_STORY: Final = "A-01"
_KEY: Final = "transcript-story"


async def _overdue(transcript: Transcript) -> None:
    wish = {"external_id": _STORY}
    transcript.asks("MCP: one debt, A-01", f"{_LIST} {as_json(wish)}, as the collector")
    answer = await transcript.conversation.call(transcript.token("collector"), _LIST, wish)
    (charge,) = answer.document["data"]
    transcript.charge_id, transcript.debtor_id = charge["id"], charge["debtor_id"]
    transcript.answers(charge_line(charge))
    transcript.expects("it is overdue", holds=charge["status"] == "overdue")


async def _memory(transcript: Transcript) -> None:
    wish = {"id": transcript.charge_id}
    transcript.asks(
        "MCP: what is due on it today, and how that comes about",
        f"{_DUE} {as_json(wish)}, as the collector",
    )
    answer = await transcript.conversation.call(transcript.token("collector"), _DUE, wish)
    due = answer.document["data"]
    last_day = day(date.fromisoformat(due["effective_due_date"]))
    transcript.answers(f"{due['days_late']} days late: the last day on time was {last_day}")
    titles = ("  ←", "of", "rate", "days", "exactly", "BRL")
    rows = [_row(component) for component in due["components"]]
    principal = ["  ← principal", *[""] * 4, brl_of(due["principal_outstanding"])]
    total = ["  ← total", *[""] * 4, brl_of(due["total_due"])]
    table(titles, [principal, *rows, total], right=titles[1:])
    parts = sum(component["rounded"] for component in due["components"])
    transcript.total_due = due["total_due"]
    transcript.expects(
        "the parts add up to the total",
        holds=round(due["principal_outstanding"] + parts, 2) == due["total_due"],
    )
    transcript.expects(
        "counted from the Tuesday after a holiday, not from the Saturday",
        holds=due["effective_due_date"] == "2026-10-13",
    )


async def _preview(transcript: Transcript) -> None:
    wish = _payment(transcript)
    transcript.asks(
        "MCP: what would paying that settle?", f"{_PREVIEW} {as_json(wish)}, as the collector"
    )
    answer = await transcript.conversation.call(transcript.token("collector"), _PREVIEW, wish)
    (allocation,) = answer.document["data"]["allocations"]
    transcript.answers(_allocation_line(allocation))
    (after,) = answer.document["data"]["charges_after"]
    transcript.answers(f"then it would be {after['status']}")
    transcript.expects("all of it would be settled", holds=after["total_due"] == 0)


async def _pay(transcript: Transcript) -> None:
    wish = {
        **_payment(transcript),
        "method": "pix",
        "paid_at": "2026-12-01",
        "idempotency_key": _KEY,
    }
    transcript.asks("MCP: record the Pix", f"{_PAY} {as_json(wish)}, as the manager")
    answer = await transcript.conversation.call(transcript.token("manager"), _PAY, wish)
    payment = answer.document["data"]
    transcript.answers(_allocation_line(payment["allocations"][0]))
    for effect in payment["effects"]:
        transcript.answers(f"{effect['type']} ({effect['charge_id']})")
    transcript.expects(
        "it settles the debt, and nothing is left over",
        holds=[effect["type"] for effect in payment["effects"]] == ["charge.paid"]
        and payment["unallocated_amount"] == 0,
    )


async def _paid(transcript: Transcript) -> None:
    wish = {"id": transcript.charge_id}
    transcript.asks("MCP: how is it now?", f"{_GET} {as_json(wish)}, as the collector")
    answer = await transcript.conversation.call(transcript.token("collector"), _GET, wish)
    charge = answer.document["data"]
    transcript.answers(charge_line(charge))
    transcript.expects("it is paid", holds=charge["status"] == "paid")
    transcript.expects(
        "what was paid is what was due", holds=charge["amounts"]["paid"] == transcript.total_due
    )


def _payment(transcript: Transcript) -> dict[str, object]:
    return {
        "debtor_id": transcript.debtor_id,
        "amount": transcript.total_due,
        "charge_ids": [transcript.charge_id],
    }


def _row(component: Mapping[str, Any]) -> list[str]:
    rate, days = component["rate"], component["days"]
    return [
        f"  ← {component['name']}",
        brl_of(component["base"]),
        "" if rate is None else percent_of(rate),
        "" if days is None else str(days),
        str(component["exact"]),
        brl_of(component["rounded"]),
    ]


def _allocation_line(allocation: Mapping[str, Any]) -> str:
    parts = ("interest", "fine", "correction", "principal")
    settled = [f"{name} {brl_of(allocation[name])}" for name in parts if allocation[name]]
    return f"{brl_of(allocation['money'])} settle {', '.join(settled)}"


STORY_SCENES: Final[tuple[Scene, ...]] = (_overdue, _memory, _preview, _pay, _paid)
