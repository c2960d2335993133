"""Stored text on one line, with every letter and nothing that hides."""

import pytest

from application.dunning.plain_text import one_line


@pytest.mark.parametrize(
    ("stored", "line"),
    [
        ("  Ana\n Maria\t\x00", "Ana Maria"),
        ("\u202eAna\u202c\u2066 B\u2069", "Ana B"),
        ("a\u200bb\u2060c\ufeff", "abc"),
        ("Ana \U000e0041\U000e0042", "Ana"),
        ("e\u0301", "\u00e9"),
        ("Z" + "\u0336" * 50, "Z" + "\u0336" * 4),
        ("\ue000\U000f0000 x", "x"),
        ("فاطمة שלום देवनागरी 山本", "فاطمة שלום देवनागरी 山本"),
        ("\u0645\u06cc\u200c\u062e\u0648", "\u0645\u06cc\u200c\u062e\u0648"),
        ("\U0001f469\u200d\U0001f467", "\U0001f469\u200d\U0001f467"),
        ('#eval("1") *b* $x$ \\', '#eval("1") *b* $x$ \\'),
    ],
)
def test_one_line(stored: str, line: str) -> None:
    assert one_line(stored) == line
