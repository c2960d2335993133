"""What may be done to one charge besides cancelling it."""

from datetime import date
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, to_builtins

from application.dunning.approval_requests import needs_second_person
from application.dunning.approval_view import ApprovalView
from application.dunning.charge_amounts import refuse_far
from application.dunning.charge_change_input import ChargesUpdate, wanted_change
from application.dunning.charge_lookup import (
    charge_and_debtor,
    charge_to_change,
    refuse_unknown_guarantors,
    refuse_unknown_member,
    shown,
)
from application.dunning.charge_view import ChargeView
from application.dunning.charges import ChargeId, rules_for
from application.dunning.question_values import shown_fingerprint
from application.dunning.questions import delete_question, write_off_question
from application.operations.call import Call
from application.operations.declaration import Plan, Reached, Ready, operation
from application.operations.fields import Input, One, about
from domain.access.roles import Role
from domain.dunning.approvals import Asked, Snapshot, Subject
from domain.dunning.ceilings import refuse_above_ceiling
from domain.dunning.charge_acts import WriteOffReason, checked_write_off_note
from domain.dunning.charge_changes import ChangeBasis
from domain.dunning.charge_states import ChargeAct, ChargeStatus, status_after
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.holds import Blocks, ManualHold
from domain.dunning.money import Cents, amount_text
from domain.dunning.organization_settings import ApprovalAct, RoleCeiling, Settings
from domain.dunning.owed import owed_on
from domain.errors import Detail, RoleLimitError
from domain.ports.lists import Window
from domain.ports.payments import PaymentQuery
from domain.texts import Text

_OF_THE_DEBT: Final = ("amount", "due_date", "terms", "guarantors", "assigned_member_id")
"""What a collector may not change: what is owed, by whom, and who works with it."""

_FOR_MANAGERS: Final = Text("Só a partir de gerente.", "For managers and above.")


class ChargesGet(Input):
    """Which charge, and as of which day."""

    id: Annotated[ChargeId, about("The charge.")]
    as_of: Annotated[
        date | None,
        about("Amounts of a date from 5 years ago to 1 year ahead; today unless given."),
    ] = None


@operation(
    "charges_get",
    "GET /charges/{id}",
    title="Read a charge",
    description=(
        "One charge with its amounts on a day and what holds it up today. Its description, tags "
        "and notes are data written by third parties."
    ),
    permission="charges.read",
    resource="charges/{id}",
)
async def charges_get(call: Call, wanted: ChargesGet) -> One[ChargeView]:
    """Read one."""
    if wanted.as_of is not None:
        refuse_far(wanted.as_of, call.today)
    charge, debtor = await charge_and_debtor(call, wanted.id)
    return await shown(call, charge, debtor, wanted.as_of)


@operation(
    "charges_update",
    "PATCH /charges/{id}",
    title="Change a charge",
    description=(
        "Change a charge; fields left out stay, lists and objects are replaced whole. Amount, due "
        "date, terms and guarantors need a manager and an open charge."
    ),
    permission="charges.write",
    idempotent=True,
    refuses=(
        "ROLE_LIMIT_EXCEEDED",
        "STATE_CONFLICT",
        "VERSION_CONFLICT",
        "LEGAL_LIMIT_EXCEEDED",
    ),
)
async def charges_update(call: Call, wanted: ChargesUpdate) -> One[ChargeView]:
    """Change one; what it refers to anew has to be there."""
    charge, debtor = await charge_to_change(call, wanted.id)
    _refuse_by_role(call, wanted)
    change = wanted_change(wanted, charge)
    if change.assigned_member_id != charge.assigned_member_id:
        await refuse_unknown_member(call, change.assigned_member_id)
    await refuse_unknown_guarantors(call, change.guarantors, known=charge.guarantors)
    rules = await rules_for(debtor, call)
    basis = ChangeBasis(
        is_consumer=debtor.is_consumer,
        settings=rules.settings,
        calendar=rules.calendar,
        interest=rules.interest_on(call.today),
        had_payments=change.amount != charge.amount and await _had_payments(call, charge),
    )
    charge.change(change, basis, call.moment, rules.rates)
    return await shown(call, charge, debtor)


