"""What may be done about a charge, why not, and from which day on: one table, one function."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from domain.dunning.charge_states import OWED, ChargeStatus
from domain.dunning.charges import Charge
from domain.dunning.contact_rules import Verdict
from domain.dunning.debtors import Debtor
from domain.dunning.holds import Blocks, HoldCode, blocking, holds_of
from domain.dunning.holidays import Place
from domain.dunning.organization_settings import ApprovalAct, RoleCeiling, Settings


class Act(StrEnum):
    """What a creditor may want to do about a debt."""

    NEGATIVATE = "negativate"
    PROTEST = "protest"
    AGREEMENT = "agreement"
    NOTIFY = "notify"
    WRITE_OFF = "write_off"


class Barrier(StrEnum):
    """What may stand in the way, besides holds and the reasons of the contact rules."""

    NOT_OWED = "not_owed"
    NOT_OVERDUE = "not_overdue"
    WRITTEN_OFF = "written_off"
    AGREEMENT = "agreement"
    MIN_DAYS_OVERDUE = "min_days_overdue"
    MIN_AMOUNT = "min_amount"
    LISTING_LIMIT = "listing_limit"
    PRESCRIBED = "prescribed"
    NO_ADDRESS = "no_address"
    NO_PRIOR_NOTICE = "no_prior_notice"
    ROLE_LIMIT = "role_limit"
    APPROVAL_REQUIRED = "approval_required"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One reason; from `gone_on` on it will be gone by itself, None is never."""

    code: str
    gone_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All that decides. The charge has its amounts of `today`.

    `place` is the debtor's, as far as address and phones tell it.
    `ceiling` is that of who asks, None without one. `contact` is what the contact rules say, holds
    included.
    """

    charge: Charge
    debtor: Debtor
    place: Place
    settings: Settings
    ceiling: RoleCeiling | None
    today: date
    contact: Sequence[Obstacle] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """Where a rule is written, and since when it binds."""

    source: str
    valid_from: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What has to be so for `acts`; `find` gives what stands in the way now."""

    acts: frozenset[Act]
    find: Callable[[Case], Iterator[Obstacle]]
    law: Law | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """The last day for `acts`, which waiting may run past."""

    acts: frozenset[Act]
    code: Barrier
    last_day: Callable[[Charge], date]
    law: Law


@dataclass(frozen=True, slots=True, kw_only=True)
class Eligibility:
    """Whether an act is possible now; `reasons` is empty where it is.

    `earliest_on` is there where only time is missing. An approval is no matter of time, but it can
    be asked for: it moves no date.
    """

    reasons: tuple[str, ...] = field(default=())
    earliest_on: date | None = None

    @property
    def is_allowed(self) -> bool:
        """Whether nothing stands in the way."""
        return not self.reasons


def eligibility_of(case: Case, act: Act) -> Eligibility:
    """Decide on one act; a debt that is not owed has no other reason than that."""
    if case.charge.status not in OWED:
        return Eligibility(reasons=(Barrier.NOT_OWED,))
    found = [
        obstacle
        for rule in RULES
        if act in rule.acts and _binds(rule.law, case.today)
        for obstacle in rule.find(case)
    ]
    earliest = _earliest(found, case, act)
    missed = list(_missed(act, case, earliest or case.today))
    codes = [*(obstacle.code for obstacle in found), *missed]
    if act in _NEEDS_APPROVAL and _NEEDS_APPROVAL[act] in case.settings.approval_required_for:
        codes.append(Barrier.APPROVAL_REQUIRED)
    reasons = tuple(dict.fromkeys(str(code) for code in codes))
    return Eligibility(reasons=reasons, earliest_on=None if missed else earliest)


def obstacles_of_contact(verdicts: Iterable[Verdict], zone: ZoneInfo) -> tuple[Obstacle, ...]:
    """What stands against the channel that opens first; nothing where one is open.

    `verdicts` are those of the contact rules on each channel, `zone` is where dates are told.
    """
    best = min(verdicts, key=_openness)
    opens = best.next_allowed_at
    gone_on = None if opens is None else opens.astimezone(zone).date()
    return tuple(Obstacle(reason, gone_on) for reason in best.reasons)


def _openness(verdict: Verdict) -> tuple[bool, datetime, int]:
    """What sorts first what opens first, and then what least stands against."""
    return not verdict.is_allowed, verdict.next_allowed_at or _NEVER, len(verdict.reasons)


def _earliest(found: Sequence[Obstacle], case: Case, act: Act) -> date | None:
    """The day on which the last obstacle is gone; a notice takes its days only after that."""
    days = [obstacle.gone_on for obstacle in found]
    known = [day for day in days if day is not None]
    if not days or len(known) < len(days):
        return None
    first = max(case.today, *known)
    return first + _notice(case) if act is Act.NEGATIVATE else first


def _missed(act: Act, case: Case, on: date) -> Iterator[str]:
    for deadline in DEADLINES:
        is_binding = act in deadline.acts and _binds(deadline.law, case.today)
        if is_binding and on > deadline.last_day(case.charge):
            yield deadline.code


def _binds(law: Law | None, on: date) -> bool:
    return law is None or law.valid_from <= on


