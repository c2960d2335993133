"""`dunning check-config`: every check before the first request."""

import sys
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from adapters.auth.discovery import IssuerConfigurationError
from adapters.persistence.database import unsafe_role
from adapters.persistence.migrations import migrations_pending
from domain.errors import UnavailableError
from entrypoints.app import build_app
from entrypoints.cli.connections import as_app, as_owner, settings_from_environment
from entrypoints.cli.failures import FAILED, CommandError
from entrypoints.cli.output import DONE, UNDONE, WARNED, table
from entrypoints.container import Container
from entrypoints.resources import signed_in_address
from entrypoints.settings import Settings


class Caution(str):
    """A result with which the service runs, but not everything in it."""

    __slots__ = ()


Check: TypeAlias = Callable[[Settings], Awaitable[str]]


async def check_config() -> None:
    """Check the settings and everything they point to; the exit code is 0 when all is well.

    Settings that the service would refuse end the check with exit code 2 and a line for each. The
    other checks are all made, whatever the first ones say, and end with 1 if one of them fails:
    the operations, the database as the service's role and as the owner, the schema, the issuer,
    and whether people can sign in at the confirmation page. What only limits the service is marked
    with an exclamation mark.
    """
    settings = settings_from_environment()
    results = [(name, *await _made(check, settings)) for name, check in _CHECKS.items()]
    table(("", "check", "result"), [(mark, name, result) for name, mark, result in results])
    if any(mark == UNDONE for _, mark, _ in results):
        sys.exit(FAILED)


async def _made(check: Check, settings: Settings) -> tuple[str, str]:
    try:
        result = await check(settings)
    except CommandError as failure:
        return UNDONE, str(failure)
    return WARNED if isinstance(result, Caution) else DONE, result


async def _settings(settings: Settings) -> str:
    return f"{'production' if settings.is_production else 'development'} at {settings.public_url}"


async def _operations(settings: Settings) -> str:
    container = Container(settings=settings)
    build_app(container)
    return f"{len(container.catalogue().infos)} behind both doors"


async def _role(settings: Settings) -> str:
    async with as_app(settings) as container:
        reason = await unsafe_role(container.engine())
    if reason is not None:
        raise CommandError(f"DATABASE_URL: {reason}; connect as dunning_app")
    return "DATABASE_URL answers; its role is bound by row-level security"


async def _schema(settings: Settings) -> str:
    async with as_app(settings) as container:
        if await migrations_pending(container.engine()):
            raise CommandError("The schema is another version's; run `dunning migrate`")
    return "the one of this version"


async def _owner(settings: Settings) -> str:
    if not settings.migration_database_url:
        return "MIGRATION_DATABASE_URL is not set; only administration and migrations need it"
    async with as_owner(settings) as container:
        await migrations_pending(container.engine())
    return "MIGRATION_DATABASE_URL answers"


async def _issuer(settings: Settings) -> str:
    if settings.auth_provider == "embedded":
        return "embedded; for development only"
    container = Container(settings=settings)
    async with container.issuer_client():
        try:
            await container.keys().check()
        except (UnavailableError, IssuerConfigurationError):
            raise CommandError(
                "AUTH_ISSUER: its metadata or keys cannot be read; check the address byte for "
                "byte, and that this machine reaches it"
            ) from None
    return f"{settings.issuer} answers with keys"


async def _confirmation(settings: Settings) -> str:
    if settings.auth_provider == "embedded":
        return "people sign in at the embedded issuer"
    if not settings.confirm_client_id:
        return Caution("CONFIRM_CLIENT_ID is not set; nobody can sign in at the confirmation page")
    return f"the issuer has to know {signed_in_address(settings)} as the client's redirect address"


_CHECKS: Final[dict[str, Check]] = {
    "settings": _settings,
    "operations": _operations,
    "database role": _role,
    "schema": _schema,
    "owner": _owner,
    "issuer": _issuer,
    "confirmation": _confirmation,
}
