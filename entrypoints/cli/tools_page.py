"""The page of `dunning tools --markdown`: for people who meet the tools for the first time."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import msgspec

from adapters.http.docs_page.field_rows import FieldRow, FieldRows
from adapters.v1.bound import BoundV1
from domain.access.roles import Role, permissions_of
from domain.ports.operations import OperationInfo
from entrypoints.cli.tools_calls import ExampleCall, example_call
from entrypoints.cli.tools_demo import world_of
from entrypoints.seed.timeline import TODAY
from entrypoints.settings import Settings

_INTRODUCTION: Final = """\
# Tools of {title}

Every operation is a tool of the MCP server at `{url}/mcp` and a route of the REST API at
`{url}/v1`. What somebody may run is their role and the scopes of their token.

The examples are about the organisation that `make demo` plants, where today is {today}. The demo
prints a token for each door; with both of them in a shell, paste one of the two calls under each
tool. What a call changes stays until the demo is started again.

```sh
export TOKEN=…      # the one for /v1
export MCP_TOKEN=…  # the one for the MCP server
call() {{
  curl {url}/mcp -H "Authorization: Bearer $MCP_TOKEN" \\
    -H 'Content-Type: application/json' \\
    -d "{{\\"jsonrpc\\": \\"2.0\\", \\"id\\": 1, \\"method\\": \\"tools/call\\", \\"params\\": $1}}"
}}
```

A client of the MCP server needs only the parameters that stand under each tool; a shell sends them
with `call '…'`."""

_HEAD: Final = "| field | type | required | description |\n|---|---|---|---|"


def page_of(bounds: Iterable[BoundV1], settings: Settings) -> str:
    """Markdown (GitHub's): every operation by toolset, with its fields and a call of it."""
    by_toolset = groupby(sorted(bounds, key=_toolset), key=_toolset)
    sections = [
        _INTRODUCTION.format(title=settings.server_title, url=settings.public_url, today=TODAY)
    ]
    for toolset, members in by_toolset:
        sections.append(f"## {toolset}")
        for bound in members:
            call = example_call(bound, world_of(bound), settings.public_url)
            sections += _tool(bound, call)
    return "\n\n".join(sections)


def _toolset(bound: BoundV1) -> str:
    return bound.operation.info.toolset


def _tool(bound: BoundV1, call: ExampleCall) -> Iterator[str]:
    info = bound.operation.info
    yield f"### {info.title}"
    yield f"`{info.name}` · `{bound.route.method} {bound.route.path}`"
    yield info.description
    yield f"{_effect(info)} {_needs(info)}"
    rows = "\n".join(_rows(FieldRows({}).of_object(bound.tool["inputSchema"])))
    yield f"{_HEAD}\n{rows}" if rows else "It takes nothing."
    yield f"```sh\n{call.curl}\n```"
    yield f"```json\n{_indented(call.parameters)}\n```"


def _effect(info: OperationInfo) -> str:
    if info.destructive:
        return (
            "**Needs confirmation:** over MCP a person has to agree first; "
            "over REST it is done at once."
        )
    return "**Reads;** changes nothing." if info.read_only else "**Writes.**"


def _needs(info: OperationInfo) -> str:
    if info.permission is None:
        return "Any valid token will do."
    roles = ", ".join(role for role in Role if info.permission in permissions_of(role))
    scopes = ", ".join(f"`{scope}`" for scope in sorted(info.scopes))
    return f"Needs permission `{info.permission}` ({roles}) and scope {scopes}."


def _rows(found: Iterable[FieldRow]) -> Iterator[str]:
    path: list[str] = []
    for row in found:
        path[row.depth :] = [f"{row.name}[]" if row.type.startswith("list") else row.name]
        name = ".".join(path).removesuffix("[]")
        cells = (f"`{name}`", _type(row), "yes" if row.required else "", row.description)
        yield f"| {' | '.join(map(_cell, cells))} |"


def _type(row: FieldRow) -> str:
    values = f"one of {', '.join(f'`{value}`' for value in row.values)}" if row.values else ""
    default = "" if row.default is None else f"`{row.default}` unless given"
    return "; ".join(part for part in (row.type, values, row.limits, default) if part)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _indented(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
