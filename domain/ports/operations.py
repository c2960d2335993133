"""What an operation is, before a door gives it a shape."""

from dataclasses import dataclass
from typing import Literal

RateClass = Literal["read", "write", "destructive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationInfo:
    """The part of an operation that may be listed.

    `name` is the tool's; `path` is below `/v1`. `permission` None means that every member may.
    `scopes` are all needed at once. `idempotent` and `open_world` are hints to clients;
    `destructive` decides confirmation. `key_required`: the caller must send an idempotency key.
    `resource` is the address, below the root of all, under which MCP clients read what it gives.
    """

    name: str
    toolset: str
    title: str
    description: str
    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    permission: str | None
    scopes: frozenset[str]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False
    key_required: bool = False
    always_listed: bool = False
    resource: str | None = None

    @property
    def rate_class(self) -> RateClass:
        """The caller's bucket that a run takes from."""
        if self.destructive:
            return "destructive"
        return "read" if self.read_only else "write"
