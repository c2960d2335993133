"""What tables are made of: the columns and rules that many of them share."""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    MetaData,
)

from adapters.persistence.column_types import Id

metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

DIRECTORY_TABLES: Final = frozenset(
    {
        "organizations",
        "index_rates",
        "issuer_clients",
        "issuer_codes",
        "issuer_keys",
        "issuer_people",
    }
)
"""Tables of no organisation; they hold nobody's personal data, but for invented people."""

FREE_OBJECT: Final = dict[str, Any]


def instant(name: str) -> Column[Any]:
    """An instant that is always known."""
    return Column(name, DateTime(timezone=True), nullable=False)


# A session writes new rows table by table, in no order that references would ask for.
AT_COMMIT: Final[Any] = {"deferrable": True, "initially": "DEFERRED"}


def in_the_directory() -> ForeignKey:
    """A reference to an organisation of the directory."""
    return ForeignKey("organizations.id", **AT_COMMIT)


def tenant() -> Column[Any]:
    """Whose row it is."""
    return Column("organization_id", Id, in_the_directory(), primary_key=True)


def key(prefix: str) -> tuple[Column[Any], Column[Any], CheckConstraint]:
    """The key of a tenant table, whose ids begin with `prefix`."""
    return (
        tenant(),
        Column("id", Id, primary_key=True),
        check("id", rf"id LIKE '{prefix}\_%'"),
    )


def check(name: str, condition: str) -> CheckConstraint:
    """A condition on every row."""
    return CheckConstraint(condition, name=name)


def belongs(column: str, table: str) -> ForeignKeyConstraint:
    """A reference that cannot leave the organisation."""
    return ForeignKeyConstraint(
        ["organization_id", column],
        [f"{table}.organization_id", f"{table}.id"],
        **AT_COMMIT,
    )


def versioned() -> tuple[Column[Any], Column[Any], Column[Any]]:
    """What every entity that changes carries."""
    return (
        Column("version", Integer, nullable=False),
        instant("created_at"),
        instant("updated_at"),
    )


def cents(name: str) -> Column[Any]:
    """An amount that is always known, in cents."""
    return Column(name, BigInteger, nullable=False)
