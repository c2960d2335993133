"""Where the demo keeps its database and keys, and the PostgreSQL that runs over it."""

import fcntl
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Final

from adapters.auth.seal_keys import SealingRing
from adapters.persistence.embedded import EmbeddedMissingError, EmbeddedServer, start_embedded
from entrypoints.cli.failures import CommandError
from entrypoints.cli.output import step
from entrypoints.settings import Settings, parse_list

_KEYS: Final = "sealing.keys"


@contextmanager
def thrown_away() -> Generator[Path]:
    """A folder that nobody else has and that is gone afterwards."""
    with TemporaryDirectory(prefix="dunning-demo-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@contextmanager
def kept() -> Generator[Path]:
    """The folder of DATA_DIR, for one demo at a time.

    Raises:
        CommandError: another demo has it, or it cannot be made.
    """
    folder = Path(os.environ.get("DATA_DIR") or Settings.data_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "demo.lock").open("w")
    except OSError as refused:
        raise CommandError(
            f"DATA_DIR: cannot write to {folder} ({refused.strerror}); set another folder"
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(
                f"DATA_DIR: another demo runs over {folder}; stop it, or set another folder"
            ) from None
        yield folder


def sealing_keys_in(folder: Path) -> tuple[str, ...]:
    """SEALING_KEYS of this folder, made once: what one demo sealed the next one opens.

    Raises:
        CommandError: they cannot be read or written.
    """
    file = folder / _KEYS
    try:
        if not file.exists():
            _write_for_us_alone(file, ",".join(SealingRing.fresh().texts))
        return SealingRing.read(parse_list(file.read_text())).texts
    except OSError as refused:
        raise CommandError(
            f"DATA_DIR: cannot read or write {file} ({refused.strerror}); set another folder"
        ) from None
    except ValueError:
        raise CommandError(
            f"DATA_DIR: {file} does not hold sealing keys; remove it, and others are made"
        ) from None


@contextmanager
def postgres_in(folder: Path) -> Generator[str]:
    """PostgreSQL over a folder that is nobody else's; its administrator's URL.

    Raises:
        CommandError: it is not installed, or does not start.
    """
    data = folder / "postgres"
    with step("PostgreSQL") as current:
        server = _started(data)
        current.note(f"18, in {data}")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _write_for_us_alone(file: Path, text: str) -> None:
    """All of `text` or no file, which nobody else may read (mode 0600)."""
    with NamedTemporaryFile("w", dir=file.parent, delete=False) as unfinished:
        unfinished.write(text)
    Path(unfinished.name).replace(file)


def _started(data: Path) -> EmbeddedServer:
    try:
        return start_embedded(data, alone=True)
    except EmbeddedMissingError as missing:
        raise CommandError(str(missing)) from None
    except (OSError, subprocess.SubprocessError):
        raise CommandError(
            f"PostgreSQL did not start; {data / 'log'} says why, where it exists"
        ) from None
