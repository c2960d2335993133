"""From the plans to whole organisations, in memory."""

from collections.abc import Iterable
from datetime import datetime

from adapters.persistence.demo import DemoOrganization
from adapters.persistence.mappings import map_aggregates
from domain.access.grant import Actor
from domain.access.members import ApiClient, Member
from domain.access.roles import Role
from domain.dunning.rates import Rates
from domain.ports.clocks import BusinessClock
from entrypoints.seed.chronicle import Chronicle, Hands
from entrypoints.seed.creditors import CREDITORS, Creditor
from entrypoints.seed.histories import Histories, House
from entrypoints.seed.holidays import holidays_of
from entrypoints.seed.people import first_name_of, identity_of, members_of, person_of
from entrypoints.seed.plans import plans_of
from entrypoints.seed.programs import ERP_SYNC, api_clients_of
from entrypoints.seed.rates import SAMPLE_RATES
from entrypoints.seed.timeline import STARTS_AT, Timeline


def grown(
    *, issuer: str, system_now: datetime, rates: Rates = SAMPLE_RATES
) -> tuple[DemoOrganization, ...]:
    """Both organisations as they are when their clocks start, which is `system_now`.

    Interest and correction go by `rates`.
    """
    # What is made before it is mapped could not be kept afterwards.
    map_aggregates()
    return tuple(_grown(creditor, issuer, system_now, rates) for creditor in CREDITORS)


def _grown(creditor: Creditor, issuer: str, system_now: datetime, rates: Rates) -> DemoOrganization:
    timeline = Timeline(BusinessClock.offset_to(system_now, STARTS_AT))
    organization = creditor.register(timeline)
    members = members_of(creditor, organization)
    people = tuple(person_of(creditor, organization, member) for member in members)
    clients = tuple(api_clients_of(creditor, organization, issuer=issuer, system_now=system_now))
    house = House(
        organization=organization,
        holidays=holidays_of(creditor),
        rates=rates,
        hands=_hands(members, clients),
        timeline=timeline,
    )
    chronicle, plans = Chronicle(creditor), plans_of(creditor)
    lived = Histories(house, chronicle)
    lived.live(plans)
    return DemoOrganization(
        organization=organization,
        clock_offset=timeline.ahead,
        members=members,
        people=people,
        identities={
            member.id: identity_of(issuer, person)
            for member, person in zip(members, people, strict=True)
        },
        api_clients=clients,
        holidays=house.holidays,
        debtors=[lived.debtors[plan.external_id] for plan in plans.debtors],
        contact_points=lived.address_books.points,
        charges=[lived.charges[plan.external_id] for plan in plans.charges],
        payments=[lived.payments[plan.name] for plan in plans.payments],
        interactions=lived.interactions,
        approvals=lived.requests.made,
        events=chronicle.happened,
    )


def _hands(members: Iterable[Member], clients: Iterable[ApiClient]) -> Hands:
    actors = {
        first_name_of(member): Actor(type="member", id=member.id, name=member.name)
        for member in members
    }
    erp = next(client for client in clients if client.name == ERP_SYNC)
    manager = next(member for member in members if member.role is Role.MANAGER)
    return Hands(
        erp=Actor(type="api_client", id=erp.id, name=erp.name),
        manager=actors[first_name_of(manager)],
        members=actors,
    )
