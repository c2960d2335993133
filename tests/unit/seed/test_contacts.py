"""Where the demo's debtors can be reached: nowhere that exists."""

import re
from collections import Counter
from itertools import groupby

from adapters.persistence.demo import DemoOrganization
from domain.dunning.contact_points import ContactKind, ContactPoint, ContactStatus, Relation
from domain.dunning.documents import PersonType
from domain.dunning.phones import UF_OF_DDD

NOBODYS_MOBILE = re.compile(r"\+55(\d\d)9000000\d\d")
NOBODYS_LANDLINE = re.compile(r"\+55(\d\d)300000\d\d")
PHONES = {
    ContactKind.MOBILE: NOBODYS_MOBILE,
    ContactKind.WHATSAPP: NOBODYS_MOBILE,
    ContactKind.PHONE: NOBODYS_LANDLINE,
}


def of_kind(demo: DemoOrganization, kind: ContactKind) -> list[ContactPoint]:
    return [point for point in demo.contact_points if point.kind is kind]


def test_every_debtor_has_an_email_a_mobile_and_an_address(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        for kind in (ContactKind.EMAIL, ContactKind.MOBILE, ContactKind.POSTAL):
            reached = {point.debtor_id for point in of_kind(one, kind)}
            assert reached == {debtor.id for debtor in one.debtors}


def test_every_email_is_of_the_domain_that_nobody_has_and_is_nobody_elses(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        emails = [point.value for point in of_kind(one, ContactKind.EMAIL)]
        assert {email.partition("@")[2] for email in emails} == {"example.com"}
        assert len(set(emails)) == len(emails)


def test_every_number_is_one_that_rings_nowhere_in_the_debtors_own_state(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        states = {debtor.id: debtor.uf for debtor in one.debtors}
        for kind, form in PHONES.items():
            for point in of_kind(one, kind):
                found = form.fullmatch(point.value)
                assert found is not None
                assert UF_OF_DDD[found[1]] == states[point.debtor_id]


def test_a_kind_has_one_primary_among_its_active_contact_points(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        points = sorted(one.contact_points, key=lambda point: (point.debtor_id, point.kind))
        for _, together in groupby(points, key=lambda point: (point.debtor_id, point.kind)):
            active = [point for point in together if point.is_active]
            assert sum(point.is_primary for point in active) == bool(active)


def test_companies_are_reached_where_they_pay_their_bills(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        companies = {d.id for d in one.debtors if d.person_type is PersonType.COMPANY}
        for point in one.contact_points:
            is_letter = point.kind is ContactKind.POSTAL
            of_company = point.relation is Relation.COMPANY_CONTACT
            assert of_company == (point.debtor_id in companies and not is_letter)


def test_some_contact_points_were_lost_and_some_refused(
    aurora: DemoOrganization, pampa: DemoOrganization
) -> None:
    assert Counter(point.status for point in aurora.contact_points) == {
        ContactStatus.ACTIVE: 154,
        ContactStatus.INVALID: 3,
        ContactStatus.OPTED_OUT: 2,
    }
    lost = [point for point in pampa.contact_points if point.status is ContactStatus.INVALID]
    assert [(point.kind, point.failure_count) for point in lost] == [(ContactKind.EMAIL, 2)]


def test_some_contact_points_are_verified_and_some_count_for_legal_notices(
    aurora: DemoOrganization,
) -> None:
    verified = Counter(point.is_verified for point in aurora.contact_points)
    assert min(verified[True], verified[False]) > 20
    notices = {p.kind for p in aurora.contact_points if p.usable_as_legal_notice}
    assert notices == {ContactKind.EMAIL, ContactKind.MOBILE, ContactKind.WHATSAPP}


def test_the_deceased_is_represented_by_a_lawyer_who_has_an_email(
    aurora: DemoOrganization,
) -> None:
    (deceased,) = (one for one in aurora.debtors if one.external_id == "A-13")
    relations = {
        point.relation for point in aurora.contact_points if point.debtor_id == deceased.id
    }
    assert Relation.LEGAL_REPRESENTATIVE in relations
