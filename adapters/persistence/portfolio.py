"""What a grant may see: rows of its organisation, and of its own debtors where it is narrowed."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, Table, and_, exists

from adapters.persistence.tables import approvals, charges, contact_points, debtors, payments
from domain.access.grant import Grant


class Portfolio(NamedTuple):
    """Conditions on debtors and charges; `assigned_to` None means every debtor."""

    organization_id: str
    assigned_to: str | None

    @classmethod
    def of(cls, grant: Grant) -> "Portfolio":
        """What `grant` may see."""
        return cls(grant.organization_id, grant.assigned_to)

    @property
    def of_debtors(self) -> ColumnElement[bool]:
        """Whether a debtor is visible."""
        mine = debtors.c.organization_id == self.organization_id
        if self.assigned_to is None:
            return mine
        return and_(mine, debtors.c.assigned_member_id == self.assigned_to)

    @property
    def of_charges(self) -> ColumnElement[bool]:
        """Whether a charge is visible: whether its debtor is."""
        return self._through_debtor(charges)

    @property
    def of_payments(self) -> ColumnElement[bool]:
        """Whether a payment is visible: whether its debtor is."""
        return self._through_debtor(payments)

    @property
    def of_contact_points(self) -> ColumnElement[bool]:
        """Whether a contact point is visible: whether its debtor is."""
        return self._through_debtor(contact_points)

    @property
    def of_approvals(self) -> ColumnElement[bool]:
        """Whether a request for approval is visible: whether its debtor is."""
        return self._through_debtor(approvals)

    def _through_debtor(self, table: Table) -> ColumnElement[bool]:
        mine = table.c.organization_id == self.organization_id
        if self.assigned_to is None:
            return mine
        its_debtor = and_(self.of_debtors, debtors.c.id == table.c.debtor_id)
        return and_(mine, exists().where(its_debtor).correlate(table))
