"""New identifiers."""

from typing import Protocol


class Ids(Protocol):
    """Makes `<prefix>_` + 26 lower-case ULID characters, in the order of time."""

    def new(self, prefix: str, /) -> str:
        """A fresh id, for example `chg_01jd…`."""
        ...
