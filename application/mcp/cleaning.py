"""Text without the characters that nobody sees: they carry orders to a model past its reader."""

import re
import unicodedata
from typing import Final

_SOFT_HYPHEN: Final = "\u00ad"
_INVISIBLE: Final = re.compile(
    "["
    "\u00ad\u034f\u180e\u200b\u2060-\u2064\ufeff"  # no width
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction
    "\u206a-\u206f\ufff9-\ufffb\U0001d173-\U0001d17a"  # formats of their own
    "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # fillers
    "\U000e0000-\U000e007f"  # tags
    "]+"
    # One selector chooses the look of a character; several in a row spell bytes.
    "|[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)
_JOINERS: Final = re.compile("[\u200c\u200d]+")
# Letters, marks, and symbols with their modifiers: what joiners join in names and emoji.
_JOINED: Final = frozenset({"L", "M", "S"})


def clean(text: str) -> str:
    """`text` without zero-width and bidi controls, tags, runs of variation selectors and fillers.

    A joiner stays where it joins letters or emoji; letters of every direction stay.
    """
    if text.isascii():
        return text
    if _is_latin(text):
        return text.replace(_SOFT_HYPHEN, "")
    return _JOINERS.sub(_joiner, _INVISIBLE.sub("", text))


def _is_latin(text: str) -> bool:
    """Whether all of it is Latin-1, where the only such character is the soft hyphen."""
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


def _joiner(found: re.Match[str]) -> str:
    start, end = found.span()
    alone = end - start == 1
    before, after = found.string[max(start - 1, 0) : start], found.string[end : end + 1]
    return found[0] if alone and _joins(before) and _joins(after) else ""


def _joins(character: str) -> bool:
    return bool(character) and unicodedata.category(character)[0] in _JOINED
