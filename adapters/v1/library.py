"""What MCP clients read by addresses: the operations that have one, and documents for everybody."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, get_origin

import msgspec
from uritemplate import URITemplate

from adapters.v1.addresses import Addresses
from adapters.v1.catalogue import V1Catalogue
from application.dunning.guides.guide import JSON, Guide
from application.dunning.paper import FILE_AT_ADDRESS_SENTENCE, FILE_SENTENCE
from application.mcp.bounding import as_text
from application.mcp.errors import invalid_params
from application.mcp.ports import Contents, Visit
from application.mcp.rounds import CallRefusedError
from application.operations.declaration import Operation
from application.operations.fields import Listing, ListInput
from application.operations.request import Answer, Request
from application.operations.run import RunOperation
from domain.access.grant import Grant
from domain.access.policy import Selection
from domain.ports.documents import Document

LARGEST_FILE: Final = 5_000_000
"""Bytes that a client is sent in the middle of JSON."""

_PDF: Final = "application/pdf"
_FIRST_ROWS: Final = ListInput().per_page


class V1Shelf:
    """Reads by running the operations, so that whoever reads may do what their tools may."""

    def __init__(
        self,
        catalogue: V1Catalogue,
        addresses: Addresses,
        run: RunOperation,
        guides: Iterable[Guide],
    ) -> None:
        self._catalogue = catalogue
        self._addresses = addresses
        self._run = run
        self._guides = {f"{addresses.root}/{guide.path}": guide for guide in guides}
        entries = list(_of_operations(catalogue, addresses))
        fixed = [entry for entry in entries if entry.is_fixed]
        fixed += [_of_guide(uri, guide) for uri, guide in self._guides.items()]
        self.resources = Entries(catalogue, fixed)
        self.templates = Entries(catalogue, [one for one in entries if not one.is_fixed])

    async def read(self, uri: str, visit: Visit[Grant], /) -> tuple[Contents, ...] | None:
        """What is there; None for an address where this caller finds nothing.

        Raises:
            DomainError: the operation's refusal.
            CallRefusedError: a file that is too large to be sent like this.
        """
        guide = self._guides.get(uri)
        if guide is not None:
            return (Contents(uri=uri, mime_type=guide.mime_type, text=guide.text),)
        found = self._addresses.find(uri)
        bound = None if found is None else self._catalogue.find(found.operation)
        if found is None or bound is None or not visit.selection.shows(bound.operation.info):
            return None
        request = Request(raw=found.values, grant=visit.caller, origin=visit.context.origin)
        answer = await self._run(bound, request)
        if answer.file is None:
            return (Contents(uri=uri, mime_type=JSON, text=as_text(answer.body).decode()),)
        if len(answer.body) > LARGEST_FILE:
            raise _too_large(answer, URITemplate(bound.route.path).expand(dict(found.values)))
        return (Contents(uri=uri, mime_type=answer.file.content_type, blob=answer.body),)


class Entry(NamedTuple):
    """One line of a list; `operation` None is for every member, at every address."""

    uri: str
    operation: str | None
    is_fixed: bool
    definition: bytes


class Entries:
    """The fixed addresses, or the templates: whoever has the tool behind one sees it."""

    def __init__(self, catalogue: V1Catalogue, entries: Iterable[Entry]) -> None:
        self._catalogue = catalogue
        self._entries = tuple(entries)

    def visible(self, grant: Grant, selection: Selection, /) -> frozenset[str]:
        """Addresses that `grant` may read at an address of ours with `selection`."""
        tools = self._catalogue.visible(grant, selection)
        return frozenset(
            one.uri for one in self._entries if one.operation is None or one.operation in tools
        )

    def variant(self, _grant: Grant, /) -> str:
        """What else the definitions depend on: nothing."""
        return ""

    def definitions(self, visible: frozenset[str], _: Grant, /) -> Iterable[bytes]:
        """Definitions in the order of the list."""
        return (one.definition for one in self._entries if one.uri in visible)


def _of_operations(catalogue: V1Catalogue, addresses: Addresses) -> Iterable[Entry]:
    for bound in catalogue.bounds:
        info = bound.operation.info
        address = addresses.of(info.name)
        if address is not None:
            definition = {
                "uri" if address.is_fixed else "uriTemplate": address.template,
                "name": info.name,
                "title": info.title,
                "description": _description(bound.operation),
                "mimeType": _PDF if bound.operation.gives is Document else JSON,
            }
            yield _entry(address.template, info.name, definition, is_fixed=address.is_fixed)


def _description(operation: Operation[Any]) -> str:
    """The tool's, without what is true of tools alone: arguments, pages, files told of."""
    info = operation.info
    told = info.description.removesuffix(" Takes no arguments.")
    if operation.gives is Document:
        return told.replace(FILE_SENTENCE, FILE_AT_ADDRESS_SENTENCE)
    if get_origin(operation.gives) is Listing:
        return f"{told} Holds the first {_FIRST_ROWS}; {info.name} pages on."
    return told


def _of_guide(uri: str, guide: Guide) -> Entry:
    definition = {
        "uri": uri,
        "name": guide.path.rpartition("/")[2],
        "title": guide.title,
        "description": guide.description,
        "mimeType": guide.mime_type,
    }
    return _entry(uri, None, definition, is_fixed=True)


def _entry(uri: str, operation: str | None, definition: dict[str, Any], *, is_fixed: bool) -> Entry:
    return Entry(uri, operation, is_fixed, msgspec.json.encode(definition))


def _too_large(answer: Answer, path: str) -> CallRefusedError:
    megabytes = LARGEST_FILE // 1_000_000
    facts = {"byte_size": len(answer.body), "download_path": path}
    reason = f"uri: the file has more than {megabytes} MB; it is at {path}"
    return CallRefusedError(invalid_params(reason, facts))
