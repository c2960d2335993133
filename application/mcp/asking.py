"""What a method comes to that has to be told something first."""

from application.mcp.cleaning import clean
from application.mcp.errors import missing_capability
from application.mcp.inputs import capabilities_for
from application.mcp.outcomes import Complete, Outcome, Refused
from application.mcp.results import Decoration, encode
from application.mcp.rounds import NeedsInput, Rounds


def asked(needed: NeedsInput, rounds: Rounds, decoration: Decoration) -> Outcome:
    """The requests that the client can be sent, with the sealed state; an error if it can none."""
    abilities = rounds.abilities
    requests = {
        key: request.wire()
        for key, request in needed.requests.items()
        if request.needs in abilities
    }
    if not rounds.are_possible or (needed.requests and not requests):
        wanted = frozenset(request.needs for request in needed.requests.values())
        return Refused(missing_capability(capabilities_for(wanted)))
    members: dict[str, object] = {"inputRequests": requests} if requests else {}
    result = encode({**members, "requestState": rounds.sealed(needed, requests)})
    return Complete((clean(result[:-1].decode()).encode(), decoration.asking, b"}"))
