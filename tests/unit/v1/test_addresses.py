"""Addresses: declared as templates, expanded and matched by nothing else."""

from typing import Any, Final

import pytest

from adapters.v1.addresses import Address, Addresses, Found
from application.operations.declaration import operation
from application.operations.declaration_error import DeclarationError
from application.operations.fields import NoInput
from domain.ports.operations import OperationInfo

ROOT: Final = "kobana://dunning"
CHARGE: Final = "charges/{id}"


def an_info(name: str, resource: str | None) -> OperationInfo:
    return OperationInfo(
        name=name,
        toolset="charges",
        title="",
        description="",
        method="GET",
        path="/charges/{id}",
        permission=None,
        scopes=frozenset(),
        resource=resource,
    )


def values(path: str, uri: str) -> dict[str, str] | None:
    return Address(ROOT, path).values(f"{ROOT}/{uri}")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("settings", {}),
        (CHARGE, {"id": "chg_1"}),
        ("charges/{id}/letter.pdf", {"id": "chg_1"}),
        ("debtors/{id}/clearance/{year}.pdf", {"id": "dbt_1", "year": "2025"}),
    ],
)
def test_what_is_expanded_is_matched(path: str, found: dict[str, str]) -> None:
    address = Address(ROOT, path)
    assert address.template == f"{ROOT}/{path}"
    assert address.values(address.uri(found)) == found
    assert address.is_fixed is (not found)


@pytest.mark.parametrize("value", ["ção", "a%b", "%2F", "a,b", "{id}", "a" * 200])
def test_a_value_is_encoded_and_decoded_once(value: str) -> None:
    address = Address(ROOT, CHARGE)
    assert address.values(address.uri({"id": value})) == {"id": value}


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "a/b",
        "a%2Fb",
        "a%2fb",
        "a%5Cb",
        "..",
        "%2E%2E",
        ".%2E",
        "a..b",
        "a%00",
        "a%0D%0A",
        "a%20b",
        "a b",
        "a%C2%A0",
        "a%E2%80%8B",
        "a%C3",
        "a%FF",
        "a%ED%A0%80",
        "a%",
        "a%4",
        "a%zz",
        "a?b",
        "a#b",
        "a" * 201,
        "%C3%A9" * 201,
    ],
)
def test_a_value_that_nothing_can_have_is_no_address(sent: str) -> None:
    assert values(CHARGE, f"charges/{sent}") is None


@pytest.mark.parametrize(
    "uri",
    [
        "kobana://dunning/charges",
        "kobana://dunning/charges/a/",
        "kobana://dunning/charges/a/b",
        "kobana://dunning/charges/a?",
        "kobana://dunning/charges/a#",
        "kobana://dunning/Charges/a",
        "kobana://dunning/%63harges/a",
        "kobana://dunning//charges/a",
        "kobana://dunning:1/charges/a",
        "kobana://DUNNING/charges/a",
        "KOBANA://dunning/charges/a",
        "kobana:/dunning/charges/a",
        "kobana://dunning/charges/a\n",
        " kobana://dunning/charges/a",
    ],
)
def test_everything_else_is_compared_sign_by_sign(uri: str) -> None:
    assert Address(ROOT, CHARGE).values(uri) is None


def test_a_dot_stands_for_itself() -> None:
    assert values("charges/{id}/letter.pdf", "charges/a/letterXpdf") is None


@pytest.mark.parametrize(
    "path",
    [
        "charges/{+id}",
        "charges{/id}",
        "charges{?id}",
        "charges/{a,b}",
        "charges/{id*}",
        "{id:3}",
        "charges/{id=1}",
        "charges/{id}/{id}",
        "charges/{id",
        "charges/id}",
        "char ges",
        "çharges",
        "",
    ],
)
def test_a_template_is_of_words_and_of_names_in_braces(path: str) -> None:
    with pytest.raises(DeclarationError, match="words, and of names in braces"):
        Address(ROOT, path)


def test_an_address_leads_to_its_operation() -> None:
    infos = [
        an_info("charges_get", CHARGE),
        an_info("charges_list", None),
        an_info("charges_letter", "charges/{id}/letter.pdf"),
    ]
    addresses = Addresses(ROOT, infos)
    assert addresses.find(f"{ROOT}/charges/a/letter.pdf") == Found("charges_letter", {"id": "a"})
    assert addresses.find(f"{ROOT}/charges/a") == Found("charges_get", {"id": "a"})
    assert addresses.find(f"{ROOT}/charges") is None
    assert addresses.of("charges_list") is None


@pytest.mark.parametrize("other", [CHARGE, "charges/{charge_id}"])
def test_two_operations_cannot_share_one(other: str) -> None:
    with pytest.raises(DeclarationError, match="the address of two operations"):
        Addresses(ROOT, [an_info("charges_get", CHARGE), an_info("charges_other", other)])


@pytest.mark.parametrize(
    ("route", "words", "fault"),
    [
        ("POST /things", {"resource": "things"}, "a resource is something that is read"),
        ("GET /things", {"resource": "things/{id}"}, "the parameters of the path"),
        ("GET /things/{id}", {"resource": "things"}, "the parameters of the path"),
    ],
)
def test_a_declared_address_goes_with_its_path(
    route: str, words: dict[str, Any], fault: str
) -> None:
    declare = operation("things", route, title="", description="", permission=None, **words)

    async def use_case(_call: object, _wanted: NoInput) -> int:
        return 0

    with pytest.raises(DeclarationError, match=fault):
        declare(use_case)
