"""How many requests this process works on at once; beyond it the answer is 503, never a queue."""

from collections.abc import Iterator
from contextlib import contextmanager

from domain.errors import UnavailableError


class Admission:
    """Counts requests in work."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._in_work = 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold one place. Raises UnavailableError when there is none."""
        if self._in_work >= self._most:
            raise UnavailableError
        self._in_work += 1
        try:
            yield
        finally:
            self._in_work -= 1
