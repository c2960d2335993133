"""What the destructive operations ask: of stored rows, as of today, in no words of others."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.persistence.transaction import open_pinned
from adapters.persistence.work import OpenSqlWork
from application.dunning.charge_acts import (
    ChargesDelete,
    ChargesWriteOff,
    charges_delete,
    charges_write_off,
)
from application.dunning.charges import ChargesCancel, charges_cancel
from application.dunning.contact_point_input import ContactPointsDelete
from application.dunning.contact_points import contact_points_delete
from application.dunning.debtor_closing import (
    DebtorsAnonymize,
    DebtorsArchive,
    debtors_anonymize,
    debtors_archive,
)
from application.dunning.payments import PaymentsReverse, payments_reverse
from application.operations.call import Call
from application.operations.declaration import Operation, Ready
from domain.access.roles import Role
from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.charges import Charge
from domain.dunning.contact_points import ContactPoint
from domain.dunning.debtors import Debtor
from domain.dunning.moment import Moment
from domain.dunning.payments import Payment, ReversalReason
from tests.builders import (
    ADDRESS,
    IDS,
    NOW,
    ORIGIN,
    Creditor,
    a_charge,
    a_contact_point,
    a_debtor,
    a_grant,
    a_payment,
)
from tests.conftest import Organisations

pytestmark = pytest.mark.anyio

WORD: Final = "Zzyzx"
"""Stands in every free text there is, but for the name."""

NOTE: Final = f"{WORD} pediu isto."
LONG_AGO: Final = datetime(2020, 3, 2, 15, 0, tzinfo=UTC)
TEXTS: Final[Mapping[str, Any]] = {
    "description": f"Mensalidade {WORD}",
    "document_number": WORD,
    "contract_reference": f"Contrato {WORD}",
    "tags": (WORD,),
    "custom_data": {WORD: WORD},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Things:
    """A debtor with something of each kind, and another one of long ago."""

    creditor: Creditor
    debtor: Debtor
    overdue: Charge
    paid: Charge
    payment: Payment
    point: ContactPoint
    past: Debtor

    def requests(self) -> dict[str, tuple[Operation[Any], Any]]:
        charge, why = self.overdue.id, "d LGPD 2026-17"
        return {
            "cancel": (
                charges_cancel,
                ChargesCancel(id=charge, reason=CancelReason.COURT_ORDER, note=NOTE),
            ),
            "write off": (
                charges_write_off,
                ChargesWriteOff(id=charge, reason=WriteOffReason.DECEASED, note=NOTE),
            ),
            "delete": (charges_delete, ChargesDelete(id=charge)),
            "archive": (debtors_archive, DebtorsArchive(id=self.past.id, reason=NOTE)),
            "anonymize": (
                debtors_anonymize,
                DebtorsAnonymize(
                    id=self.past.id, confirm_name=self.past.name, request_reference=why + WORD
                ),
            ),
            "delete contact": (
                contact_points_delete,
                ContactPointsDelete(id=self.debtor.id, cp_id=self.point.id),
            ),
            "reverse": (
                payments_reverse,
                PaymentsReverse(id=self.payment.id, reason=ReversalReason.MISTAKE, note=NOTE),
            ),
        }


def things_of(creditor: Creditor, name: str) -> Things:
    debtor = a_debtor(
        creditor,
        name=name,
        trade_name=WORD,
        external_id=WORD,
        notes=NOTE,
        address=replace(ADDRESS, city=WORD, street=WORD),
        tags=(WORD,),
        custom_data={WORD: WORD},
    )
    paid = a_charge(debtor, **TEXTS)
    past = a_debtor(creditor, name=name, notes=NOTE)
    past.created_at = past.updated_at = LONG_AGO
    return Things(
        creditor=creditor,
        debtor=debtor,
        overdue=a_charge(debtor, issue_date=date(2026, 7, 1), due_date=date(2026, 8, 10), **TEXTS),
        paid=paid,
        payment=a_payment(
            debtor, paid, amount=100_00, note=NOTE, payer_name=WORD, external_id=WORD
        ),
        point=a_contact_point(debtor, label=WORD),
        past=past,
    )


@pytest.fixture
async def both(organisations: Organisations, owner_engine: AsyncEngine) -> tuple[Things, Things]:
    a = things_of(organisations.a, "Ana Souza")
    b = things_of(organisations.b, "Bento Prado")
    for one in (a, b):
        async with open_pinned(owner_engine, one.creditor.id) as transaction:
            for rows in ([one.debtor, one.past], [one.overdue, one.paid, one.point, one.payment]):
                transaction.session.add_all(rows)
                await transaction.flush()
            await transaction.commit()
    return a, b


Ask = Callable[..., Awaitable[Ready[Any]]]


@pytest.fixture
def ask(open_work: OpenSqlWork) -> Ask:
    async def ask(of: Things, what: str, at: datetime = NOW) -> Ready[Any]:
        """What a person would be asked at an instant, on rows that nobody holds."""
        operation, wanted = of.requests()[what]
        grant = a_grant(of.creditor, Role.OWNER)
        async with open_work(grant, ORIGIN, read_only=True) as work:
            call = Call(grant=grant, work=work, system_now=at, ids=IDS, origin=ORIGIN)
            plan = await operation.run(call, wanted)
        assert isinstance(plan, Ready)
        return plan

    return ask


EVERY: Final = (
    "cancel",
    "write off",
    "delete",
    "archive",
    "anonymize",
    "delete contact",
    "reverse",
)


@pytest.mark.parametrize("what", EVERY)
async def test_each_is_asked_about_its_own_debtor_and_repeats_nobodys_words(
    both: tuple[Things, Things], ask: Ask, what: str
) -> None:
    for one, own, other in ((both[0], "Ana Souza", "Bento"), (both[1], "Bento Prado", "Ana")):
        question = (await ask(one, what)).question
        for asked in (question.sentence.pt, question.sentence.es, question.sentence.en):
            assert asked.count(f"“{own}”") == 1
            assert other not in asked
        assert WORD not in str(question)
        assert own not in str(question.facts)


@pytest.mark.parametrize("what", ["cancel", "write off", "delete"])
async def test_what_is_owed_is_that_of_today_although_the_clock_has_not_run(
    both: tuple[Things, Things], ask: Ask, what: str
) -> None:
    question = (await ask(both[0], what, NOW + timedelta(days=10))).question
    assert "owed today" in question.sentence.en
    # 2 % fine and 1 % a month for 32 days on R$ 1,250.00, which were 22 days when it was stored.
    assert both[0].overdue.total_due == 1_284_17
    assert "R$ 1,288.33" in question.sentence.en
    told = {fact.label.en: fact.value.en for fact in question.facts}
    assert (told["Owed today"], told["Days late"], told["Status"]) == (
        "R$ 1,288.33",
        "32",
        "overdue",
    )


@pytest.mark.parametrize("what", EVERY)
async def test_a_fingerprint_stays_while_nothing_that_was_shown_changes(
    both: tuple[Things, Things], ask: Ask, what: str
) -> None:
    asked = await ask(both[0], what)
    again = await ask(both[0], what, NOW + timedelta(minutes=9))
    assert (again.fingerprint, again.question) == (asked.fingerprint, asked.question)
    assert again.fingerprint != (await ask(both[1], what)).fingerprint


@pytest.mark.parametrize("what", EVERY)
async def test_a_fingerprint_changes_with_the_debtors_name(
    both: tuple[Things, Things], ask: Ask, owner_engine: AsyncEngine, what: str
) -> None:
    asked = await ask(both[0], what)
    one = both[0]
    async with open_pinned(owner_engine, one.creditor.id) as transaction:
        for debtor_id in (one.debtor.id, one.past.id):
            debtor = await transaction.session.get_one(Debtor, (one.creditor.id, debtor_id))
            debtor.name, debtor.version = "Ana de Souza", debtor.version + 1
        await transaction.flush()
        await transaction.commit()
    one.past.name = "Ana de Souza"
    again = await ask(one, what)
    assert "“Ana de Souza”" in again.question.sentence.en
    assert again.fingerprint != asked.fingerprint


@pytest.mark.parametrize("what", ["cancel", "write off", "delete"])
async def test_a_fingerprint_changes_with_the_amount_of_the_day(
    both: tuple[Things, Things], ask: Ask, what: str
) -> None:
    asked = await ask(both[0], what)
    tomorrow = await ask(both[0], what, NOW + timedelta(days=1))
    assert tomorrow.fingerprint != asked.fingerprint


async def test_a_fingerprint_of_money_to_be_undone_changes_with_the_day_of_it(
    both: tuple[Things, Things], ask: Ask
) -> None:
    asked = await ask(both[0], "reverse")
    tomorrow = await ask(both[0], "reverse", NOW + timedelta(days=1))
    assert "with 2 Sep 2026 as the date" in tomorrow.question.sentence.en
    assert tomorrow.fingerprint != asked.fingerprint


async def test_a_charge_that_others_have_paid_as_well_is_not_counted_as_owed_again(
    both: tuple[Things, Things], ask: Ask, owner_engine: AsyncEngine
) -> None:
    one, recorded = both[0], Moment(NOW - timedelta(days=7), date(2026, 8, 25))
    days = {"issue_date": date(2026, 7, 1), "due_date": date(2026, 8, 10)}
    small = a_charge(one.debtor, recorded, amount=1_00, **days)
    large = a_charge(one.debtor, recorded, **days)
    # It settles the small charge, and interest of the large one that the others settle again.
    undone = a_payment(
        one.debtor, small, large, amount=2_10, moment=recorded, paid_at=date(2026, 8, 18)
    )
    others = [
        a_payment(one.debtor, large, amount=500_00),
        a_payment(one.debtor, large, amount=large.total_due, paid_at=date(2026, 8, 23)),
    ]
    async with open_pinned(owner_engine, one.creditor.id) as transaction:
        transaction.session.add_all([small, large])
        await transaction.flush()
        transaction.session.add_all([undone, *others])
        await transaction.flush()
        await transaction.commit()

    question = (await ask(replace(one, payment=undone), "reverse")).question

    assert len(undone.allocations) == 2
    assert "1 charge will be owed again" in question.sentence.en
    assert "1" in [
        fact.value.en for fact in question.facts if fact.label.en == "Charges owed again"
    ]
