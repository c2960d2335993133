"""`dunning tools`: the operations, who may run them, what they weigh, and a page about them."""

from typing import Final

import msgspec

from adapters.v1.catalogue import V1Catalogue
from domain.access.roles import Role, permissions_of
from domain.ports.operations import OperationInfo
from entrypoints.cli.failures import MisuseError
from entrypoints.cli.output import ABSENT, DONE, heading, line, table
from entrypoints.cli.tools_page import page_of
from entrypoints.cli.tools_weight import BYTES_PER_TOKEN, Weight, weigh
from entrypoints.container import Container
from entrypoints.settings import Settings

_ASKS: Final = "asks"


async def tools(*, json: bool = False, markdown: bool = False) -> None:
    """Show every operation, whether it asks a person first, its roles and the scope it needs.

    A person gets the tools that their role has and that their token's scopes cover; the umbrellas
    dunning.read, dunning.write and dunning.all cover many scopes at once. A second table says how
    much a model has to read of tools/list, by toolset. Needs no database.

    Parameters
    ----------
    json
        Print the definitions instead, as `tools/list` shows them to somebody who may do everything.
    markdown
        Print a page for people instead: fields of each tool, and calls of it to paste, for the
        running demo.
    """
    if json and markdown:
        raise MisuseError("Give one of --json and --markdown")
    settings = Settings()
    catalogue = Container(settings=settings).catalogue()
    if json:
        line(msgspec.json.format(_definitions(catalogue), indent=2).decode())
    elif markdown:
        line(page_of(catalogue.bounds, settings))
    else:
        titles = ("operation", _ASKS, *Role, "scope")
        table(titles, [_row(info) for info in catalogue.infos])
        line(f"{_ASKS}: over MCP a person has to say yes first.", style="dim")
        _print_weight(await weigh(settings))


def _definitions(catalogue: V1Catalogue) -> bytes:
    tools = [catalogue.tool_definition(info.name) for info in catalogue.infos]
    return msgspec.json.encode({"tools": tools})


def _row(info: OperationInfo) -> list[str]:
    roles = [DONE if _may(role, info) else ABSENT for role in Role]
    return [
        info.name,
        DONE if info.destructive else ABSENT,
        *roles,
        " ".join(sorted(info.scopes)) or "any",
    ]


def _may(role: Role, info: OperationInfo) -> bool:
    return info.permission is None or info.permission in permissions_of(role)


def _print_weight(weight: Weight) -> None:
    heading("tools/list, as an owner with every scope gets it")
    rows = [
        *((toolset, f"{part.tools}", part.bytes) for toolset, part in weight.toolsets.items()),
        ("around them", "", weight.envelope),
        ("whole", f"{weight.whole.tools}", weight.whole.bytes),
    ]
    titles = ("toolset", "tools", "bytes", "tokens")
    table(
        titles,
        [
            (name, tools, f"{size}", f"{round(size / BYTES_PER_TOKEN)}")
            for name, tools, size in rows
        ],
        right=titles[1:],
    )
    line(f"Tokens are an estimate: {BYTES_PER_TOKEN} bytes each.", style="dim")
