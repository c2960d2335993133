"""What is written for people says what the code does."""

import re
from pathlib import Path
from typing import Final

from entrypoints.container import Container
from entrypoints.settings import Settings, settings_table

ROOT: Final = Path(__file__).parents[2]
README: Final = (ROOT / "README.md").read_text()
CHANGELOG: Final = (ROOT / "CHANGELOG.md").read_text()

_NOTHING: Final = "\N{EN DASH}"
_TABLE: Final = re.compile(r"<!-- settings -->\n(.*?)\n<!-- /settings -->", re.DOTALL)


def test_the_readme_has_the_settings_as_they_are() -> None:
    (table,) = _TABLE.findall(README)
    title, line, *rows = table.splitlines()
    assert (title, line) == ("| setting | default | meaning |", "|---|---|---|")
    assert rows == [
        f"| `{name}` | {f'`{default}`' if default else _NOTHING} | {meaning} |"
        for name, default, meaning in settings_table()
    ]


def test_the_example_environment_sets_what_somebody_reads() -> None:
    read = {name for name, _, _ in settings_table()}
    read |= set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    example = (ROOT / ".env.example").read_text()
    assert set(re.findall(r"^(?:# )?([A-Z_]+)=", example, re.MULTILINE)) <= read


def test_the_changelog_tells_of_every_operation() -> None:
    assert re.search(r"^## Unreleased\n\n### Added\n\n- ", CHANGELOG, re.MULTILINE)
    operations = [info.name for info in Container(settings=Settings()).catalogue().infos]
    missing = [one for one in operations if one.removeprefix("dunning_") not in CHANGELOG]
    assert missing == []
