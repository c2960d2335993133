"""From the plans to whole organisations, in memory."""

from collections.abc import Iterable
from datetime import datetime

from adapters.persistence.demo import DemoOrganization
from domain.access.grant import Actor
from domain.access.members import ApiClient, Member
from domain.access.roles import Role
from domain.ports.clocks import BusinessClock
from entrypoints.seed.charges import ChargePlan
from entrypoints.seed.creditors import CREDITORS, Creditor
from entrypoints.seed.debtors import DebtorPlan, ordinary_debtors
from entrypoints.seed.histories import Hands, Histories
from entrypoints.seed.mix import ordinary_charges
from entrypoints.seed.people import identity_of, members_of, person_of
from entrypoints.seed.programs import ERP_SYNC, api_clients_of
from entrypoints.seed.stories import stories_of
from entrypoints.seed.timeline import STARTS_AT, Timeline
from entrypoints.seed.traps import shared_charges, shared_debtors


def grown(*, issuer: str, system_now: datetime) -> tuple[DemoOrganization, ...]:
    """Both organisations as they are when their clocks start, which is `system_now`."""
    return tuple(_grown(creditor, issuer, system_now) for creditor in CREDITORS)


def _grown(creditor: Creditor, issuer: str, system_now: datetime) -> DemoOrganization:
    timeline = Timeline(BusinessClock.offset_to(system_now, STARTS_AT))
    organization = creditor.register(timeline)
    members = members_of(creditor, organization)
    people = tuple(person_of(creditor, organization, member) for member in members)
    clients = tuple(api_clients_of(creditor, organization, issuer=issuer, system_now=system_now))
    histories = Histories(creditor, organization, _hands(members, clients), timeline)
    debtors = histories.debtors(_debtor_plans(creditor))
    charges = histories.charges(_charge_plans(creditor), debtors)
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
        debtors=debtors,
        charges=charges,
        events=histories.happened,
    )


def _debtor_plans(creditor: Creditor) -> Iterable[DebtorPlan]:
    yield from stories_of(creditor).debtors
    yield from shared_debtors(creditor)
    yield from ordinary_debtors(creditor)


def _charge_plans(creditor: Creditor) -> Iterable[ChargePlan]:
    yield from stories_of(creditor).charges
    yield from shared_charges(creditor)
    without_story = (*ordinary_debtors(creditor), *shared_debtors(creditor))
    yield from ordinary_charges(creditor, tuple(plan.external_id for plan in without_story))


def _hands(members: Iterable[Member], clients: Iterable[ApiClient]) -> Hands:
    erp = next(client for client in clients if client.name == ERP_SYNC)
    manager = next(member for member in members if member.role is Role.MANAGER)
    return Hands(
        erp=Actor(type="api_client", id=erp.id, name=erp.name),
        manager=Actor(type="member", id=manager.id, name=manager.name),
    )
