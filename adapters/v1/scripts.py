"""The prompts as MCP clients meet them: filled in, with the caller's own data beside them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from adapters.v1.addresses import Address, Addresses
from adapters.v1.catalogue import V1Catalogue
from adapters.v1.coercion import ObjectReader
from adapters.v1.input_shape import shape_of
from adapters.v1.library import V1Shelf
from adapters.v1.shapes import FieldShape
from application.dunning.prompts.prompt import DATA, RULE, AboutDebtor, Prompt
from application.mcp.errors import invalid_params
from application.mcp.ports import Contents, Script, Visit
from application.mcp.rounds import CallRefusedError
from application.operations.declaration_error import DeclarationError
from domain.access.grant import Grant
from domain.access.policy import Selection
from domain.errors import NotFoundError, ValidationError

_ABOUT: Final = "debtor_id"


class V1Scripts:
    """What the protocol engine asks of the prompts.

    Raises:
        DeclarationError: a prompt needs an operation that is not there, or shows one that has no
            address.
    """

    def __init__(
        self,
        prompts: Iterable[Prompt],
        catalogue: V1Catalogue,
        addresses: Addresses,
        shelf: V1Shelf,
    ) -> None:
        self._catalogue = catalogue
        self._shelf = shelf
        self._prompts = {prompt.name: _Bound(prompt, catalogue, addresses) for prompt in prompts}

    def visible(self, grant: Grant, selection: Selection, /) -> frozenset[str]:
        """Names of the prompts whose tools `grant` has at an address with `selection`."""
        tools = self._catalogue.visible(grant, selection)
        return frozenset(
            name for name, bound in self._prompts.items() if bound.prompt.needs <= tools
        )

    def variant(self, _grant: Grant, /) -> str:
        """What else the definitions depend on: nothing."""
        return ""

    def definitions(self, visible: frozenset[str], _: Grant, /) -> Iterable[bytes]:
        """Definitions in the order of the list."""
        return (bound.definition for name, bound in self._prompts.items() if name in visible)

    def fields(
        self, name: str, grant: Grant, selection: Selection
    ) -> tuple[FieldShape, ...] | None:
        """The arguments of a prompt; None for one that this caller has not.

        Raises:
            ScopeMissingError: the caller's token lacks scopes for it.
        """
        bound = self._prompts.get(name)
        if bound is None or not self._catalogue.admits(bound.prompt.needs, grant, selection):
            return None
        return bound.fields

    async def get(
        self, name: str, arguments: Mapping[str, Any], visit: Visit[Grant], /
    ) -> Script | None:
        """The script, filled in; None for one that this caller has not.

        Raises:
            CallRefusedError: an argument is missing or wrong.
            DomainError: any other refusal.
        """
        if self.fields(name, visit.caller, visit.selection) is None:
            return None
        bound = self._prompts[name]
        wanted = bound.read(arguments)
        shown = [
            one
            for address in bound.shows
            for one in await self._shown(address.uri({"id": wanted.debtor_id}), visit)
        ]
        return bound.script(wanted, shown)

    async def _shown(self, uri: str, visit: Visit[Grant]) -> tuple[Contents, ...]:
        try:
            found = await self._shelf.read(uri, visit)
        except NotFoundError:
            raise CallRefusedError(invalid_params(f"{_ABOUT}: Not found.")) from None
        return found or ()


class _Bound:
    """A prompt with its definition and the reader of its arguments, made once at the start."""

    def __init__(self, prompt: Prompt, catalogue: V1Catalogue, addresses: Addresses) -> None:
        self.prompt = prompt
        self.shows = tuple(_addresses_of(prompt, catalogue, addresses))
        fields = shape_of(prompt.name, prompt.takes).fields
        self.fields = tuple(sorted(fields, key=lambda field: not field.required))
        self._reader = ObjectReader(self.fields)
        self.definition = msgspec.json.encode(
            {
                "name": prompt.name,
                "title": prompt.title,
                "description": prompt.description,
                "arguments": [
                    {"name": one.name, "description": one.description, "required": one.required}
                    for one in self.fields
                ],
            }
        )

    def read(self, arguments: Mapping[str, Any]) -> AboutDebtor:
        """The arguments; "" and null count as absent. Raises CallRefusedError."""
        try:
            values = self._reader.members(arguments)
        except ValidationError as refused:
            reasons = (f"{one.field}: {one.message.en}" for one in refused.details)
            raise CallRefusedError(invalid_params(" ".join(reasons))) from None
        return msgspec.convert(values, self.prompt.takes, strict=True)

    def script(self, wanted: AboutDebtor, shown: list[Contents]) -> Script:
        """The data first, each in a block of its own; then what to do with them."""
        language = wanted.language
        uris = ", ".join(one.uri for one in shown)
        parts = (
            self.prompt.write(wanted).in_language(language),
            DATA.in_language(language).format(uris=uris),
            RULE.in_language(language),
        )
        text = {"type": "text", "text": "\n\n".join(parts)}
        blocks = (*map(_block, shown), text)
        return Script(
            description=self.prompt.description,
            messages=tuple({"role": "user", "content": block} for block in blocks),
        )


def _addresses_of(
    prompt: Prompt, catalogue: V1Catalogue, addresses: Addresses
) -> Iterable[Address]:
    absent = sorted(name for name in prompt.needs if catalogue.find(name) is None)
    if absent:
        raise DeclarationError(
            f"{prompt.name}: needs {name}, which is not there" for name in absent
        )
    for name in prompt.shows:
        address = addresses.of(name)
        if address is None:
            raise DeclarationError([f"{prompt.name}: {name} has no address"])
        yield address


def _block(contents: Contents) -> dict[str, object]:
    # Clients put the text between marks of their own, most of them tags: JSON has a spelling of
    # these signs in which no value can end what it stands in.
    text = (contents.text or "").replace("<", "\\u003c").replace(">", "\\u003e")
    resource = {"uri": contents.uri, "mimeType": contents.mime_type, "text": text}
    return {"type": "resource", "resource": resource}
