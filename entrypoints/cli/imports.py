"""`dunning import`: debtors and charges from a CSV file, once each however often it is run."""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from adapters.v1.bound import BoundV1
from adapters.v1.shapes import ArrayShape, FieldShape, ObjectShape, TextShape
from application.dunning.import_batches import (
    DEBTOR_DOCUMENT,
    DEBTOR_EXTERNAL_ID,
    ImportBatch,
    charge_batch,
    debtor_batch,
)
from application.dunning.imports import BATCH, Imported, ImportedFile, ImportFile
from application.operations.request import ReadArguments
from domain.access.grant import Tenant
from domain.errors import Detail
from entrypoints.cli.connections import as_app, settings_from_environment
from entrypoints.cli.failures import CommandError
from entrypoints.cli.import_columns import Column, columns_of
from entrypoints.cli.import_file import Encoding, Fault, Form, ReadFile, read_file
from entrypoints.cli.output import ABSENT, ERR, count, line, note, table
from entrypoints.container import Container

Delimiter: TypeAlias = Literal["auto", ";", ",", "tab", "|"]

MOST_SHOWN: Final = 100
_EVERY: Final = 2_000
_DELIMITERS: Final[Mapping[str, str | None]] = {"auto": None, "tab": "\t"}


async def import_debtors(
    file: Path,
    *,
    organization: str,
    dry_run: bool = False,
    delimiter: Delimiter = "auto",
    encoding: Encoding = "auto",
) -> None:
    """Register the debtors of a CSV file; safe to run again, also after an interruption.

    The header names fields of a new debtor: name and document, and any of trade_name, birth_date,
    external_id, tags, notes, language, address.street and the like. Tags are parted by |, days are
    2026-10-09 or 09/10/2026. A debtor whose document is known is left as they are.

    Parameters
    ----------
    file
        The CSV file, at most 50 MB.
    organization
        Id or claim value of the organisation.
    dry_run
        Check every line as the real run would, and write nothing.
    delimiter
        What parts the columns; found in the header unless given.
    encoding
        How the file's text is encoded; found out unless given.
    """
    written = _Written(file, _DELIMITERS.get(delimiter, delimiter), encoding)
    await _import(_DEBTORS, written, organization, dry_run=dry_run)


async def import_charges(
    file: Path,
    *,
    organization: str,
    dry_run: bool = False,
    delimiter: Delimiter = "auto",
    encoding: Encoding = "auto",
) -> None:
    """Create the charges of a CSV file; safe to run again, also after an interruption.

    The header names fields of a new charge: description, amount and due_date, and any of kind,
    contract_reference, external_id, terms.fine_percent and the like; debtor_document,
    debtor_external_id or debtor_id says who owes. Amounts are 1234.56 or 1.234,56, days are
    2026-10-09 or 09/10/2026. A charge whose external_id is known is left as it is.

    Parameters
    ----------
    file
        The CSV file, at most 50 MB.
    organization
        Id or claim value of the organisation.
    dry_run
        Check every line as the real run would, and write nothing.
    delimiter
        What parts the columns; found in the header unless given.
    encoding
        How the file's text is encoded; found out unless given.
    """
    written = _Written(file, _DELIMITERS.get(delimiter, delimiter), encoding)
    await _import(_CHARGES, written, organization, dry_run=dry_run)


@dataclass(frozen=True, slots=True)
class _Written:
    """Where the file is, and how it is written as far as the operator says."""

    path: Path
    delimiter: str | None
    encoding: Encoding

    def read(self, columns: Mapping[str, Column]) -> ReadFile:
        form = Form(columns=columns, delimiter=self.delimiter, encoding=self.encoding)
        return read_file(self.path, form)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """What the lines are of: the operation, its fields, and how a batch is created."""

    operation: str
    fields: Callable[[BoundV1], tuple[FieldShape, ...]]
    batch: Callable[[ReadArguments], ImportBatch]


