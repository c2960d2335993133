"""The debtor: who owes, whether consumer law protects them, and how they may be approached."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, TypeVar

from domain.dunning.addresses import Address
from domain.dunning.brazil import UF_TIMEZONES
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.debtor_events import Changes, told
from domain.dunning.documents import Document, PersonType
from domain.dunning.erasure import ERASED, checked_reference
from domain.dunning.events import Event, EventSource
from domain.dunning.holidays import Place
from domain.dunning.languages import Language
from domain.dunning.moment import Moment
from domain.dunning.money import Cents
from domain.dunning.new_debtors import NewDebtor, Particulars, checked, checked_reason
from domain.dunning.organizations import Organization
from domain.dunning.restrictions import Channel, DebtorFlag, DoNotContact
from domain.dunning.text_search import search_text
from domain.errors import Detail, StateConflictError, ValidationError, VersionConflictError
from domain.texts import Text

E = TypeVar("E", bound=StrEnum)


class DebtorStatus(StrEnum):
    """Whether a debtor can have new charges; `anonymized` is final."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    ANONYMIZED = "anonymized"


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtorChange:
    """All of a debtor as it is to be; `reason` says why a restriction is lifted."""

    stated: NewDebtor
    status: DebtorStatus
    flags: tuple[DebtorFlag, ...]
    do_not_contact: DoNotContact
    opted_out_channels: tuple[Channel, ...]
    reason: str | None = None
    version: int | None = None


_COLLECTED: Final = (ChargeStatus.PENDING, ChargeStatus.OVERDUE, ChargeStatus.RENEGOTIATED)
_ERASED_FIELDS: Final = (
    "trade_name",
    "is_consumer_reason",
    "birth_date",
    "address",
    "uf",
    "external_id",
    "notes",
    "custom_data",
)


