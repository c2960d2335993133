"""Why a command did not do what it was asked, in one or two sentences and an exit code."""

import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from adapters.persistence.failures import FAILURES, StatementFailedError, sqlstate_of
from domain.errors import DomainError, UnavailableError, ValidationError

FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130

_NO_ANSWER: Final = "does not answer; check the host, the port and that PostgreSQL runs"
_REASONS: Final = {
    "28000": "refuses this user; check the user and pg_hba.conf",
    "28P01": "refuses this password; check it, or run `dunning database init` again",
    "3D000": "does not exist; make it with `dunning database init`",
    "42P01": "has no tables yet; run `dunning migrate`",
    "42501": "does not let this user do that; is it the right one of the two roles?",
}


class CommandError(Exception):
    """The sentences that an operator reads, and what the process ends with."""

    def __init__(self, sentences: str, exit_code: int = FAILED) -> None:
        super().__init__(sentences)
        self.exit_code = exit_code


class MisuseError(CommandError):
    """An argument or a setting that the command cannot work with; names it and the fix."""

    def __init__(self, sentences: str) -> None:
        super().__init__(sentences, MISUSED)


def explained(failure: Exception) -> CommandError:
    """What an operator is told of `failure`: never a traceback."""
    if isinstance(failure, CommandError):
        return failure
    if isinstance(failure, ValidationError):
        return MisuseError(_details(failure) or failure.message.en)
    if isinstance(failure, DomainError):
        return CommandError(_details(failure) or failure.message.en)
    frame = traceback.extract_tb(failure.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return CommandError(f"Something failed inside: {type(failure).__name__} at {where}.")


@contextmanager
def database_explained(setting: str) -> Generator[None]:
    """Turn what a database refuses into a sentence about `setting`, which holds its URL."""
    try:
        yield
    except UnavailableError as failure:
        cause = failure.__cause__
        raise CommandError(f"{setting}: the database {_reason(cause or failure)}.") from None
    except (*FAILURES, StatementFailedError) as failure:
        raise CommandError(f"{setting}: the database {_reason(failure)}.") from None


def _details(refusal: DomainError) -> str:
    return "\n".join(
        f"{_argument(detail.field)}: {detail.message.en}" for detail in refusal.details
    )


def _argument(field: str) -> str:
    """The argument that holds a field: `address.zipcode` is `--zipcode`."""
    return f"--{field.rpartition('.')[2].replace('_', '-')}"


def _reason(failure: BaseException) -> str:
    if isinstance(failure, OSError | UnavailableError):
        return _NO_ANSWER
    sqlstate = sqlstate_of(failure) or type(failure).__name__
    return _REASONS.get(sqlstate, f"refused a statement ({sqlstate})")
