"""Programs of other worlds that some tests drive: a client in another language, a browser."""

import os
import shutil
from typing import Final, NoReturn

import pytest

REQUIRED: Final = "DUNNING_TEST_PROGRAMS"
"""Set to `required`, a program that is missing fails its tests instead of skipping them."""


def program(name: str, package: str) -> str:
    """Where the program is; `package` of Debian has it."""
    found = shutil.which(name)
    if found is None:
        missing(f"{name} is not installed (apt-get install {package})")
    return found


def missing(reason: str) -> NoReturn:
    """End the test: skipped with its reason on a developer's machine, failed where it must run."""
    if os.environ.get(REQUIRED) == "required":
        pytest.fail(reason)
    pytest.skip(f"NOT TESTED: {reason}")
