"""What is asked and answered in a transcript, and who asks."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Final, TypeAlias

from entrypoints.cli.handout import Handout
from entrypoints.cli.output import DONE, UNDONE, heading, line
from entrypoints.cli.tokens import Surface
from entrypoints.cli.transcript.conversation import Conversation

_ROLES: Final = {"owner": "Helena", "manager": "Bianca", "collector": "Caio", "viewer": "Otto"}
_OWNER_OF_B: Final = "Vera"


class Transcript:
    """Prints each step and holds its answers to expectations.

    The people are those of organisation A of the demo, each called by role. `charge_id`,
    `debtor_id` and `total_due` are what a scene has met, for the scenes that follow.
    """

    def __init__(self, conversation: Conversation, handout: Handout) -> None:
        self.conversation = conversation
        self.failures = 0
        self.charge_id = ""
        self.debtor_id = ""
        self.total_due = 0.0
        self._handout = handout
        self._numbers = count(1)

    def token(self, role: str, surface: Surface = "mcp") -> str:
        """The token of somebody with this role."""
        return self._handout.called(_ROLES[role]).tokens[surface]

    async def charge_of_b(self) -> str:
        """The id of a charge of organisation B, as its owner sees it."""
        token = self._handout.called(_OWNER_OF_B).tokens["v1"]
        answer = await self.conversation.get(token, "/v1/charges", {"per_page": 1})
        return str(answer.document["data"][0]["id"])

    async def debtor_of_a(self) -> str:
        """The id of a debtor of organisation A who owes something."""
        answer = await self.conversation.get(self.token("owner", "v1"), "/v1/charges", {})
        return str(answer.document["data"][0]["debtor_id"])

    def asks(self, title: str, asked: str) -> None:
        """Begin a step."""
        heading(f"{next(self._numbers)}. {title}")
        line(f"  → {asked}")

    def answers(self, text: str) -> None:
        """Show an answer, or one line of it."""
        line(f"  ← {text}")

    def expects(self, expectation: str, *, holds: bool) -> None:
        """Say what was expected, and whether it is so."""
        self.failures += not holds
        line(f"  {DONE if holds else UNDONE} {expectation}", style="green" if holds else "bold red")


Scene: TypeAlias = Callable[[Transcript], Awaitable[None]]
