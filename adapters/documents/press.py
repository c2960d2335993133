"""Lays one document out, in a process of its own: an order comes in, a PDF goes out.

Values reach a template as JSON data, never as markup, so whatever somebody wrote into a name comes
out as text. Templates and fonts are the files of this package and nothing else is read: the same
values give the same bytes on every machine.

This file runs by itself, so it knows nothing of the rest of the service.
"""

import json
import sys
from functools import cache
from pathlib import Path
from typing import Final, TypedDict

import typst

_HERE: Final = Path(__file__).parent
_TEMPLATES: Final = _HERE / "templates"
# To be kept for years, and to be read aloud.
_ARCHIVED: Final["list[typst.PDFStandard]"] = ["a-2a", "ua-1"]


class Order(TypedDict):
    """What is to be laid out: a template, JSON of its values, and Unix seconds of when it says."""

    kind: str
    values: str
    at: int


def lay_out(order: Order) -> bytes:
    """The PDF: tagged, and fit for archives where the fonts have every character."""
    try:
        return _compiled(order, _ARCHIVED)
    except typst.TypstError:
        # These standards forbid what stands in for a missing character: an empty box.
        return _compiled(order, [])


def _compiled(order: Order, standards: "list[typst.PDFStandard]") -> bytes:
    return typst.compile(
        _TEMPLATES / f"{order['kind']}.typ",
        root=_TEMPLATES,
        font_paths=_fonts(),
        ignore_system_fonts=True,
        format="pdf",
        sys_inputs={"values": order["values"]},
        pdf_standards=standards,
        timestamp=order["at"],
    )


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=[_HERE / "fonts"]
    )


if __name__ == "__main__":
    sys.stdout.buffer.write(lay_out(json.load(sys.stdin.buffer)))
