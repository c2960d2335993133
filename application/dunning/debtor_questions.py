"""What a person is asked before a debtor is archived or forgotten, or a contact point deleted."""

from datetime import date
from typing import Final

from application.dunning.question_values import (
    counted,
    day,
    debtor_in_words,
    filled,
    number,
    sentences,
)
from application.dunning.question_words import CONTACT_KINDS, CONTACT_STATUSES, DEBTOR_STATUSES
from domain.access.confirmation import Fact, Question
from domain.dunning.contact_points import ContactPoint
from domain.dunning.debtors import Debtor
from domain.dunning.documents import PersonType
from domain.texts import Words

_ARCHIVE: Final = Words(
    "Arquivar o {debtor} ({id}), que {charges}.",
    "Archivar al {debtor} ({id}), que {charges}.",
    "Archive {debtor} ({id}), who {charges}.",
)
_PAST_CHARGES: Final = (
    Words("não tem cobranças", "no tiene cobros", "has no charges"),
    Words(
        "tem 1 cobrança anterior e nenhuma em aberto",
        "tiene 1 cobro anterior y ninguno pendiente",
        "has 1 past charge and none open",
    ),
    Words(
        "tem {count} cobranças anteriores e nenhuma em aberto",
        "tiene {count} cobros anteriores y ninguno pendiente",
        "has {count} past charges and none open",
    ),
)
_AFTER_ARCHIVE: Final = Words(
    "Enquanto estiver arquivado, não receberá novas cobranças; o histórico será mantido. Pode ser "
    "desfeito: o devedor pode ser reativado depois.",
    "Mientras esté archivado no recibirá nuevos cobros; el historial se conservará. Se puede "
    "deshacer: el deudor puede reactivarse más adelante.",
    "While archived, the debtor will get no new charges; the history will be kept. This can be "
    "undone: the debtor can be made active again later.",
)
_ANONYMIZE: Final = Words(
    "Anonimizar o {debtor} ({id}), com {kind} {document}, que {charges} e cujo último movimento "
    "foi em {last}.",
    "Anonimizar al {debtor} ({id}), con {kind} {document}, que {charges} y cuyo último movimiento "
    "fue el {last}.",
    "Anonymise {debtor} ({id}), with {kind} {document}, who {charges} and whose last movement was "
    "on {last}.",
)
_AFTER_ANONYMIZE: Final = Words(
    "Nome, documento, contatos e textos livres serão apagados para sempre, também nas cobranças e "
    "nos pagamentos; valores e datas serão mantidos. A anonimização não pode ser desfeita.",
    "El nombre, el documento, los contactos y los textos libres se borrarán para siempre, también "
    "en los cobros y los pagos; los importes y las fechas se conservarán. La anonimización no se "
    "puede deshacer.",
    "Name, document, contacts and free text will be erased for good, also on charges and "
    "payments; amounts and dates will be kept. The anonymisation cannot be undone.",
)
_DELETE_CONTACT: Final = Words(
    "Apagar o contato {id} do {debtor}: {kind} {value}, {status}.",
    "Eliminar el contacto {id} del {debtor}: {kind} {value}, {status}.",
    "Delete contact point {id} of {debtor}: {kind} {value}, {status}.",
)
_CONTACT_GOES: Final = Words(
    "O contato será apagado por inteiro e não será mais usado.",
    "El contacto se borrará por completo y dejará de utilizarse.",
    "The contact point will be erased completely and no longer used.",
)
_CONTACT_LEAVES_TRACE: Final = Words(
    "O contato será apagado e não será mais usado; dele fica apenas um registro ilegível, como "
    "prova da recusa ou das notificações.",
    "El contacto se borrará y dejará de utilizarse; de él solo quedará un registro ilegible, como "
    "prueba del rechazo o de las notificaciones.",
    "The contact point will be erased and no longer used; only an unreadable record of it will "
    "remain, as proof of the refusal or of the notices.",
)
_AFTER_CONTACT: Final = Words(
    "A exclusão não pode ser desfeita; o contato teria de ser cadastrado de novo.",
    "La eliminación no se puede deshacer; el contacto tendría que registrarse de nuevo.",
    "The deletion cannot be undone; the contact point would have to be added anew.",
)

