"""Whom and by what a debtor may be contacted: refusals, contact points, flags and holds."""

from dataclasses import replace
from datetime import date
from typing import Final

import pytest

from domain.dunning.contact_book import ContactBook
from domain.dunning.contact_points import (
    ContactChange,
    ContactKind,
    ContactSource,
    ContactStatus,
    Relation,
)
from domain.dunning.contact_rules import ContactReason, Situation, check_contact
from domain.dunning.debtors import DebtorStatus
from domain.dunning.holds import Blocks, Hold, HoldCode, ManualHold, holds_of
from domain.dunning.interactions import InteractionChannel
from domain.dunning.new_contact_points import NewContactPoint
from domain.dunning.restrictions import Channel, DebtorFlag, DoNotContact
from tests.unit.domain.builders import ADDRESS, NOW, a_charge, a_debtor
from tests.unit.domain.situations import (
    EMAIL,
    MOBILE,
    WHATSAPP,
    a_situation,
    at,
    contacts,
    in_uf,
    next_allowed,
    reasons,
)


def test_a_refused_channel_is_refused_alone() -> None:
    debtor = in_uf("SP")
    debtor.opted_out_channels = (Channel.SMS, Channel.WHATSAPP)
    situation = a_situation(debtor)
    instant = at("2026-09-01", "10:00")
    found = {channel: reasons(situation, channel, instant) for channel in Channel}
    assert found == {
        Channel.EMAIL: [],
        Channel.SMS: ["opted_out"],
        Channel.WHATSAPP: ["opted_out"],
        Channel.VOICE: [],
        Channel.LETTER: [],
    }
    assert next_allowed(situation, Channel.WHATSAPP, instant) is None


POINTS: Final[list[tuple[tuple[NewContactPoint, ...], dict[Channel, list[str]]]]] = [
    (
        (),
        {channel: ["no_contact_point"] for channel in Channel if channel is not Channel.LETTER},
    ),
    ((EMAIL,), {Channel.EMAIL: [], Channel.SMS: ["no_contact_point"]}),
    ((MOBILE,), {Channel.SMS: [], Channel.WHATSAPP: [], Channel.VOICE: []}),
    ((WHATSAPP,), {Channel.WHATSAPP: [], Channel.SMS: ["no_contact_point"]}),
    (
        (replace(MOBILE, kind=ContactKind.PHONE, value="+551132123456"),),
        {Channel.VOICE: [], Channel.SMS: ["no_contact_point"]},
    ),
    (
        (replace(EMAIL, relation=Relation.GUARANTOR),),
        {Channel.EMAIL: ["third_party_contact"]},
    ),
    (
        (replace(EMAIL, relation=Relation.COMPANY_CONTACT),),
        {Channel.EMAIL: ["third_party_contact"]},
    ),
    ((replace(EMAIL, relation=Relation.LEGAL_REPRESENTATIVE),), {Channel.EMAIL: []}),
]


@pytest.mark.parametrize(("points", "expected"), POINTS)
def test_a_channel_needs_a_contact_point_of_its_own(
    points: tuple[NewContactPoint, ...], expected: dict[Channel, list[str]]
) -> None:
    situation = a_situation(points=points)
    found = {one: reasons(situation, one, at("2026-09-01", "10:00")) for one in expected}
    assert found == expected


def test_a_companys_contact_may_be_told_of_the_companys_debt() -> None:
    company = in_uf("SP", document="11.222.333/0001-81")
    situation = a_situation(company, [replace(EMAIL, relation=Relation.COMPANY_CONTACT)])
    assert reasons(situation, Channel.EMAIL, at("2026-09-01", "10:00")) == []


def with_status(situation: Situation, index: int, status: ContactStatus) -> Situation:
    book = ContactBook(situation.debtor, list(situation.points))
    book.change(book.points[index], ContactChange(label=None, status=status), NOW)
    return situation


def test_a_refused_whatsapp_is_not_reached_by_the_mobile_instead() -> None:
    situation = with_status(a_situation(), 2, ContactStatus.OPTED_OUT)
    assert reasons(situation, Channel.WHATSAPP, at("2026-09-01", "10:00")) == ["opted_out"]
    assert reasons(situation, Channel.SMS, at("2026-09-01", "10:00")) == []


def test_invalid_and_refused_contact_points_are_both_told() -> None:
    second = replace(EMAIL, value="outro@example.com")
    situation = a_situation(points=[EMAIL, second])
    with_status(situation, 0, ContactStatus.INVALID)
    assert reasons(situation, Channel.EMAIL, at("2026-09-01", "10:00")) == []
    with_status(situation, 1, ContactStatus.OPTED_OUT)
    assert reasons(situation, Channel.EMAIL, at("2026-09-01", "10:00")) == [
        "opted_out",
        "contact_invalid",
    ]


def test_a_letter_goes_to_the_address_unless_letters_there_are_refused() -> None:
    instant = at("2026-09-01", "10:00")
    letters = NewContactPoint(kind=ContactKind.POSTAL, source=ContactSource.DEBTOR, address=ADDRESS)
    assert reasons(a_situation(a_debtor(), ()), Channel.LETTER, instant) == ["no_contact_point"]
    assert reasons(a_situation(a_debtor(), [letters]), Channel.LETTER, instant) == []
    lost = with_status(a_situation(points=[letters]), 0, ContactStatus.INVALID)
    assert reasons(lost, Channel.LETTER, instant) == []
    refused = with_status(a_situation(points=[letters]), 0, ContactStatus.OPTED_OUT)
    assert reasons(refused, Channel.LETTER, instant) == ["opted_out"]


