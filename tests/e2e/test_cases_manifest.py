"""Every public bug report that applies to this service has a test with its number in its name.

Numbers that are missing are about what this service does not have.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]

APPLICABLE = frozenset(
    """
    a1 a2 a4 a6 a7 a8 a9 a11 a13 a14 a15 a17 a18 a21 a22 a24
    b1 b2 b3 b4 b6 b8 b10 b11 b13 b14 b15 b16 b19
    c1 c2 c3 c4 c6 c8 c10 c12 c13 c14 c15 c16 c17 c18 c19 c21 c24 c25
    d1 d2 d3 d4 d5 d7 d9 d10 d12
    e1 e2 e3 e4 e5 e7 e8 e9 e11 e13 e14 e16
    f1 f2 f3 f5 f6 f8 f9 f12
    g1 g3 g4 g5 g7 g8 g11
    h1 h2 h3 h6 h7
    i1 i2 i3 i5 i8 i10
    o1 o3 o4 o6 o7
    p1 p4 p5 p6
    """.split()  # noqa: SIM905 -- one line for each group of reports
)

_NUMBERS = re.compile(r"test((?:_[a-z][1-9][0-9]*)+)_[a-z]")

# The stories of the demo are numbered as well, in a way of their own: A-13 is a debtor there.
_STORIES = TESTS / "unit" / "seed"


def numbers_in(path: Path) -> Iterator[str]:
    """The reports that the names of a file's tests carry."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            named = _NUMBERS.match(node.name)
            if named is not None:
                yield from named[1].strip("_").split("_")


def test_each_report_has_a_test() -> None:
    told = {
        number
        for path in TESTS.rglob("test_*.py")
        if _STORIES not in path.parents
        for number in numbers_in(path)
    }

    assert sorted(APPLICABLE - told) == []
