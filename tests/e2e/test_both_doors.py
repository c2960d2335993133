"""One catalogue behind two doors: what is not shown is not done, and both refuse alike."""

import json
from typing import Any

import httpx
import pytest

from tests.e2e.service import Service
from tests.protocol.fixtures import legacy, modern

pytestmark = pytest.mark.anyio

RANDOM_ID = "01k0000000000000000000000x"


async def names_of(service: Service, first_name: str = "Helena", query: str = "") -> set[str]:
    answer = await service.post(
        modern("tools/list"), await service.token(first_name), path=f"/mcp{query}"
    )
    return {tool["name"] for tool in answer.json()["result"]["tools"]}


async def call(
    service: Service, name: str, arguments: dict[str, Any], first_name: str = "Helena"
) -> dict[str, Any]:
    sent = modern("tools/call", {"name": name, "arguments": arguments})
    document: dict[str, Any] = (
        await service.post(sent, await service.token(first_name), Accept_Language="en")
    ).json()
    return document


def refusal_in(document: dict[str, Any]) -> dict[str, Any]:
    """The refusal that a tool's result tells, without the request's id."""
    assert document["result"]["isError"] is True
    error: dict[str, Any] = json.loads(document["result"]["content"][0]["text"])["error"]
    return {name: value for name, value in error.items() if name != "request_id"}


def refusal_of(answer: httpx.Response) -> dict[str, Any]:
    error: dict[str, Any] = answer.json()["error"]
    return {name: value for name, value in error.items() if name != "request_id"}


async def test_two_idempotency_keys_are_none_even_if_they_are_the_same(service: Service) -> None:
    bearer = (await service.rest_headers()).items()
    keys = [("Idempotency-Key", "k-1"), ("Idempotency-Key", "k-1")]
    answer = await service.http.post("/v1/charges", json={}, headers=[*bearer, *keys])

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "BAD_REQUEST"


async def test_i5_a_tool_that_is_not_in_the_list_cannot_be_called_at_either_door(
    service: Service,
) -> None:
    hidden = await names_of(service) - await names_of(service, "Otto")
    assert hidden >= {"dunning_charges_create", "dunning_charges_cancel"}
    nobodys = await call(service, "dunning_nobody_has_this", {}, "Otto")
    for name in hidden:
        refused = await call(service, name, {}, "Otto")
        assert refused["error"]["code"] == -32602
        unknown = nobodys["error"]["message"].replace("dunning_nobody_has_this", name)
        assert refused["error"]["message"] == unknown
    headers = await service.rest_headers("Otto")
    for path in ("/v1/charges", f"/v1/charges/chg_{RANDOM_ID}/cancel"):
        answer = await service.http.post(path, json={}, headers=headers)
        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "PERMISSION_DENIED"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"debtor_id": "x"},
        {"debtor_id": f"dbt_{RANDOM_ID}", "description": "A", "amount": -1, "due_date": "soon"},
        {"debtor_id": f"dbt_{RANDOM_ID}", "description": "Fee", "amount": 10,
         "due_date": "2027-01-10", "idempotency_key": "i5"},
        {"debtor_id": f"dbt_{RANDOM_ID}", "description": "Fee", "amount": 10,
         "due_date": "2027-01-10", "idempotency_key": "i5", "amout": 3},
    ],
)  # fmt: skip
async def test_i5_both_doors_refuse_a_write_in_the_same_words(
    service: Service, arguments: dict[str, Any]
) -> None:
    headers = {**await service.rest_headers(), "Accept-Language": "en"}
    rest = await service.http.post("/v1/charges", json=arguments, headers=headers)

    assert rest.status_code == 422
    assert refusal_in(await call(service, "dunning_charges_create", arguments)) == refusal_of(rest)


