"""What the driver says when a statement fails, without the rows that it quotes."""

from typing import Final

from asyncpg.exceptions import InterfaceError, InternalClientError, PostgresError
from sqlalchemy.exc import DBAPIError, EmulatedDBAPIException, SQLAlchemyError

from domain.errors import UnavailableError

FAILURES: Final = (
    OSError,
    SQLAlchemyError,
    EmulatedDBAPIException,
    PostgresError,
    InterfaceError,
    InternalClientError,
)
"""Whatever a statement or a connection can raise; the emulated one when the server refuses it."""

UNIQUE_VIOLATION: Final = "23505"

_WORTH_ANOTHER_TRY: Final = frozenset(
    {
        "40001",  # could not be put in order with others
        "40P01",  # deadlock
        "55P03",  # a lock was not available
        "57014",  # took too long
    }
)


class StatementFailedError(Exception):
    """The database refused a statement; tells the rule and the SQLSTATE, never a row's values."""

    def __init__(self, sqlstate: str, rule: str | None) -> None:
        super().__init__(f"SQLSTATE {sqlstate}" + (f", rule {rule}" if rule else ""))
        self.sqlstate = sqlstate


def sqlstate_of(error: BaseException) -> str | None:
    """The code of a failure (PostgreSQL, appendix A); None when it has none."""
    return _text(_driver_error(error), "sqlstate")


def rule_of(error: BaseException) -> str | None:
    """The name of the constraint or unique index that was violated."""
    return _text(_driver_error(error), "constraint_name")


def without_values(error: Exception, *, lost: bool) -> Exception:
    """What may leave this package instead of `error`; `lost` says that the connection is."""
    sqlstate = sqlstate_of(error)
    # A server that says nothing is an OSError (TimeoutError is one); the driver's internal error
    # is what a server's last word, said to nobody, leaves behind.
    is_lost = lost or isinstance(_driver_error(error), OSError | InternalClientError)
    if is_lost or sqlstate in _WORTH_ANOTHER_TRY:
        return UnavailableError()
    return error if sqlstate is None else StatementFailedError(sqlstate, rule_of(error))


def _driver_error(error: BaseException) -> BaseException:
    """The driver's own error, which SQLAlchemy wraps twice."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return error.orig.__cause__ or error.orig
    return error


def _text(error: BaseException, name: str) -> str | None:
    value = getattr(error, name, None)
    return value if isinstance(value, str) else None
