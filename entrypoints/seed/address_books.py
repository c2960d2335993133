"""The contact points of each debtor, as they were learned, verified, lost and refused."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final

from domain.dunning.contact_book import ContactBook
from domain.dunning.contact_points import (
    ContactChange,
    ContactKind,
    ContactPoint,
    ContactStatus,
)
from domain.dunning.debtors import Debtor
from domain.dunning.interactions import InteractionChannel
from domain.dunning.moment import Moment
from domain.dunning.opt_outs import OptOutSource
from entrypoints.seed.chronicle import Chronicle, Hands
from entrypoints.seed.contacts import ContactPlan
from entrypoints.seed.diary import Act

_REACHED_BY: Final = {
    InteractionChannel.EMAIL: ContactKind.EMAIL,
    InteractionChannel.SMS: ContactKind.MOBILE,
    InteractionChannel.WHATSAPP: ContactKind.WHATSAPP,
    InteractionChannel.VOICE: ContactKind.MOBILE,
    InteractionChannel.LETTER: ContactKind.POSTAL,
}
_VERIFIED: Final = ContactChange(label=None, is_verified=True)
_REFUSED: Final = ContactChange(
    label=None,
    status=ContactStatus.OPTED_OUT,
    evidence="Mensagem do devedor no WhatsApp: só quer e-mail.",
    source=OptOutSource.DEBTOR_REPLY,
)


class AddressBooks:
    """The contact book of every debtor, by the external id of the debtor."""

    def __init__(self, chronicle: Chronicle, hands: Hands) -> None:
        self._chronicle = chronicle
        self._hands = hands
        self._books: dict[str, ContactBook] = {}

    @property
    def points(self) -> tuple[ContactPoint, ...]:
        """All contact points, debtor after debtor."""
        return tuple(point for book in self._books.values() for point in book.points)

    def open(self, external_id: str, debtor: Debtor) -> None:
        """Begin the book of a debtor who has come."""
        self._books[external_id] = ContactBook(debtor, [])

    def point_for(self, external_id: str, channel: InteractionChannel) -> str | None:
        """The id of the primary contact point that the channel uses, where there is one."""
        kind = _REACHED_BY.get(channel)
        points = self._books[external_id].points
        return next((one.id for one in points if one.kind is kind and one.is_primary), None)

    def acts(self, plan: ContactPlan) -> Iterator[tuple[date, Act]]:
        """What is done with one contact point, and on which days."""
        yield plan.on, partial(self._add, plan)
        if plan.verified_on is not None:
            yield plan.verified_on, partial(self._change, plan, _VERIFIED)
        for day in plan.failed_on:
            yield day, partial(self._fail, plan)
        if plan.refused_on is not None:
            yield plan.refused_on, partial(self._change, plan, _REFUSED)

    def _add(self, plan: ContactPlan, moment: Moment) -> None:
        book = self._books[plan.debtor]
        book.add(self._id(plan), plan.new, moment)
        self._note(book, moment)

    def _change(self, plan: ContactPlan, change: ContactChange, moment: Moment) -> None:
        book, point = self._found(plan)
        book.change(point, replace(change, label=point.label), moment)
        self._note(book, moment)

    def _fail(self, plan: ContactPlan, moment: Moment) -> None:
        book, point = self._found(plan)
        book.note_failure(point, moment)
        self._note(book, moment)

    def _found(self, plan: ContactPlan) -> tuple[ContactBook, ContactPoint]:
        book, wanted = self._books[plan.debtor], self._id(plan)
        return book, next(point for point in book.points if point.id == wanted)

    def _note(self, book: ContactBook, moment: Moment) -> None:
        # Another point of the kind may have become the primary one.
        for point in book.points:
            self._chronicle.note(point, moment, self._hands.erp)

    def _id(self, plan: ContactPlan) -> str:
        return self._chronicle.id("cpt", f"contact_point/{plan.name}")