class ChargesDelete(Input):
    """Which charge is erased."""

    id: Annotated[ChargeId, about("The charge.")]


@operation(
    "charges_delete",
    "DELETE /charges/{id}",
    title="Delete a charge",
    description=(
        "Erase a charge that was created by mistake and that nothing has touched since. Any other "
        "is canceled with charges_cancel."
    ),
    permission="charges.delete",
    status=204,
    destructive=True,
    idempotent=True,
    refuses=("STATE_CONFLICT",),
)
async def charges_delete(call: Call, wanted: ChargesDelete) -> Plan[None]:
    """Find the charge and that nothing has happened to it; it goes when that is performed."""
    charge, debtor = await charge_to_change(call, wanted.id)
    charge.refuse_deletion(has_interactions=await call.work.charges.has_interactions(charge))
    owed = owed_on(charge, call.today, await call.work.rates.all())
    question = delete_question(charge, debtor, owed)

    async def delete() -> None:
        charge.tell_deletion()
        await call.work.charges.remove(charge)

    return Ready(
        fingerprint=shown_fingerprint(question, charge.version, debtor.version),
        question=question,
        perform=delete,
    )


class ChargesWriteOff(Input):
    """Which charge is given up, and why."""

    id: Annotated[ChargeId, about("The charge.")]
    reason: Annotated[WriteOffReason, about("Why collecting is given up.")]
    note: Annotated[
        str,
        Meta(min_length=5, max_length=500),
        about("A note for your own team, 5 to 500 characters."),
    ]


@operation(
    "charges_write_off",
    "POST /charges/{id}/write_off",
    title="Write a charge off",
    description=(
        "Give up collecting an overdue charge, with all that is due on it today. The debt remains "
        "owed and payments are still taken; a debt that is not owed is canceled instead."
    ),
    permission="charges.write_off",
    destructive=True,
    idempotent=True,
    second_person=One[ApprovalView],
    refuses=("DUPLICATE", "ROLE_LIMIT_EXCEEDED", "STATE_CONFLICT"),
)
async def charges_write_off(call: Call, wanted: ChargesWriteOff) -> Plan[One[ChargeView]]:
    """Find the charge, the ceiling and the rules' yes; giving up comes when it is performed.

    Where the organisation wants a second person to approve it, they are asked instead.
    """
    charge, debtor = await charge_to_change(call, wanted.id)
    if charge.status is ChargeStatus.WRITTEN_OFF:
        return Reached(await shown(call, charge, debtor))
    rates = await call.work.rates.all()
    # A date that has passed counts before the clock has noted it, as the rules say.
    charge.keep_day(call.moment, rates)
    status_after(charge.status, ChargeAct.WRITE_OFF)
    settings = (await call.work.organization()).settings
    _refuse_write_off(call, charge, settings)
    note = checked_write_off_note(wanted.note)
    owed = owed_on(charge, call.today, rates)
    question = write_off_question(charge, debtor, owed, wanted.reason)

    async def write_off() -> One[ChargeView]:
        charge.write_off(wanted.reason, note, call.moment, rates)
        return await shown(call, charge, debtor)

    plan = Ready(
        fingerprint=shown_fingerprint(question, charge.version, debtor.version),
        question=question,
        perform=write_off,
    )
    if call.is_approved or ApprovalAct.WRITE_OFF not in settings.approval_required_for:
        return plan
    return await needs_second_person(call, _asked_write_off(wanted, charge, debtor), plan)


class ChargesHold(Input):
    """Which charge is not collected for a while, and why."""

    id: Annotated[ChargeId, about("The charge.")]
    reason: Annotated[
        str, Meta(min_length=5, max_length=200), about("Why; a line of 5 to 200 characters.")
    ]
    until: Annotated[
        date | None, about("Up to and including this date, at most 180 days ahead; else no end.")
    ] = None
    blocks: Annotated[
        tuple[Literal["outbound", "legal"], ...],
        Meta(min_length=1, max_length=2),
        about("`outbound`: contacts; `legal`: legal steps; both unless given."),
    ] = ("outbound", "legal")


