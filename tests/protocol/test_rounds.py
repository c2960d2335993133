"""Asking in rounds: what a tool asks for, what the client brings back, and what it may not."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.auth.seal_keys import SealingRing
from adapters.auth.sealing import JweSeal
from application.mcp.inputs import FormRequest
from tests.protocol.anything import fast, json_values, now
from tests.protocol.fixtures import (
    PRODUCT,
    RING,
    SERVER_INFO,
    House,
    Sent,
    document,
    error,
    legacy,
    result,
    text,
)
from tests.protocol.librarian import (
    ANSWERS,
    DECLARED,
    EVERYTHING,
    FORM,
    FORMS,
    LEND,
    Librarian,
    asked,
    lend,
    lending,
    retry,
)
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

ODD: tuple[object, ...] = ([], 0, 1.5, True, False)


@proves("rounds.asked")
async def test_a_tool_that_has_to_be_told_something_asks_first() -> None:
    librarian = Librarian()
    told = await asked(lending(librarian))
    assert set(told) == {"resultType", "inputRequests", "requestState", "_meta"}
    assert set(told["inputRequests"]) == {"edition"}
    assert told["_meta"] == {SERVER_INFO: PRODUCT.server_info}
    assert librarian.lent == 0


@proves("rounds.answers", "rounds.asked")
async def test_the_answer_finishes_the_call() -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    again = retry(lend(), told, edition=ANSWERS["edition"])
    finished = result(await again.to(house))
    assert finished["resultType"] == "complete"
    assert not {"inputRequests", "requestState"} & set(finished)
    [before, resumed] = librarian.came
    assert before is None
    assert resumed is not None
    assert resumed.state == b"the first shelf"
    assert resumed.answers == {"edition": ANSWERS["edition"]}
    assert librarian.lent == 1


@proves("rounds.requests", "rounds.answers")
async def test_everything_can_be_asked_for_at_once() -> None:
    librarian = Librarian(EVERYTHING)
    house = lending(librarian)
    told = await asked(house, lend(DECLARED))
    assert list(told["inputRequests"]) == list(EVERYTHING)
    assert (await retry(lend(DECLARED), told, **ANSWERS).to(house)).status == 200
    assert librarian.came[-1] is not None
    assert librarian.came[-1].answers == ANSWERS
    assert librarian.lent == 1


@proves("rounds.declared")
@pytest.mark.parametrize(
    ("declared", "left"),
    [
        (FORMS, ["edition"]),
        ({"elicitation": {"url": {}}}, ["slip"]),
        ({"sampling": {}}, ["shelf"]),
        ({"roots": {}, "sampling": {"tools": {}}}, ["shelf", "folders"]),
        ({"elicitation": {"form": {}, "url": {}}, "roots": True}, ["edition", "slip"]),
    ],
)
async def test_g7_what_the_client_has_not_declared_is_left_out(
    declared: dict[str, object], left: list[str]
) -> None:
    told = await asked(lending(Librarian(EVERYTHING)), lend(declared))
    assert list(told["inputRequests"]) == left


@proves("rounds.undeclared", "rounds.declared")
@pytest.mark.parametrize(
    ("requests", "declared", "required"),
    [
        (["edition"], {}, {"elicitation": {"form": {}}}),
        (["edition"], {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        (["slip"], {"elicitation": {}}, {"elicitation": {"url": {}}}),
        (["edition", "slip"], {"roots": {}}, {"elicitation": {"form": {}, "url": {}}}),
        (["shelf", "folders"], FORMS, {"roots": {}, "sampling": {}}),
    ],
)
async def test_g7_with_nothing_left_to_ask_for_the_call_is_refused(
    requests: list[str], declared: dict[str, object], required: dict[str, object]
) -> None:
    librarian = Librarian({key: EVERYTHING[key] for key in requests})
    reply = await lend(declared).to(lending(librarian))
    assert (reply.status, error(reply)) == (
        400,
        {
            "code": -32021,
            "message": "Missing required client capability",
            "data": {"requiredCapabilities": required},
        },
    )
    assert librarian.lent == 0


@proves("rounds.declared")
async def test_what_was_declared_on_an_earlier_request_counts_for_nothing() -> None:
    house = lending(Librarian())
    told = await asked(house)
    again = retry(lend(), told).with_meta(capabilities={})
    assert error(await again.to(house))["code"] == -32021


@proves("rounds.legacy")
@pytest.mark.parametrize("requests", [EVERYTHING, {}])
@pytest.mark.parametrize("version", ["2025-06-18", "2025-03-26", None])
async def test_a_legacy_client_is_told_that_it_cannot_be_asked(
    requests: Any, version: str | None
) -> None:
    librarian = Librarian(requests)
    reply = await legacy("tools/call", LEND, version=version).to(lending(librarian))
    assert (reply.status, error(reply)["code"]) == (200, -32021)
    assert error(reply)["data"] == {"requiredCapabilities": DECLARED if requests else {}}
    assert librarian.lent == 0


@proves("rounds.legacy")
async def test_a_legacy_client_that_brings_answers_brings_nothing() -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    params = {**LEND, "inputResponses": {"edition": ANSWERS["edition"]}}
    meta = {"io.modelcontextprotocol/clientCapabilities": DECLARED}
    sent = legacy("tools/call", {**params, "requestState": told["requestState"], "_meta": meta})
    reply = await sent.to(house)
    assert (reply.status, error(reply)["code"]) == (200, -32021)
    assert librarian.came == [None, None]


@proves("rounds.state-alone")
@pytest.mark.parametrize("declared", [{}, FORMS])
async def test_a_state_may_come_without_requests(declared: dict[str, object]) -> None:
    librarian = Librarian({}, state=b"page 2")
    house = lending(librarian)
    told = await asked(house, lend(declared))
    assert set(told) == {"resultType", "requestState", "_meta"}
    again = lend(declared).with_params(requestState=told["requestState"])
    assert result(await again.to(house))["resultType"] == "complete"
    assert librarian.came[-1] is not None
    assert (librarian.came[-1].state, librarian.came[-1].answers) == (b"page 2", {})


@proves("rounds.stateless")
async def test_g3_any_replica_goes_on_with_what_another_began() -> None:
    first, second = (lending(Librarian(), House(seal=replica())) for _ in range(2))
    told = await asked(first)
    again = retry(lend(), told, edition=ANSWERS["edition"])
    assert result(await again.to(second))["resultType"] == "complete"


@proves("rounds.stateless")
async def test_g3_keys_are_changed_with_overlap_while_people_answer() -> None:
    grown = RING.with_another()
    promoted = grown.promoted()
    rings = [(RING, grown), (grown, promoted), (promoted, grown), (promoted, promoted.reduced())]
    for before, after in rings:
        told = await asked(lending(Librarian(), House(seal=replica(before))))
        again = retry(lend(), told, edition=ANSWERS["edition"])
        finished = await again.to(lending(Librarian(), House(seal=replica(after))))
        assert result(finished)["resultType"] == "complete"


@proves("rounds.stateless")
async def test_g3_a_key_that_is_gone_opens_nothing() -> None:
    told = await asked(lending(Librarian()))
    librarian = Librarian()
    house = lending(librarian, House(seal=replica(SealingRing.fresh())))
    reply = await retry(lend(), told, edition=ANSWERS["edition"]).to(house)
    assert (reply.status, error(reply)["code"]) == (400, -32602)
    assert librarian.came == []


@proves("rounds.repeated", "rounds.answers")
@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"edition": None},
        {"edition": "accept"},
        {"edition": []},
        {"edition": True},
        {"Edition": ANSWERS["edition"], "": {}, "confirmation": {"action": "accept"}},
    ],
)
async def test_what_is_missing_or_no_answer_is_asked_for_again(answers: dict[str, object]) -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    for _ in range(5):
        told = result(await retry(lend(), told, **answers).to(house))
        assert told["resultType"] == "input_required"
        assert librarian.came[-1] is not None
        assert librarian.came[-1].answers == {}
    finished = result(await retry(lend(), told, edition=ANSWERS["edition"]).to(house))
    assert finished["resultType"] == "complete"
    assert librarian.lent == 1


@proves("rounds.answers")
async def test_answers_to_what_was_not_asked_are_ignored() -> None:
    librarian = Librarian(EVERYTHING)
    house = lending(librarian)
    told = await asked(house)
    reply = await retry(lend(), told, **ANSWERS, more={"action": "accept"}).to(house)
    assert error(reply)["code"] == -32021
    assert librarian.came[-1] is not None
    assert librarian.came[-1].answers == {"edition": ANSWERS["edition"]}
    assert librarian.lent == 0


@proves("rounds.answers")
async def test_answers_come_as_they_were_sent() -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    strange = {"action": 5, "content": [None, "\u200bx", {"a": True}], "_meta": {}}
    assert (await retry(lend(), told, edition=strange).to(house)).status == 200
    assert librarian.came[-1] is not None
    assert librarian.came[-1].answers == {"edition": strange}


@proves("rounds.repeated")
async def test_a_chain_keeps_its_id_and_every_chain_has_its_own() -> None:
    librarian = Librarian()
    house = lending(librarian)
    for _ in range(2):
        told = await asked(house)
        for _ in range(2):
            told = result(await retry(lend(), told).to(house))
    ids = [resumed.id for resumed in librarian.came if resumed is not None]
    assert ids == [ids[0], ids[0], ids[2], ids[2]]
    assert ids[0] != ids[2]
    assert all(len(chain) >= 20 for chain in ids)


@proves("rounds.repeated", "id.echo")
@pytest.mark.parametrize("request_id", [0, "", "7", 2**53 - 1])
async def test_each_round_is_answered_under_its_own_id(request_id: int | str) -> None:
    house = lending(Librarian())
    told = await asked(house)
    again = retry(lend(), told)
    again = replace(again, message={**again.message, "id": request_id})
    assert document(await again.to(house))["id"] == request_id


@proves("rounds.answers-alone")
@pytest.mark.parametrize("state", [{}, {"requestState": None}])
async def test_answers_without_a_state_are_answers_to_nothing(state: dict[str, object]) -> None:
    librarian = Librarian()
    house = lending(librarian)
    sent = lend(inputResponses={"edition": ANSWERS["edition"]}, **state)
    told = await asked(house, sent)
    assert set(told["inputRequests"]) == {"edition"}
    assert librarian.came == [None]


@proves("rounds.shape")
@pytest.mark.parametrize(
    ("member", "odd", "what"),
    [
        *(("inputResponses", odd, "an object") for odd in ("{}", "", *ODD, [{}])),
        *(("requestState", odd, "a string") for odd in ({}, *ODD, ["x"])),
    ],
)
async def test_the_wrong_type_is_refused_by_name(member: str, odd: object, what: str) -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    sent = retry(lend(), told, edition=ANSWERS["edition"]).with_params(**{member: odd})
    reply = await sent.to(house)
    assert (reply.status, error(reply)) == (
        400,
        {"code": -32602, "message": f"Invalid params: {member} must be {what}"},
    )
    assert librarian.lent == 0


@proves("rounds.shape")
async def test_null_is_absent() -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house, lend(inputResponses=None, requestState=None))
    again = retry(lend(), told).with_params(inputResponses=None)
    assert result(await again.to(house))["resultType"] == "input_required"
    assert librarian.came[0] is None
    assert librarian.came[1] is not None
    assert librarian.came[1].answers == {}


@proves("rounds.shape", "call.unknown")
async def test_rounds_give_nothing_that_is_not_the_callers() -> None:
    house = lending(Librarian())
    told = await asked(house)
    again = retry(lend(name="nope"), told).with_header("Mcp-Name", "nope")
    assert error(await again.to(house))["message"] == "Unknown tool: nope"


@proves("rounds.repeated", "limit.spent")
async def test_every_round_is_a_call_like_any_other() -> None:
    house = lending(Librarian())
    told = await asked(house)
    assert text(await retry(lend(), told, edition=ANSWERS["edition"]).to(house))
    assert house.buckets.taken == ["write", "write"]
    house.buckets.spent = True
    assert (await retry(lend(), told).to(house)).status == 429


@proves("rounds.asked", "call.failure")
async def test_a_state_that_no_request_can_carry_is_a_failure_of_the_tool() -> None:
    house = lending(Librarian(state=b"secret" * 1_000))
    reply = await lend().to(house)
    assert (reply.status, error(reply)) == (500, {"code": -32603, "message": "Internal error"})
    assert len(house.failures) == 1


right_ones = st.sampled_from([lend(), lend({}), lend(DECLARED), legacy("tools/call", LEND)])


@proves("engine.total", "rounds.shape")
@fast
@given(
    right_ones,
    json_values | st.dictionaries(st.sampled_from(list(EVERYTHING)), json_values),
    json_values | st.sampled_from(["begun"]),
    st.sampled_from([EVERYTHING, {"edition": FORM}, {"a": FormRequest("", {})}, {}]),
)
def test_answers_and_states_may_be_anything(
    sent: Sent, answers: object, state: object, requests: Any
) -> None:
    house = lending(Librarian(requests))
    if state == "begun":
        state = result(now(lend(DECLARED).to(house)))["requestState"]
    now(sent.with_params(inputResponses=answers, requestState=state).to(house))
    assert house.failures == []


def replica(ring: SealingRing = RING) -> JweSeal:
    """The seal of one more process."""
    return JweSeal(ring, "requestState")
