"""What a client can be asked for, and whether it has said that it can."""

from collections.abc import Mapping
from typing import Any, Final, Literal, Protocol

import msgspec

Ability = Literal["form", "url", "sampling", "roots"]

_MODES: Final[tuple[Ability, ...]] = ("form", "url")


class InputRequest(Protocol):
    """One thing to ask a client for."""

    @property
    def needs(self) -> Ability:
        """What the client must have declared."""
        ...

    def wire(self) -> Mapping[str, object]:
        """The request as it is sent."""
        ...


class FormRequest(msgspec.Struct, frozen=True):
    """A form for the person: `properties` are flat primitive JSON Schemas (client/elicitation)."""

    message: str
    properties: Mapping[str, Mapping[str, object]]
    required: tuple[str, ...] = ()

    @property
    def needs(self) -> Ability:
        """Forms."""
        return "form"

    def wire(self) -> Mapping[str, object]:
        """An `elicitation/create` in form mode."""
        schema = {
            "type": "object",
            "properties": self.properties,
            "required": self.required,
        }
        params = {"mode": "form", "message": self.message, "requestedSchema": schema}
        return {"method": "elicitation/create", "params": params}


class UrlRequest(msgspec.Struct, frozen=True):
    """A page for the person to open; nothing of what they do there passes through the client."""

    message: str
    url: str

    @property
    def needs(self) -> Ability:
        """Addresses."""
        return "url"

    def wire(self) -> Mapping[str, object]:
        """An `elicitation/create` in URL mode."""
        params = {"mode": "url", "message": self.message, "url": self.url}
        return {"method": "elicitation/create", "params": params}


class SamplingRequest(msgspec.Struct, frozen=True):
    """A message for the client's model to write; `params` are those of `sampling/createMessage`."""

    params: Mapping[str, object]

    @property
    def needs(self) -> Ability:
        """Sampling."""
        return "sampling"

    def wire(self) -> Mapping[str, object]:
        """A `sampling/createMessage`."""
        return {"method": "sampling/createMessage", "params": self.params}


class RootsRequest(msgspec.Struct, frozen=True):
    """The folders that the client works in."""

    @property
    def needs(self) -> Ability:
        """Roots."""
        return "roots"

    def wire(self) -> Mapping[str, object]:
        """A `roots/list`."""
        return {"method": "roots/list"}


def abilities_of(capabilities: Mapping[str, Any]) -> frozenset[Ability]:
    """What a client has declared; members of the wrong type count as absent.

    `elicitation` without a mode means forms (client/elicitation, Capabilities); one whose modes
    cannot be read means nothing.
    """
    declared: dict[Ability, object] = {
        "sampling": capabilities.get("sampling"),
        "roots": capabilities.get("roots"),
    }
    elicitation = capabilities.get("elicitation")
    if isinstance(elicitation, dict):
        modes = {mode: elicitation.get(mode) for mode in _MODES}
        if all(mode is None for mode in modes.values()):
            modes["form"] = {}
        declared |= modes
    return frozenset(name for name, member in declared.items() if isinstance(member, dict))


def capabilities_for(needed: frozenset[Ability]) -> Mapping[str, object]:
    """The capabilities that a client has to declare before it can be asked for `needed`."""
    wanted: dict[str, object] = {name: {} for name in sorted(needed.difference(_MODES))}
    modes: dict[str, object] = {mode: {} for mode in _MODES if mode in needed}
    return {"elicitation": modes, **wanted} if modes else wanted
