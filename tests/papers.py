"""What is on a PDF, as text."""

import io
import re
from typing import Any, Final

from pypdf import PdfReader

HOSTILE: Final = '#eval("1+1") *bold* $x^2$ \\ // <b> `raw` @ref _sub_ [body] #{sys.inputs}'
"""What would be markup, anywhere else."""

_BLANKS: Final = re.compile(r"\s+")


def read(pdf: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(pdf))


def catalog_of(pdf: bytes) -> dict[str, Any]:
    """The entries of the document as a whole."""
    root: dict[str, Any] = read(pdf).trailer["/Root"]  # type: ignore[assignment]  # a dictionary
    return root


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page, with single blanks."""
    return [_plain(page.extract_text()) for page in read(pdf).pages]


def text_of(pdf: bytes) -> str:
    return " ".join(pages_of(pdf))


def unbroken(text: str) -> str:
    """Without any blanks: lines end where they have to."""
    return _BLANKS.sub("", text)


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text)
