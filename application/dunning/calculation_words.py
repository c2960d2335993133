"""The memory of a calculation in sentences: what was added, of what, for how long."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Final

from application.dunning.paper_words import MINUS, day, money, percent
from domain.dunning.accrual import DAYS_IN_MONTH
from domain.dunning.amounts import Amounts
from domain.dunning.components import Component, ComponentName, Step
from domain.dunning.correction import CorrectionIndex
from domain.dunning.money import HUNDRED_PERCENT, Cents, decimal_text, round_cents
from domain.dunning.terms import InterestMode, Terms

_PLACES: Final = 6
_INDEXES: Final = {
    CorrectionIndex.IPCA: "IPCA",
    CorrectionIndex.INPC: "INPC",
    CorrectionIndex.IGPM: "IGP-M",
}
_NOT_LOADED: Final = " O que ainda não foi publicado conta como zero."
_LESS_PAID: Final = ", já descontado o que foi pago"


def memory_sentences(amounts: Amounts, terms: Terms) -> list[str]:
    """One sentence for each component, and for costs."""
    told = [_told(component, terms) for component in amounts.memory]
    if amounts.costs:
        told.append(f"Custas cartorárias efetivamente pagas: {money(amounts.costs)}.")
    return told


def _told(component: Component, terms: Terms) -> str:
    match component.name:
        case ComponentName.FINE:
            return _fine(component, terms)
        case ComponentName.INTEREST:
            return _interest(component, terms)
        case ComponentName.CORRECTION:
            index = _INDEXES.get(terms.correction_index, "índice contratado")
            return _grown(f"Correção monetária pelo {index}", component)
        case ComponentName.DISCOUNT:
            share = "" if component.rate is None else f" de {percent(component.rate)}"
            return f"Desconto por antecipação{share}: {money(component.rounded)}."


def _fine(component: Component, terms: Terms) -> str:
    at_first = round_cents(component.exact, terms.rounding_mode)
    paid = "" if at_first == component.rounded else _LESS_PAID
    rate = percent(component.rate or 0)
    return f"Multa de {rate} sobre {money(component.base)}{paid}: {money(component.rounded)}."


def _interest(component: Component, terms: Terms) -> str:
    if terms.interest_mode is not InterestMode.CONTRACT or component.rate is None:
        return _grown("Juros de mora simples pela taxa legal (Código Civil, art. 406)", component)
    title = f"Juros de mora simples de {percent(component.rate)} ao mês"
    if component.steps:
        return _grown(title, component)
    return (
        f"{title}, sobre {money(component.base)} por {_days(component.days or 0)}"
        f"{_less_paid(component, component.base, terms)}: {money(component.rounded)}."
    )


def _less_paid(component: Component, base: Cents, terms: Terms) -> str:
    a_day = Fraction(terms.interest_percent_month, HUNDRED_PERCENT * DAYS_IN_MONTH)
    return "" if base * a_day * (component.days or 0) == component.exact else _LESS_PAID


def _grown(title: str, component: Component) -> str:
    grown = sum((step.exact for step in component.steps), Fraction())
    paid = "" if grown == component.exact else _LESS_PAID
    note = "" if component.note is None else _NOT_LOADED
    return (
        f"{title}: {'; '.join(_steps(component))}{paid}. Total: {money(component.rounded)}.{note}"
    )


def _steps(component: Component) -> Iterator[str]:
    for step in component.steps:
        yield f"{_span(step.since, step.until)}, {money(step.base)}{_rate(step, component)}"


def _rate(step: Step, component: Component) -> str:
    if step.share is None:
        return " (taxa ainda não publicada)"
    if component.rate is not None:
        return f" por {_days(step.days)}"
    share = f" a {_cut(step.share * 100)}%"
    is_daily = component.name is ComponentName.INTEREST
    return f" por {_days(step.days)}{share} ao dia" if is_daily else share


def _span(since: date, until: date) -> str:
    return f"de {day(since)} a {day(until)}"


def _days(count: int) -> str:
    return "1 dia" if count == 1 else f"{count} dias"


def _cut(exact: Fraction) -> str:
    """At most six decimals, towards zero."""
    units = abs(exact.numerator) * 10**_PLACES // exact.denominator
    sign = MINUS if exact < 0 and units else ""
    return f"{sign}{decimal_text(units, _PLACES).pt}"
