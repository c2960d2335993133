"""What is the same in every seeding: ids and draws, each made from a name."""

import hashlib
from random import Random

from ulid import ULID


def fixed_id(prefix: str, name: str) -> str:
    """The id of what is called `name`, such as `A/charge/A-01`; in form like any other id."""
    digest = hashlib.sha256(name.encode()).digest()
    return f"{prefix}_{str(ULID.from_bytes(digest[:16])).lower()}"


def draws(name: str) -> Random:
    """Draws that belong to `name` alone, so that a row which joins later moves no other."""
    return Random(f"dunning demo {name}")  # noqa: S311 -- invented data, nothing to guess
