"""Finding a charge with who owes it, and what a charge refers to; and showing it as of a day."""

from datetime import date

from msgspec import structs

from application.dunning.charge_view import ChargeView, amounts_view, charge_view
from application.operations.call import Call
from application.operations.fields import One
from domain.dunning.aging import aging_bucket
from domain.dunning.charge_states import OWED
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.owed import owed_on
from domain.errors import NotFoundError, ValidationError, not_found
from domain.ports.debtors import DebtorNames


async def charge_and_debtor(call: Call, charge_id: str) -> tuple[Charge, Debtor]:
    """The charge, held where it will change, and who owes it.

    Raises:
        NotFoundError: none that the caller may see.
    """
    charge = await call.work.charges.find(charge_id, lock=call.locks)
    debtor = None if charge is None else await call.work.debtors.find(charge.debtor_id)
    if charge is None or debtor is None:
        raise NotFoundError
    return charge, debtor


async def charge_to_change(call: Call, charge_id: str) -> tuple[Charge, Debtor]:
    """The same for a charge that may still change.

    Raises:
        NotFoundError: none that the caller may see.
        StateConflictError: its debtor was anonymised.
    """
    charge, debtor = await charge_and_debtor(call, charge_id)
    debtor.refuse_anonymized()
    return charge, debtor


async def shown(
    call: Call, charge: Charge, debtor: Debtor, as_of: date | None = None
) -> One[ChargeView]:
    """The charge with its amounts of a day, which is today unless given.

    A charge that is no longer owed keeps the amounts of its last day, unless a day is asked for.
    """
    view = charge_view(charge, debtor, call.today)
    on = as_of or call.today
    if charge.amounts_as_of == on or (as_of is None and charge.status not in OWED):
        return One(view)
    amounts = owed_on(charge, on, await call.work.rates.all())
    paid = sum(credit.settled.money for credit in charge.credits if credit.paid_at <= on)
    return One(
        structs.replace(
            view,
            amounts=amounts_view(amounts, paid),
            days_late=amounts.days_late,
            aging_bucket=aging_bucket(amounts.days_late),
        )
    )


async def refuse_unknown_member(call: Call, member_id: str | None) -> None:
    """Raise `ValidationError` unless this is an active member, or nobody."""
    if member_id is not None and not await call.work.members.exists(member_id):
        raise ValidationError(not_found("assigned_member_id"))


async def refuse_unknown_guarantors(
    call: Call, guarantors: tuple[str, ...], known: tuple[str, ...] = ()
) -> None:
    """Raise `ValidationError` by place, such as `guarantors[0]`, unless the debtors are there.

    `known` are guarantors already, whoever may see them.
    """
    new = [guarantor for guarantor in guarantors if guarantor not in known]
    if not new:
        return
    debtors = await call.work.debtors.among(DebtorNames(ids=new))
    found = {debtor.id for debtor in debtors if debtor.status is not DebtorStatus.ANONYMIZED}
    if details := [
        not_found(f"guarantors[{index}]")
        for index, guarantor in enumerate(guarantors)
        if guarantor not in found and guarantor not in known
    ]:
        raise ValidationError(*details)
