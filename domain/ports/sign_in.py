"""Letting a person sign in at the issuer in their browser, to know who they are and no more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from domain.access.principal import Principal


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to sign in; whoever begins it keeps it, unseen by others, until it is finished.

    `state` names it in the answer, `verifier` is what only the one who began it knows.
    """

    state: str
    verifier: str


class SignIn(Protocol):
    """Signing in with a code (RFC 6749 §4.1), PKCE (RFC 7636) and issuer (RFC 9207)."""

    @property
    def is_configured(self) -> bool:
        """Whether the issuer knows us, so that anybody can sign in at all."""
        ...

    async def begin(self, attempt: Attempt, /, *, afresh: bool) -> str:
        """The issuer's address that the browser goes to.

        `afresh`: the issuer has to ask who it is, whoever is signed in there.

        Raises:
            UnavailableError: the issuer does not answer.
        """
        ...

    async def finish(self, attempt: Attempt, answer: Mapping[str, str], /) -> Principal:
        """Who has signed in, by the parameters that the browser came back with.

        Raises:
            UnauthenticatedError: nobody has; `reason` says why.
            UnavailableError: the issuer does not answer.
        """
        ...
