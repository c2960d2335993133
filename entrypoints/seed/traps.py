"""What exists in both organisations on purpose, so that a leak between them would be seen."""

from dataclasses import replace
from datetime import date
from typing import Final

from entrypoints.seed.charges import ChargePlan, charge_plan
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.debtors import DebtorPlan, company, individual
from entrypoints.seed.places import PORTO_ALEGRE, SAO_PAULO

MARINA: Final = "Marina Alves Teixeira"
MARINA_CPF: Final = "529.982.247-25"
SILVA: Final = "Transportes Silva"
INVOICE: Final = "NF-1001"

_MARINA_ID: Final = "DEV-1001"
_SILVA_ID: Final = "DEV-1002"
_TOWNS: Final = {AURORA.key: SAO_PAULO, PAMPA.key: PORTO_ALEGRE}
_INVOICE_DUE: Final = date(2026, 12, 15)
_INVOICE_AMOUNTS: Final = {AURORA.key: 1_480_00, PAMPA.key: 7_315_20}


def shared_debtors(creditor: Creditor) -> tuple[DebtorPlan, ...]:
    """The same person, and two companies of one name, under the same external ids."""
    town = _TOWNS[creditor.key]
    marina = individual(creditor, _MARINA_ID, MARINA, town)
    same_cpf = replace(marina.new, document=MARINA_CPF, birth_date=date(1984, 5, 17))
    return replace(marina, new=same_cpf), company(creditor, _SILVA_ID, SILVA, town)


def shared_charges(creditor: Creditor) -> tuple[ChargePlan, ...]:
    """One invoice number, two debts."""
    amount = _INVOICE_AMOUNTS[creditor.key]
    return (charge_plan(creditor, INVOICE, _SILVA_ID, _INVOICE_DUE, amount),)
