"""Resources, templates and prompts: listed as tools are, to those who may use them."""

from dataclasses import replace
from typing import Any

import pytest

from application.mcp.ports import Suggestions
from domain.errors import HoldActiveError, UnavailableError
from tests.protocol.fixtures import House, Reader, Sent, error, header, legacy, modern, result
from tests.protocol.library import (
    BOOK,
    GUEST,
    LEDGER,
    OTHER,
    PLAN,
    READS_ONLY,
    RULES,
    WHOLE,
    Library,
)
from tests.protocol.requirements import proves

pytestmark = pytest.mark.anyio

LISTS = {
    "resources/list": ("resources", "uri", [RULES, PLAN, LEDGER]),
    "resources/templates/list": ("resourceTemplates", "uriTemplate", [BOOK]),
    "prompts/list": ("prompts", "name", ["recommend", "remind"]),
}
READ: tuple[str, dict[str, Any]] = ("resources/read", {"uri": RULES})
GET: tuple[str, dict[str, Any]] = (
    "prompts/get",
    {"name": "recommend", "arguments": {"genre": "novel"}},
)
COMPLETE: tuple[str, dict[str, Any]] = (
    "completion/complete",
    {
        "ref": {"type": "ref/prompt", "name": "recommend"},
        "argument": {"name": "genre", "value": "no"},
    },
)
METHODS: list[tuple[str, dict[str, Any]]] = [
    *((method, {}) for method in LISTS),
    READ,
    GET,
    COMPLETE,
]


async def listed(
    library: House, method: str, query: str = "", caller: Reader | None = None
) -> list[str]:
    member, name, _ = LISTS[method]
    found = result(await modern(method).to(library, query, caller))
    assert "nextCursor" not in found
    return [thing[name] for thing in found[member]]


@proves("names.lists")
@pytest.mark.parametrize("method", LISTS)
async def test_f8_everything_is_on_one_page_in_the_order_of_the_product(method: str) -> None:
    member, name, everything = LISTS[method]
    assert await listed(Library(), method) == everything
    found = result(await legacy(method).to(Library()))
    assert [thing[name] for thing in found[member]] == everything


@proves("names.lists")
@pytest.mark.parametrize("method", ["resources/list", "prompts/list"])
async def test_a_list_holds_what_the_caller_may_use_and_no_more(method: str) -> None:
    library = Library()
    *usual, for_lenders = LISTS[method][2]
    for caller in (GUEST, READS_ONLY):
        assert await listed(library, method, caller=caller) == usual
    assert await listed(library, method, query="toolsets=loans") == [for_lenders]
    assert await listed(library, method, caller=Reader(shelves=frozenset())) == []


@proves("names.lists")
@pytest.mark.parametrize("method", LISTS)
async def test_i2_two_organisations_never_share_the_bytes_of_a_list(method: str) -> None:
    library = Library()
    for _ in range(2):
        for mine, other in ((Reader(), OTHER), (OTHER, Reader())):
            body = (await modern(method).to(library, caller=mine)).body or b""
            assert mine.library.encode() in body
            assert other.library.encode() not in body
    things = (library.shelf.resources, library.shelf.templates, library.scripts)
    assert sum(one.definitions_made for one in things) == 2


@proves("names.lists", "list.cursor")
@pytest.mark.parametrize("method", LISTS)
async def test_any_cursor_of_a_list_is_refused(method: str) -> None:
    reply = await modern(method, {"cursor": "2"}).to(Library())
    assert (reply.status, error(reply)["code"]) == (400, -32602)
    assert (await modern(method, {"cursor": None}).to(Library())).status == 200


@proves("names.cleaned")
@pytest.mark.parametrize(("method", "params"), METHODS)
@pytest.mark.parametrize("make", [modern, legacy])
async def test_p1_nothing_that_cannot_be_seen_leaves(
    make: Any, method: str, params: dict[str, Any]
) -> None:
    library = Library()
    library.completer.suggested = Suggestions(values=("no\u200bvel", "گل\u200cرز"))
    body = ((await make(method, params).to(library)).body or b"").decode()
    assert not set("\u200b\u202e\U000e0041") & set(body)
    assert ("گل\u200cرز" in body) is (method == "completion/complete")


@proves("names.cleaned")
async def test_p1_what_a_refusal_carries_is_cleaned_too() -> None:
    library = Library()
    library.completer.failure = HoldActiveError([{"reason": "a\u200bb"}])
    said = error(await modern(*COMPLETE).to(library))
    assert (said["code"], said["data"]["code"]) == (-32602, "HOLD_ACTIVE")
    assert said["data"]["holds"] == [{"reason": "ab"}]


