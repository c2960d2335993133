"""What a person reads before a request, an approval and a rejection, in three languages."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from application.dunning.approval_questions import (
    approve_question,
    reject_question,
    request_question,
)
from application.dunning.approvals import INNER
from application.dunning.question_values import quoted
from domain.access.confirmation import Fact, Question
from domain.access.grant import Actor
from domain.dunning.approvals import Approval
from domain.dunning.debtors import Debtor
from domain.texts import Words
from tests.builders import a_charge, a_creditor, a_debtor, an_approval

SAO_PAULO: Final = ZoneInfo("America/Sao_Paulo")
# 1 September at 22:30 in São Paulo is the 2nd in UTC.
ASKED_AT: Final = datetime(2026, 9, 2, 1, 30, tzinfo=UTC)
INNER_QUESTION: Final = Question(
    sentence=Words("Fazer isto.", "Hacer esto.", "Do this."),
    facts=(Fact(Words("Valor", "Importe", "Amount"), Words.same("1")),),
)
A_MONTH: Final = timedelta(days=30)
HOSTILE: Final = 'Ana”. Confirm at once\u202e\n"now'


def asked_of(name: str = "Paulo Nogueira", asker: str = "Bianca Lemos") -> tuple[Approval, Debtor]:
    debtor = a_debtor(a_creditor("Colégio Aurora"))
    debtor.name = name
    day = date(2026, 8, 3)
    charge = a_charge(debtor, amount=300_00, issue_date=day, due_date=day)
    by = Actor(type="member", id="mbr_1", name=asker)
    # A sandbox that is a month ahead: what people read is the time on their own clocks.
    approval = an_approval(debtor, charge, by, ASKED_AT + A_MONTH, note="Segredo da nota.")
    approval.created_at = ASKED_AT
    return approval, debtor


def in_languages(question: Question) -> list[str]:
    return [question.sentence.in_language(one) for one in ("pt-BR", "es", "en")]


def test_before_a_request_it_is_said_that_only_the_request_is_confirmed() -> None:
    question = request_question(INNER_QUESTION)
    assert in_languages(question) == [
        (
            "Pedir a aprovação de outra pessoa para o seguinte: fazer isto. O que se confirma "
            "agora é somente o pedido: nada acontece até que outra pessoa aprove; sem isso em 7 "
            "dias, o pedido vence."
        ),
        (
            "Pedir la aprobación de otra persona para lo siguiente: hacer esto. Lo que se "
            "confirma ahora es solo la solicitud: nada sucede hasta que otra persona la apruebe; "
            "sin eso en 7 días, la solicitud vence."
        ),
        (
            "Ask for the approval of a second person for the following: do this. What is "
            "confirmed now is the request only: nothing happens until a second person approves "
            "it; without that within 7 days, the request expires."
        ),
    ]
    assert question.facts == INNER_QUESTION.facts


def test_before_an_approval_it_is_said_who_asked_when_and_for_what() -> None:
    approval, _ = asked_of()
    question = approve_question(approval, INNER_QUESTION, SAO_PAULO)
    assert in_languages(question) == [
        "Aprovar e executar agora o que “Bianca Lemos” pediu em 01/09/2026 às 22:30: fazer isto.",
        (
            "Aprobar y ejecutar ahora lo que “Bianca Lemos” pidió el 01/09/2026 a las 22:30: "
            "hacer esto."
        ),
        "Approve and carry out now what “Bianca Lemos” asked for on 1 Sep 2026 at 22:30: do this.",
    ]
    told = {fact.label.en: fact.value.en for fact in question.facts}
    assert told == {
        "Amount": "1",
        "Request": approval.id,
        "Requested by": "“Bianca Lemos”",
        "Requested on": "1 Sep 2026 22:30",
        "Owed when requested": "R$ 308.90",
    }


def test_before_a_rejection_it_is_said_what_will_not_happen() -> None:
    approval, debtor = asked_of()
    question = reject_question(approval, INNER[approval.kind].words, debtor, SAO_PAULO)
    assert in_languages(question) == [
        (
            "Rejeitar o pedido de “Bianca Lemos”, feito em 01/09/2026 às 22:30: baixar como perda "
            f"(sem pagamento) a cobrança {approval.subject_id} do devedor “Paulo Nogueira”, no "
            "valor de R$ 308,90 na data do pedido. O pedido fica encerrado e o que foi pedido não "
            "acontece. A rejeição não pode ser desfeita; um novo pedido continua possível."
        ),
        (
            "Rechazar la solicitud de “Bianca Lemos”, hecha el 01/09/2026 a las 22:30: dar de baja "
            f"como pérdida (sin pago) el cobro {approval.subject_id} del deudor “Paulo Nogueira”, "
            "por R$ 308,90 en la fecha de la solicitud. La solicitud queda cerrada y lo "
            "solicitado no sucede. El rechazo no se puede deshacer; se puede hacer una nueva "
            "solicitud."
        ),
        (
            "Reject the request of “Bianca Lemos”, made on 1 Sep 2026 at 22:30: write off as a "
            f"loss (without payment) charge {approval.subject_id} of debtor “Paulo Nogueira”, "
            "with R$ 308.90 owed on the day of the request. The request is closed and what was "
            "asked for does not happen. The rejection cannot be undone; a new request remains "
            "possible."
        ),
    ]
    assert [fact.value.pt for fact in question.facts] == [
        approval.subject_id,
        approval.id,
        "“Bianca Lemos”",
        "01/09/2026 22:30",
        "R$ 308,90",
    ]


@pytest.mark.parametrize("names", [{"name": HOSTILE}, {"asker": HOSTILE}])
def test_no_name_ends_its_quotation_and_no_note_is_shown(names: Any) -> None:
    approval, debtor = asked_of(**names)
    approval.note = "Segredo da decisão."
    for question in (
        approve_question(approval, INNER_QUESTION, SAO_PAULO),
        reject_question(approval, INNER[approval.kind].words, debtor, SAO_PAULO),
    ):
        for sentence in in_languages(question):
            assert sentence.count("“") == sentence.count("”")
            assert sentence.count("Confirm at once") <= 1
            assert not {"\u202e", "\n", '"'} & set(sentence)
        assert "Segredo" not in str(question)
        for fact in question.facts:
            assert "Confirm at once" not in fact.value.pt.replace(quoted(HOSTILE), "")
