"""The state that a client carries from round to round: whose it is, what it is of, how long."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.auth.seal_keys import SealingRing
from adapters.auth.sealing import JweSeal
from application.mcp.rounds import ANSWERED_WITHIN, Binding, InvalidStateError, NeedsInput, Rounds
from application.mcp.streams import Reply
from tests.builders import NOW, StoppedClock
from tests.protocol.anything import fast, now
from tests.protocol.fixtures import RING, SEAL, STRICT, House, Reader, error, result
from tests.protocol.librarian import ANSWERS, Librarian, asked, lend, lending, retry
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

REFUSED = {"code": -32602, "message": "Invalid or expired requestState"}
A_MOMENT = timedelta(microseconds=1)
ANSWERED: Mapping[str, Any] = {"edition": ANSWERS["edition"]}

BINDING = Binding("library", "tools/call", "loans_create", ("lib_one", "reader_one", "client_one"))


def rounds(binding: Binding, state: str | None = None) -> Rounds:
    return Rounds(
        seal=SEAL,
        clock=StoppedClock(),
        binding=binding,
        meta={},
        sent_state=state,
        sent_answers={},
    )


def assert_refused(reply: Reply, librarian: Librarian) -> None:
    assert (reply.status, error(reply)) == (400, REFUSED)
    assert librarian.lent == 0


@proves("rounds.state-sealed", "rounds.state-silent")
@fast
@given(st.data())
def test_g1_no_character_of_a_state_can_be_another(data: st.DataObject) -> None:
    librarian = Librarian()
    house = lending(librarian)
    state: str = result(now(lend().to(house)))["requestState"]
    place = data.draw(st.integers(0, len(state) - 1))
    other = data.draw(
        st.sampled_from("ABCxyz019-_.=+/ \n") | st.characters(exclude_categories=["Cs"])
    )
    changed = state[:place] + other + state[place + 1 :]
    if changed != state:
        reply = now(retry(lend(), {"requestState": changed}, **ANSWERED).to(house))
        assert_refused(reply, librarian)


@proves("rounds.state-sealed", "rounds.state-silent")
@pytest.mark.parametrize("place", ["header", "nonce", "text", "tag"])
async def test_g1_no_bit_of_a_state_can_be_flipped(place: str) -> None:
    librarian = Librarian()
    house = lending(librarian)
    parts = (await asked(house))["requestState"].split(".")
    index = {"header": 0, "nonce": 2, "text": 3, "tag": 4}[place]
    for position in range(len(parts[index])):
        letters = list(parts[index])
        letters[position] = "A" if letters[position] != "A" else "B"
        changed = ".".join([*parts[:index], "".join(letters), *parts[index + 1 :]])
        reply = await retry(lend(), {"requestState": changed}, **ANSWERED).to(house)
        assert_refused(reply, librarian)


@proves("rounds.state-sealed", "rounds.state-silent")
@pytest.mark.parametrize(
    "change",
    [
        lambda _state: "",
        lambda _state: "null",
        lambda _state: "x" * 5_000,
        lambda _state: "x" * 1_000_000,
        lambda state: state[:-1],
        lambda state: state[1:],
        lambda state: f"{state}A",
        lambda state: f"{state}=",
        lambda state: f" {state}",
        lambda state: f"{state}\n",
        lambda state: state + state,
        lambda state: f"{state}.{'A' * 4_096}",
        lambda state: state.upper(),
        lambda state: ".".join(reversed(state.split("."))),
        lambda state: ".".join(state.split(".")[:4]),
        lambda state: "".join(state.split(".")),
    ],
)
async def test_g1_what_is_no_state_is_refused(change: Any) -> None:
    librarian = Librarian()
    house = lending(librarian)
    state = (await asked(house))["requestState"]
    reply = await retry(lend(), {"requestState": change(state)}, **ANSWERED).to(house)
    assert_refused(reply, librarian)


@proves("rounds.state-sealed")
@pytest.mark.parametrize(
    "other", [JweSeal(RING, "page session"), JweSeal(SealingRing.fresh(), "requestState")]
)
async def test_g1_the_same_under_another_purpose_or_key_is_refused(other: JweSeal) -> None:
    librarian = Librarian()
    house = lending(librarian)
    content = SEAL.open((await asked(house))["requestState"])
    assert content is not None
    reply = await retry(lend(), {"requestState": other.seal(content)}, **ANSWERED).to(house)
    assert_refused(reply, librarian)
    right = retry(lend(), {"requestState": SEAL.seal(content)}, **ANSWERED)
    assert result(await right.to(house))["resultType"] == "complete"


members = st.none() | st.integers(-5, 5) | st.text(max_size=5) | st.binary(max_size=5)
almost = st.lists(members | st.lists(members, max_size=4) | st.just(NOW), max_size=7)


@proves("rounds.state-sealed")
@fast
@given(st.binary(max_size=100) | almost.map(msgspec.msgpack.encode))
def test_whatever_else_was_sealed_is_no_state(content: bytes) -> None:
    librarian = Librarian()
    house = lending(librarian)
    sent = retry(lend(), {"requestState": SEAL.seal(content)}, **ANSWERED)
    assert_refused(now(sent.to(house)), librarian)
    assert house.failures == []


@proves("rounds.state-bound", "rounds.state-silent")
@pytest.mark.parametrize(
    "other",
    [
        Reader(library="lib_two"),
        Reader(name="reader_two"),
        Reader(client="client_two"),
        Reader(client=""),
        Reader(library="reader_one", name="lib_one"),
    ],
)
async def test_g1_the_state_of_one_caller_is_nobody_elses(other: Reader) -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    again = retry(lend(), told, **ANSWERED)
    assert_refused(await again.to(house, caller=other), librarian)
    assert result(await again.to(house))["resultType"] == "complete"


@proves("rounds.state-bound")
@pytest.mark.parametrize(
    "arguments", [{"book": "bk_2"}, {"book": "bk_1", "days": 1}, {"book": None}, {}, None]
)
async def test_g1_the_state_of_one_call_is_not_of_another(arguments: object) -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    again = retry(lend(), told, **ANSWERED).with_params(arguments=arguments)
    assert_refused(await again.to(house), librarian)


@proves("rounds.state-bound")
async def test_g1_the_state_of_one_tool_is_not_of_another() -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    again = retry(lend(name="loans_delete"), told, **ANSWERED)
    assert_refused(await again.with_header("Mcp-Name", "loans_delete").to(house), librarian)


@proves("rounds.state-bound")
async def test_the_state_of_one_server_is_not_of_another_with_the_same_keys() -> None:
    told = await asked(lending(Librarian()))
    librarian = Librarian()
    other = lending(librarian, House(STRICT))
    assert_refused(await retry(lend(), told, **ANSWERED).to(other), librarian)


@proves("rounds.state-bound")
@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("server", "other"),
        ("method", "prompts/get"),
        ("name", "other"),
        ("caller", ("lib_one",)),
        ("caller", ("lib_one", "reader_one", "")),
        ("caller", ()),
    ],
)
def test_every_part_of_what_a_state_belongs_to_has_to_be_the_same(
    member: str, value: object
) -> None:
    state = rounds(BINDING).sealed(NeedsInput(digest=b"d"), [])
    assert rounds(BINDING, state).resumed(b"d") is not None
    other = msgspec.structs.replace(BINDING, **{member: value})
    with pytest.raises(InvalidStateError):
        rounds(other, state).resumed(b"d")


@proves("rounds.state-bound")
@pytest.mark.parametrize("digest", [b"", b"D", b"dd", b"d\x00"])
def test_the_digest_of_the_arguments_has_to_be_the_same(digest: bytes) -> None:
    state = rounds(BINDING).sealed(NeedsInput(digest=b"d"), [])
    with pytest.raises(InvalidStateError):
        rounds(BINDING, state).resumed(digest)


@proves("rounds.state-expires")
async def test_g1_after_ten_minutes_answers_count_for_nothing() -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    house.clock.time += timedelta(minutes=10)
    again = result(await retry(lend(), told, **ANSWERED).to(house))
    assert again["resultType"] == "input_required"
    assert librarian.came[-1] is not None
    assert librarian.came[-1].is_expired
    assert librarian.came[-1].answers == {}
    assert librarian.lent == 0
    finished = await retry(lend(), again, **ANSWERED).to(house)
    assert result(finished)["resultType"] == "complete"


@proves("rounds.state-expires")
async def test_until_then_they_count_and_each_round_has_its_own_ten_minutes() -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    for _ in range(3):
        house.clock.time += ANSWERED_WITHIN - A_MOMENT
        told = result(await retry(lend(), told).to(house))
    house.clock.time += ANSWERED_WITHIN - A_MOMENT
    finished = await retry(lend(), told, **ANSWERED).to(house)
    assert result(finished)["resultType"] == "complete"
    assert not any(resumed.is_expired for resumed in librarian.came if resumed is not None)


@proves("rounds.state-expires", "rounds.state-silent")
async def test_whether_a_strangers_state_is_over_is_not_told() -> None:
    librarian = Librarian()
    house = lending(librarian)
    told = await asked(house)
    house.clock.time += timedelta(days=1)
    again = retry(lend(), told, **ANSWERED)
    assert_refused(await again.to(house, caller=Reader(name="reader_two")), librarian)
    assert_refused(await again.with_params(arguments={}).to(house), librarian)


@proves("rounds.state-silent")
async def test_nothing_of_a_state_can_be_read() -> None:
    house = lending(Librarian(state=b"hunter2" * 10))
    body = str(await asked(house))
    for word in ("hunter2", "lib_one", "reader_one", "client_one", "loans_create"):
        assert word not in body
    first, second = (await asked(house))["requestState"], (await asked(house))["requestState"]
    assert first != second
