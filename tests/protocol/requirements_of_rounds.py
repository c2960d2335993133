"""What the protocol engine promises of multi-round requests."""

from tests.protocol.requirements import Requirement

ROUNDS_REQUIREMENTS = (
    Requirement(
        "rounds.asked",
        "A tool that has to be told something answers input_required: requests by key, a state, "
        "resultType and serverInfo, never ttlMs or cacheScope.",
        "protocol §7; spec basic/patterns/mrtr, InputRequiredResult",
        "modern",
    ),
    Requirement(
        "rounds.requests",
        "What is asked for is an elicitation, a sampling or a roots request, under a key of its "
        "own.",
        "spec basic/patterns/mrtr, Server Requirements 2; client/elicitation, Protocol Messages",
        "modern",
    ),
    Requirement(
        "rounds.declared",
        "Nothing is asked for that the client of this request has not declared.",
        "protocol §7; spec basic/patterns/mrtr, Server Requirements 7",
        "modern",
    ),
    Requirement(
        "rounds.undeclared",
        "With nothing left to ask for: 400 -32021 with data.requiredCapabilities, an object of "
        "objects.",
        "protocol §7; spec basic, Capabilities",
        "modern",
    ),
    Requirement(
        "rounds.modes",
        "elicitation without a mode means forms; a mode that is not declared is not sent.",
        "protocol §7; spec client/elicitation, Capabilities",
        "modern",
    ),
    Requirement(
        "rounds.state-alone",
        "A state may come without requests, and the client retries with nothing but it.",
        "spec basic/patterns/mrtr, Server Requirements 6, Client Requirements 1",
        "modern",
    ),
    Requirement(
        "rounds.legacy",
        "A legacy client is never sent input_required: a tool that has to ask is -32021 with HTTP "
        "200, and inputResponses and requestState mean nothing.",
        "protocol §3, §7",
        "legacy",
    ),
    Requirement(
        "rounds.stateless",
        "A retry needs nothing but itself: any replica that has the key goes on with it.",
        "protocol §7; spec basic/patterns/mrtr, Basic Workflow",
        "modern",
    ),
    Requirement(
        "rounds.repeated",
        "A tool may ask in many rounds, each with an id of its own, all with the chain's.",
        "protocol §7; spec basic/patterns/mrtr, Server Requirements 8, Client Requirements 3",
        "modern",
    ),
    Requirement(
        "rounds.answers",
        "Answers reach the tool under the keys that were asked; missing ones and what is no object "
        "are asked for again, other keys are ignored.",
        "protocol §7; spec basic/patterns/mrtr, Error Handling",
        "modern",
    ),
    Requirement(
        "rounds.answers-alone",
        "Answers without a state are answers to nothing.",
        "protocol §7",
        "modern",
    ),
    Requirement(
        "rounds.shape",
        "inputResponses no object, requestState no string: 400 -32602; null is absent.",
        "protocol §7; spec basic/patterns/mrtr, Error Handling",
        "modern",
    ),
    Requirement(
        "rounds.state-sealed",
        "A state is nobody's to read or to make: any other text, also one sealed for another "
        "purpose or by another key, is 400 -32602 and nothing runs.",
        "protocol §7; spec basic/patterns/mrtr, Server Requirements 4",
        "modern",
    ),
    Requirement(
        "rounds.state-bound",
        "A state counts for the same organisation, person, client, server, method, tool and "
        "arguments alone: else 400 -32602 and nothing runs.",
        "protocol §7; spec basic/patterns/mrtr, Server Requirements 5; client/elicitation, "
        "Security Considerations 1",
        "modern",
    ),
    Requirement(
        "rounds.state-expires",
        "Ten minutes after it was sent a genuine state is over: its answers count for nothing, and "
        "the tool may ask anew.",
        "protocol §7; spec basic/patterns/mrtr, Server Requirements 5",
        "modern",
    ),
    Requirement(
        "rounds.state-silent",
        "Errors say the same of every wrong state, and nothing of what it holds.",
        "protocol §7, §9",
        "modern",
    ),
)
