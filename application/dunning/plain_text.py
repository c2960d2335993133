"""Stored text on its way onto paper or into a question: one line, and nothing that hides in it."""

import unicodedata
from itertools import groupby, islice
from typing import Final

from application.mcp.cleaning import clean

JOINERS: Final = "\u200c\u200d"

# Control characters, halves of surrogate pairs, and what only somebody's own font can draw.
_NOT_TEXT: Final = frozenset({"Cc", "Cs", "Co"})
_MOST_MARKS: Final = 4
"""On one letter: no name has more."""


def one_line(text: str) -> str:
    """`text` without controls, line ends and invisible characters; letters of every script stay."""
    text = unicodedata.normalize("NFC", clean(text))
    text = "".join(" " if unicodedata.category(sign) in _NOT_TEXT else sign for sign in text)
    return " ".join(_without_towers(text).split())


def goes_with_a_letter(sign: str) -> bool:
    """Whether it is nothing by itself: a mark, or what joins two letters."""
    return sign in JOINERS or unicodedata.category(sign).startswith("M")


def _without_towers(text: str) -> str:
    """`text` without marks piled up on a letter, which would be drawn over the lines around."""
    runs = groupby(text, goes_with_a_letter)
    return "".join("".join(islice(run, _MOST_MARKS) if marks else run) for marks, run in runs)
