"""Contact points: where debtors can be reached, which come first, and which are refused."""

from collections.abc import Sequence
from dataclasses import replace

from msgspec import UNSET

from application.dunning.contact_point_input import (
    ContactPointInput,
    ContactPointsCreate,
    ContactPointsDelete,
    ContactPointsUpdate,
    new_contact_point,
    wanted_change,
)
from application.dunning.contact_point_view import ContactPointView, contact_point_view
from application.dunning.debtor_questions import contact_point_question
from application.dunning.question_values import shown_fingerprint
from application.operations.call import Call
from application.operations.declaration import Plan, Ready, operation
from application.operations.fields import One
from domain.dunning.contact_book import ContactBook, first_phone_uf
from domain.dunning.contact_points import ContactPoint
from domain.dunning.debtors import Debtor
from domain.dunning.opt_outs import OptOutSource
from domain.errors import DuplicateError, NotFoundError, ValidationError


@operation(
    "contact_points_create",
    "POST /debtors/{id}/contact_points",
    title="Add a contact point",
    description=(
        "Add an e-mail, mobile, WhatsApp, landline or postal address of a debtor. A value that the "
        "debtor had refused comes back as refused. Nobody is contacted by this."
    ),
    permission="debtors.write",
    status=201,
    refuses=("DUPLICATE", "STATE_CONFLICT"),
)
async def contact_points_create(call: Call, wanted: ContactPointsCreate) -> One[ContactPointView]:
    """Add one; the first active one of a kind is primary."""
    book = await _book(call, wanted.id)
    point = book.add(call.ids.new("cpt"), new_contact_point(wanted), call.moment)
    call.work.contact_points.add(point)
    _follow_phone(call, book)
    return One(contact_point_view(point))


@operation(
    "contact_points_update",
    "PATCH /debtors/{id}/contact_points/{cp_id}",
    title="Change a contact point",
    description=(
        "Change label, primary, verification, opt-out or opt-in of a contact point. "
        "The value never changes: add another one instead."
    ),
    permission="debtors.write",
    idempotent=True,
    refuses=("STATE_CONFLICT", "VERSION_CONFLICT"),
)
async def contact_points_update(call: Call, wanted: ContactPointsUpdate) -> One[ContactPointView]:
    """Change one, and what follows for the others of its kind."""
    book = await _book(call, wanted.id)
    point = _found(book, wanted.cp_id)
    point.refuse_stale(None if wanted.version is UNSET else wanted.version)
    is_person = call.grant.actor.type == "member"
    source = OptOutSource.MEMBER if is_person else OptOutSource.IMPORT
    book.change(point, wanted_change(wanted, point, source), call.moment)
    _follow_phone(call, book)
    return One(contact_point_view(point))


@operation(
    "contact_points_delete",
    "DELETE /debtors/{id}/contact_points/{cp_id}",
    title="Delete a contact point",
    description=(
        "Delete a contact point for good. Of one that was refused, or that counts for legal "
        "notices, an unreadable trace is kept."
    ),
    permission="debtors.write",
    status=204,
    destructive=True,
    idempotent=True,
    refuses=("STATE_CONFLICT",),
)
async def contact_points_delete(call: Call, wanted: ContactPointsDelete) -> Plan[None]:
    """Find the contact point; it goes when that is performed."""
    book = await _book(call, wanted.id)
    point = _found(book, wanted.cp_id)
    question = contact_point_question(point, book.debtor)

    async def delete() -> None:
        is_kept = point.is_kept_when_deleted
        book.delete(point, call.moment)
        _follow_phone(call, book)
        if not is_kept:
            await call.work.contact_points.remove(point)

    return Ready(
        fingerprint=shown_fingerprint(question, point.version, book.debtor.version),
        question=question,
        perform=delete,
    )


def add_with_debtor(
    call: Call, debtor: Debtor, wanted: Sequence[ContactPointInput]
) -> list[ContactPoint]:
    """The contact points that come with a new debtor.

    Raises:
        ValidationError: by its place, such as `contact_points[1].value`; a value that comes twice
            as the same kind.
    """
    book = ContactBook(debtor, [])
    for index, one in enumerate(wanted):
        try:
            point = book.add(call.ids.new("cpt"), new_contact_point(one), call.moment)
        except (ValidationError, DuplicateError) as refused:
            place = f"contact_points[{index}]"
            raise ValidationError(
                *(replace(found, field=f"{place}.{found.field}") for found in refused.details)
            ) from None
        call.work.contact_points.add(point)
    _follow_phone(call, book)
    return book.points


async def _book(call: Call, debtor_id: str) -> ContactBook:
    debtor = await call.work.debtors.find(debtor_id, lock=call.locks)
    if debtor is None:
        raise NotFoundError
    points = await call.work.contact_points.ever_of_debtor(debtor_id, lock=call.locks)
    return ContactBook(debtor, list(points))


def _found(book: ContactBook, point_id: str) -> ContactPoint:
    point = book.find(point_id)
    if point is None:
        raise NotFoundError
    return point


def _follow_phone(call: Call, book: ContactBook) -> None:
    uf = first_phone_uf(book.points)
    book.debtor.follow_phone(uf, call.grant.tenant.timezone, call.moment)
