"""What a rule forbids is refused before a person is asked, and in the words of `/v1`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import pytest

from domain.dunning.debtors import DebtorStatus
from domain.dunning.payments import PaymentMethod
from tests.builders import a_charge, a_debtor, a_payment
from tests.doors.assistants import FORM, Assistant
from tests.doors.firms import LAST_MONTH, Firm, Ledger, Pair, things
from tests.doors.house import House
from tests.doors.requests import Arguments, Known, a_reversal, a_write_off

pytestmark = pytest.mark.anyio

CANCEL: Final = "dunning_charges_cancel"
WRITE_OFF: Final = "dunning_charges_write_off"
DELETE: Final = "dunning_charges_delete"
ARCHIVE: Final = "dunning_debtors_archive"
ANONYMIZE: Final = "dunning_debtors_anonymize"
REVERSE: Final = "dunning_payments_reverse"
APPROVE: Final = "dunning_approvals_approve"
REJECT: Final = "dunning_approvals_reject"

UNSEEN: Final = "\u200b" * 8
CONTROLS: Final = "Pedido\u0007 por carta."


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a firm has: things of each kind, and some that a rule stands in front of.

    The saver's credit was used in part. The forgotten debtor has a charge and a payment as they
    could only be left behind; the recent one has been there since today.
    """

    known: Known
    saver_id: str
    spent_payment_id: str
    forgotten_charge_id: str
    forgotten_payment_id: str
    recent_debtor_id: str


