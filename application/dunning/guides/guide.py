"""A document for every member, made from the tables that the rules themselves use."""

from dataclasses import dataclass
from typing import Final

MARKDOWN: Final = "text/markdown"
JSON: Final = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """One document, in Portuguese; `path` is its address below the root of all."""

    path: str
    title: str
    description: str
    mime_type: str
    text: str


def table(head: tuple[str, ...], *rows: tuple[str, ...]) -> str:
    """A table in Markdown."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
