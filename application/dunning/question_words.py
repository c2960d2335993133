"""Codes in the words of a question, in each language."""

from collections.abc import Mapping
from typing import Final

from domain.dunning.charge_acts import CancelReason, WriteOffReason
from domain.dunning.contact_points import ContactKind, ContactStatus
from domain.dunning.debtors import DebtorStatus
from domain.dunning.payments import PaymentMethod, ReversalReason
from domain.texts import Words

CANCEL_REASONS: Final[Mapping[CancelReason, Words]] = {
    CancelReason.DUPLICATE: Words("cobrança em duplicidade", "cobro duplicado", "duplicate charge"),
    CancelReason.ISSUED_IN_ERROR: Words(
        "emissão por engano", "emisión por error", "issued in error"
    ),
    CancelReason.SERVICE_NOT_RENDERED: Words(
        "serviço não prestado", "servicio no prestado", "service not rendered"
    ),
    CancelReason.RETURNED: Words("mercadoria devolvida", "mercancía devuelta", "goods returned"),
    CancelReason.DISPUTE_ACCEPTED: Words(
        "contestação aceita", "reclamación aceptada", "dispute accepted"
    ),
    CancelReason.COURT_ORDER: Words("ordem judicial", "orden judicial", "court order"),
    CancelReason.OTHER: Words("outro motivo", "otro motivo", "other reason"),
}

WRITE_OFF_REASONS: Final[Mapping[WriteOffReason, Words]] = {
    WriteOffReason.UNCOLLECTIBLE: Words(
        "dívida incobrável", "deuda incobrable", "uncollectible debt"
    ),
    WriteOffReason.PRESCRIBED: Words("dívida prescrita", "deuda prescrita", "time-barred debt"),
    WriteOffReason.DECEASED: Words("devedor falecido", "deudor fallecido", "debtor deceased"),
    WriteOffReason.SMALL_BALANCE: Words(
        "saldo de pequeno valor", "saldo de escaso valor", "small balance"
    ),
    WriteOffReason.COMMERCIAL: Words(
        "decisão comercial", "decisión comercial", "commercial decision"
    ),
}

REVERSAL_REASONS: Final[Mapping[ReversalReason, Words]] = {
    ReversalReason.CHARGEBACK: Words(
        "contestação da compra (chargeback)", "contracargo", "chargeback"
    ),
    ReversalReason.BOUNCED_CHECK: Words("cheque devolvido", "cheque devuelto", "bounced cheque"),
    ReversalReason.MISTAKE: Words(
        "registro por engano", "registro por error", "recorded by mistake"
    ),
    ReversalReason.FRAUD: Words("fraude", "fraude", "fraud"),
}

HOW_PAID: Final[Mapping[PaymentMethod, Words]] = {
    PaymentMethod.PIX: Words("por Pix", "por Pix", "by Pix"),
    PaymentMethod.BOLETO: Words("por boleto", "con boleto", "by boleto"),
    PaymentMethod.CARD: Words("com cartão", "con tarjeta", "by card"),
    PaymentMethod.TRANSFER: Words("por transferência", "por transferencia", "by transfer"),
    PaymentMethod.CASH: Words("em dinheiro", "en efectivo", "in cash"),
    PaymentMethod.CHECK: Words("com cheque", "con cheque", "by cheque"),
    PaymentMethod.COMPENSATION: Words(
        "por compensação de crédito", "por compensación de crédito", "by set-off of credit"
    ),
    PaymentMethod.OTHER: Words("por outro meio", "por otro medio", "by other means"),
}

PAYMENT_METHODS: Final[Mapping[PaymentMethod, Words]] = {
    PaymentMethod.PIX: Words.same("Pix"),
    PaymentMethod.BOLETO: Words.same("boleto"),
    PaymentMethod.CARD: Words("cartão", "tarjeta", "card"),
    PaymentMethod.TRANSFER: Words("transferência", "transferencia", "transfer"),
    PaymentMethod.CASH: Words("dinheiro", "efectivo", "cash"),
    PaymentMethod.CHECK: Words("cheque", "cheque", "cheque"),
    PaymentMethod.COMPENSATION: Words(
        "compensação de crédito", "compensación de crédito", "set-off of credit"
    ),
    PaymentMethod.OTHER: Words("outro meio", "otro medio", "other means"),
}

CONTACT_KINDS: Final[Mapping[ContactKind, Words]] = {
    ContactKind.EMAIL: Words("e-mail", "correo electrónico", "e-mail address"),
    ContactKind.MOBILE: Words("celular", "teléfono móvil", "mobile phone"),
    ContactKind.WHATSAPP: Words.same("WhatsApp"),
    ContactKind.PHONE: Words("telefone", "teléfono", "telephone"),
    ContactKind.POSTAL: Words("endereço postal", "dirección postal", "postal address"),
}

CONTACT_STATUSES: Final[Mapping[ContactStatus, Words]] = {
    ContactStatus.ACTIVE: Words("ativo", "activo", "active"),
    ContactStatus.INVALID: Words("inválido", "no válido", "invalid"),
    ContactStatus.OPTED_OUT: Words(
        "não aceita contato", "no acepta contacto", "accepts no contact"
    ),
    ContactStatus.DELETED: Words("apagado", "eliminado", "deleted"),
}

DEBTOR_STATUSES: Final[Mapping[DebtorStatus, Words]] = {
    DebtorStatus.ACTIVE: Words("ativo", "activo", "active"),
    DebtorStatus.ARCHIVED: Words("arquivado", "archivado", "archived"),
    DebtorStatus.ANONYMIZED: Words("anonimizado", "anonimizado", "anonymised"),
}
