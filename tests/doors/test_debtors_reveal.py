"""What is masked is shown to whoever may see it, and who has seen it is written down."""

from dataclasses import asdict
from datetime import date
from typing import Any, Final

import pytest

from domain.access.roles import Role
from domain.access.scopes import SCOPES, UMBRELLAS, expand
from tests.builders import ADDRESS, a_contact_point, a_debtor
from tests.doors.firms import Firm, Ledger, Pair
from tests.doors.house import Answer, Caller, Door, House

pytestmark = pytest.mark.anyio

GET: Final = "dunning_debtors_get"
LIST: Final = "dunning_debtors_list"
REVEAL: Final = "dunning.debtors:reveal"
WHOLE: Final = "529.982.247-25"
MASKED: Final = "***.982.247-**"
PHONE: Final = "+5511912345678"
BORN: Final = "1980-02-29"
WHERE: Final = asdict(ADDRESS)
PLACE: Final = dict.fromkeys(WHERE) | {"city": "São Paulo", "uf": "SP"}


async def a_known_debtor(ledger: Ledger, firm: Firm) -> str:
    born = date.fromisoformat(BORN)
    debtor = a_debtor(firm.creditor, document=WHOLE, birth_date=born, address=ADDRESS)
    await ledger.keep(firm, debtor, a_contact_point(debtor, value=PHONE))
    return debtor.id


def seeing(caller: Caller) -> Caller:
    return caller.with_scopes("dunning.all", REVEAL)


async def read(
    house: House, door: Door, caller: Caller, debtor_id: str, reveal: str | None
) -> Answer:
    arguments = {"id": debtor_id} if reveal is None else {"id": debtor_id, "reveal": reveal}
    return await house.call(door, caller, GET, arguments)


def shown(answer: Answer) -> tuple[str, str | None]:
    """The document, and the first contact point's value where it is there."""
    return answer.data["document"], answer.data["contact_points"][0].get("value")


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize("reveal", [None, "", "null"])
async def test_masked_is_the_default_and_leaves_no_line(
    house: House, ledger: Ledger, pair: Pair, door: Door, reveal: str | None
) -> None:
    debtor_id = await a_known_debtor(ledger, pair.a)

    answer = await read(house, door, seeing(pair.a.owner), debtor_id, reveal)

    assert shown(answer) == (MASKED, None)
    assert answer.data["contact_points"][0]["value_masked"] == "+55 11 9****-5678"
    for secret in (WHOLE, "52998224725", "12345678", BORN, "Acácias", "01001000"):
        assert secret.encode() not in answer.raw
    assert await ledger.audit(pair.a.id) == []


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize(
    ("reveal", "expected"),
    [
        ("document", (WHOLE, None)),
        ("contacts", (MASKED, PHONE)),
        ("contacts,document", (WHOLE, PHONE)),
    ],
)
async def test_what_is_revealed_is_shown_and_written_down_in_the_callers_organisation(
    house: House,
    ledger: Ledger,
    pair: Pair,
    *,
    door: Door,
    reveal: str,
    expected: tuple[str, str | None],
) -> None:
    debtor_id = await a_known_debtor(ledger, pair.a)
    await a_known_debtor(ledger, pair.b)

    answer = await read(house, door, seeing(pair.a.caller("manager")), debtor_id, reveal)

    assert shown(answer) == expected
    (line,) = await ledger.audit(pair.a.id)
    assert (line["action"], line["outcome"], line["resource"]) == (GET, "ok", debtor_id)
    assert line["diff"]["reveal"] == reveal.split(",")
    assert line["scopes_used"] == ["dunning.debtors:read", REVEAL]
    assert line["actor_id"] == pair.a.creditor.members[Role.MANAGER].id
    assert "52998224725" not in str(line)
    assert await ledger.audit(pair.b.id) == await ledger.events(pair.a.id) == []


