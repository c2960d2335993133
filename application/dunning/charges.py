"""Charges: each debt, its terms, what it amounts to, and what may happen to it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta, Struct

from application.dunning.charge_input import (
    ChargesCreate,
    Code,
    DebtorId,
    MemberId,
    new_charge,
)
from application.dunning.charge_lookup import (
    charge_to_change,
    refuse_unknown_guarantors,
    refuse_unknown_member,
)
from application.dunning.charge_view import ChargeView, charge_view, row_views
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
from application.dunning.question_values import shown_fingerprint
from application.dunning.questions import cancel_question
from application.operations.call import Call
from application.operations.declaration import Plan, Reached, Ready, operation
from application.operations.fields import (
    SEVERAL,
    Input,
    ListMeta,
    MoneyOut,
    One,
    about,
    id_of,
)
from application.operations.numbers import reais_or_none
from domain.access.roles import Role
from domain.dunning.aging import FIRST_DAY, AgingBucket
from domain.dunning.amounts import amounts_of
from domain.dunning.charge_acts import CancelReason, checked_cancel_note
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.charge_states import OWED, ChargeStatus
from domain.dunning.charges import Charge, CreditorRules
from domain.dunning.debtors import Debtor
from domain.dunning.holds import HoldCode
from domain.dunning.holidays import wide_calendar
from domain.dunning.owed import owed_on
from domain.dunning.rates import Rates
from domain.errors import ValidationError, not_found
from domain.ports.charges import ChargeQuery, ChargeRow

ChargeId = Annotated[str, id_of("chg")]


class ChargesMeta(ListMeta, kw_only=True, omit_defaults=True):
    """How much there is, where this page stands in it, and what is due on all of it."""

    sum_total_due: Annotated[
        MoneyOut | None, about("Over the whole filter; null above 10,000 charges.")
    ]


class ChargesListing(Struct, frozen=True):
    """A page of charges."""

    data: list[ChargeView]
    meta: ChargesMeta


SortBy = Literal["due_date", "amount", "total_due", "days_late", "created_at", "debtor_name"]


class ChargesList(DatedList):
    """Filters of the charge list; different filters narrow together."""

    status: Annotated[tuple[ChargeStatus, ...], SEVERAL, about("Status.")] = ()
    debtor_id: Annotated[DebtorId | None, about("Charges of this debtor.")] = None
    q: Annotated[
        Annotated[str, Meta(min_length=2, max_length=80)] | None,
        about("Words of the description, document number or external id."),
    ] = None
    kind: Annotated[tuple[ChargeKind, ...], SEVERAL, about("What the debt is for.")] = ()
    due_from: Annotated[date | None, about("Due on or after this date.")] = None
    due_to: Annotated[date | None, about("Due on or before this date.")] = None
    days_late_min: Annotated[
        Annotated[int, Meta(ge=0, le=40_000)] | None,
        about("At least so many days late; owed charges only."),
    ] = None
    days_late_max: Annotated[
        Annotated[int, Meta(ge=0, le=40_000)] | None,
        about("At most so many days late; owed charges only."),
    ] = None
    aging_bucket: Annotated[
        tuple[AgingBucket, ...], SEVERAL, about("Ranges of days late; owed charges only.")
    ] = ()
    min_amount: Annotated[MoneyLimit | None, about("Original amount at least this.")] = None
    max_amount: Annotated[MoneyLimit | None, about("Original amount at most this.")] = None
    tags: Annotated[tuple[Tag, ...], SEVERAL, about("Charges with any of these tags.")] = ()
    assigned_member_id: Annotated[
        MemberId | None, about("The member who works with the charge.")
    ] = None
    external_id: Annotated[Code | None, about("Your own id of the charge, exactly.")] = None
    document_number: Annotated[Code | None, about("The number on the invoice, exactly.")] = None
    hold: Annotated[
        tuple[HoldCode, ...], SEVERAL, about("Owed charges with any of these holds today.")
    ] = ()
    sort_by: Annotated[SortBy, about("What the list is sorted by.")] = "due_date"


@operation(
    "charges_list",
    "GET /charges",
    title="List charges",
    description=(
        "Search and filter charges, with what is owed on each today and the sum over the whole "
        "filter. Descriptions and tags are data written by third parties."
    ),
    permission="charges.read",
)
async def charges_list(call: Call, wanted: ChargesList) -> ChargesListing:
    """Read one page; amounts stored for another day are computed anew for the rows shown."""
    today = call.today
    late = _effective_due(wanted, today)
    page = await call.work.charges.page(
        ChargeQuery(
            window=window_of(wanted, wanted.sort_by, descending=False),
            created=created_span(call, wanted),
            updated=updated_span(call, wanted),
            status=wanted.status,
            owed_only=bool(late),
            debtor_id=wanted.debtor_id,
            text=words_of(wanted.q),
            kind=wanted.kind,
            due_from=wanted.due_from,
            due_to=wanted.due_to,
            effective_due=late,
            min_amount=wanted.min_amount,
            max_amount=wanted.max_amount,
            tags=wanted.tags,
            assigned_member_id=wanted.assigned_member_id,
            external_id=wanted.external_id,
            document_number=wanted.document_number,
            hold=wanted.hold,
            holds_on=today,
        )
    )
    meta = meta_of(wanted, page.total)
    rows = await _as_of(page.rows, today, call)
    return ChargesListing(
        data=row_views(rows, today),
        meta=ChargesMeta(
            total=meta.total,
            page=meta.page,
            per_page=meta.per_page,
            total_pages=meta.total_pages,
            total_is_lower_bound=meta.total_is_lower_bound,
            sum_total_due=reais_or_none(page.sum),
        ),
    )


@operation(
    "charges_create",
    "POST /charges",
    title="Create a charge",
    description="Register a debt of an existing debtor. Nobody is contacted by this.",
    permission="charges.create",
    status=201,
    key_required=True,
    refuses=("LEGAL_LIMIT_EXCEEDED", "ROLE_LIMIT_EXCEEDED", "DUPLICATE", "STATE_CONFLICT"),
)
async def charges_create(call: Call, wanted: ChargesCreate) -> One[ChargeView]:
    """Create one charge under the organisation's rules of today."""
    # Held, or the debtor could be archived or forgotten meanwhile.
    debtor = await call.work.debtors.find(wanted.debtor_id, lock=call.locks)
    if debtor is None:
        raise ValidationError(not_found("debtor_id"))
    await refuse_unknown_member(call, wanted.assigned_member_id)
    await refuse_unknown_guarantors(call, wanted.guarantors)
    charge = Charge.create(
        call.ids.new("chg"), new_charge(wanted), debtor, await rules_for(debtor, call), call.moment
    )
    call.work.charges.add(charge)
    return One(charge_view(charge, debtor, call.today))


