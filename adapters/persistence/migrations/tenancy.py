"""What the service may do with new tables, and with whose rows."""

from collections.abc import Mapping
from typing import Final

from alembic import op

_IN_THE_PINNED_ORGANIZATION: Final = (
    "organization_id = NULLIF(current_setting('app.org_id', true), '')"
)


def open_to_the_service(tenant: Mapping[str, str], directory: Mapping[str, str]) -> None:
    """Give the service these rights; on tenant tables, to one organisation's rows alone."""
    for table in tenant:
        _bind_to_the_organization(table)
    for table, rights in (*tenant.items(), *directory.items()):
        op.execute(f"GRANT {rights} ON {table} TO dunning_app")


def _bind_to_the_organization(table: str) -> None:
    """Show the service only rows of the pinned organisation, and the owner all of them."""
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY tenant ON {table} TO dunning_app"
        f" USING ({_IN_THE_PINNED_ORGANIZATION}) WITH CHECK ({_IN_THE_PINNED_ORGANIZATION})"
    )
    # Without a policy of its own the owner would see no row either: migrations and dumps need it.
    op.execute(
        f"CREATE POLICY housekeeping ON {table} TO dunning_owner USING (true) WITH CHECK (true)"
    )
