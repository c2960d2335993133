"""What is due on a charge on a date, and how it comes about."""

from datetime import date
from fractions import Fraction
from typing import Annotated, Final

from application.dunning.charges import ChargeId
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import Input, Money, MoneyOut, One, PercentOut, View, about
from application.operations.numbers import CENTS_IN_REAL, percent, reais
from domain.dunning.allocation import PAYABLE, distribute
from domain.dunning.amounts import Amounts
from domain.dunning.calendar import years_after
from domain.dunning.charges import Charge
from domain.dunning.components import Component, ComponentName, Note, Step
from domain.dunning.ledger import Settled
from domain.dunning.money import Cents
from domain.dunning.owed import owed_on
from domain.dunning.rates import Rates
from domain.errors import Detail, NotFoundError, ValidationError
from domain.texts import Text

YEARS_BACK: Final = 5
YEARS_AHEAD: Final = 1
PLACES: Final = 10
"""Decimals that an exact figure keeps; what lies beyond them is cut, never rounded."""


class StepView(View):
    """A stretch of time in which nothing changed."""

    since: Annotated[date, about("After this day.")]
    until: Annotated[date, about("Up to and including this day.")]
    base: Annotated[MoneyOut, about("What the rate was taken of.")]
    days: Annotated[int, about("Calendar days.")]
    rate: Annotated[
        str | None,
        about("Percent a day, for correction percent of the month; cut after 10 decimals."),
    ]
    exact: Annotated[str, about("BRL it added, cut after 10 decimals.")]


class ComponentView(View, omit_defaults=True):
    """One line of the calculation memory."""

    name: Annotated[ComponentName, about("What is added to the principal, or taken off it.")]
    base: Annotated[MoneyOut, about("What the rate is taken of.")]
    rate: Annotated[PercentOut | None, about("Percent; of a month, for interest.")]
    days: Annotated[int | None, about("Calendar days it ran.")]
    exact: Annotated[str, about("BRL before rounding, cut after 10 decimals.")]
    rounded: Annotated[MoneyOut, about("What counts: rounded once.")]
    note: Annotated[Note | None, about("What is not known yet.")] = None
    steps: Annotated[
        tuple[StepView, ...], about("How it grew, where payments or monthly rates make several.")
    ] = ()


class SettlementView(View):
    """What an amount would settle, in the order of CC art. 354, and what would be left."""

    costs: Annotated[MoneyOut, about("Notary costs.")]
    interest: Annotated[MoneyOut, about("Default interest.")]
    fine: Annotated[MoneyOut, about("Late fine.")]
    correction: Annotated[MoneyOut, about("Monetary correction.")]
    principal: Annotated[MoneyOut, about("Principal.")]
    discount: Annotated[MoneyOut, about("Early discount, for which no money comes.")]
    tolerance: Annotated[MoneyOut, about("Residual that would be forgiven.")]
    left: Annotated[MoneyOut, about("What would settle nothing of this charge.")]


class AmountDueView(View, omit_defaults=True):
    """What is due on a date; the total is the sum of what is rounded, less the discount."""

    as_of: Annotated[date, about("The date asked about.")]
    effective_due_date: Annotated[date, about("The last day on time.")]
    days_late: Annotated[int, about("Calendar days since the effective due date.")]
    components: Annotated[list[ComponentView], about("The calculation memory.")]
    principal_outstanding: Annotated[MoneyOut, about("Principal still owed.")]
    costs: Annotated[MoneyOut, about("Notary costs actually paid.")]
    total_due: Annotated[MoneyOut, about("What has to be paid on the date to owe nothing.")]
    allocation: Annotated[SettlementView | None, about("What `paying` would settle.")] = None


class ChargesAmountDue(Input):
    """Which charge, on which day, and what is about to be paid."""

    id: Annotated[ChargeId, about("The charge.")]
    as_of: Annotated[
        date | None, about("A date from 5 years ago to 1 year ahead; today unless given.")
    ] = None
    paying: Annotated[Money | None, about("Also show what this amount would settle.")] = None


@operation(
    "charges_amount_due",
    "GET /charges/{id}/amount_due",
    title="Calculate the amount due",
    description=(
        "What is due on a charge on a date, with each component's base, rate, days, exact and "
        "rounded value. Nothing is recorded; a charge that was paid by then, or canceled, gives "
        "zeros."
    ),
    permission="charges.read",
)
async def charges_amount_due(call: Call, wanted: ChargesAmountDue) -> One[AmountDueView]:
    """Calculate, whatever the status."""
    charge = await call.work.charges.find(wanted.id)
    if charge is None:
        raise NotFoundError
    as_of = wanted.as_of or call.today
    refuse_far(as_of, call.today)
    rates = await call.work.rates.all()
    answer = _view(owed_on(charge, as_of, rates))
    if wanted.paying is not None:
        answer.allocation = _allocation(wanted.paying, charge, as_of, rates)
    return One(answer)


def refuse_far(as_of: date, today: date) -> None:
    """Raise `ValidationError` for a day of which amounts cannot be asked."""
    if not years_after(today, -YEARS_BACK) <= as_of <= years_after(today, YEARS_AHEAD):
        text = Text(
            f"Informe uma data de {YEARS_BACK} anos atrás até {YEARS_AHEAD} ano à frente.",
            f"Give a date from {YEARS_BACK} years ago to {YEARS_AHEAD} year ahead.",
        )
        raise ValidationError(Detail("as_of", "out_of_range", text))


def _view(due: Amounts) -> AmountDueView:
    return AmountDueView(
        as_of=due.as_of,
        effective_due_date=due.effective_due_date,
        days_late=due.days_late,
        components=[_component(line) for line in due.memory],
        principal_outstanding=reais(due.principal_outstanding),
        costs=reais(due.costs),
        total_due=reais(due.total_due),
    )


def _component(line: Component) -> ComponentView:
    return ComponentView(
        name=line.name,
        base=reais(line.base),
        rate=None if line.rate is None else percent(line.rate),
        days=line.days,
        exact=cut(line.exact / CENTS_IN_REAL),
        rounded=reais(line.rounded),
        note=line.note,
        steps=tuple(_step(step) for step in line.steps),
    )


def _step(step: Step) -> StepView:
    return StepView(
        since=step.since,
        until=step.until,
        base=reais(step.base),
        days=step.days,
        rate=None if step.share is None else cut(step.share * 100),
        exact=cut(step.exact / CENTS_IN_REAL),
    )


def _allocation(paying: Cents, charge: Charge, on: date, rates: Rates) -> SettlementView:
    # The same as recording the payment would do, which counts later payments, too.
    payable = [charge] if charge.status in PAYABLE else []
    given = distribute(paying, on, payable, rates)
    settled = next((share.settled for share in given.shares), Settled())
    return SettlementView(
        costs=reais(settled.costs),
        interest=reais(settled.interest),
        fine=reais(settled.fine),
        correction=reais(settled.correction),
        principal=reais(settled.principal),
        discount=reais(settled.discount),
        tolerance=reais(settled.tolerance),
        left=reais(given.left),
    )


def cut(exact: Fraction) -> str:
    """A decimal number of at most 10 decimals, towards zero and without trailing zeros."""
    whole, rest = divmod(abs(exact.numerator) * 10**PLACES // exact.denominator, 10**PLACES)
    sign = "-" if exact < 0 and (whole or rest) else ""
    return f"{sign}{whole}.{rest:0{PLACES}}".rstrip("0").removesuffix(".")
