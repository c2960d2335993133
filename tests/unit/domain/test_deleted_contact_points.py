"""What is left of a deleted contact point, and how its value is known again."""

import hashlib
from dataclasses import replace

from domain.dunning.contact_book import ContactBook
from domain.dunning.contact_digests import contact_digest
from domain.dunning.contact_points import (
    ContactChange,
    ContactKind,
    ContactStatus,
)
from domain.dunning.opt_outs import OptOut, OptOutSource
from tests.unit.domain.builders import NOW, a_debtor
from tests.unit.domain.test_contact_points import EMAIL, LATER, LETTERS, MOBILE, a_book, told

ACTIVE, OPTED_OUT = ContactStatus.ACTIVE, ContactStatus.OPTED_OUT


def test_a_deleted_one_says_nothing_of_where_it_led() -> None:
    book = a_book(replace(EMAIL, label="trabalho"), LETTERS)
    for point in list(book.points):
        book.delete(point, LATER)
        assert (point.label, point.address, point.is_primary) == (None, None, False)
        assert point.value == "***"
        assert book.find(point.id) is None
    assert told(*book.points) == [
        ("cpt_1", "contact_point.deleted"),
        ("cpt_2", "contact_point.deleted"),
    ]


def test_a_deleted_refusal_keeps_its_dates_and_not_what_was_written() -> None:
    book = a_book(MOBILE)
    (point,) = book.points
    said = ContactChange(label=None, status=OPTED_OUT, evidence="Paulo respondeu SAIR")
    book.change(point, said, NOW)
    back = ContactChange(label=None, status=ACTIVE, evidence="Paulo pediu de volta")
    book.change(point, back, NOW)
    book.change(point, said, LATER)
    book.delete(point, LATER)
    assert point.opt_out == OptOut(at=LATER.instant, source=OptOutSource.MEMBER)
    assert "Paulo" not in f"{vars(point)}"


def test_the_digest_of_a_value_is_slow_to_guess_and_of_one_debtor_and_kind() -> None:
    expected = hashlib.scrypt(b"+5511912345678", salt=b"org_1:dbt_1:mobile", n=2**14, r=8, p=1)
    digest = contact_digest("org_1", "dbt_1", "mobile", "+5511912345678")
    assert digest == expected.hex()[:64]
    assert digest != contact_digest("org_1", "dbt_2", "mobile", "+5511912345678")
    assert digest != contact_digest("org_1", "dbt_1", "phone", "+5511912345678")


def test_a_deleted_refusal_is_known_again_by_its_value() -> None:
    book = a_book(MOBILE)
    (point,) = book.points
    book.change(point, ContactChange(label=None, status=OPTED_OUT), NOW)
    book.delete(point, NOW)
    point.events.clear()
    again = book.add("cpt_9", replace(MOBILE, value="(11) 91234-5678", label="novo"), LATER)
    assert again is point
    assert (again.id, again.status, again.is_primary) == ("cpt_1", OPTED_OUT, False)
    assert (again.value, again.label) == ("+5511912345678", "novo")
    assert told(again) == [("cpt_1", "contact_point.created")]


def test_a_deleted_notice_comes_back_active_and_loses_its_verification() -> None:
    book = a_book(replace(EMAIL, usable_as_legal_notice=True))
    (point,) = book.points
    book.change(point, ContactChange(label=None, is_verified=True), NOW)
    book.delete(point, NOW)
    again = book.add("cpt_9", EMAIL, LATER)
    assert again is point
    assert (again.status, again.is_primary, again.verified_at) == (ACTIVE, True, None)
    assert not again.usable_as_legal_notice


def test_a_refusal_is_of_one_kind_and_one_debtor() -> None:
    book = a_book(MOBILE)
    (point,) = book.points
    book.change(point, ContactChange(label=None, status=OPTED_OUT), NOW)
    book.delete(point, NOW)
    other_kind = book.add("cpt_2", replace(MOBILE, kind=ContactKind.WHATSAPP), NOW)
    assert other_kind.status is ACTIVE
    other = a_debtor()
    other.id = "dbt_2"
    assert ContactBook(other, book.points).add("cpt_3", MOBILE, NOW).status is ACTIVE
