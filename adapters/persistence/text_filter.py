"""Filtering by words of a shadow text: each word asked for begins one that is there."""

from sqlalchemy import ARRAY, ColumnElement, Text, all_, bindparam, literal_column

from domain.dunning.text_search import fold

WORDS = "words"


def has_words(shadow: ColumnElement[str], patterns: list[str] | None = None) -> ColumnElement[bool]:
    """Whether `shadow` matches all `patterns`, or those that the parameter `words` will have."""
    words = bindparam(WORDS, patterns, type_=ARRAY(Text), required=patterns is None)
    return (literal_column("' '").op("||")(shadow)).bool_op("LIKE")(all_(words))


def word_patterns(text: str) -> list[str]:
    """The words of `text` as patterns in which every sign of the caller stands for itself."""
    return [f"% {literally(word)}%" for word in fold(text).split()]


def literally(word: str) -> str:
    """`word` as a pattern that matches nothing else."""
    return word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
