"""Write-offs that a second person had to approve: asked for, decided on, or forgotten."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Final

from domain.access.grant import Actor
from domain.dunning.approvals import LIFETIME, Approval, Asked, Snapshot, Subject
from domain.dunning.charges import Charge
from domain.dunning.debtors import Debtor
from domain.dunning.moment import Moment
from domain.dunning.organization_settings import ApprovalAct
from domain.dunning.rates import Rates
from entrypoints.seed.charges import RequestPlan, Word
from entrypoints.seed.chronicle import Chronicle, Hands
from entrypoints.seed.diary import Act
from entrypoints.seed.timeline import DAILY_RUN, Timeline

DAILY_JOB: Final = Actor(type="system", id="daily", name="Rotina diária")


class Requests:
    """What was asked for in one organisation, in the order in which it was."""

    def __init__(
        self, chronicle: Chronicle, hands: Hands, timeline: Timeline, rates: Rates
    ) -> None:
        self.made: list[Approval] = []
        self._chronicle = chronicle
        self._hands = hands
        self._timeline = timeline
        self._rates = rates

    def acts(
        self, charge: Charge, debtor: Debtor, plan: RequestPlan
    ) -> Iterator[tuple[Moment, Act]]:
        """Asking, and what became of it."""
        yield self._timeline.at(plan.on), partial(self._ask, charge, debtor, plan)
        if plan.word is None:
            first_run_after = plan.on + LIFETIME + timedelta(days=1)
            yield self._timeline.at(first_run_after, DAILY_RUN), partial(self._run_out, charge)
        else:
            yield self._timeline.at(plan.word.on), partial(self._decide, charge, plan, plan.word)

    def _ask(self, charge: Charge, debtor: Debtor, plan: RequestPlan, moment: Moment) -> None:
        charge.reprice(moment.today, self._rates)
        asked = Asked(
            kind=ApprovalAct.WRITE_OFF,
            subject=Subject("charge", charge.id),
            debtor=debtor,
            operation="dunning_charges_write_off",
            arguments={"id": charge.id, "reason": plan.reason.value, "note": plan.note},
            snapshot=Snapshot.of(charge),
        )
        new_id = self._chronicle.id("apr", f"approval/{charge.external_id}/{plan.on}")
        asker, now = self._hands.members[plan.by], moment.instant + self._timeline.ahead
        approval = Approval.request(new_id, asked, asker, now, moment)
        self.made.append(approval)
        self._chronicle.note(approval, moment, asker)

    def _decide(self, charge: Charge, plan: RequestPlan, word: Word, moment: Moment) -> None:
        approval, second = self._of(charge), self._hands.members[word.by]
        now = moment.instant + self._timeline.ahead
        if word.approves:
            approval.approve(second, word.note, now, moment)
            charge.write_off(plan.reason, plan.note, moment, self._rates)
        else:
            approval.reject(second, word.note, now, moment)
        for source in (approval, charge):
            self._chronicle.note(source, moment, second)

    def _run_out(self, charge: Charge, moment: Moment) -> None:
        approval = self._of(charge)
        approval.expire(moment.instant + self._timeline.ahead, moment)
        self._chronicle.note(approval, moment, DAILY_JOB)

    def _of(self, charge: Charge) -> Approval:
        (approval,) = (one for one in self.made if one.subject_id == charge.id)
        return approval
