"""Requests of the modern era as a client sends them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

REVISION: Final = "2026-07-28"

# Of the length that signed access tokens have.
_TOKEN: Final = ".".join(("eyJhbGciOiJFUzI1NiJ9" * 2, "eyJzdWIiOiJwZXNzb2EtMSJ9" * 20, "c2ln" * 22))


@dataclass(frozen=True, slots=True)
class Call:
    """A method, and where it runs a tool the tool's name and arguments."""

    method: str
    tool: str | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)


def mcp_request(path: str, call: Call) -> bytes:
    """The bytes of one POST."""
    params: dict[str, object] = {}
    if call.tool is not None:
        params = {"name": call.tool, "arguments": call.arguments}
    params["_meta"] = {
        "io.modelcontextprotocol/protocolVersion": REVISION,
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = {"jsonrpc": "2.0", "id": 7, "method": call.method, "params": params}
    body = json.dumps(message, separators=(",", ":")).encode()
    headers = {
        "Host": "127.0.0.1",
        "User-Agent": "bench/1.0.0",
        "Accept": "application/json, text/event-stream",
        "Accept-Encoding": "gzip, deflate",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Authorization": f"Bearer {_TOKEN}",
        "MCP-Protocol-Version": REVISION,
        "Mcp-Method": call.method,
    }
    if call.tool is not None:
        headers["Mcp-Name"] = call.tool
    head = "".join(f"{header}: {value}\r\n" for header, value in headers.items())
    return f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body
