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
    MARK_PENDING = "mark_pending"
    SETTLE = "settle"
    REOPEN_PENDING = "reopen_pending"
    REOPEN_OVERDUE = "reopen_overdue"
    CANCEL = "cancel"
    WRITE_OFF = "write_off"
    DELETE = "delete"


TRANSITIONS: Final[dict[tuple[ChargeStatus, ChargeAct], ChargeStatus | None]] = {
    (ChargeStatus.PENDING, ChargeAct.MARK_OVERDUE): ChargeStatus.OVERDUE,
    (ChargeStatus.OVERDUE, ChargeAct.MARK_PENDING): ChargeStatus.PENDING,
    (ChargeStatus.PENDING, ChargeAct.SETTLE): ChargeStatus.PAID,
    (ChargeStatus.OVERDUE, ChargeAct.SETTLE): ChargeStatus.PAID,
    (ChargeStatus.WRITTEN_OFF, ChargeAct.SETTLE): ChargeStatus.PAID,
    (ChargeStatus.PAID, ChargeAct.REOPEN_PENDING): ChargeStatus.PENDING,
    (ChargeStatus.PAID, ChargeAct.REOPEN_OVERDUE): ChargeStatus.OVERDUE,
    (ChargeStatus.PENDING, ChargeAct.CANCEL): ChargeStatus.CANCELED,
    (ChargeStatus.OVERDUE, ChargeAct.CANCEL): ChargeStatus.CANCELED,
    (ChargeStatus.OVERDUE, ChargeAct.WRITE_OFF): ChargeStatus.WRITTEN_OFF,
    (ChargeStatus.PENDING, ChargeAct.DELETE): None,
    (ChargeStatus.OVERDUE, ChargeAct.DELETE): None,
}
"""Where each act leads; after a deletion there is no charge."""

# The passing of time is nobody's choice, and money is recorded as a payment.
_CALLERS_ACTS: Final = (ChargeAct.CANCEL, ChargeAct.WRITE_OFF, ChargeAct.DELETE)


def status_after(status: ChargeStatus, act: ChargeAct) -> ChargeStatus:
    """Where `act` leads from `status`. Raises `StateConflictError` where it leads nowhere."""
    refuse_unless_allowed(status, act)
    after = TRANSITIONS[status, act]
    assert after is not None  # noqa: S101 -- only a deletion leaves nothing, and has no status
    return after


def refuse_unless_allowed(status: ChargeStatus, act: ChargeAct) -> None:
    """Raise `StateConflictError` unless `act` is possible in `status`."""
    if (status, act) not in TRANSITIONS:
        raise state_conflict(
            status,
            Text(
                "A situação da cobrança não permite esta ação.",
                "The status of the charge does not allow this action.",
            ),
        )


def state_conflict(status: ChargeStatus, message: Text, *but: ChargeAct) -> StateConflictError:
    """The refusal of an act on a charge, with what a caller may do instead.

    `but` are acts that the status would allow and something else does not.
    """
    allowed = [
        act.value for act in _CALLERS_ACTS if (status, act) in TRANSITIONS and act not in but
    ]
    return StateConflictError(message, current_status=status.value, allowed_actions=allowed)
