"""Refusals of one contact point: who said so, what shows it, and how it ended."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from domain.errors import Detail, ValidationError
from domain.texts import Text


class OptOutSource(StrEnum):
    """How a refusal reached us."""

    DEBTOR_REPLY = "debtor_reply"
    FORM = "form"
    MEMBER = "member"
    IMPORT = "import"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptOut:
    """A refusal of one contact point and what shows it; and how it ended, where it did."""

    at: datetime
    source: OptOutSource
    evidence: str | None = None
    ended_at: datetime | None = None
    ended_evidence: str | None = None

    @property
    def stands(self) -> bool:
        """Whether the debtor has not allowed it again."""
        return self.ended_at is None

    def shown_by(self, evidence: str | None) -> "OptOut":
        """The same with `evidence`, where none was given before.

        Raises:
            ValidationError: `conflicts_with`, it is shown by something else.
        """
        if evidence in (None, self.evidence):
            return self
        if self.evidence is not None:
            raise ValidationError(Detail("evidence", "conflicts_with", _SHOWN_ALREADY))
        return replace(self, evidence=evidence)


_SHOWN_ALREADY: Final = Text(
    "A recusa já tem evidência, que não muda; omita evidence.",
    "The refusal has its evidence, which does not change; leave evidence out.",
)
