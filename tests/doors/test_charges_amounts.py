"""The worked examples of what is owed, from the request to the answer and as days go by."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Final

import pytest

from domain.dunning.charge_states import ChargeStatus
from domain.dunning.correction import CorrectionIndex
from domain.dunning.money import RoundingMode
from domain.dunning.organization_settings import Settings
from tests.builders import a_charge, a_debtor
from tests.doors.conftest import Demo
from tests.doors.firms import Firm, Ledger, Pair, found_firm
from tests.doors.house import Door, House, both
from tests.doors.requests import a_new_charge

pytestmark = pytest.mark.anyio

A_COMPANY: Final = "12.ABC.345/01DE-35"
NOON: Final = time(15, tzinfo=UTC)


def go_to(house: House, day: str) -> None:
    """Noon in São Paulo on that day."""
    house.clock.time = datetime.combine(date.fromisoformat(day), NOON)


@dataclass(frozen=True, slots=True)
class Creating:
    """Creates charges of one debtor of the firm."""

    house: House
    firm: Firm
    debtor_id: str

    async def __call__(self, door: Door = Door.REST, **fields: Any) -> dict[str, Any]:
        arguments = a_new_charge(self.debtor_id, **fields)
        answer = await self.house.call(door, self.firm.owner, "dunning_charges_create", arguments)
        created: dict[str, Any] = answer.data
        return created

    async def shown(self) -> dict[str, Any]:
        """The debtor's only charge as the list shows it, the same at both doors."""
        rest, mcp = await both(self.house, self.firm.owner, "dunning_charges_list", {})
        assert rest.data == mcp.data
        (row,) = rest.data
        found: dict[str, Any] = row
        return found


@pytest.fixture
async def creating(house: House, ledger: Ledger, pair: Pair) -> Creating:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    return Creating(house, pair.a, debtor.id)


