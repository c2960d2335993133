"""What an interaction suggests to do next: offered to whoever reads it, never carried out."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Final

from application.operations.fields import View, about
from domain.dunning.debtors import Debtor
from domain.dunning.interactions import Interaction, InteractionChannel, InteractionOutcome
from domain.dunning.restrictions import Channel


class SuggestedAction(View):
    """An operation that somebody may want to run, with the arguments that are known."""

    operation: Annotated[str, about("The operation.")]
    why: Annotated[str, about("What it is for, and which arguments are still to be chosen.")]
    arguments: Annotated[dict[str, object], about("Arguments that are known.")]


def suggested_actions(interaction: Interaction, debtor: Debtor) -> list[SuggestedAction]:
    """The suggestions for an opt-out, a wrong person or a dispute; none for anything else."""
    suggest = _BY_OUTCOME.get(interaction.outcome)
    return [] if suggest is None else list(suggest(interaction, debtor))


def _after_opt_out(interaction: Interaction, debtor: Debtor) -> Iterator[SuggestedAction]:
    if interaction.contact_point_id is not None:
        yield SuggestedAction(
            operation="dunning_contact_points_update",
            why="Contact this address or number no more.",
            arguments={**_the_point(interaction), "status": "opted_out"},
        )
    elif interaction.channel is not InteractionChannel.IN_PERSON:
        channel = Channel(interaction.channel.value)
        channels = dict.fromkeys((*debtor.opted_out_channels, channel))
        yield SuggestedAction(
            operation="dunning_debtors_update",
            why="Contact the debtor no more by this channel; the list replaces the present one.",
            arguments={"id": debtor.id, "opted_out_channels": list(channels)},
        )
    else:
        yield SuggestedAction(
            operation="dunning_debtors_update",
            why="If the debtor refuses every channel, ban all contact.",
            arguments={
                "id": debtor.id,
                "do_not_contact": {"active": True, "reason": "request"},
            },
        )


def _after_wrong_person(interaction: Interaction, debtor: Debtor) -> Iterator[SuggestedAction]:
    is_known = interaction.contact_point_id is not None
    why = "Mark the contact point invalid, for it reaches somebody else"
    yield SuggestedAction(
        operation="dunning_contact_points_update",
        why=f"{why}." if is_known else f"{why}; choose cp_id among the debtor's contact points.",
        arguments={
            **(_the_point(interaction) if is_known else {"id": debtor.id}),
            "status": "invalid",
        },
    )


def _after_dispute(interaction: Interaction, _: Debtor) -> Iterator[SuggestedAction]:
    for charge_id in interaction.charge_ids:
        yield SuggestedAction(
            operation="dunning_charges_hold",
            why="Suspend collection of the charge while the dispute is looked into.",
            arguments={"id": charge_id, "reason": "Disputed by the debtor"},
        )
    if not interaction.charge_ids:
        yield SuggestedAction(
            operation="dunning_charges_list",
            why="Find the disputed charge, and suspend its collection with dunning_charges_hold.",
            arguments={"debtor_id": interaction.debtor_id},
        )


def _the_point(interaction: Interaction) -> dict[str, object]:
    return {"id": interaction.debtor_id, "cp_id": interaction.contact_point_id}


_BY_OUTCOME: Final[
    Mapping[InteractionOutcome, Callable[[Interaction, Debtor], Iterator[SuggestedAction]]]
] = {
    InteractionOutcome.OPT_OUT: _after_opt_out,
    InteractionOutcome.WRONG_PERSON: _after_wrong_person,
    InteractionOutcome.DISPUTES: _after_dispute,
}