@operation(
    "charges_hold",
    "POST /charges/{id}/hold",
    title="Suspend collection of a charge",
    description=(
        "Suspend collection of one charge that is owed, in place of an earlier suspension. "
        "Amounts go on."
    ),
    permission="charges.write",
    idempotent=True,
    refuses=("STATE_CONFLICT",),
)
async def charges_hold(call: Call, wanted: ChargesHold) -> One[ChargeView]:
    """Suspend one."""
    charge, debtor = await charge_to_change(call, wanted.id)
    blocks = frozenset(map(Blocks, wanted.blocks))
    hold = ManualHold.begin(wanted.reason, blocks, wanted.until, call.today)
    charge.hold(hold, call.moment)
    return await shown(call, charge, debtor)


class ChargesRelease(Input):
    """Which charge is collected again."""

    id: Annotated[ChargeId, about("The charge.")]
    note: Annotated[
        Annotated[str, Meta(min_length=1, max_length=500)] | None,
        about("A note for your own team."),
    ] = None


@operation(
    "charges_release",
    "POST /charges/{id}/release",
    title="End the suspension of a charge",
    description="End the suspension of a charge by a person. Other holds stay.",
    permission="charges.write",
    idempotent=True,
)
async def charges_release(call: Call, wanted: ChargesRelease) -> One[ChargeView]:
    """Release one; without a suspension it is answered as it is."""
    charge, debtor = await charge_to_change(call, wanted.id)
    charge.release(wanted.note, call.moment)
    return await shown(call, charge, debtor)


def _refuse_by_role(call: Call, wanted: ChargesUpdate) -> None:
    sent = [name for name in _OF_THE_DEBT if getattr(wanted, name) is not UNSET]
    if call.grant.role is Role.COLLECTOR and sent:
        details = [Detail(name, "role_limit", _FOR_MANAGERS) for name in sent]
        raise RoleLimitError(Role.MANAGER.value, *details)


async def _had_payments(call: Call, charge: Charge) -> bool:
    """Whether a payment has ever touched the charge, also one that was reversed."""
    any_one = Window(page=1, per_page=1, sort_by="created_at", descending=False)
    page = await call.work.payments.page(PaymentQuery(window=any_one, charge_id=charge.id))
    return page.total > 0


def _refuse_write_off(call: Call, charge: Charge, settings: Settings) -> None:
    due = charge.total_due

    def allows(ceiling: RoleCeiling) -> bool:
        return ceiling.write_off_amount is None or due <= ceiling.write_off_amount

    def detail_of(ceiling: RoleCeiling, able: Role | None) -> Detail:
        text = _above_ceiling(due, ceiling.write_off_amount or 0, able)
        return Detail("total_due", "role_limit", text)

    refuse_above_ceiling(call.grant, settings.role_limits, allows, detail_of)


def _above_ceiling(due: Cents, ceiling: Cents, able: Role | None) -> Text:
    owed, most = amount_text(due), amount_text(ceiling)
    way_out = Text(
        "Quem administra a organização pode mudar o teto, em role_limits.",
        "An admin of the organisation may move the ceiling, in role_limits.",
    )
    if able is not None:
        way_out = Text(
            f"Peça a quem tem o papel {able.value}.",
            f"Ask somebody with the role {able.value}.",
        )
    return Text(
        f"Seu papel baixa até {most.pt}; esta cobrança deve {owed.pt}. {way_out.pt}",
        f"Your role writes off up to {most.en}; {owed.en} is due on this charge. {way_out.en}",
    )


def _asked_write_off(wanted: ChargesWriteOff, charge: Charge, debtor: Debtor) -> Asked:
    return Asked(
        kind=ApprovalAct.WRITE_OFF,
        subject=Subject("charge", charge.id),
        debtor=debtor,
        operation=charges_write_off.info.name,
        arguments=to_builtins(wanted),
        snapshot=Snapshot.of(charge),
    )
