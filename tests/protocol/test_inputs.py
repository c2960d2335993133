"""What a client can be asked for: its capabilities as it declares them, and the requests."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from application.mcp.inputs import (
    Ability,
    FormRequest,
    InputRequest,
    UrlRequest,
    abilities_of,
    capabilities_for,
)
from tests.protocol.anything import fast, json_values, now
from tests.protocol.fixtures import error, result
from tests.protocol.librarian import EVERYTHING, FORM, URL, Librarian, asked, lend, lending
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

ODD: tuple[object, ...] = (None, True, False, [], ["form"], "x", "", 0, 1, 1.5, [{}])


@proves("rounds.modes")
@pytest.mark.parametrize(
    ("declared", "modes"),
    [
        ({}, {"form"}),
        ({"form": {}}, {"form"}),
        ({"url": {}}, {"url"}),
        ({"form": {}, "url": {}}, {"form", "url"}),
        ({"form": {"any": ["member"]}}, {"form"}),
        ({"schemaValidation": True}, {"form"}),
        ({"video": {}}, {"form"}),
        ({"form": None, "url": {}}, {"url"}),
        ({"form": {}, "url": None}, {"form"}),
        ({"form": None, "url": None}, {"form"}),
    ],
)
def test_g7_elicitation_without_a_mode_means_forms(
    declared: Mapping[str, object], modes: set[str]
) -> None:
    assert abilities_of({"elicitation": declared}) == modes


@proves("rounds.modes", "era.capabilities-odd")
@pytest.mark.parametrize("odd", [odd for odd in ODD if odd is not None])
def test_g7_a_mode_that_cannot_be_read_is_not_taken_for_another(odd: object) -> None:
    assert abilities_of({"elicitation": {"form": odd}}) == set()
    assert abilities_of({"elicitation": {"url": odd}}) == set()
    assert abilities_of({"elicitation": {"form": odd, "url": {}}}) == {"url"}
    assert abilities_of({"elicitation": {"form": {}, "url": odd}}) == {"form"}


@proves("era.capabilities-odd")
@pytest.mark.parametrize("odd", ODD)
def test_g7_members_of_the_wrong_type_count_as_absent(odd: object) -> None:
    assert abilities_of({"elicitation": odd, "sampling": odd, "roots": odd}) == set()
    assert abilities_of({"elicitation": odd, "sampling": {}, "roots": {}}) == {"sampling", "roots"}
    assert abilities_of({"elicitation": {}, "sampling": odd, "roots": odd}) == {"form"}


@proves("era.capabilities-odd")
def test_other_capabilities_are_nothing_to_ask_for() -> None:
    others: dict[str, object] = {
        "tasks": {"list": {}},
        "extensions": {"a/b": {}},
        "form": {},
        "url": {},
        "": {},
    }
    assert abilities_of({}) == set()
    assert abilities_of(others) == set()


capabilities = st.dictionaries(
    st.sampled_from(["elicitation", "sampling", "roots", "form"]) | st.text(max_size=5),
    json_values
    | st.dictionaries(st.sampled_from(["form", "url", "tools"]), json_values | st.just({})),
)


@proves("era.capabilities-odd", "rounds.declared")
@fast
@given(capabilities)
def test_g7_capabilities_of_any_shape_get_an_answer(declared: Mapping[str, Any]) -> None:
    house = lending(Librarian(EVERYTHING))
    reply = now(lend(declared).to(house))
    assume(b"-32700" not in (reply.body or b""))
    assert house.failures == []
    if abilities_of(declared):
        sent = result(reply)["inputRequests"]
        assert {EVERYTHING[key].needs for key in sent} == abilities_of(declared)
    else:
        assert (reply.status, error(reply)["code"]) == (400, -32021)


@proves("rounds.undeclared")
@pytest.mark.parametrize(
    ("needed", "capabilities"),
    [
        ({"form"}, {"elicitation": {"form": {}}}),
        ({"url"}, {"elicitation": {"url": {}}}),
        ({"form", "url"}, {"elicitation": {"form": {}, "url": {}}}),
        ({"sampling"}, {"sampling": {}}),
        ({"roots", "form"}, {"roots": {}, "elicitation": {"form": {}}}),
        (set(), {}),
    ],
)
def test_what_has_to_be_declared_is_told_in_the_words_of_the_declaration(
    needed: set[Ability], capabilities: Mapping[str, object]
) -> None:
    assert capabilities_for(frozenset(needed)) == capabilities
    assert abilities_of(capabilities) == needed


@proves("rounds.requests")
@pytest.mark.parametrize(
    ("request_", "ability", "wire"),
    [
        (
            FORM,
            "form",
            {
                "method": "elicitation/create",
                "params": {
                    "mode": "form",
                    "message": "Which edition?",
                    "requestedSchema": {
                        "type": "object",
                        "properties": {
                            "edition": {"type": "string", "title": "Edition", "maxLength": 20}
                        },
                        "required": ["edition"],
                    },
                },
            },
        ),
        (
            URL,
            "url",
            {
                "method": "elicitation/create",
                "params": {
                    "mode": "url",
                    "message": "Sign the slip.",
                    "url": "https://library.example.com/slips/1",
                },
            },
        ),
        (
            EVERYTHING["shelf"],
            "sampling",
            {
                "method": "sampling/createMessage",
                "params": {
                    "messages": [
                        {"role": "user", "content": {"type": "text", "text": "Which shelf?"}}
                    ],
                    "maxTokens": 20,
                },
            },
        ),
        (EVERYTHING["folders"], "roots", {"method": "roots/list"}),
    ],
)
async def test_each_kind_of_request_has_its_own_shape(
    request_: InputRequest, ability: Ability, wire: Mapping[str, object]
) -> None:
    told = await asked(
        lending(Librarian({"a": request_})), lend(capabilities_for(frozenset({ability})))
    )
    assert told["inputRequests"] == {"a": wire}


@proves("rounds.requests", "text.cleaned")
async def test_what_a_person_reads_is_cleaned() -> None:
    hidden = "\u200b\u202e\U000e0041"
    form = FormRequest(
        message=f"Which{hidden}?",
        properties={"a": {"type": "string", "title": f"Title{hidden}", "default": f"é{hidden}"}},
    )
    requests: dict[str, InputRequest] = {
        "form": form,
        "url": UrlRequest(f"Sign{hidden} “José”.", URL.url),
    }
    both: dict[str, object] = {"elicitation": {"form": {}, "url": {}}}
    told = (await asked(lending(Librarian(requests)), lend(both)))["inputRequests"]
    assert told["form"]["params"]["message"] == "Which?"
    schema = told["form"]["params"]["requestedSchema"]
    assert schema["properties"]["a"] == {"type": "string", "title": "Title", "default": "é"}
    assert schema["required"] == []
    assert told["url"]["params"]["message"] == "Sign “José”."
