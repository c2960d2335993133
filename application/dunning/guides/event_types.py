"""The catalogue of event types: what can happen, as a debtor's timeline tells it."""

from collections.abc import Mapping
from typing import Final

import msgspec

from application.dunning.guides.guide import JSON, Guide
from domain.dunning.event_types import DEBTOR_EVENTS

_MEANINGS: Final[Mapping[str, str]] = {
    "charge.created": "Uma cobrança foi criada.",
    "charge.updated": "Dados de uma cobrança mudaram.",
    "charge.overdue": "O vencimento efetivo de uma cobrança passou.",
    "charge.paid": "O saldo de uma cobrança chegou a zero.",
    "charge.partially_paid": "Um pagamento quitou parte de uma cobrança.",
    "charge.canceled": "Uma cobrança foi cancelada: não era devida.",
    "charge.written_off": "Uma cobrança foi baixada: continua devida.",
    "charge.reopened": "Uma cobrança paga voltou a ficar em aberto, por estorno.",
    "charge.hold_added": "A cobrança foi suspensa por uma pessoa.",
    "charge.hold_removed": "A suspensão manual de uma cobrança terminou.",
    "charge.deleted": "Uma cobrança com a qual nada aconteceu foi excluída.",
    "debtor.created": "Um devedor foi cadastrado.",
    "debtor.updated": "Dados de um devedor mudaram.",
    "debtor.archived": "Um devedor foi arquivado.",
    "debtor.anonymized": "Os dados pessoais de um devedor foram apagados.",
    "debtor.opted_out": "O devedor recusou um canal ou todo contato.",
    "contact_point.created": "Um contato foi adicionado.",
    "contact_point.updated": "Um contato mudou.",
    "contact_point.invalid": "Um contato deixou de ser válido.",
    "contact_point.deleted": "Um contato foi excluído.",
    "payment.confirmed": "Um pagamento foi registrado.",
    "payment.reversed": "Um pagamento foi estornado.",
    "interaction.created": "Um contato com o devedor foi registrado.",
    "approval.requested": "Uma segunda pessoa foi chamada a aprovar um ato.",
    "approval.approved": "Um pedido foi aprovado e executado.",
    "approval.rejected": "Um pedido foi recusado.",
    "approval.expired": "Um pedido expirou sem decisão.",
}


def event_types() -> Guide:
    """The catalogue as the table is now."""
    rows = [
        {"type": kind, "resource": kind.partition(".")[0], "meaning": _MEANINGS[kind]}
        for kind in DEBTOR_EVENTS
    ]
    return Guide(
        path="catalog/event_types",
        title="Event types",
        description="In Portuguese: every type of event that a debtor's timeline may hold.",
        mime_type=JSON,
        text=msgspec.json.format(msgspec.json.encode({"data": rows}), indent=2).decode(),
    )
