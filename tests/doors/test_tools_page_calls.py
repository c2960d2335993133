"""Every call on the page of `dunning tools --markdown`, made against the demo that it speaks of."""

import json
import re
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import pytest

from adapters.persistence.database import open_engine
from adapters.persistence.demo import DemoOrganizations
from entrypoints.cli.tools_page import page_of
from entrypoints.container import Container
from entrypoints.seed.growth import grown
from entrypoints.settings import Settings
from tests.builders import NOW, StoppedClock
from tests.database import Database, migrated_database
from tests.doors.firms import ISSUER
from tests.doors.house import Caller, Door, House, open_house, settings_for

pytestmark = pytest.mark.anyio

CATALOGUE: Final = Container(settings=Settings()).catalogue()
READS: Final = [info.name for info in CATALOGUE.infos if info.read_only]
DESTRUCTIVE: Final = [info.name for info in CATALOGUE.infos if info.destructive]
WRITES: Final = [info.name for info in CATALOGUE.infos if info.name not in {*READS, *DESTRUCTIVE}]

_BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """What stands under one tool, to be pasted: a command, and the parameters of `tools/call`."""

    curl: str
    parameters: dict[str, Any]


def examples() -> dict[str, Example]:
    _, *sections = re.split(r"^### ", page_of(CATALOGUE.bounds, Settings()), flags=re.MULTILINE)
    blocks = [dict(_BLOCK.findall(section)) for section in sections]
    found = [Example(block["sh"], json.loads(block["json"])) for block in blocks]
    return {example.parameters["name"]: example for example in found}


EXAMPLES: Final = examples()


@dataclass(frozen=True, slots=True)
class Stage:
    """The service over the demo, and the demo's owner."""

    house: House
    store: DemoOrganizations
    owner: Caller

    async def plant(self) -> None:
        """Undo whatever was done in the organisation of the examples."""
        first, *_ = grown(issuer=ISSUER, system_now=NOW)
        await self.store.replace(first)

    @property
    def doors(self) -> dict[Door, Callable[[str], Awaitable[str]]]:
        return {Door.REST: self.paste, Door.MCP: self.call}

    async def paste(self, name: str) -> str:
        """How REST answers the command, in a few words: nothing where it is a success."""
        arguments = shlex.split(EXAMPLES[name].curl.replace("\\\n", " "))
        options = list(pairwise(arguments))
        (url,) = (one for one in arguments if one.startswith("http"))
        token = await self.house.token(self.owner, Door.REST)
        headers = (one.replace("$TOKEN", token) for flag, one in options if flag == "-H")
        answer = await self.house.http.request(
            next((one for flag, one in options if flag == "-X"), "GET"),
            url,
            headers=dict(one.split(": ", 1) for one in headers),
            content=next((one for flag, one in options if flag == "-d"), None),
        )
        return "" if answer.is_success else f"{answer.status_code} {answer.text}"

    async def call(self, name: str) -> str:
        """The same for the tool; a refusal is told by its code."""
        answer = await self.house.tool(self.owner, name, EXAMPLES[name].parameters["arguments"])
        return "" if answer.code is None else f"{answer.code} {answer.details}".removesuffix(" []")


def refused(answers: Mapping[tuple[str, Door], str]) -> dict[tuple[str, Door], str]:
    return {call: answer for call, answer in answers.items() if answer}


@pytest.fixture(scope="module")
def own_database(worker_id: str) -> Iterator[Database]:
    """A database in which no other test meets what is done to this demo."""
    with migrated_database(f"{worker_id}_examples") as database:
        yield database


@pytest.fixture(scope="module")
async def stage(own_database: Database) -> AsyncIterator[Stage]:
    engine, clock = open_engine(own_database.owner), StoppedClock()
    container = Container(settings=settings_for(own_database), clock=clock)
    first, second = grown(issuer=ISSUER, system_now=NOW)
    store = DemoOrganizations(engine)
    await store.replace(second)
    person = first.people[0]
    owner = Caller(
        subject=person.subject, client_id="some-client", organization_id=first.organization.id
    )
    async with open_house(container, clock) as house:
        yield Stage(house, store, owner)
    await engine.dispose()


def test_every_operation_has_an_example() -> None:
    assert sorted(EXAMPLES) == sorted(info.name for info in CATALOGUE.infos)


async def test_reads_succeed_through_both_doors(stage: Stage) -> None:
    await stage.plant()
    answers = {(name, door): await ask(name) for door, ask in stage.doors.items() for name in READS}
    assert refused(answers) == {}


async def test_writes_succeed_through_both_doors_one_after_another(stage: Stage) -> None:
    answers: dict[tuple[str, Door], str] = {}
    for door, ask in stage.doors.items():
        await stage.plant()
        answers |= {(name, door): await ask(name) for name in WRITES}
    assert refused(answers) == {}


async def test_destructive_tools_ask_for_confirmation(stage: Stage) -> None:
    await stage.plant()
    answers = {name: await stage.call(name) for name in DESTRUCTIVE}
    assert answers == dict.fromkeys(DESTRUCTIVE, "confirmation_required")


async def test_destructive_commands_do_what_they_say(stage: Stage) -> None:
    answers: dict[tuple[str, Door], str] = {}
    spent: set[str] = set()
    await stage.plant()
    for name in DESTRUCTIVE:
        row = EXAMPLES[name].parameters["arguments"]["id"]
        if row in spent:
            await stage.plant()
            spent.clear()
        answers[name, Door.REST] = await stage.paste(name)
        spent.add(row)
    assert refused(answers) == {}
