"""Requests of the school: two wait, four came to something, and nobody decided on their own."""

from collections import Counter

from adapters.persistence.demo import DemoOrganization
from domain.dunning.approvals import Approval, ApprovalStatus
from domain.dunning.charge_states import ChargeStatus
from entrypoints.seed.timeline import STARTS_AT


def events_of(aurora: DemoOrganization, approval: Approval) -> list[str]:
    return [one.event.type for one in aurora.events if one.event.resource_id == approval.id]


def test_six_were_made_and_two_of_them_wait(
    aurora: DemoOrganization, pampa: DemoOrganization
) -> None:
    assert Counter(one.status_at(STARTS_AT) for one in aurora.approvals) == {
        ApprovalStatus.PENDING: 2,
        ApprovalStatus.APPROVED: 2,
        ApprovalStatus.REJECTED: 1,
        ApprovalStatus.EXPIRED: 1,
    }
    assert all(one.status is one.status_at(STARTS_AT) for one in aurora.approvals)
    assert not pampa.approvals


def test_what_came_of_each_is_told_and_stands_in_its_charge(aurora: DemoOrganization) -> None:
    charges = {charge.id: charge for charge in aurora.charges}
    for approval in aurora.approvals:
        ended = [] if approval.status == "pending" else [f"approval.{approval.status}"]
        assert events_of(aurora, approval) == ["approval.requested", *ended]
        is_given_up = charges[approval.subject_id].status is ChargeStatus.WRITTEN_OFF
        assert is_given_up == (approval.status is ApprovalStatus.APPROVED)


def test_nobody_decided_on_their_own_request(aurora: DemoOrganization) -> None:
    for approval in aurora.approvals:
        assert approval.decided_by != approval.requested_by
