"""The states of a charge and the one table of what moves it between them."""

from enum import StrEnum
from typing import Final

from domain.errors import StateConflictError
from domain.texts import Text


class ChargeStatus(StrEnum):
    """What is owed: `canceled` was never owed, `written_off` is owed and given up."""

    PENDING = "pending"
    OVERDUE = "overdue"
    PAID = "paid"
    RENEGOTIATED = "renegotiated"
    WRITTEN_OFF = "written_off"
    CANCELED = "canceled"


OWED: Final = (
    ChargeStatus.PENDING,
    ChargeStatus.OVERDUE,
    ChargeStatus.RENEGOTIATED,
    ChargeStatus.WRITTEN_OFF,
)
"""Whoever is in one of these owes something, collected or not."""


class ChargeAct(StrEnum):
    """What is done to a charge."""

    MARK_OVERDUE = "mark_overdue"
    CANCEL = "cancel"


TRANSITIONS: Final = {
    (ChargeStatus.PENDING, ChargeAct.MARK_OVERDUE): ChargeStatus.OVERDUE,
    (ChargeStatus.PENDING, ChargeAct.CANCEL): ChargeStatus.CANCELED,
    (ChargeStatus.OVERDUE, ChargeAct.CANCEL): ChargeStatus.CANCELED,
}

# The passing of time is nobody's choice.
_CALLERS_ACTS: Final = (ChargeAct.CANCEL,)


def status_after(status: ChargeStatus, act: ChargeAct) -> ChargeStatus:
    """Where `act` leads from `status`. Raises `StateConflictError` where it leads nowhere."""
    after = TRANSITIONS.get((status, act))
    if after is None:
        raise state_conflict(
            status,
            Text(
                "A situação da cobrança não permite esta ação.",
                "The status of the charge does not allow this action.",
            ),
        )
    return after


def state_conflict(status: ChargeStatus, message: Text) -> StateConflictError:
    """The refusal of an act on a charge, with what a caller may do instead."""
    allowed = [act.value for act in _CALLERS_ACTS if (status, act) in TRANSITIONS]
    return StateConflictError(message, current_status=status.value, allowed_actions=allowed)
