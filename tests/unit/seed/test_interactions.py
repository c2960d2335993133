"""What was said in the demo: by members, within the law, and before it starts."""

from collections import Counter
from datetime import timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from adapters.persistence.demo import DemoOrganization
from domain.dunning.calendar import NATIONAL_WIDE
from domain.dunning.contact_windows import legal_window
from domain.dunning.interactions import Direction, Interaction, InteractionOutcome
from entrypoints.seed.timeline import STARTS_AT


def outbound(demo: DemoOrganization) -> list[Interaction]:
    return [one for one in demo.interactions if one.direction is Direction.OUTBOUND]


def test_every_outcome_came_of_some_contact_of_the_school(aurora: DemoOrganization) -> None:
    assert {one.outcome for one in aurora.interactions} == set(InteractionOutcome)


def test_nothing_was_said_after_the_demo_starts(demo: tuple[DemoOrganization, ...]) -> None:
    assert max(said.occurred_at for one in demo for said in one.interactions) < STARTS_AT


def test_members_logged_it_and_lia_only_what_her_own_debtors_said(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        members = {member.id: member.name for member in one.members}
        assigned = {debtor.id: debtor.assigned_member_id for debtor in one.debtors}
        names = {members[said.member_id or ""] for said in one.interactions}
        for said in one.interactions:
            assert assigned[said.debtor_id] in (None, said.member_id)
        assert len(names) >= 2


def test_charges_and_contact_points_of_an_interaction_are_its_debtors(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        owner = {charge.id: charge.debtor_id for charge in one.charges}
        owner |= {point.id: point.debtor_id for point in one.contact_points}
        for said in one.interactions:
            about = [*said.charge_ids, said.contact_point_id]
            assert {owner[thing] for thing in about if thing} <= {said.debtor_id}


def test_whoever_was_contacted_could_be_by_law_at_that_hour(
    demo: tuple[DemoOrganization, ...],
) -> None:
    for one in demo:
        debtors = {debtor.id: debtor for debtor in one.debtors}
        for said in outbound(one):
            debtor = debtors[said.debtor_id]
            local = said.occurred_at.astimezone(ZoneInfo(debtor.timezone))
            hours = legal_window(debtor.uf, local.date()).on(local.date())
            assert hours is not None
            assert hours.start <= local.time() < hours.end
            assert NATIONAL_WIDE.is_business_day(local.date())
            assert not debtor.do_not_contact.active


def test_nobody_was_contacted_twice_within_two_days(demo: tuple[DemoOrganization, ...]) -> None:
    for one in demo:
        for debtor in one.debtors:
            days = sorted(s.occurred_at for s in outbound(one) if s.debtor_id == debtor.id)
            assert all(later - sooner > timedelta(days=2) for sooner, later in pairwise(days))


def test_an_interaction_is_in_the_history_once(demo: tuple[DemoOrganization, ...]) -> None:
    for one in demo:
        told = Counter(
            past.event.resource_id
            for past in one.events
            if past.event.type == "interaction.created"
        )
        assert told == Counter(said.id for said in one.interactions)
