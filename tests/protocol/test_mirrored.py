"""Arguments that headers repeat, and the declarations of them."""

from base64 import b64encode
from typing import Any

import pytest

from application.mcp.mirrored import MirroredParam, mirrored_params
from tests.protocol.fixtures import House, Sent, error, legacy, modern
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio


def call(arguments: dict[str, Any], **headers: str | tuple[str, ...]) -> Sent:
    sent = modern("tools/call", {"name": "shelf_find", "arguments": arguments})
    for name, values in headers.items():
        several = (values,) if isinstance(values, str) else values
        sent = sent.with_header(f"mcp-param-{name}", *several)
    return sent


def encoded(value: str) -> str:
    return f"=?base64?{b64encode(value.encode()).decode()}?="


@proves("param.agrees")
@pytest.mark.parametrize(
    "sent",
    [
        call({}),
        call({"room": None, "at": None}),
        call({"room": "a b"}, room="a b"),
        call({"room": "é"}, Room=encoded("é")),
        call({"room": ""}, room=""),
        call({"at": {"row": 42}}, row="42"),
        call({"at": {"row": 42}}, row="42.0"),
        call({"at": {"row": "42"}}, row="42"),
        call({"at": {"row": -7, "lit": True}}, row="-7", lit="true"),
        call({"at": {"lit": False}}, lit="false"),
        call({"at": "odd"}),
    ],
)
async def test_headers_that_repeat_their_arguments_are_fine(sent: Sent) -> None:
    assert (await sent.to(House())).status == 200


@proves("param.agrees", "era.mismatch-data")
@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (call({"room": "a"}), "(missing)"),
        (call({"at": {"lit": False}}), "(missing)"),
        (call({}, room="a"), "a"),
        (call({"room": None}, room="null"), "null"),
        (call({"room": "a"}, room="A"), "A"),
        (call({"room": "a"}, room=("a", "a")), "a, a"),
        (call({"room": "a"}, room="=?base64?YQ?="), "=?base64?YQ?="),
        (call({"room": "é"}, room="é"), "é"),
        (call({"at": {"row": 42}}, row="43"), "43"),
        (call({"at": {"row": 42}}, row="4_2"), "4_2"),
        (call({"at": {"row": 42}}, row=encoded("\uff14\uff12")), encoded("\uff14\uff12")),
        (call({"at": {"row": 1}}, row="true"), "true"),
        (call({"at": {"row": 42}}, row="1e9999999"), "1e9999999"),
        (call({"at": {"lit": True}}, lit="1"), "1"),
        (call({"at": {"lit": True}}, lit="True"), "True"),
        (call({"room": ["a"]}, room="a"), "a"),
    ],
)
async def test_a_header_that_says_something_else_runs_nothing(sent: Sent, told: str) -> None:
    house = House()
    reply = await sent.to(house)
    assert (reply.status, error(reply)["code"]) == (400, -32020)
    assert error(reply)["data"]["mismatch"]["header"] == told
    assert "Mcp-Param-" in error(reply)["data"]["mismatch"]["body"]
    assert house.books.calls == []


@proves("param.agrees")
async def test_headers_of_undeclared_parameters_are_ignored() -> None:
    assert (await call({}, Elsewhere="x").to(House())).status == 200


@proves("era.legacy-headers")
async def test_legacy_calls_have_no_mirrored_headers() -> None:
    sent = legacy("tools/call", {"name": "shelf_find", "arguments": {"room": "a"}})
    assert (await sent.to(House())).status == 200


def schema(**properties: object) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


REGION = {"type": "string", "x-mcp-header": "Region"}


@proves("param.declared")
def test_declarations_are_found_by_their_path() -> None:
    found = mirrored_params(
        schema(
            region=REGION,
            deep=schema(properties=schema(n={"type": "integer", "x-mcp-header": "N"})),
            default={"type": "string", "default": {"x-mcp-header": "data"}},
        )
    )
    assert found == (
        MirroredParam("Mcp-Param-Region", ("region",)),
        MirroredParam("Mcp-Param-N", ("deep", "properties", "n")),
    )


@proves("param.declared")
@pytest.mark.parametrize(
    "declared",
    [
        schema(a={"type": "string", "x-mcp-header": ""}),
        schema(a={"type": "string", "x-mcp-header": "a b"}),
        schema(a={"type": "string", "x-mcp-header": "a\r\n"}),
        schema(a={"type": "string", "x-mcp-header": 5}),
        schema(a={"type": "number", "x-mcp-header": "A"}),
        schema(a={"type": "object", "x-mcp-header": "A"}),
        schema(a=REGION, b={"type": "string", "x-mcp-header": "REGION"}),
        schema(a={"type": "array", "items": REGION}),
        schema(a={"anyOf": [REGION]}),
        schema(a={"anyOf": [schema(b=REGION)]}),
        {"type": "object", "if": schema(a=REGION)},
        {"type": "object", "$defs": {"region": REGION}},
    ],
)
def test_wrong_declarations_stop_the_start(declared: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="x-mcp-header"):
        mirrored_params(declared)
