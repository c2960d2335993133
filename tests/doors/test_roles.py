"""Operations x roles x scopes: both doors agree, and the list is what may be called."""

from typing import Final

import pytest

from domain.access.roles import Role
from tests.builders import IDS
from tests.doors.firms import Firm, Ledger, Pair, a_program, things
from tests.doors.house import PUBLIC_URL, Answer, Caller, Door, House
from tests.doors.requests import COLUMNS, INTEGRATION, OPERATIONS, ROWS

pytestmark = pytest.mark.anyio

SCOPES: Final = {row.scope for row in ROWS.values() if row.scope is not None}
CHALLENGE: Final = (
    'Bearer error="insufficient_scope", scope="{scope}", '
    f'resource_metadata="{PUBLIC_URL}/.well-known/oauth-protected-resource/{{door}}"'
)


def without(scope: str | None) -> tuple[str, ...]:
    """Every scope that the operations need, but this one."""
    return tuple(SCOPES - {scope})


async def asked(
    house: House, ledger: Ledger, firm: Firm, caller: Caller, operation: str
) -> dict[Door, Answer]:
    """The same good request through each door, each about a charge of its own."""
    answers = {}
    for door in Door:
        known = await things(ledger, firm)
        arguments = ROWS[operation].arguments(known)
        answers[door] = await house.call(door, caller, operation, arguments)
    return answers


async def denied_lines(ledger: Ledger, firm: Firm) -> list[tuple[str, str, str]]:
    lines = await ledger.audit(firm.id)
    return sorted(
        (line["action"], line["code"], line["via"]) for line in lines if line["outcome"] == "denied"
    )


async def test_every_operation_stands_in_the_table(house: House) -> None:
    assert set(OPERATIONS) == set(house.routes)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("operation", OPERATIONS)
async def test_whoever_may_is_answered_at_both_doors_and_nobody_else(
    house: House, ledger: Ledger, pair: Pair, operation: str, column: str
) -> None:
    answers = await asked(house, ledger, pair.a, pair.a.caller(column), operation)
    rest, mcp = answers[Door.REST], answers[Door.MCP]
    if column not in ROWS[operation].columns:
        assert (rest.status, rest.code) == (403, "PERMISSION_DENIED")
        assert (mcp.status, mcp.code) == (400, -32602)
        assert mcp.error["message"] == f"Unknown tool: {operation}"
    elif ROWS[operation].kind == "confirmed":
        assert rest.status == ROWS[operation].status
        assert (mcp.status, mcp.code) == (200, "confirmation_required")
    else:
        assert rest.status == ROWS[operation].status
        assert (mcp.status, mcp.code) == (200, None)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("operation", OPERATIONS)
async def test_a_token_without_the_scope_is_told_what_to_ask_for(
    house: House, ledger: Ledger, pair: Pair, operation: str, column: str
) -> None:
    caller = pair.a.caller(column).with_scopes(*without(ROWS[operation].scope))
    answers = await asked(house, ledger, pair.a, caller, operation)
    rest, mcp = answers[Door.REST], answers[Door.MCP]
    if operation == "dunning_me":
        assert (rest.status, mcp.status, mcp.code) == (200, 200, None)
    elif column not in ROWS[operation].columns:
        assert (rest.status, rest.code) == (403, "PERMISSION_DENIED")
        assert (mcp.status, mcp.code) == (400, -32602)
    else:
        scope = ROWS[operation].scope
        assert (rest.status, rest.code) == (403, "SCOPE_MISSING")
        assert rest.details == [(scope, "scope_missing")]
        assert (mcp.status, mcp.code) == (403, 403)
        assert mcp.error["data"] == {"error": "insufficient_scope", "scope": scope}
        for door, answer in answers.items():
            challenge = CHALLENGE.format(scope=scope, door=door)
            assert answer.headers["www-authenticate"] == challenge


@pytest.mark.parametrize("column", COLUMNS)
async def test_the_list_is_what_may_be_called(house: House, pair: Pair, column: str) -> None:
    caller = pair.a.caller(column)
    callable_ones = {name for name, row in ROWS.items() if column in row.columns}
    assert {tool["name"] for tool in await house.tools(caller)} == callable_ones
    for scope in SCOPES:
        narrowed = caller.with_scopes(*without(scope))
        listed = {tool["name"] for tool in await house.tools(narrowed)}
        assert listed == {name for name in callable_ones if ROWS[name].scope != scope}


async def test_an_address_that_shows_less_hides_the_rest(house: House, pair: Pair) -> None:
    reads = {tool["name"] for tool in await house.tools(pair.a.owner, "?readonly=true")}
    assert reads == {name for name, row in ROWS.items() if row.kind == "read"}
    debtors = {tool["name"] for tool in await house.tools(pair.a.owner, "?toolsets=debtors")}
    of_debtors = {name for name, (_, path) in house.routes.items() if path.startswith("/debtors")}
    assert debtors == {"dunning_me", *of_debtors}


