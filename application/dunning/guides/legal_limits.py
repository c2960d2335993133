"""The guide to the limits of law: what may be added to a late debt, when to call, until when."""

from collections.abc import Mapping
from typing import Final, get_type_hints

from application.dunning.guides.guide import MARKDOWN, Guide, table
from domain.dunning.contact_rules import ContactReason
from domain.dunning.contact_windows import LEGAL_WINDOWS, LegalWindow, Window
from domain.dunning.legal_caps import CapItem, CapSubject, LegalCap, legal_caps
from domain.dunning.limitation import LISTING_YEARS, OTHER_YEARS, RENT_YEARS
from domain.dunning.money import PERCENT_PLACES, PercentUnits, decimal_text
from domain.dunning.organization_settings import FrequencyCaps

_ITEMS: Final[Mapping[CapItem, str]] = {
    CapItem.LATE_FINE: "Multa moratória, uma única vez",
    CapItem.DEFAULT_INTEREST_MONTH: "Juros de mora ao mês, simples",
}
_SOURCES: Final[Mapping[tuple[CapItem, CapSubject], str]] = {
    (CapItem.LATE_FINE, CapSubject.CONSUMER): "CDC, art. 52, § 1º",
    (CapItem.LATE_FINE, CapSubject.NON_CONSUMER): "CC, art. 412 e 413",
    (CapItem.LATE_FINE, CapSubject.CONDO): "CC, art. 1.336, § 1º",
    (CapItem.DEFAULT_INTEREST_MONTH, CapSubject.ANY): "Decreto 22.626/1933",
}
_SUBJECTS: Final[Mapping[CapSubject, str]] = {
    CapSubject.CONSUMER: "consumidor",
    CapSubject.NON_CONSUMER: "não consumidor",
    CapSubject.CONDO: "condomínio",
    CapSubject.ANY: "todos",
}
_CAPS: Final[Mapping[str, str]] = {
    "per_day": "Contatos por dia",
    "per_7_days": "Contatos em 7 dias",
    "voice_per_day": "Ligações por dia",
}
_REASONS: Final[Mapping[ContactReason, str]] = {
    ContactReason.OUTSIDE_WINDOW: "fora do horário permitido",
    ContactReason.HOLIDAY: "feriado no lugar do devedor",
    ContactReason.DAILY_CAP: "o limite do dia já foi usado",
    ContactReason.WEEKLY_CAP: "o limite de sete dias já foi usado",
    ContactReason.VOICE_CAP: "o limite de ligações do dia já foi usado",
    ContactReason.OPTED_OUT: "o devedor recusou este canal",
    ContactReason.DO_NOT_CONTACT: "há uma proibição de contato",
    ContactReason.NO_CONTACT_POINT: "não há contato para este canal",
    ContactReason.CONTACT_INVALID: "o contato não é válido",
    ContactReason.THIRD_PARTY_CONTACT: "só há contatos de terceiros (CDC, art. 42)",
    ContactReason.DECEASED: "o devedor faleceu",
    ContactReason.MINOR: "o devedor é menor de idade",
    ContactReason.LAWYER: "o devedor é representado por advogado",
    ContactReason.JUDICIAL_RECOVERY: "o devedor está em recuperação judicial",
    ContactReason.BANKRUPT: "o devedor faliu",
    ContactReason.OVER_INDEBTED_PLAN: "há um plano de superendividamento",
    ContactReason.PRESCRIBED: "a dívida prescreveu",
    ContactReason.MANUAL: "a cobrança foi suspensa por uma pessoa",
    ContactReason.TOLERANCE: "o saldo está dentro da tolerância",
    ContactReason.ARCHIVED: "o devedor está arquivado",
}


def legal_limits(root: str) -> Guide:
    """The guide as the tables are now; `root` is what the address of the settings begins with."""
    parts = (_introduction(root), _fees(), _hours(), _frequency(), _reasons(), _limitation())
    return Guide(
        path="guides/legal_limits",
        title="Legal limits",
        description=(
            "In Portuguese: caps on fines and interest, contact hours by state, contact caps, "
            "limitation and listing limits, each with its source."
        ),
        mime_type=MARKDOWN,
        text="\n\n".join(parts) + "\n",
    )


