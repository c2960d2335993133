"""What payments have settled of a charge, entry by entry."""

from dataclasses import dataclass
from datetime import date

from domain.dunning.money import Cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What is no longer owed of one charge, in cents by component.

    `discount` and `tolerance` are the part that no money came for.
    """

    costs: Cents = 0
    interest: Cents = 0
    fine: Cents = 0
    correction: Cents = 0
    principal: Cents = 0
    discount: Cents = 0
    tolerance: Cents = 0

    @property
    def total(self) -> Cents:
        """The sum of the components."""
        return self.costs + self.interest + self.fine + self.correction + self.principal

    @property
    def money(self) -> Cents:
        """The part of it that was paid."""
        return self.total - self.discount - self.tolerance


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """What one confirmed payment settled of a charge, as of the day it was paid."""

    payment_id: str
    paid_at: date
    settled: Settled
