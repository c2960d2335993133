"""Hours, holidays and caps: at what time a debtor may be contacted, and when the next time is."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.contact_rules import ContactReason, PastContact, check_contact
from domain.dunning.contact_windows import ContactWindows, Window, legal_window
from domain.dunning.holds import Blocks, Hold, HoldCode
from domain.dunning.interactions import InteractionChannel
from domain.dunning.organization_settings import FrequencyCaps, Settings
from domain.dunning.restrictions import Channel
from tests.unit.domain.builders import a_debtor
from tests.unit.domain.situations import (
    EMAIL,
    MANAUS,
    MOBILE,
    SAO_PAULO,
    a_situation,
    at,
    contacts,
    in_uf,
    next_allowed,
    reasons,
)

# 2026-09-01 is a Tuesday, the 7th, a Monday, Independence Day.
HOURS: Final = [
    ("SP", "2026-09-01", "07:59", False),
    ("SP", "2026-09-01", "08:00", True),
    ("SP", "2026-09-01", "19:59", True),
    ("SP", "2026-09-01", "20:00", False),
    ("SP", "2026-09-05", "13:59", True),
    ("SP", "2026-09-05", "14:00", False),
    ("SP", "2026-09-06", "10:00", False),
    ("RJ", "2026-09-01", "08:59", False),
    ("RJ", "2026-09-01", "09:00", True),
    ("RJ", "2026-09-01", "19:00", False),
    ("RJ", "2026-09-05", "10:00", False),
    ("ES", "2026-09-01", "08:00", True),
    ("ES", "2026-09-01", "19:00", False),
    ("ES", "2026-09-05", "10:00", False),
    ("AL", "2026-09-01", "19:59", True),
    ("AL", "2026-09-05", "13:59", True),
    ("MG", "2026-09-01", "19:59", True),
    ("MG", "2026-09-01", "20:00", False),
    ("MG", "2026-09-05", "14:00", False),
]


@pytest.mark.parametrize(("uf", "day", "time", "is_allowed"), HOURS)
@pytest.mark.parametrize("channel", [one for one in Channel if one is not Channel.LETTER])
def test_hours_are_those_of_the_debtors_state_and_end_before_their_end(
    uf: str, day: str, time: str, channel: Channel, *, is_allowed: bool
) -> None:
    found = reasons(a_situation(in_uf(uf)), channel, at(day, time))
    assert found == ([] if is_allowed else ["outside_window"])


def test_at_half_past_eight_in_the_evening_it_is_the_next_morning() -> None:
    verdict = check_contact(a_situation(), Channel.SMS, at("2026-09-01", "20:30"))
    assert verdict.reasons == (ContactReason.OUTSIDE_WINDOW,)
    assert verdict.next_allowed_at == at("2026-09-02", "08:00")
    assert verdict.next_allowed_at.tzinfo is UTC


def test_the_hour_is_that_of_the_debtor_and_not_of_the_creditor() -> None:
    evening = at("2026-09-01", "18:30", MANAUS)
    assert evening.astimezone(SAO_PAULO).hour == 19
    assert reasons(a_situation(in_uf("AM")), Channel.VOICE, evening) == []
    assert reasons(a_situation(in_uf("RJ")), Channel.VOICE, evening) == ["outside_window"]
    late = at("2026-09-01", "19:00", MANAUS)
    assert reasons(a_situation(in_uf("AM")), Channel.VOICE, late) == ["outside_window"]
    assert next_allowed(a_situation(in_uf("AM")), Channel.VOICE, late) == at(
        "2026-09-02", "08:00", MANAUS
    )


def test_without_an_address_the_law_is_that_of_the_phone() -> None:
    debtor = a_debtor()
    situation = a_situation(debtor, [replace(MOBILE, value="+5521912345678")])
    assert reasons(situation, Channel.SMS, at("2026-09-05", "10:00")) == ["outside_window"]
    assert reasons(a_situation(debtor, [EMAIL]), Channel.EMAIL, at("2026-09-05", "10:00")) == []


@pytest.mark.parametrize(
    ("day", "opens"),
    [
        ("2026-09-07", ("2026-09-08", "08:00")),
        ("2026-12-31", ("2027-01-02", "08:00")),
        ("2027-02-08", ("2027-02-10", "08:00")),
        ("2027-03-26", ("2027-03-27", "08:00")),
        ("2027-05-27", ("2027-05-28", "08:00")),
    ],
)
def test_on_holidays_nobody_is_contacted(day: str, opens: tuple[str, str]) -> None:
    situation = a_situation()
    assert reasons(situation, Channel.EMAIL, at(day, "10:00")) == ["holiday"]
    assert reasons(situation, Channel.EMAIL, at(day, "21:00")) == ["outside_window", "holiday"]
    assert next_allowed(situation, Channel.EMAIL, at(day, "10:00")) == at(*opens)


def test_after_good_friday_rio_waits_until_monday() -> None:
    found = next_allowed(a_situation(in_uf("RJ")), Channel.SMS, at("2027-03-26", "10:00"))
    assert found == at("2027-03-29", "09:00")


def test_own_holidays_count_as_the_calendar_says() -> None:
    calendar = replace(NATIONAL_WIDE, own=frozenset({date(2026, 9, 1)}))
    situation = a_situation(calendar=calendar)
    assert reasons(situation, Channel.SMS, at("2026-09-01", "10:00")) == ["holiday"]


def test_own_hours_narrow_the_law_and_never_widen_it() -> None:
    own = ContactWindows(
        tuesday=Window(datetime.min.time().replace(hour=7), datetime.min.time().replace(hour=12)),
        saturday=Window(datetime.min.time().replace(hour=9), datetime.min.time().replace(hour=13)),
    )
    settings = Settings(contact_windows=own)
    paulista = a_situation(settings=settings)
    assert reasons(paulista, Channel.SMS, at("2026-09-01", "07:30")) == ["outside_window"]
    assert reasons(paulista, Channel.SMS, at("2026-09-01", "11:59")) == []
    assert reasons(paulista, Channel.SMS, at("2026-09-01", "12:00")) == ["outside_window"]
    assert reasons(paulista, Channel.SMS, at("2026-09-02", "19:00")) == []
    carioca = a_situation(in_uf("RJ"), settings=settings)
    assert reasons(carioca, Channel.SMS, at("2026-09-05", "10:00")) == ["outside_window"]


def test_hours_narrowed_to_nothing_never_come() -> None:
    evening = Window(
        datetime.min.time().replace(hour=19), datetime.min.time().replace(hour=19, minute=30)
    )
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
    own = ContactWindows(**dict.fromkeys(days, evening))
    situation = a_situation(in_uf("RJ"), settings=Settings(contact_windows=own))
    assert next_allowed(situation, Channel.SMS, at("2026-09-01", "10:00")) is None


@pytest.mark.parametrize("time", ["03:00", "23:59"])
def test_letters_have_no_hours(time: str) -> None:
    for day in ("2026-09-01", "2026-09-06", "2026-09-07"):
        assert reasons(a_situation(), Channel.LETTER, at(day, time)) == []


def test_one_contact_a_day_over_all_channels() -> None:
    situation = a_situation(contacts=contacts(at("2026-09-01", "09:00")))
    for channel in Channel:
        assert reasons(situation, channel, at("2026-09-01", "10:00")) == ["daily_cap"]
    assert next_allowed(situation, Channel.SMS, at("2026-09-01", "10:00")) == at(
        "2026-09-02", "08:00"
    )
    assert next_allowed(situation, Channel.LETTER, at("2026-09-01", "10:00")) == at(
        "2026-09-02", "00:00"
    )


def test_a_day_is_the_debtors_own() -> None:
    # 23:30 in Manaus is 00:30 of the next day in São Paulo.
    evening = at("2026-08-31", "23:30", MANAUS)
    assert evening.astimezone(SAO_PAULO).date() == date(2026, 9, 1)
    morning = at("2026-09-01", "10:00", MANAUS)
    past = contacts(evening)
    assert reasons(a_situation(in_uf("AM"), contacts=past), Channel.SMS, morning) == []
    assert reasons(a_situation(in_uf("SP"), contacts=past), Channel.SMS, morning) == ["daily_cap"]


def test_three_contacts_in_seven_days() -> None:
    past = contacts(*(at(f"2026-09-{day:02}", "09:00") for day in (1, 2, 4)))
    situation = a_situation(contacts=past)
    assert reasons(situation, Channel.SMS, at("2026-09-05", "09:00")) == ["weekly_cap"]
    # The 6th is a Sunday and the 7th a holiday; on the 8th the first contact is seven days old.
    assert next_allowed(situation, Channel.SMS, at("2026-09-05", "09:00")) == at(
        "2026-09-08", "08:00"
    )


def test_one_call_a_day_even_where_two_contacts_are_allowed() -> None:
    settings = Settings(frequency_caps=FrequencyCaps(per_day=2))
    past = contacts(at("2026-09-01", "09:00"), by=InteractionChannel.VOICE)
    situation = a_situation(settings=settings, contacts=past)
    assert reasons(situation, Channel.VOICE, at("2026-09-01", "10:00")) == ["voice_cap"]
    assert reasons(situation, Channel.SMS, at("2026-09-01", "10:00")) == []
    both = (*past, *contacts(at("2026-09-01", "09:30")))
    situation = a_situation(settings=settings, contacts=both)
    assert reasons(situation, Channel.VOICE, at("2026-09-01", "10:00")) == [
        "daily_cap",
        "voice_cap",
    ]


def test_a_law_holds_from_its_first_day() -> None:
    assert legal_window("RJ", date(2017, 12, 31)).uf is None
    assert legal_window("RJ", date(2018, 1, 1)).uf == "RJ"
    assert legal_window(None, date(2026, 9, 1)).uf is None


QUARTER: Final = timedelta(minutes=15)
START: Final = datetime(2026, 12, 20, tzinfo=UTC)

instants: Final = st.integers(0, 40 * 96).map(lambda n: START + n * QUARTER)
windows: Final = st.none() | st.tuples(st.integers(0, 20), st.integers(1, 4)).map(
    lambda hours: Window(
        datetime.min.time().replace(hour=hours[0]),
        datetime.min.time().replace(hour=min(23, hours[0] + hours[1])),
    )
)
own_windows: Final = st.builds(ContactWindows, monday=windows, friday=windows, saturday=windows)
caps: Final = st.builds(
    FrequencyCaps,
    per_day=st.integers(1, 2),
    per_7_days=st.integers(1, 7),
    voice_per_day=st.just(1),
)
pasts: Final = st.lists(
    st.builds(PastContact, instants, st.sampled_from(InteractionChannel)), max_size=8
)


def blocked_until(last: date | None) -> Callable[[date], tuple[Hold, ...]]:
    hold = Hold(
        code=HoldCode.MANUAL, since=None, until=last, source="chg_1", blocks=(Blocks.OUTBOUND,)
    )
    return lambda day: () if last is None or day > last else (hold,)


@given(
    uf=st.sampled_from(["SP", "RJ", "AM", "AC", "PE"]),
    channel=st.sampled_from(Channel),
    own=own_windows,
    frequency=caps,
    past=pasts,
    held=st.none() | st.integers(0, 10).map(lambda days: date(2026, 12, 20) + timedelta(days)),
    instant=instants,
    share=st.floats(0, 1),
)
def test_the_next_allowed_instant_is_allowed_and_no_earlier_quarter_hour_is(
    *,
    uf: str,
    channel: Channel,
    own: ContactWindows,
    frequency: FrequencyCaps,
    past: list[PastContact],
    held: date | None,
    instant: datetime,
    share: float,
) -> None:
    situation = a_situation(
        in_uf(uf),
        settings=Settings(contact_windows=own, frequency_caps=frequency),
        contacts=past,
        holds_on=blocked_until(held),
    )
    verdict = check_contact(situation, channel, instant)
    assert (verdict.next_allowed_at is None) == verdict.is_allowed
    if verdict.next_allowed_at is None:
        return
    assert check_contact(situation, channel, verdict.next_allowed_at).is_allowed
    quarters = -(-(verdict.next_allowed_at - instant) // QUARTER)
    for earlier in {quarters - 1, int(share * (quarters - 1))}:
        assert not check_contact(situation, channel, instant + earlier * QUARTER).is_allowed
