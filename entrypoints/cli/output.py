"""What commands print: aligned tables, a line per step, money and dates as Brazil writes them."""

from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from time import perf_counter
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.status import Status
from rich.text import Text

from domain.dunning.money import Cents

OUT: Final = Console(highlight=False)
ERR: Final = Console(stderr=True, highlight=False)

DONE: Final = "✓"
UNDONE: Final = "✗"
WARNED: Final = "!"
ABSENT: Final = "–"  # noqa: RUF001 -- an en dash is meant

_GAP: Final = "  "
_LONGEST_STEP: Final = 22


class Step:
    """A step in progress."""

    def __init__(self, title: str, status: Status) -> None:
        self.result = ""
        self._title = title
        self._status = status

    def doing(self, what: str) -> None:
        """Say what it is at, to whoever watches."""
        self._status.update(Text(f"{self._title}: {what}"))

    def note(self, result: str) -> None:
        """Say what came of it."""
        self.result = result


@contextmanager
def step(title: str) -> Generator[Step]:
    """A line for a step once it ends, and meanwhile a spinner where somebody watches."""
    started = perf_counter()
    try:
        with OUT.status(Text(title)) as status:
            current = Step(title, status)
            yield current
    except Exception:
        line(Text.assemble((UNDONE, "red"), f" {title}"))
        raise
    seconds = f"{perf_counter() - started:.1f} s"
    name = title.ljust(_LONGEST_STEP)
    line(Text.assemble((DONE, "green"), f" {name} {current.result} ", (f"({seconds})", "dim")))


def line(text: str | Text = "", *, style: str = "") -> None:
    """Print one line as it is, however long: it may be copied, or read by another program."""
    OUT.print(Text(text, style=style) if isinstance(text, str) else text, soft_wrap=True)


def heading(text: str) -> None:
    """Print the title of what follows."""
    line()
    line(text, style="bold")


def note(text: str) -> None:
    """Tell the operator something that is no part of the result."""
    ERR.print(Text(text), soft_wrap=True)


def table(
    titles: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[str] = ()
) -> None:
    """Print aligned columns, those named in `right` to the right; the last may be of any length."""
    body = [list(row) for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(titles, *body, strict=True)]
    aligned = [title in right for title in titles]
    for index, row in enumerate([list(titles), *body]):
        cells = [_pad(*cell) for cell in zip(row, widths, aligned, strict=True)]
        line(_GAP.join(cells).rstrip(), style="bold" if index == 0 else "")


def brl(cents: Cents) -> str:
    """An amount as Brazil writes it: `R$ 1.250,00`."""
    whole, rest = divmod(abs(cents), 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}R$ {f'{whole:,}'.replace(',', '.')},{rest:02}"


def day(value: date | datetime) -> str:
    """A date as Brazil writes it: `09/10/2026`."""
    return f"{value:%d/%m/%Y}"


def count(number: int, one: str, several: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else several}"


def _pad(text: str, width: int, to_right: bool) -> str:  # noqa: FBT001 -- a cell of a zipped row
    blanks = " " * (width - cell_len(text))
    return blanks + text if to_right else text + blanks
