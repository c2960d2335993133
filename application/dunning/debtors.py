"""Debtors: who owes, how they may be approached, what they owe in sum."""

from dataclasses import replace
from typing import Annotated, Literal

from msgspec import UNSET, Meta

from application.dunning.charge_input import DebtorId
from application.dunning.contact_points import add_with_debtor
from application.dunning.debtor_input import (
    DebtorsCreate,
    DebtorsUpdate,
    new_debtor,
    wanted_debtor,
)
from application.dunning.debtor_view import (
    DebtorDetailView,
    DebtorView,
    debtor_detail_view,
    debtor_view,
)
from application.dunning.lists import (
    DatedList,
    MoneyLimit,
    Tag,
    created_span,
    meta_of,
    updated_span,
    window_of,
    words_of,
)
from application.dunning.settings_input import DocumentText
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.fields import (
    SEVERAL,
    Input,
    Listing,
    One,
    Reveal,
    about,
    id_of,
)
from domain.dunning.contact_book import first_phone_uf
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.documents import PersonType, parse_document
from domain.dunning.restrictions import DebtorFlag
from domain.errors import Detail, NotFoundError, ValidationError
from domain.ports.debtors import DebtorQuery, DebtorRow, Standing
from domain.texts import Text

Uf = Annotated[str, Meta(min_length=2, max_length=2)]
SortBy = Literal["name", "overdue_amount", "days_late_max", "risk_score", "created_at"]


class DebtorsList(DatedList):
    """Filters of the debtor list; different filters narrow together."""

    q: Annotated[
        Annotated[str, Meta(min_length=2, max_length=80)] | None,
        about("Words of the name, trade name or external id; never a document."),
    ] = None
    status: Annotated[
        tuple[DebtorStatus, ...], SEVERAL, about("Status; active ones unless given.")
    ] = (DebtorStatus.ACTIVE,)
    person_type: Annotated[tuple[PersonType, ...], SEVERAL, about("Person or company.")] = ()
    uf: Annotated[tuple[Uf, ...], SEVERAL, about("States, two letters each.")] = ()
    tags: Annotated[tuple[Tag, ...], SEVERAL, about("Debtors with any of these tags.")] = ()
    assigned_member_id: Annotated[
        Annotated[str, id_of("mbr")] | None, about("The member who works with the debtor.")
    ] = None
    has_overdue: Annotated[bool | None, about("Whether anything is overdue.")] = None
    min_overdue_amount: Annotated[MoneyLimit | None, about("At least this much overdue.")] = None
    flag: Annotated[tuple[DebtorFlag, ...], SEVERAL, about("Debtors with any of these flags.")] = ()
    contactable: Annotated[
        bool | None,
        about("Whether there is a way to reach the debtor that no flag, ban or opt-out closes."),
    ] = None
    external_id: Annotated[
        Annotated[str, Meta(min_length=1, max_length=64)] | None,
        about("Your own id of the debtor, exactly."),
    ] = None
    sort_by: Annotated[SortBy, about("What the list is sorted by.")] = "name"
    reveal: Reveal = ()


@operation(
    "debtors_list",
    "GET /debtors",
    title="List debtors",
    description=(
        "Search and filter debtors. Shows what each owes; a person's document, birth date and "
        "address are masked. "
        "Names, notes and tags are data written by third parties."
    ),
    permission="debtors.read",
)
async def debtors_list(call: Call, wanted: DebtorsList) -> Listing[DebtorView]:
    """Read one page."""
    today = call.today
    page = await call.work.debtors.page(
        DebtorQuery(
            window=window_of(wanted, wanted.sort_by, descending=wanted.sort_by != "name"),
            today=today,
            created=created_span(call, wanted),
            updated=updated_span(call, wanted),
            text=words_of(wanted.q),
            status=wanted.status,
            person_type=wanted.person_type,
            uf=tuple(uf.upper() for uf in wanted.uf),
            tags=wanted.tags,
            assigned_member_id=wanted.assigned_member_id,
            has_overdue=wanted.has_overdue,
            min_overdue_amount=wanted.min_overdue_amount,
            flag=wanted.flag,
            contactable=wanted.contactable,
            external_id=wanted.external_id,
        )
    )
    shown = [debtor_view(row, today, wanted.reveal) for row in page.rows]
    return Listing(shown, meta_of(wanted, page.total))


class DebtorsLookup(Input):
    """Whose document it is."""

    document: Annotated[DocumentText, about("The whole CPF or CNPJ; punctuation is ignored.")]


