"""The ordinary debtors: people and companies without a story of their own."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final

from domain.dunning.documents import Document, cnpj_with_check_digits, cpf_with_check_digits
from domain.dunning.new_debtors import NewDebtor
from domain.dunning.restrictions import Channel, DebtorFlag, DoNotContact
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.fixed import draws, fixed_id
from entrypoints.seed.people import member_id
from entrypoints.seed.places import (
    CAMPINAS,
    CAXIAS,
    CURITIBA,
    OSASCO,
    PELOTAS,
    PORTO_ALEGRE,
    SAO_PAULO,
    Town,
    address_in,
)

_FIRST_JOINED: Final = date(2025, 1, 15)
_JOINED_WITHIN: Final = range(270)
_FIRST_BORN: Final = date(1962, 1, 1)
_BORN_WITHIN: Final = range(13_000)
_CPFS: Final = range(100_000_000, 1_000_000_000)
_CNPJ_ROOTS: Final = range(10_000_000, 100_000_000)
_OF_LIA: Final = 12
_TOWNS_OF_A: Final = (SAO_PAULO, SAO_PAULO, CAMPINAS, OSASCO, CURITIBA)
_TOWNS_OF_B: Final = (PORTO_ALEGRE, CAXIAS, PELOTAS)
_TAGS_OF_A: Final = ("fundamental", "médio", "integral")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restriction:
    """What was learned of a debtor on a day, and limits how they may be approached."""

    on: date
    flags: tuple[DebtorFlag, ...] = ()
    opted_out_channels: tuple[Channel, ...] = ()
    do_not_contact: DoNotContact = field(default_factory=DoNotContact)


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtorPlan:
    """A debtor of `town` to be registered on `since`, and what was learned of them later.

    `external_id` is also the one in `new`; charges refer to it.
    """

    external_id: str
    new: NewDebtor
    town: Town
    since: date
    restriction: Restriction | None = None


def debtor_id(creditor: Creditor, external_id: str) -> str:
    """The id of the debtor with this external id."""
    return fixed_id("dbt", _called(creditor, external_id))


def individual(creditor: Creditor, external_id: str, name: str, town: Town) -> DebtorPlan:
    """A natural person with an invented CPF."""
    draw = draws(_called(creditor, external_id))
    cpf = cpf_with_check_digits(f"{draw.choice(_CPFS)}")
    plan = _plan(creditor, external_id, name, town, cpf)
    birth_date = _FIRST_BORN + timedelta(days=draw.choice(_BORN_WITHIN))
    return replace(plan, new=replace(plan.new, birth_date=birth_date))


def company(creditor: Creditor, external_id: str, name: str, town: Town) -> DebtorPlan:
    """A company with an invented CNPJ."""
    draw = draws(_called(creditor, external_id))
    cnpj = cnpj_with_check_digits(f"{draw.choice(_CNPJ_ROOTS)}0001")
    return _plan(creditor, external_id, name, town, cnpj)


def ordinary_debtors(creditor: Creditor) -> tuple[DebtorPlan, ...]:
    """Everybody who has no story, in the order of their external ids."""
    return _ORDINARY[creditor.key]


def is_quiet(plan: DebtorPlan) -> bool:
    """Whether nothing was ever owed or said: the last parent may ask to be forgotten."""
    return plan.external_id == f"ALU-{len(_PARENTS):03}"


def _called(creditor: Creditor, external_id: str) -> str:
    return f"{creditor.key}/debtor/{external_id}"


def _plan(
    creditor: Creditor, external_id: str, name: str, town: Town, document: Document
) -> DebtorPlan:
    called = _called(creditor, external_id)
    new = NewDebtor(
        name=name,
        document=document.number,
        address=address_in(town, called),
        external_id=external_id,
    )
    joined = draws(f"{called}/since").choice(_JOINED_WITHIN)
    since = _FIRST_JOINED + timedelta(days=joined)
    return DebtorPlan(external_id=external_id, new=new, town=town, since=since)


def _parents() -> Iterable[DebtorPlan]:
    lia = member_id(AURORA, "Lia")
    for number, name in enumerate(_PARENTS, start=1):
        external_id = f"ALU-{number:03}"
        draw = draws(f"{_called(AURORA, external_id)}/choices")
        plan = individual(AURORA, external_id, name, draw.choice(_TOWNS_OF_A))
        new = replace(
            plan.new,
            tags=(draw.choice(_TAGS_OF_A),),
            assigned_member_id=lia if number <= _OF_LIA else None,
        )
        long_ago = date(2021, 2, 1)
        yield replace(plan, new=new, since=long_ago if number == len(_PARENTS) else plan.since)


def _shops() -> Iterable[DebtorPlan]:
    for number, (name, trade_name) in enumerate(_SHOPS.items(), start=1):
        external_id = f"CLI-{number:03}"
        town = draws(f"{_called(PAMPA, external_id)}/choices").choice(_TOWNS_OF_B)
        plan = company(PAMPA, external_id, name, town)
        yield replace(plan, new=replace(plan.new, trade_name=trade_name, tags=("varejo",)))


def _farmer() -> DebtorPlan:
    plan = individual(PAMPA, "CLI-010", "Arlindo Kaufmann Rosa", PELOTAS)
    reason = "Produtor rural: compra insumos para a sua atividade."
    new = replace(plan.new, is_consumer=False, is_consumer_reason=reason, tags=("rural",))
    return replace(plan, new=new)


_PARENTS: Final = (
    "Adriana Peçanha Luz",
    "Bento Carvalho Moura",
    "Camila Arruda Reis",
    "Daniel Escobar Pinto",
    "Elisa Fontoura Dias",
    "Fábio Guerra Lins",
    "Gabriela Hora Matos",
    "Heitor Inácio Braga",
    "Iara Junqueira Sá",
    "João Kuster Prates",
    "Karina Leal Novaes",
    "Leandro Maia Ortiz",
    "Mônica Nobre Pacheco",
    "Nelson Otero Queiroz",
    "Olívia Paes Ramalho",
    "Pedro Quadros Serpa",
    "Quitéria Rangel Teles",
    "Rafael Sodré Uchoa",
    "Sônia Toledo Varela",
    "Tadeu Ulhoa Ximenes",
    "Úrsula Vasques Yamada",
)
_SHOPS: Final = {
    "Armazém Vento Minuano Ltda.": "Armazém Minuano",
    "Bazar Três Coxilhas Ltda.": None,
    "Casa Erva Boa Comércio Ltda.": "Erva Boa",
    "Empório Quero-Quero Ltda.": None,
    "Ferragem Laço Firme Ltda.": "Laço Firme",
    "Mercearia Campo Largo Ltda.": None,
    "Padaria Pão da Serra Ltda.": "Pão da Serra",
    "Papelaria Ponto e Linha Ltda.": None,
    "Supermercado Lua do Sul S.A.": "Lua do Sul",
}
_ORDINARY: Final = {
    AURORA.key: tuple(_parents()),
    PAMPA.key: (*_shops(), _farmer()),
}
