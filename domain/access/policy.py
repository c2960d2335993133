"""The one place that decides which operations a caller sees and may run."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from domain.access.grant import Grant
from domain.access.roles import REVEAL, may_reveal
from domain.access.scopes import scope_of
from domain.errors import PermissionDeniedError, RevealDeniedError, ScopeMissingError


class Guarded(Protocol):
    """The part of an operation that decides who may see and run it."""

    @property
    def name(self) -> str:
        """What lists call it."""
        ...

    @property
    def toolset(self) -> str:
        """The resource it belongs to."""
        ...

    @property
    def permission(self) -> str | None:
        """What a role must have; None lets every member in."""
        ...

    @property
    def scopes(self) -> frozenset[str]:
        """What a token must carry, all of it."""
        ...

    @property
    def read_only(self) -> bool:
        """Whether it changes nothing."""
        ...

    @property
    def always_listed(self) -> bool:
        """Whether it is in every selection."""
        ...


class Verdict(Enum):
    """What a caller meets: the operation, a request for scopes, or nothing at all."""

    ALLOWED = "allowed"
    SCOPES_MISSING = "scopes_missing"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Selection:
    """The part of the catalogue that one endpoint address shows; empty `toolsets` means all."""

    toolsets: frozenset[str] = frozenset()
    read_only: bool = False

    def shows(self, info: Guarded) -> bool:
        """Whether the address shows `info`; what has no toolset is in every selection."""
        chosen = not self.toolsets or info.always_listed or info.toolset in self.toolsets
        return chosen and (info.read_only or not self.read_only)


EVERYTHING = Selection()

REVEAL_SCOPE: Final = scope_of(REVEAL)
"""The scope to see what is masked; no umbrella has it."""


class AccessPolicy:
    """Token scopes ∩ permissions ∩ the address's selection; lists and guards ask the same rule."""

    def decide(self, grant: Grant, info: Guarded, selection: Selection = EVERYTHING) -> Verdict:
        """What `grant` meets when it asks for `info`, decided without looking at a row."""
        permitted = info.permission is None or info.permission in grant.permissions
        if not permitted or not selection.shows(info):
            return Verdict.HIDDEN
        return Verdict.ALLOWED if info.scopes <= grant.scopes else Verdict.SCOPES_MISSING

    def guard(self, grant: Grant, info: Guarded) -> None:
        """Let `grant` through to `info`.

        Raises:
            PermissionDeniedError: the role, or the client's ceiling, does not have it.
            ScopeMissingError: the role has it, the token lacks scopes; names all of them.
        """
        match self.decide(grant, info):
            case Verdict.HIDDEN:
                raise PermissionDeniedError
            case Verdict.SCOPES_MISSING:
                raise ScopeMissingError(sorted(info.scopes))

    def guard_reveal(self, grant: Grant, wanted: Iterable[str]) -> None:
        """Let `grant` see what is masked.

        Raises:
            RevealDeniedError: the role may not see all of it.
            ScopeMissingError: the role may, the token lacks the scope.
        """
        permitted = REVEAL in grant.permissions
        if not permitted or not all(may_reveal(grant.role, what) for what in wanted):
            raise RevealDeniedError
        if REVEAL_SCOPE not in grant.scopes:
            raise ScopeMissingError([REVEAL_SCOPE])

    def visible(
        self, grant: Grant, infos: Iterable[Guarded], selection: Selection = EVERYTHING
    ) -> frozenset[str]:
        """Names of the operations that `grant` may run at an address with `selection`."""
        return frozenset(
            info.name for info in infos if self.decide(grant, info, selection) is Verdict.ALLOWED
        )