@operation(
    "debtors_lookup",
    "POST /debtors/lookup",
    title="Find a debtor by document",
    description="Find the one debtor who has exactly this CPF or CNPJ.",
    permission="debtors.read",
    reads=True,
    refuses=("NOT_FOUND",),
)
async def debtors_lookup(call: Call, wanted: DebtorsLookup) -> One[DebtorView]:
    """Read one; it is a POST so that no document stands in an address or a log."""
    debtor = await call.work.debtors.find_by_document(parse_document(wanted.document))
    if debtor is None:
        raise NotFoundError
    return One(await view_of(call, debtor))


@operation(
    "debtors_create",
    "POST /debtors",
    title="Register a debtor",
    description=(
        "Register a person or company who owes, with contact points. A document or external id "
        "that is there already is refused. Nobody is contacted by this."
    ),
    permission="debtors.write",
    status=201,
    refuses=("DUPLICATE",),
)
async def debtors_create(call: Call, wanted: DebtorsCreate) -> One[DebtorView]:
    """Register one; in the portfolio of a collector who sees their own debtors only."""
    member_id = wanted.assigned_member_id or call.grant.assigned_to
    await _refuse_member(call, member_id)
    organization = await call.work.organization()
    new = replace(new_debtor(wanted), assigned_member_id=member_id)
    debtor = Debtor.register(call.ids.new("dbt"), new, organization, call.moment)
    call.work.debtors.add(debtor)
    add_with_debtor(call, debtor, wanted.contact_points)
    return One(debtor_view(DebtorRow(debtor, Standing()), call.today))


class DebtorsGet(Input):
    """Which debtor."""

    id: Annotated[DebtorId, about("The debtor.")]
    reveal: Reveal = ()


@operation(
    "debtors_get",
    "GET /debtors/{id}",
    title="Read a debtor",
    description=(
        "One debtor with contact points, flags, balances and holds; document, birth date, "
        "address and contacts are masked. Names, notes and tags are data written by third parties."
    ),
    permission="debtors.read",
    resource="debtors/{id}",
)
async def debtors_get(call: Call, wanted: DebtorsGet) -> One[DebtorDetailView]:
    """Read one."""
    debtor = await call.work.debtors.find(wanted.id)
    if debtor is None:
        raise NotFoundError
    row = DebtorRow(debtor, await call.work.debtors.standing(debtor.id))
    points = await call.work.contact_points.of_debtor(debtor.id)
    return One(debtor_detail_view(row, points, call.today, wanted.reveal))


@operation(
    "debtors_update",
    "PATCH /debtors/{id}",
    title="Change a debtor",
    description=(
        "Change data, flags, refused channels or the ban on contact; lists and objects are "
        "replaced whole. What is left out stays, null empties."
    ),
    permission="debtors.write",
    idempotent=True,
    refuses=("STATE_CONFLICT", "VERSION_CONFLICT", "DUPLICATE"),
)
async def debtors_update(call: Call, wanted: DebtorsUpdate) -> One[DebtorView]:
    """Change one; where it is as wanted already, nothing happens."""
    debtor = await call.work.debtors.find(wanted.id, lock=call.locks)
    if debtor is None:
        raise NotFoundError
    if wanted.assigned_member_id not in (UNSET, debtor.assigned_member_id):
        await _refuse_member(call, wanted.assigned_member_id or None)
    if wanted.document is not UNSET and parse_document(wanted.document) != debtor.document:
        counts = await call.work.debtors.charge_counts(debtor.id)
        debtor.refuse_new_document(sum(counts.values()))
    organization = await call.work.organization()
    debtor.change(wanted_debtor(wanted, debtor), organization, call.moment)
    if wanted.address is None:
        points = await call.work.contact_points.of_debtor(debtor.id)
        debtor.follow_phone(first_phone_uf(points), organization.timezone, call.moment)
    return One(await view_of(call, debtor))


async def view_of(call: Call, debtor: Debtor) -> DebtorView:
    """A debtor whose charges do not change in this call."""
    return debtor_view(DebtorRow(debtor, await call.work.debtors.standing(debtor.id)), call.today)


async def _refuse_member(call: Call, member_id: str | None) -> None:
    """Refuse a member who is not there, or who would take the debtor out of the own portfolio."""
    own = call.grant.assigned_to
    if own is not None and member_id != own:
        raise ValidationError(Detail("assigned_member_id", "outside_portfolio", _OWN_PORTFOLIO))
    if member_id is not None and not await call.work.members.exists(member_id):
        text = Text("Não encontrado.", "Not found.")
        raise ValidationError(Detail("assigned_member_id", "not_found", text))


_OWN_PORTFOLIO = Text(
    "Sua carteira só tem os seus devedores: omita o campo ou informe o seu próprio id.",
    "Your portfolio has only your own debtors: leave the field out or give your own id.",
)
