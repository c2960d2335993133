"""What a running demo prints: lines that work where they are pasted, and no sealing key."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from entrypoints.cli import data_folder
from entrypoints.cli.handout import Handout, Holder, print_handout
from entrypoints.settings import Settings

DATABASE_URL = "postgresql://dunning_app:it's $HOME@/dunning?host=/tmp/a b"


class Printed:
    """The line that starts the program, and what a shell makes of it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.keys = ",".join(data_folder.sealing_keys_in(folder))
        settings = replace(
            Settings(),
            data_dir=str(folder),
            database_url=DATABASE_URL,
            sealing_keys=tuple(self.keys.split(",")),
        )
        holder = Holder(
            name="Helena Prado", role="owner", organization="A", tokens={"mcp": "t", "v1": "v"}
        )
        print_handout(Handout(url=settings.public_url, holders=[holder]), settings)
        self.out = capsys.readouterr().out
        (self.line,) = (one for one in self.out.splitlines() if one.endswith("/dunning stdio"))

    def arguments(self, **environ: str) -> list[str]:
        """What the client is given."""
        script = f"claude() {{ printf '%s\\n' \"$@\"; }}\n{self.line}"
        environ = {"MCP_TOKEN": "a.b.c", "PATH": "/usr/bin:/bin", **environ}
        ran = subprocess.run(
            ["/bin/sh", "-c", script], env=environ, capture_output=True, text=True, check=True
        )
        return ran.stdout.splitlines()


def test_the_line_for_clients_that_start_a_program_gives_all_that_it_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SEALING_KEYS", raising=False)
    folder = tmp_path / "a folder's data"
    folder.mkdir()
    printed = Printed(folder, capsys)

    arguments = printed.arguments()

    assert {
        f"PUBLIC_URL={Settings.public_url}",
        f"DATABASE_URL={DATABASE_URL}",
        f"SEALING_KEYS={printed.keys}",
        "DUNNING_TOKEN=a.b.c",
    } < set(arguments)
    separator, program, command = arguments[-3:]
    assert (separator, command) == ("--", "stdio")
    assert Path(program).is_absolute()
    assert Path(program).is_file()


def test_keys_of_the_environment_are_taken_from_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEALING_KEYS", "from the environment")
    printed = Printed(tmp_path, capsys)

    assert "SEALING_KEYS=theirs" in printed.arguments(SEALING_KEYS="theirs")


def test_no_sealing_key_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SEALING_KEYS", raising=False)
    printed = Printed(tmp_path, capsys)

    assert printed.keys not in printed.out