@dataclass(kw_only=True, eq=False)
class Debtor(EventSource):
    """A person or company that owes; one per document and organisation.

    `search_text` is the folded shadow of name, trade name and external id; `credit` is money in
    cents that settled nothing yet.
    """

    id: str
    organization_id: str
    name: str
    trade_name: str | None
    document: Document
    person_type: PersonType
    is_consumer: bool
    is_consumer_reason: str | None
    birth_date: date | None
    address: Address | None
    uf: str | None
    timezone: str
    language: Language
    tags: tuple[str, ...]
    external_id: str | None
    notes: str | None
    custom_data: Mapping[str, object] | None
    assigned_member_id: str | None
    status: DebtorStatus
    do_not_contact: DoNotContact
    opted_out_channels: tuple[Channel, ...]
    flags: tuple[DebtorFlag, ...]
    search_text: str
    credit: Cents = 0
    anonymized_at: datetime | None = None
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def register(
        cls, debtor_id: str, new: NewDebtor, organization: Organization, moment: Moment
    ) -> "Debtor":
        """A new active debtor.

        Raises:
            ValidationError: an invalid document or field, a person type that contradicts the
                document, or an individual without consumer protection and without a reason.
        """
        held = checked(new, moment.today)
        debtor = cls(
            id=debtor_id,
            organization_id=organization.id,
            **_values(held),
            timezone=_timezone(held.uf, organization),
            status=DebtorStatus.ACTIVE,
            do_not_contact=DoNotContact(),
            opted_out_channels=(),
            flags=(),
            search_text=search_text(_searched(held)),
            version=1,
            created_at=moment.instant,
            updated_at=moment.instant,
        )
        debtor._tell("debtor.created", {})
        return debtor

    @property
    def place(self) -> Place:
        """Where the debtor lives, as far as it is known: whose holidays count."""
        return Place(uf=self.uf, city=None if self.address is None else self.address.city)

    @property
    def stated(self) -> NewDebtor:
        """The debtor as a caller would state them anew."""
        is_individual = self.person_type is PersonType.INDIVIDUAL
        return NewDebtor(
            name=self.name,
            document=self.document.number,
            trade_name=self.trade_name,
            is_consumer=None if self.is_consumer is is_individual else self.is_consumer,
            is_consumer_reason=self.is_consumer_reason,
            birth_date=self.birth_date,
            address=self.address,
            language=self.language,
            tags=self.tags,
            external_id=self.external_id,
            notes=self.notes,
            custom_data=self.custom_data,
            assigned_member_id=self.assigned_member_id,
        )

    def change(self, wanted: DebtorChange, organization: Organization, moment: Moment) -> None:
        """Make it as wanted; where it is so already, nothing happens.

        Charges that exist keep their dates, wherever the debtor moves to.

        Raises:
            StateConflictError: the debtor is anonymised, which is final.
            VersionConflictError: a version was given and is not the present one.
            ValidationError: as for a new debtor, or a restriction that is lifted without a reason.
        """
        self.refuse_anonymized()
        if wanted.version not in (None, self.version):
            raise VersionConflictError(self.version)
        reason = checked_reason(wanted.reason)
        if reason is None and self._would_lift(wanted, moment.today):
            text = Text("Diga por que a restrição termina.", "Say why the restriction ends.")
            raise ValidationError(Detail("reason", "required_with", text))
        new = self._different(wanted, organization, moment.today)
        if not new:
            return
        old = self._become(new, moment)
        self._tell("debtor.updated", told(old, new, has_reason=reason is not None))
        self._tell_refusals(old, moment.today)

    def owe_again(self, moment: Moment) -> None:
        """Come back from the archive, because a payment turned out to be none."""
        if self.status is DebtorStatus.ARCHIVED:
            new: dict[str, object] = {"status": DebtorStatus.ACTIVE}
            old = self._become(new, moment)
            self._tell("debtor.updated", told(old, new))

    def follow_phone(self, uf: str | None, timezone: str, moment: Moment) -> None:
        """Without an address, live in the zone of a phone of `uf`, or in `timezone` without one."""
        zone = timezone if uf is None else UF_TIMEZONES[uf]
        if self.uf is None and zone != self.timezone:
            new: dict[str, object] = {"timezone": zone}
            old = self._become(new, moment)
            self._tell("debtor.updated", told(old, new))

    def add_credit(self, amount: Cents) -> None:
        """Keep money that settled nothing yet; the payment tells of it."""
        self.credit += amount

    def take_credit(self, amount: Cents) -> None:
        """Use of that money, or give it back; the payment has made sure that there is so much."""
        self.credit -= amount

    def refuse_new_document(self, charges: int) -> None:
        """Refuse another document where there are `charges`, which were made out to this one.

        Raises:
            StateConflictError: there are some.
        """
        if charges:
            text = Text(
                "O documento não muda depois da primeira cobrança.",
                "The document does not change after the first charge.",
            )
            raise StateConflictError(text, current_status=self.status)

    def refuse_leaving(
        self, charges: Mapping[ChargeStatus, int], guaranteed: Mapping[ChargeStatus, int]
    ) -> None:
        """Refuse to archive or anonymise while anything is to be collected from the debtor.

        `charges` are their own, `guaranteed` those of others that they answer for (CC art. 818).

        Raises:
            StateConflictError: some are, or the debtor is anonymised already.
        """
        self.refuse_anonymized()
        if own := _collected(charges):
            text = Text(
                f"Há cobranças em aberto: {own}; receba, cancele ou baixe antes.",
                f"There are open charges: {own}; settle, cancel or write them off first.",
            )
            raise StateConflictError(text, current_status=self.status)
        if others := _collected(guaranteed):
            text = Text(
                f"Garante cobranças em aberto de outros: {others}; encerre ou troque o garantidor.",
                f"Guarantees open charges of others: {others}; end them or change the guarantor.",
            )
            raise StateConflictError(text, current_status=self.status)

    def archive(self, reason: str | None, moment: Moment) -> None:
        """Set aside a debtor who owes nothing; `refuse_leaving` was asked before.

        Raises:
            ValidationError: a reason that is no text of 5 to 500 characters.
        """
        reason = checked_reason(reason)
        new: dict[str, object] = {"status": DebtorStatus.ARCHIVED}
        old = self._become(new, moment)
        self._tell("debtor.archived", told(old, new, has_reason=reason is not None))

    def anonymize(self, reference: str, timezone: str, moment: Moment) -> None:
        """Forget who it was, for good (LGPD art. 18 VI); amounts and dates stay.

        `refuse_leaving` was asked before; `timezone` is the organisation's.

        Raises:
            StateConflictError: money of theirs is still kept.
            ValidationError: a reference that is no text, or that names the debtor.
        """
        self.refuse_credit()
        kept = checked_reference(reference, self.name, self.document)
        self._become(
            {
                **dict.fromkeys(_ERASED_FIELDS),
                "name": ERASED,
                "document": Document.erased(self.id),
                "tags": (),
                "timezone": timezone,
                "status": DebtorStatus.ANONYMIZED,
                "anonymized_at": moment.instant,
            },
            moment,
        )
        event = Event(
            type="debtor.anonymized",
            resource_type="debtor",
            resource_id=self.id,
            data={},
            changes={"request_reference": (None, kept)},
        )
        self.events.append(event)

    def refuse_credit(self) -> None:
        """Raise `StateConflictError` while money of theirs is kept: nobody could give it back."""
        if self.credit:
            text = Text(
                "Há crédito do devedor; use-o em uma compensação ou estorne o pagamento antes.",
                "The debtor has credit; use it in a compensation or reverse the payment first.",
            )
            raise StateConflictError(text, current_status=self.status)

    def refuse_anonymized(self) -> None:
        """Raise `StateConflictError` where nothing may change any more."""
        if self.status is DebtorStatus.ANONYMIZED:
            text = Text("O devedor foi anonimizado.", "The debtor has been anonymised.")
            raise StateConflictError(text, current_status=self.status)

    def _would_lift(self, wanted: DebtorChange, today: date) -> bool:
        ban = self.do_not_contact
        return (
            (ban.stands(today) and wanted.do_not_contact.ends_before(ban))
            or not set(self.flags) <= set(wanted.flags)
            or not set(self.opted_out_channels) <= set(wanted.opted_out_channels)
        )

    def _different(
        self, wanted: DebtorChange, organization: Organization, today: date
    ) -> dict[str, object]:
        """The fields that will have another value, with it."""
        held = checked(wanted.stated, today)
        values = {
            **_values(held),
            "status": wanted.status,
            "do_not_contact": wanted.do_not_contact.after(self.do_not_contact, today),
            "flags": _in_order(DebtorFlag, wanted.flags),
            "opted_out_channels": _in_order(Channel, wanted.opted_out_channels),
        }
        if held.uf != self.uf:
            values["timezone"] = _timezone(held.uf, organization)
        return {
            name: value for name, value in values.items() if not _same(getattr(self, name), value)
        }

    def _become(self, new: Mapping[str, object], moment: Moment) -> dict[str, object]:
        """Take the values; gives those that there were."""
        old = {name: getattr(self, name) for name in new}
        for name, value in new.items():
            setattr(self, name, value)
        self.search_text = search_text(_searched(self))
        self.version += 1
        self.updated_at = moment.instant
        return old

    def _tell_refusals(self, old: Mapping[str, Any], today: date) -> None:
        """What the debtor does not want any more is an event of its own."""
        before = old.get("opted_out_channels", self.opted_out_channels)
        channels = [channel for channel in self.opted_out_channels if channel not in before]
        ban = old.get("do_not_contact", self.do_not_contact)
        is_banned_now = self.do_not_contact.stands(today) and not ban.stands(today)
        if channels or is_banned_now:
            refused = {"channels": channels, "do_not_contact": is_banned_now}
            self._tell("debtor.opted_out", {}, refused)

    def _tell(
        self, event_type: str, changes: Changes, further: Mapping[str, object] | None = None
    ) -> None:
        data = {
            "id": self.id,
            "person_type": self.person_type,
            "is_consumer": self.is_consumer,
            "uf": self.uf,
            "status": self.status,
            **(further or {}),
        }
        event = Event(
            type=event_type,
            resource_type="debtor",
            resource_id=self.id,
            data=data,
            changes=changes,
        )
        self.events.append(event)


def _collected(charges: Mapping[ChargeStatus, int]) -> int:
    return sum(charges.get(status, 0) for status in _COLLECTED)


def _values(held: Particulars) -> dict[str, Any]:
    return {one.name: getattr(held, one.name) for one in fields(held)}


def _searched(held: Particulars | Debtor) -> tuple[str | None, ...]:
    # An anonymised debtor is found by no word.
    return () if held.name == ERASED else (held.name, held.trade_name, held.external_id)


def _timezone(uf: str | None, organization: Organization) -> str:
    return organization.timezone if uf is None else UF_TIMEZONES[uf]


def _in_order(kind: type[E], wanted: Iterable[E]) -> tuple[E, ...]:
    chosen = set(wanted)
    return tuple(one for one in kind if one in chosen)


def _same(old: object, new: object) -> bool:
    if isinstance(old, tuple) and isinstance(new, tuple):
        return sorted(old) == sorted(new)
    # 1, 1.0 and true are equal in Python and not in JSON.
    is_object = isinstance(old, Mapping) and isinstance(new, Mapping)
    return _as_json(old) == _as_json(new) if is_object else old == new


def _as_json(value: object) -> str:
    return json.dumps(value, sort_keys=True)
