"""Identifiers made from ULIDs."""

from ulid import ULID


class UlidIds:
    """Ids that sort by the time they were made."""

    def new(self, prefix: str, /) -> str:
        """A fresh id: the prefix, an underscore and 26 lower-case ULID characters."""
        return f"{prefix}_{str(ULID()).lower()}"
