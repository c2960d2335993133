"""The official TypeScript client: its programs, beside what their lock file names."""

import json
import os
import shutil
import subprocess
from asyncio import create_subprocess_exec, wait_for
from asyncio.subprocess import PIPE
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.programs import missing, program

SOURCE = Path(__file__).with_name("typescript")
OLDEST_NODE = 20
LONGEST_INSTALL = 120
LONGEST_RUN = 30


def installed_in(folder: Path) -> Path:
    """The folder, with the programs and the client in it."""
    version = subprocess.check_output([program("node", "nodejs"), "--version"], text=True)
    if int(version.removeprefix("v").partition(".")[0]) < OLDEST_NODE:
        missing(f"Node.js {OLDEST_NODE} or newer is needed; this is {version.strip()}")
    npm = program("npm", "npm")
    for file in SOURCE.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=LONGEST_INSTALL)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failed:
        missing(f"npm ci has failed: {(failed.stderr or b'no output').decode()}")
    return folder


@dataclass(frozen=True, slots=True)
class NamedTalk:
    """The version that client and server settled on, and what each request came to."""

    version: str
    heard: list[dict[str, Any]]


async def asked(
    folder: Path, endpoint: str, token: str, mode: str, requests: Sequence[Mapping[str, Any]]
) -> NamedTalk:
    """What the client hears who sends these requests, each a method of its own with `params`."""
    client = await create_subprocess_exec(
        program("node", "nodejs"),
        folder / "named.mjs",
        endpoint,
        mode,
        json.dumps(requests),
        env={**os.environ, "TOKEN": token},
        stdout=PIPE,
        stderr=PIPE,
    )
    said, complaints = await wait_for(client.communicate(), LONGEST_RUN)
    assert client.returncode == 0, complaints.decode()
    first, *heard = (json.loads(line) for line in said.splitlines())
    return NamedTalk(first["version"], heard)
