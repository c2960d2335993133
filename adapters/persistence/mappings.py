"""How aggregates lie in tables. Loading sets attributes and never runs a factory."""

from functools import cache

from sqlalchemy import Connection, event
from sqlalchemy.orm import Mapper, registry

from adapters.persistence import tables
from domain.access.members import ApiClient, Member
from domain.dunning.approvals import Approval
from domain.dunning.charges import Charge
from domain.dunning.contact_points import ContactPoint
from domain.dunning.debtors import Debtor
from domain.dunning.interactions import Interaction
from domain.dunning.organizations import Organization
from domain.dunning.payments import Payment
from domain.dunning.text_search import fold, search_text


@cache
def map_aggregates() -> registry:
    """Map every aggregate to its table, once in the life of the process."""
    mapped = registry(metadata=tables.metadata)
    mapped.map_imperatively(Member, tables.members)
    mapped.map_imperatively(ApiClient, tables.api_clients)
    mapped.map_imperatively(Debtor, tables.debtors)
    mapped.map_imperatively(ContactPoint, tables.contact_points)
    mapped.map_imperatively(Interaction, tables.interactions)
    mapped.map_imperatively(Charge, tables.charges)
    mapped.map_imperatively(Payment, tables.payments)
    mapped.map_imperatively(Approval, tables.approvals)
    _map_organization(mapped)
    for moment in ("before_insert", "before_update"):
        event.listen(Debtor, moment, _shadow_debtor)
        event.listen(Charge, moment, _shadow_charge)
    return mapped


def _map_organization(mapped: registry) -> None:
    """An organisation is its directory row, which has no name in it, and its own settings."""
    directory, own = tables.organizations.c, tables.organization_settings.c
    mapped.map_imperatively(
        Organization,
        tables.organizations.join(tables.organization_settings),
        properties={
            "id": [directory.id, own.organization_id],
            "created_at": [own.created_at, directory.created_at],
        },
        exclude_properties={directory.claim, directory.status, directory.clock_offset},
    )


def _shadow_debtor(_mapper: Mapper[Debtor], _connection: Connection, debtor: Debtor) -> None:
    """Keep the name as lists sort it: without case and accents."""
    debtor.sort_name = fold(debtor.name)  # type: ignore[attr-defined]  # a column, no field


def _shadow_charge(_mapper: Mapper[Charge], _connection: Connection, charge: Charge) -> None:
    """Keep the text in which lists search for words."""
    charge.search_text = search_text(  # type: ignore[attr-defined]  # a column, no field
        [charge.description, charge.document_number, charge.external_id]
    )
