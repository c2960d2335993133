"""What the engine asks of the product behind it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import msgspec

from application.mcp.mirrored import MirroredParam
from application.mcp.rounds import NeedsInput, Rounds
from domain.access.audit import Origin
from domain.access.policy import Selection
from domain.ports.limits import Allowance
from domain.ports.operations import RateClass
from domain.texts import Language

CallerT = TypeVar("CallerT")
CallerT_contra = TypeVar("CallerT_contra", contravariant=True)


class Context(msgspec.Struct, frozen=True):
    """What the door knows of one request.

    `language` is that of refusals; `takes_json` is False for a client that takes event streams
    alone.
    """

    origin: Origin
    language: Language
    takes_json: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """What must be known of a tool before it runs: its cost, and arguments that headers repeat."""

    rate_class: RateClass
    mirrored: tuple[MirroredParam, ...] = ()


class Answer(Protocol):
    """What a tool gave."""

    @property
    def status(self) -> int:
        """The status that it would have over plain HTTP."""
        ...

    @property
    def body(self) -> bytes:
        """A JSON document, or nothing."""
        ...


class Catalogue(Protocol[CallerT_contra]):
    """The tools of a server, as each caller meets them."""

    @property
    def toolsets(self) -> frozenset[str]:
        """Names that the query of an address may select."""
        ...

    def visible(self, caller: CallerT_contra, selection: Selection, /) -> frozenset[str]:
        """Names of the tools that `caller` may run at an address with `selection`."""
        ...

    def variant(self, caller: CallerT_contra, /) -> str:
        """What else the definitions depend on; callers with equal values are shown equal bytes."""
        ...

    def definitions(self, visible: frozenset[str], caller: CallerT_contra, /) -> Iterable[bytes]:
        """The definitions of `visible` as JSON objects, in the order of the list."""
        ...

    def find(self, name: str, caller: CallerT_contra, selection: Selection, /) -> Tool | None:
        """The tool; None for one that does not exist at this address, whoever asks.

        Whether the caller may run it is decided, and noted, by running it.
        """
        ...

    def identity(self, caller: CallerT_contra, /) -> tuple[str, ...]:
        """Who the caller is: what is sealed for one of them is nobody else's."""
        ...

    async def call(
        self,
        name: str,
        caller: CallerT_contra,
        arguments: Mapping[str, Any],
        context: Context,
        rounds: Rounds,
        /,
    ) -> Answer | NeedsInput:
        """Run a tool, or say what has to be known first.

        Raises:
            PermissionDeniedError: the caller does not have it; the client hears of no such tool.
            ScopeMissingError: the caller's token has to ask for scopes first.
            CallRefusedError: what the client brings of an earlier round is not of this call.
            DomainError: any other refusal; nothing was changed.
        """
        ...


class Limits(Protocol[CallerT_contra]):
    """How often a caller may ask."""

    async def take(self, caller: CallerT_contra, rate_class: RateClass, /) -> Allowance:
        """Take one unit from the caller's bucket of `rate_class`."""
        ...


class NoteFailure(Protocol):
    """Is told of an exception that nobody foresaw; the client is told nothing of it."""

    def __call__(self, failure: Exception, context: Context, /) -> None:
        """Write it down."""
        ...
