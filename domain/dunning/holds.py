"""Holds: status says what is owed, holds say what may not be done now."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Final, Protocol

from domain.dunning.charge_states import OWED, ChargeStatus
from domain.dunning.free_text import trimmed, trimmed_lines_or_none
from domain.dunning.money import Bounds, Cents
from domain.dunning.restrictions import DebtorFlag, DoNotContact
from domain.dunning.terms import Terms
from domain.errors import Detail, ValidationError
from domain.texts import Text


class HoldCode(StrEnum):
    """Why something is blocked."""

    MANUAL = "manual"
    DO_NOT_CONTACT = "do_not_contact"
    DECEASED = "deceased"
    MINOR = "minor"
    REPRESENTED_BY_LAWYER = "represented_by_lawyer"
    JUDICIAL_RECOVERY = "judicial_recovery"
    BANKRUPT = "bankrupt"
    OVER_INDEBTED_PLAN = "over_indebted_plan"
    PRESCRIBED = "prescribed"
    TOLERANCE = "tolerance"


class Blocks(StrEnum):
    """What a hold forbids."""

    OUTBOUND = "outbound"
    LEGAL = "legal"
    AGREEMENT = "agreement"
    ALL = "all"


MANUAL_BLOCKS: Final = (Blocks.OUTBOUND, Blocks.LEGAL)
"""What a person may suspend."""

LONGEST_HOLD_DAYS: Final = 180

_REASON: Final = Bounds(5, 200)
_RELEASE_NOTE: Final = Bounds(1, 500)


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualHold:
    """A person's decision to suspend collection of one charge, up to and including `until`."""

    reason: str
    since: date
    until: date | None
    blocks: tuple[Blocks, ...]
    released_on: date | None = None
    release_note: str | None = None

    @classmethod
    def begin(
        cls, reason: str, blocks: Collection[Blocks], until: date | None, today: date
    ) -> "ManualHold":
        """A hold from `today` on.

        Raises:
            ValidationError: a reason that is no line of 5 to 200 characters, an end that is past
                or more than 180 days ahead, or nothing that it would block.
        """
        if until is not None and not 0 <= (until - today).days <= LONGEST_HOLD_DAYS:
            raise ValidationError(Detail("until", "out_of_range", _UNTIL))
        chosen = tuple(one for one in MANUAL_BLOCKS if one in blocks)
        if not chosen:
            raise ValidationError(Detail("blocks", "too_few_items", _NOTHING_BLOCKED))
        return cls(
            reason=trimmed(reason, "reason", _REASON), since=today, until=until, blocks=chosen
        )

    def stands(self, today: date) -> bool:
        """Whether it has not run out, and nobody has ended it."""
        return self.released_on is None and (self.until is None or today <= self.until)

    def does_the_same(self, other: "ManualHold") -> bool:
        """Whether `other` suspends the same for the same reason, whenever it began."""
        return replace(other, since=self.since) == self

    def released(self, note: str | None, today: date) -> "ManualHold":
        """The same, ended today. Raises `ValidationError` for a note that cannot be kept."""
        kept = trimmed_lines_or_none(note, "note", _RELEASE_NOTE)
        return replace(self, released_on=today, release_note=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """One reason why actions are blocked; `source` is the id of what raised it."""

    code: HoldCode
    since: date | None
    until: date | None
    source: str
    blocks: tuple[Blocks, ...]


class HeldCharge(Protocol):
    """What of a charge raises holds."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def status(self) -> ChargeStatus:
        """What is owed."""
        ...

    @property
    def total_due(self) -> Cents:
        """What is due on it, in cents."""
        ...

    @property
    def terms(self) -> Terms:
        """Its terms, with the tolerance."""
        ...

    @property
    def prescription_date(self) -> date:
        """The last day of the limitation period."""
        ...

    @property
    def manual_hold(self) -> ManualHold | None:
        """A person's decision."""
        ...


class HeldDebtor(Protocol):
    """What of a debtor raises holds."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def do_not_contact(self) -> DoNotContact:
        """A ban on contact."""
        ...

    @property
    def flags(self) -> tuple[DebtorFlag, ...]:
        """Facts that limit collection."""
        ...


_UNTIL: Final = Text(
    f"Informe uma data de hoje até daqui a {LONGEST_HOLD_DAYS} dias.",
    f"Give a date from today to {LONGEST_HOLD_DAYS} days ahead.",
)
_NOTHING_BLOCKED: Final = Text(
    "Diga o que fica suspenso: outbound, legal ou ambos.",
    "Say what is suspended: outbound, legal or both.",
)

FLAG_CODES: Final = tuple(HoldCode(flag.value) for flag in DebtorFlag)
"""Holds that a debtor's flags raise; each has the name of its flag."""

BLOCKED_BY: Final[Mapping[HoldCode, tuple[Blocks, ...]]] = {
    HoldCode.MANUAL: MANUAL_BLOCKS,
    HoldCode.DO_NOT_CONTACT: (Blocks.OUTBOUND,),
    **dict.fromkeys(FLAG_CODES, (Blocks.OUTBOUND, Blocks.LEGAL)),
    # The debtor may still pay; nothing is asked of them (CC art. 189, 206).
    HoldCode.PRESCRIBED: (Blocks.OUTBOUND, Blocks.LEGAL, Blocks.AGREEMENT),
    HoldCode.TOLERANCE: (Blocks.ALL,),
}
"""What each hold forbids; a manual one, those of its acts that a person chose."""


def holds_of(charge: HeldCharge, debtor: HeldDebtor, today: date) -> tuple[Hold, ...]:
    """Every hold on a charge that is still owed, those of its debtor included."""
    if charge.status not in OWED:
        return ()
    return (*debtor_holds(debtor, today), *_charge_holds(charge, today))


def debtor_holds(debtor: HeldDebtor, today: date) -> tuple[Hold, ...]:
    """The holds that rest on the debtor, whatever is owed."""
    ban = debtor.do_not_contact
    found = []
    if ban.stands(today):
        found.append(_hold(HoldCode.DO_NOT_CONTACT, debtor.id, ban.since, ban.until))
    found.extend(_hold(HoldCode(flag.value), debtor.id) for flag in debtor.flags)
    return tuple(found)


def blocking(holds: Iterable[Hold], act: Blocks) -> tuple[Hold, ...]:
    """Those of `holds` that forbid `act`."""
    return tuple(hold for hold in holds if act in hold.blocks or Blocks.ALL in hold.blocks)


def _charge_holds(charge: HeldCharge, today: date) -> Iterator[Hold]:
    manual = charge.manual_hold
    if manual is not None and manual.stands(today):
        hold = _hold(HoldCode.MANUAL, charge.id, manual.since, manual.until)
        yield replace(hold, blocks=manual.blocks)
    if today > charge.prescription_date:
        yield _hold(HoldCode.PRESCRIBED, charge.id, charge.prescription_date)
    if charge.total_due <= charge.terms.settlement_tolerance:
        yield _hold(HoldCode.TOLERANCE, charge.id)


def _hold(
    code: HoldCode, source: str, since: date | None = None, until: date | None = None
) -> Hold:
    return Hold(code=code, since=since, until=until, source=source, blocks=BLOCKED_BY[code])
