"""What a person or an inbound channel did: a call, a reply, a visit."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from domain.dunning.debtors import Debtor
from domain.dunning.events import Event, EventSource
from domain.dunning.free_text import trimmed_lines_or_none
from domain.dunning.moment import Moment
from domain.dunning.money import Bounds
from domain.errors import Detail, ValidationError
from domain.texts import Text

_NOTE: Final = Bounds(1, 2000)


class Direction(StrEnum):
    """Who began it."""

    INBOUND = "inbound"
    OUTBOUND = "outbound"


class InteractionChannel(StrEnum):
    """How it happened."""

    EMAIL = "email"
    SMS = "sms"
    WHATSAPP = "whatsapp"
    VOICE = "voice"
    LETTER = "letter"
    IN_PERSON = "in_person"


class InteractionOutcome(StrEnum):
    """What came of it."""

    NO_ANSWER = "no_answer"
    WRONG_PERSON = "wrong_person"
    CALLBACK = "callback"
    PROMISE = "promise"
    REFUSED = "refused"
    DISPUTES = "disputes"
    PAID_CLAIM = "paid_claim"
    OPT_OUT = "opt_out"
    MESSAGE_LEFT = "message_left"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInteraction:
    """What a caller says of a contact; charges and contact point are known to be the debtor's.

    `occurred_at` None is now; `member_id` is who logs it, None for an API client.
    """

    direction: Direction
    channel: InteractionChannel
    outcome: InteractionOutcome
    occurred_at: datetime | None = None
    note: str | None = None
    charge_ids: tuple[str, ...] = ()
    contact_point_id: str | None = None
    member_id: str | None = None


@dataclass(kw_only=True, eq=False)
class Interaction(EventSource):
    """One contact that took place; never changed but for anonymisation."""

    id: str
    organization_id: str
    debtor_id: str
    direction: Direction
    channel: InteractionChannel
    outcome: InteractionOutcome
    note: str | None
    occurred_at: datetime
    member_id: str | None
    contact_point_id: str | None
    charge_ids: tuple[str, ...]
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def record(
        cls,
        interaction_id: str,
        new: NewInteraction,
        debtor: Debtor,
        now: datetime,
        moment: Moment,
    ) -> "Interaction":
        """Log a contact with `debtor`; `now` is the organisation's business time.

        Raises:
            ValidationError: it is still to come, or a note that is no text.
            StateConflictError: the debtor is anonymised, and a note could name them again.
        """
        debtor.refuse_anonymized()
        occurred_at = new.occurred_at or now
        if occurred_at > now:
            raise ValidationError(Detail("occurred_at", "out_of_range", _STILL_TO_COME))
        interaction = cls(
            id=interaction_id,
            organization_id=debtor.organization_id,
            debtor_id=debtor.id,
            direction=new.direction,
            channel=new.channel,
            outcome=new.outcome,
            note=trimmed_lines_or_none(new.note, "note", _NOTE),
            occurred_at=occurred_at.astimezone(UTC),
            member_id=new.member_id,
            contact_point_id=new.contact_point_id,
            charge_ids=tuple(dict.fromkeys(new.charge_ids)),
            version=1,
            created_at=moment.instant,
            updated_at=moment.instant,
        )
        interaction._tell()
        return interaction

    def _tell(self) -> None:
        # The note stays out: it is free text on a person.
        data = {
            "id": self.id,
            "debtor_id": self.debtor_id,
            "direction": self.direction.value,
            "channel": self.channel.value,
            "outcome": self.outcome.value,
            "occurred_at": self.occurred_at.isoformat().replace("+00:00", "Z"),
            "contact_point_id": self.contact_point_id,
            "charge_ids": list(self.charge_ids),
        }
        self.events.append(
            Event(
                type="interaction.created",
                resource_type="interaction",
                resource_id=self.id,
                data=data,
            )
        )


_STILL_TO_COME: Final = Text("Informe um momento passado.", "Give an instant in the past.")
