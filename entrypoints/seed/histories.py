"""How the plans came to be: each debtor and charge lives up to the day the demo starts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from adapters.persistence.demo import PastEvent
from domain.access.grant import Actor
from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.charges import Charge, CreditorRules
from domain.dunning.debtors import Debtor
from domain.dunning.events import EventSource
from domain.dunning.moment import Moment
from domain.dunning.organizations import Organization
from entrypoints.seed.charges import Cancellation, ChargePlan
from entrypoints.seed.creditors import Creditor
from entrypoints.seed.debtors import DebtorPlan
from entrypoints.seed.fixed import fixed_id
from entrypoints.seed.timeline import DAILY_RUN, TODAY, Timeline

_ONE_DAY: Final = timedelta(days=1)
_DAILY_JOB: Final = Actor(type="system", id="daily", name="Rotina diária")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """Who did what: the ERP brought debtors and charges in, a manager cancelled some."""

    erp: Actor
    manager: Actor


class Histories:
    """Registers and creates what is planned for one organisation, and keeps what happened."""

    def __init__(
        self, creditor: Creditor, organization: Organization, hands: Hands, timeline: Timeline
    ) -> None:
        self._creditor = creditor
        self._at = timeline.at
        self._organization = organization
        self._rules = CreditorRules(organization.settings, NATIONAL_WIDE)
        self._hands = hands
        self._happened: list[PastEvent] = []

    @property
    def happened(self) -> Sequence[PastEvent]:
        """Every event so far, oldest first."""
        return sorted(self._happened, key=lambda past: past.occurred_at)

    def debtors(self, plans: Iterable[DebtorPlan]) -> tuple[Debtor, ...]:
        """The debtors as they are known today."""
        return tuple(self._debtor(plan) for plan in plans)

    def charges(self, plans: Iterable[ChargePlan], debtors: Iterable[Debtor]) -> tuple[Charge, ...]:
        """The charges with their amounts of today."""
        by_external_id = {debtor.external_id: debtor for debtor in debtors}
        return tuple(self._charge(plan, by_external_id[plan.debtor]) for plan in plans)

    def _debtor(self, plan: DebtorPlan) -> Debtor:
        debtor_id = self._id("dbt", f"debtor/{plan.external_id}")
        moment = self._at(plan.since)
        debtor = Debtor.register(debtor_id, plan.new, self._organization, moment)
        debtor.flags = plan.flags
        debtor.opted_out_channels = plan.opted_out_channels
        debtor.do_not_contact = plan.do_not_contact
        self._note(debtor, moment, self._hands.erp)
        return debtor

    def _charge(self, plan: ChargePlan, debtor: Debtor) -> Charge:
        charge_id = self._id("chg", f"charge/{plan.external_id}")
        moment = self._at(plan.issue_date)
        charge = Charge.create(charge_id, plan.new, debtor, self._rules, moment)
        self._note(charge, moment, self._hands.erp)
        if plan.cancellation is None:
            self._become_overdue(charge, self._at(TODAY))
        else:
            self._cancel(charge, plan.cancellation)
        charge.reprice(TODAY, NATIONAL_WIDE)
        return charge

    def _become_overdue(self, charge: Charge, latest: Moment) -> None:
        moment = self._at(charge.effective_due_date + _ONE_DAY, DAILY_RUN)
        if moment.instant < latest.instant:
            charge.reprice(moment.today, NATIONAL_WIDE)
            charge.mark_overdue(moment)
            self._note(charge, moment, _DAILY_JOB)

    def _cancel(self, charge: Charge, cancellation: Cancellation) -> None:
        moment = self._at(cancellation.on)
        self._become_overdue(charge, moment)
        charge.cancel(cancellation.reason, cancellation.note, moment)
        self._note(charge, moment, self._hands.manager)

    def _note(self, source: EventSource, moment: Moment, actor: Actor) -> None:
        for event in source.events:
            name = f"{event.resource_id}/{event.type}"
            past = PastEvent(
                id=self._id("evt", name),
                event=event,
                occurred_at=moment.instant,
                actor=actor,
                request_id=self._id("req", name),
            )
            self._happened.append(past)
        source.events.clear()

    def _id(self, prefix: str, name: str) -> str:
        return fixed_id(prefix, f"{self._creditor.key}/{name}")
