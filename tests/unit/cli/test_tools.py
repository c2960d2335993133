import msgspec
import pytest

import application.dunning
from adapters.v1.catalogue import V1Catalogue
from application.operations.discover import declared_in
from tests.command_line import dunning


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

    rows = {line.split()[0]: line.split()[1:] for line in ran.out.splitlines()}
    assert rows["operation"] == ["owner", "admin", "manager", "collector", "viewer", "scope"]
    assert rows["dunning_charges_cancel"] == ["✓", "✓", "✓", "–", "–", "dunning.charges:cancel"]  # noqa: RUF001 -- what stands for nothing
    assert rows["dunning_charges_list"] == ["✓"] * 5 + ["dunning.charges:read"]
    assert rows["dunning_me"] == ["✓"] * 5 + ["any"]
