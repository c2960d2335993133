"""Which method exists in which revision, and what answers it."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from application.mcp import handshake, tools
from application.mcp.exchange import Handler, Services
from application.mcp.ports import CallerT
from application.mcp.revisions import LEGACY, MODERN, REVISIONS


class Method(NamedTuple):
    """A method of one revision.

    It exists where `feature` is among a server's capabilities; None belongs to every server.
    """

    feature: str | None
    bind: Callable[[Services[Any], str], Handler[Any]]


def _in(revisions: frozenset[str], name: str, method: Method) -> dict[tuple[str, str], Method]:
    return {(name, revision): method for revision in revisions}


_EVERY: Final = frozenset(REVISIONS)

METHODS: Final[Mapping[tuple[str, str], Method]] = {
    **_in(MODERN, "server/discover", Method(None, handshake.discover)),
    **_in(LEGACY, "initialize", Method(None, handshake.initialize)),
    **_in(LEGACY, "ping", Method(None, handshake.ping)),
    **_in(_EVERY, "tools/list", Method("tools", tools.list_tools)),
    **_in(_EVERY, "tools/call", Method("tools", tools.call_tool)),
}


def bind_methods(services: Services[CallerT]) -> dict[tuple[str, str], Handler[CallerT]]:
    """The handlers of one server: revisions that it speaks, features that are on.

    Raises:
        ValueError: a capability is declared that no method stands for.
    """
    profile = services.profile
    known = {method.feature for method in METHODS.values()}
    for capabilities in (profile.modern_capabilities, profile.legacy_capabilities):
        if not known.issuperset(capabilities):
            raise ValueError("capabilities: only features that the engine has")
    return {
        (name, revision): method.bind(services, revision)
        for (name, revision), method in METHODS.items()
        if revision in profile.spoken
        and (method.feature is None or method.feature in profile.capabilities(REVISIONS[revision]))
    }
