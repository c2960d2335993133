"""Running the public suite, which is a program of Node.js, and reading what it found."""

import asyncio
import json
import os
import re
import shutil
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

INSTALLED: Final = Path(__file__).parents[2] / ".data" / "conformance"
"""Where `make conformance` installs the suite; what it found goes beside it."""

_PROGRAMS: Final = INSTALLED / "node_modules" / ".bin"
_LONGEST_RUN: Final = 300
_LISTED: Final = re.compile(r"^  - (\S+)$", re.MULTILINE)
_FOUND: Final = re.compile(r"server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z")


class SuiteError(Exception):
    """The suite could not be run; says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A scenario and what it found: broken requirements, and recommendations not followed."""

    scenario: str
    failures: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


async def required_by(revision: str) -> tuple[str, ...]:
    """The server scenarios that `revision` requires, frozen when it was released."""
    printed = await _suite("list", "--requirements", revision)
    of_servers = printed.partition("Server scenarios")[2].partition("Client scenarios")[0]
    listed = tuple(_LISTED.findall(of_servers))
    if not listed:
        raise SuiteError(f"The suite lists no scenarios for {revision}:\n{printed}")
    return listed


async def run_against(url: str, revision: str) -> Mapping[str, Ran]:
    """Every scenario of `revision`, also those that it does not require, by name."""
    results = INSTALLED / "results" / revision
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    printed = await _suite(
        "server", "--url", url, "--requirements", revision, "--output-dir", str(results)
    )
    (results / "printed.txt").write_text(printed)
    found = [_read(file) for file in results.glob("*/checks.json")]
    return {ran.scenario: ran for ran in found}


def _read(file: Path) -> Ran:
    named = _FOUND.fullmatch(file.parent.name)
    if named is None:
        raise SuiteError(f"The suite names its results otherwise than expected: {file.parent.name}")
    checks = json.loads(file.read_bytes())
    return Ran(
        scenario=named[1],
        failures=_those_with("FAILURE", checks),
        warnings=_those_with("WARNING", checks),
    )


def _those_with(status: str, checks: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(
        f"{check['id']}: {check.get('errorMessage') or check['description']}"
        for check in checks
        if check["status"] == status
    )


async def _suite(*arguments: str) -> str:
    """What the program printed; its exit code means less than what it found."""
    path = f"{_PROGRAMS}{os.pathsep}{os.environ['PATH']}"
    try:
        process = await asyncio.create_subprocess_exec(
            _PROGRAMS / "conformance",
            *arguments,
            env={**os.environ, "PATH": path},
            stdout=PIPE,
            stderr=STDOUT,
        )
    except FileNotFoundError:
        raise SuiteError("The suite is not installed: run `make conformance`") from None
    try:
        async with asyncio.timeout(_LONGEST_RUN):
            printed, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        raise SuiteError(f"The suite took longer than {_LONGEST_RUN} s") from None
    return printed.decode()
