"""Where the debtors can be reached: e-mails of nobody, numbers that ring nowhere."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from domain.dunning.contact_points import ContactKind, ContactSource, Relation
from domain.dunning.documents import PersonType, parse_document
from domain.dunning.new_contact_points import NewContactPoint
from domain.dunning.text_search import fold
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.debtors import DebtorPlan
from entrypoints.seed.fixed import draws

_DOMAIN: Final = "example.com"
_NO_LETTERS: Final = re.compile(r"[^a-z0-9]+")
_OUT_OF_THREE: Final = range(3)
_OUT_OF_FOUR: Final = range(4)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactPlan:
    """A contact point that comes with its debtor, and what became of it."""

    debtor: str
    new: NewContactPoint
    on: date
    verified_on: date | None = None
    failed_on: tuple[date, ...] = ()
    refused_on: date | None = None

    @property
    def name(self) -> str:
        """What tells it from everything else in the organisation."""
        return f"{self.debtor}/{self.new.kind.value}/{self.new.relation.value}"


@dataclass(frozen=True, slots=True)
class _Fate:
    """Hard failures, or a refusal."""

    failed_on: tuple[date, ...] = ()
    refused_on: date | None = None


_TWICE: Final = (date(2026, 10, 6), date(2026, 10, 21))
_REFUSED: Final = _Fate(refused_on=date(2026, 11, 18))
_FATES: Final[Mapping[tuple[str, str, ContactKind], _Fate]] = {
    (AURORA.key, "A-12", ContactKind.MOBILE): _REFUSED,
    (AURORA.key, "A-12", ContactKind.WHATSAPP): _REFUSED,
    (AURORA.key, "ALU-005", ContactKind.EMAIL): _Fate(failed_on=_TWICE),
    (AURORA.key, "ALU-013", ContactKind.MOBILE): _Fate(failed_on=_TWICE),
    (AURORA.key, "ALU-016", ContactKind.EMAIL): _Fate(failed_on=_TWICE[:1]),
    (AURORA.key, "ALU-020", ContactKind.EMAIL): _Fate(failed_on=_TWICE),
    (PAMPA.key, "CLI-004", ContactKind.EMAIL): _Fate(failed_on=_TWICE),
}
_WITH_WHATSAPP: Final = frozenset({"A-07", "A-12"})


def contacts_of(creditor: Creditor, debtors: Iterable[DebtorPlan]) -> Iterator[ContactPlan]:
    """The contact points of all debtors; each debtor has numbers that no other one has."""
    for number, debtor in enumerate(debtors, start=1):
        for new in (*_stated(creditor, debtor, number), *_of_lawyer(debtor)):
            fate = _FATES.get((creditor.key, debtor.external_id, new.kind), _Fate())
            is_verified = _draw(creditor, debtor, f"verified/{new.kind}", _OUT_OF_THREE) == 0
            yield ContactPlan(
                debtor=debtor.external_id,
                new=new,
                on=debtor.since,
                verified_on=debtor.since if is_verified else None,
                failed_on=fate.failed_on,
                refused_on=fate.refused_on,
            )


def _stated(creditor: Creditor, debtor: DebtorPlan, number: int) -> Iterator[NewContactPoint]:
    is_company = parse_document(debtor.new.document).person_type is PersonType.COMPANY
    electronic = _of_company if is_company else _own
    mobile = f"+55{debtor.town.ddd}90000{number:04}"
    yield electronic(ContactKind.EMAIL, _email(debtor.new.name, is_company=is_company))
    yield electronic(ContactKind.MOBILE, mobile)
    has_whatsapp = _draw(creditor, debtor, "whatsapp", _OUT_OF_THREE) > 0
    if has_whatsapp or debtor.external_id in _WITH_WHATSAPP:
        yield electronic(ContactKind.WHATSAPP, mobile)
    if is_company or _draw(creditor, debtor, "phone", _OUT_OF_FOUR) == 0:
        yield NewContactPoint(
            kind=ContactKind.PHONE,
            source=ContactSource.CREDITOR_FILE if is_company else ContactSource.ENRICHMENT,
            value=f"+55{debtor.town.ddd}3000{number:04}",
            relation=Relation.COMPANY_CONTACT if is_company else Relation.SELF,
        )
    yield NewContactPoint(
        kind=ContactKind.POSTAL, source=ContactSource.CREDITOR_FILE, address=debtor.new.address
    )


def _own(kind: ContactKind, value: str) -> NewContactPoint:
    """Given by the debtor, so that notices to it count."""
    return NewContactPoint(
        kind=kind, source=ContactSource.DEBTOR, value=value, usable_as_legal_notice=True
    )


def _of_company(kind: ContactKind, value: str) -> NewContactPoint:
    return replace(_own(kind, value), relation=Relation.COMPANY_CONTACT, label="Contas a pagar")


def _of_lawyer(debtor: DebtorPlan) -> Iterator[NewContactPoint]:
    if debtor.external_id == "A-13":
        yield NewContactPoint(
            kind=ContactKind.EMAIL,
            source=ContactSource.CREDITOR_FILE,
            value=f"inventario@{_DOMAIN}",
            relation=Relation.LEGAL_REPRESENTATIVE,
            label="Advogada do espólio",
        )


def _email(name: str, *, is_company: bool) -> str:
    words = _NO_LETTERS.sub(" ", fold(name)).split()
    if is_company:
        return f"financeiro.{words[0]}-{words[1]}@{_DOMAIN}"
    return f"{words[0]}.{words[-1]}@{_DOMAIN}"


def _draw(creditor: Creditor, debtor: DebtorPlan, what: str, out_of: range) -> int:
    return draws(f"{creditor.key}/contact/{debtor.external_id}/{what}").choice(out_of)
