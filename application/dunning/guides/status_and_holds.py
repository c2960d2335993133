"""The guide to what is owed, what moves it, and what may not be done meanwhile."""

from collections.abc import Mapping
from typing import Final

from application.dunning.guides.guide import MARKDOWN, Guide, table
from domain.dunning.charge_states import OWED, TRANSITIONS, ChargeAct, ChargeStatus
from domain.dunning.holds import BLOCKED_BY, LONGEST_HOLD_DAYS, Blocks, HoldCode

_STATUSES: Final[Mapping[ChargeStatus, str]] = {
    ChargeStatus.PENDING: "em aberto, ainda não vencida",
    ChargeStatus.OVERDUE: "vencida e não paga",
    ChargeStatus.PAID: "paga",
    ChargeStatus.RENEGOTIATED: "substituída por um acordo (ainda não usado)",
    ChargeStatus.WRITTEN_OFF: "baixada: continua devida, mas não se cobra mais",
    ChargeStatus.CANCELED: "cancelada: declarada não devida",
}
_ACTS: Final[Mapping[ChargeAct, str]] = {
    ChargeAct.MARK_OVERDUE: "o vencimento efetivo passou",
    ChargeAct.MARK_PENDING: "o vencimento foi adiado",
    ChargeAct.SETTLE: "o saldo chegou a zero",
    ChargeAct.REOPEN_PENDING: "o pagamento foi estornado antes do vencimento",
    ChargeAct.REOPEN_OVERDUE: "o pagamento foi estornado depois do vencimento",
    ChargeAct.CANCEL: "cancelamento, sem pagamento confirmado",
    ChargeAct.WRITE_OFF: "baixa",
    ChargeAct.DELETE: "exclusão, se nada aconteceu com ela",
}
_BLOCKS: Final[Mapping[Blocks, str]] = {
    Blocks.OUTBOUND: "contato de cobrança",
    Blocks.LEGAL: "atos legais",
    Blocks.AGREEMENT: "propostas de acordo",
    Blocks.ALL: "tudo",
}
_HOLDS: Final[Mapping[HoldCode, str]] = {
    HoldCode.MANUAL: f"suspensa por uma pessoa, por até {LONGEST_HOLD_DAYS} dias ou sem fim",
    HoldCode.DO_NOT_CONTACT: "proibição de contato com o devedor",
    HoldCode.DECEASED: "o devedor faleceu",
    HoldCode.MINOR: "o devedor é menor de idade",
    HoldCode.REPRESENTED_BY_LAWYER: "o devedor é representado por advogado",
    HoldCode.JUDICIAL_RECOVERY: "o devedor está em recuperação judicial",
    HoldCode.BANKRUPT: "o devedor faliu",
    HoldCode.OVER_INDEBTED_PLAN: "há um plano de superendividamento",
    HoldCode.PRESCRIBED: "a dívida prescreveu",
    HoldCode.TOLERANCE: "o saldo está dentro da tolerância",
}


def status_and_holds() -> Guide:
    """The guide as the tables are now."""
    return Guide(
        path="guides/status_and_holds",
        title="Statuses and holds",
        description=(
            "In Portuguese: the statuses of a charge, what moves it between them, and the holds "
            "that forbid contact, legal acts or agreements."
        ),
        mime_type=MARKDOWN,
        text=f"{_INTRODUCTION}\n\n{_statuses()}\n\n{_transitions()}\n\n{_holds()}\n",
    )


_INTRODUCTION: Final = """\
# Situações e bloqueios

A situação diz o que se deve; um bloqueio diz o que não se pode fazer agora."""


def _statuses() -> str:
    rows = (
        (f"`{status}`", _STATUSES[status], "sim" if status in OWED else "não")
        for status in ChargeStatus
    )
    return f"""\
## Situações de uma cobrança

{table(("situação", "significado", "devida"), *rows)}"""


def _transitions() -> str:
    rows = (
        (f"`{before}`", _ACTS[act], "deixa de existir" if after is None else f"`{after}`")
        for (before, act), after in TRANSITIONS.items()
    )
    return f"""\
## O que muda a situação

{table(("de", "por", "para"), *rows)}

O que não está na tabela é recusado com `STATE_CONFLICT`."""


def _holds() -> str:
    rows = (
        (f"`{code}`", _HOLDS[code], ", ".join(_BLOCKS[one] for one in BLOCKED_BY[code]))
        for code in HoldCode
    )
    return f"""\
## Bloqueios

{table(("código", "por quê", "o que impede"), *rows)}

Um bloqueio manual impede o que a pessoa escolheu. Só uma cobrança devida tem bloqueios."""
