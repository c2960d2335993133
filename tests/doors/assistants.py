"""Clients of each kind that a person may have: what they can be asked, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from application.confirmation.page import Shown
from domain.access.audit import Origin
from domain.access.confirmation import Verdict
from domain.access.principal import Principal
from tests.doors.house import MODERN, PUBLIC_URL, Caller, Door, House

LEGACY: Final = "2025-06-18"
FORM: Final[Mapping[str, Any]] = {"elicitation": {"form": {}}}
URL: Final[Mapping[str, Any]] = {"elicitation": {"url": {}}}
NOTHING: Final[Mapping[str, Any]] = {}

YES: Final = {"action": "accept", "content": {"confirm": True}}
OPENED: Final = {"action": "accept"}
DECLINED: Final = {"action": "decline"}
CANCELLED: Final = {"action": "cancel"}

_PAGE: Final = f"{PUBLIC_URL}/confirm/"


@dataclass(frozen=True, slots=True)
class Said:
    """What a client got: a document, a question, or an error of the protocol."""

    http_status: int
    message: dict[str, Any]

    @property
    def result(self) -> dict[str, Any]:
        found: dict[str, Any] = self.message.get("result", {})
        return found

    @property
    def asks(self) -> bool:
        return self.result.get("resultType") == "input_required"

    @property
    def question(self) -> dict[str, Any]:
        (request,) = self.result["inputRequests"].values()
        assert self.result["inputRequests"] == {"confirmation": request}
        assert request["method"] == "elicitation/create"
        params: dict[str, Any] = request["params"]
        return params

    @property
    def state(self) -> str:
        state: str = self.result["requestState"]
        return state

    @property
    def document(self) -> dict[str, Any]:
        (block,) = self.result["content"]
        read: dict[str, Any] = msgspec.json.decode(block["text"])
        return read

    @property
    def is_error(self) -> bool:
        return bool(self.result.get("isError", False))

    @property
    def code(self) -> str | int | None:
        """The code of a protocol error or of a refusal; None where there is neither."""
        error = self.message.get("error") or (self.is_error and self.document["error"])
        return error["code"] if error else None

    @property
    def address(self) -> str:
        """Where the person is sent."""
        if self.asks:
            url: str = self.question["url"]
            return url
        elsewhere: str = self.document["error"]["confirmation_url"]
        return elsewhere

    @property
    def status(self) -> str | None:
        """What became of a question, where the document says only that."""
        status: str | None = self.document.get("status")
        return status


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """One client of one person; `capabilities` None is a client of the legacy era."""

    house: House
    caller: Caller
    capabilities: Mapping[str, Any] | None = field(default_factory=lambda: FORM)
    name: str | None = None

    def with_caller(self, caller: Caller) -> "Assistant":
        return replace(self, caller=caller)

    async def call(
        self,
        operation: str,
        arguments: Mapping[str, Any],
        *,
        state: object = None,
        answer: object = None,
        **headers: str,
    ) -> Said:
        """Call a tool; a retry brings the state and the answer."""
        params: dict[str, Any] = {"name": operation, "arguments": arguments}
        if state is not None:
            params["requestState"] = state
        if answer is not None:
            params["inputResponses"] = {"confirmation": answer}
        return await self.send(params, **headers)

    async def answer(
        self, operation: str, arguments: Mapping[str, Any], asked: Said, answer: object
    ) -> Said:
        return await self.call(operation, arguments, state=asked.state, answer=answer)

    async def send(self, params: Mapping[str, Any], **headers: str) -> Said:
        token = await self.house.token(self.caller, Door.MCP)
        is_modern = self.capabilities is not None
        routing = {"mcp-protocol-version": MODERN if is_modern else LEGACY}
        sent = dict(params)
        if is_modern:
            routing |= {"mcp-method": "tools/call", "mcp-name": str(params["name"])}
            sent["_meta"] = self._envelope()
        response = await self.house.http.post(
            "/mcp",
            content=msgspec.json.encode(
                {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": sent}
            ),
            headers={
                "authorization": f"Bearer {token}",
                "content-type": "application/json",
                "accept-language": "en",
                **routing,
                **headers,
            },
        )
        return Said(response.status_code, response.json())

    def _envelope(self) -> dict[str, Any]:
        prefix = "io.modelcontextprotocol"
        envelope: dict[str, Any] = {
            f"{prefix}/protocolVersion": MODERN,
            f"{prefix}/clientCapabilities": self.capabilities,
        }
        if self.name is not None:
            envelope[f"{prefix}/clientInfo"] = {"name": self.name, "version": "1.0"}
        return envelope

    async def decide(self, asked: Said, verdict: Verdict, by: Caller | None = None) -> Shown:
        """What a person does on the page that the answer names."""
        page = self.house.container.confirmation_page()
        link = page.open(asked.address.removeprefix(_PAGE))
        assert link is not None
        return await page.decide(link, principal_of(by or self.caller, self.house), ORIGIN, verdict)

    async def look(self, asked: Said, by: Caller | None = None) -> Shown:
        """What the page shows them."""
        page = self.house.container.confirmation_page()
        link = page.open(asked.address.removeprefix(_PAGE))
        assert link is not None
        return await page.show(link, principal_of(by or self.caller, self.house), ORIGIN)


ORIGIN: Final = Origin(request_id="req_00000000000000000000000001", via="page")


def principal_of(caller: Caller, house: House) -> Principal:
    """The person as they have signed in on the page, which is another client of theirs."""
    return Principal(
        issuer=house.container.settings().issuer,
        subject=caller.subject,
        client_id="the-page",
        organization=caller.organization_id,
        scopes=frozenset({"dunning.read"}),
        expires_at=house.clock.time.timestamp() + 3600,
    )