async def test_a_debtor_led_ahead_and_back_is_not_late_by_less_than_nothing(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    debtor = a_debtor(pair.a.creditor)
    charge = a_charge(debtor)
    charge.status = ChargeStatus.OVERDUE
    await ledger.keep(pair.a, debtor, charge)
    (row,) = (await house.rest(pair.a.owner, "dunning_debtors_list", {"has_overdue": True})).data
    assert row["days_late_max"] == 0


@pytest.mark.parametrize("door", Door)
async def test_any_amount_from_zero_on_may_be_compared_with(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    debtor = a_debtor(pair.a.creditor)
    await ledger.keep(pair.a, debtor)
    for amount, names in ((0, [debtor.id]), (0.01, []), (999_999_999_999.99, [])):
        found = await house.call(
            door, pair.a.owner, "dunning_debtors_list", {"min_overdue_amount": amount}
        )
        assert [row["id"] for row in found.data] == names


async def test_due_on_a_saturday_before_a_monday_holiday(creating: Creating) -> None:
    created = await creating(due_date="2026-10-10")
    assert created["effective_due_date"] == "2026-10-13"
    days = {"2026-10-10": 1250.00, "2026-10-13": 1250.00, "2026-10-14": 1275.42}
    for day, total in days.items():
        go_to(creating.house, day)
        amounts = (await creating.shown())["amounts"]
        assert (amounts["as_of"], amounts["total_due"]) == (day, total)
    go_to(creating.house, "2026-11-05")
    shown = await creating.shown()
    assert (shown["days_late"], shown["aging_bucket"]) == (23, "16_30")
    assert (shown["amounts"]["fine"], shown["amounts"]["interest"]) == (25.00, 9.58)
    assert shown["amounts"]["total_due"] == 1284.58


async def test_a_debt_that_is_late_already_comes_with_its_amounts(creating: Creating) -> None:
    go_to(creating.house, "2026-11-05")
    created = await creating(due_date="2026-10-10", issue_date="2026-09-10")
    assert created["status"] == "overdue"
    assert created["days_late"] == 23
    assert created["amounts"] == {
        "principal_outstanding": 1250.00,
        "fine": 25.00,
        "interest": 9.58,
        "correction": 0.0,
        "discount": 0.0,
        "costs": 0.0,
        "total_due": 1284.58,
        "paid": 0.0,
        "as_of": "2026-11-05",
    }
    assert await creating.shown() == created


@pytest.mark.parametrize(
    ("amount", "mode", "fine"),
    [
        (112.25, "half_even", 2.24),
        (112.25, "half_up", 2.25),
        (112.75, "half_even", 2.26),
        (112.75, "half_up", 2.26),
        (149.90, "half_even", 3.00),
        (149.90, "half_up", 3.00),
    ],
)
async def test_half_a_cent_is_rounded_as_the_charge_says(
    creating: Creating, amount: float, mode: str, fine: float
) -> None:
    created = await creating(
        amount=amount,
        issue_date="2026-08-01",
        due_date="2026-08-31",
        terms={"rounding_mode": mode, "fine_percent": 2, "interest_mode": "none"},
    )
    assert created["amounts"]["fine"] == fine
    assert created["amounts"]["total_due"] == pytest.approx(amount + fine, abs=1e-9)


@pytest.mark.parametrize(("year", "interest"), [(2027, 14.00), (2028, 14.50)])
async def test_interest_counts_the_real_days_of_february(
    creating: Creating, year: int, interest: float
) -> None:
    go_to(creating.house, f"{year}-03-15")
    created = await creating(
        amount=1500,
        issue_date=f"{year}-01-15",
        due_date=f"{year}-02-15",
        terms={"fine_percent": 0, "interest_percent_month": 1},
    )
    assert created["amounts"]["interest"] == interest


@pytest.mark.parametrize(
    ("day", "discount", "total"),
    [
        ("2026-12-10", 80.00, 720.00),
        ("2026-12-11", 40.00, 760.00),
        ("2026-12-15", 40.00, 760.00),
        ("2026-12-16", 0.00, 800.00),
        ("2026-12-21", 0.00, 800.00),
        ("2026-12-22", 0.00, 816.27),
    ],
)
async def test_discounts_have_their_own_days(
    creating: Creating, day: str, discount: float, total: float
) -> None:
    tiers = [{"days_before": days, "type": "percent", "value": days} for days in (10, 5)]
    await creating(amount=800, due_date="2026-12-20", terms={"discounts": tiers})
    go_to(creating.house, day)
    shown = await creating.shown()
    assert shown["amounts"]["discount"] == discount
    assert shown["amounts"]["total_due"] == total


async def test_limits_of_a_debt_due_on_the_29th_of_february(creating: Creating) -> None:
    created = await creating(due_date="2028-02-29")
    assert created["prescription_date"] == "2033-03-01"
    assert created["listing_limit_date"] == "2033-02-28"


OWN_DEFAULTS: Final = Settings(
    default_fine_percent=15_000,
    default_fine_percent_business=50_000,
    default_interest_percent_month=5_000,
    default_correction_index=CorrectionIndex.INPC,
    rounding_mode=RoundingMode.HALF_UP,
)


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize(
    ("contract", "document", "expected"),
    [
        ("Contrato 1", None, (1.5, "contract", 0.5, "inpc")),
        ("Contrato 1", A_COMPANY, (5.0, "contract", 0.5, "inpc")),
        (None, None, (0.0, "legal_rate", 0.0, "ipca")),
        (None, A_COMPANY, (0.0, "legal_rate", 0.0, "ipca")),
    ],
)
async def test_terms_come_from_settings_where_there_is_a_contract_and_from_the_law_elsewhere(
    house: House,
    ledger: Ledger,
    *,
    door: Door,
    contract: str | None,
    document: str | None,
    expected: tuple[float, str, float, str],
) -> None:
    firm = await found_firm(ledger.owner, "Pampa Distribuidora", OWN_DEFAULTS)
    debtor = a_debtor(firm.creditor, **({} if document is None else {"document": document}))
    await ledger.keep(firm, debtor)
    created = await Creating(house, firm, debtor.id)(door, contract_reference=contract)
    fine, mode, interest, index = expected
    assert created["terms"] == {
        "fine_percent": fine,
        "interest_mode": mode,
        "interest_percent_month": interest,
        "correction_index": index,
        "charges_on_corrected": False,
        "discounts": [],
        "rounding_mode": "half_up",
    }


async def test_each_organisation_has_its_own_settings(house: House, demo: Demo) -> None:
    defaults = {}
    for name in ("Helena", "Vera"):
        rest, mcp = await both(house, demo.caller(name), "dunning_settings_get", {})
        assert rest.data == mcp.data
        defaults[rest.data["name"]] = (
            rest.data["default_fine_percent_business"],
            rest.data["default_correction_index"],
        )
    assert defaults == {"Colégio Aurora": (2.0, "none"), "Pampa Distribuidora": (5.0, "ipca")}


async def test_stored_amounts_are_shown_as_of_the_day_that_it_is(house: House, demo: Demo) -> None:
    helena = demo.caller("Helena")
    arguments = {"external_id": "A-01"}
    stored = (await house.rest(helena, "dunning_charges_list", arguments)).data[0]
    assert (stored["days_late"], stored["amounts"]["total_due"]) == (49, 1295.42)
    go_to(house, "2026-09-02")
    rest, mcp = await both(house, helena, "dunning_charges_list", arguments)
    assert rest.data == mcp.data
    (shown,) = rest.data
    assert (shown["days_late"], shown["amounts"]["as_of"]) == (50, "2026-12-02")
    assert shown["amounts"]["total_due"] == 1295.83
    changed = {"days_late", "amounts"}
    assert {name for name in shown if shown[name] != stored[name]} == changed


async def test_what_was_cancelled_keeps_the_amounts_of_its_last_day(
    house: House, demo: Demo
) -> None:
    helena = demo.caller("Helena")
    before = await house.rest(helena, "dunning_charges_list", {"status": "canceled"})
    go_to(house, "2026-09-02")
    after = await house.rest(helena, "dunning_charges_list", {"status": "canceled"})
    assert after.data == before.data
    assert {row["amounts"]["total_due"] for row in after.data} == {0.0}
