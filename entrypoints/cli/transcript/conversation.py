"""A client of a running service, of both doors, over real HTTP."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

MODERN: Final = "2026-07-28"
LEGACY: Final = "2025-06-18"

_CONFIRMATION: Final = "confirmation"
_META: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "dunning-transcript", "version": "1"},
}
_FORMS: Final = {
    **_META,
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """What a tool gave: its JSON, as text and read, and whether it is a refusal."""

    text: str
    document: Any
    is_error: bool

    @property
    def code(self) -> str:
        """Why it was refused; empty when it was not."""
        return str(self.document["error"]["code"]) if self.is_error else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestAnswer:
    """What `/v1` gave."""

    status: int
    text: str
    is_replay: bool

    @property
    def document(self) -> Any:  # noqa: ANN401 -- any JSON
        """The body, read."""
        return json.loads(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person is asked before a tool acts, and what has to come back with their answer."""

    message: str
    state: str


class Conversation:
    """Requests to one service.

    Raises httpx.HTTPError, or KeyError for a JSON-RPC error where a result was expected.
    """

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def modern(
        self,
        token: str,
        method: str,
        params: Mapping[str, object] | None = None,
        meta: Mapping[str, object] | None = None,
    ) -> Any:  # noqa: ANN401 -- any JSON
        """The result of a request of the present revision, which carries its own description."""
        headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
        sent = {**(params or {}), "_meta": meta or _META}
        if "name" in sent:
            headers["Mcp-Name"] = str(sent["name"])
        return await self._result(token, method, sent, headers)

    async def legacy(self, token: str, method: str, params: Mapping[str, object]) -> Any:  # noqa: ANN401 -- any JSON
        """The result of a request of a revision with a handshake."""
        return await self._result(token, method, params, {"MCP-Protocol-Version": LEGACY})

    async def call(self, token: str, tool: str, arguments: Mapping[str, object]) -> ToolAnswer:
        """What a tool gives to a client that cannot ask its person anything."""
        result = await self.modern(token, "tools/call", {"name": tool, "arguments": arguments})
        return _tool(result)

    async def ask(self, token: str, tool: str, arguments: Mapping[str, object]) -> Question:
        """What a tool asks a client that can show forms."""
        params = {"name": tool, "arguments": arguments}
        result = await self.modern(token, "tools/call", params, _FORMS)
        message = result["inputRequests"][_CONFIRMATION]["params"]["message"]
        return Question(message=message, state=result["requestState"])

    async def answer(
        self,
        token: str,
        tool: str,
        arguments: Mapping[str, object],
        question: Question,
        answer: Mapping[str, object],
    ) -> ToolAnswer:
        """What a tool gives once its question is answered."""
        params = {
            "name": tool,
            "arguments": arguments,
            "requestState": question.state,
            "inputResponses": {_CONFIRMATION: answer},
        }
        return _tool(await self.modern(token, "tools/call", params, _FORMS))

    async def get(self, token: str, path: str, query: Mapping[str, str | int]) -> RestAnswer:
        """What REST gives for a read."""
        return _rest(await self._http.get(path, headers=_headers(token), params=query))

    async def post(
        self, token: str, path: str, body: Mapping[str, object], *, key: str | None = None
    ) -> RestAnswer:
        """What REST gives for a write."""
        headers = _headers(token) | ({} if key is None else {"Idempotency-Key": key})
        return _rest(await self._http.post(path, headers=headers, json=body))

    async def _result(
        self,
        token: str,
        method: str,
        params: Mapping[str, object],
        headers: Mapping[str, str],
    ) -> Any:  # noqa: ANN401 -- any JSON
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = await self._http.post("/mcp", headers={**_headers(token), **headers}, json=message)
        return answer.json()["result"]


def _tool(result: Mapping[str, Any]) -> ToolAnswer:
    text = result["content"][0]["text"]
    return ToolAnswer(text=text, document=json.loads(text), is_error=result.get("isError", False))


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", "Accept-Language": "en"}


def _rest(answer: httpx.Response) -> RestAnswer:
    return RestAnswer(
        status=answer.status_code,
        text=answer.text,
        is_replay=answer.headers.get("Idempotency-Replayed") == "true",
    )
