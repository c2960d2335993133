"""A debtor changes whole or not at all; what protects them ends only for a reason."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from domain.dunning.charge_states import ChargeStatus
from domain.dunning.debtors import Debtor, DebtorChange, DebtorStatus
from domain.dunning.documents import Document, PersonType
from domain.dunning.moment import Moment
from domain.dunning.restrictions import Channel, DebtorFlag, DoNotContact, DoNotContactReason
from domain.errors import StateConflictError, VersionConflictError
from tests.unit.domain.builders import (
    ADDRESS,
    NOW,
    TODAY,
    a_debtor,
    an_organization,
    the_detail_of,
)

CNPJ = "12.abc.345/01de-35"
LATER = Moment(NOW.instant + timedelta(days=1), TODAY + timedelta(days=1))
BAN = DoNotContact(active=True, reason=DoNotContactReason.LAWYER, since=TODAY)
WHY = "O advogado renunciou."


def a_kept_debtor(**fields: Any) -> Debtor:
    """A debtor whose registration has been told."""
    debtor = a_debtor(**fields)
    debtor.events.clear()
    return debtor


def a_change(debtor: Debtor, **others: Any) -> DebtorChange:
    """The debtor as they are, but for `others`."""
    stated = {name: others.pop(name) for name in list(others) if hasattr(debtor.stated, name)}
    same = DebtorChange(
        stated=replace(debtor.stated, **stated),
        status=debtor.status,
        flags=debtor.flags,
        do_not_contact=debtor.do_not_contact,
        opted_out_channels=debtor.opted_out_channels,
    )
    return replace(same, **others)


def changed(debtor: Debtor, **others: Any) -> Debtor:
    debtor.change(a_change(debtor, **others), an_organization(), LATER)
    return debtor


def refusing(debtor: Debtor, **others: Any) -> Callable[[], object]:
    return lambda: changed(debtor, **others)


def test_a_change_is_a_new_version_and_one_event() -> None:
    debtor = changed(a_kept_debtor(), is_consumer=False, is_consumer_reason="Produtor rural.")

    (event,) = debtor.events
    assert (debtor.version, debtor.updated_at) == (2, LATER.instant)
    assert event.type == "debtor.updated"
    assert event.changes == {"is_consumer": (True, False), "is_consumer_reason": (None, None)}
    assert event.data == {
        "id": "dbt_1",
        "person_type": "individual",
        "is_consumer": False,
        "uf": None,
        "status": "active",
    }


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"name": " Paulo Nogueira "},
        {"flags": (DebtorFlag.MINOR, DebtorFlag.DECEASED)},
        {"opted_out_channels": (Channel.SMS, Channel.EMAIL, Channel.SMS)},
        {"do_not_contact": replace(BAN, since=None)},
        {"custom_data": {"b": [1, True], "a": 1}},
        {"reason": WHY},
    ],
)
def test_what_is_so_already_changes_nothing(others: dict[str, Any]) -> None:
    debtor = a_kept_debtor(custom_data={"a": 1, "b": [1, True]})
    debtor.flags = (DebtorFlag.DECEASED, DebtorFlag.MINOR)
    debtor.opted_out_channels = (Channel.EMAIL, Channel.SMS)
    debtor.do_not_contact = BAN

    changed(debtor, **others)

    assert (debtor.version, debtor.updated_at, debtor.events) == (1, NOW.instant, [])


def test_one_and_true_are_not_the_same_in_json() -> None:
    debtor = changed(a_kept_debtor(custom_data={"a": 1}), custom_data={"a": True})

    assert debtor.version == 2
    assert debtor.custom_data == {"a": True}


SECRETS: dict[str, Any] = {
    "name": "Rosa Amarante",
    "trade_name": "Flor de Rosa",
    "document": "168.995.350-09",
    "is_consumer_reason": "Revende flores",
    "birth_date": date(1971, 3, 9),
    "address": replace(ADDRESS, street="Rua do Segredo"),
    "tags": ("amiga da Rosa",),
    "external_id": "CLI-1689",
    "notes": "Mora com a mãe.",
    "custom_data": {"mãe": "Rosalina"},
}


@pytest.mark.parametrize("name", SECRETS)
def test_of_a_field_that_says_who_it_is_only_the_change_is_told(name: str) -> None:
    (event,) = changed(a_kept_debtor(), **{name: SECRETS[name]}).events

    assert event.changes[name] == (None, None)
    for secret in ("Ros", "168", "1971", "Segredo", "Revende", "mãe"):
        assert secret not in f"{event}"


def test_the_words_that_are_searched_follow_the_name() -> None:
    debtor = changed(a_kept_debtor(), name="Rosa Ávila", external_id="CLI-7")

    assert debtor.search_text == "rosa avila cli-7"


def test_state_and_time_zone_follow_the_address() -> None:
    debtor = changed(a_kept_debtor(), address=replace(ADDRESS, uf="AM"))
    assert (debtor.uf, debtor.timezone) == ("AM", "America/Manaus")
    assert debtor.events[0].changes["timezone"] == ("America/Sao_Paulo", "America/Manaus")

    changed(debtor, address=None)
    assert (debtor.uf, debtor.timezone) == (None, "America/Sao_Paulo")


def test_a_time_zone_that_came_from_a_phone_stays_while_the_address_does() -> None:
    debtor = a_kept_debtor()
    debtor.follow_phone("AC", "America/Sao_Paulo", NOW)

    assert changed(debtor, notes="Liga à tarde.").timezone == "America/Rio_Branco"


@pytest.mark.parametrize(
    ("before", "document", "person_type", "is_consumer"),
    [
        ({}, CNPJ, PersonType.COMPANY, False),
        ({"document": CNPJ}, "529.982.247-25", PersonType.INDIVIDUAL, True),
        ({"document": CNPJ, "is_consumer": True}, "11.222.333/0001-81", PersonType.COMPANY, True),
    ],
)
def test_kind_of_person_and_protection_follow_the_document(
    *, before: dict[str, Any], document: str, person_type: PersonType, is_consumer: bool
) -> None:
    debtor = changed(a_kept_debtor(**before), document=document)

    assert (debtor.person_type, debtor.is_consumer) == (person_type, is_consumer)


def test_a_person_stays_protected_without_a_reason() -> None:
    debtor = a_kept_debtor(is_consumer=False, is_consumer_reason="Produtor rural.")

    detail = the_detail_of(refusing(debtor, is_consumer_reason=None))

    assert (detail.field, detail.code) == ("is_consumer_reason", "required_with")
    assert debtor.version == 1


def test_another_document_is_refused_once_there_is_a_charge() -> None:
    debtor = a_kept_debtor()

    debtor.refuse_new_document(0)
    with pytest.raises(StateConflictError):
        debtor.refuse_new_document(1)


def test_a_stale_version_is_a_conflict_even_where_nothing_would_change() -> None:
    debtor = a_kept_debtor()

    changed(debtor, version=1)
    with pytest.raises(VersionConflictError):
        changed(debtor, version=2)


def restricted() -> Debtor:
    debtor = a_kept_debtor()
    debtor.flags = (DebtorFlag.BANKRUPT, DebtorFlag.MINOR)
    debtor.opted_out_channels = (Channel.EMAIL, Channel.VOICE)
    debtor.do_not_contact = replace(BAN, until=TODAY + timedelta(days=30))
    return debtor


LIFTED = [
    {"flags": (DebtorFlag.MINOR,)},
    {"flags": (DebtorFlag.MINOR, DebtorFlag.DECEASED)},
    {"opted_out_channels": (Channel.SMS, Channel.EMAIL)},
    {"do_not_contact": DoNotContact()},
    {"do_not_contact": replace(BAN, until=TODAY + timedelta(days=29))},
]


@pytest.mark.parametrize("others", LIFTED)
def test_a_restriction_ends_only_for_a_reason(others: dict[str, Any]) -> None:
    debtor = restricted()

    detail = the_detail_of(refusing(debtor, **others))
    assert (detail.field, detail.code, debtor.version) == ("reason", "required_with", 1)

    event = changed(debtor, **others, reason=WHY).events[0]
    assert event.changes["reason"] == (None, None)
    assert WHY not in f"{event}"


@pytest.mark.parametrize(
    "others",
    [
        {"flags": tuple(DebtorFlag)},
        {"opted_out_channels": tuple(Channel)},
        {"do_not_contact": replace(BAN, until=None)},
        {"do_not_contact": replace(BAN, until=TODAY + timedelta(days=31))},
        {
            "do_not_contact": replace(
                BAN, until=TODAY + timedelta(days=30), reason=DoNotContactReason.COURT_ORDER
            )
        },
    ],
)
def test_a_restriction_grows_without_a_reason(others: dict[str, Any]) -> None:
    assert changed(restricted(), **others).version == 2


def test_a_ban_that_has_run_out_is_cleared_without_a_reason() -> None:
    debtor = a_kept_debtor()
    debtor.do_not_contact = replace(BAN, until=TODAY)

    assert not changed(debtor, do_not_contact=DoNotContact()).do_not_contact.active


@pytest.mark.parametrize(
    ("others", "channels", "is_banned"),
    [
        ({"opted_out_channels": (Channel.EMAIL, Channel.SMS)}, ["sms"], False),
        ({"do_not_contact": replace(BAN, since=None)}, [], True),
    ],
)
def test_a_refusal_is_told_as_one(
    *, others: dict[str, Any], channels: list[str], is_banned: bool
) -> None:
    debtor = a_kept_debtor()
    debtor.opted_out_channels = (Channel.EMAIL,)

    updated, refused = changed(debtor, **others).events

    assert (updated.type, refused.type, refused.changes) == (
        "debtor.updated",
        "debtor.opted_out",
        {},
    )
    assert refused.data["channels"] == channels
    assert refused.data["do_not_contact"] is is_banned


def test_a_ban_begins_today_and_a_longer_one_keeps_its_beginning() -> None:
    debtor = changed(a_kept_debtor(), do_not_contact=replace(BAN, since=None))
    assert debtor.do_not_contact.since == LATER.today

    debtor.do_not_contact = replace(BAN, since=date(2026, 1, 5))
    changed(debtor, do_not_contact=replace(BAN, since=None, reason=DoNotContactReason.REQUEST))
    assert debtor.do_not_contact.since == date(2026, 1, 5)
    assert debtor.events[-1].changes["do_not_contact"] == (
        {"active": True, "reason": "lawyer", "since": "2026-01-05", "until": None},
        {"active": True, "reason": "request", "since": "2026-01-05", "until": None},
    )


@pytest.mark.parametrize(
    ("ban", "field", "code"),
    [
        (replace(BAN, reason=None), "reason", "required_with"),
        (replace(BAN, since=LATER.today + timedelta(days=1)), "since", "out_of_range"),
        (replace(BAN, until=TODAY - timedelta(days=1)), "until", "out_of_range"),
        (DoNotContact(reason=DoNotContactReason.LAWYER), "active", "conflicts_with"),
        (DoNotContact(until=TODAY), "active", "conflicts_with"),
    ],
)
def test_a_ban_that_means_nothing_is_refused(ban: DoNotContact, field: str, code: str) -> None:
    detail = the_detail_of(refusing(a_kept_debtor(), do_not_contact=ban))

    assert (detail.field, detail.code) == (f"do_not_contact.{field}", code)


@pytest.mark.parametrize("status", ["pending", "overdue", "renegotiated"])
def test_who_has_something_to_be_collected_cannot_leave(status: str) -> None:
    with pytest.raises(StateConflictError) as refused:
        a_kept_debtor().refuse_leaving({ChargeStatus(status): 2}, {})

    assert refused.value.current_status == "active"
    assert ": 2;" in refused.value.message.en


def test_what_was_paid_cancelled_or_given_up_holds_nobody() -> None:
    settled = (ChargeStatus.PAID, ChargeStatus.CANCELED, ChargeStatus.WRITTEN_OFF)

    a_kept_debtor().refuse_leaving(dict.fromkeys(settled, 3), dict.fromkeys(settled, 3))


@pytest.mark.parametrize("status", ["pending", "overdue", "renegotiated"])
def test_who_guarantees_what_is_collected_from_others_stays(status: str) -> None:
    with pytest.raises(StateConflictError) as refused:
        a_kept_debtor().refuse_leaving({}, {ChargeStatus(status): 2})

    assert refused.value.current_status == "active"
    assert "Guarantees open charges of others: 2;" in refused.value.message.en


def test_an_archived_debtor_comes_back_by_a_change() -> None:
    debtor = a_kept_debtor()
    debtor.archive(WHY, NOW)
    changed(debtor, status=DebtorStatus.ACTIVE)

    archived, back = debtor.events
    assert archived.type == "debtor.archived"
    assert archived.changes == {"status": ("active", "archived"), "reason": (None, None)}
    assert (back.type, back.changes) == ("debtor.updated", {"status": ("archived", "active")})
    assert debtor.version == 3


def forgotten() -> Debtor:
    secrets = SECRETS | {"is_consumer": False, "external_id": "CLI-7"}
    debtor = a_kept_debtor(**secrets)
    debtor.anonymize("LGPD-2026/17", "America/Sao_Paulo", LATER)
    return debtor


def test_of_a_forgotten_debtor_nothing_is_left_that_names_them() -> None:
    debtor = forgotten()

    assert (debtor.name, debtor.document.masked, debtor.document.formatted) == ("***",) * 3
    assert debtor.document == Document.erased(debtor.id)
    assert (debtor.search_text, debtor.tags, debtor.uf) == ("", (), None)
    assert (debtor.status, debtor.anonymized_at) == (DebtorStatus.ANONYMIZED, LATER.instant)
    assert (debtor.person_type, debtor.is_consumer) == (PersonType.INDIVIDUAL, False)
    left = f"{vars(debtor)}"
    for secret in ("Ros", "168", "1971", "Segredo", "Revende", "mãe", "CLI-7"):
        assert secret not in left


def test_its_event_has_no_data_and_keeps_the_reference_of_the_request() -> None:
    (event,) = forgotten().events

    assert (event.type, event.data) == ("debtor.anonymized", {})
    assert event.changes == {"request_reference": (None, "LGPD-2026/17")}


@pytest.mark.parametrize("charges", [{}, {ChargeStatus.PENDING: 1}])
def test_a_forgotten_debtor_is_never_changed_again(charges: dict[ChargeStatus, int]) -> None:
    debtor = forgotten()

    for act in (
        refusing(debtor, document="529.982.247-25"),
        lambda: debtor.refuse_leaving(charges, {}),
    ):
        with pytest.raises(StateConflictError) as refused:
            act()
        assert refused.value.current_status == "anonymized"
