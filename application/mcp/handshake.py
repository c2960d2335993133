"""How a client learns what a server is: `server/discover`, and `initialize` with `ping` before."""

from application.mcp.exchange import Exchange, Handler, Services
from application.mcp.outcomes import Complete, NotAcceptable, Outcome
from application.mcp.ports import CallerT
from application.mcp.results import decoration, encode


def discover(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """Revisions, capabilities and instructions, without a handshake."""
    profile = services.profile
    members = encode(
        {
            "supportedVersions": profile.discovered,
            "capabilities": profile.modern_capabilities,
            "instructions": profile.instructions,
        }
    )
    return _always(members[:-1] + decoration(profile, revision).cacheable + b"}")


def initialize(services: Services[CallerT], revision: str) -> Handler[CallerT]:
    """The answer of the handshake that settled on `revision`; nothing of it is kept."""
    profile = services.profile
    return _always(
        encode(
            {
                "protocolVersion": revision,
                "capabilities": profile.legacy_capabilities,
                "serverInfo": profile.server_info,
                "instructions": profile.instructions,
            }
        )
    )


def ping(_services: Services[CallerT], _revision: str) -> Handler[CallerT]:
    """A sign of life."""
    return _always(b"{}")


def acknowledge(_services: Services[CallerT], _revision: str) -> Handler[CallerT]:
    """A wish of older clients for messages to come; nothing is remembered from one to the next."""
    return _always(b"{}")


def _always(result: bytes) -> Handler[CallerT]:
    outcome = Complete((result,))

    async def answer(exchange: Exchange[CallerT]) -> Outcome:
        return outcome if exchange.context.takes_json else NotAcceptable()

    return answer
