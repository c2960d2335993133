"""What tells one server of the engine from another: plain data, never a branch."""

from collections.abc import Mapping
from dataclasses import dataclass

from application.mcp.errors import HEADER_MISMATCH, INVALID_PARAMS, RpcError, echo
from application.mcp.revisions import LEGACY, MODERN, Era


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerProfile:
    """One server.

    `modern` and `legacy` are the revisions it speaks, newest first; `discovered` those that
    `server/discover` lists; `initialize_default` what `initialize` settles on when it cannot give
    what was asked. The capabilities of an era name the features that are on in it.
    `streams`: requests may be answered by several messages, and `subscriptions/listen` exists.
    `strict_mcp_name` demands `Mcp-Name` on `prompts/get` and `resources/read` too.
    `unknown_tool` takes `{name}`, `header_mismatch` takes `{reason}`.
    """

    server_info: Mapping[str, object]
    instructions: str
    modern: tuple[str, ...]
    legacy: tuple[str, ...]
    discovered: tuple[str, ...]
    initialize_default: str
    modern_capabilities: Mapping[str, object]
    legacy_capabilities: Mapping[str, object]
    streams: bool = False
    strict_mcp_name: bool = False
    unknown_tool: str = "Unknown tool: {name}"
    header_mismatch: str = "Header mismatch: {reason}"

    def __post_init__(self) -> None:
        """Refuse what no server can be, as ValueError at start-up."""
        if not self.modern or not MODERN.issuperset(self.modern):
            raise ValueError("modern: revisions of the modern era")
        if not LEGACY.issuperset(self.legacy):
            raise ValueError("legacy: revisions of the legacy era")
        if self.initialize_default not in self.legacy:
            raise ValueError("initialize_default: one of legacy")
        if not set(self.discovered) <= set(self.spoken):
            raise ValueError("discovered: revisions that are spoken")

    @property
    def spoken(self) -> tuple[str, ...]:
        """Every revision it speaks, modern first."""
        return self.modern + self.legacy

    @property
    def newest(self) -> str:
        """The revision that answers name before one is settled."""
        return self.modern[0]

    def capabilities(self, era: Era) -> Mapping[str, object]:
        """What it offers to clients of `era`."""
        return self.modern_capabilities if era == "modern" else self.legacy_capabilities

    def settled(self, asked: object) -> str:
        """The revision that `initialize` answers to a client that asks for `asked`."""
        return next((known for known in self.legacy if known == asked), self.initialize_default)

    def unknown_tool_error(self, name: str) -> RpcError:
        """The answer to a tool that this caller has not."""
        return RpcError(INVALID_PARAMS, self.unknown_tool.format(name=echo(name)))

    def mismatch_error(self, header: str | None, reason: str) -> RpcError:
        """Headers and body that disagree; `header` is the value as sent, None for a missing one."""
        shown = "(missing)" if header is None else header
        return RpcError(
            HEADER_MISMATCH,
            self.header_mismatch.format(reason=reason),
            {"mismatch": {"header": shown, "body": reason}},
        )
