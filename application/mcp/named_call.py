"""What `tools/call` and `prompts/get` have in common: a name, and arguments for it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from application.mcp.errors import invalid_params
from application.mcp.outcomes import Refused


class NamedCall(msgspec.Struct, frozen=True):
    """The thing that a request names, and the arguments for it."""

    name: str
    arguments: dict[str, Any]


def read_named_call(params: Mapping[str, Any]) -> NamedCall | Refused:
    """Read both; absent arguments are empty."""
    name = params.get("name")
    if not isinstance(name, str):
        return Refused(invalid_params("name must be a string"))
    arguments = params.get("arguments")
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        return Refused(invalid_params("arguments must be an object"))
    return NamedCall(name, arguments)
