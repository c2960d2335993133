"""A file of published rates, checked as a whole before any of them counts."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Final, TypeVar

from domain.dunning.rates import IndexRate, RateCode, checked_rate
from domain.errors import ValidationError
from entrypoints.cli.failures import MisuseError
from entrypoints.cli.output import count

T = TypeVar("T")

COLUMNS: Final = ("code", "month", "percent", "published_on")

_MAX_BYTES: Final = 1_000_000
_MOST_TOLD: Final = 20

_MONTH: Final = re.compile(r"(?:19|20)[0-9]{2}-[0-9]{2}")
_DAY: Final = re.compile(r"(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}")
_PERCENT: Final = re.compile(r"-?[0-9]{1,9}(?:[.,][0-9]{1,20})?")

_FIXES: Final = {
    "code": f"give one of {', '.join(RateCode)}",
    "month": "give YYYY-MM, such as 2026-11",
    "percent": "give a number such as 0.48 or 0,48, without the percent sign",
    "published_on": "give YYYY-MM-DD, such as 2026-12-10",
}


def read_rates(path: Path) -> list[IndexRate]:
    """The rates of a CSV file whose header names `COLUMNS`.

    Columns are parted by `;` or `,`, as the header has it; percentages have a decimal point or a
    decimal comma.

    Raises:
        MisuseError: the file cannot be read, or some line is bad; names each, with the fix.
    """
    reading = _Reading()
    reading.read(_text_of(path))
    if reading.faults:
        told = reading.faults[:_MOST_TOLD]
        if left := len(reading.faults) - len(told):
            told.append(f"and {count(left, 'more fault', 'more faults')}")
        raise MisuseError("\n".join(["FILE: nothing was loaded; put this right:", *told]))
    return reading.rates


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except OSError:
        raise MisuseError("FILE: cannot be read; check the path and who may read it") from None
    if len(content) > _MAX_BYTES:
        raise MisuseError("FILE: is larger than 1 MB; rates of many years are not: is it the one?")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MisuseError("FILE: is not text in UTF-8; save it as CSV in UTF-8") from None


@dataclass(slots=True)
class _Reading:
    """The rates that were good, and what was wrong with the others."""

    rates: list[IndexRate] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    _line: int = 1
    _seen: dict[tuple[RateCode, date], int] = field(default_factory=dict)

    def read(self, text: str) -> None:
        delimiter = ";" if ";" in text.partition("\n")[0] else ","
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            if not _is_header(next(lines, [])):
                self._fault(f"the header has to be {','.join(COLUMNS)}, or the same with `;`")
                return
            for cells in lines:
                self._line = lines.line_num
                if cells:
                    self._read_line(cells)
        except csv.Error:
            self._line = lines.line_num
            self._fault("a quotation mark is not closed, or a cell is too long")
        if not (self.rates or self.faults):
            self._fault("there is no rate below the header")

    def _read_line(self, cells: Sequence[str]) -> None:
        if len(cells) != len(COLUMNS):
            self._fault(
                f"has {count(len(cells), 'column', 'columns')} instead of {len(COLUMNS)}; with "
                "decimal commas, part the columns with `;`"
            )
            return
        code, month, percent, published_on = map(str.strip, cells)
        known_code = self._value("code", RateCode, code)
        first_day = self._value("month", _month, month)
        exact = self._value("percent", _percent, percent)
        published = self._value("published_on", _day, published_on)
        if known_code is None or first_day is None or exact is None or published is None:
            return
        self._keep(
            IndexRate(code=known_code, month=first_day, percent=exact, published_on=published)
        )

    def _value(self, column: str, read: Callable[[str], T], cell: str) -> T | None:
        try:
            return read(cell)
        except ValueError:
            self._fault(_FIXES[column], column)
            return None

    def _keep(self, rate: IndexRate) -> None:
        first = self._seen.setdefault((rate.code, rate.month), self._line)
        if first != self._line:
            self._fault(f"has the code and month of line {first}; keep one of the two")
            return
        try:
            self.rates.append(checked_rate(rate))
        except ValidationError as refused:
            for detail in refused.details:
                self._fault(detail.message.en, detail.field)

    def _fault(self, fix: str, column: str | None = None) -> None:
        where = f"line {self._line}" if column is None else f"line {self._line}, {column}"
        self.faults.append(f"{where}: {fix}")


def _is_header(cells: Sequence[str]) -> bool:
    return tuple(map(str.strip, cells)) == COLUMNS


def _month(cell: str) -> date:
    return date.fromisoformat(f"{_matched(_MONTH, cell)}-01")


def _day(cell: str) -> date:
    return date.fromisoformat(_matched(_DAY, cell))


def _percent(cell: str) -> Decimal:
    return Decimal(_matched(_PERCENT, cell).replace(",", "."))


def _matched(pattern: re.Pattern[str], cell: str) -> str:
    if not pattern.fullmatch(cell):
        raise ValueError
    return cell