def _notice(case: Case) -> timedelta:
    """From the day of the notice to the first day of a listing: the last of its days is whole."""
    overrides = {one.uf: one.days for one in case.settings.negativation_notice_uf_overrides}
    days = overrides.get(case.place.uf or "", case.settings.negativation_notice_days)
    return timedelta(days=days + 1)


def _status(case: Case) -> Iterator[Obstacle]:
    """What a creditor has already done about the debt."""
    if case.charge.status is ChargeStatus.WRITTEN_OFF:
        yield Obstacle(Barrier.WRITTEN_OFF)
    if case.charge.status is ChargeStatus.RENEGOTIATED:
        yield Obstacle(Barrier.AGREEMENT)


def _lateness(case: Case) -> Iterator[Obstacle]:
    # By the date: the status is brought up to it when something is done.
    is_open = case.charge.status in (ChargeStatus.PENDING, ChargeStatus.OVERDUE)
    if is_open and _late_since(case) > case.today:
        yield Obstacle(Barrier.NOT_OVERDUE, _late_since(case))


def _min_days(case: Case) -> Iterator[Obstacle]:
    enough = case.charge.effective_due_date + timedelta(
        days=case.settings.negativation_min_days_overdue
    )
    if case.today < enough:
        yield Obstacle(Barrier.MIN_DAYS_OVERDUE, enough)


def _min_amount(case: Case) -> Iterator[Obstacle]:
    # A listing is about the principal: fine and interest are never part of it.
    if case.charge.principal_outstanding < case.settings.negativation_min_amount:
        yield Obstacle(Barrier.MIN_AMOUNT)


def _address(case: Case) -> Iterator[Obstacle]:
    if case.debtor.address is None:
        yield Obstacle(Barrier.NO_ADDRESS)


def _prior_notice(case: Case) -> Iterator[Obstacle]:
    # What its days are counted from is known only once everything else is.
    yield Obstacle(Barrier.NO_PRIOR_NOTICE, case.today)


def _ceiling(case: Case) -> Iterator[Obstacle]:
    most = None if case.ceiling is None else case.ceiling.write_off_amount
    if most is not None and case.charge.total_due > most:
        yield Obstacle(Barrier.ROLE_LIMIT)


def _contact(case: Case) -> Iterator[Obstacle]:
    yield from case.contact


def _holds(act: Blocks) -> Callable[[Case], Iterator[Obstacle]]:
    def find(case: Case) -> Iterator[Obstacle]:
        for hold in blocking(holds_of(case.charge, case.debtor, case.today), act):
            # Limitation is among the deadlines.
            if hold.code is not HoldCode.PRESCRIBED:
                yield Obstacle(hold.code, _day_after(hold.until))

    return find


def _late_since(case: Case) -> date:
    return case.charge.effective_due_date + timedelta(days=1)


def _day_after(until: date | None) -> date | None:
    return None if until is None else until + timedelta(days=1)


_LEGAL: Final = frozenset({Act.NEGATIVATE, Act.PROTEST})
_LATE: Final = _LEGAL | {Act.WRITE_OFF}
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_CDC: Final = date(1991, 3, 11)
_CIVIL_CODE: Final = date(2003, 1, 11)

RULES: Final = (
    Rule(acts=frozenset(Act), find=_status),
    Rule(acts=_LATE, find=_lateness),
    Rule(acts=frozenset({Act.NEGATIVATE}), find=_min_days),
    Rule(acts=frozenset({Act.NEGATIVATE}), find=_min_amount),
    Rule(acts=_LEGAL, find=_holds(Blocks.LEGAL)),
    Rule(acts=frozenset({Act.AGREEMENT}), find=_holds(Blocks.AGREEMENT)),
    Rule(acts=frozenset({Act.NOTIFY}), find=_contact),
    Rule(
        acts=frozenset({Act.PROTEST}),
        find=_address,
        law=Law(source="Lei 9.492/1997 art. 14, 15", valid_from=date(1997, 9, 11)),
    ),
    Rule(
        acts=frozenset({Act.NEGATIVATE}),
        find=_prior_notice,
        law=Law(source="CDC 43 §2; STJ Súmula 359", valid_from=_CDC),
    ),
    Rule(acts=frozenset({Act.WRITE_OFF}), find=_ceiling),
)
"""In the order in which reasons are told."""

DEADLINES: Final = (
    Deadline(
        acts=frozenset({Act.NEGATIVATE}),
        code=Barrier.LISTING_LIMIT,
        last_day=lambda charge: charge.listing_limit_date,
        law=Law(source="CDC 43 §1; STJ Súmula 323", valid_from=_CDC),
    ),
    Deadline(
        acts=frozenset(Act) - {Act.WRITE_OFF},
        code=Barrier.PRESCRIBED,
        last_day=lambda charge: charge.prescription_date,
        law=Law(source="CC 189, 206 §3 I, §5 I", valid_from=_CIVIL_CODE),
    ),
)
"""Beyond the last day waiting is of no use."""

_NEEDS_APPROVAL: Final[Mapping[Act, ApprovalAct]] = {
    Act.NEGATIVATE: ApprovalAct.NEGATIVATE,
    Act.PROTEST: ApprovalAct.PROTEST,
    Act.WRITE_OFF: ApprovalAct.WRITE_OFF,
}
