"""What leaves the service and has to come back unread and unchanged."""

from typing import Protocol


class ContentTooLongError(ValueError):
    """Sealed, it would be longer than what is opened again."""


class Seal(Protocol):
    """Seals content for one purpose, under keys that all processes share."""

    def seal(self, content: bytes, /) -> str:
        """Content that nobody else can read or make, safe in an address.

        Raises:
            ContentTooLongError: it could not be opened again.
        """
        ...

    def open(self, sealed: str, /) -> bytes | None:
        """The content; None for anything that was not sealed for this purpose."""
        ...
