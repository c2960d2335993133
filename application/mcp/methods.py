"""Which method exists in which revision, and what answers it."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from application.mcp import (
    completions,
    handshake,
    listens,
    lists,
    prompts,
    resources,
    tools,
)
from application.mcp.exchange import Handler, Services
from application.mcp.ports import CallerT
from application.mcp.revisions import LEGACY, MODERN, REVISIONS


class Method(NamedTuple):
    """A method of one revision.

    It exists where `feature` is among a server's capabilities, or is a member of one that is on,
    such as `resources.subscribe`; None belongs to every server. `streams`: to those that stream.
    """

    feature: str | None
    bind: Callable[[Services[Any], str], Handler[Any]]
    streams: bool = False


def _in(revisions: frozenset[str], name: str, method: Method) -> dict[tuple[str, str], Method]:
    return {(name, revision): method for revision in revisions}


_EVERY: Final = frozenset(REVISIONS)

METHODS: Final[Mapping[tuple[str, str], Method]] = {
    **_in(MODERN, "server/discover", Method(None, handshake.discover)),
    **_in(LEGACY, "initialize", Method(None, handshake.initialize)),
    **_in(LEGACY, "ping", Method(None, handshake.ping)),
    **_in(_EVERY, "tools/list", Method("tools", lists.list_tools)),
    **_in(_EVERY, "tools/call", Method("tools", tools.call_tool)),
    **_in(_EVERY, "resources/list", Method("resources", lists.list_resources)),
    **_in(_EVERY, "resources/templates/list", Method("resources", lists.list_templates)),
    **_in(_EVERY, "resources/read", Method("resources", resources.read_resource)),
    **_in(_EVERY, "prompts/list", Method("prompts", lists.list_prompts)),
    **_in(_EVERY, "prompts/get", Method("prompts", prompts.get_prompt)),
    **_in(_EVERY, "completion/complete", Method("completions", completions.complete)),
    **_in(MODERN, "subscriptions/listen", Method(None, listens.listen, streams=True)),
    **_in(LEGACY, "logging/setLevel", Method("logging", handshake.acknowledge)),
    **_in(LEGACY, "resources/subscribe", Method("resources.subscribe", handshake.acknowledge)),
    **_in(LEGACY, "resources/unsubscribe", Method("resources.subscribe", handshake.acknowledge)),
}

STREAMS: Final = frozenset(name for (name, _), method in METHODS.items() if method.streams)
"""Methods whose every answer is a stream."""


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
        and (profile.streams or not method.streams)
        and _is_on(method.feature, profile.capabilities(REVISIONS[revision]))
    }


def _is_on(feature: str | None, capabilities: Mapping[str, Any]) -> bool:
    if feature is None:
        return True
    name, _, member = feature.partition(".")
    return name in capabilities and (not member or capabilities[name].get(member) is True)
