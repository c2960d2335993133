"""One operation as a curl command that can be pasted: what is required, with example values."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any
from urllib.parse import quote as percent_encoded
from urllib.parse import urlencode

import msgspec

Parameter = Mapping[str, Any]


def curl_of(
    method: str, url: str, parameters: Sequence[Parameter], body: object | None = None
) -> str:
    """The command; `url` has `{name}` for path parameters, `parameters` are all that there are."""
    command = "curl" if method == "GET" else f"curl -X {method}"
    lines = [f"{command} {quote(_address(url, parameters))}", '-H "Authorization: Bearer $TOKEN"']
    lines += [f"-H {quote(header)}" for header in _headers(parameters)]
    if body is not None:
        lines += ["-H 'Content-Type: application/json'", f"-d {quote(_indented(body))}"]
    return " \\\n  ".join(lines)


def _address(url: str, parameters: Sequence[Parameter]) -> str:
    for one in _required(parameters, "path"):
        value = percent_encoded(str(one["example"]), safe="")
        url = url.replace(f"{{{one['name']}}}", value)
    query = {one["name"]: _listed(one["example"]) for one in _required(parameters, "query")}
    return f"{url}?{urlencode(query, safe=',')}" if query else url


def _headers(parameters: Sequence[Parameter]) -> Iterator[str]:
    return (f"{one['name']}: {one['example']}" for one in _required(parameters, "header"))


def _required(parameters: Sequence[Parameter], place: str) -> Iterator[Parameter]:
    return (one for one in parameters if one["required"] and one["in"] == place)


def _listed(value: object) -> str:
    return ",".join(str(item) for item in value) if isinstance(value, list) else str(value)


def _indented(body: object) -> str:
    written = msgspec.json.format(msgspec.json.encode(body), indent=2).decode()
    return written.replace("\n", "\n  ")
