"""Who is in the demo: invented, valid, and dated sensibly."""

import re
from dataclasses import asdict
from datetime import datetime
from zoneinfo import ZoneInfo

from adapters.persistence.demo import DemoOrganization
from domain.access.members import Portfolio
from domain.access.roles import INTEGRATION_PRESET, Role, permissions_of_client
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.documents import parse_document
from domain.dunning.payments import Payment
from domain.ports.clocks import BusinessClock
from entrypoints.seed.growth import grown
from tests.unit.seed.conftest import ISSUER, SYSTEM_NOW

STARTS_AT = datetime(2026, 12, 1, 10, 0, tzinfo=ZoneInfo("America/Sao_Paulo"))
A_ULID = re.compile(r"[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}")


def lasting(one: Charge | Debtor | Payment) -> dict[str, object]:
    """What is the same whenever the demo is planted: all but the instants of the real clock."""
    return {name: value for name, value in asdict(one).items() if not isinstance(value, datetime)}


def test_every_document_has_its_check_digits(demo: tuple[DemoOrganization, ...]) -> None:
    for one in demo:
        documents = [one.organization.document, *(debtor.document for debtor in one.debtors)]
        assert [parse_document(document.formatted) for document in documents] == documents
        assert len(set(documents)) == len(documents)


def test_every_address_for_mail_is_of_a_domain_that_nobody_has(
    demo: tuple[DemoOrganization, ...],
) -> None:
    members = [member.email for one in demo for member in one.members]
    addresses = members + [person.email for one in demo for person in one.people]
    domains = {address.partition("@")[2] for address in addresses}
    assert domains == {"aurora.example.com", "pampa.example.com"}


def test_every_id_has_the_form_of_a_ulid_and_is_nobody_elses(
    demo: tuple[DemoOrganization, ...],
) -> None:
    ids = [one.organization.id for one in demo]
    for one in demo:
        ids.extend(member.id for member in one.members)
        ids.extend(client.id for client in one.api_clients)
        ids.extend(debtor.id for debtor in one.debtors)
        ids.extend(holiday.id for holiday in one.holidays)
        ids.extend(point.id for point in one.contact_points)
        ids.extend(charge.id for charge in one.charges)
        ids.extend(payment.id for payment in one.payments)
        ids.extend(interaction.id for interaction in one.interactions)
        ids.extend(past.id for past in one.events)
    assert all(map(A_ULID.fullmatch, ids))
    assert len(set(ids)) == len(ids)


def test_the_roles_are_those_of_the_two_organisations(
    aurora: DemoOrganization, pampa: DemoOrganization
) -> None:
    owner, admin, manager, collector, viewer = Role
    assert [member.role for member in aurora.members] == [
        owner,
        owner,
        admin,
        manager,
        collector,
        collector,
        viewer,
    ]
    assert [member.role for member in pampa.members] == [owner, manager, collector]


def test_one_collector_works_with_twelve_debtors_of_her_own(
    demo: tuple[DemoOrganization, ...],
) -> None:
    members = [member for one in demo for member in one.members]
    (lia,) = (member for member in members if member.portfolio is Portfolio.ASSIGNED)
    assigned = [debtor.assigned_member_id for one in demo for debtor in one.debtors]
    assert lia.name.startswith("Lia ")
    assert assigned.count(lia.id) == 12
    assert set(assigned) == {lia.id, None}


def test_members_are_bound_to_the_issuer_that_was_named(demo: tuple[DemoOrganization, ...]) -> None:
    for one in demo:
        assert {identity.issuer for identity in one.identities.values()} == {ISSUER}
        subjects = [one.identities[member.id].subject for member in one.members]
        assert subjects == [person.subject for person in one.people]
    assert len({person.subject for one in demo for person in one.people}) == 10


def test_of_the_api_clients_one_has_expired_and_one_is_revoked(
    demo: tuple[DemoOrganization, ...],
) -> None:
    clients = [client for one in demo for client in one.api_clients]
    unusable = {client.name for client in clients if not client.is_usable(SYSTEM_NOW)}
    assert [client.name for client in clients].count("erp-sync") == 2
    assert unusable == {"portal-expirado", "loja-revogada"}
    assert all((client.expires_at - client.created_at).days <= 365 for client in clients)


def test_the_erp_has_the_whole_preset_and_the_panel_only_reads(aurora: DemoOrganization) -> None:
    by_name = {client.name: client for client in aurora.api_clients}
    assert by_name["erp-sync"].permissions() == INTEGRATION_PRESET
    panel = by_name["painel-leitura"].permissions()
    assert panel
    assert all(permission.endswith(".read") for permission in panel)
    assert panel <= permissions_of_client(Role.VIEWER)


def test_nothing_was_done_after_the_demo_was_planted_or_before_what_it_belongs_to(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        created = {debtor.id: debtor.created_at for debtor in one.debtors}
        assert min(created.values()) >= one.organization.created_at
        for charge in one.charges:
            assert created[charge.debtor_id] <= charge.created_at <= charge.updated_at < SYSTEM_NOW
        assert max(past.occurred_at for past in one.events) < SYSTEM_NOW


def test_the_business_clock_starts_at_ten_on_the_first_of_december(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        assert SYSTEM_NOW + one.clock_offset == STARTS_AT
        assert BusinessClock.offset_to(SYSTEM_NOW, STARTS_AT) == one.clock_offset


def test_another_start_moves_what_the_real_clock_tells_and_nothing_else(
    demo: tuple[DemoOrganization, ...],
) -> None:
    a_month_later = SYSTEM_NOW.replace(month=10)
    for then, now in zip(demo, grown(issuer=ISSUER, system_now=a_month_later), strict=True):
        assert now.clock_offset != then.clock_offset
        assert list(map(lasting, now.charges)) == list(map(lasting, then.charges))
        assert list(map(lasting, now.debtors)) == list(map(lasting, then.debtors))
        assert list(map(lasting, now.payments)) == list(map(lasting, then.payments))
        assert [past.id for past in now.events] == [past.id for past in then.events]
        for earlier, later in (
            (then.charges[0].created_at, now.charges[0].created_at),
            (then.debtors[0].updated_at, now.debtors[0].updated_at),
            (then.events[0].occurred_at, now.events[0].occurred_at),
        ):
            assert later - earlier == a_month_later - SYSTEM_NOW
        assert list(now.people) == list(then.people)
