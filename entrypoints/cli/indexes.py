"""`dunning index`: the published rates, which are the same for every organisation."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

from adapters.persistence.rates import RateTable
from domain.dunning.rates import IndexRate, RateChanges, RateCode
from entrypoints.cli.connections import as_owner, settings_from_environment
from entrypoints.cli.index_file import read_rates
from entrypoints.cli.output import ABSENT, day, line, table


async def load_index(file: Path, *, dry_run: bool = False) -> None:
    """Load published rates from a CSV file, all of them or none; safe to run again.

    The header is code,month,percent,published_on, and the columns may be parted by `;` instead.
    Codes are ipca, inpc, igpm, ipca15 and taxa_legal; a month is written 2026-11, a percentage 0.48
    or 0,48, a day of publication 2026-12-10. A rate counts from the day on which it was published.
    One that is there already is replaced by what the file says of its month.

    Parameters
    ----------
    file
        The CSV file, in UTF-8.
    dry_run
        Check the file and show what it would do, and load nothing.
    """
    rates = read_rates(file)
    async with as_owner(settings_from_environment()) as container:
        changes = await RateTable(container.engine()).load(rates, dry_run=dry_run)
    _print_changes(changes)
    if dry_run:
        line("Nothing was loaded: this was a dry run.")
    elif changes.new or changes.changed:
        line("Charges follow at once where read, sums and sorts with the next `dunning run-jobs`.")


async def list_index() -> None:
    """List the codes of published rates, with the last month that was loaded of each."""
    async with as_owner(settings_from_environment()) as container:
        known = await RateTable(container.engine()).all()
    months = Counter(rate.code for rate in known)
    last = {rate.code: rate for rate in known.latest()}
    titles = ("code", "months loaded", "latest month", "percent", "published")
    rows = [(code, str(months[code]), *_latest(last.get(code))) for code in RateCode]
    table(titles, rows, right=titles[1:4])


def _print_changes(changes: RateChanges) -> None:
    counted = [_by_code(rates) for rates in (changes.new, changes.changed, changes.unchanged)]
    titles = ("code", "new", "changed", "unchanged")
    rows = [
        (code, *(str(counter[code]) for counter in counted))
        for code in RateCode
        if any(counter[code] for counter in counted)
    ]
    table(titles, rows, right=titles[1:])


def _by_code(rates: Iterable[IndexRate]) -> Counter[RateCode]:
    return Counter(rate.code for rate in rates)


def _latest(rate: IndexRate | None) -> tuple[str, str, str]:
    if rate is None:
        return ABSENT, ABSENT, ABSENT
    return f"{rate.month:%m/%Y}", _percent(rate.percent), day(rate.published_on)


def _percent(percent: Decimal) -> str:
    """A percentage as Brazil writes it, without trailing zeros: `0,48`."""
    return f"{percent.normalize():f}".replace(".", ",")
