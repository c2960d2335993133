"""No command shows a traceback; each says which setting or argument is wrong, and what to do."""

import pytest

from entrypoints.cli import data_folder
from entrypoints.cli.failures import CommandError, explained
from entrypoints.cli.listening import bound_socket, next_free_socket
from entrypoints.settings import Settings
from tests.command_line import dunning

NOBODY = "postgresql://dunning_app@127.0.0.1:1/dunning"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.__dataclass_fields__:
        monkeypatch.delenv(name.upper(), raising=False)


def test_serve_names_every_bad_setting_on_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RATE_READ", "many")
    monkeypatch.setenv("PUBLIC_URL", "https://mcp.example.com/")

    ran = dunning(capsys, "serve")

    assert ran.exit_code == 2
    named = [line.split()[1] for line in ran.err.splitlines()]
    assert named == ["RATE_READ:", "PUBLIC_URL:", "AUTH_PROVIDER:", "SEALING_KEYS:"]


@pytest.mark.parametrize("command", [["serve"], ["run-jobs"]])
def test_what_serves_needs_the_url_of_the_service(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ran = dunning(capsys, *command)

    assert ran.exit_code == 2
    assert ran.err.startswith("dunning: DATABASE_URL: is empty")


@pytest.mark.parametrize(
    "command",
    [
        ["migrate"],
        ["seed"],
        ["org", "list"],
        ["member", "list", "--organization", "a"],
        ["client", "list", "--organization", "a"],
        ["index", "list"],
        ["token", "--person", "ana@example.com"],
    ],
)
def test_what_administers_needs_the_url_of_the_owner(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ran = dunning(capsys, *command)

    assert ran.exit_code == 2
    assert ran.err.startswith("dunning: MIGRATION_DATABASE_URL: is empty")


@pytest.mark.parametrize("command", [["migrate"], ["org", "list"]])
def test_a_database_that_does_not_answer_is_a_failure(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MIGRATION_DATABASE_URL", NOBODY)

    ran = dunning(capsys, *command)

    assert ran.exit_code == 1
    assert "MIGRATION_DATABASE_URL: the database does not answer" in ran.err


def test_a_url_that_is_none_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MIGRATION_DATABASE_URL", "db.example.com")

    ran = dunning(capsys, "org", "list")

    assert ran.exit_code == 2
    assert ran.err.startswith("dunning: MIGRATION_DATABASE_URL: is not a URL of PostgreSQL")


@pytest.mark.parametrize("given", [[], ["--person", "a", "--client", "b"]])
def test_a_token_is_for_a_person_or_for_a_client(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ran = dunning(capsys, "token", *given)

    assert ran.exit_code == 2
    assert "one of --person and --client" in ran.err


@pytest.mark.parametrize("command", [["token", "--person", "ana@example.com"], ["seed"]])
def test_what_needs_the_embedded_issuer_refuses_another(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AUTH_PROVIDER", "oidc")
    monkeypatch.setenv("AUTH_ISSUER", "https://issuer.example.com")

    ran = dunning(capsys, *command)

    assert ran.exit_code == 2
    assert ran.err.startswith("dunning: AUTH_PROVIDER:")


def test_a_port_that_is_taken_is_named() -> None:
    with bound_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"HOST, PORT: cannot listen on 127.0.0.1:{port}"):
            bound_socket("127.0.0.1", port)


def test_the_demo_takes_the_next_port_that_is_free() -> None:
    with bound_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with next_free_socket("127.0.0.1", port) as free:
            assert free.getsockname()[1] > port


def test_two_demos_never_share_a_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path_factory.mktemp("data")))

    with data_folder.kept():
        second = data_folder.kept()
        with pytest.raises(CommandError, match="DATA_DIR: another demo"):
            second.__enter__()
    with data_folder.kept() as folder:
        assert folder.is_dir()


def test_a_fault_of_ours_is_told_without_its_text() -> None:
    try:
        raise KeyError("529.982.247-25")  # noqa: TRY301 -- it has to come from somewhere
    except KeyError as failure:
        told = explained(failure)

    assert str(told).startswith("Something failed inside: KeyError at test_refusals.py:")
    assert "529" not in str(told)
    assert told.exit_code == 1
