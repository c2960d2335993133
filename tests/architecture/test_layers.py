"""The shape of the code: layers, sizes, and suppressions that say why."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from importlinter.cli import lint_imports

ROOT: Final = Path(__file__).parents[2]
PRODUCT: Final = ("domain", "application", "adapters", "entrypoints")
FOLDERS: Final = (*PRODUCT, "tests")
LONGEST_FILE: Final = 400
LONGEST_FUNCTION: Final = 60

_SUPPRESSION: Final = re.compile(r"#\s*(?:noqa|type:\s*ignore|pragma)\b")
_CODED: Final = r"noqa: [A-Z]+\d+(?:, [A-Z]+\d+)*|type: ignore\[[a-z, -]+\]|pragma: [a-z ]+"
_EXPLAINED: Final = re.compile(rf"# (?:{_CODED})(?: --?| {{1,2}}#) \S.*")


def modules(*folders: str) -> Iterator[Path]:
    """Every Python file below these folders."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_contracts_on_imports_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    kept = lint_imports(no_cache=True) == 0
    assert kept, capsys.readouterr().out


def test_there_are_five_folders_and_no_more() -> None:
    visible = {entry.name for entry in ROOT.iterdir() if entry.is_dir()}
    assert {folder for folder in visible if not folder.startswith((".", "__"))} == set(FOLDERS)


def test_no_file_is_longer_than_can_be_read_at_once() -> None:
    lengths = {name(path): len(path.read_text().splitlines()) for path in modules(*FOLDERS)}
    assert {file: n for file, n in lengths.items() if n > LONGEST_FILE} == {}


def test_no_function_is_longer_than_a_screen() -> None:
    long = {}
    for path in modules(*FOLDERS):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    long[f"{name(path)}:{node.name}"] = lines
    assert long == {}


def test_no_module_is_a_drawer_for_everything() -> None:
    drawers = {"utils", "util", "helpers", "common", "misc", "shared"}
    found = [name(path) for path in modules(*FOLDERS) if drawers & {path.stem, path.parent.name}]
    assert found == []


def test_a_suppression_has_a_code_and_a_reason() -> None:
    silent = []
    for path in modules(*FOLDERS):
        with path.open("rb") as source:
            comments = [
                (token.start[0], token.string)
                for token in tokenize.tokenize(source.readline)
                if token.type == tokenize.COMMENT and _SUPPRESSION.match(token.string)
            ]
        silent += [
            f"{name(path)}:{n} {text}" for n, text in comments if not _EXPLAINED.search(text)
        ]
    assert silent == []


@pytest.mark.parametrize("folder", PRODUCT)
def test_every_module_says_what_it_is(folder: str) -> None:
    silent = []
    for path in modules(folder):
        source = path.read_text()
        if source and not ast.get_docstring(ast.parse(source)):
            silent.append(name(path))
    assert silent == []
