"""`dunning run-jobs`: what the clock does, in every organisation that has work."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date

from adapters.persistence.entrance import OpenSqlEntrance
from application.dunning.daily import DayKept, KeepDay
from application.operations.forget import ForgetAnswers
from domain.errors import StateConflictError
from entrypoints.cli.connections import as_app, settings_from_environment
from entrypoints.cli.failures import CommandError, explained
from entrypoints.cli.output import count, day, line, note, step, table
from entrypoints.container import Container


async def run_jobs(*, date: date | None = None) -> None:
    """Do what the clock has to do, in every active organisation; safe to run again.

    Once after midnight of each organisation is enough (00:05 is usual); a run that was missed is
    made good by the next. The daily clock marks charges overdue whose effective due date has
    passed, and stores what is due on each charge that is owed, so that lists, sums and reports show
    today's amounts. Requests that no second person has decided on in time expire. Answers kept for
    repeated requests are deleted when their time is over. It runs as the service does, with
    DATABASE_URL. What fails in one organisation stops no other, and ends the command with exit code
    1.

    Parameters
    ----------
    date
        Keep this date (YYYY-MM-DD) instead of each organisation's own: none is taken back behind
        its own, and only sandboxes are taken ahead.
    """
    async with as_app(settings_from_environment()) as container:
        visits = _Visits.over(container, date)
        with step("daily clock") as current:
            for organization_id in await container.directory().active_organizations():
                await visits.visit(organization_id, current.doing)
            current.note(count(len(visits.kept), "organisation", "organisations"))
    for reason, names in visits.left_alone.items():
        note(f"{reason} Left alone: {', '.join(names)}")
    if visits.kept or not visits.left_alone:
        _print(visits.kept)
    else:
        visits.failures.append("No organisation could keep this date.")
    if visits.failures:
        raise CommandError("\n".join(visits.failures))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Visits:
    """What is done in each organisation, and what came of it."""

    open_entrance: OpenSqlEntrance
    forget_answers: ForgetAnswers
    keep_day: KeepDay
    on: date | None
    kept: list[tuple[str, DayKept]] = field(default_factory=list)
    left_alone: dict[str, list[str]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    @classmethod
    def over(cls, container: Container, on: date | None) -> "_Visits":
        open_work, ids = container.open_work(), container.ids()
        return cls(
            open_entrance=container.open_entrance(),
            forget_answers=ForgetAnswers(open_work, ids),
            keep_day=KeepDay(open_work, container.clock(), ids),
            on=on,
        )

    async def visit(self, organization_id: str, doing: Callable[[str], None]) -> None:
        name = organization_id
        try:
            async with self.open_entrance(organization_id) as entrance:
                tenant = await entrance.tenant()
            name = tenant.name
            doing(name)
            await self.forget_answers(tenant)
            self.kept.append((name, await self.keep_day(tenant, self.on)))
        except StateConflictError as refusal:
            self.left_alone.setdefault(refusal.message.en, []).append(name)
        except Exception as failure:  # noqa: BLE001 -- the others must not wait for whatever it is
            self.failures.append(f"{name}: {explained(failure)}")


def _print(kept: Iterable[tuple[str, DayKept]]) -> None:
    titles = ("organisation", "date", "marked overdue", "repriced", "requests expired")
    rows = [
        (name, day(done.on), str(done.marked), str(done.repriced), str(done.expired))
        for name, done in kept
        if done.repriced or done.expired
    ]
    if rows:
        table(titles, rows, right=titles[1:])
    else:
        line("Nothing was due: every charge has the amounts of its day.")