@pytest.mark.parametrize("query", ["per_page=0", "status=nope", "sort_by=x", "nope=1", "page=x"])
async def test_i5_both_doors_refuse_a_read_in_the_same_words(service: Service, query: str) -> None:
    headers = {**await service.rest_headers(), "Accept-Language": "en"}
    rest = await service.http.get(f"/v1/charges?{query}", headers=headers)
    arguments = dict([query.split("=")])

    assert rest.status_code == 422
    assert refusal_in(await call(service, "dunning_charges_list", arguments)) == refusal_of(rest)


async def test_i10_no_argument_header_or_envelope_chooses_the_organisation(
    service: Service,
) -> None:
    theirs = service.demo.person("Vera").organization_id
    plain = modern("tools/call", {"name": "dunning_charges_list", "arguments": {}})
    elsewhere = plain.with_params(
        _meta={**plain.message["params"]["_meta"], "organization_id": theirs, "tenant_id": theirs}
    )
    token = await service.token()
    answer = await service.post(
        elsewhere, token, X_Organization_Id=theirs, X_Tenant=theirs, Org_Id=theirs
    )

    assert answer.content == (await service.post(plain, token)).content
    for key in ("tenant_id", "organization_id", "org_id"):
        refused = refusal_in(await call(service, "dunning_charges_list", {key: theirs}))
        assert refused["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize(
    ("name", "arguments", "field", "said"),
    [
        (
            "dunning_charges_create",
            {
                "description": "Fee",
                "amount": 10,
                "due_date": "2027-01-10",
                "idempotency_key": "i10",
            },
            "debtor_id",
            '"code": "not_found"',
        ),
        ("dunning_charges_cancel", {"reason": "duplicate"}, "id", '"code": "NOT_FOUND"'),
        ("dunning_charges_list", {}, "debtor_id", '"total": 0'),
    ],
)
async def test_i10_what_is_another_organisations_is_as_absent_as_what_does_not_exist(
    service: Service, name: str, arguments: dict[str, Any], field: str, said: str
) -> None:
    headers = await service.rest_headers("Vera")
    theirs = (await service.http.get("/v1/charges?per_page=1", headers=headers)).json()["data"][0]
    foreign = theirs[field]
    nobodys = f"{foreign.partition('_')[0]}_{RANDOM_ID}"
    answers = [await call(service, name, {**arguments, field: one}) for one in (foreign, nobodys)]

    assert said in answers[0]["result"]["content"][0]["text"]
    assert without_request_id(answers[0]) == without_request_id(answers[1])


def without_request_id(document: dict[str, Any]) -> dict[str, Any]:
    told = json.loads(document["result"]["content"][0]["text"])
    told.get("error", {}).pop("request_id", None)
    return {**document["result"], "content": told}


async def test_e8_the_list_is_short_and_an_address_can_make_it_shorter(service: Service) -> None:
    whole = await service.post(modern("tools/list"), await service.token())

    assert len(whole.json()["result"]["tools"]) <= 100
    assert len(whole.content) < 100 * 2_000
    narrowed = await names_of(service, query="?toolsets=debtors")
    assert {"dunning_debtors_list", "dunning_me"} <= narrowed
    assert not any(name.startswith("dunning_charges_") for name in narrowed)
    reads = await names_of(service, query="?readonly=true&toolsets=charges")
    assert {"dunning_charges_list", "dunning_me"} <= reads
    assert reads.isdisjoint({"dunning_charges_create", "dunning_debtors_list"})


async def test_f2_f3_no_tool_declares_a_structure_and_no_result_has_one(service: Service) -> None:
    token = await service.token()
    for message in (modern, legacy):
        listed = (await service.post(message("tools/list"), token)).json()["result"]["tools"]
        assert not [tool for tool in listed if "outputSchema" in tool]
        for tool in listed:
            for arguments in ({}, {"nope": "1"}, {"per_page": 1}):
                sent = message("tools/call", {"name": tool["name"], "arguments": arguments})
                result = (await service.post(sent, token)).json()["result"]
                assert "structuredContent" not in result
                (block,) = result["content"]
                assert json.loads(block["text"])
