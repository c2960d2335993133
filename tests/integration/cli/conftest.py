"""The command line over databases of its own, since its commands reach every organisation."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from entrypoints.settings import Settings
from tests.command_line import Ran, dunning
from tests.database import Database, migrated_database

Command: TypeAlias = Callable[..., Ran]


@pytest.fixture(scope="module")
def cli_database(worker_id: str) -> Iterator[Database]:
    with migrated_database(f"{worker_id}_cli") as database:
        yield database


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, cli_database: Database) -> Settings:
    """The environment of the commands."""
    for name in Settings.__dataclass_fields__:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("AUTH_PROVIDER", "embedded")
    monkeypatch.setenv("DATABASE_URL", cli_database.app)
    monkeypatch.setenv("MIGRATION_DATABASE_URL", cli_database.owner)
    return Settings(database_url=cli_database.app, migration_database_url=cli_database.owner)


@pytest.fixture
def run(
    settings: Settings,  # noqa: ARG001 -- the commands read the environment
    capsys: pytest.CaptureFixture[str],
) -> Command:
    return lambda *arguments: dunning(capsys, *arguments)


@pytest.fixture
def create(run: Command) -> Callable[..., str]:
    """Creates an organisation and gives its id."""

    def created(name: str, *more: str) -> str:
        ran = run("org", "create", "--name", name, *CREDITOR, *more)
        assert ran.exit_code == 0, ran.err
        return ran.first_line

    return created


CREDITOR = (
    "--legal-name=Creditor Ltda.",
    "--document=11.222.333/0001-81",
    "--street=Rua das Acácias",
    "--number=120",
    "--district=Centro",
    "--city=São Paulo",
    "--uf=SP",
    "--zipcode=01001-000",
)
