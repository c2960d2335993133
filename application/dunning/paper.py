"""What every document has: who the creditor is, whose it is, where and when, and its number.

Stored texts pass through `one_line`; a template takes values as data, so nothing of them is read as
anything but text.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from application.dunning.paper_words import address_lines, instant, long_day, register, zipcode
from application.dunning.plain_text import one_line
from application.operations.call import Call
from domain.access.grant import Environment
from domain.dunning.debtors import Debtor
from domain.dunning.organizations import Organization
from domain.ports.documents import Document

MOST_ROWS: Final = 1000
"""Rows that a table of a document lists; more are only in its totals."""

FILE_SENTENCE: Final = (
    "In Portuguese. REST answers with the file; the tool describes it (type, size, path) and "
    "never carries its bytes. Each one made is written down."
)

FILE_AT_ADDRESS_SENTENCE: Final = (
    "In Portuguese. Reading it returns the PDF; each reading is written to the audit trail."
)
"""Instead of `FILE_SENTENCE`, to MCP clients that read the file by its address."""

_NUMBER_LENGTH: Final = 12
_GROUP: Final = 4


def paper(
    kind: str, slug: str, creditor: Organization, call: Call, values: Mapping[str, Any]
) -> Document:
    """A document of `values`, with what all have.

    Its number, in its name as well, changes with anything that it says, and with nothing else.

    Raises:
        ComplianceBlockedError: the creditor cannot be identified on it.
    """
    creditor.refuse_unidentified()
    said = {
        **values,
        "creditor": _creditor(creditor),
        "place_and_date": f"{one_line(creditor.city)}/{creditor.uf}, {long_day(call.today)}",
        "is_sandbox": creditor.environment is Environment.SANDBOX,
    }
    number = _number(kind, creditor.id, said)
    return Document(
        kind=kind,
        name=f"{slug}-{number.lower()}.pdf",
        at=call.business_now,
        values={**said, "number": number, "issued_at": instant(call.business_now)},
    )


def debtor_values(debtor: Debtor) -> dict[str, str]:
    """Whose document it is: a person's CPF is masked on paper, too."""
    return {
        "name": one_line(debtor.name),
        "register": register(debtor.document),
        "document": debtor.document.masked,
    }


def _creditor(creditor: Organization) -> dict[str, object]:
    """Name, number and address as the law wants them: whole (CDC art. 42-A)."""
    legal_name, name = one_line(creditor.legal_name), one_line(creditor.name)
    return {
        "legal_name": legal_name,
        "trade_name": None if name.casefold() == legal_name.casefold() else name,
        "register": register(creditor.document),
        "document": creditor.document.formatted,
        "address": [one_line(line) for line in address_lines(creditor.address)],
        "zipcode": zipcode(creditor.address),
    }


def _number(kind: str, organization_id: str, said: Mapping[str, object]) -> str:
    content = msgspec.json.encode([kind, organization_id, said], order="deterministic")
    digits = hashlib.sha256(content).hexdigest()[:_NUMBER_LENGTH].upper()
    return "-".join(digits[start : start + _GROUP] for start in range(0, _NUMBER_LENGTH, _GROUP))
