"""What the protocol engine and the HTTP door promise of answers in several messages."""

from tests.protocol.requirements import Requirement

STREAMS_REQUIREMENTS = (
    Requirement(
        "stream.when",
        "A request is answered by a stream only if something was reported that it asked for; "
        "otherwise, and without streams in profile or Accept, by JSON.",
        "protocol §8",
    ),
    Requirement(
        "stream.progress",
        "Progress echoes the token with type and value, is strictly increasing, and ends with "
        "the response.",
        "protocol §8; spec basic/patterns/progress",
    ),
    Requirement(
        "stream.token",
        "A token is a string of at most 256 characters or an integer; anything else is none.",
        "protocol §8",
    ),
    Requirement(
        "stream.error",
        "An error after reports is the last message; a refusal before them is plain JSON.",
        "protocol §8",
    ),
    Requirement(
        "stream.notes",
        "notifications/message come from the level on that the request asks for, cleaned; in the "
        "legacy era from info on, where logging is declared.",
        "protocol §8",
    ),
    Requirement(
        "stream.version",
        "A stream carries MCP-Protocol-Version as any answer does.",
        "protocol §2",
    ),
    Requirement(
        "stream.cancelled",
        "When the client is gone, the work is cancelled and ended; nothing of it is left.",
        "protocol §8; spec basic/patterns/cancellation",
    ),
    Requirement(
        "stream.bounded",
        "A client that does not read holds a bounded number of messages, and gets its result.",
        "issue 5, Bad input",
    ),
    Requirement(
        "listen.acknowledged",
        "The first message of subscriptions/listen acknowledges the subset of what was asked that "
        "the server has declared.",
        "protocol §8; spec basic/patterns/subscriptions",
        "modern",
    ),
    Requirement(
        "listen.id",
        "Every message carries subscriptionId, the id of the request with its type.",
        "protocol §8; spec basic/patterns/subscriptions",
        "modern",
    ),
    Requirement(
        "listen.ends",
        "A listen ends with its complete result when the token does or the process is to stop.",
        "protocol §8",
        "modern",
    ),
    Requirement(
        "listen.caps",
        "Beyond 5 of one caller or 1,000 in all: 503 with Retry-After; the place is free again "
        "when the stream ends, however it does.",
        "protocol §8",
        "modern",
    ),
    Requirement(
        "listen.refused",
        "Without the feature it is an unknown method; notifications no object: -32602; a client "
        "that takes no event streams: 406.",
        "protocol §1, §2 step 11",
        "modern",
    ),
    Requirement(
        "sse.frames",
        "text/event-stream, no-store, X-Accel-Buffering: no; each message is one event message "
        "with one line of data.",
        "protocol §8",
    ),
    Requirement(
        "sse.comments",
        "A comment goes out after 15 seconds without a message.",
        "protocol §8",
    ),
    Requirement(
        "sse.cors", "A stream carries the headers that an accepted origin gets.", "protocol §2"
    ),
    Requirement(
        "sse.deadline",
        "Work behind a stream has the deadline of any request and ends with the 503 error; a "
        "listen has none.",
        "protocol §8, §10",
    ),
    Requirement(
        "sse.place",
        "Work behind a stream keeps its place among those in work; a listen takes none.",
        "protocol §8, §10",
    ),
    Requirement(
        "sse.gone",
        "A client that hangs up, or leaves what it is sent unread for long, ends its stream.",
        "protocol §8",
    ),
)
