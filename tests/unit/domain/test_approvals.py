"""Four eyes: who asked never decides, a decision is final, and a request waits for seven days."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

import pytest

from domain.access.grant import Actor
from domain.dunning.approvals import Approval, ApprovalStatus
from domain.dunning.moment import Moment
from domain.errors import DecisionDeniedError, StateConflictError, ValidationError
from tests.builders import MOMENT, NOW, a_charge, a_creditor, a_debtor, an_approval

ASKER: Final = Actor(type="member", id="mbr_1", name="Ana", client_id="client-1")
OTHER: Final = Actor(type="member", id="mbr_2", name="Bia", client_id="client-1")
LAST_INSTANT: Final = NOW + timedelta(days=7) - timedelta(microseconds=1)
TOO_LATE: Final = NOW + timedelta(days=7)

CLOSED: Final = {
    "approved": "has been approved and carried out",
    "rejected": "has been rejected; make a new one",
    "expired": "has expired",
}

Decide = Callable[[Approval, Actor], None]


def approve(approval: Approval, by: Actor) -> None:
    approval.approve(by, None, NOW, MOMENT)


def reject(approval: Approval, by: Actor) -> None:
    approval.reject(by, "Ainda responde.", NOW, MOMENT)


def expire(approval: Approval, _: Actor) -> None:
    approval.expire(TOO_LATE, MOMENT)


@pytest.fixture
def approval() -> Approval:
    debtor = a_debtor(a_creditor("Colégio Aurora"))
    day = date(2026, 8, 3)
    charge = a_charge(debtor, amount=300_00, issue_date=day, due_date=day)
    return an_approval(debtor, charge, ASKER)


def test_a_request_waits_with_the_amounts_of_its_day_and_says_so(approval: Approval) -> None:
    assert approval.status_at(NOW) is ApprovalStatus.PENDING
    assert (approval.created_at, approval.version) == (NOW, 1)
    assert (approval.snapshot.status, approval.snapshot.total_due) == ("overdue", 308_90)
    (event,) = approval.events
    assert (event.type, event.resource_id) == ("approval.requested", approval.id)
    assert event.debtor_id == approval.debtor_id
    assert event.data["total_due"] == 308_90
    assert event.data["expires_at"] == "2026-09-08T13:00:00Z"


def test_a_sandbox_that_is_ahead_decides_by_its_clock_and_tells_seven_days_of_ours() -> None:
    debtor = a_debtor(a_creditor("Colégio Aurora"))
    ahead = NOW + timedelta(days=30)
    approval = an_approval(debtor, a_charge(debtor), ASKER, ahead)
    assert (approval.waits_until, approval.expires_at) == (TOO_LATE, ahead + timedelta(days=7))
    assert approval.status_at(TOO_LATE) is ApprovalStatus.PENDING
    assert approval.status_at(ahead + timedelta(days=7)) is ApprovalStatus.EXPIRED


def test_no_event_tells_what_was_noted(approval: Approval) -> None:
    approval.approve(OTHER, "Segredo", NOW, MOMENT)
    assert approval.note == "Segredo"
    told = str(approval.events)
    assert "Segredo" not in told
    assert "Sem resposta" not in told
    assert approval.events[-1].changes["note"] == (None, None)


@pytest.mark.parametrize("decide", [approve, reject])
def test_who_asked_never_decides_whatever_the_client(approval: Approval, decide: Decide) -> None:
    with pytest.raises(DecisionDeniedError):
        decide(approval, replace(ASKER, client_id="another-client", subject="another"))
    assert (approval.status, len(approval.events)) == ("pending", 1)


def test_an_api_client_and_a_member_of_one_id_are_two(approval: Approval) -> None:
    approve(approval, replace(ASKER, type="api_client"))
    assert approval.status == "approved"


@pytest.mark.parametrize(("decide", "status"), [(approve, "approved"), (reject, "rejected")])
def test_a_decision_says_who_took_it_and_when(
    approval: Approval, decide: Decide, status: str
) -> None:
    decide(approval, OTHER)
    assert (approval.status, approval.version) == (status, 2)
    assert approval.decided_by is not None
    assert (approval.decided_by.id, approval.decided_at) == ("mbr_2", NOW)
    event = approval.events[-1]
    assert event.type == f"approval.{status}"
    assert event.changes["status"] == ("pending", status)
    assert event.changes["decided_by"] == (None, "mbr_2")


@pytest.mark.parametrize("decide", [approve, reject])
@pytest.mark.parametrize(
    ("end", "status"), [(approve, "approved"), (reject, "rejected"), (expire, "expired")]
)
def test_what_is_decided_stays_so(
    approval: Approval, end: Decide, status: str, decide: Decide
) -> None:
    end(approval, OTHER)
    with pytest.raises(StateConflictError) as refused:
        decide(approval, OTHER)
    assert refused.value.current_status == status
    assert CLOSED[status] in refused.value.message.en
    assert len(approval.events) == 2


def test_it_can_be_decided_until_seven_days_are_over_and_not_after(approval: Approval) -> None:
    assert approval.status_at(LAST_INSTANT) is ApprovalStatus.PENDING
    assert approval.status_at(TOO_LATE) is ApprovalStatus.EXPIRED
    with pytest.raises(StateConflictError) as refused:
        approval.approve(OTHER, None, TOO_LATE, MOMENT)
    assert refused.value.current_status == "expired"
    approval.approve(OTHER, None, LAST_INSTANT, MOMENT)
    assert approval.status == "approved"


def test_it_expires_once_and_not_before_its_time(approval: Approval) -> None:
    approval.expire(LAST_INSTANT, MOMENT)
    assert (approval.status, approval.version) == ("pending", 1)
    later = Moment(TOO_LATE, TOO_LATE.date())
    approval.expire(TOO_LATE, later)
    approval.expire(TOO_LATE, later)
    assert (approval.status, approval.version, approval.updated_at) == ("expired", 2, TOO_LATE)
    assert [event.type for event in approval.events] == ["approval.requested", "approval.expired"]
    assert approval.events[-1].changes == {"status": ("pending", "expired")}


def test_what_was_decided_does_not_expire(approval: Approval) -> None:
    approve(approval, OTHER)
    approval.expire(TOO_LATE, MOMENT)
    assert approval.status_at(TOO_LATE) is ApprovalStatus.APPROVED


@pytest.mark.parametrize("note", ["", "ab", "\u200b\u200b\u200b", "a" * 501, "um\0dois"])
def test_a_rejection_says_why(approval: Approval, note: str) -> None:
    with pytest.raises(ValidationError):
        approval.reject(OTHER, note, NOW, MOMENT)
    assert (approval.status, len(approval.events)) == ("pending", 1)
