"""The part of the catalogue that the query of an endpoint address asks for."""

from typing import Final
from urllib.parse import parse_qsl

from application.mcp.errors import RpcError, invalid_params
from domain.access.policy import EVERYTHING, Selection

_SWITCH: Final = {"true": True, "false": False}


def read_selection(query: str, known: frozenset[str]) -> Selection | RpcError:
    """Read `toolsets` and `readonly`; other keys are somebody else's.

    Repeated `toolsets` are joined and an empty one means all; `readonly` given twice holds when
    either does.
    """
    if not query:
        return EVERYTHING
    toolsets: set[str] = set()
    read_only = False
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key == "toolsets":
            toolsets.update(name.strip() for name in value.split(",") if name.strip())
        elif key == "readonly":
            if value not in _SWITCH:
                return invalid_params("readonly must be true or false")
            read_only = read_only or _SWITCH[value]
    if not toolsets <= known:
        return invalid_params("unknown toolset", {"known": sorted(known)})
    return Selection(frozenset(toolsets), read_only)
