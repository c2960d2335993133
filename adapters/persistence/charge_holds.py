"""Holds as conditions on the stored charge and its debtor: the same as the rules compute."""

from collections.abc import Collection
from datetime import date
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Date,
    Text,
    bindparam,
    cast,
    literal_column,
    or_,
)

from adapters.persistence.tables import charges, debtors
from domain.dunning.holds import FLAG_CODES, HoldCode

_ON: Final = "holds_on"
_FLAGS: Final = "flags"
_TODAY: Final = bindparam(_ON, type_=Date)


def _member(column: ColumnElement[Any], name: str) -> ColumnElement[Any]:
    return column.op("->>", return_type=Text())(literal_column(f"'{name}'"))


def _has_not_run_out(column: ColumnElement[Any]) -> ColumnElement[bool]:
    until = cast(_member(column, "until"), Date)
    return or_(until.is_(None), until >= _TODAY)


IS_BANNED: Final = _member(debtors.c.do_not_contact, "active") == "true"
"""Whether a debtor has a ban on contact, perhaps one that has run out."""

HOLDS: Final[dict[str, ColumnElement[bool]]] = {
    HoldCode.MANUAL: charges.c.manual_hold.is_not(None)
    & _member(charges.c.manual_hold, "released_on").is_(None)
    & _has_not_run_out(charges.c.manual_hold),
    HoldCode.DO_NOT_CONTACT: IS_BANNED & _has_not_run_out(debtors.c.do_not_contact),
    _FLAGS: debtors.c.flags.bool_op("&&")(bindparam(_FLAGS, type_=ARRAY(Text))),
    HoldCode.PRESCRIBED: charges.c.prescription_date < _TODAY,
    HoldCode.TOLERANCE: charges.c.total_due
    <= cast(_member(charges.c.terms, "settlement_tolerance"), BigInteger),
}
"""The condition of each hold on a charge that is owed; those of all flags are one."""

OF_DEBTORS: Final = frozenset({HoldCode.DO_NOT_CONTACT.value, _FLAGS})
"""Those that rest on the debtor."""


def wanted_holds(
    codes: Collection[HoldCode], on: date | None
) -> tuple[tuple[str, ...], dict[str, object]]:
    """The names of the conditions for any of `codes`, and the values of their parameters."""
    if not codes:
        return (), {}
    flags = [code.value for code in FLAG_CODES if code in codes]
    wanted = {_FLAGS} if flags else set[str]()
    names = tuple(name for name in HOLDS if name in wanted or name in codes)
    values: dict[str, object] = {_ON: on}
    if flags:
        values[_FLAGS] = flags
    return names, values
