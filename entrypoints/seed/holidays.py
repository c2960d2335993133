"""The holidays that the two organisations added to the national ones."""

from datetime import date
from typing import Final

from domain.dunning.holidays import Holiday, HolidayScope
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.fixed import fixed_id

_OWN: Final = {
    AURORA.key: Holiday(
        id=fixed_id("hol", f"{AURORA.key}/holiday/2027-01-25"),
        date=date(2027, 1, 25),
        name="Aniversário de São Paulo",
        scope=HolidayScope.CITY,
        uf="SP",
        city="São Paulo",
    ),
    PAMPA.key: Holiday(
        id=fixed_id("hol", f"{PAMPA.key}/holiday/2027-09-20"),
        date=date(2027, 9, 20),
        name="Revolução Farroupilha",
        scope=HolidayScope.UF,
        uf="RS",
    ),
}


def holidays_of(creditor: Creditor) -> tuple[Holiday, ...]:
    """The organisation's own holidays: the next one that the demo will come to."""
    return (_OWN[creditor.key],)
