import msgspec
import pytest

import application.dunning
from adapters.v1.catalogue import V1Catalogue
from application.operations.discover import declared_in
from entrypoints.cli.output import ABSENT, DONE
from entrypoints.cli.tools_weight import weigh
from entrypoints.settings import Settings
from tests.command_line import dunning

pytestmark = pytest.mark.anyio

MOST_BYTES = 100_000
"""What a model reads before its first question: about an eighth of a context of 200 000 tokens."""


def test_tools_as_json_are_the_definitions_of_the_catalogue(
    capsys: pytest.CaptureFixture[str],
) -> None:
    catalogue = V1Catalogue(declared_in(application.dunning))

    ran = dunning(capsys, "tools", "--json")

    shown = msgspec.json.decode(ran.out)
    assert ran.exit_code == 0
    assert shown == {"tools": [bound.tool for bound in catalogue.bounds]}


def test_the_table_shows_which_role_may_run_what(capsys: pytest.CaptureFixture[str]) -> None:
    ran = dunning(capsys, "tools")

    rows = {line.split()[0]: line.split()[1:] for line in ran.out.splitlines() if line}
    assert rows["operation"] == [
        *("asks", "owner", "admin", "manager", "collector", "viewer", "scope")
    ]
    assert rows["dunning_charges_cancel"] == [
        *(DONE, DONE, DONE, DONE, ABSENT, ABSENT, "dunning.charges:cancel")
    ]
    assert rows["dunning_charges_list"] == [ABSENT, *[DONE] * 5, "dunning.charges:read"]
    assert rows["dunning_me"] == [ABSENT, *[DONE] * 5, "any"]


def test_the_second_table_adds_up_to_its_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    ran = dunning(capsys, "tools")

    _, second = ran.out.split("toolset", 1)
    rows = [line.split() for line in second.splitlines()[1:-1]]
    *parts, whole = [row[-3:] if row[0] != "around" else ["0", *row[-2:]] for row in rows]
    assert [row[0] for row in rows][-2:] == ["around", "whole"]
    assert sum(int(tools) for tools, _, _ in parts) == int(whole[0])
    assert sum(int(size) for _, size, _ in parts) == int(whole[1])
    assert int(whole[2]) == round(int(whole[1]) / 4)


async def test_the_parts_of_the_list_are_its_definitions_and_little_else() -> None:
    weight = await weigh(Settings())
    catalogue = V1Catalogue(declared_in(application.dunning))

    assert weight.whole.tools == len(catalogue.infos)
    assert set(weight.toolsets) == catalogue.toolsets
    commas = weight.whole.tools - 1
    assert 0 < weight.envelope - commas < 100


async def test_the_whole_list_leaves_room_for_a_conversation() -> None:
    weight = await weigh(Settings())

    assert weight.whole.bytes < MOST_BYTES


def test_json_and_markdown_are_one_or_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    ran = dunning(capsys, "tools", "--json", "--markdown")

    assert ran.exit_code == 2
    assert "one of --json and --markdown" in ran.err
