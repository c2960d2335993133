"""What may be done about a debt: every reason against it, and the day from which none is left."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.contact_rules import ContactReason, Verdict
from domain.dunning.debtors import Debtor
from domain.dunning.eligibility import (
    DEADLINES,
    RULES,
    Act,
    Case,
    Eligibility,
    Obstacle,
    eligibility_of,
    obstacles_of_contact,
)
from domain.dunning.holds import Blocks, ManualHold
from domain.dunning.ledger import Credit, Settled
from domain.dunning.organization_settings import ApprovalAct, RoleLimits, Settings
from domain.dunning.rates import NO_RATES
from domain.dunning.restrictions import DebtorFlag, DoNotContact, DoNotContactReason
from tests.unit.domain.builders import ADDRESS, TODAY, a_charge, a_debtor, on

DUE: Final = date(2026, 10, 9)
LATE: Final = DUE + timedelta(days=40)
RIO: Final = replace(ADDRESS, city="Niterói", uf="RJ")
BY_ONESELF: Final = Settings(approval_required_for=frozenset())
SAO_PAULO: Final = ZoneInfo("America/Sao_Paulo")


def a_case(today: date = LATE, **fields: Any) -> Case:
    """A charge 40 days late, of a debtor in Rio, in an organisation that needs no approvals."""
    debtor: Debtor = fields.pop("debtor", None) or a_debtor(address=RIO)
    charge: Charge = fields.pop("charge", None) or a_charge(on(TODAY), due_date=DUE)
    charge.reprice(today, NO_RATES)
    if charge.status is ChargeStatus.PENDING:
        charge.mark_overdue(on(today))
    values: dict[str, Any] = {"place": debtor.place, "settings": BY_ONESELF, "ceiling": None}
    return Case(charge=charge, debtor=debtor, today=today, **(values | fields))


def asked(act: Act, today: date = LATE, **fields: Any) -> Eligibility:
    return eligibility_of(a_case(today, **fields), act)


def test_a_late_debt_may_be_everything_but_listed_without_notice() -> None:
    found = {act: asked(act).reasons for act in Act}

    assert found == {
        Act.NEGATIVATE: ("no_prior_notice",),
        Act.PROTEST: (),
        Act.AGREEMENT: (),
        Act.NOTIFY: (),
        Act.WRITE_OFF: (),
    }


@pytest.mark.parametrize(
    ("uf", "days"),
    [("RJ", 10), ("SP", 15), (None, 10)],
)
def test_a_listing_waits_for_all_the_days_of_notice_of_the_debtors_state(
    uf: str | None, days: int
) -> None:
    address = None if uf is None else replace(ADDRESS, uf=uf)

    found = asked(Act.NEGATIVATE, debtor=a_debtor(address=address))

    # The debtor may still pay on the last of them.
    assert found.earliest_on == LATE + timedelta(days=days + 1)


def test_a_notice_is_given_only_once_the_debt_is_late_enough() -> None:
    found = asked(Act.NEGATIVATE, DUE + timedelta(days=29))

    assert found.reasons == ("min_days_overdue", "no_prior_notice")
    assert found.earliest_on == DUE + timedelta(days=30 + 11)


def test_a_debt_that_is_not_late_says_from_when_on() -> None:
    found = {act: asked(act, DUE) for act in Act}

    assert found[Act.PROTEST].reasons == ("not_overdue",)
    assert found[Act.PROTEST].earliest_on == DUE + timedelta(days=1)
    assert found[Act.WRITE_OFF] == found[Act.PROTEST]
    assert found[Act.NEGATIVATE].reasons == (
        "not_overdue",
        "min_days_overdue",
        "no_prior_notice",
    )
    assert found[Act.AGREEMENT].is_allowed
    assert found[Act.NOTIFY].is_allowed


@pytest.mark.parametrize("status", [ChargeStatus.PENDING, ChargeStatus.OVERDUE])
@pytest.mark.parametrize(("today", "reasons"), [(DUE, ("not_overdue",)), (LATE, ())])
def test_the_date_decides_what_is_late_and_not_what_was_noted_of_it(
    status: ChargeStatus, today: date, reasons: tuple[str, ...]
) -> None:
    case = a_case(today)
    case.charge.status = status

    assert eligibility_of(case, Act.WRITE_OFF).reasons == reasons


@pytest.mark.parametrize("act", [Act.PROTEST, Act.WRITE_OFF])
def test_the_earliest_day_is_the_first_on_which_it_is_allowed(act: Act) -> None:
    earliest = asked(act, DUE).earliest_on

    assert earliest is not None
    assert asked(act, earliest).is_allowed
    assert not asked(act, earliest - timedelta(days=1)).is_allowed


def test_too_small_a_principal_is_not_listed_whatever_fine_and_interest_make() -> None:
    small = a_charge(on(TODAY), due_date=DUE, amount=49_99)
    enough = a_charge(on(TODAY), due_date=DUE, amount=50_00)

    assert asked(Act.NEGATIVATE, charge=small).reasons == ("min_amount", "no_prior_notice")
    assert asked(Act.NEGATIVATE, charge=small).earliest_on is None
    assert small.total_due > 50_00
    assert asked(Act.NEGATIVATE, charge=enough).reasons == ("no_prior_notice",)


@pytest.mark.parametrize(
    ("today", "reasons"),
    [
        # The notice that is given now ends on the day before the limit, then on the limit.
        (date(2033, 2, 16), ("no_prior_notice",)),
        (date(2033, 2, 17), ("no_prior_notice",)),
        (date(2033, 2, 18), ("no_prior_notice", "listing_limit")),
        (date(2033, 2, 28), ("no_prior_notice", "listing_limit", "prescribed")),
        (date(2033, 3, 2), ("no_prior_notice", "listing_limit", "prescribed")),
    ],
)
def test_a_listing_ends_on_28_february_and_none_begins_after_it(
    today: date, reasons: tuple[str, ...]
) -> None:
    leap = a_charge(on(date(2028, 1, 1)), issue_date=date(2028, 1, 1), due_date=date(2028, 2, 29))

    found = asked(Act.NEGATIVATE, today, charge=leap)

    assert found.reasons == reasons
    assert (found.earliest_on is None) is (len(reasons) > 1)


@pytest.mark.parametrize("act", [Act.PROTEST, Act.AGREEMENT])
def test_after_five_years_nothing_is_asked_of_the_debtor(act: Act) -> None:
    last = date(2031, 10, 9)

    assert asked(act, last).is_allowed
    assert asked(act, last + timedelta(days=1)).reasons == ("prescribed",)
    assert asked(act, last + timedelta(days=1)).earliest_on is None
    assert asked(Act.WRITE_OFF, last + timedelta(days=1)).is_allowed


def test_waiting_beyond_limitation_is_of_no_use() -> None:
    charge = a_charge(on(TODAY), due_date=DUE)
    charge.manual_hold = ManualHold(
        reason="Em conversa",
        since=TODAY,
        until=charge.prescription_date,
        blocks=(Blocks.LEGAL,),
    )

    found = asked(Act.PROTEST, charge.prescription_date, charge=charge)

    assert found == Eligibility(reasons=("manual", "prescribed"))


def test_a_balance_within_the_tolerance_is_left_alone() -> None:
    charge = a_charge(on(TODAY), due_date=DUE)
    charge.settle(
        Credit(payment_id="pay_1", paid_at=DUE, settled=Settled(principal=1_249_96)),
        on(DUE),
        NO_RATES,
    )

    for act in (Act.PROTEST, Act.AGREEMENT):
        found = asked(act, DUE + timedelta(days=1), charge=charge)
        assert found == Eligibility(reasons=("tolerance",))


@pytest.mark.parametrize(
    "flag", ["deceased", "minor", "represented_by_lawyer", "judicial_recovery", "bankrupt"]
)
def test_facts_about_the_person_stop_legal_acts_for_good(flag: str) -> None:
    debtor = a_debtor(address=RIO)
    debtor.flags = (DebtorFlag(flag),)

    assert asked(Act.PROTEST, debtor=debtor) == Eligibility(reasons=(flag,))
    assert asked(Act.NEGATIVATE, debtor=debtor).reasons == (flag, "no_prior_notice")
    assert asked(Act.NEGATIVATE, debtor=debtor).earliest_on is None
    assert asked(Act.AGREEMENT, debtor=debtor).is_allowed


def test_a_persons_hold_stops_what_it_blocks_until_its_last_day() -> None:
    charge = a_charge(on(TODAY), due_date=DUE)
    until = LATE + timedelta(days=9)
    charge.manual_hold = ManualHold(
        reason="Em conversa", since=TODAY, until=until, blocks=(Blocks.LEGAL,)
    )

    found = asked(Act.PROTEST, charge=charge)

    assert found.reasons == ("manual",)
    assert found.earliest_on == until + timedelta(days=1)
    assert asked(Act.NEGATIVATE, charge=charge).earliest_on == until + timedelta(days=12)
    assert asked(Act.AGREEMENT, charge=charge).is_allowed
    charge.manual_hold = replace(charge.manual_hold, until=None)
    assert asked(Act.PROTEST, charge=charge).earliest_on is None


def test_a_ban_on_contact_is_no_ban_on_legal_acts() -> None:
    debtor = a_debtor(address=RIO)
    debtor.do_not_contact = DoNotContact(
        active=True, reason=DoNotContactReason.REQUEST, since=TODAY
    )

    assert asked(Act.PROTEST, debtor=debtor).is_allowed


def test_a_protest_needs_an_address() -> None:
    assert asked(Act.PROTEST, debtor=a_debtor(address=None)) == Eligibility(reasons=("no_address",))


@pytest.mark.parametrize("act", Act)
def test_what_is_not_owed_has_no_other_reason(act: Act) -> None:
    charge = a_charge(on(TODAY), due_date=DUE, amount=10_00)
    charge.cancel(CancelReason.OTHER, None, on(TODAY))

    assert asked(act, charge=charge, debtor=a_debtor()) == Eligibility(reasons=("not_owed",))


@pytest.mark.parametrize("act", Act)
def test_what_was_given_up_or_renegotiated_says_so(act: Act) -> None:
    given_up = a_case().charge
    given_up.write_off(WriteOffReason.COMMERCIAL, "Combinado", on(LATE), NO_RATES)
    renegotiated = a_case().charge
    renegotiated.status = ChargeStatus.RENEGOTIATED

    assert asked(act, charge=given_up).reasons[0] == "written_off"
    assert asked(act, charge=renegotiated).reasons[0] == "agreement"
    assert asked(act, charge=renegotiated).earliest_on is None


@pytest.mark.parametrize("act", [Act.NEGATIVATE, Act.PROTEST, Act.WRITE_OFF])
def test_an_approval_is_told_and_moves_no_date(act: Act) -> None:
    settings = Settings(approval_required_for=frozenset(ApprovalAct))

    alone, seconded = asked(act), asked(act, settings=settings)

    assert seconded.reasons == (*alone.reasons, "approval_required")
    assert seconded.earliest_on == alone.earliest_on


@pytest.mark.parametrize(("amount", "is_allowed"), [(480_00, True), (1_250_00, False)])
def test_a_write_off_above_the_ceiling_of_who_asks_is_for_another(
    amount: int, *, is_allowed: bool
) -> None:
    charge = a_charge(on(TODAY), due_date=DUE, amount=amount)
    ceiling = RoleLimits().manager

    found = asked(Act.WRITE_OFF, charge=charge, ceiling=ceiling)

    assert found.reasons == (() if is_allowed else ("role_limit",))
    assert found.earliest_on is None
    assert asked(Act.WRITE_OFF, charge=charge, ceiling=RoleLimits().admin).is_allowed


def test_a_message_goes_by_the_channel_that_opens_first() -> None:
    early = datetime(2026, 11, 19, 2, 30, tzinfo=UTC)
    closed = Verdict((ContactReason.OUTSIDE_WINDOW,), early)
    later = Verdict((ContactReason.DAILY_CAP,), early + timedelta(days=1))
    never = Verdict((ContactReason.NO_CONTACT_POINT,))

    contact = obstacles_of_contact([never, later, closed], SAO_PAULO)

    assert contact == (Obstacle("outside_window", date(2026, 11, 18)),)
    found = asked(Act.NOTIFY, contact=contact)
    assert found == Eligibility(reasons=("outside_window",), earliest_on=LATE)
    assert obstacles_of_contact([never, Verdict(())], SAO_PAULO) == ()
    assert asked(Act.NOTIFY, contact=obstacles_of_contact([never], SAO_PAULO)) == Eligibility(
        reasons=("no_contact_point",)
    )


def test_no_rule_of_law_binds_before_it_was_law() -> None:
    laws = [rule.law for rule in RULES if rule.law] + [one.law for one in DEADLINES]

    assert all(law.source and law.valid_from <= TODAY for law in laws)
    debtor = a_debtor(address=None)
    charge = a_charge(on(date(1990, 1, 2)), issue_date=date(1990, 1, 1), due_date=date(1990, 1, 2))
    found = asked(Act.PROTEST, date(1990, 6, 1), charge=charge, debtor=debtor)
    assert found.is_allowed
