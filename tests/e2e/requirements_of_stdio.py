"""What is promised to a client that speaks in lines."""

from tests.protocol.requirements import Requirement

STDIO_REQUIREMENTS = (
    Requirement(
        "stdio.version",
        "The envelope's version, else the one settled by initialize, else the profile's default.",
        "protocol §8",
    ),
    Requirement("stdio.headers", "No header is asked for, no Mcp-Param either.", "protocol §8"),
    Requirement(
        "stdio.scope", "A missing scope is a tool's SCOPE_MISSING, else -32602.", "protocol §8"
    ),
    Requirement(
        "stdio.limit", "An empty bucket is a tool's RATE_LIMITED, else an error.", "protocol §8"
    ),
    Requirement(
        "stdio.lines",
        "A line is one message; a bad one is -32700 or -32600 and the next is read; nothing but "
        "messages is written, each in one line.",
        "protocol §8; spec basic/transports/stdio",
    ),
    Requirement(
        "stdio.size",
        "Of a line beyond 2,097,152 bytes nothing more is kept: -32600, and the next is read.",
        "protocol §8",
    ),
    Requirement(
        "stdio.at-once",
        "Requests run at once, 16 at most, and are answered in any order; no id twice at once.",
        "protocol §8",
    ),
    Requirement(
        "stdio.cancel",
        "notifications/cancelled stops its request, by id with its type: undone, not answered.",
        "protocol §8; spec basic/patterns/cancellation",
    ),
    Requirement(
        "stdio.token",
        "The token of the environment counts as over HTTP, anew for each request.",
        "protocol §8",
    ),
    Requirement(
        "stdio.keys",
        "Addresses that it gives open on the pages of the web processes: it has their keys.",
        "protocol §7",
    ),
    Requirement(
        "stdio.end",
        "At the end of its input what was begun is answered; SIGTERM ends it at once; both with 0.",
        "protocol §8",
    ),
)
