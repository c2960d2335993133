"""Anonymising a debtor: who may be confirmed, from when on, and what is left in place of a name."""

import unicodedata
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from domain.dunning.calendar import years_after
from domain.dunning.documents import Document
from domain.dunning.free_text import trimmed
from domain.dunning.money import Bounds
from domain.errors import ComplianceBlockedError, Detail, ValidationError
from domain.texts import Text

ERASED: Final = "***"
"""What stands where a name or a description has to be."""

RETENTION_YEARS: Final = 5
"""Claims of liquid debts and of consumers end after five years (CC 206 §5 I, CDC 27)."""

_REFERENCE: Final = Bounds(3, 100)


def refuse_other_name(confirmed: str, name: str) -> None:
    """Refuse unless `confirmed` is the debtor's name, to the letter.

    Raises:
        ValidationError: it is another one.
    """
    if _composed(confirmed) != _composed(name):
        text = Text(
            "Não é o nome deste devedor; escreva-o exatamente como está no cadastro.",
            "This is not the debtor's name; write it exactly as it is registered.",
        )
        raise ValidationError(Detail("confirm_name", "conflicts_with", text))


def refuse_within_retention(last_movement: date, today: date, timezone: str) -> None:
    """Refuse while records are still kept for the creditor's defence (LGPD art. 16 I).

    `last_movement` is the business date on which anything last happened with the debtor.

    Raises:
        ComplianceBlockedError: `retention`, with the instant in `timezone` from which it may be.
    """
    first_day = years_after(last_movement, RETENTION_YEARS) + timedelta(days=1)
    if today >= first_day:
        return
    allowed_at = datetime.combine(first_day, time(), ZoneInfo(timezone))
    raise ComplianceBlockedError(
        Text(
            f"O último movimento tem menos de {RETENTION_YEARS} anos.",
            f"The last movement is less than {RETENTION_YEARS} years old.",
        ),
        reasons=("retention",),
        next_allowed_at=allowed_at.isoformat(),
    )


def checked_reference(reference: str, name: str, document: Document) -> str:
    """The reference of the request, which the audit trail keeps when the name is gone.

    Raises:
        ValidationError: no text of 3 to 100 characters, or one that has the name or document.
    """
    told = trimmed(reference, "request_reference", _REFERENCE)
    signs = "".join(sign for sign in told.upper() if sign.isalnum())
    if _composed(name).casefold() in _composed(told).casefold() or document.number in signs:
        text = Text(
            "A referência fica guardada: use um número, sem nome nem documento.",
            "The reference is kept: use a number, without name or document.",
        )
        raise ValidationError(Detail("request_reference", "names_the_debtor", text))
    return told


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip())