async def a_scene(ledger: Ledger, firm: Firm) -> Scene:
    saver, forgotten, recent = (a_debtor(firm.creditor) for _ in range(3))
    settled = a_charge(saver, amount=60_00)
    spent = a_payment(saver, amount=100_00)
    spending = a_payment(saver, settled, amount=60_00, method=PaymentMethod.COMPENSATION)
    late = a_charge(forgotten, issue_date=LAST_MONTH, due_date=LAST_MONTH)
    left = a_payment(forgotten, amount=10_00)
    forgotten.status = DebtorStatus.ANONYMIZED
    await ledger.keep(firm, saver, forgotten, recent, settled, spent, spending, late, left)
    return Scene(
        known=await things(ledger, firm),
        saver_id=saver.id,
        spent_payment_id=spent.id,
        forgotten_charge_id=late.id,
        forgotten_payment_id=left.id,
        recent_debtor_id=recent.id,
    )


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call that a rule forbids, and how it is refused."""

    operation: str
    arguments: Callable[[Scene], Arguments]
    code: str = "STATE_CONFLICT"
    details: tuple[tuple[str, str], ...] = ()


def invalid(
    operation: str, arguments: Callable[[Scene], Arguments], field: str, code: str
) -> Refusal:
    return Refusal(operation, arguments, "VALIDATION_ERROR", ((field, code),))


def a_cancellation(charge_id: str, **fields: Any) -> Arguments:
    return {"id": charge_id, "reason": "duplicate", **fields}


def a_forgetting(scene: Scene, **fields: Any) -> Arguments:
    return {
        "id": scene.known.past_debtor_id,
        "confirm_name": scene.known.debtor_name,
        "request_reference": "LGPD-2026/17",
        **fields,
    }


Request: TypeAlias = Callable[[Scene, str], Arguments]
# The schema of the arguments takes the texts that are tried in these fields.
TEXTS: Final[Mapping[tuple[str, str], Request]] = {
    (CANCEL, "note"): lambda s, text: a_cancellation(s.known.charge_id, note=text),
    (WRITE_OFF, "note"): lambda s, text: a_write_off(s.known.overdue_charge_id, note=text),
    (ARCHIVE, "reason"): lambda s, text: {"id": s.known.past_debtor_id, "reason": text},
    (ANONYMIZE, "request_reference"): lambda s, text: a_forgetting(s, request_reference=text),
    (REVERSE, "note"): lambda s, text: a_reversal(s.known.payment_id, note=text),
    (APPROVE, "note"): lambda s, text: {"id": s.known.approval_id, "note": text},
    (REJECT, "note"): lambda s, text: {"id": s.known.approval_id, "note": text},
}


def with_text(request: Request, text: str) -> Callable[[Scene], Arguments]:
    return lambda scene: request(scene, text)


REFUSALS: Final[Mapping[str, Refusal]] = {
    **{
        f"{operation} with {kind} in {field}": invalid(
            operation, with_text(request, text), field, "invalid_characters"
        )
        for (operation, field), request in TEXTS.items()
        for kind, text in (("nothing seen", UNSEEN), ("controls", CONTROLS))
    },
    "cancelling what has a payment": Refusal(
        CANCEL, lambda s: a_cancellation(s.known.paid_charge_id)
    ),
    "cancelling what a forgotten debtor left": Refusal(
        CANCEL, lambda s: a_cancellation(s.forgotten_charge_id)
    ),
    "writing off what is not late": Refusal(WRITE_OFF, lambda s: a_write_off(s.known.charge_id)),
    "writing off what a forgotten debtor left": Refusal(
        WRITE_OFF, lambda s: a_write_off(s.forgotten_charge_id)
    ),
    "deleting what has a payment": Refusal(DELETE, lambda s: {"id": s.known.paid_charge_id}),
    "deleting what a forgotten debtor left": Refusal(
        DELETE, lambda s: {"id": s.forgotten_charge_id}
    ),
    "archiving who owes": Refusal(ARCHIVE, lambda s: {"id": s.known.debtor_id}),
    "forgetting another than was named": invalid(
        ANONYMIZE,
        lambda s: a_forgetting(s, confirm_name="Paula Nogueira"),
        "confirm_name",
        "conflicts_with",
    ),
    "forgetting by a reference that names the debtor": invalid(
        ANONYMIZE,
        lambda s: a_forgetting(s, request_reference=f"Pedido de {s.known.debtor_name}"),
        "request_reference",
        "names_the_debtor",
    ),
    "forgetting whose credit is kept": Refusal(ANONYMIZE, lambda s: a_forgetting(s, id=s.saver_id)),
    "forgetting who was there today": Refusal(
        ANONYMIZE, lambda s: a_forgetting(s, id=s.recent_debtor_id), "COMPLIANCE_BLOCKED"
    ),
    "reversing before the payment": invalid(
        REVERSE,
        lambda s: a_reversal(s.known.payment_id, reversed_at="2026-08-31"),
        "reversed_at",
        "out_of_range",
    ),
    "reversing tomorrow": invalid(
        REVERSE,
        lambda s: a_reversal(s.known.payment_id, reversed_at="2026-09-02"),
        "reversed_at",
        "out_of_range",
    ),
    "reversing what left credit that is spent": Refusal(
        REVERSE, lambda s: a_reversal(s.spent_payment_id)
    ),
    "reversing what a forgotten debtor left": Refusal(
        REVERSE, lambda s: a_reversal(s.forgotten_payment_id)
    ),
}


async def book(ledger: Ledger, firm: Firm) -> dict[str, list[str]]:
    everything = await ledger.everything(firm.id)
    return {table: rows for table, rows in everything.items() if table != "audit_entries"}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=list(REFUSALS))
async def test_the_first_call_is_refused_and_nobody_is_asked(
    house: House, ledger: Ledger, pair: Pair, refusal: Refusal
) -> None:
    scene, _ = await a_scene(ledger, pair.a), await a_scene(ledger, pair.b)
    before = [await book(ledger, firm) for firm in (pair.a, pair.b)]
    arguments = refusal.arguments(scene)
    assistant = Assistant(house=house, caller=pair.a.owner, capabilities=FORM)

    said = await assistant.call(refusal.operation, arguments)

    assert (said.asks, said.code) == (False, refusal.code)
    error = {name: value for name, value in said.document["error"].items() if name != "request_id"}
    found = [(one["field"], one["code"]) for one in error.get("details", [])]
    assert tuple(found) == refusal.details
    assert "asked" not in [line["outcome"] for line in await ledger.audit(pair.a.id)]
    over_rest = await house.rest(pair.a.owner, refusal.operation, arguments)
    assert over_rest.refusal == error
    assert [await book(ledger, firm) for firm in (pair.a, pair.b)] == before
    assert await ledger.audit(pair.b.id) == []
