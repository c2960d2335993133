"""`dunning database`, `dunning migrate` and `dunning seed`: what is prepared before it serves."""

import secrets
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote

from cyclopts import Parameter

from adapters.persistence.admin import Administration
from adapters.persistence.demo import DemoOrganizations
from adapters.persistence.migrations import UnknownRevisionError, migrate_down, migrations_pending
from adapters.persistence.migrations import migrate as migrate_up
from adapters.persistence.roles import NewDatabase, init_database
from domain.dunning.charge_states import ChargeStatus
from entrypoints.cli.connections import as_owner, owned_url, settings_from_environment
from entrypoints.cli.failures import CommandError, MisuseError, database_explained
from entrypoints.cli.output import brl, heading, line, note, table
from entrypoints.container import Container
from entrypoints.seed.creditors import CREDITORS
from entrypoints.seed.plant import Planted, plant
from entrypoints.seed.rates import SAMPLE_RATES
from entrypoints.seed.totals import Totals

_PASSWORD_BYTES: Final = 24
_SHOWN: Final = (
    ChargeStatus.PENDING,
    ChargeStatus.OVERDUE,
    ChargeStatus.PAID,
    ChargeStatus.WRITTEN_OFF,
    ChargeStatus.CANCELED,
)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Passwords:
    """Passwords of the two roles."""

    app_password: Annotated[
        str | None,
        Parameter(
            env_var="APP_DATABASE_PASSWORD", help="Password of dunning_app; made unless given."
        ),
    ] = None
    owner_password: Annotated[
        str | None,
        Parameter(
            env_var="OWNER_DATABASE_PASSWORD", help="Password of dunning_owner; made unless given."
        ),
    ] = None


async def init(
    *,
    admin_url: Annotated[str, Parameter(env_var="ADMIN_DATABASE_URL")],
    name: str = "dunning",
    passwords: Passwords | None = None,
) -> None:
    """Make both roles and the database, and print the two URLs to set.

    dunning_owner owns the schema and migrates; dunning_app serves, owns nothing and is bound by
    row-level security. Neither is a superuser. Running it again is safe: it brings roles and
    database to this state and sets the passwords anew. Afterwards run `dunning migrate`.

    Parameters
    ----------
    admin_url
        PostgreSQL as somebody who may create roles and databases, such as
        postgresql://postgres:secret@db.example.com/postgres. The variable keeps it out of the list
        of processes.
    name
        The database to make.
    """
    given = passwords or Passwords()
    wanted = NewDatabase(
        name=name,
        app_password=given.app_password or secrets.token_urlsafe(_PASSWORD_BYTES),
        owner_password=given.owner_password or secrets.token_urlsafe(_PASSWORD_BYTES),
    )
    with database_explained("--admin-url"):
        urls = await init_database(admin_url, wanted)
    line(f"DATABASE_URL={_shown(urls.app, given.app_password)}")
    line(f"MIGRATION_DATABASE_URL={_shown(urls.owner, given.owner_password)}")
    note("Passwords that were made are stored nowhere else: keep them. Next: dunning migrate")


def _shown(url: str, given: str | None) -> str:
    """The URL; whoever gave the password knows it, and the output may end up in a log."""
    return url if given is None else url.replace(f":{quote(given, safe='')}@", ":***@")


async def migrate(*, down: str | None = None) -> None:
    """Bring the schema to this version, as MIGRATION_DATABASE_URL; all of it or nothing.

    The service does not do this by itself and does not start before it is done. Safe to run again,
    and by several at once.

    Parameters
    ----------
    down
        Go back to this revision instead; `base` takes everything away, the data too.
    """
    settings = settings_from_environment()
    if down is not None:
        await _migrate_down(owned_url(settings), down)
        return
    async with as_owner(settings) as container:
        is_pending = await migrations_pending(container.engine())
        try:
            await migrate_up(owned_url(settings))
        except UnknownRevisionError:
            raise CommandError(
                "The schema is that of another version; migrate it down with that version first"
            ) from None
    line("The schema is up to date." if is_pending else "The schema was up to date already.")


async def _migrate_down(url: str, down: str) -> None:
    with database_explained("MIGRATION_DATABASE_URL"):
        try:
            await migrate_down(url, down)
        except UnknownRevisionError:
            raise MisuseError("--down: there is no such revision; `base` is the first") from None
    line(f"The schema is back at {down}.")


async def seed(*, if_missing: bool = False) -> None:
    """Plant the two demo organisations afresh, and print what they add up to.

    Both are sandboxes with invented people; whatever had become of them is forgotten, and their
    clocks are set back to the day on which the demo starts. No other organisation is touched. Only
    for development: the people exist at the embedded issuer, where `dunning token` makes tokens.

    Parameters
    ----------
    if_missing
        Leave organisations that are there already as they are.
    """
    settings = settings_from_environment()
    if settings.auth_provider != "embedded":
        raise MisuseError(
            "AUTH_PROVIDER: the demo's people exist at the embedded issuer only; "
            "set AUTH_PROVIDER=embedded, on a machine of your own"
        )
    async with as_owner(settings) as container:
        if if_missing and await _is_planted(container):
            line("The demo organisations are there already.")
            return
        store = DemoOrganizations(container.engine())
        planted = await plant(store, issuer=settings.issuer, system_now=container.clock().now())
    print_totals(planted)
    heading("People, for dunning token --person")
    table(
        ("e-mail", "name", "role", "organisation"),
        [(one.email, one.name, one.role, one.organization_name) for one in planted.people],
    )


async def _is_planted(container: Container) -> bool:
    present = {one.id for one in await Administration(container.engine()).organizations()}
    return all(creditor.organization_id in present for creditor in CREDITORS)


def print_totals(planted: Planted) -> None:
    """Show what each organisation adds up to, and whose rates its charges grew by."""
    columns = [_column(one) for one in planted.totals]
    names = [one.organization for one in planted.totals]
    rows = [(title, *(column[title] for column in columns)) for title in columns[0]]
    table(("", *names), rows, right=names)
    months = sorted(rate.month for rate in planted.rates)
    period = f"{months[0]:%m/%Y} to {months[-1]:%m/%Y}"
    if set(planted.rates) == set(SAMPLE_RATES):
        line(f"The index rates of {period} are sample values, not published ones.")
    else:
        line(f"The index rates of {period} are those that were loaded before.")


def _column(totals: Totals) -> dict[str, str]:
    return {
        "debtors": f"{totals.debtors}",
        "contact points": f"{totals.contact_points}",
        "interactions": f"{totals.interactions}",
        "approvals": f"{totals.approvals}",
        "charges": f"{sum(totals.charges.values())}",
        **{f"  {status}": f"{totals.charges.get(status, 0)}" for status in _SHOWN},
        "payments": f"{totals.payments}",
        "  reversed": f"{totals.reversed_payments}",
        "open principal": brl(totals.open_principal),
        "received": brl(totals.received),
        "credit": brl(totals.credit),
    }
