"""What the protocol engine promises of resources, prompts, completions, and results of blocks."""

from tests.protocol.requirements import Requirement

NAMES_REQUIREMENTS = (
    Requirement(
        "names.lists",
        "resources, templates and prompts are listed as tools are: what this caller may use at "
        "this address, in stable order, on one page, remembered by surface.",
        "protocol §4; spec server/utilities/pagination",
    ),
    Requirement(
        "names.quota",
        "Each of these methods costs a read; an empty bucket is 429 and nothing is asked.",
        "protocol §2 step 10",
    ),
    Requirement(
        "names.accept",
        "A client that takes event streams alone gets 406 from each of them, and nothing runs.",
        "protocol §2 steps 6, 11",
    ),
    Requirement(
        "names.unavailable",
        "What depends on something that does not answer is 503 with Retry-After.",
        "protocol §3",
    ),
    Requirement(
        "names.scope",
        "A missing scope is HTTP 403 with all scopes in the challenge.",
        "protocol §4",
    ),
    Requirement(
        "names.failure",
        "An unforeseen exception is -32603 without any detail.",
        "protocol §3",
    ),
    Requirement(
        "names.cleaned",
        "Definitions, texts, messages, suggested values and what refusals carry are cleaned.",
        "protocol §6",
    ),
    Requirement(
        "read.contents",
        "A document is its text, or its bytes in base64, with its address and media type.",
        "spec server/resources, Resource Contents",
    ),
    Requirement(
        "read.unknown",
        "Unknown, foreign and hidden addresses are Resource not found with data.uri as sent: "
        "-32602 and 400 modern, -32002 and 200 legacy.",
        "protocol §6; spec server/resources, Error Handling",
    ),
    Requirement("read.shape", "uri must be a string: -32602.", "protocol §3"),
    Requirement(
        "names.rounds",
        "resources/read and prompts/get may ask first; the state counts for that method and that "
        "name alone, and a legacy client is never asked.",
        "protocol §7; spec basic/patterns/mrtr",
    ),
    Requirement(
        "prompt.filled",
        "A script comes filled in with its arguments; absent and null ones are none.",
        "protocol §6; spec server/prompts",
    ),
    Requirement(
        "prompt.unknown",
        "An unknown prompt, or one that is not for this caller: -32602.",
        "protocol §6",
    ),
    Requirement(
        "prompt.arguments",
        "Arguments that are no object, and those that the script refuses: -32602 naming them.",
        "protocol §6",
    ),
    Requirement(
        "complete.values",
        "At most 100 values, hasMore where there are more, total only where it is known.",
        "spec server/utilities/completion",
    ),
    Requirement(
        "complete.reference",
        "ref/prompt by name or ref/resource by uri; an unknown one is -32602.",
        "protocol §6",
    ),
    Requirement(
        "complete.context",
        "Arguments that are filled in already reach the completer; what is no text does not.",
        "spec server/utilities/completion, Context",
    ),
    Requirement(
        "complete.shape",
        "ref and argument of the wrong shape: -32602 naming the member.",
        "protocol §6",
    ),
    Requirement(
        "blocks.content",
        "A tool may give content blocks of any kind.",
        "spec server/tools, Tool Result",
    ),
    Requirement(
        "blocks.structured",
        "structuredContent goes with them from 2025-06-18 on, and never with isError.",
        "protocol §5",
    ),
    Requirement(
        "blocks.links",
        "Links to resources are left out before 2025-06-18.",
        "protocol §6",
    ),
)
