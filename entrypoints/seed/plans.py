"""Everything that is planned for one organisation, from its stories, traps and ordinary mix."""

from dataclasses import dataclass

from entrypoints.seed.charges import ChargePlan
from entrypoints.seed.contacts import ContactPlan, contacts_of
from entrypoints.seed.creditors import Creditor
from entrypoints.seed.debtors import DebtorPlan, is_quiet, ordinary_debtors
from entrypoints.seed.interactions import InteractionPlan, interactions_of
from entrypoints.seed.mix import ordinary_charges
from entrypoints.seed.part_payments import part_payments
from entrypoints.seed.payments import PaymentPlan
from entrypoints.seed.settled import settled_charges
from entrypoints.seed.stories import stories_of
from entrypoints.seed.traps import shared_charges, shared_debtors


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """Who there will be, what they will owe and pay, and what will be said."""

    debtors: tuple[DebtorPlan, ...]
    contacts: tuple[ContactPlan, ...]
    charges: tuple[ChargePlan, ...]
    payments: tuple[PaymentPlan, ...]
    interactions: tuple[InteractionPlan, ...]


def plans_of(creditor: Creditor) -> Plans:
    """The plans for one organisation, the same in every seeding."""
    stories, shared = stories_of(creditor), shared_debtors(creditor)
    ordinary = ordinary_debtors(creditor)
    busy = [debtor for debtor in (*ordinary, *shared) if not is_quiet(debtor)]
    without_story = tuple(debtor.external_id for debtor in busy)
    unsettled = tuple(ordinary_charges(creditor, without_story))
    settled = settled_charges(creditor, without_story)
    debtors = (*stories.debtors, *shared, *ordinary)
    return Plans(
        debtors=debtors,
        contacts=tuple(contacts_of(creditor, debtors)),
        charges=(*stories.charges, *shared_charges(creditor), *unsettled, *settled.charges),
        payments=(
            *stories.payments,
            *settled.payments,
            *part_payments(creditor, unsettled, settled.charges),
        ),
        interactions=tuple(
            interactions_of(creditor, [one for one in debtors if not is_quiet(one)], unsettled)
        ),
    )
