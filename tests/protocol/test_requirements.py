"""The manifest itself: promises without tests, and tests without promises, are faults."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.e2e.requirements import HTTP_REQUIREMENTS
from tests.e2e.requirements_of_stdio import STDIO_REQUIREMENTS
from tests.protocol.requirements import REQUIREMENTS
from tests.protocol.requirements_of_names import NAMES_REQUIREMENTS
from tests.protocol.requirements_of_rounds import ROUNDS_REQUIREMENTS
from tests.protocol.requirements_of_streams import STREAMS_REQUIREMENTS

PROMISES = (
    *REQUIREMENTS,
    *NAMES_REQUIREMENTS,
    *ROUNDS_REQUIREMENTS,
    *STREAMS_REQUIREMENTS,
    *HTTP_REQUIREMENTS,
    *STDIO_REQUIREMENTS,
)
TESTS = Path(__file__).parents[1]
Test = ast.FunctionDef | ast.AsyncFunctionDef


def claims() -> Iterator[tuple[str, frozenset[str]]]:
    """Every test of this folder with the ids that it names; elsewhere those that name any."""
    for path in sorted(TESTS.rglob("test_*.py")):
        source = path.read_text()
        if path.parent.name != "protocol" and "tests.protocol.requirements" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, Test) and node.name.startswith("test_"):
                yield f"{path.name}::{node.name}", frozenset(_named(node))


def _named(test: Test) -> Iterator[str]:
    for decorator in test.decorator_list:
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "proves":
            yield from (ast.literal_eval(argument) for argument in decorator.args)


def test_each_requirement_is_listed_once() -> None:
    ids = [requirement.id for requirement in PROMISES]
    assert len(ids) == len(set(ids))


def test_each_requirement_has_a_test() -> None:
    proven = frozenset[str]().union(*(ids for _, ids in claims()))
    assert {requirement.id for requirement in PROMISES} - proven == set()


def test_each_test_names_requirements_that_exist() -> None:
    known = {requirement.id for requirement in PROMISES}
    about_the_manifest = Path(__file__).name
    wrong = {
        name: ids
        for name, ids in claims()
        if not name.startswith(about_the_manifest) and (not ids or not ids <= known)
    }
    assert wrong == {}
