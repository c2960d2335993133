"""SQL built and compiled once, to be run on the driver's connection many times."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Select
from sqlalchemy.dialects.postgresql.asyncpg import dialect

_DIALECT: Final = dialect()  # type: ignore[no-untyped-call]  # SQLAlchemy has left it untyped


class CompiledRead:
    """A select as text, and the order in which it wants its parameters."""

    def __init__(self, statement: Select[Any]) -> None:
        compiled = statement.compile(dialect=_DIALECT)
        self.sql = compiled.string
        self._names = tuple(compiled.positiontup or ())
        self._constants = dict(compiled.params)

    def arguments(self, values: Mapping[str, object]) -> list[object]:
        """The values in that order, among the constants of the statement."""
        known = {**self._constants, **values}
        return [known[name] for name in self._names]
