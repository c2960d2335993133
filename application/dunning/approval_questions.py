"""What a person is asked where a second one has to approve: before the request, and before a word.

The question of what is asked for stands inside.
"""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from application.dunning.question_values import (
    day,
    debtor_in_words,
    filled,
    inside,
    money,
    quoted,
    sentences,
)
from domain.access.confirmation import Fact, Question
from domain.dunning.approvals import LIFETIME, Approval
from domain.dunning.debtors import Debtor
from domain.texts import Words

_REQUEST: Final = Words(
    "Pedir a aprovação de outra pessoa para o seguinte:",
    "Pedir la aprobación de otra persona para lo siguiente:",
    "Ask for the approval of a second person for the following:",
)
_AFTER_REQUEST: Final = Words(
    f"O que se confirma agora é somente o pedido: nada acontece até que outra pessoa aprove; sem "
    f"isso em {LIFETIME.days} dias, o pedido vence.",
    f"Lo que se confirma ahora es solo la solicitud: nada sucede hasta que otra persona la "
    f"apruebe; sin eso en {LIFETIME.days} días, la solicitud vence.",
    f"What is confirmed now is the request only: nothing happens until a second person approves "
    f"it; without that within {LIFETIME.days} days, the request expires.",
)
_APPROVE: Final = Words(
    "Aprovar e executar agora o que {asker} pediu em {day} às {time}:",
    "Aprobar y ejecutar ahora lo que {asker} pidió el {day} a las {time}:",
    "Approve and carry out now what {asker} asked for on {day} at {time}:",
)
_REJECT: Final = Words(
    "Rejeitar o pedido de {asker}, feito em {day} às {time}: {act} {id} do {debtor}, no valor de "
    "{amount} na data do pedido.",
    "Rechazar la solicitud de {asker}, hecha el {day} a las {time}: {act} {id} del {debtor}, por "
    "{amount} en la fecha de la solicitud.",
    "Reject the request of {asker}, made on {day} at {time}: {act} {id} of {debtor}, with {amount} "
    "owed on the day of the request.",
)
_AFTER_REJECT: Final = Words(
    "O pedido fica encerrado e o que foi pedido não acontece. A rejeição não pode ser desfeita; "
    "um novo pedido continua possível.",
    "La solicitud queda cerrada y lo solicitado no sucede. El rechazo no se puede deshacer; se "
    "puede hacer una nueva solicitud.",
    "The request is closed and what was asked for does not happen. The rejection cannot be undone; "
    "a new request remains possible.",
)

_LABEL_REQUEST: Final = Words("Pedido", "Solicitud", "Request")
_LABEL_ASKER: Final = Words("Pedido por", "Solicitado por", "Requested by")
_LABEL_ASKED_AT: Final = Words("Pedido em", "Solicitado el", "Requested on")
_LABEL_ASKED_AMOUNT: Final = Words(
    "Valor devido no pedido", "Importe adeudado en la solicitud", "Owed when requested"
)
_LABEL_SUBJECT: Final = Words("Cobrança", "Cobro", "Charge")


def request_question(inner: Question) -> Question:
    """Before a second person is asked to approve what `inner` is about."""
    return Question(
        sentence=sentences(_REQUEST, inside(inner.sentence), _AFTER_REQUEST), facts=inner.facts
    )


def approve_question(approval: Approval, inner: Question, zone: ZoneInfo) -> Question:
    """Before what was asked for is approved and done; `zone` is the organisation's."""
    return Question(
        sentence=sentences(filled(_APPROVE, **_asked(approval, zone)), inside(inner.sentence)),
        facts=(*inner.facts, *_facts(approval, zone)),
    )


def reject_question(approval: Approval, act: Words, debtor: Debtor, zone: ZoneInfo) -> Question:
    """Before what was asked for, `act` in words, is refused; `zone` is the organisation's."""
    told = filled(
        _REJECT,
        **_asked(approval, zone),
        act=act,
        id=Words.same(approval.subject_id),
        debtor=debtor_in_words(debtor),
        amount=money(approval.snapshot.total_due),
    )
    subject = Fact(_LABEL_SUBJECT, Words.same(approval.subject_id))
    return Question(
        sentence=sentences(told, _AFTER_REJECT), facts=(subject, *_facts(approval, zone))
    )


def _asked(approval: Approval, zone: ZoneInfo) -> dict[str, Words]:
    asked_at = approval.created_at.astimezone(zone)
    return {
        "asker": _asker(approval),
        "day": day(asked_at.date()),
        "time": _time(asked_at),
    }


def _facts(approval: Approval, zone: ZoneInfo) -> tuple[Fact, ...]:
    asked_at = approval.created_at.astimezone(zone)
    return (
        Fact(_LABEL_REQUEST, Words.same(approval.id)),
        Fact(_LABEL_ASKER, _asker(approval)),
        Fact(_LABEL_ASKED_AT, sentences(day(asked_at.date()), _time(asked_at))),
        Fact(_LABEL_ASKED_AMOUNT, money(approval.snapshot.total_due)),
    )


def _asker(approval: Approval) -> Words:
    return Words.same(quoted(approval.requested_by.name))


def _time(instant: datetime) -> Words:
    return Words.same(f"{instant:%H:%M}")
