"""The page of `dunning tools --markdown`."""

import json
import re
from typing import Annotated, Any, Final

import pytest

import application.dunning
from adapters.v1.bound import BoundV1
from adapters.v1.catalogue import V1Catalogue
from application.operations.call import Call
from application.operations.declaration import Operation, Plan, operation
from application.operations.discover import declared_in
from application.operations.fields import Input, NoInput, One, View, about, id_of
from entrypoints.cli.tools_page import page_of
from entrypoints.seed.creditors import AURORA
from entrypoints.seed.people import member_id
from entrypoints.settings import Settings
from tests.command_line import dunning

CATALOGUE: Final = V1Catalogue(declared_in(application.dunning))


class MemberView(View):
    id: Annotated[str, about("The member.")]


class OneMember(Input):
    id: Annotated[str, id_of("mbr"), about("The member | colleague.\nOf either kind.")]


@operation(
    "members_get", "GET /members/{id}", title="Read a member", description="A|B.", permission=None
)
async def members_get(_: Call, __: OneMember) -> One[MemberView]:
    raise NotImplementedError


@operation(
    "members_remove",
    "DELETE /members/{id}",
    title="Remove a member",
    description="Remove.",
    permission="members.write",
    destructive=True,
    key_required=True,
)
async def members_remove(_: Call, __: OneMember) -> Plan[One[MemberView]]:
    raise NotImplementedError


@operation("ping", "GET /ping", title="Ping", description="Answer.", permission=None)
async def ping(_: Call, __: NoInput) -> One[MemberView]:
    raise NotImplementedError


def sections_of(*operations: Operation[Any]) -> dict[str, str]:
    """What stands under each title."""
    page = page_of(V1Catalogue(operations).bounds, Settings())
    _, *sections = re.split(r"^### ", page, flags=re.MULTILINE)
    return dict(section.split("\n", 1) for section in sections)


SECTIONS: Final = sections_of(*declared_in(application.dunning))


def rows_of(section: str) -> list[list[str]]:
    """The cells of the table's lines below its head."""
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines][2:]


@pytest.mark.parametrize("bound", CATALOGUE.bounds, ids=lambda bound: bound.operation.info.name)
def test_every_tool_has_its_title_its_fields_and_an_example(
    bound: BoundV1,
) -> None:
    info = bound.operation.info
    section = SECTIONS[info.title]

    assert f"`{info.name}` · `{bound.route.method} {bound.route.path}`" in section
    assert info.description in section
    shown = [cells[0].strip(" `") for cells in rows_of(section)]
    fields = list(bound.tool["inputSchema"]["properties"])
    assert [name for name in shown if "." not in name] == fields
    assert section.count("```sh\ncurl ") == 1


def test_what_a_description_contains_breaks_no_table() -> None:
    (row,) = rows_of(sections_of(members_get)["Read a member"])

    assert [cell.strip() for cell in row] == [
        "`id`",
        "string; `mbr_` and 26 characters",
        "yes",
        r"The member \| colleague. Of either kind.",
    ]


def test_every_line_of_every_table_has_four_cells() -> None:
    for section in SECTIONS.values():
        assert {len(row) for row in rows_of(section)} <= {4}


def test_the_page_says_what_each_tool_does_and_needs() -> None:
    sections = sections_of(members_get, members_remove, ping)

    assert "**Reads;** changes nothing. Any valid token will do." in sections["Read a member"]
    assert "It takes nothing." in sections["Ping"]
    removes = sections["Remove a member"]
    assert "**Needs confirmation:** over MCP a person has to agree first" in removes
    assert (
        "Needs permission `members.write` (owner, admin) and scope `dunning.members:write`."
        in removes
    )


def test_a_required_key_is_a_header_for_rest_and_an_argument_for_the_tool() -> None:
    section = sections_of(members_remove)["Remove a member"]

    curl, parameters = re.findall(r"```(?:sh|json)\n(.*?)```", section, flags=re.DOTALL)
    key = json.loads(parameters)["arguments"]["idempotency_key"]
    assert f"-H 'Idempotency-Key: {key}'" in curl


def test_what_is_removed_is_another_row_than_the_one_that_is_read() -> None:
    sections = sections_of(members_get, members_remove)

    assert member_id(AURORA, "Helena") in sections["Read a member"]
    assert member_id(AURORA, "Otto") in sections["Remove a member"]


def test_the_command_prints_the_page_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    ran = dunning(capsys, "tools", "--markdown")

    assert ran.exit_code == 0
    assert ran.out == f"{page_of(CATALOGUE.bounds, Settings())}\n"
