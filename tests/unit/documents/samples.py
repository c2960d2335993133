"""Documents of every kind with invented values."""

from datetime import UTC, datetime
from typing import Any, Final

from domain.ports.documents import Document

AT: Final = datetime(2026, 12, 1, 13, 0, tzinfo=UTC)

COMMON: Final[dict[str, Any]] = {
    "creditor": {
        "legal_name": "Colégio Aurora Ltda.",
        "trade_name": "Colégio Aurora",
        "register": "CNPJ",
        "document": "11.222.333/0001-81",
        "address": ["Rua do Amanhecer, 450", "Jardim Aurora, São Paulo/SP"],
        "zipcode": "04000-100",
    },
    "debtor": {"name": "Paulo Nogueira", "register": "CPF", "document": "***.456.789-**"},
    "place_and_date": "São Paulo/SP, 1º de dezembro de 2026",
    "is_sandbox": False,
    "number": "ABCD-1234-EF56",
    "issued_at": "01/12/2026, 10:00:00 (UTC\u22123)",
}


def a_statement(lines: int = 3, **values: Any) -> Document:
    """A statement of so many lines."""
    line = {
        "date": "10/11/2026",
        "label": "Cobrança",
        "description": "Mensalidade de novembro",
        "debit": "100,00",
        "credit": "",
        "balance": "100,00",
        "is_end": False,
    }
    given = {
        "period": {"since": None, "as_of": "01/12/2026"},
        "include_paid": True,
        "lines": [line] * lines,
        "is_truncated": False,
        "summary": [("Cobranças lançadas", "100,00")],
        "closing": "R$ 100,00",
        "closing_amount": "100,00",
        "past_due": "R$ 100,00",
        "to_come": "R$ 0,00",
        "written_off": None,
        "credit": None,
        "owed": [],
        "owed_left_out": 0,
    }
    return a_document("statement", given | values)


def a_letter(**values: Any) -> Document:
    """A settlement letter of one payment."""
    given = {
        "debt": [
            {"label": "Descrição", "value": "Mensalidade de novembro", "is_code": False},
            {"label": "Documento", "value": "NF-17", "is_code": True},
        ],
        "paid_at": "20 de novembro de 2026",
        "paid": "R$ 100,00",
        "paid_amount": "100,00",
        "composition": [("Principal", "100,00")],
        "payments": [
            {
                "date": "20/11/2026",
                "method": "Pix",
                "payer": None,
                "amount": "100,00",
                "parts": "principal R$ 100,00",
            }
        ],
        "payments_left_out": 0,
    }
    return a_document("settlement_letter", given | values)


def a_clearance(**values: Any) -> Document:
    """An annual clearance of one charge."""
    given = {
        "is_consumer": True,
        "year": "2025",
        "months": "novembro",
        "open_years": None,
        "rows": [
            {
                "due_date": "10/11/2025",
                "description": "Mensalidade de novembro",
                "document_number": "NF 17",
                "original": "100,00",
                "paid": "100,00",
                "paid_at": "10/11/2025",
            }
        ],
        "rows_left_out": 0,
        "original": "100,00",
        "paid": "100,00",
    }
    return a_document("annual_clearance", given | values)


def a_document(kind: str, values: dict[str, Any]) -> Document:
    return Document(kind=kind, name=f"{kind}.pdf", at=AT, values=COMMON | values)
