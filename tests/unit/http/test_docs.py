"""The documentation of the REST API: complete, self-contained, correct, and safe to open."""

import re
import shlex
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

import httpx
import msgspec
import pytest
from jsonschema import Draft202012Validator
from litestar import Litestar
from openapi_spec_validator import validate

import application.dunning
from adapters.http.docs import docs_handlers
from adapters.http.docs_page.rendering import page_of
from adapters.v1.bound import BoundV1
from adapters.v1.catalogue import V1Catalogue
from adapters.v1.openapi import Publication, openapi_document
from adapters.v1.statuses import STATUS_OF
from application.operations.call import Call
from application.operations.declaration import operation
from application.operations.discover import declared_in
from application.operations.fields import Input, One, View, about
from application.strict_json import strict_json
from tests.unit.v1 import samples

PUBLIC_URL = "https://dunning.example.com"
PUBLICATION = Publication(title="Dunning API", version="0.1.0", public_url=PUBLIC_URL)
CSP = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
PATHS = ("/v1/docs", "/v1/docs/style.css", "/v1/openapi.json")
PRODUCT = V1Catalogue(declared_in(application.dunning))
DOCUMENT = openapi_document(PRODUCT, PUBLICATION)
PAGE = page_of("/v1", DOCUMENT).decode()
SAMPLES = V1Catalogue(samples.OPERATIONS)
SAMPLE_PAGE = page_of("/v1", openapi_document(SAMPLES, PUBLICATION)).decode()
SHOWN = [
    pytest.param(bound, page, id=f"{room}:{bound.operation.info.name}")
    for room, catalogue, page in (("product", PRODUCT, PAGE), ("sample", SAMPLES, SAMPLE_PAGE))
    for bound in catalogue.bounds
]

pytestmark = pytest.mark.anyio


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    app = Litestar(docs_handlers("/v1", DOCUMENT), openapi_config=None, logging_config=None)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type] # Litestar's ASGI types are narrower
    async with httpx.AsyncClient(transport=transport, base_url=PUBLIC_URL) as client:
        yield client


