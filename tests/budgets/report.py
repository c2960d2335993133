"""The table: what something costs, what it may cost, and whether it keeps to that."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

_TOLERANCE: Final = 1.25
_HEADINGS: Final = ("", "bare µs", "ours µs", "ratio", "budget", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """CPU per request of the bare server and of ours; `budget` is a multiple of the former."""

    what: str
    bare: float
    ours: float
    budget: float

    @property
    def ratio(self) -> float:
        """How many bare requests one of ours is worth."""
        return self.ours / self.bare

    @property
    def is_missed(self) -> bool:
        """Whether the budget is exceeded by more than measuring may be wrong."""
        return self.ratio > self.budget * _TOLERANCE

    @property
    def verdict(self) -> str:
        """In a word."""
        if self.is_missed:
            return "MISSED"
        return "over" if self.ratio > self.budget else "ok"


def print_table(lines: Sequence[Line]) -> None:
    """Print all lines in columns."""
    rows = [_HEADINGS, *(_cells(line) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    for row in rows:
        print(_aligned(row, widths))


def _cells(line: Line) -> tuple[str, ...]:
    numbers = f"{line.bare:.1f}", f"{line.ours:.1f}", f"{line.ratio:.2f}", f"{line.budget:.2f}"
    return (line.what, *numbers, line.verdict)


def _aligned(row: Iterable[str], widths: Iterable[int]) -> str:
    what, *numbers, verdict = zip(row, widths, strict=True)
    cells = [what[0].ljust(what[1]), *(text.rjust(width) for text, width in numbers), verdict[0]]
    return "  ".join(cells).rstrip()