def _introduction(root: str) -> str:
    return f"""\
# Limites legais

Estes são os padrões de engenharia do serviço, não aconselhamento jurídico: confirme-os com um \
advogado.

Gerado a partir das mesmas tabelas que o serviço aplica. Os valores da organização podem ser mais \
estritos, nunca mais largos: veja {root}/settings. "Regra deste serviço" é o que nenhuma \
lei fixa."""


def _fees() -> str:
    rows = (
        (_ITEMS[cap.item], _SUBJECTS[cap.applies_to], f"{_percent(cap.percent)} %", _source(cap))
        for cap in legal_caps()
    )
    return f"""\
## Multa e juros

{table(("Item", "Aplica-se a", "Máximo", "Fonte"), *rows)}

- Multa e juros se somam; não há juros sobre juros, multa ou custas.
- Juros acima de 1 % ao mês, até o dobro da taxa legal: só de não consumidor, com contrato escrito \
e autorizados por um administrador (Decreto 22.626/1933, art. 1º; a autorização é regra deste \
serviço).
- Sem contrato: sem multa, taxa legal e correção pelo IPCA (CC, art. 389 e 406; Lei 14.905/2024).
- Não se cobram taxa de cobrança, de boleto nem de lembrete, só custas de cartório pagas: regra \
deste serviço.
- A correção nunca deixa a dívida menor que o valor nominal."""


def _hours() -> str:
    rows = (_hours_row(window) for window in LEGAL_WINDOWS)
    head = ("UF", "Segunda a sexta", "Sábado", "Vale desde", "Fonte")
    return f"""\
## Horários de contato

No horário local do devedor; nunca aos domingos e feriados (regra deste serviço, onde a lei do \
estado não o diz). Valem para voz, SMS, WhatsApp e \
e-mail; cartas não têm horário.

{table(head, *rows)}

O CDC (art. 42 e 71) não fixa horário: onde não há lei do estado, vale o de São Paulo, por regra \
deste serviço. Quando só se conhece o ano da lei, consta 1º de janeiro."""


def _hours_row(window: LegalWindow) -> tuple[str, ...]:
    saturday = "não" if window.saturday is None else _clock(window.saturday)
    since = f"{window.valid_from:%d/%m/%Y}"
    source = window.source if window.uf else "regra deste serviço"
    return window.uf or "demais", _clock(window.weekdays), saturday, since, source


def _frequency() -> str:
    bounds = get_type_hints(FrequencyCaps, include_extras=True)
    usual = FrequencyCaps()
    rows = (
        (label, f"{getattr(usual, name)}", f"{bounds[name].__metadata__[0].high}")
        for name, label in _CAPS.items()
    )
    return f"""\
## Frequência

Por devedor, somando todos os canais e cobranças. Regra deste serviço: a lei não traz número.

{table(("Item", "Padrão", "Máximo"), *rows)}"""


def _reasons() -> str:
    rows = ((f"`{reason}`", _REASONS[reason]) for reason in ContactReason)
    return f"""\
## Por que um contato não é permitido

{table(("Motivo", "Significado"), *rows)}"""


def _limitation() -> str:
    return f"""\
## Prescrição e negativação

- Prescrição: {OTHER_YEARS} anos do vencimento (CC, art. 206, § 5º, I); aluguel, {RENT_YEARS} anos \
(CC, art. 206, § 3º, I). De 29/02, termina em 01/03 (CC, art. 132, § 3º).
- Depois da prescrição não há cobrança nem ato legal (regra deste serviço; STJ, Tema 1.264 \
pendente); o pagamento espontâneo é aceito (CC, art. 882).
- Registro em birô de crédito: até {LISTING_YEARS} anos do vencimento, sem recomeço (CDC, art. \
43, § 1º; Súmula 323 do STJ). De 29/02, termina em 28/02."""


def _source(cap: LegalCap) -> str:
    return _SOURCES[cap.item, cap.applies_to]


def _percent(units: PercentUnits) -> str:
    return decimal_text(units, PERCENT_PLACES).pt


def _clock(window: Window) -> str:
    return f"{window.start:%H:%M}-{window.end:%H:%M}"
