"""Requests made up from the published document, good and bad ones, sent to the whole of `/v1`."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest
import schemathesis
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from adapters.persistence.database import open_engine
from adapters.persistence.work import OpenSqlWork
from adapters.v1.openapi import Publication, openapi_document
from entrypoints.app import build_app
from entrypoints.container import Container
from entrypoints.settings import Settings
from tests.builders import IDS, StoppedClock, a_charge, a_debtor
from tests.database import Database
from tests.doors.firms import Ledger, found_firm
from tests.doors.house import PUBLIC_URL, Door, settings_for

EXAMPLES: Final = 20

_VISIBLE: Final = re.compile("[!-~]{1,255}")


@dataclass(frozen=True, slots=True)
class Tenancy:
    """Somebody who may do everything, and what there is to do it to."""

    token: str
    debtor_id: str
    charge_id: str

    def put_in(self, case: schemathesis.Case[Any]) -> None:
        """Let a good request be about what there is."""
        if case.meta is None or not case.meta.generation.mode.is_positive:
            return
        there_is = {"charges": self.charge_id, "debtors": self.debtor_id}
        if "id" in case.path_parameters:
            resource = case.path.split("/")[2]
            case.path_parameters["id"] = there_is.get(resource, case.path_parameters["id"])
        if isinstance(case.body, dict) and "debtor_id" in case.body:
            case.body |= {"debtor_id": self.debtor_id}
            case.body.pop("assigned_member_id", None)


async def _settle(database: Database) -> Tenancy:
    owner = open_engine(database.owner)
    clock = StoppedClock()
    container = Container(settings=settings_for(database), clock=clock)
    try:
        firm = await found_firm(owner, "Colégio Aurora")
        debtor = a_debtor(firm.creditor)
        charge = a_charge(debtor)
        await Ledger(owner, OpenSqlWork(container.engine(), clock, IDS)).keep(firm, debtor, charge)
        bearer = firm.owner.bearer(Door.REST)
        return Tenancy(await container.issuer().mint(bearer), debtor.id, charge.id)
    finally:
        await container.engine().dispose()
        await owner.dispose()


@pytest.fixture(scope="module")
def tenancy(doors_database: Database) -> Tenancy:
    return asyncio.run(_settle(doors_database))


class Service:
    """The service of this worker: known to the tests before there is a database for it."""

    application: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.application(scope, receive, send)


SERVICE: Final = Service()


@pytest.fixture(scope="module")
def service(doors_database: Database) -> Iterator[None]:
    container = Container(settings=settings_for(doors_database), clock=StoppedClock())
    SERVICE.application = build_app(container)
    yield
    asgi.shutdown_lifespans()


def _published() -> schemathesis.BaseSchema:
    publication = Publication(title="Dunning", version="1", public_url=PUBLIC_URL)
    document = openapi_document(Container(settings=Settings()).catalogue(), publication)
    generation = GenerationConfig(max_examples=EXAMPLES, deterministic=True, database="none")
    project = ProjectConfig(generation=generation, base_url=PUBLIC_URL)
    config = SchemathesisConfig(seed=1, projects=ProjectsConfig(default=project))
    schema = schemathesis.openapi.from_dict(document, config=config)
    schema.app = SERVICE
    return schema


def leaves(value: object) -> Iterator[object]:
    """Every value in a part of a request that is no list or object."""
    if isinstance(value, Mapping):
        for member in value.values():
            yield from leaves(member)
    elif isinstance(value, list):
        for member in value:
            yield from leaves(member)
    else:
        yield value


def counts_as_absent(case: schemathesis.Case[Any]) -> bool:
    """Clients send null, an empty text or "null" for what they leave out: it is taken as that."""
    return any(leaf in (None, "", "null") for leaf in leaves([case.query, case.body]))


def has_an_odd_key(case: schemathesis.Case[Any]) -> bool:
    """The header asks for visible ASCII, which every client can send; more is taken, as in a body.

    A key is compared and never read.
    """
    return not _VISIBLE.fullmatch(str(dict(case.headers).get("Idempotency-Key", "-")))


# What a schema cannot say: rules across fields, decimals, centuries, NUL, commas inside of what
# commas part, rows that have to be there.
BEYOND_A_SCHEMA: Final = frozenset(
    {
        "conflicts_with",
        "duplicate",
        "invalid_characters",
        "invalid_date",
        "invalid_document",
        "invalid_email",
        "invalid_ddd",
        "invalid_landline",
        "invalid_mobile",
        "invalid_phone",
        "invalid_uf",
        "invalid_zipcode",
        "invalid_timestamp",
        "invalid_timezone",
        "invalid_url",
        "legal_limit",
        "not_found",
        "only_in_favour",
        "out_of_range",
        "personal_document",
        "required_with",
        "reused",
        "too_large",
        "too_many_decimals",
        "too_many_items",
        "too_short",
        "window_too_large",
    }
)


def refused_beyond_the_schema(response: schemathesis.Response) -> bool:
    """Whether every reason of a refusal is one that a schema has no word for."""
    if response.status_code != 422:
        return False
    codes = {detail["code"] for detail in response.json()["error"]["details"]}
    return codes <= BEYOND_A_SCHEMA


@pytest.mark.usefixtures("service")
@_published().parametrize()
def test_v1_keeps_what_its_document_promises(
    case: schemathesis.Case[Any], tenancy: Tenancy
) -> None:
    tenancy.put_in(case)
    response = case.call(headers={"Authorization": f"Bearer {tenancy.token}"})
    excluded: list[Any] = []
    if counts_as_absent(case) or has_an_odd_key(case):
        excluded.append(negative_data_rejection)
    if refused_beyond_the_schema(response):
        excluded.append(positive_data_acceptance)
    case.validate_response(response, excluded_checks=excluded)