@pytest.mark.parametrize(
    ("column", "scope", "code"),
    [
        ("viewer", "dunning.all", "PERMISSION_DENIED"),
        ("owner", "dunning.read", "SCOPE_MISSING"),
    ],
)
async def test_a_refusal_is_written_down_in_the_callers_organisation_only(
    house: House, ledger: Ledger, pair: Pair, *, column: str, scope: str, code: str
) -> None:
    caller = pair.a.caller(column).with_scopes(scope)
    await asked(house, ledger, pair.a, caller, "dunning_charges_create")
    expected = [("dunning_charges_create", code, via) for via in ("mcp", "rest")]
    assert await denied_lines(ledger, pair.a) == expected
    assert await ledger.audit(pair.b.id) == []
    (line, _) = await ledger.audit(pair.a.id)
    assert line["actor_id"] == pair.a.creditor.members[Role(column)].id
    assert line["ip"] == "192.0.2.7"


@pytest.mark.parametrize("named", ["chg_\0", "529.982.247-25", "chg_1", f"CHG_{'0' * 26}"])
async def test_only_an_id_is_written_down_as_what_was_asked_for(
    house: House, ledger: Ledger, pair: Pair, named: str
) -> None:
    arguments = {"id": named, "reason": "issued_in_error"}
    # In a path NUL is %00, which the client leaves as it is.
    in_path = {**arguments, "id": named.replace("\0", "%00")}
    rest = await house.rest(pair.a.caller("viewer"), "dunning_charges_cancel", in_path)
    mcp = await house.tool(pair.a.caller("viewer"), "dunning_charges_cancel", arguments)
    assert (rest.status, rest.code) == (403, "PERMISSION_DENIED")
    assert (mcp.status, mcp.code) == (400, -32602)
    assert mcp.error["message"] == "Unknown tool: dunning_charges_cancel"
    lines = [line for line in await ledger.audit(pair.a.id) if line["outcome"] == "denied"]
    assert [(line["resource"], line["via"]) for line in lines] == [(None, "rest"), (None, "mcp")]
    assert await ledger.audit(pair.b.id) == []


async def test_an_id_is_written_down_with_the_refusal(
    house: House, ledger: Ledger, pair: Pair
) -> None:
    charge_id = IDS.new("chg")
    for door in Door:
        arguments = {"id": charge_id, "reason": "issued_in_error"}
        await house.call(door, pair.a.caller("viewer"), "dunning_charges_cancel", arguments)
    assert [line["resource"] for line in await ledger.audit(pair.a.id)] == [charge_id] * 2


@pytest.mark.parametrize("door", Door)
async def test_who_is_told_who_they_are(house: House, pair: Pair, door: Door) -> None:
    narrowed = pair.a.person(pair.a.narrowed)
    me = (await house.call(door, narrowed, "dunning_me")).data
    assert me["organization"]["id"] == pair.a.id
    assert me["principal"] == {
        "type": "member",
        "id": pair.a.narrowed.id,
        "name": pair.a.narrowed.name,
        "role": "collector",
        "portfolio": "assigned",
    }
    client = (await house.call(door, pair.b.caller(INTEGRATION), "dunning_me")).data
    assert client["organization"]["id"] == pair.b.id
    assert client["principal"]["type"] == "api_client"
    assert "charges.cancel" in client["permissions"]
    assert "charges.write_off" not in client["permissions"]
    assert client["missing_scopes"] == []


@pytest.mark.parametrize(
    ("column", "ceiling"),
    [
        ("owner", "admin"),
        ("admin", "admin"),
        ("manager", "manager"),
        ("collector", "collector"),
        ("viewer", "collector"),
    ],
)
async def test_a_person_is_told_the_ceiling_that_holds_for_them(
    house: House, pair: Pair, column: str, ceiling: str
) -> None:
    settings = (await house.rest(pair.a.owner, "dunning_settings_get", {})).data
    me = (await house.rest(pair.a.caller(column), "dunning_me", {})).data
    assert me["limits"] == settings["role_limits"][ceiling]


@pytest.mark.parametrize(
    ("role", "ceiling"),
    [(Role.COLLECTOR, "collector"), (Role.MANAGER, "manager"), (Role.OWNER, "admin")],
)
async def test_a_program_is_told_the_ceiling_of_its_role(
    house: House, ledger: Ledger, pair: Pair, role: Role, ceiling: str
) -> None:
    caller = await a_program(ledger, pair.a, role)

    settings = (await house.rest(pair.a.owner, "dunning_settings_get", {})).data
    me = (await house.rest(caller, "dunning_me", {})).data

    assert (me["principal"]["type"], me["principal"]["role"]) == ("api_client", role)
    assert me["limits"] == settings["role_limits"][ceiling]


async def test_missing_scopes_are_those_that_the_role_could_use(house: House, pair: Pair) -> None:
    viewer = pair.a.caller("viewer").with_scopes("dunning.charges:read")
    me = (await house.rest(viewer, "dunning_me", {})).data
    assert me["scopes"] == ["dunning.charges:read"]
    assert "dunning.debtors:read" in me["missing_scopes"]
    assert "dunning.charges:create" not in me["missing_scopes"]
