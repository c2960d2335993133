"""Values as a document in Portuguese prints them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from domain.dunning.account import LineType
from domain.dunning.addresses import Address
from domain.dunning.charge_kinds import ChargeKind
from domain.dunning.documents import Document, PersonType
from domain.dunning.money import PERCENT_PLACES, Cents, PercentUnits, amount_text, decimal_text
from domain.dunning.payments import PaymentMethod

MINUS: Final = "\u2212"
_NO_BREAK: Final = "\u00a0"
_MONTHS: Final = [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
]

KINDS: Final[Mapping[ChargeKind, str]] = {
    ChargeKind.SERVICE: "prestação de serviços",
    ChargeKind.PRODUCT: "fornecimento de produtos",
    ChargeKind.TUITION: "mensalidade escolar",
    ChargeKind.RENT: "aluguel",
    ChargeKind.CONDO: "contribuição condominial",
    ChargeKind.SUBSCRIPTION: "assinatura",
    ChargeKind.LOAN: "empréstimo",
    ChargeKind.AGREEMENT_ACCELERATION: "saldo de acordo vencido antecipadamente",
    ChargeKind.OTHER: "outra obrigação",
}

METHODS: Final[Mapping[PaymentMethod, str]] = {
    PaymentMethod.PIX: "Pix",
    PaymentMethod.BOLETO: "boleto",
    PaymentMethod.CARD: "cartão",
    PaymentMethod.TRANSFER: "transferência",
    PaymentMethod.CASH: "dinheiro",
    PaymentMethod.CHECK: "cheque",
    PaymentMethod.COMPENSATION: "compensação de crédito",
    PaymentMethod.OTHER: "outro meio",
}

LINES: Final[Mapping[LineType, str]] = {
    LineType.OPENING: "Saldo anterior",
    LineType.CHARGE: "Cobrança",
    LineType.COSTS: "Custas",
    LineType.INTEREST: "Juros de mora",
    LineType.FINE: "Multa por atraso",
    LineType.CORRECTION: "Correção monetária",
    LineType.DISCOUNT: "Desconto por antecipação",
    LineType.PAYMENT: "Pagamento",
    LineType.COMPENSATION: "Compensação de crédito",
    LineType.UNALLOCATED: "Valor mantido como crédito",
    LineType.TOLERANCE: "Resíduo dispensado",
    LineType.REVERSAL: "Estorno de pagamento",
    LineType.CANCELLATION: "Cancelamento",
    LineType.CLOSING: "Saldo final",
}


def amount(cents: Cents) -> str:
    """An amount in a column that says its currency: `1.250,00`."""
    digits = amount_text(abs(cents)).pt.removeprefix("R$ ")
    return f"{MINUS}{digits}" if cents < 0 else digits


def money(cents: Cents) -> str:
    """An amount in a sentence, which no line end parts: `R$ 1.250,00`."""
    sign = MINUS if cents < 0 else ""
    return f"{sign}R${_NO_BREAK}{amount(abs(cents))}"


def percent(units: PercentUnits) -> str:
    """A percentage: `2%`, `0,5%`."""
    return f"{decimal_text(units, PERCENT_PLACES).pt}%"


def day(value: date) -> str:
    """A date in a table: `01/12/2026`."""
    return f"{value.day:02}/{value.month:02}/{value.year:04}"


def long_day(value: date) -> str:
    """A date in a sentence: `1º de dezembro de 2026`."""
    ordinal = "1º" if value.day == 1 else f"{value.day}"
    return f"{ordinal} de {_MONTHS[value.month - 1]} de {value.year:04}"


def month(number: int) -> str:
    """The name of a month, 1 to 12."""
    return _MONTHS[number - 1]


def instant(at: datetime) -> str:
    """A moment with its distance from UTC: `01/12/2026, 10:00:00 (UTC-3)`."""
    offset = at.utcoffset() or timedelta()
    hours, rest = divmod(abs(offset) // timedelta(minutes=1), 60)
    sign = MINUS if offset < timedelta() else "+"
    minutes = f":{rest:02}" if rest else ""
    return f"{day(at.date())}, {at:%H:%M:%S} (UTC{sign}{hours}{minutes})"


def listed(words: Sequence[str]) -> str:
    """Several words in a sentence: `maio, junho e julho`."""
    *others, last = words
    return f"{', '.join(others)} e {last}" if others else last


def register(document: Document) -> str:
    """Which register a number is of."""
    return "CPF" if document.person_type is PersonType.INDIVIDUAL else "CNPJ"


def address_lines(address: Address) -> list[str]:
    """An address as it stands on an envelope, without its zip code, in two lines."""
    street = [address.street, address.number, address.complement]
    return [
        ", ".join(part for part in street if part),
        f"{address.district}, {address.city}/{address.uf}",
    ]


def zipcode(address: Address) -> str:
    """A zip code with its hyphen."""
    return f"{address.zipcode[:5]}-{address.zipcode[5:]}"
