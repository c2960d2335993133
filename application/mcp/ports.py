"""What the engine asks of the product behind it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

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
    alone, `takes_stream` for one that takes none. `until`, of the loop's clock, is when the caller
    has to come again with a new token.
    """

    origin: Origin
    language: Language
    takes_json: bool = True
    takes_stream: bool = False
    until: float | None = None


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


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """A tool's result that is made of blocks and not of one document.

    `content` are content blocks of the schema; `structured` goes with them from 2025-06-18 on.
    """

    content: tuple[Mapping[str, Any], ...]
    structured: Mapping[str, Any] | None = None
    is_error: bool = False


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """What is under an address: a text, or the bytes of a file."""

    uri: str
    mime_type: str
    text: str | None = None
    blob: bytes | None = None


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that is filled in; `messages` are prompt messages of the schema."""

    description: str
    messages: tuple[Mapping[str, Any], ...]


class Suggestions(msgspec.Struct, frozen=True, kw_only=True):
    """Values for an argument, the best first; `total` counts what the caller may see."""

    values: tuple[str, ...]
    total: int | None = None
    has_more: bool = False


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """What an argument belongs to: the prompt `name`, or the template `uri`."""

    name: str | None = None
    uri: str | None = None


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The argument that is being typed, and those that are filled in already."""

    reference: Reference
    argument: str
    value: str
    given: Mapping[str, str]


class Visit(msgspec.Struct, Generic[CallerT], frozen=True):
    """Who asks, at which part of the server, and how."""

    caller: CallerT
    selection: Selection
    context: Context
    rounds: Rounds


class Named(Protocol[CallerT_contra]):
    """Named things of one kind, as each caller meets them."""

    def visible(self, caller: CallerT_contra, selection: Selection, /) -> frozenset[str]:
        """Names of those that `caller` may use at an address with `selection`."""
        ...

    def variant(self, caller: CallerT_contra, /) -> str:
        """What else the definitions depend on; callers with equal values are shown equal bytes."""
        ...

    def definitions(self, visible: frozenset[str], caller: CallerT_contra, /) -> Iterable[bytes]:
        """The definitions of `visible` as JSON objects, in the order of the list."""
        ...


class Shelf(Protocol[CallerT]):
    """Documents by their addresses."""

    @property
    def resources(self) -> Named[CallerT]:
        """Those of a fixed address."""
        ...

    @property
    def templates(self) -> Named[CallerT]:
        """Patterns of addresses."""
        ...

    async def read(
        self, uri: str, visit: Visit[CallerT], /
    ) -> tuple[Contents, ...] | NeedsInput | None:
        """What is there; None for an address where this caller finds nothing.

        Raises:
            ScopeMissingError: the caller's token has to ask for scopes first.
            CallRefusedError: what the client brings of an earlier round is not of this call.
            DomainError: any other refusal.
        """
        ...


class Scripts(Named[CallerT], Protocol[CallerT]):
    """Prompts by their names."""

    async def get(
        self, name: str, arguments: Mapping[str, Any], visit: Visit[CallerT], /
    ) -> Script | NeedsInput | None:
        """The script, filled in; None for one that this caller has not.

        Raises:
            CallRefusedError: an argument is missing or wrong, or an earlier round was not of this.
            DomainError: any other refusal.
        """
        ...


class Completer(Protocol[CallerT]):
    """Knows what an argument may be."""

    async def complete(self, wanted: Wanted, visit: Visit[CallerT], /) -> Suggestions | None:
        """Values that begin with, or have in them, what was typed; None for an unknown reference.

        Raises DomainError: any refusal.
        """
        ...


class Catalogue(Named[CallerT_contra], Protocol[CallerT_contra]):
    """The tools of a server, as each caller meets them."""

    @property
    def toolsets(self) -> frozenset[str]:
        """Names that the query of an address may select."""
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
    ) -> Answer | Given | NeedsInput:
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
