"""Asking for a second person instead of acting."""

from typing import Any, Final

from application.dunning.approval_questions import request_question
from application.dunning.approval_view import ApprovalView, approval_view
from application.operations.call import Call
from application.operations.declaration import Plan, Reached, Ready
from application.operations.fields import One
from domain.dunning.approvals import Approval, ApprovalStatus, Asked

WAITS: Final = 202
"""The status of an answer that is a request for a second person."""


async def needs_second_person(call: Call, asked: Asked, plan: Ready[Any]) -> Plan[Any]:
    """What to do instead of `plan`, which the rules allow, where a second person has to approve.

    The subject is held by now, so that of two who ask for the same one finds what the other made.
    """
    now, moment, debtor = call.business_now, call.moment, asked.debtor
    standing = await call.work.approvals.undecided(asked.kind, asked.subject, lock=call.locks)
    if standing is not None and standing.status_at(now) is ApprovalStatus.PENDING:
        return Reached(One(approval_view(standing, debtor.name, now)), status=WAITS)

    async def request() -> One[ApprovalView]:
        if standing is not None:
            standing.expire(now, moment)
        approval = Approval.request(call.ids.new("apr"), asked, call.grant.actor, now, moment)
        await call.work.approvals.add(approval)
        return One(approval_view(approval, debtor.name, now))

    return Ready(
        fingerprint=f"request:{plan.fingerprint}",
        question=request_question(plan.question),
        perform=request,
        status=WAITS,
    )
