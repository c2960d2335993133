"""What limits how a debtor may be approached: facts about them, and what they refuse."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from domain.errors import Detail, ValidationError
from domain.texts import Text


class DebtorFlag(StrEnum):
    """A fact about the person that limits collection."""

    DECEASED = "deceased"
    REPRESENTED_BY_LAWYER = "represented_by_lawyer"
    JUDICIAL_RECOVERY = "judicial_recovery"
    BANKRUPT = "bankrupt"
    OVER_INDEBTED_PLAN = "over_indebted_plan"
    MINOR = "minor"


class Channel(StrEnum):
    """A way to reach a debtor."""

    EMAIL = "email"
    SMS = "sms"
    WHATSAPP = "whatsapp"
    VOICE = "voice"
    LETTER = "letter"


class DoNotContactReason(StrEnum):
    """Why nobody may contact a debtor."""

    REQUEST = "request"
    LAWYER = "lawyer"
    DECEASED = "deceased"
    COURT_ORDER = "court_order"
    VULNERABLE = "vulnerable"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoNotContact:
    """A ban on every outbound contact except legal notices by letter."""

    active: bool = False
    reason: DoNotContactReason | None = None
    since: date | None = None
    until: date | None = None

    def stands(self, today: date) -> bool:
        """Whether it is there and has not run out."""
        return self.active and (self.until is None or today <= self.until)

    def ends_before(self, other: "DoNotContact") -> bool:
        """Whether `other` would still ban when this no longer does."""
        if not self.active or self.until is None:
            return not self.active
        return other.until is None or self.until < other.until

    def after(self, standing: "DoNotContact", today: date) -> "DoNotContact":
        """The same in full: it begins today, or when the one that is `standing` did.

        Raises:
            ValidationError: a ban without a reason, one that begins tomorrow or ends before it
                begins, or no ban with a reason or dates.
        """
        if not self.active:
            return self._without_more()
        if self.reason is None:
            text = Text("Diga por que ninguém deve contatar.", "Say why nobody may contact.")
            raise ValidationError(Detail("do_not_contact.reason", "required_with", text))
        since = self.since or (standing.since if standing.active else None) or today
        if since > today:
            text = Text("Começa hoje ou antes.", "It begins today or earlier.")
            raise ValidationError(Detail("do_not_contact.since", "out_of_range", text))
        if self.until is not None and self.until < since:
            text = Text(
                "Informe uma data igual ou posterior a since.", "Give a date on or after since."
            )
            raise ValidationError(Detail("do_not_contact.until", "out_of_range", text))
        return DoNotContact(active=True, reason=self.reason, since=since, until=self.until)

    def _without_more(self) -> "DoNotContact":
        if self != DoNotContact():
            text = Text(
                "Sem bloqueio não há motivo nem datas; use reason para dizer por que terminou.",
                "Without a ban there are no reason and dates; say in reason why it has ended.",
            )
            raise ValidationError(Detail("do_not_contact.active", "conflicts_with", text))
        return self
