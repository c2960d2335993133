"""Asks the service for documents of the demo, and of a debtor with everything that is too much."""

import asyncio
import os
import shutil
import sys
import tempfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from adapters.persistence.database import open_engine
from adapters.persistence.demo import DemoOrganizations
from adapters.persistence.work import OpenSqlWork
from domain.dunning.moment import Moment
from entrypoints.container import Container
from entrypoints.seed.plant import plant
from entrypoints.seed.rates import SAMPLE_RATES
from tests.builders import IDS, NOW, StoppedClock, a_charge, a_debtor, a_payment
from tests.database import Database, migrated_database
from tests.doors.conftest import Demo
from tests.doors.firms import ISSUER, Ledger, found_firm
from tests.doors.house import Caller, House, open_house, settings_for

STATEMENT: Final = "dunning_debtors_statement_pdf"
LETTER: Final = "dunning_charges_settlement_letter_pdf"
CLEARANCE: Final = "dunning_debtors_annual_clearance_pdf"
HOSTILE: Final = (
    '#eval("1+1") *negrito* $x^2$ \\ // <b> `raw` @ref ~ "aspas" _sub_ [conteúdo] '
    "\u202eesrever\u202c فاطمة بنت محمد שלום देवनागरी Ω ß ç ã 山本 😀"
)
LAST: Final = date(2026, 12, 1)


async def _write(folder: Path, database: Database) -> None:
    clock = StoppedClock()
    container = Container(settings=settings_for(database), clock=clock, patience=timedelta(0))
    owner = open_engine(database.owner)
    async with open_house(container, clock) as house:
        demo_organizations = DemoOrganizations(owner)
        await demo_organizations.rates(SAMPLE_RATES)
        demo = Demo(await plant(demo_organizations, issuer=ISSUER, system_now=NOW))
        for name, first_name in (("aurora", "Helena"), ("pampa", "Vera")):
            await _of_demo(folder / name, house, demo.caller(first_name))
        await _extremes(folder, house, Ledger(owner, OpenSqlWork(container.engine(), clock, IDS)))
    await owner.dispose()


async def _of_demo(prefix: Path, house: House, caller: Caller) -> None:
    late = await house.rest(
        caller, "dunning_debtors_list", {"sort_by": "overdue_amount", "sort_order": "desc"}
    )
    for place in (0, 6):
        asked = {"id": late.data[place]["id"], "include_paid": "true"}
        await _save(f"{prefix}-statement-{place}", house, caller, STATEMENT, asked)
    paid = await house.rest(caller, "dunning_charges_list", {"status": "paid", "per_page": 100})
    parts = sorted(paid.data, key=lambda row: row["amounts"]["paid"] - row["amount"])
    for name, row in (("discount", parts[0]), ("late", parts[-1])):
        await _save(f"{prefix}-letter-{name}", house, caller, LETTER, {"id": row["id"]})
    for row in paid.data:
        year = int(row["due_date"][:4])
        asked = {"id": row["debtor_id"], "year": min(year, 2025)}
        if (await house.rest(caller, CLEARANCE, asked)).status == 200:
            await _save(f"{prefix}-clearance", house, caller, CLEARANCE, asked)
            break


async def _extremes(folder: Path, house: House, ledger: Ledger) -> None:
    """Two hundred lines, names without blanks, and what tries to be markup."""
    firm = await found_firm(ledger.owner, "Sociedade " + "Extraordinariamente" * 5)
    debtor = a_debtor(firm.creditor, name=("Ñandú" * 24)[:120])
    hostile = a_debtor(firm.creditor, name=HOSTILE[:120])
    kept: list[Any] = [debtor, hostile]
    for number in range(70):
        due = date(2025, 1, 10) + timedelta(days=5 * number)
        moment = Moment(datetime(2026, 1, 15, 12, tzinfo=UTC), date(2026, 1, 15))
        description = ("W" * 200, HOSTILE, f"Parcela {number}")[number % 3]
        whose = debtor if number else hostile
        charge = a_charge(
            whose,
            moment,
            amount=100_00 + 37 * number,
            issue_date=due,
            due_date=due,
            description=description[:200],
        )
        part = 100 + number if number % 5 else 500_00
        kept += [charge, a_payment(whose, charge, amount=part, payer_name=HOSTILE[:120])]
    await ledger.keep(firm, *kept)
    house.clock.time = datetime(LAST.year, LAST.month, LAST.day, 13, tzinfo=UTC)
    owner = firm.owner
    asked = {"id": debtor.id, "include_paid": "true"}
    await _save(f"{folder}/extreme-statement", house, owner, STATEMENT, asked)
    asked = {"id": hostile.id, "include_paid": "true"}
    await _save(f"{folder}/hostile-statement", house, owner, STATEMENT, asked)
    await _save(f"{folder}/hostile-letter", house, owner, LETTER, {"id": kept[2].id})
    asked = {"id": hostile.id, "year": "2025"}
    await _save(f"{folder}/hostile-clearance", house, owner, CLEARANCE, asked)


async def _save(
    path: str, house: House, caller: Caller, name: str, arguments: dict[str, Any]
) -> None:
    answer = await house.rest(caller, name, arguments)
    assert answer.status == 200, answer.raw
    await asyncio.to_thread(Path(f"{path}.pdf").write_bytes, answer.raw)


def main(folder: Path) -> None:
    """Write the documents."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["DUNNING_TEST_RUN"] = run = tempfile.mkdtemp(prefix="dunning-tests-")
    try:
        with migrated_database("documents") as database:
            asyncio.run(_write(folder, database))
    finally:
        shutil.rmtree(run)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
