"""What collectors and debtors said to each other, before it is logged."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, time, timedelta
from itertools import cycle, islice
from typing import Final

from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.interactions import Direction, InteractionChannel, InteractionOutcome
from entrypoints.seed.charges import ChargePlan
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.debtors import DebtorPlan
from entrypoints.seed.fixed import draws
from entrypoints.seed.timeline import TODAY

_CALLED: Final = (Direction.OUTBOUND, InteractionChannel.VOICE)
_WROTE: Final = (Direction.OUTBOUND, InteractionChannel.WHATSAPP)
_MAILED: Final = (Direction.OUTBOUND, InteractionChannel.EMAIL)
_WAS_CALLED: Final = (Direction.INBOUND, InteractionChannel.VOICE)
_WAS_WRITTEN: Final = (Direction.INBOUND, InteractionChannel.WHATSAPP)
_WAS_MAILED: Final = (Direction.INBOUND, InteractionChannel.EMAIL)
_WAS_VISITED: Final = (Direction.INBOUND, InteractionChannel.IN_PERSON)


@dataclass(frozen=True, slots=True)
class Said:
    """How a contact went."""

    how: tuple[Direction, InteractionChannel]
    outcome: InteractionOutcome
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionPlan:
    """A contact about charges of the debtor with this external id, logged by `member` then."""

    debtor: str
    on: date
    clock: time
    member: str
    said: Said
    charges: tuple[str, ...] = ()


_USUAL: Final = (
    Said(_CALLED, InteractionOutcome.NO_ANSWER),
    Said(_WROTE, InteractionOutcome.CONVERSATION, "Pediu a segunda via do boleto."),
    Said(_CALLED, InteractionOutcome.PROMISE, "Disse que paga até o fim da semana."),
    Said(_MAILED, InteractionOutcome.MESSAGE_LEFT, "Enviado o extrato atualizado."),
    Said(_CALLED, InteractionOutcome.CALLBACK, "Em reunião; pediu retorno à tarde."),
    Said(_WAS_WRITTEN, InteractionOutcome.PAID_CLAIM, "Diz que já pagou; vai mandar comprovante."),
    Said(_CALLED, InteractionOutcome.REFUSED, "Não reconhece o reajuste; não quis negociar."),
    Said(_CALLED, InteractionOutcome.MESSAGE_LEFT, "Recado na caixa postal, sem citar a dívida."),
    Said(_WAS_CALLED, InteractionOutcome.CONVERSATION, "Perguntou se pode parcelar."),
    Said(_CALLED, InteractionOutcome.WRONG_PERSON, "Atendeu outra pessoa; nada foi informado."),
    Said(_WAS_MAILED, InteractionOutcome.DISPUTES, "Contesta o valor; aguarda resposta."),
    Said(_WAS_VISITED, InteractionOutcome.CONVERSATION, "Passou na secretaria para conferir."),
)
_USUAL_ONES: Final = {AURORA.key: 26, PAMPA.key: 6}
_COLLECTORS: Final = {AURORA.key: "Caio", PAMPA.key: "Nilo"}
_DAYS_LATE: Final = range(4, 12)
_MINUTES: Final = range(0, 360, 5)
_FIRST_MINUTE: Final = 10 * 60
_APART: Final = timedelta(days=3)


_STORIES: Final = {
    AURORA.key: (
        InteractionPlan(
            debtor="A-01",
            on=date(2026, 10, 21),
            clock=time(15, 10),
            member="Caio",
            said=Said(_CALLED, InteractionOutcome.NO_ANSWER),
            charges=("A-01",),
        ),
        InteractionPlan(
            debtor="A-01",
            on=date(2026, 11, 17),
            clock=time(10, 40),
            member="Caio",
            said=Said(
                _WROTE,
                InteractionOutcome.CONVERSATION,
                "Pediu proposta de parcelamento das duas mensalidades.",
            ),
            charges=("A-01", "A-02"),
        ),
        InteractionPlan(
            debtor="A-03",
            on=date(2026, 10, 13),
            clock=time(11, 5),
            member="Caio",
            said=Said(_WAS_WRITTEN, InteractionOutcome.PROMISE, "Vai pagar R$ 200,00 no dia 15."),
            charges=("A-03",),
        ),
        InteractionPlan(
            debtor="A-10",
            on=date(2026, 11, 30),
            clock=time(15, 30),
            member="Caio",
            said=Said(_WAS_WRITTEN, InteractionOutcome.PAID_CLAIM, "Mandou o comprovante do Pix."),
            charges=("A-10",),
        ),
        InteractionPlan(
            debtor="A-11",
            on=date(2026, 11, 19),
            clock=time(14, 20),
            member="Caio",
            said=Said(
                _CALLED,
                InteractionOutcome.MESSAGE_LEFT,
                "Recado para retornar; o assunto não foi dito.",
            ),
            charges=("A-11",),
        ),
        InteractionPlan(
            debtor="A-12",
            on=date(2026, 11, 18),
            clock=time(9, 0),
            member="Bianca",
            said=Said(
                _WAS_WRITTEN,
                InteractionOutcome.OPT_OUT,
                "Não quer WhatsApp nem SMS; e-mail pode.",
            ),
        ),
        InteractionPlan(
            debtor="A-13",
            on=date(2026, 9, 14),
            clock=time(9, 0),
            member="Bianca",
            said=Said(
                _WAS_CALLED,
                InteractionOutcome.CONVERSATION,
                "A advogada do espólio comunicou o falecimento e enviará a certidão.",
            ),
            charges=("A-13",),
        ),
        InteractionPlan(
            debtor="A-15",
            on=date(2026, 11, 27),
            clock=time(16, 45),
            member="Caio",
            said=Said(_MAILED, InteractionOutcome.MESSAGE_LEFT, "Segunda via enviada."),
            charges=("A-15",),
        ),
        InteractionPlan(
            debtor="A-18-1",
            on=date(2026, 12, 1),
            clock=time(9, 25),
            member="Caio",
            said=Said(_CALLED, InteractionOutcome.CALLBACK, "Pediu que se fale com ela à tarde."),
            charges=("A-18-1",),
        ),
    ),
    PAMPA.key: (
        InteractionPlan(
            debtor="B-01",
            on=date(2026, 8, 20),
            clock=time(9, 0),
            member="Ivo",
            said=Said(
                _WAS_MAILED,
                InteractionOutcome.CONVERSATION,
                "O administrador judicial comunicou o deferimento da recuperação.",
            ),
            charges=("B-01",),
        ),
        InteractionPlan(
            debtor="B-02",
            on=date(2026, 11, 12),
            clock=time(10, 15),
            member="Nilo",
            said=Said(_CALLED, InteractionOutcome.PROMISE, "Pagamento programado para dezembro."),
            charges=("B-02",),
        ),
    ),
}


def interactions_of(
    creditor: Creditor, debtors: Iterable[DebtorPlan], charges: Iterable[ChargePlan]
) -> Iterator[InteractionPlan]:
    """The interactions of the stories, then usual ones about the ordinary `charges` that are late.

    They keep days apart from each other, as the caps on contacts ask.
    """
    yield from _STORIES[creditor.key]
    assigned = {
        debtor.external_id for debtor in debtors if debtor.new.assigned_member_id is not None
    }
    usual = zip(_late_enough(creditor, charges), cycle(_USUAL), strict=False)
    for (charge, on), said in islice(usual, _USUAL_ONES[creditor.key]):
        minute = _FIRST_MINUTE + _draw(creditor, charge, "minute", _MINUTES)
        yield InteractionPlan(
            debtor=charge.debtor,
            on=on,
            clock=time(*divmod(minute, 60)),
            member="Lia" if charge.debtor in assigned else _COLLECTORS[creditor.key],
            said=said,
            charges=(charge.external_id,),
        )


def _late_enough(
    creditor: Creditor, charges: Iterable[ChargePlan]
) -> Iterator[tuple[ChargePlan, date]]:
    """Charges with a day some days after they were due, no two days of one debtor together."""
    talked: dict[str, list[date]] = {}
    for charge in charges:
        late = timedelta(days=_draw(creditor, charge, "days_late", _DAYS_LATE))
        on = NATIONAL_WIDE.next_business_day_on_or_after(charge.new.due_date + late)
        days = talked.setdefault(charge.debtor, [])
        is_free = all(abs(on - day) >= _APART for day in days)
        if on < TODAY and is_free and charge.cancellation is None:
            days.append(on)
            yield charge, on


def _draw(creditor: Creditor, charge: ChargePlan, what: str, out_of: range) -> int:
    return draws(f"{creditor.key}/interaction/{charge.external_id}/{what}").choice(out_of)
