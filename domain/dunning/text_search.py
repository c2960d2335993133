"""The shadow of a text in which it is searched: no case, no accents, no typographic variants."""

import unicodedata
from collections.abc import Iterable


def fold(text: str) -> str:
    """`text` in NFKD, case-folded, without marks, words parted by one space."""
    # NFKD may yield capitals and folding may yield marks, so each is done around the other.
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    bare = "".join(sign for sign in folded if unicodedata.category(sign) != "Mn")
    return " ".join(bare.split())


def search_text(parts: Iterable[str | None]) -> str:
    """The shadow of several fields as one; absent ones leave no trace."""
    return fold(" ".join(part for part in parts if part))
