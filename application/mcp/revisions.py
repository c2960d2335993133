"""The revisions of the protocol, and the era that each belongs to."""

from collections.abc import Mapping
from typing import Final, Literal

Era = Literal["modern", "legacy"]

REVISIONS: Final[Mapping[str, Era]] = {
    "2026-07-28": "modern",
    "2025-11-25": "legacy",
    "2025-06-18": "legacy",
    "2025-03-26": "legacy",
}
MODERN: Final = frozenset(name for name, era in REVISIONS.items() if era == "modern")
LEGACY: Final = frozenset(name for name, era in REVISIONS.items() if era == "legacy")

STRUCTURED: Final = frozenset(REVISIONS) - {"2025-03-26"}
"""Revisions whose tool results may carry a structured part."""

# Clients older than the version header send none (streamable HTTP of 2025-06-18).
WITHOUT_HEADER: Final = "2025-03-26"
