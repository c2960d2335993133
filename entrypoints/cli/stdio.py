"""`dunning stdio`: the MCP server on standard input and output, for the client that starts it."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Final

import uvloop

from adapters.system.pipes import LinesOut, ReaderGoneError, lines_from
from domain.access.grant import Grant
from domain.errors import MembershipError, UnauthenticatedError, UnavailableError
from entrypoints.cli.connections import served_url, settings_from_environment
from entrypoints.cli.failures import CommandError, MisuseError, database_explained
from entrypoints.cli.listening import ForwardToLog
from entrypoints.cli.serve import refuse_unfit_database
from entrypoints.container import Container
from entrypoints.logs import configure_logs, note_failure
from entrypoints.settings import Settings
from entrypoints.stdio import LONGEST_LINE, Conversation, Desk

_TOKEN: Final = "DUNNING_TOKEN"  # noqa: S105 -- a variable's name
_INPUT, _OUTPUT, _ERRORS = range(3)


def stdio() -> None:
    """Serve one MCP client on standard input and output, until its input ends or SIGTERM.

    Each line is one JSON-RPC message; the log goes to standard error. The client acts with the
    access token in DUNNING_TOKEN, which is checked as over HTTP, and again for each request: it has
    to be for the audience <PUBLIC_URL>/mcp, and when it expires the process ends with exit code 1.
    Other settings are those of `dunning serve`. Pages on which people confirm are served by
    `dunning serve` at PUBLIC_URL, which needs the same SEALING_KEYS; without any the process ends
    with exit code 2.
    """
    settings = settings_from_environment()
    served_url(settings)
    _refuse_own_keys(settings)
    token = os.environ.get(_TOKEN, "").strip()
    if not token:
        raise CommandError(f"{_TOKEN}: is not set; set an access token for {_audience(settings)}")
    configure_logs()
    logging.basicConfig(level=logging.WARNING, handlers=[ForwardToLog()], force=True)
    with own_output() as output:
        uvloop.run(_until_told_to_end(settings, token, output))


def _refuse_own_keys(settings: Settings) -> None:
    # A page whose address was sealed with a key of this process alone opens nowhere.
    if not settings.sealing_keys:
        raise MisuseError(
            "SEALING_KEYS: is not set; set the same value as `dunning serve` has, "
            "`dunning keys new` makes one for both"
        )


@contextmanager
def own_output() -> Generator[int]:
    """A descriptor of standard output; whatever else is printed meanwhile goes to the log."""
    sys.stdout.flush()
    output = os.dup(_OUTPUT)
    os.dup2(_ERRORS, _OUTPUT)
    try:
        yield output
    finally:
        sys.stdout.flush()
        os.dup2(output, _OUTPUT)
        os.close(output)


async def _until_told_to_end(settings: Settings, token: str, output: int) -> None:
    loop = asyncio.get_running_loop()
    serving = loop.create_task(_serve(settings, token, output))
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, serving.cancel)
    with suppress(asyncio.CancelledError):
        await serving


async def _serve(settings: Settings, token: str, output: int) -> None:
    container = Container(settings=settings)
    try:
        await refuse_unfit_database(container)
        await _refuse_unfit_token(container, token)
        conversation = Conversation(_desk(container, token), LinesOut(output).write)
        with suppress(ReaderGoneError):
            await conversation.hold(lines_from(_INPUT, LONGEST_LINE))
    except UnauthenticatedError as refused:
        raise _no_token(refused, settings) from None
    finally:
        await container.issuer_client().aclose()
        await container.engine().dispose()


async def _refuse_unfit_token(container: Container, token: str) -> None:
    """Refuse to run with this token.

    Raises:
        UnauthenticatedError: it does not count.
        CommandError: its bearer is no member, or the issuer or the database does not answer.
    """
    try:
        principal = await container.verify()(token, "mcp")
    except UnavailableError:
        raise CommandError(
            "AUTH_ISSUER: does not answer; check the address, and try again"
        ) from None
    try:
        with database_explained("DATABASE_URL"):
            await container.enter()(principal)
    except MembershipError:
        raise CommandError(
            f"{_TOKEN}: its bearer is no active member of an active organisation; "
            "`dunning member list` shows who is"
        ) from None


def _no_token(refused: UnauthenticatedError, settings: Settings) -> CommandError:
    reason = (refused.reason or refused.message.en).rstrip(".")
    return CommandError(f"{_TOKEN}: {reason}; set a new one for {_audience(settings)}")


def _audience(settings: Settings) -> str:
    return f"{settings.public_url}/mcp"


def _desk(container: Container, token: str) -> Desk[Grant]:
    verify, enter = container.verify(), container.enter()

    async def admit() -> Grant:
        return await enter(await verify(token, "mcp"))

    return Desk(
        server=container.mcp_server(),
        profile=container.profile(),
        admit=admit,
        ids=container.ids(),
        deadline=container.settings().deadline,
        on_failure=note_failure,
    )
