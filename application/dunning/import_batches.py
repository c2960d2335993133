"""What the lines of one batch of a file make: debtors, or charges of debtors who are there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeAlias

from application.dunning.bulk_book import BulkItem, Made
from application.dunning.charge_bulk import ChargesBulkCreate, create_items
from application.dunning.debtors import debtors_create
from application.operations.call import Call
from application.operations.request import ReadArguments
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.documents import Document, parse_document
from domain.errors import (
    ConflictError,
    Detail,
    DomainError,
    DuplicateError,
    ValidationError,
)
from domain.ports.debtors import DebtorNames
from domain.texts import Text

Raw: TypeAlias = Mapping[str, object]
"""What a door would have received for one line."""

DEBTOR_DOCUMENT: Final = "debtor_document"
DEBTOR_EXTERNAL_ID: Final = "debtor_external_id"

_OF_ANOTHER: Final = Text(
    "É de um devedor com outro documento.", "It belongs to a debtor with another document."
)
_NOBODY: Final = Text(
    "Informe debtor_document, debtor_external_id ou debtor_id.",
    "Give debtor_document, debtor_external_id or debtor_id.",
)
_NOT_IMPORTED: Final = Text(
    "Não encontrado; importe antes o devedor.", "Not found; import the debtor first."
)
_OF_ANOTHER_CHARGE: Final = Text(
    "É de uma cobrança com outro devedor, valor ou vencimento.",
    "It belongs to a charge with another debtor, amount or due date.",
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, by its number."""

    number: int
    raw: Raw


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """Numbers of lines: created, there already, and what is wrong with each of the others."""

    created: list[int] = field(default_factory=list)
    known: list[int] = field(default_factory=list)
    failed: dict[int, tuple[Detail, ...]] = field(default_factory=dict)


class ImportBatch(Protocol):
    """Creates what the lines say, within the transaction of a call."""

    async def __call__(self, call: Call, lines: Sequence[Line], /) -> BatchOutcome:
        """Do it; the good lines are kept whatever is wrong with the others."""
        ...


def debtor_batch(read: ReadArguments) -> ImportBatch:
    """Registers the debtor of each line; `read` takes what the operation takes."""

    async def create(call: Call, lines: Sequence[Line], /) -> BatchOutcome:
        outcome = BatchOutcome()
        owners = await _owners(call, lines, "document", "external_id")
        for line in lines:
            document = _document(line.raw.get("document"))
            external_id = line.raw.get("external_id")
            if document is not None and document in owners:
                outcome.known.append(line.number)
            elif external_id is not None and external_id in owners:
                detail = Detail("external_id", "duplicate", _OF_ANOTHER)
                outcome.failed[line.number] = (detail,)
            elif await _registered(call, read, line, outcome):
                owners |= {document: "", external_id: ""}
        return outcome

    return create


def charge_batch(read: ReadArguments) -> ImportBatch:
    """Creates the charge of each line; `read` takes what the bulk operation takes."""

    async def create(call: Call, lines: Sequence[Line], /) -> BatchOutcome:
        outcome = BatchOutcome()
        owners = await _owners(call, lines, DEBTOR_DOCUMENT, DEBTOR_EXTERNAL_ID)
        items: dict[int, BulkItem] = {}
        for line in lines:
            try:
                items[line.number] = _item(read, line.raw, owners)
            except ValidationError as refusal:
                outcome.failed[line.number] = _details(refusal)
        if items:
            await _create(call, items, outcome)
        return outcome

    return create


async def _registered(call: Call, read: ReadArguments, line: Line, outcome: BatchOutcome) -> bool:
    try:
        await debtors_create.run(call, read(line.raw).values)
    except (ValidationError, ConflictError) as refusal:
        outcome.failed[line.number] = _details(refusal)
        return False
    outcome.created.append(line.number)
    return True


async def _create(call: Call, items: Mapping[int, BulkItem], outcome: BatchOutcome) -> None:
    wanted = ChargesBulkCreate(items=tuple(items.values()), mode="partial")
    made = await create_items(call, wanted, await call.work.organization())
    pairs = list(zip(items, made, strict=True))
    taken = {number: one.existing_id for number, one in pairs if isinstance(one, DuplicateError)}
    known = await _known(call, items, taken)
    for number, one in pairs:
        if isinstance(one, Made):
            outcome.created.append(number)
        elif number in known:
            outcome.known.append(number)
        elif number in taken:
            detail = Detail("external_id", "duplicate", _OF_ANOTHER_CHARGE)
            outcome.failed[number] = (detail,)
        else:
            outcome.failed[number] = _details(one)


async def _known(
    call: Call, items: Mapping[int, BulkItem], taken: Mapping[int, str | None]
) -> set[int]:
    # An external id alone would pass over another debt that was given the same one.
    ids = [one for one in taken.values() if one is not None]
    charges = {charge.id: charge for charge in await call.work.charges.several(ids)}
    return {
        number
        for number, charge_id in taken.items()
        if charge_id in charges and _is_same(items[number], charges[charge_id])
    }


def _is_same(item: BulkItem, charge: Charge) -> bool:
    wanted = (item.debtor_id, item.amount, item.due_date)
    return wanted == (charge.debtor_id, charge.amount, charge.due_date)


def _item(read: ReadArguments, raw: Raw, owners: Mapping[object, str]) -> BulkItem:
    given = dict(raw)
    document, external_id = given.pop(DEBTOR_DOCUMENT, None), given.pop(DEBTOR_EXTERNAL_ID, None)
    if document is not None:
        given["debtor_id"] = _owner(
            owners, parse_document(str(document), DEBTOR_DOCUMENT), DEBTOR_DOCUMENT
        )
    elif external_id is not None:
        given["debtor_id"] = _owner(owners, external_id, DEBTOR_EXTERNAL_ID)
    elif "debtor_id" not in given:
        raise ValidationError(Detail("debtor_id", "required_with", _NOBODY))
    # A key is required, and this one goes nowhere.
    arguments = read({"items": [given], "mode": "partial", "idempotency_key": "import"})
    item: BulkItem = arguments.values.items[0]
    return item


def _owner(owners: Mapping[object, str], name: object, column: str) -> str:
    if name not in owners:
        raise ValidationError(Detail(column, "not_found", _NOT_IMPORTED))
    return owners[name]


async def _owners(
    call: Call, lines: Sequence[Line], document: str, external_id: str
) -> dict[object, str]:
    """Ids of debtors by their documents and external ids, as two columns of the lines name them."""
    documents = {_document(line.raw.get(document)) for line in lines}
    codes = [line.raw.get(external_id) for line in lines]
    found = await call.work.debtors.among(
        DebtorNames(
            documents=[one for one in documents if one is not None],
            external_ids=[one for one in codes if isinstance(one, str)],
        )
    )
    return dict(_named(found))


def _named(debtors: Iterable[Debtor]) -> Iterable[tuple[object, str]]:
    for debtor in debtors:
        yield debtor.document, debtor.id
        if debtor.external_id is not None:
            yield debtor.external_id, debtor.id


def _document(cell: object) -> Document | None:
    try:
        return parse_document(cell) if isinstance(cell, str) else None
    except ValidationError:
        # Whoever reads the line says what is wrong with it.
        return None


def _details(refusal: DomainError) -> tuple[Detail, ...]:
    found = refusal.details or (Detail("", refusal.code.lower(), refusal.message),)
    return tuple(replace(one, field=_column(one.field)) for one in found)


def _column(place: str) -> str:
    """`items[3].due_date` is about the column `due_date`."""
    return place.partition("].")[2] if place.startswith("items[") else place
