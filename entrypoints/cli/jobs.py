"""`dunning run-jobs`: what the clock does, in every organisation that has work."""

from collections.abc import AsyncIterator, Iterable
from datetime import date

from adapters.persistence.entrance import OpenSqlEntrance
from application.dunning.daily import DayKept, KeepDay
from domain.access.grant import Tenant
from domain.errors import StateConflictError
from entrypoints.cli.connections import as_app, settings_from_environment
from entrypoints.cli.output import count, day, line, note, step, table
from entrypoints.container import Container


async def run_jobs(*, date: date | None = None) -> None:
    """Do what the clock has to do, in every active organisation; safe to run again.

    Once after midnight of each organisation is enough (00:05 is usual); a run that was missed is
    made good by the next. The daily clock marks charges overdue whose effective due date has
    passed, and stores what is due on each charge that is owed, so that lists, sums and reports show
    today's amounts. It runs as the service does, with DATABASE_URL.

    Parameters
    ----------
    date
        Keep this date (YYYY-MM-DD) instead of each organisation's own; live organisations are never
        taken beyond theirs.
    """
    kept, left_alone = [], []
    async with as_app(settings_from_environment()) as container:
        keep_day = KeepDay(container.open_work(), container.clock(), container.ids())
        with step("daily clock") as current:
            async for tenant in _tenants(container):
                current.doing(tenant.name)
                try:
                    kept.append((tenant.name, await keep_day(tenant, date)))
                except StateConflictError:
                    left_alone.append(tenant.name)
            current.note(count(len(kept), "organisation", "organisations"))
    _print(kept)
    if left_alone:
        note(f"Left alone, being live and not yet there: {', '.join(left_alone)}")


async def _tenants(container: Container) -> AsyncIterator[Tenant]:
    open_entrance: OpenSqlEntrance = container.open_entrance()
    for organization_id in await container.directory().active_organizations():
        async with open_entrance(organization_id) as entrance:
            tenant = await entrance.tenant()
        yield tenant


def _print(kept: Iterable[tuple[str, DayKept]]) -> None:
    titles = ("organisation", "date", "marked overdue", "repriced")
    rows = [
        (name, day(done.on), str(done.marked), str(done.repriced))
        for name, done in kept
        if done.repriced
    ]
    if rows:
        table(titles, rows, right=titles[1:])
    else:
        line("Nothing was due: every charge has the amounts of its day.")