@pytest.mark.parametrize(
    ("flag", "code"),
    [
        (DebtorFlag.DECEASED, "deceased"),
        (DebtorFlag.MINOR, "minor"),
        (DebtorFlag.REPRESENTED_BY_LAWYER, "lawyer"),
        (DebtorFlag.JUDICIAL_RECOVERY, "judicial_recovery"),
        (DebtorFlag.BANKRUPT, "bankrupt"),
        (DebtorFlag.OVER_INDEBTED_PLAN, "over_indebted_plan"),
    ],
)
def test_a_flag_stops_every_channel_for_as_long_as_it_is_there(flag: DebtorFlag, code: str) -> None:
    debtor = in_uf("SP")
    debtor.flags = (flag,)
    situation = a_situation(debtor)
    for channel in Channel:
        assert reasons(situation, channel, at("2026-09-01", "10:00")) == [code]
        assert next_allowed(situation, channel, at("2026-09-01", "10:00")) is None


@pytest.mark.parametrize("status", [DebtorStatus.ARCHIVED, DebtorStatus.ANONYMIZED])
def test_who_is_set_aside_is_not_contacted(status: DebtorStatus) -> None:
    situation = a_situation()
    situation.debtor.status = status
    assert reasons(situation, Channel.EMAIL, at("2026-09-01", "10:00")) == ["archived"]


def test_a_ban_ends_after_its_last_day() -> None:
    debtor = in_uf("SP")
    debtor.do_not_contact = DoNotContact(
        active=True, since=date(2026, 8, 1), until=date(2027, 3, 25)
    )
    situation = a_situation(debtor)
    instant = at("2026-09-01", "10:00")
    assert reasons(situation, Channel.LETTER, instant) == ["do_not_contact"]
    # The day after is Good Friday.
    assert next_allowed(situation, Channel.EMAIL, instant) == at("2027-03-27", "08:00")
    debtor.do_not_contact = DoNotContact(active=True, since=date(2026, 8, 1))
    assert next_allowed(situation, Channel.EMAIL, instant) is None


def test_holds_of_a_charge_stop_contact_about_it() -> None:
    charge = a_charge(due_date=date(2026, 9, 10))
    situation = a_situation()
    about = replace(situation, holds_on=lambda day: holds_of(charge, situation.debtor, day))
    instant = at("2026-09-01", "10:00")
    assert reasons(about, Channel.EMAIL, instant) == []
    charge.manual_hold = ManualHold(
        reason="Em análise",
        since=date(2026, 9, 1),
        until=date(2026, 9, 3),
        blocks=(Blocks.OUTBOUND,),
    )
    assert reasons(about, Channel.EMAIL, instant) == ["manual"]
    assert next_allowed(about, Channel.EMAIL, instant) == at("2026-09-04", "08:00")
    charge.manual_hold = replace(charge.manual_hold, blocks=(Blocks.LEGAL,))
    assert reasons(about, Channel.EMAIL, instant) == []
    charge.manual_hold = None
    charge.total_due = 5
    assert reasons(about, Channel.EMAIL, instant) == ["tolerance"]


def test_a_debt_that_prescribes_while_one_waits_is_not_asked_for_any_more() -> None:
    charge = a_charge(due_date=date(2026, 9, 10))
    charge.prescription_date = date(2026, 9, 1)
    situation = a_situation()
    about = replace(situation, holds_on=lambda day: holds_of(charge, situation.debtor, day))
    verdict = check_contact(about, Channel.EMAIL, at("2026-09-01", "21:00"))
    assert verdict.reasons == (ContactReason.OUTSIDE_WINDOW,)
    assert verdict.next_allowed_at is None
    assert reasons(about, Channel.EMAIL, at("2026-09-02", "10:00")) == ["prescribed"]


def test_everything_that_speaks_against_it_is_told_in_one_order() -> None:
    debtor = in_uf("RJ")
    debtor.flags = (DebtorFlag.REPRESENTED_BY_LAWYER, DebtorFlag.DECEASED)
    debtor.do_not_contact = DoNotContact(active=True)
    debtor.opted_out_channels = (Channel.VOICE,)
    debtor.status = DebtorStatus.ARCHIVED
    past = contacts(
        *(at("2026-09-07", f"0{hour}:00") for hour in (1, 2, 3)), by=InteractionChannel.VOICE
    )
    situation = a_situation(debtor, (), contacts=past)
    assert reasons(situation, Channel.VOICE, at("2026-09-07", "21:00")) == [
        "outside_window",
        "holiday",
        "daily_cap",
        "weekly_cap",
        "voice_cap",
        "opted_out",
        "do_not_contact",
        "no_contact_point",
        "deceased",
        "lawyer",
        "archived",
    ]


def test_every_hold_that_there_is_has_a_reason() -> None:
    for code in HoldCode:
        hold = Hold(code=code, since=None, until=None, source="dbt_1", blocks=(Blocks.ALL,))
        situation = a_situation(holds_on=lambda _, hold=hold: (hold,))
        assert len(reasons(situation, Channel.EMAIL, at("2026-09-01", "10:00"))) == 1
