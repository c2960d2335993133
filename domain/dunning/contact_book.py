"""The contact points of one debtor together: which one of a kind is primary, which are known."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from domain.dunning.contact_digests import contact_digest
from domain.dunning.contact_points import (
    CheckedContactPoint,
    ContactChange,
    ContactKind,
    ContactPoint,
    ContactStatus,
)
from domain.dunning.debtors import Debtor
from domain.dunning.holidays import Place
from domain.dunning.moment import Moment
from domain.dunning.new_contact_points import NewContactPoint, checked_contact_point
from domain.dunning.phones import uf_of_phone
from domain.errors import Detail, DuplicateError, StateConflictError, ValidationError
from domain.texts import Text

_PHONES: Final = frozenset({ContactKind.MOBILE, ContactKind.WHATSAPP, ContactKind.PHONE})


def first_phone_uf(points: Iterable[ContactPoint]) -> str | None:
    """The state of the first active phone, in the order in which they were added."""
    phones = (point for point in points if point.is_active and point.kind in _PHONES)
    first = min(phones, key=lambda point: point.id, default=None)
    return None if first is None else uf_of_phone(first.value)


def place_of(debtor: Debtor, points: Iterable[ContactPoint]) -> Place:
    """Whose law and holidays protect the debtor: of the address, else of the first active phone."""
    place = debtor.place
    return place if place.uf is not None else replace(place, uf=first_phone_uf(points))


@dataclass(frozen=True, slots=True)
class ContactBook:
    """All contact points of `debtor`, those included that are deleted and kept.

    Of a kind, one active contact point is primary: the one that was chosen, or the oldest.
    """

    debtor: Debtor
    points: list[ContactPoint]

    def find(self, point_id: str) -> ContactPoint | None:
        """The contact point, unless it is deleted."""
        return next((point for point in self._there() if point.id == point_id), None)

    def add(self, point_id: str, new: NewContactPoint, moment: Moment) -> ContactPoint:
        """A new contact point, or the deleted one with its value, which keeps id and refusal.

        Raises:
            StateConflictError: the debtor is anonymised.
            ValidationError: a field that is none.
            DuplicateError: the debtor has the value already, as the same kind.
        """
        self.debtor.refuse_anonymized()
        stated = checked_contact_point(new)
        self._refuse_known(stated)
        known = self._deleted_before(stated)
        is_refused = known is not None and known.is_refused
        stated = replace(stated, is_primary=not is_refused and self._is_primary(stated))
        if known is not None:
            known.revive(stated, moment)
            point = known
        else:
            point = ContactPoint.create(point_id, stated, self.debtor, moment)
            self.points.append(point)
        self._settle(point, moment)
        return point

    def change(self, point: ContactPoint, wanted: ContactChange, moment: Moment) -> None:
        """Make a contact point as wanted, and another one of its kind primary where need be.

        Raises:
            ValidationError: a field that is none, or the primary one is to be so no more.
            StateConflictError: a status that cannot follow, or a primary one that is not active.
        """
        if wanted.is_primary is False and point.is_primary:
            raise ValidationError(Detail("is_primary", "conflicts_with", _CHOOSE_ANOTHER))
        will_be = wanted.status or point.status
        if wanted.is_primary and will_be is not ContactStatus.ACTIVE:
            raise StateConflictError(_NOT_ACTIVE, current_status=point.status.value)
        point.change(replace(wanted, is_primary=self._will_be_primary(point, wanted)), moment)
        self._settle(point, moment)

    def note_failure(self, point: ContactPoint, moment: Moment) -> None:
        """Count a hard failure; a primary one that becomes invalid hands over to another."""
        point.note_failure(moment)
        self._settle(point, moment)

    def delete(self, point: ContactPoint, moment: Moment) -> None:
        """Delete a contact point; a primary one hands over to another."""
        point.delete(moment)
        self._settle(point, moment)

    def _there(self) -> Iterator[ContactPoint]:
        return (point for point in self.points if point.status is not ContactStatus.DELETED)

    def _active(self, kind: ContactKind) -> list[ContactPoint]:
        return [point for point in self.points if point.kind is kind and point.is_active]

    def _deleted_before(self, stated: CheckedContactPoint) -> ContactPoint | None:
        # The digest is slow: only who has deleted one of the kind waits for it.
        deleted = [
            point
            for point in self.points
            if point.kind is stated.kind and point.status is ContactStatus.DELETED
        ]
        if not deleted:
            return None
        debtor = self.debtor
        digest = contact_digest(debtor.organization_id, debtor.id, stated.kind, stated.value)
        return next((point for point in deleted if point.value == digest), None)

    def _is_primary(self, stated: CheckedContactPoint) -> bool:
        return stated.is_primary or not self._active(stated.kind)

    def _will_be_primary(self, point: ContactPoint, wanted: ContactChange) -> bool:
        others = [other for other in self._active(point.kind) if other is not point]
        return bool(wanted.is_primary) or point.is_primary or not others

    def _settle(self, point: ContactPoint, moment: Moment) -> None:
        """Let the others of the kind follow what has become of `point`."""
        active = self._active(point.kind)
        if point.is_primary:
            for other in active:
                if other.is_primary and other is not point:
                    other.set_primary(moment, is_primary=False)
        elif active and not any(one.is_primary for one in active):
            min(active, key=lambda one: one.id).set_primary(moment, is_primary=True)

    def _refuse_known(self, stated: CheckedContactPoint) -> None:
        for point in self._there():
            if (point.kind, point.value) == (stated.kind, stated.value):
                raise DuplicateError("value", point.id)


_CHOOSE_ANOTHER: Final = Text(
    "Para trocar o principal, marque outro como principal.",
    "To change the primary one, make another one primary.",
)
_NOT_ACTIVE: Final = Text(
    "Só um contato ativo pode ser o principal.", "Only an active contact can be the primary one."
)
