"""A file as a tool describes it: never its bytes, which would cost a model and tell it nothing."""

from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from msgspec.structs import fields
from uritemplate import URITemplate

from adapters.v1.addresses import Addresses
from adapters.v1.bound import BoundV1
from application.mcp.bounding import as_text
from application.mcp.ports import Given
from application.operations.fields import Input
from application.operations.request import Answer, FileFacts

_NOTE: Final = (
    "Binary payload. Read it as an MCP resource when one is listed for it, or download it from the "
    "API's host with a token that was issued for the API."
)


class Files:
    """Describes files; with `links` a block of the result links to the resource as well."""

    def __init__(self, addresses: Addresses, *, links: bool) -> None:
        self._addresses = addresses
        self._links = links

    def described(
        self, bound: BoundV1, values: Input, answer: Answer, file: FileFacts
    ) -> Answer | Given:
        """What is said of `answer`, a file, which `values` were asked for."""
        path, query = _asked(bound, values)
        size = len(answer.body)
        described: dict[str, Any] = {
            "content_type": file.content_type,
            "byte_size": size,
            "download_path": f"{URITemplate(bound.route.path).expand(dict(path))}{query}",
            "note": _NOTE,
        }
        address = self._addresses.of(bound.operation.info.name)
        # What is under the address is the file that is asked for by the path alone.
        if address is not None and not query:
            described["resource_uri"] = address.uri(path)
        body = msgspec.json.encode(described)
        if not self._links or "resource_uri" not in described:
            return Answer(answer.status, body)
        link = {
            "type": "resource_link",
            "uri": described["resource_uri"],
            "name": file.name,
            "title": bound.operation.info.title,
            "mimeType": file.content_type,
            "size": size,
        }
        return Given(content=({"type": "text", "text": as_text(body).decode()}, link))


def _asked(bound: BoundV1, values: Input) -> tuple[dict[str, str], str]:
    """The path's parameters, and the rest of what was asked for as a query."""
    in_path = {field.name for field in bound.route.path_params}
    sent = {
        one.encode_name: _text(getattr(values, one.name))
        for one in fields(values)
        if getattr(values, one.name) != one.default
    }
    path = {name: sent.pop(name) for name in in_path}
    return path, f"?{urlencode(sent)}" if sent else ""


def _text(value: object) -> str:
    plain = msgspec.to_builtins(value)
    return str(plain).lower() if isinstance(plain, bool) else str(plain)
