"""How many requests this process works on at once; beyond it the answer is 503, never a queue."""

from domain.errors import UnavailableError


class Admission:
    """Counts requests in work; each holds a place for a `with` block."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._in_work = 0

    def __enter__(self) -> None:
        """Take a place. Raises UnavailableError when there is none."""
        if self._in_work >= self._most:
            raise UnavailableError
        self._in_work += 1

    def __exit__(self, *_: object) -> None:
        """Give it back."""
        self._in_work -= 1