class Seen(HTMLParser):
    """Everything on a page: what its elements are, whether they close, its text."""

    EMPTY = frozenset({"meta", "link", "br", "hr", "img", "input"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.code: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in self.EMPTY:
            self.open.append(tag)
        if tag == "pre":
            self.code.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "pre" in self.open:
            self.code[-1] += data

    def values(self, attribute: str) -> list[str]:
        return [value for name, value in self.attributes if name == attribute]


@dataclass(frozen=True, slots=True)
class Command:
    method: str
    url: str
    headers: Mapping[str, str]
    body: object


def command_on(part: str) -> Command:
    """The curl command of an operation, read as a shell would."""
    [code] = [code for code in Seen(part).code if code.startswith("curl")]
    words = shlex.split(code.replace("\\\n", " "))
    values: dict[str, list[str]] = {"-X": [], "-H": [], "-d": []}
    address = ""
    rest = iter(words[1:])
    for word in rest:
        if word in values:
            values[word].append(next(rest))
        else:
            address = word
    method = values["-X"][0] if values["-X"] else "GET"
    headers = dict(header.split(": ", 1) for header in values["-H"])
    body = strict_json(values["-d"][0].encode()) if values["-d"] else None
    return Command(method, address, headers, body)


def part_of(page: str, bound: BoundV1) -> str:
    """The part of the page that describes one operation."""
    _, _, after = page.partition(f'<article class="operation" id="{bound.operation.info.name}">')
    return after.partition("</article>")[0]


@pytest.mark.parametrize("path", PATHS)
async def test_everything_is_open_and_tells_browsers_to_run_and_load_nothing_else(
    http: httpx.AsyncClient, path: str
) -> None:
    got = await http.get(path)

    assert got.status_code == 200
    assert got.headers["content-security-policy"] == CSP
    assert got.headers["x-content-type-options"] == "nosniff"
    assert got.headers["referrer-policy"] == "no-referrer"


async def test_each_part_has_its_type_and_only_the_document_is_for_any_origin(
    http: httpx.AsyncClient,
) -> None:
    page, style, document = [await http.get(path) for path in PATHS]

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert style.headers["content-type"] == "text/css; charset=utf-8"
    assert document.headers["content-type"] == "application/json"
    assert document.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in page.headers
    assert document.json() == msgspec.json.decode(msgspec.json.encode(DOCUMENT))


@pytest.mark.parametrize("path", PATHS)
async def test_head_answers_as_get_does_without_the_body(
    http: httpx.AsyncClient, path: str
) -> None:
    got, head = await http.get(path), await http.head(path)

    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == str(len(got.content))


async def test_the_page_names_the_style_sheet_and_the_document_that_are_served(
    http: httpx.AsyncClient,
) -> None:
    linked = [link for link in Seen(PAGE).values("href") if link.startswith("/v1/")]

    assert set(linked) == {"/v1/docs/style.css", "/v1/openapi.json"}
    assert [(await http.get(link)).status_code for link in linked] == [200, 200]


def test_the_page_is_well_formed_without_script_or_inline_style() -> None:
    seen = Seen(PAGE)

    assert seen.open == []
    assert not {"script", "style", "iframe", "img", "form"} & seen.tags
    assert not [name for name, _ in seen.attributes if name == "style" or name.startswith("on")]


async def test_nothing_on_the_page_leads_elsewhere(http: httpx.AsyncClient) -> None:
    style = (await http.get("/v1/docs/style.css")).text
    addresses = re.findall(r"[a-z]+://[^\s<\"'&]+", PAGE + style)

    assert addresses
    assert [one for one in addresses if not one.startswith(PUBLIC_URL)] == []
    assert not re.search(r"@import|url\(", style)
    assert all(link[0] in "#/" and not link.startswith("//") for link in Seen(PAGE).values("href"))


def test_every_link_within_the_page_has_one_target() -> None:
    seen = Seen(PAGE)
    ids = seen.values("id")

    assert len(ids) == len(set(ids))
    assert {link[1:] for link in seen.values("href") if link.startswith("#")} <= set(ids)


@pytest.mark.parametrize(("bound", "page"), SHOWN)
def test_every_operation_is_on_the_page_with_its_fields_rights_and_errors(
    bound: BoundV1, page: str
) -> None:
    info = bound.operation.info
    text = Seen(part_of(page, bound)).text
    fields = (*bound.route.path_params, *bound.route.query, *bound.route.body)

    assert f"#{info.name}" in Seen(page).values("href")
    for expected in (
        info.title,
        info.method,
        bound.route.path,
        info.description,
        info.permission or "any",
        str(bound.operation.status),
        *info.scopes,
        *bound.operation.refuses,
        *(field.name for field in fields),
    ):
        assert expected in text


def test_every_member_of_an_answer_is_on_the_page() -> None:
    text = Seen(PAGE).text
    schemas = DOCUMENT["components"]["schemas"]
    members = {name for schema in schemas.values() for name in schema["properties"]}

    assert [name for name in members if name not in text] == []


def test_an_answer_that_waits_for_a_second_person_is_on_the_page() -> None:
    [write_off] = [b for b in PRODUCT.bounds if b.route.path == "/v1/charges/{id}/write_off"]
    seen = Seen(part_of(PAGE, write_off))

    assert "Answer 200 OK" in seen.text
    assert "Answer 202 Accepted: a second person has to approve it" in seen.text
    assert {"#ChargeView", "#ApprovalView"} <= set(seen.values("href"))


def test_the_values_that_a_member_of_an_answer_may_have_are_on_the_page() -> None:
    _, _, part = SAMPLE_PAGE.partition('<article class="object" id="ChargeView">')

    assert "pending overdue" in " ".join(Seen(part.partition("</article>")[0]).text.split())


def test_roles_are_those_that_have_the_permission() -> None:
    [cancel] = [b for b in PRODUCT.bounds if b.operation.info.permission == "charges.cancel"]

    assert cancel.openapi["x-roles"] == ["owner", "admin", "manager"]
    assert "owner, admin, manager" in Seen(part_of(PAGE, cancel)).text


def test_every_code_that_an_operation_may_answer_is_explained() -> None:
    described = DOCUMENT["components"]["schemas"]["Error"]["properties"]["error"]["properties"]
    meanings = described["code"]["x-enumDescriptions"]

    assert meanings.keys() == STATUS_OF.keys()
    assert meanings["NOT_FOUND"] in Seen(PAGE).text


@pytest.mark.parametrize(("bound", "page"), SHOWN)
def test_the_example_of_an_operation_is_a_request_that_the_operation_reads(
    bound: BoundV1, page: str
) -> None:
    command = command_on(part_of(page, bound))
    info, route = bound.operation.info, bound.route
    url = urlsplit(command.url)
    template = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", route.path)
    path = re.fullmatch(template, url.path)
    assert path is not None

    raw = route.gather(path.groupdict(), parse_qsl(url.query), command.body)
    read = bound.read(raw, header_key=command.headers.get("Idempotency-Key"))

    assert command.method == info.method
    assert command.url.startswith(f"{PUBLIC_URL}/v1/")
    assert command.headers["Authorization"] == "Bearer $TOKEN"
    assert ("Content-Type" in command.headers) is (command.body is not None)
    assert (read.key is not None) is info.key_required


def test_the_examples_of_bodies_fit_their_schemas() -> None:
    bodies = [
        bound.openapi["requestBody"]["content"]["application/json"]
        for bound in (*PRODUCT.bounds, *SAMPLES.bounds)
        if "requestBody" in bound.openapi
    ]

    assert bodies
    for body in bodies:
        Draft202012Validator(body["schema"]).validate(body["example"])


def test_the_document_of_the_product_is_valid_openapi() -> None:
    validate(DOCUMENT)


def test_the_example_of_an_error_fits_its_schema() -> None:
    error = DOCUMENT["components"]["schemas"]["Error"]

    Draft202012Validator(error).validate(error["examples"][0])


def test_addresses_of_the_issuer_are_shown_where_the_document_has_them() -> None:
    issuer = "https://issuer.example.com"
    publication = Publication(
        title="Dunning API",
        version="0.1.0",
        public_url=PUBLIC_URL,
        authorization_url=f"{issuer}/authorize",
        token_url=f"{issuer}/token",
    )
    seen = Seen(page_of("/v1", openapi_document(PRODUCT, publication)).decode())

    assert f"{issuer}/authorize" in seen.text
    assert f"{issuer}/token" in seen.text
    assert issuer not in "".join(seen.values("href"))


def test_a_public_url_with_a_path_keeps_its_links_below_it() -> None:
    publication = Publication(title="x", version="1", public_url=f"{PUBLIC_URL}/pay")
    page = page_of("/pay/v1", openapi_document(PRODUCT, publication)).decode()
    links = Seen(page).values("href")

    assert {"/pay/v1/docs/style.css", "/pay/v1/openapi.json"} <= set(links)
    assert "/.well-known/oauth-protected-resource/pay/v1" in links
    assert f"{PUBLIC_URL}/pay/v1/me" in page
    assert f"<code>{PUBLIC_URL}/pay/v1</code>" in page


HOSTILE = "</p><script>alert('1')</script><img src=x onerror=alert(1)> {{ 7 * 7 }} `<b>`"


class Odd(View):
    """</td><script>alert(2)</script>"""  # noqa: D400 -- hostile on purpose

    value: int


class OddInput(Input):
    value: Annotated[str, msgspec.Meta(max_length=10), about(HOSTILE)]


def test_hostile_text_in_a_declaration_stays_text() -> None:
    @operation("odd", "POST /odd", title=HOSTILE, description=HOSTILE, permission=None)
    async def odd(_call: Call, _wanted: OddInput) -> One[Odd]:
        raise NotImplementedError

    publication = Publication(title=HOSTILE, version=HOSTILE, public_url=PUBLIC_URL)
    page = page_of("/v1", openapi_document(V1Catalogue([odd]), publication)).decode()
    seen = Seen(page)

    assert seen.open == []
    assert not {"script", "img", "b"} & seen.tags
    assert "{{ 7 * 7 }}" in seen.text
    assert "alert(2)" in seen.text


def test_nested_members_stand_deeper_than_what_they_belong_to() -> None:
    rows = re.findall(r'class="depth-(\d)"><code>(\w+)</code>', PAGE)
    depth = {name: level for level, name in rows}

    assert (depth["terms"], depth["discounts"], depth["days_before"]) == ("0", "1", "2")
