"""A library with everything that has a name: documents, scripts, and words that complete others."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec

from application.mcp.errors import invalid_params
from application.mcp.open_streams import OpenStreams
from application.mcp.ports import Contents, Script, Suggestions, Visit, Wanted
from application.mcp.profile import ServerProfile
from application.mcp.rounds import CallRefusedError, NeedsInput, Resumed
from domain.access.policy import EVERYTHING, Selection
from domain.errors import ScopeMissingError
from tests.protocol.fixtures import SCOPES, STRICT, House, Reader
from tests.protocol.librarian import FORM, digest

WHOLE = replace(
    STRICT,
    modern_capabilities={
        "tools": {"listChanged": True},
        "resources": {"listChanged": True},
        "prompts": {},
        "completions": {},
        "logging": {},
    },
    legacy_capabilities={
        "tools": {},
        "resources": {"subscribe": True},
        "prompts": {},
        "completions": {},
        "logging": {},
    },
    streams=True,
    strict_mcp_name=False,
)
RULES, PLAN, LEDGER = "library://rules", "library://plan", "library://ledger"
BOOK = "library://books/{id}"
PICTURE = bytes(range(256))
HIDDEN = "Silence\u200b, please\U000e0041.\u202e"
BOOKS = {"lib_one": {"bk_1": "Dom Casmurro"}, "lib_two": {"bk_2": "A Hora da Estrela"}}
OTHER = Reader(library="lib_two", name="reader_two")
READS_ONLY = Reader(scopes=frozenset({"read"}))
GUEST = Reader(shelves=frozenset({"books"}))
"""Somebody whose role gives no loans."""


@dataclass(frozen=True)
class Thing:
    """A named thing of the fixture, who may use it, and how a list shows it."""

    shown: Mapping[str, object]
    shelf: str = "books"
    scope: str = "read"


class Things:
    """Named things of one kind; counts how often definitions were made."""

    def __init__(self, things: Mapping[str, Thing]) -> None:
        self.things = things
        self.definitions_made = 0

    def given(self, name: str, caller: Reader, selection: Selection = EVERYTHING) -> bool:
        """Whether the role gives it at this address."""
        thing = self.things.get(name)
        selected = thing and (not selection.toolsets or thing.shelf in selection.toolsets)
        return bool(selected) and thing is not None and thing.shelf in caller.shelves

    def check(self, name: str, caller: Reader) -> None:
        if self.things[name].scope not in caller.scopes:
            raise ScopeMissingError(SCOPES)

    def visible(self, caller: Reader, selection: Selection) -> frozenset[str]:
        return frozenset(
            name
            for name, thing in self.things.items()
            if self.given(name, caller, selection) and thing.scope in caller.scopes
        )

    def variant(self, caller: Reader) -> str:
        return caller.library

    def definitions(self, visible: frozenset[str], caller: Reader) -> Iterable[bytes]:
        self.definitions_made += 1
        for name, thing in self.things.items():
            if name in visible:
                title = f"{HIDDEN} {caller.library}"
                yield msgspec.json.encode({**thing.shown, "title": title})


Given = TypeVar("Given")
Instead = Callable[[Visit[Reader]], Awaitable[Given] | Given]
"""What a test has done in place of the usual answer."""


async def _instead(behaviour: Instead[Given], visit: Visit[Reader]) -> Given:
    answered = behaviour(visit)
    return await answered if isinstance(answered, Awaitable) else answered


class Shelf:
    """A page of rules, a plan as a picture, a ledger for those who lend, and every book."""

    def __init__(self) -> None:
        self.resources = Things(
            {
                RULES: Thing({"uri": RULES, "name": "rules", "mimeType": "text/plain"}),
                PLAN: Thing({"uri": PLAN, "name": "plan", "mimeType": "image/png"}),
                LEDGER: Thing({"uri": LEDGER, "name": "ledger"}, "loans", "write"),
            }
        )
        self.templates = Things({BOOK: Thing({"uriTemplate": BOOK, "name": "book"})})
        self.instead: Instead[tuple[Contents, ...] | NeedsInput | None] | None = None
        self.reads = 0

    async def read(
        self, uri: str, visit: Visit[Reader]
    ) -> tuple[Contents, ...] | NeedsInput | None:
        self.reads += 1
        if self.instead is not None:
            return await _instead(self.instead, visit)
        if not self.resources.given(uri, visit.caller, visit.selection):
            return self._book(uri, visit.caller)
        self.resources.check(uri, visit.caller)
        if uri == PLAN:
            return (Contents(uri=uri, mime_type="image/png", blob=PICTURE),)
        return (Contents(uri=uri, mime_type="text/plain", text=HIDDEN),)

    def _book(self, uri: str, caller: Reader) -> tuple[Contents, ...] | None:
        title = BOOKS[caller.library].get(uri.removeprefix("library://books/"))
        if title is None:
            return None
        return (Contents(uri=uri, mime_type="text/plain", text=title),)


class Scripts(Things):
    """A script that recommends a book, and one about loans for those who lend."""

    def __init__(self) -> None:
        recommend = [{"name": "genre", "required": True}, {"name": "mood"}]
        super().__init__(
            {
                "recommend": Thing({"name": "recommend", "arguments": recommend}),
                "remind": Thing({"name": "remind", "arguments": []}, "loans", "write"),
            }
        )
        self.instead: Instead[Script | NeedsInput | None] | None = None

    async def get(
        self, name: str, arguments: Mapping[str, Any], visit: Visit[Reader]
    ) -> Script | NeedsInput | None:
        if self.instead is not None:
            return await _instead(self.instead, visit)
        if not self.given(name, visit.caller, visit.selection):
            return None
        self.check(name, visit.caller)
        genre = arguments.get("genre") if name == "recommend" else "reminders"
        if not isinstance(genre, str):
            raise CallRefusedError(invalid_params("genre must be a string"))
        said = f"{HIDDEN} Recommend {genre} to {visit.caller.library}."
        message = {"role": "user", "content": {"type": "text", "text": said}}
        return Script(description="Recommends a book.", messages=(message,))


class Completer:
    """Genres for the script, and books of the caller's library for the template."""

    def __init__(self) -> None:
        self.wanted: list[Wanted] = []
        self.suggested: Suggestions | None = None
        self.failure: Exception | None = None

    async def complete(self, wanted: Wanted, visit: Visit[Reader]) -> Suggestions | None:
        self.wanted.append(wanted)
        if self.failure is not None:
            raise self.failure
        if self.suggested is not None:
            return self.suggested
        if wanted.reference.name == "recommend":
            found = [genre for genre in ("novel", "novella") if genre.startswith(wanted.value)]
            return Suggestions(values=tuple(found), total=len(found))
        if wanted.reference.uri == BOOK:
            return Suggestions(values=tuple(BOOKS[visit.caller.library]))
        return None


class Library(House):
    """A server with every feature on, whose callers are readers."""

    def __init__(self, profile: ServerProfile = WHOLE, streams: OpenStreams | None = None) -> None:
        self.shelf = Shelf()
        self.scripts = Scripts()
        self.completer = Completer()
        self.streams = streams or OpenStreams()
        super().__init__(
            profile,
            shelf=self.shelf,
            scripts=self.scripts,
            completer=self.completer,
            open_streams=self.streams,
        )


@dataclass
class Clerk:
    """Asks which edition is meant before `give` is; keeps what came of earlier rounds."""

    give: Any

    def __post_init__(self) -> None:
        self.came: list[Resumed | None] = []

    def __call__(self, visit: Visit[Reader]) -> Any:
        resumed = visit.rounds.resumed(digest({}))
        self.came.append(resumed)
        if resumed is None or "edition" not in resumed.answers:
            return NeedsInput(requests={"edition": FORM}, digest=digest({}))
        return self.give
