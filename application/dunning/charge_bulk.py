"""Many charges in one call: all of them or none, or each by itself."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from application.dunning.bulk_book import BulkBook, BulkItem, Made, documents_in
from application.dunning.bulk_refusals import ItemRefusal, gathered, located
from application.dunning.debtors import debtors_create
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import Input, One, View, about
from domain.access.audit import AuditEntry
from domain.access.policy import AccessPolicy
from domain.dunning.ceilings import refuse_above_ceiling
from domain.dunning.languages import Language
from domain.dunning.organization_settings import RoleLimits
from domain.dunning.organizations import Organization
from domain.errors import ConflictError, Detail, DuplicateError, ValidationError
from domain.texts import DEFAULT_LANGUAGE, Text
from domain.texts import Language as SpokenLanguage

MOST_ITEMS: Final = 200

Outcome: TypeAlias = Made | ItemRefusal
"""What became of one item."""

_TRIES: Final = 3


class ItemProblemView(View):
    """One thing wrong with one field."""

    field: Annotated[str, about("Where, such as items[3].amount.")]
    code: Annotated[str, about("What, a code that never changes.")]
    message: Annotated[str, about("How to put it right.")]


class ItemErrorView(View):
    """Why an item was not created, in the organisation's language."""

    code: Annotated[str, about("The code that the item would have had by itself.")]
    message: Annotated[str, about("What it means.")]
    details: Annotated[list[ItemProblemView], about("All that is wrong.")]


class ItemOutcomeView(View, omit_defaults=True):
    """What became of one item: an id, or an error."""

    index: Annotated[int, about("The item's place in the request, from 0.")]
    id: Annotated[str | None, about("The new charge.")] = None
    error: Annotated[ItemErrorView | None, about("Why there is none.")] = None


class BulkOutcomeView(View):
    """What became of the items, in their order."""

    created: Annotated[int, about("How many charges were created.")]
    failed: Annotated[int, about("How many items were refused.")]
    items: Annotated[list[ItemOutcomeView], about("One for each item.")]


class ChargesBulkCreate(Input):
    """New debts."""

    items: Annotated[
        Annotated[tuple[BulkItem, ...], Meta(min_length=1, max_length=MOST_ITEMS)],
        about("1 to 200 charges, each with debtor_id or debtor."),
    ]
    mode: Annotated[
        Literal["atomic", "partial"],
        about("atomic: all or nothing. partial: a refused item leaves the others alone."),
    ] = "atomic"


@operation(
    "charges_bulk_create",
    "POST /charges/bulk",
    title="Create many charges",
    description=(
        "Register up to 200 debts, of debtors who exist or are described; a described debtor whose "
        "document is known is used unchanged. Nobody is contacted by this. A field of the wrong "
        "type refuses the whole call in either mode."
    ),
    permission="charges.create",
    status=201,
    key_required=True,
    refuses=("LEGAL_LIMIT_EXCEEDED", "DUPLICATE", "ROLE_LIMIT_EXCEEDED"),
)
async def charges_bulk_create(call: Call, wanted: ChargesBulkCreate) -> One[BulkOutcomeView]:
    """Create the charges, and the debtors that are missing."""
    organization = await call.work.organization()
    _refuse_too_many(call, organization.settings.role_limits, len(wanted.items))
    outcomes = await create_items(call, wanted, organization)
    if any(_names_a_stranger(outcome) for outcome in outcomes):
        await call.work.audit(_denied(call))
    items = [
        _item(index, outcome, _spoken(organization.language))
        for index, outcome in enumerate(outcomes)
    ]
    failed = sum(item.error is not None for item in items)
    return One(BulkOutcomeView(created=len(items) - failed, failed=failed, items=items))


async def create_items(
    call: Call, wanted: ChargesBulkCreate, organization: Organization
) -> Sequence[Outcome]:
    """What became of each item, once the good ones are kept.

    Raises:
        ValidationError, ConflictError: in atomic mode, all that is wrong with any of them.
        DuplicateError: others were quicker with the same values, time after time.
    """
    tries_left = _TRIES
    while True:
        tries_left -= 1
        book = BulkBook(call, organization)
        outcomes = await _decided(call, book, wanted)
        try:
            async with call.work.savepoint():
                book.keep([one for one in outcomes if isinstance(one, Made)])
        except DuplicateError:
            # Somebody was quicker with a value: what they kept is read with the next try.
            if not tries_left:
                raise
        else:
            return outcomes


async def _decided(call: Call, book: BulkBook, wanted: ChargesBulkCreate) -> Sequence[Outcome]:
    await book.read(wanted.items)
    if not all(book.is_known(document) for document in documents_in(wanted.items)):
        # Registering a debtor takes here what it takes by itself.
        AccessPolicy().guard(call.grant, debtors_create.info)
    outcomes = [_made(book, index, item) for index, item in enumerate(wanted.items)]
    refusals = [one for one in outcomes if not isinstance(one, Made)]
    if refusals and wanted.mode == "atomic":
        raise gathered(refusals)
    return outcomes


def _made(book: BulkBook, index: int, item: BulkItem) -> Outcome:
    try:
        with located(f"items[{index}]"):
            made = book.make(item)
    except (ValidationError, ConflictError) as refusal:
        return refusal
    book.count(made)
    return made


def _refuse_too_many(call: Call, limits: RoleLimits, count: int) -> None:
    text = Text("Envie menos itens por chamada.", "Send fewer items in one call.")
    refuse_above_ceiling(
        call.grant,
        limits,
        lambda ceiling: count <= ceiling.bulk_charges_per_call,
        lambda _ceiling, _able: Detail("items", "too_many_items", text),
    )


def _names_a_stranger(outcome: Outcome) -> bool:
    if isinstance(outcome, Made):
        return False
    return any(detail.code == "not_found" for detail in outcome.details)


def _denied(call: Call) -> AuditEntry:
    """The attempt to name what the caller may not see, though other items went through."""
    return AuditEntry(
        id=call.ids.new("aud"),
        at=call.system_now,
        action=charges_bulk_create.info.name,
        resource=None,
        outcome="denied",
        code=ValidationError.code,
    )


def _spoken(language: Language) -> SpokenLanguage:
    return "en" if language is Language.ENGLISH else DEFAULT_LANGUAGE


def _item(index: int, outcome: Outcome, language: SpokenLanguage) -> ItemOutcomeView:
    if isinstance(outcome, Made):
        return ItemOutcomeView(index=index, id=outcome.charge.id)
    details = [
        ItemProblemView(
            field=detail.field, code=detail.code, message=detail.message.in_language(language)
        )
        for detail in outcome.details
    ]
    message = outcome.message.in_language(language)
    return ItemOutcomeView(
        index=index, error=ItemErrorView(code=outcome.code, message=message, details=details)
    )
