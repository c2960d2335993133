"""A client that reads, fills in and completes: what it asked for, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from tests.doors.assistants import LEGACY
from tests.doors.house import Caller, Door, House

ROOT: Final = "kobana://dunning"


@dataclass(frozen=True, slots=True)
class Told:
    """A result, or an error of the protocol."""

    http_status: int
    message: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def result(self) -> dict[str, Any]:
        assert "error" not in self.message, self.message
        found: dict[str, Any] = self.message["result"]
        return found

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = self.message.get("error", {})
        return found

    @property
    def code(self) -> int | None:
        return self.error.get("code")

    @property
    def contents(self) -> dict[str, Any]:
        (one,) = self.result["contents"]
        found: dict[str, Any] = one
        return found

    @property
    def document(self) -> Any:
        return msgspec.json.decode(self.contents["text"])

    @property
    def script(self) -> str:
        """The text of a prompt, which comes last."""
        (*_, last) = self.result["messages"]
        assert last["role"] == "user"
        assert last["content"]["type"] == "text"
        text: str = last["content"]["text"]
        return text

    @property
    def embedded(self) -> list[dict[str, Any]]:
        """The data that go with a prompt."""
        blocks = [one["content"] for one in self.result["messages"][:-1]]
        assert {one["type"] for one in blocks} <= {"resource"}
        return [one["resource"] for one in blocks]

    @property
    def values(self) -> list[str]:
        found: list[str] = self.result["completion"]["values"]
        return found


@dataclass(frozen=True, slots=True)
class Client:
    """One client of one person, of either era, at an address that may show less."""

    house: House
    caller: Caller
    query: str = ""
    is_modern: bool = True

    async def read(self, uri: str) -> Told:
        return await self.ask("resources/read", {"uri": uri})

    async def tool_text(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """What a tool answers, as it is written."""
        told = await self.ask("tools/call", {"name": tool, "arguments": arguments}, mcp_name=tool)
        (block,) = told.result["content"]
        text: str = block["text"]
        return text

    async def get(self, prompt: str, **arguments: Any) -> Told:
        return await self.ask("prompts/get", {"name": prompt, "arguments": arguments})

    async def complete(self, reference: str, argument: str, value: str, **given: str) -> Told:
        """Complete an argument of a prompt, or a name of a template."""
        is_template = reference.startswith(f"{ROOT}/")
        ref = (
            {"type": "ref/resource", "uri": reference}
            if is_template
            else {"type": "ref/prompt", "name": reference}
        )
        params: dict[str, Any] = {"ref": ref, "argument": {"name": argument, "value": value}}
        if given:
            params["context"] = {"arguments": given}
        return await self.ask("completion/complete", params)

    async def listed(self, kind: str) -> list[dict[str, Any]]:
        """Every `resources`, `resourceTemplates` or `prompts` that there is for the caller."""
        method = "resources/templates" if kind == "resourceTemplates" else kind
        told = await self.ask(f"{method}/list", {})
        found: list[dict[str, Any]] = told.result[kind]
        return found

    async def ask(self, method: str, params: Mapping[str, Any], **headers: str) -> Told:
        if self.is_modern:
            response = await self.house.message(
                self.caller, method, params, query=self.query, **headers
            )
        else:
            token = await self.house.token(self.caller, Door.MCP)
            response = await self.house.http.post(
                f"/mcp{self.query}",
                content=msgspec.json.encode(
                    {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
                ),
                headers={
                    "authorization": f"Bearer {token}",
                    "content-type": "application/json",
                    "mcp-protocol-version": LEGACY,
                },
            )
        return Told(response.status_code, response.json(), response.headers)