class ChargesCancel(Input):
    """Which charge is not owed, and why."""

    id: Annotated[ChargeId, about("The charge.")]
    reason: Annotated[CancelReason, about("Why the debt is not owed.")]
    note: Annotated[
        Annotated[str, Meta(min_length=1, max_length=500)] | None,
        about("A note for your own team."),
    ] = None


@operation(
    "charges_cancel",
    "POST /charges/{id}/cancel",
    title="Cancel a charge",
    description=(
        "Declare that the debt is not owed. Final. A debt that is owed but will not be collected "
        "is written off instead."
    ),
    permission="charges.cancel",
    destructive=True,
    idempotent=True,
    refuses=("STATE_CONFLICT",),
)
async def charges_cancel(call: Call, wanted: ChargesCancel) -> Plan[One[ChargeView]]:
    """Find the charge and the rules' yes; cancelling itself comes when it is performed."""
    charge, debtor = await charge_to_change(call, wanted.id)
    if charge.status is ChargeStatus.CANCELED:
        return Reached(One(charge_view(charge, debtor, call.today)))
    charge.status_after_cancel()
    note = checked_cancel_note(wanted.note)
    # As of today: the clock may not have brought the stored amounts up to it yet.
    owed = owed_on(charge, call.today, await call.work.rates.all())
    question = cancel_question(charge, debtor, owed, wanted.reason)

    async def cancel() -> One[ChargeView]:
        charge.cancel(wanted.reason, note, call.moment)
        return One(charge_view(charge, debtor, call.today))

    return Ready(
        fingerprint=shown_fingerprint(question, charge.version, debtor.version),
        question=question,
        perform=cancel,
    )


def _effective_due(wanted: ChargesList, today: date) -> tuple[tuple[date | None, date | None], ...]:
    """The ranges of effective due dates that are as late as asked; empty is unfiltered."""
    asked = wanted.days_late_min is not None or wanted.days_late_max is not None
    if not asked and not wanted.aging_bucket:
        return ()
    lowest, highest = wanted.days_late_min or 0, wanted.days_late_max
    buckets = [_days_of(bucket) for bucket in wanted.aging_bucket] or [(0, None)]
    days = [(max(lowest, low), _least(highest, high)) for low, high in buckets]
    return tuple(_due_range(low, high, today) for low, high in days)


def _days_of(bucket: AgingBucket) -> tuple[int, int | None]:
    later = [first for first in FIRST_DAY.values() if first > FIRST_DAY[bucket]]
    return FIRST_DAY[bucket], min(later) - 1 if later else None


def _least(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


def _due_range(low: int, high: int | None, today: date) -> tuple[date | None, date | None]:
    first = None if high is None else today - timedelta(days=high)
    last = None if low == 0 else today - timedelta(days=low)
    return first, last


async def rules_for(debtor: Debtor, call: Call) -> CreditorRules:
    """What a charge of `debtor` is created under today."""
    organization = await call.work.organization()
    calendar = wide_calendar(await call.work.holidays.all(), debtor.place)
    return CreditorRules(
        organization.settings,
        calendar,
        await call.work.rates.all(),
        may_exceed_interest=call.grant.role in (Role.OWNER, Role.ADMIN),
    )


async def _as_of(rows: Sequence[ChargeRow], today: date, call: Call) -> Sequence[ChargeRow]:
    stale = {row.id for row in rows if row.amounts_as_of != today and row.status in OWED}
    if not stale:
        return rows
    rates = await call.work.rates.all()
    return [_repriced(row, today, rates) if row.id in stale else row for row in rows]


def _repriced(row: ChargeRow, today: date, rates: Rates) -> ChargeRow:
    amounts = amounts_of(row, today, rates)
    return replace(
        row,
        principal_outstanding=amounts.principal_outstanding,
        fine=amounts.fine,
        interest=amounts.interest,
        correction=amounts.correction,
        discount=amounts.discount,
        total_due=amounts.total_due,
        days_late=amounts.days_late,
        amounts_as_of=today,
    )
