"""Text without the characters that nobody sees: they carry orders to a model past its reader."""

import re
import unicodedata
from typing import Final

_NO_WIDTH: Final = "\u00ad\u034f\u180e\u200b\u2060-\u2064\ufeff"
_DIRECTION: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_FORMATS: Final = "\u206a-\u206f\ufff9-\ufffb\U0001d173-\U0001d17a"
_FILLERS: Final = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_TAGS: Final = "\U000e0000-\U000e007f"
_SELECTORS: Final = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_NEVER: Final = _NO_WIDTH + _DIRECTION + _FORMATS + _FILLERS + _TAGS

_INVISIBLE: Final = re.compile(f"[{_NEVER}]+")
# One selector chooses the look of a character; several in a row spell bytes.
_SELECTOR_RUN: Final = re.compile(f"[{_SELECTORS}](?:[\u200c\u200d]*[{_SELECTORS}])+")
_SUSPECT: Final = re.compile(f"[{_NEVER}{_SELECTORS}\u200c\u200d]")
_ASCII: Final = bytes(range(128))
_JOINERS: Final = re.compile("[\u200c\u200d]+")
# Letters, marks, and symbols with their modifiers: what joiners join in names and emoji.
_JOINED: Final = frozenset({"L", "M", "S"})


def clean(text: str) -> str:
    """`text` without zero-width and bidi controls, tags, runs of variation selectors and fillers.

    A joiner stays where it joins letters or emoji; letters of every direction stay.
    """
    if not _may_hide_something(text):
        return text
    return _JOINERS.sub(_joiner, _SELECTOR_RUN.sub("", _INVISIBLE.sub("", text)))


def _may_hide_something(text: str) -> bool:
    """Most text is Latin-1, which has the soft hyphen alone; most of any other is ASCII."""
    if text.isascii():
        return False
    try:
        return b"\xad" in text.encode("latin-1")
    except UnicodeEncodeError:
        beyond_ascii = text.encode().translate(None, _ASCII).decode()
        return _SUSPECT.search(beyond_ascii) is not None


def _joiner(found: re.Match[str]) -> str:
    start, end = found.span()
    alone = end - start == 1
    before, after = found.string[max(start - 1, 0) : start], found.string[end : end + 1]
    return found[0] if alone and _joins(before) and _joins(after) else ""


def _joins(character: str) -> bool:
    return bool(character) and unicodedata.category(character)[0] in _JOINED
