"""What a person is asked before something destructive happens, and what they decided."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from domain.texts import Words

CONFIRMED_FOR: Final = timedelta(minutes=10)
"""How long after a yes on the page the same call still runs."""

Verdict = Literal["confirmed", "refused"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of what a question is about."""

    label: Words
    value: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What would happen, in a fixed sentence with values that the server has read.

    `facts` are the same values one by one, without the debtor's name: it appears once. A name that
    was stored is in quotation marks, and there is no other free text at all.
    """

    sentence: Words
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCall:
    """The call that a person decides on: by whom, through which client, on what as it was shown.

    `digest` is that of the arguments, `fingerprint` that of the target.
    """

    issuer: str
    subject: str
    client_id: str | None
    operation: str
    digest: bytes
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person decided on the page about one call; it counts once, until `expires_at`."""

    id: str
    call: AskedCall
    verdict: Verdict
    expires_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """A person's yes to one call: where it was given, and the target that it was given to.

    `id` is the question's, used up with the effect. `decision` is the yes where it was given on the
    page. `reason` is what the person gave as one, if anything.
    """

    id: str
    fingerprint: str
    decision: Decision | None = None
    reason: str | None = None
