"""A contact point: its normal form, and what it may become."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, Final

import pytest

from domain.dunning.contact_book import ContactBook, first_phone_uf, place_of
from domain.dunning.contact_points import (
    ContactChange,
    ContactKind,
    ContactPoint,
    ContactSource,
    ContactStatus,
    Relation,
)
from domain.dunning.debtors import DebtorStatus
from domain.dunning.holidays import Place
from domain.dunning.moment import Moment
from domain.dunning.new_contact_points import NewContactPoint, checked_contact_point
from domain.dunning.opt_outs import OptOut, OptOutSource
from domain.errors import StateConflictError, ValidationError, VersionConflictError
from tests.unit.domain.builders import ADDRESS, NOW, a_debtor, the_detail_of

LATER: Final = Moment(datetime(2026, 9, 2, 13, 0, tzinfo=UTC), date(2026, 9, 2))
EMAIL: Final = NewContactPoint(
    kind=ContactKind.EMAIL, source=ContactSource.DEBTOR, value="paulo@example.com"
)
MOBILE: Final = NewContactPoint(
    kind=ContactKind.MOBILE, source=ContactSource.CREDITOR_FILE, value="+5511912345678"
)
LETTERS: Final = NewContactPoint(
    kind=ContactKind.POSTAL, source=ContactSource.DEBTOR, address=ADDRESS
)
ACTIVE, INVALID, OPTED_OUT, DELETED = ContactStatus


def a_book(*news: NewContactPoint) -> ContactBook:
    """A book with `cpt_1`, `cpt_2` …, whose beginnings are told already."""
    book = ContactBook(a_debtor(), [])
    for number, new in enumerate(news, start=1):
        book.add(f"cpt_{number}", new, NOW).events.clear()
    return book


def a_point(status: ContactStatus = ACTIVE, **fields: Any) -> ContactPoint:
    (point,) = a_book(replace(EMAIL, **fields)).points
    point.status = status
    if status is OPTED_OUT:
        point.opt_out = OptOut(at=NOW.instant, source=OptOutSource.FORM)
    return point


def told(*points: ContactPoint) -> list[tuple[str, str]]:
    return [(event.resource_id, event.type) for point in points for event in point.events]


def test_a_new_one_is_active_and_the_first_of_its_kind_is_primary() -> None:
    book = ContactBook(a_debtor(), [])
    email = book.add("cpt_1", EMAIL, NOW)
    second = book.add("cpt_2", replace(EMAIL, value="outro@example.com"), NOW)
    mobile = book.add("cpt_3", MOBILE, NOW)
    assert [point.is_primary for point in (email, second, mobile)] == [True, False, True]
    assert {point.status for point in book.points} == {ACTIVE}
    (event,) = email.events
    assert event.type == "contact_point.created"
    assert event.debtor_id == "dbt_1"
    assert "paulo" not in repr(event)


@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"value": None}, [("value", "required_with")]),
        ({"address": ADDRESS}, [("address", "conflicts_with")]),
        ({"kind": ContactKind.POSTAL}, [("address", "required_with"), ("value", "conflicts_with")]),
        ({"value": "paulo"}, [("value", "invalid_email")]),
        ({"label": " "}, [("label", "out_of_range")]),
        ({"label": "casa\ntrabalho"}, [("label", "invalid_characters")]),
        (
            {"usable_as_legal_notice": True, "source": ContactSource.ENRICHMENT},
            [("usable_as_legal_notice", "conflicts_with")],
        ),
        (
            {
                "kind": ContactKind.PHONE,
                "value": "+551132123456",
                "usable_as_legal_notice": True,
            },
            [("usable_as_legal_notice", "conflicts_with")],
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    fields: dict[str, Any], details: list[tuple[str, str]]
) -> None:
    with pytest.raises(ValidationError) as refused:
        checked_contact_point(replace(EMAIL, **fields))
    assert [(one.field, one.code) for one in refused.value.details] == details


def test_a_postal_one_keeps_its_address_and_is_known_by_it_in_one_line() -> None:
    book = a_book(LETTERS)
    (point,) = book.points
    assert point.address == ADDRESS
    assert point.value == "rua das acacias, 120, centro, sao paulo, sp, 01001000"
    assert point.value_masked == "***, São Paulo - SP"


def test_making_one_primary_unmakes_the_other_and_says_so_of_both() -> None:
    book = a_book(EMAIL, replace(EMAIL, value="outro@example.com"), MOBILE)
    first, second, mobile = book.points
    book.change(second, ContactChange(label=None, is_primary=True), LATER)
    assert [point.is_primary for point in book.points] == [False, True, True]
    assert told(first, second, mobile) == [
        ("cpt_1", "contact_point.updated"),
        ("cpt_2", "contact_point.updated"),
    ]
    assert first.events[0].changes == {"is_primary": (True, False)}
    assert (first.version, second.version, mobile.version) == (2, 2, 1)
    assert first.updated_at == second.updated_at == LATER.instant


def test_a_new_primary_one_takes_over_at_once() -> None:
    book = a_book(EMAIL)
    book.add("cpt_2", replace(EMAIL, value="outro@example.com", is_primary=True), NOW)
    assert [point.is_primary for point in book.points] == [False, True]


def test_the_primary_one_stays_so_until_another_is_chosen() -> None:
    book = a_book(EMAIL)
    change = ContactChange(label=None, is_primary=False)
    detail = the_detail_of(lambda: book.change(book.points[0], change, LATER))
    assert (detail.field, detail.code) == ("is_primary", "conflicts_with")


def test_what_is_not_active_cannot_become_primary() -> None:
    book = a_book(EMAIL, replace(EMAIL, value="outro@example.com"))
    second = book.points[1]
    book.change(second, ContactChange(label=None, status=INVALID), NOW)
    with pytest.raises(StateConflictError):
        book.change(second, ContactChange(label=None, is_primary=True), LATER)


def test_a_primary_one_that_is_lost_hands_over_to_the_oldest_active_one() -> None:
    book = a_book(*(replace(EMAIL, value=f"{n}@example.com") for n in range(3)))
    first, second, third = book.points
    book.change(first, ContactChange(label=None, status=OPTED_OUT), LATER)
    assert [point.is_primary for point in (first, second, third)] == [False, True, False]
    back = ContactChange(label=None, status=ACTIVE, evidence="Pediu por e-mail")
    book.change(first, back, LATER)
    assert [point.is_primary for point in (first, second, third)] == [False, True, False]


def test_the_only_one_that_comes_back_is_primary_again() -> None:
    book = a_book(EMAIL)
    (point,) = book.points
    book.change(point, ContactChange(label=None, status=INVALID), LATER)
    assert not point.is_primary
    book.change(point, ContactChange(label=None, status=ACTIVE, is_verified=True), LATER)
    assert point.is_primary


@pytest.mark.parametrize(
    ("status", "change", "event"),
    [
        (ACTIVE, {"status": INVALID}, "contact_point.invalid"),
        (ACTIVE, {"status": OPTED_OUT}, "contact_point.updated"),
        (OPTED_OUT, {"status": ACTIVE, "evidence": "Pediu de volta"}, "contact_point.updated"),
        (INVALID, {"status": ACTIVE, "is_verified": True}, "contact_point.updated"),
    ],
)
def test_a_status_may_follow(status: ContactStatus, change: dict[str, Any], event: str) -> None:
    point = a_point(status)
    point.change(ContactChange(label=None, **change), LATER)
    assert point.status is change["status"]
    assert told(point) == [("cpt_1", event)]
    assert point.events[0].changes["status"] == (status.value, change["status"].value)
    assert "Pediu" not in repr(point.events)
    assert point.version == 2


@pytest.mark.parametrize(
    ("status", "after"),
    [(INVALID, OPTED_OUT), (OPTED_OUT, INVALID)],
)
def test_another_status_may_not(status: ContactStatus, after: ContactStatus) -> None:
    point = a_point(status)
    with pytest.raises(StateConflictError) as refused:
        point.change(ContactChange(label=None, status=after), LATER)
    assert refused.value.current_status == status.value
    assert (point.status, point.version) == (status, 1)


@pytest.mark.parametrize(
    ("status", "change", "field"),
    [
        (OPTED_OUT, {"status": ACTIVE}, "evidence"),
        (INVALID, {"status": ACTIVE}, "verified"),
        (INVALID, {"status": ACTIVE, "is_verified": False}, "verified"),
        (ACTIVE, {"evidence": "Pediu por telefone"}, "evidence"),
    ],
)
def test_a_status_needs_what_shows_it(
    status: ContactStatus, change: dict[str, Any], field: str
) -> None:
    point = a_point(status)
    detail = the_detail_of(lambda: point.change(ContactChange(label=None, **change), LATER))
    assert (detail.field, detail.code) == (field, "required_with")


def test_a_refusal_is_kept_with_its_evidence_and_how_it_ended() -> None:
    point = a_point()
    out = ContactChange(label=None, status=OPTED_OUT, evidence="Respondeu SAIR")
    point.change(out, NOW)
    assert point.is_refused
    point.change(ContactChange(label=None, status=ACTIVE, evidence="Pediu de volta"), LATER)
    assert point.opt_out == OptOut(
        at=NOW.instant,
        source=OptOutSource.MEMBER,
        evidence="Respondeu SAIR",
        ended_at=LATER.instant,
        ended_evidence="Pediu de volta",
    )
    assert not point.is_refused


@pytest.mark.parametrize("status", [ACTIVE, INVALID, OPTED_OUT])
def test_what_is_so_already_is_no_change(status: ContactStatus) -> None:
    point = a_point(status)
    point.change(ContactChange(label=None, status=status), LATER)
    assert (point.version, told(point)) == (1, [])


def test_a_refusal_takes_its_evidence_later_and_once() -> None:
    point = a_point(OPTED_OUT)
    shown = ContactChange(label=None, status=OPTED_OUT, evidence="Respondeu SAIR")
    point.change(shown, LATER)
    point.change(shown, LATER)
    assert point.opt_out == OptOut(
        at=NOW.instant, source=OptOutSource.FORM, evidence="Respondeu SAIR"
    )
    (event,) = point.events
    assert (point.version, event.changes) == (2, {"evidence": (None, None)})
    other = replace(shown, evidence="Ligou para pedir")
    detail = the_detail_of(lambda: point.change(other, LATER))
    assert (detail.field, detail.code) == ("evidence", "conflicts_with")


def test_verifying_notes_the_instant_once() -> None:
    point = a_point()
    point.change(ContactChange(label=None, is_verified=True), NOW)
    point.change(ContactChange(label=None, is_verified=True), LATER)
    assert (point.verified_at, point.version) == (NOW.instant, 2)
    point.change(ContactChange(label=None, is_verified=False), LATER)
    assert point.verified_at is None


def test_of_a_label_events_say_only_that_there_is_another() -> None:
    point = a_point()
    point.change(ContactChange(label="celular da Ana"), LATER)
    assert point.label == "celular da Ana"
    assert point.events[0].changes == {"label": (None, None)}


def test_two_hard_failures_make_it_invalid() -> None:
    book = a_book(EMAIL, replace(EMAIL, value="outro@example.com"))
    first, second = book.points
    book.note_failure(first, NOW)
    assert (first.status, first.failure_count, first.is_primary) == (ACTIVE, 1, True)
    book.note_failure(first, LATER)
    assert (first.status, first.failure_count, first.is_primary) == (INVALID, 2, False)
    assert first.last_failure_at == LATER.instant
    assert second.is_primary
    assert told(first) == [("cpt_1", "contact_point.updated"), ("cpt_1", "contact_point.invalid")]


def test_failures_are_forgotten_when_it_is_trusted_again() -> None:
    point = a_point()
    point.note_failure(NOW)
    point.note_failure(NOW)
    point.change(ContactChange(label=None, status=ACTIVE, is_verified=True), LATER)
    point.note_failure(LATER)
    assert (point.status, point.failure_count) == (ACTIVE, 1)


def test_a_refusal_is_not_undone_by_failures() -> None:
    point = a_point(OPTED_OUT)
    point.note_failure(NOW)
    point.note_failure(NOW)
    assert point.status is OPTED_OUT


@pytest.mark.parametrize(
    ("fields", "status", "is_kept"),
    [
        ({}, ACTIVE, False),
        ({}, INVALID, False),
        ({}, OPTED_OUT, True),
        ({"usable_as_legal_notice": True}, ACTIVE, True),
    ],
)
def test_only_notices_and_refusals_are_kept(
    fields: dict[str, Any], status: ContactStatus, *, is_kept: bool
) -> None:
    assert a_point(status, **fields).is_kept_when_deleted is is_kept


def test_an_anonymised_debtor_gets_no_contacts() -> None:
    debtor = a_debtor()
    debtor.status = DebtorStatus.ANONYMIZED
    with pytest.raises(StateConflictError):
        ContactBook(debtor, []).add("cpt_1", EMAIL, NOW)


def test_a_stale_version_is_a_conflict() -> None:
    point = a_point()
    point.refuse_stale(None)
    point.refuse_stale(1)
    with pytest.raises(VersionConflictError):
        point.refuse_stale(2)


def test_the_oldest_active_phone_says_where_a_debtor_is() -> None:
    book = a_book(
        EMAIL,
        replace(MOBILE, value="+5592912345678"),
        replace(MOBILE, value="+5511912345678", relation=Relation.LEGAL_REPRESENTATIVE),
    )
    assert first_phone_uf(book.points) == "AM"
    book.change(book.points[1], ContactChange(label=None, status=INVALID), NOW)
    assert first_phone_uf(book.points) == "SP"
    assert first_phone_uf(a_book(EMAIL).points) is None


def test_a_debtors_place_is_that_of_the_address_and_only_else_that_of_the_phone() -> None:
    book = a_book(replace(MOBILE, value="+5592912345678"))
    assert place_of(a_debtor(), book.points) == Place(uf="AM")
    assert place_of(a_debtor(), []) == Place()
    assert place_of(a_debtor(address=ADDRESS), book.points) == Place(uf="SP", city="São Paulo")


def test_a_debtor_without_an_address_lives_where_their_phone_is() -> None:
    debtor = a_debtor()
    debtor.events.clear()
    debtor.follow_phone("AM", "America/Sao_Paulo", LATER)
    assert (debtor.timezone, debtor.version) == ("America/Manaus", 2)
    assert debtor.events[0].changes == {"timezone": ("America/Sao_Paulo", "America/Manaus")}
    debtor.follow_phone("AM", "America/Sao_Paulo", LATER)
    assert debtor.version == 2
    debtor.follow_phone(None, "America/Sao_Paulo", LATER)
    assert debtor.timezone == "America/Sao_Paulo"


def test_a_debtor_with_an_address_stays_there() -> None:
    debtor = a_debtor(address=ADDRESS)
    debtor.follow_phone("AM", "America/Sao_Paulo", LATER)
    assert (debtor.timezone, debtor.version) == ("America/Sao_Paulo", 1)
