"""Era, headers and version of a request: rungs in one order, the first that fails answers."""

from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec

from application.mcp import headers
from application.mcp.envelope import CAPABILITIES_KEY, CLIENT_KEY, VERSION_KEY, Message
from application.mcp.errors import (
    METHOD_NOT_FOUND,
    UNSUPPORTED_VERSION,
    RpcError,
    echo,
    invalid_params,
    status_from_method,
    status_of_malformed,
)
from application.mcp.headers import Routing
from application.mcp.profile import ServerProfile
from application.mcp.revisions import REVISIONS, WITHOUT_HEADER

_NAMED_BY: Final[Mapping[str, str]] = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
}
_NOUN: Final[Mapping[str, str]] = {headers.VERSION: "version", headers.METHOD: "method"}
_ALWAYS_NAMED: Final = "tools/call"


class Route(msgspec.Struct, frozen=True):
    """Where a request goes."""

    method: str
    revision: str


class Refusal(msgspec.Struct, frozen=True):
    """A request that goes nowhere; `revision` is what the answer names as its version."""

    error: RpcError
    status: int
    revision: str


class Ladder:
    """The checks that a request passes before its method is looked at; no state, no effects."""

    def __init__(self, profile: ServerProfile, methods: Collection[tuple[str, str]]) -> None:
        self._profile = profile
        self._methods = frozenset(methods)
        self._modern_methods = frozenset(
            method for method, revision in methods if REVISIONS[revision] == "modern"
        )

    def climb(self, message: Message, routing: Routing) -> Route | Refusal:
        """The method and revision of a request, or the first thing wrong with it."""
        meta = message.params.get("_meta")
        if meta is None:
            return self._legacy(message, routing)
        if not isinstance(meta, dict):
            return self._refuse(invalid_params("_meta must be an object"))
        if VERSION_KEY in meta:
            return self._modern(message, meta, routing)
        return self._legacy(message, routing)

    def refuse_notification(self, routing: Routing) -> Refusal | None:
        """A notification says nothing that could be wrong, but for a version nobody speaks."""
        if routing.version is None or routing.version in self._profile.spoken:
            return None
        return self._refuse(self._unsupported(routing.version))

    def _modern(self, message: Message, meta: dict[str, Any], routing: Routing) -> Route | Refusal:
        error = (
            _envelope_error(meta)
            or self._header_error(message, meta[VERSION_KEY], routing)
            or self._version_error(meta[VERSION_KEY])
        )
        if error is not None:
            return self._refuse(error)
        return self._route(message.method, meta[VERSION_KEY])

    def _header_error(self, message: Message, version: str, routing: Routing) -> RpcError | None:
        if not routing.are_headers:
            return None
        return (
            self._repetition_error(routing)
            or self._plain_error(headers.VERSION, routing.version, version)
            or self._plain_error(headers.METHOD, routing.method, message.method)
            or self._name_error(message, routing)
        )

    def _legacy(self, message: Message, routing: Routing) -> Route | Refusal:
        if routing.version in self._profile.modern:
            return self._refuse(invalid_params(f"_meta lacks {VERSION_KEY}"))
        if message.method == "initialize":
            revision = self._profile.settled(message.params.get("protocolVersion"))
        else:
            revision = WITHOUT_HEADER if routing.version is None else routing.version
        if revision not in self._profile.legacy:
            return self._refuse(self._unsupported(revision))
        return self._route(message.method, revision)

    def _route(self, method: str, revision: str) -> Route | Refusal:
        if (method, revision) in self._methods:
            return Route(method, revision)
        error = RpcError(METHOD_NOT_FOUND, "Method not found")
        return Refusal(error, status_from_method(error, REVISIONS[revision]), revision)

    def _refuse(self, error: RpcError) -> Refusal:
        return Refusal(error, status_of_malformed(error), self._profile.newest)

    def _repetition_error(self, routing: Routing) -> RpcError | None:
        if routing.repeated is None:
            return None
        reason = f"the {routing.repeated} header was sent twice"
        return self._profile.mismatch_error(routing.value_of(routing.repeated), reason)

    def _plain_error(self, header: str, sent: str | None, said: str) -> RpcError | None:
        if sent == said and headers.is_plain(sent):
            return None
        return self._disagreement(header, sent, f"{_NOUN[header]} {echo(said)}")

    def _name_error(self, message: Message, routing: Routing) -> RpcError | None:
        member = _NAMED_BY.get(message.method)
        if member is None or message.method not in self._modern_methods:
            return None
        name = message.params.get(member)
        if not isinstance(name, str):
            return invalid_params(f"{member} must be a string")
        demanded = self._profile.strict_mcp_name or message.method == _ALWAYS_NAMED
        if routing.name is None and not demanded:
            return None
        if routing.name is not None and headers.decoded(routing.name) == name:
            return None
        return self._disagreement(headers.NAME, routing.name, f"{member} {echo(name)}")

    def _disagreement(self, header: str, sent: str | None, said: str) -> RpcError:
        trouble = f"the required {header} header is absent"
        if sent is not None:
            trouble = f"the {header} header says something else"
        return self._profile.mismatch_error(sent, f"the body names {said} but {trouble}")

    def _version_error(self, version: str) -> RpcError | None:
        return None if version in self._profile.modern else self._unsupported(version)

    def _unsupported(self, requested: str) -> RpcError:
        data = {"supported": self._profile.spoken, "requested": echo(requested)}
        return RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _envelope_error(meta: Mapping[str, Any]) -> RpcError | None:
    if not isinstance(meta[VERSION_KEY], str):
        return invalid_params(f"{VERSION_KEY} must be a string")
    if not isinstance(meta.get(CAPABILITIES_KEY), dict):
        return invalid_params(f"{CAPABILITIES_KEY} must be an object")
    if CLIENT_KEY not in meta:
        return None
    client = meta[CLIENT_KEY]
    if (
        isinstance(client, dict)
        and isinstance(client.get("name"), str)
        and isinstance(client.get("version"), str)
    ):
        return None
    return invalid_params(f"{CLIENT_KEY} must be an object with name and version")
