"""Answers, shortened to what a reader wants to see."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from entrypoints.cli.output import brl, day

_CENTS: Final = 100


def as_json(value: Mapping[str, object]) -> str:
    """Arguments as they are sent."""
    return json.dumps(value, ensure_ascii=False)


def brl_of(reais: float) -> str:
    """An amount of an answer."""
    return brl(round(reais * _CENTS))


def percent_of(percent: float) -> str:
    """A rate of an answer."""
    return f"{percent:g} %".replace(".", ",")


def charge_line(charge: Mapping[str, Any]) -> str:
    """A charge of an answer."""
    due = day(date.fromisoformat(charge["due_date"]))
    owed = brl_of(charge["amounts"]["total_due"])
    late = f", {charge['days_late']} days late" if charge["days_late"] else ""
    return (
        f"{charge['debtor_name']}, {charge['description']}: {charge['status']}, "
        f"due {due}{late}, {owed} owed ({charge['id']})"
    )


def refusal_line(document: Mapping[str, Any]) -> str:
    """A refusal of either door."""
    error = document["error"]
    return f"{error['code']}: {error['message']}"
