"""Puts the demo into a database."""

from dataclasses import dataclass
from datetime import datetime

from adapters.persistence.demo import DemoOrganizations
from domain.access.members import ApiClient
from domain.dunning.rates import Rates
from domain.ports.issuer import DemoPerson
from entrypoints.seed.growth import grown
from entrypoints.seed.rates import SAMPLE_RATES
from entrypoints.seed.totals import Totals, totals_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """What was planted: sums to show, and everybody for whom a token can be minted.

    An API client that is revoked or expired is among them, to be refused. `rates` are those by
    which the charges grew.
    """

    rates: Rates
    totals: tuple[Totals, ...]
    people: tuple[DemoPerson, ...]
    api_clients: tuple[ApiClient, ...]


async def plant(store: DemoOrganizations, *, issuer: str, system_now: datetime) -> Planted:
    """Make both organisations fresh, whatever had become of them; no other one is touched.

    Their people and API clients are those of `issuer`; their clocks start now. Rates that an
    operator has loaded are left as they are; where there are none, there will be sample values.
    """
    rates = await store.rates(SAMPLE_RATES)
    organizations = grown(issuer=issuer, system_now=system_now, rates=rates)
    for one in organizations:
        await store.replace(one)
    return Planted(
        rates=rates,
        totals=tuple(totals_of(one) for one in organizations),
        people=tuple(person for one in organizations for person in one.people),
        api_clients=tuple(client for one in organizations for client in one.api_clients),
    )
