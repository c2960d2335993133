"""`dunning tools`: the operations, and which role may run each."""

import msgspec

from adapters.v1.catalogue import V1Catalogue
from domain.access.roles import Role, permissions_of
from domain.ports.operations import OperationInfo
from entrypoints.cli.output import ABSENT, DONE, line, table
from entrypoints.container import Container
from entrypoints.settings import Settings


def tools(*, json: bool = False) -> None:
    """Show every operation with the roles that may run it and the scope that a token needs.

    A person gets the tools that their role has and that their token's scopes cover; the umbrellas
    dunning.read, dunning.write and dunning.all cover many scopes at once. Needs no database.

    Parameters
    ----------
    json
        Print the definitions instead, as `tools/list` shows them to somebody who may do everything.
    """
    catalogue = Container(settings=Settings()).catalogue()
    if json:
        line(msgspec.json.format(_definitions(catalogue), indent=2).decode())
    else:
        titles = ("operation", *Role, "scope")
        table(titles, [_row(info) for info in catalogue.infos])


def _definitions(catalogue: V1Catalogue) -> bytes:
    tools = [catalogue.tool_definition(info.name) for info in catalogue.infos]
    return msgspec.json.encode({"tools": tools})


def _row(info: OperationInfo) -> list[str]:
    roles = [DONE if _may(role, info) else ABSENT for role in Role]
    return [info.name, *roles, " ".join(sorted(info.scopes)) or "any"]


def _may(role: Role, info: OperationInfo) -> bool:
    return info.permission is None or info.permission in permissions_of(role)
