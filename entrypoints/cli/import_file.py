"""A CSV file of debtors or charges: its lines as a door would have received them, and its faults.

Nothing of the file is ever printed: it holds other people's names and documents.
"""

import codecs
import csv
import hashlib
import io
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal, TypeAlias

from application.dunning.import_batches import Line
from entrypoints.cli.failures import MisuseError
from entrypoints.cli.import_columns import CellError, Column, put
from entrypoints.cli.output import count

Encoding: TypeAlias = Literal["auto", "utf-8", "latin-1"]

MAX_BYTES: Final = 50_000_000

_DELIMITERS: Final = ";,\t|"
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MOST_HEADER_FAULTS: Final = 20
_LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at a place of the file, and how to put it right; never what stands there."""

    line: int
    column: str
    fix: str


@dataclass(slots=True, kw_only=True)
class ReadFile:
    """The data lines of a file, each place with its line or None where it is at fault."""

    digest: bytes
    lines: list[Line | None] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def batches(self, size: int) -> list[list[Line]]:
        """Good lines, cut by places, so that the cuts depend on the file alone."""
        places = range(0, len(self.lines), size)
        batches = [[one for one in self.lines[at : at + size] if one] for at in places]
        return [batch for batch in batches if batch]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a file is written; a delimiter of None is the one that the header has most of."""

    columns: Mapping[str, Column]
    delimiter: str | None = None
    encoding: Encoding = "auto"


def read_file(path: Path, form: Form) -> ReadFile:
    """Read all lines.

    Raises:
        MisuseError: the file cannot be read as a whole, or its header is at fault.
    """
    content = _content_of(path)
    text = _decoded(content, form.encoding)
    read = ReadFile(digest=hashlib.sha256(content).digest())
    first = text.partition("\n")[0]
    delimiter = form.delimiter or max(_DELIMITERS, key=first.count)
    with _cells_of_any_length():
        _read_rows(text, delimiter, form.columns, read)
    return read


def _read_rows(text: str, delimiter: str, columns: Mapping[str, Column], read: ReadFile) -> None:
    rows = _Rows(text, delimiter)
    header = _checked_header(next(iter(rows), (1, []))[1], columns)
    for number, cells in rows:
        read.lines.append(_line(number, cells, header, read.faults))
    if rows.broken_at is not None:
        fix = "a quotation mark is not closed, or stands inside an unquoted cell"
        read.faults.append(Fault(rows.broken_at, "", fix))
        read.lines.append(None)


@contextmanager
def _cells_of_any_length() -> Generator[None]:
    """How long a cell may be is told by its field; the module's own limit is the process's."""
    before = csv.field_size_limit(MAX_BYTES)
    try:
        yield
    finally:
        csv.field_size_limit(before)


class _Rows:
    """The rows of a text with the numbers of their first lines, up to one that is no CSV."""

    def __init__(self, text: str, delimiter: str) -> None:
        lines = io.StringIO(text, newline="")
        self._reader = csv.reader(lines, delimiter=delimiter, strict=True)
        self.broken_at: int | None = None

    def __iter__(self) -> Iterator[tuple[int, Sequence[str]]]:
        while True:
            number = self._reader.line_num + 1
            try:
                cells = next(self._reader)
            except StopIteration:
                return
            except csv.Error:
                self.broken_at = number
                return
            if any(cell.strip() for cell in cells):
                yield number, cells


def _line(
    number: int, cells: Sequence[str], header: Sequence[Column], faults: list[Fault]
) -> Line | None:
    if len(cells) != len(header):
        wrong = count(len(cells), "column", "columns")
        fix = f"has {wrong} instead of {len(header)}; quote cells that hold the delimiter"
        faults.append(Fault(number, "", fix))
        return None
    raw: dict[str, object] = {}
    found = []
    for column, cell in zip(header, map(str.strip, cells), strict=True):
        if not cell:
            if column.required:
                found.append(Fault(number, column.name, "is required"))
            continue
        try:
            put(raw, column.name, column.read(cell))
        except CellError as error:
            found.append(Fault(number, column.name, str(error)))
    faults.extend(found)
    return None if found else Line(number, raw)


def _checked_header(names: Sequence[str], columns: Mapping[str, Column]) -> list[Column]:
    names = [name.strip() for name in names]
    faults = list(_header_faults(names, columns))
    if faults:
        told = faults[:_MOST_HEADER_FAULTS]
        if not columns.keys() >= set(names):
            told.append(f"known columns: {', '.join(columns)}")
        raise MisuseError("\n".join(["FILE: nothing was read; put the header right:", *told]))
    return [columns[name] for name in names]


def _header_faults(names: Sequence[str], columns: Mapping[str, Column]) -> Iterator[str]:
    for place, name in enumerate(names, start=1):
        if name not in columns:
            nearest = get_close_matches(name[:_LONGEST_NAME], columns, n=1)
            hint = f"; is it {nearest[0]}?" if nearest else ""
            yield f"column {place}: is not known{hint}"
    for name, times in Counter(name for name in names if name in columns).items():
        if times > 1:
            yield f"{name}: stands there {times} times"
    for column in columns.values():
        if column.required and column.name not in names:
            yield f"{column.name}: is missing"


def _content_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError:
        raise MisuseError("FILE: cannot be read; check the path and who may read it") from None
    if len(content) > MAX_BYTES:
        raise MisuseError("FILE: is larger than 50 MB; cut it into several")
    return content


def _decoded(content: bytes, encoding: Encoding) -> str:
    if content.startswith(_UTF_16):
        raise MisuseError("FILE: is text in UTF-16; save it as CSV in UTF-8")
    # What Windows calls ANSI is Latin-1 with quotation marks and dashes.
    tried = {"auto": ("utf-8-sig", "cp1252"), "utf-8": ("utf-8-sig",), "latin-1": ("cp1252",)}
    for name in tried[encoding]:
        try:
            return content.decode(name)
        except UnicodeDecodeError:
            continue
    raise MisuseError("FILE: is not text in this encoding; save it as CSV in UTF-8")
