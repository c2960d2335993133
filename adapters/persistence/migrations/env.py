"""What Alembic runs: the migrations asked for, in one transaction on the connection it is given."""

from alembic import context
from sqlalchemy import text

from adapters.persistence.tables import metadata

# Two processes that migrate at once wait for each other.
_LOCK = text("SELECT pg_advisory_xact_lock(7305402119)")

connection = context.config.attributes["connection"]
connection.execute(_LOCK)
context.configure(connection=connection, target_metadata=metadata)
context.run_migrations()