_CPF: Final = Words.same("CPF")
_CNPJ: Final = Words.same("CNPJ")
_LABEL_DEBTOR: Final = Words("Devedor", "Deudor", "Debtor")
_LABEL_STATUS: Final = Words("Situação atual", "Situación actual", "Present status")
_LABEL_CHARGES: Final = Words("Cobranças anteriores", "Cobros anteriores", "Past charges")
_LABEL_LAST: Final = Words("Último movimento", "Último movimiento", "Last movement")
_LABEL_CONTACT: Final = Words("Contato", "Contacto", "Contact point")
_LABEL_KIND: Final = Words("Tipo", "Tipo", "Kind")
_LABEL_VALUE: Final = Words("Contato (mascarado)", "Dato enmascarado", "Contact (masked)")
_LABEL_TRACE: Final = Words(
    "Registro ilegível mantido", "Registro ilegible conservado", "Unreadable record kept"
)
_YES: Final = Words("sim", "sí", "yes")
_NO: Final = Words("não", "no", "no")


def archive_question(debtor: Debtor, charges: int) -> Question:
    """Before a debtor is set aside who has `charges`, none of them open."""
    sentence = filled(
        _ARCHIVE,
        id=Words.same(debtor.id),
        debtor=debtor_in_words(debtor),
        charges=counted(charges, *_PAST_CHARGES),
    )
    return Question(
        sentence=sentences(sentence, _AFTER_ARCHIVE),
        facts=(
            Fact(_LABEL_DEBTOR, Words.same(debtor.id)),
            Fact(_LABEL_STATUS, DEBTOR_STATUSES[debtor.status]),
            Fact(_LABEL_CHARGES, number(charges)),
        ),
    )


def anonymize_question(debtor: Debtor, charges: int, last_movement: date) -> Question:
    """Before a debtor is forgotten; a CPF is told apart from others without being shown."""
    is_person = debtor.document.person_type is PersonType.INDIVIDUAL
    kind, document = _CPF if is_person else _CNPJ, Words.same(debtor.document.masked)
    sentence = filled(
        _ANONYMIZE,
        id=Words.same(debtor.id),
        debtor=debtor_in_words(debtor),
        kind=kind,
        document=document,
        charges=counted(charges, *_PAST_CHARGES),
        last=day(last_movement),
    )
    return Question(
        sentence=sentences(sentence, _AFTER_ANONYMIZE),
        facts=(
            Fact(_LABEL_DEBTOR, Words.same(debtor.id)),
            Fact(kind, document),
            Fact(_LABEL_STATUS, DEBTOR_STATUSES[debtor.status]),
            Fact(_LABEL_CHARGES, number(charges)),
            Fact(_LABEL_LAST, day(last_movement)),
        ),
    )


def contact_point_question(point: ContactPoint, debtor: Debtor) -> Question:
    """Before a contact point is deleted, which is shown by its kind and what may be seen of it."""
    kind, status = CONTACT_KINDS[point.kind], CONTACT_STATUSES[point.status]
    value = Words.same(_masked(point))
    sentence = filled(
        _DELETE_CONTACT,
        id=Words.same(point.id),
        debtor=debtor_in_words(debtor),
        kind=kind,
        value=value,
        status=status,
    )
    leaves_trace = point.is_kept_when_deleted
    return Question(
        sentence=sentences(
            sentence,
            _CONTACT_LEAVES_TRACE if leaves_trace else _CONTACT_GOES,
            _AFTER_CONTACT,
        ),
        facts=(
            Fact(_LABEL_CONTACT, Words.same(point.id)),
            Fact(_LABEL_DEBTOR, Words.same(debtor.id)),
            Fact(_LABEL_KIND, kind),
            Fact(_LABEL_VALUE, value),
            Fact(_LABEL_STATUS, status),
            Fact(_LABEL_TRACE, _YES if leaves_trace else _NO),
        ),
    )


def _masked(point: ContactPoint) -> str:
    # A city is free text.
    return point.value_masked if point.address is None else f"***, {point.address.uf}"
