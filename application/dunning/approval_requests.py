"""Asking for a second person instead of acting."""

from typing import Any, Final

from application.dunning.approval_questions import request_question
from application.dunning.approval_view import ApprovalView, approval_view
from application.operations.call import Call
from application.operations.declaration import Plan, Reached, Ready
from application.operations.fields import One
from domain.access.roles import Role, permissions_of
from domain.dunning.approvals import Approval, ApprovalStatus, Asked
from domain.errors import DuplicateError
from domain.texts import Text

WAITS: Final = 202
"""The status of an answer that is a request for a second person."""

_DECIDING: Final = [role.value for role in Role if "approvals.decide" in permissions_of(role)]


async def needs_second_person(call: Call, asked: Asked, plan: Ready[Any]) -> Plan[Any]:
    """What to do instead of `plan`, which the rules allow, where a second person has to approve.

    The subject is held by now, so that of two who ask for the same one finds what the other made.

    Raises:
        DuplicateError: somebody else has asked already, or for something else; names the request.
    """
    now, moment, debtor = call.business_now, call.moment, asked.debtor
    standing = await call.work.approvals.undecided(asked.kind, asked.subject, lock=call.locks)
    if standing is not None and standing.status_at(now) is ApprovalStatus.PENDING:
        if not standing.is_repeated_by(asked, call.grant.actor):
            raise DuplicateError("id", standing.id, _waiting(standing))
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


def _waiting(standing: Approval) -> Text:
    *others, last = _DECIDING
    able = ", ".join(others)
    return Text(
        f"Já há um pedido à espera para esta cobrança: {standing.id}. Quem o decide é uma pessoa "
        f"diferente de quem pediu, com papel {able} ou {last} e teto para o valor; um novo pedido "
        "só é possível depois.",
        f"A request for this charge is already waiting: {standing.id}. Whoever decides on it is "
        f"somebody other than who made it, with the role {able} or {last} and a ceiling for the "
        "amount; a new request is possible only after that.",
    )