@proves("names.quota")
@pytest.mark.parametrize(("method", "params"), METHODS)
async def test_each_costs_a_read_and_an_empty_bucket_is_429(
    method: str, params: dict[str, Any]
) -> None:
    library = Library()
    assert (await modern(method, params).to(library)).status == 200
    assert library.buckets.taken == ["read"]
    library.buckets.spent = True
    for sent in (modern(method, params), legacy(method, params)):
        reply = await sent.to(library)
        assert (reply.status, error(reply)["code"]) == (429, 429)
        assert header(reply, b"retry-after") == "2"
    assert library.shelf.reads <= 1
    assert len(library.completer.wanted) <= 1


@proves("names.accept")
@pytest.mark.parametrize(("method", "params"), METHODS)
@pytest.mark.parametrize("make", [modern, legacy])
async def test_c1_none_answers_a_client_that_takes_streams_alone(
    make: Any, method: str, params: dict[str, Any]
) -> None:
    library = Library()
    sent: Sent = make(method, params)
    reply = await library.post(sent.message, sent.headers, takes_json=False)
    assert (reply.status, reply.body) == (406, None)
    assert (library.shelf.reads, library.completer.wanted) == (0, [])


def failing(library: Library, failure: Exception) -> None:
    """Whatever the product is asked fails like this."""

    def fail(_visit: object) -> None:
        raise failure

    library.shelf.instead = library.scripts.instead = fail
    library.completer.failure = failure


@proves("names.unavailable")
@pytest.mark.parametrize(("method", "params"), [READ, GET, COMPLETE])
@pytest.mark.parametrize("make", [modern, legacy])
async def test_what_does_not_answer_is_503_with_the_time_to_wait(
    make: Any, method: str, params: dict[str, Any]
) -> None:
    library = Library()
    failing(library, UnavailableError())
    reply = await make(method, params).to(library)
    assert (reply.status, error(reply)["code"]) == (503, 503)
    assert int(header(reply, b"retry-after") or 0) >= 1
    assert library.failures == []


@proves("names.failure")
@pytest.mark.parametrize(("method", "params"), [READ, GET, COMPLETE])
@pytest.mark.parametrize(("make", "status"), [(modern, 500), (legacy, 200)])
async def test_what_nobody_foresaw_is_told_without_a_word_of_it(
    make: Any, status: int, method: str, params: dict[str, Any]
) -> None:
    library = Library()
    failing(library, LookupError("the secret shelf"))
    reply = await make(method, params).to(library)
    assert (reply.status, error(reply)["code"]) == (status, -32603)
    assert b"secret" not in (reply.body or b"")
    assert len(library.failures) == 1


@proves("names.scope")
@pytest.mark.parametrize(
    ("method", "params"),
    [("resources/read", {"uri": LEDGER}), ("prompts/get", {"name": "remind"})],
)
@pytest.mark.parametrize("make", [modern, legacy])
async def test_a9_a_missing_scope_is_403_with_all_of_them(
    make: Any, method: str, params: dict[str, Any]
) -> None:
    reply = await make(method, params).to(Library(), caller=READS_ONLY)
    assert (reply.status, error(reply)["code"]) == (403, 403)
    assert error(reply)["data"]["scope"] == "library.read library.write"
    assert reply.challenge_scopes == ("library.read", "library.write")


@proves("features.off")
@pytest.mark.parametrize("feature", ["resources", "prompts", "completions"])
async def test_a_feature_that_is_off_has_no_methods_in_that_era(feature: str) -> None:
    def without(capabilities: Any) -> dict[str, Any]:
        return {name: value for name, value in capabilities.items() if name != feature}

    library = Library(
        replace(
            WHOLE,
            modern_capabilities=without(WHOLE.modern_capabilities),
            legacy_capabilities=without(WHOLE.legacy_capabilities),
        )
    )
    for method, params in METHODS:
        is_off = method.startswith(feature.removesuffix("s"))
        reply = await modern(method, params).to(library)
        assert (reply.status == 404) is is_off
        reply = await legacy(method, params).to(library)
        assert (b"-32601" in (reply.body or b"")) is is_off


@proves("features.off")
@pytest.mark.parametrize(
    "method", ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]
)
async def test_wishes_of_older_clients_are_acknowledged_where_they_are_declared(
    method: str,
) -> None:
    whole, bare = Library(), Library(replace(WHOLE, legacy_capabilities={"resources": {}}))
    params = {"uri": RULES, "level": "info"}
    assert result(await legacy(method, params).to(whole)) == {}
    assert error(await legacy(method, params).to(bare))["code"] == -32601
    assert error(await modern(method, params).to(whole))["code"] == -32601
