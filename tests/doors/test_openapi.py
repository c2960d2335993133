"""The published document: valid, complete, and the same as what the service does."""

from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.doors.firms import Pair
from tests.doors.house import PUBLIC_URL, House
from tests.doors.requests import OPERATIONS

pytestmark = pytest.mark.anyio


async def the_document(house: House) -> dict[str, Any]:
    response = await house.http.get("/v1/openapi.json")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    document: dict[str, Any] = response.json()
    return document


async def test_the_document_is_valid_openapi(house: House) -> None:
    document = await the_document(house)
    assert document["openapi"] == "3.1.1"
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


async def test_it_describes_the_operations_and_no_others(house: House) -> None:
    document = await the_document(house)
    described = {
        operation["operationId"]: (method.upper(), path)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    assert set(described) == set(OPERATIONS)
    assert described == {name: (m, f"/v1{path}") for name, (m, path) in house.routes.items()}
    assert document["servers"] == [{"url": PUBLIC_URL}]


async def test_tools_and_document_take_the_same_fields(house: House, pair: Pair) -> None:
    document = await the_document(house)
    for tool in await house.tools(pair.a.owner):
        method, path = house.routes[tool["name"]]
        operation = document["paths"][f"/v1{path}"][method.lower()]
        fields = {one["name"] for one in operation["parameters"] if "name" in one}
        body = operation.get("requestBody", {}).get("content", {})
        fields |= body.get("application/json", {}).get("schema", {}).get("properties", {}).keys()
        assert set(tool["inputSchema"]["properties"]) - {"idempotency_key"} == fields, tool["name"]


async def test_everybody_may_read_it_from_anywhere(house: House) -> None:
    headers = {"origin": "https://elsewhere.example.com"}
    response = await house.http.get("/v1/openapi.json", headers=headers)
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == "*"
