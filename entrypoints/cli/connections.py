"""The service's object graph over one of the two database roles, for the length of a command."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

from entrypoints.cli.failures import MisuseError, database_explained
from entrypoints.container import Container
from entrypoints.settings import Settings, SettingsError, read_settings


def settings_from_environment() -> Settings:
    """The settings of this process.

    Raises:
        MisuseError: one line for each setting that is refused.
    """
    try:
        return read_settings(os.environ)
    except SettingsError as refused:
        raise MisuseError(str(refused)) from None


def settings_with_issuer() -> Settings:
    """The same for what is stored with the issuer, which no default may choose.

    Raises:
        MisuseError: a setting is refused, or AUTH_PROVIDER is not set.
    """
    if not os.environ.get("AUTH_PROVIDER"):
        raise MisuseError(
            "AUTH_PROVIDER: is not set; set it, and AUTH_ISSUER, as the service has them: people "
            "and programs are stored with the issuer of their tokens"
        )
    return settings_from_environment()


def served_url(settings: Settings) -> str:
    """The database as the service sees it. Raises MisuseError where there is none."""
    return _checked("DATABASE_URL", settings.database_url, "dunning_app")


def owned_url(settings: Settings) -> str:
    """The database as its owner sees it. Raises MisuseError where there is none."""
    return _checked("MIGRATION_DATABASE_URL", settings.migration_database_url, "dunning_owner")


@asynccontextmanager
async def as_app(settings: Settings) -> AsyncGenerator[Container]:
    """The graph as the service itself has it, bound by row-level security."""
    with database_explained("DATABASE_URL"):
        async with _over(settings, served_url(settings)) as container:
            yield container


@asynccontextmanager
async def as_owner(settings: Settings) -> AsyncGenerator[Container]:
    """The graph over the owner's connection, for what reaches across organisations."""
    with database_explained("MIGRATION_DATABASE_URL"):
        async with _over(settings, owned_url(settings)) as container:
            yield container


@asynccontextmanager
async def _over(settings: Settings, url: str) -> AsyncGenerator[Container]:
    container = Container(settings=replace(settings, database_url=url))
    try:
        yield container
    finally:
        await container.engine().dispose()


def _checked(setting: str, url: str, role: str) -> str:
    fix = f"set the URL of {role}, which `dunning database init` prints"
    if not url:
        raise MisuseError(f"{setting}: is empty; {fix}")
    if not url.startswith("postgresql"):
        raise MisuseError(f"{setting}: is not a URL of PostgreSQL; {fix}")
    return url
