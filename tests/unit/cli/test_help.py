"""The help is the manual."""

import re

import pytest
from cyclopts import App

from entrypoints.cli import app
from tests.command_line import dunning

COMMANDS = [
    ("check-config",),
    ("client", "create"),
    ("client", "list"),
    ("client", "revoke"),
    ("database", "init"),
    ("demo",),
    ("import", "charges"),
    ("import", "debtors"),
    ("index", "list"),
    ("index", "load"),
    ("keys", "add"),
    ("keys", "drop"),
    ("keys", "new"),
    ("keys", "promote"),
    ("member", "add"),
    ("member", "bind"),
    ("member", "list"),
    ("migrate",),
    ("org", "create"),
    ("org", "list"),
    ("org", "resume"),
    ("org", "suspend"),
    ("run-jobs",),
    ("seed",),
    ("serve",),
    ("stdio",),
    ("token",),
    ("tools",),
]


def test_the_list_above_is_complete() -> None:
    names = [name for name in app if not name.startswith("-")]
    found = [(name, *verb) for name in names for verb in verbs_of(name)]

    assert sorted(found) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_and_its_arguments(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    ran = dunning(capsys, *command, "--help")

    assert ran.exit_code == 0
    assert ran.first_line.startswith(f"Usage: dunning {' '.join(command)}")
    told = re.sub(r"\[[^\]]*\]", "", ran.out)
    for parameter in leaf(command).assemble_argument_collection():
        if not parameter.children:
            assert re.search(rf"{parameter.name}(?: [A-Z]+(?:\.\.\.)?)?  +\S+ \S+", told)


@pytest.mark.parametrize(
    "group",
    [(), ("org",), ("member",), ("client",), ("database",), ("import",), ("index",), ("keys",)],
)
def test_a_group_says_what_each_of_its_commands_does(
    group: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    ran = dunning(capsys, *group, "--help")

    commands = {path[len(group)] for path in COMMANDS if path[: len(group)] == group}
    for name in commands:
        (line,) = [line for line in ran.out.splitlines() if line.startswith(f"│ {name} ")]
        assert len(line.strip("│ ").split()) > 3


def test_a_command_that_does_not_exist_is_a_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    ran = dunning(capsys, "launch")

    assert ran.exit_code == 2
    assert 'Unknown command "launch"' in ran.err


def test_a_misuse_names_the_argument_and_where_it_is_explained(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ran = dunning(capsys, "demo", "--port", "many")

    assert ran.exit_code == 2
    assert "--port" in ran.err
    assert "`dunning demo --help`" in ran.err


def leaf(path: tuple[str, ...]) -> App:
    found = app
    for name in path:
        found = found[name]
    return found


def verbs_of(name: str) -> list[tuple[str, ...]]:
    verbs: list[tuple[str, ...]] = [(verb,) for verb in app[name] if not verb.startswith("-")]
    return verbs or [()]
