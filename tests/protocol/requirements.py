"""What the protocol engine promises: each sentence has a test, and each wire test names a sentence.

`protocol` is the wire contract by section and step, `spec` a page of the MCP specification.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

Revisions = Literal["every", "modern", "legacy", "2025-03-26"]
Test = TypeVar("Test", bound=Callable[..., object])


@dataclass(frozen=True)
class Requirement:
    """One promise, where it is written, and in which revisions it holds."""

    id: str
    sentence: str
    source: str
    revisions: Revisions = "every"


def proves(*_ids: str) -> Callable[[Test], Test]:
    """Say which requirements a test stands for; read from the source by the manifest's own test."""
    return lambda test: test


REQUIREMENTS = (
    # Messages
    Requirement(
        "json.refused",
        "Not UTF-8, undecodable, duplicate keys, NaN or Infinity, nesting above 64: 400 -32700.",
        "protocol §2 step 7",
    ),
    Requirement(
        "json.batch", "An array is refused with 400 -32600 in every era.", "protocol §2 step 7"
    ),
    Requirement(
        "json.envelope",
        "Not an object, jsonrpc other than 2.0, method missing or no string, params neither object "
        "nor null, a response: 400 -32600.",
        "protocol §2 step 7",
    ),
    Requirement(
        "json.id",
        "An id that is null, boolean, no integer literal, beyond 2^53-1 or longer than 256 "
        "characters is refused with 400 -32600.",
        "protocol §2 step 7",
    ),
    Requirement(
        "json.id-unknown",
        "Errors before the id is known have no id in the modern era, id null otherwise.",
        "protocol §2",
    ),
    Requirement(
        "id.echo", "Ids come back with type and value, on results and errors.", "protocol §2"
    ),
    Requirement(
        "notification.accepted",
        "A message without id is answered 202 without body; nothing is executed.",
        "protocol §2 step 8",
    ),
    Requirement(
        "notification.version",
        "A notification whose version header is not spoken: 400 -32022.",
        "protocol §2 step 8",
    ),
    # Order
    Requirement("order.modern", "The first failure answers.", "protocol §2, §3", "modern"),
    Requirement("order.legacy", "The first failure answers.", "protocol §2, §3", "legacy"),
    Requirement(
        "version.header",
        "Every answer from step 9 on carries MCP-Protocol-Version: the one in use, the newest on "
        "errors of era and version.",
        "protocol §2",
    ),
    Requirement(
        "session.ignored",
        "Mcp-Session-Id and Last-Event-ID are ignored and never sent.",
        "protocol §2",
    ),
    Requirement(
        "accept",
        "A client that takes event streams alone gets 406 from a method that answers JSON.",
        "protocol §2 steps 6, 11",
    ),
    # Era
    Requirement(
        "era.envelope",
        "The protocolVersion key in _meta makes a request modern, whatever its value.",
        "protocol §3",
    ),
    Requirement(
        "era.envelope-shape",
        "_meta no object, version no string, clientCapabilities missing or no object, clientInfo "
        "odd: 400 -32602 naming the key.",
        "protocol §3 (1)",
        "modern",
    ),
    Requirement(
        "era.routing-twice",
        "A routing header sent twice: 400 -32020.",
        "protocol §3 (2)",
        "modern",
    ),
    Requirement(
        "era.version-agrees",
        "Version header absent or other than the envelope: 400 -32020.",
        "protocol §3 (3)",
        "modern",
    ),
    Requirement(
        "era.method-agrees",
        "Mcp-Method absent or other than the method: 400 -32020.",
        "protocol §3 (4)",
        "modern",
    ),
    Requirement(
        "era.name-agrees",
        "Mcp-Name must equal the name on tools/call; wrong is -32020.",
        "protocol §3 (5)",
        "modern",
    ),
    Requirement(
        "era.name-encoded",
        "Mcp-Name may be canonical Base64 of UTF-8 between =?base64? and ?=.",
        "protocol §3",
        "modern",
    ),
    Requirement(
        "era.version-spoken",
        "A version not spoken, or a legacy one in the envelope: 400 -32022 with supported and "
        "requested.",
        "protocol §3 (6)",
        "modern",
    ),
    Requirement(
        "era.method-unknown",
        "An unknown method, or one of the other era: 404 -32601 modern, 200 legacy.",
        "protocol §3 (7)",
    ),
    Requirement(
        "era.capabilities-odd",
        "Odd members inside clientCapabilities count as absent.",
        "protocol §3",
        "modern",
    ),
    Requirement(
        "era.mismatch-data",
        "-32020 executes nothing and tells the header as sent, or (missing), and the reason.",
        "protocol §3",
        "modern",
    ),
    Requirement(
        "era.no-downgrade",
        "A modern version header without envelope: 400 -32602, initialize too.",
        "protocol §3",
    ),
    Requirement(
        "era.initialize",
        "initialize settles on what was asked if spoken and legacy, else on the default.",
        "protocol §3",
        "legacy",
    ),
    Requirement(
        "era.legacy-version",
        "No header: 2025-03-26; a spoken legacy one: that, without initialize; else 400 -32022.",
        "protocol §3",
        "legacy",
    ),
    Requirement(
        "era.legacy-headers",
        "In the legacy era Mcp-* headers are ignored.",
        "protocol §3",
        "legacy",
    ),
    Requirement(
        "era.header-values",
        "Values are compared case-sensitively after trimming blanks, names in any case; characters "
        "outside 0x20-0x7E and tab are -32020.",
        "protocol §3",
        "modern",
    ),
    # Mirrored parameters
    Requirement(
        "param.agrees",
        "Mcp-Param-* of declared arguments must agree with them; null or absent means no header.",
        "protocol §3",
        "modern",
    ),
    Requirement(
        "param.declared",
        "Declarations are checked at start-up.",
        "protocol §3; spec streamable-http, Custom Headers",
    ),
    # Results
    Requirement(
        "result.modern",
        "Modern results carry resultType and serverInfo; discover and lists ttlMs 0 and "
        "cacheScope private.",
        "protocol §3",
        "modern",
    ),
    Requirement("result.legacy", "Legacy results carry none of these.", "protocol §3", "legacy"),
    Requirement(
        "result.unstructured",
        "2025-03-26 has neither outputSchema nor structuredContent.",
        "protocol §5",
        "2025-03-26",
    ),
    Requirement(
        "discover",
        "server/discover tells versions, capabilities and instructions.",
        "protocol §1",
        "modern",
    ),
    Requirement(
        "initialize",
        "initialize tells capabilities, server info and instructions.",
        "protocol §1",
        "legacy",
    ),
    Requirement("ping", "ping is answered by an empty result.", "protocol §3", "legacy"),
    Requirement(
        "features.off",
        "Methods of features that are off are unknown methods.",
        "protocol §1",
    ),
    # Lists
    Requirement(
        "list.filtered",
        "tools/list shows what this caller may run, in stable order, on one page.",
        "protocol §4",
    ),
    Requirement("list.cursor", "Any cursor is -32602.", "protocol §4"),
    Requirement(
        "list.surface",
        "Lists are remembered per surface: callers with equal rights and other names never see "
        "each other's bytes.",
        "architecture, The one idea",
    ),
    Requirement(
        "select.query",
        "toolsets and readonly of the address narrow lists and calls; repeated parameters are "
        "joined, empty means all, other keys are ignored.",
        "protocol §4",
    ),
    Requirement(
        "select.unknown",
        "Unknown toolsets are 400 -32602 with id and data.known in both eras, on every method.",
        "protocol §4",
    ),
    # Calls
    Requirement(
        "call.arguments",
        "arguments absent or null are {}; otherwise not an object: -32602.",
        "protocol §6",
    ),
    Requirement(
        "call.text",
        "The result is the JSON of the answer, indented by two, as one text block.",
        "protocol §6",
    ),
    Requirement("call.empty", 'An empty answer becomes {"status": 204}.', "protocol §6"),
    Requirement(
        "call.refusal",
        "Errors the caller can act on are isError with code, message, details and request_id, in "
        "the caller's language.",
        "protocol §6",
    ),
    Requirement(
        "call.unknown",
        "A tool that is not for this caller is an unknown tool: -32602 in the server's words.",
        "protocol §1, §4",
    ),
    Requirement(
        "call.scope",
        "A missing scope is HTTP 403, code 403, Insufficient scope, with all scopes of the tool.",
        "protocol §3, §4",
    ),
    Requirement(
        "call.unavailable",
        "Overload is HTTP 503 with that number as code and Retry-After.",
        "protocol §3",
    ),
    Requirement(
        "call.failure",
        "An unforeseen exception is -32603 without any detail: 500 modern, 200 legacy.",
        "protocol §3",
    ),
    Requirement(
        "call.never-asks",
        "A method that never asks ignores inputResponses and requestState.",
        "protocol §1",
    ),
    Requirement(
        "call.bounded",
        "Strings over 8 kB are cut, then rows dropped with meta.truncated; text is at most 100 kB "
        "of valid JSON.",
        "protocol §6",
    ),
    Requirement(
        "text.cleaned",
        "Zero-width, bidi and tag characters, runs of variation selectors and fillers are taken "
        "out; joiners between letters, emoji families and right-to-left names survive.",
        "protocol §6",
    ),
    # Limits
    Requirement(
        "limit.spent",
        "An empty bucket is HTTP 429, code 429, Retry-After of at least 1, RateLimit and "
        "RateLimit-Policy.",
        "protocol §10",
    ),
    Requirement(
        "limit.outside",
        "discover, initialize and ping are outside the buckets; rejections before step 10 use no "
        "quota.",
        "protocol §2 step 10",
    ),
    Requirement(
        "language",
        "Refusals follow Accept-Language, default pt-BR.",
        "protocol §5; RFC 9110 §12.5.4",
    ),
    Requirement("engine.blind", "The engine knows nothing of the product.", "protocol §1"),
    Requirement(
        "engine.total", "No body makes the engine raise or answer outside JSON-RPC.", "protocol §2"
    ),
)