def _debtor_fields(bound: BoundV1) -> tuple[FieldShape, ...]:
    return bound.route.body


def _charge_fields(bound: BoundV1) -> tuple[FieldShape, ...]:
    """Those of one item; its debtor is found by a document or external id."""
    (items,) = (one.shape for one in bound.route.body if isinstance(one.shape, ArrayShape))
    assert isinstance(items.item, ObjectShape)  # noqa: S101 -- items are objects
    return (*_debtor_names(), *(one for one in items.item.fields if one.name != "debtor"))


def _debtor_names() -> Iterator[FieldShape]:
    for name in (DEBTOR_DOCUMENT, DEBTOR_EXTERNAL_ID):
        yield FieldShape(name=name, shape=TextShape(max_length=64), description="", required=False)


_DEBTORS: Final = _Kind(
    operation="dunning_debtors_create", fields=_debtor_fields, batch=debtor_batch
)
_CHARGES: Final = _Kind(
    operation="dunning_charges_bulk_create", fields=_charge_fields, batch=charge_batch
)


async def _import(kind: _Kind, written: _Written, organization: str, *, dry_run: bool) -> None:
    async with as_app(settings_from_environment()) as container:
        (bound,) = (
            one for one in container.catalogue().bounds if one.operation.info.name == kind.operation
        )
        read = written.read(columns_of(kind.fields(bound)))
        file = ImportedFile(
            operation=kind.operation,
            digest=read.digest,
            batches=read.batches(BATCH),
            create=kind.batch(bound.read),
        )
        tenant = await _tenant(container, organization)
        imports = ImportFile(container.open_work(), container.clock(), container.ids())
        run = imports.rehearse if dry_run else imports
        with _progress(sum(map(len, file.batches))) as done:
            imported = await run(tenant, file, done)
    _tell(read, imported, dry_run=dry_run)


async def _tenant(container: Container, wanted: str) -> Tenant:
    organization_id = await container.directory().active_organization(wanted)
    if organization_id is None:
        raise CommandError(
            "No active organisation has this id or claim; `dunning org list` shows them"
        )
    async with container.open_entrance()(organization_id) as entrance:
        tenant: Tenant = await entrance.tenant()
    return tenant


@contextmanager
def _progress(total: int) -> Generator[Callable[[int], None]]:
    """A bar where somebody watches, else a line now and then."""
    if not ERR.is_terminal:
        yield _Counted(total)
        return
    columns = (TextColumn("lines"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=ERR, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda lines: bar.advance(task, lines)


class _Counted:
    """Says how far it is, every two thousand lines."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0

    def __call__(self, lines: int) -> None:
        before, self._done = self._done, self._done + lines
        if before // _EVERY != self._done // _EVERY:
            note(f"{self._done} of {count(self._total, 'line', 'lines')}")


def _tell(read: ReadFile, imported: Imported, *, dry_run: bool) -> None:
    faults = sorted([*read.faults, *_faults(imported.failed)], key=lambda one: one.line)
    failed = len({fault.line for fault in faults})
    if faults:
        titles = ("line", "field", "what to do")
        rows = [(str(one.line), one.column or ABSENT, one.fix) for one in faults[:MOST_SHOWN]]
        table(titles, rows, right=titles[:1])
        if len(faults) > MOST_SHOWN:
            line(f"{len(faults)} faults in all; the first {MOST_SHOWN} are shown.")
        line()
    titles = ("to create" if dry_run else "created", "already there", "failed")
    counts = (imported.created, imported.known, failed)
    table(titles, [tuple(map(str, counts))], right=titles)
    if dry_run:
        line("Nothing was written: this was a dry run.")
    if failed:
        raise CommandError(f"{count(failed, 'line was', 'lines were')} refused.")


def _faults(failed: Mapping[int, tuple[Detail, ...]]) -> Iterator[Fault]:
    for number, details in failed.items():
        for detail in details:
            yield Fault(number, detail.field, detail.message.en)
