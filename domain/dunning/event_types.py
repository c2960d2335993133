"""The types of the events that make up a debtor's history."""

from typing import Final

DEBTOR_EVENTS: Final = (
    "charge.created",
    "charge.updated",
    "charge.overdue",
    "charge.paid",
    "charge.partially_paid",
    "charge.canceled",
    "charge.written_off",
    "charge.reopened",
    "charge.hold_added",
    "charge.hold_removed",
    "charge.deleted",
    "debtor.created",
    "debtor.updated",
    "debtor.archived",
    "debtor.anonymized",
    "debtor.opted_out",
    "contact_point.created",
    "contact_point.updated",
    "contact_point.invalid",
    "contact_point.deleted",
    "payment.confirmed",
    "payment.reversed",
    "interaction.created",
    "approval.requested",
    "approval.approved",
    "approval.rejected",
    "approval.expired",
)

SUBJECTS: Final = tuple(dict.fromkeys(kind.partition(".")[0] for kind in DEBTOR_EVENTS))
"""What events happen to: the part of a type before its dot."""