@pytest.mark.parametrize("door", Door)
async def test_a_list_reveals_documents_and_the_trail_says_whose(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    debtor_id = await a_known_debtor(ledger, pair.a)

    masked = await house.call(door, pair.a.owner, LIST)
    whole = await house.call(door, seeing(pair.a.owner), LIST, {"reveal": "document"})

    assert [one["document"] for one in (*masked.data, *whole.data)] == [MASKED, WHOLE]
    (line,) = await ledger.audit(pair.a.id)
    assert (line["action"], line["resource"], line["diff"]) == (
        LIST,
        None,
        {"reveal": ["document"], "ids": [debtor_id]},
    )
    assert await ledger.audit(pair.b.id) == []


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize(
    ("reveal", "expected"),
    [
        (None, (None, PLACE)),
        ("document", (BORN, PLACE)),
        ("contacts", (None, WHERE)),
        ("contacts,document", (BORN, WHERE)),
    ],
)
async def test_birth_date_goes_with_the_document_and_address_with_the_contacts(
    house: House,
    ledger: Ledger,
    pair: Pair,
    *,
    door: Door,
    reveal: str | None,
    expected: tuple[str | None, dict[str, str | None]],
) -> None:
    debtor_id = await a_known_debtor(ledger, pair.a)
    await a_known_debtor(ledger, pair.b)

    one = await read(house, door, seeing(pair.a.owner), debtor_id, reveal)
    arguments = {} if reveal is None else {"reveal": reveal}
    (listed,) = (await house.call(door, seeing(pair.a.owner), LIST, arguments)).data

    for found in (one.data, listed):
        assert (found["birth_date"], found["address"]) == expected
        assert found["uf"] == "SP"


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("dunning_debtors_lookup", {"document": WHOLE}),
        ("dunning_debtors_update", {"id": None, "notes": "Mudou."}),
        ("dunning_debtors_archive", {"id": None}),
    ],
)
async def test_what_cannot_be_asked_to_reveal_is_masked(
    house: House, ledger: Ledger, pair: Pair, operation: str, arguments: dict[str, Any]
) -> None:
    debtor_id = await a_known_debtor(ledger, pair.a)
    await a_known_debtor(ledger, pair.b)
    sent = arguments | ({"id": debtor_id} if "id" in arguments else {})

    answer = await house.rest(seeing(pair.a.owner), operation, sent)

    assert answer.data["id"] == debtor_id
    assert (answer.data["birth_date"], answer.data["address"]) == (None, PLACE)


@pytest.mark.parametrize("door", Door)
async def test_the_address_of_a_company_is_its_public_data(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    company = a_debtor(pair.a.creditor, document="11.222.333/0001-81", address=ADDRESS)
    await ledger.keep(pair.a, company)

    answer = await read(house, door, pair.a.owner, company.id, None)

    assert answer.data["address"] == WHERE


async def test_no_umbrella_has_the_scope_to_reveal() -> None:
    assert REVEAL in SCOPES
    assert all(REVEAL not in expand(frozenset({umbrella})) for umbrella in UMBRELLAS)


@pytest.mark.parametrize("umbrella", UMBRELLAS)
async def test_without_the_scope_the_token_is_told_what_to_ask_for(
    house: House, ledger: Ledger, pair: Pair, umbrella: str
) -> None:
    debtor_id = await a_known_debtor(ledger, pair.a)
    caller = pair.a.owner.with_scopes(umbrella)

    rest = await read(house, Door.REST, caller, debtor_id, "contacts")
    mcp = await read(house, Door.MCP, caller, debtor_id, "contacts")

    assert (rest.status, rest.code, rest.details) == (
        403,
        "SCOPE_MISSING",
        [(REVEAL, "scope_missing")],
    )
    assert (mcp.status, mcp.error["data"]["scope"]) == (403, REVEAL)
    lines = await ledger.audit(pair.a.id)
    assert [(line["outcome"], line["code"], line["resource"]) for line in lines] == [
        ("denied", "SCOPE_MISSING", debtor_id)
    ] * 2


@pytest.mark.parametrize(
    ("column", "reveal", "is_allowed"),
    [
        ("collector", "contacts", True),
        ("collector", "document", False),
        ("collector", "contacts,document", False),
        ("viewer", "contacts", False),
        ("integration", "contacts", False),
    ],
)
async def test_a_role_sees_what_it_may_and_is_told_that_the_rest_is_not_for_it(
    house: House, ledger: Ledger, pair: Pair, *, column: str, reveal: str, is_allowed: bool
) -> None:
    debtor_id = await a_known_debtor(ledger, pair.a)

    for door in Door:
        answer = await read(house, door, seeing(pair.a.caller(column)), debtor_id, reveal)
        if is_allowed:
            assert shown(answer) == (MASKED, PHONE)
        else:
            assert (answer.code, answer.details) == (
                "PERMISSION_DENIED",
                [("reveal", "not_allowed")],
            )
            assert b"12345678" not in answer.raw
    outcomes = {line["outcome"] for line in await ledger.audit(pair.a.id)}
    assert outcomes == ({"ok"} if is_allowed else {"denied"})


@pytest.mark.parametrize("door", Door)
async def test_what_is_not_there_reveals_nothing_and_is_written_down_as_refused(
    house: House, ledger: Ledger, pair: Pair, door: Door
) -> None:
    theirs = await a_known_debtor(ledger, pair.b)

    answer = await read(house, door, seeing(pair.a.owner), theirs, "document")

    assert answer.code == "NOT_FOUND"
    (line,) = await ledger.audit(pair.a.id)
    assert (line["outcome"], line["diff"]) == ("denied", {})
    assert await ledger.audit(pair.b.id) == []


BAD: Final[list[tuple[dict[str, Any], str]]] = [
    ({"reveal": "name"}, "not_allowed"),
    ({"reveal": "document,"}, "too_short"),
]


@pytest.mark.parametrize(("arguments", "code"), BAD)
async def test_nothing_else_is_there_to_be_revealed(
    house: House, pair: Pair, arguments: dict[str, Any], code: str
) -> None:
    for door in Door:
        answer = await house.call(door, seeing(pair.a.owner), LIST, arguments)
        assert answer.details == [("reveal", code)]
