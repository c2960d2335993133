"""Settings that the service must not run with: refused before anything listens, by their name."""

import socket
from typing import Any

import pytest

from adapters.auth.settings import ASYMMETRIC_ALGORITHMS
from domain.ports.sealing import Seal
from entrypoints.container import Container
from entrypoints.resources import audiences_of
from entrypoints.settings import Settings, SettingsError, read_settings, settings_table
from tests.command_line import dunning

KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
"""32 bytes in base64url; the last character has two bits that stand for nothing."""

PRODUCTION = {
    "PUBLIC_URL": "https://mcp.example.com",
    "DATABASE_URL": "postgresql://dunning_app@db.example.com/dunning",
    "AUTH_PROVIDER": "oidc",
    "AUTH_ISSUER": "https://id.example.com/realms/aurora",
    "SEALING_KEYS": KEY,
}
REFUSED: list[tuple[str, dict[str, str]]] = [
    # what must never run in production
    ("AUTH_PROVIDER", {"AUTH_PROVIDER": "embedded"}),
    ("AUTH_ISSUER", {"AUTH_ISSUER": "http://id.example.com"}),
    ("AUTH_ISSUER", {"AUTH_ISSUER": ""}),
    ("PUBLIC_URL", {"PUBLIC_URL": "http://mcp.example.com"}),
    ("AUTH_PROVIDER", {"ENVIRONMENT": "production", "PUBLIC_URL": "https://127.0.0.1:8443",
                       "AUTH_PROVIDER": "embedded"}),
    # what would let anybody in
    ("MCP_AUDIENCES", {"MCP_AUDIENCES": ""}),
    ("MCP_AUDIENCES", {"MCP_AUDIENCES": "api://one, ,api://two"}),
    ("API_AUDIENCES", {"API_AUDIENCES": " "}),
    ("ALLOWED_ORIGINS", {"ALLOWED_ORIGINS": "*"}),
    ("ALLOWED_ORIGINS", {"ALLOWED_ORIGINS": "https://*.example.com"}),
    ("AUTH_ALGORITHMS", {"AUTH_ALGORITHMS": ""}),
    ("AUTH_ALGORITHMS", {"AUTH_ALGORITHMS": "HS256"}),
    ("AUTH_ALGORITHMS", {"AUTH_ALGORITHMS": "RS256,none"}),
    ("MCP_AUDIENCES, API_AUDIENCES", {"MCP_AUDIENCES": "api://one", "API_AUDIENCES": "api://one"}),
    ("MCP_AUDIENCES, API_AUDIENCES", {"API_AUDIENCES": "https://mcp.example.com/mcp"}),
    ("MCP_AUDIENCES, API_AUDIENCES", {"MCP_AUDIENCES": "https://mcp.example.com/v1/"}),
    ("AUTH_ORGANIZATION_CLAIM", {"AUTH_ORGANIZATION_CLAIM": " "}),
    ("AUTH_ISSUER", {"AUTH_ISSUER": "https://"}),
    ("AUTH_ISSUER", {"AUTH_ISSUER": "https:id.example.com"}),
    ("AUTH_ISSUER", {"AUTH_ISSUER": "https://[id.example.com"}),
    ("KEY_COOLDOWN", {"KEY_COOLDOWN": "0"}),
    # what others could make, or nobody could open
    ("SEALING_KEYS", {"SEALING_KEYS": ""}),
    ("SEALING_KEYS", {"SEALING_KEYS": f"{KEY},"}),
    ("SEALING_KEYS", {"SEALING_KEYS": KEY[:-1]}),
    ("SEALING_KEYS", {"SEALING_KEYS": KEY[:-4]}),
    ("SEALING_KEYS", {"SEALING_KEYS": f"{KEY}AA"}),
    ("SEALING_KEYS", {"SEALING_KEYS": f"{KEY}="}),
    ("SEALING_KEYS", {"SEALING_KEYS": f"{KEY[:-1]}9"}),
    ("SEALING_KEYS", {"SEALING_KEYS": f"{KEY[:9]} {KEY[9:]}"}),
    ("SEALING_KEYS", {"SEALING_KEYS": f"{KEY[:9]}+{KEY[10:]}"}),
    ("SEALING_KEYS", {"SEALING_KEYS": f"{KEY[:9]}\u00e9{KEY[10:]}"}),
    ("SEALING_KEYS", {"SEALING_KEYS": "00" * 32}),
    ("SEALING_KEYS", {"SEALING_KEYS": f"{KEY},short"}),
    ("SEALING_KEYS", {"SEALING_KEYS": f"{KEY},{KEY}"}),
    ("CONFIRM_CLIENT_ID", {"CONFIRM_CLIENT_ID": "pàge"}),
    ("CONFIRM_CLIENT_SECRET", {"CONFIRM_CLIENT_ID": "page", "CONFIRM_CLIENT_SECRET": "s\n3cret"}),
    ("CONFIRM_CLIENT_SECRET", {"CONFIRM_CLIENT_SECRET": "s3cret"}),
    # what clients would compare in vain
    ("CHALLENGE_SCOPES", {"CHALLENGE_SCOPES": "dunning.all dunning.everything"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "https://MCP.example.com"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "HTTPS://mcp.example.com"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "https://ana@mcp.example.com"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "https://mcp.example.com:443"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "https://mcp.example.com:443/collect"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "https://mcp.example.com:"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "https://mcp.example.com:99999"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "https://[mcp.example.com"}),
    *(("RESOURCE_LINKS", {"RESOURCE_LINKS": word}) for word in ("", "1", "yes", "True")),
    *(
        ("RESOURCE_ROOT", {"RESOURCE_ROOT": root})
        for root in ("", "kobana", "kobana:dunning", "kobana://", "kobana://dunning/", "kobana://a//b",
                     "kobana://dunning?x=1", "kobana://dunning#x", "kobana://{id}", "KOBANA://dunning",
                     "kobana://dunning%2F", "kobana://du nning", "kobana://d\u00edvida")
    ),
    # what cannot be read
    ("CHALLENGE_SCOPES", {"CHALLENGE_SCOPES": ""}),
    ("PUBLIC_URL", {"PUBLIC_URL": "mcp.example.com"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "https://mcp.example.com/"}),
    ("PUBLIC_URL", {"PUBLIC_URL": "https://mcp.example.com/mcp?x=1"}),
    ("PORT", {"PORT": "eight"}),
    ("RATE_READ", {"RATE_READ": "-1"}),
    ("RATE_READ", {"RATE_READ": "\uff16\uff10\uff10"}),
    ("ENVIRONMENT", {"ENVIRONMENT": "prod"}),
    ("AUTH_PROVIDER", {"AUTH_PROVIDER": "keycloak"}),
]  # fmt: skip


def refusal_of(changes: dict[str, str]) -> SettingsError:
    with pytest.raises(SettingsError) as refused:
        read_settings({**PRODUCTION, **changes})
    return refused.value


def test_settings_of_a_production_service_are_accepted() -> None:
    settings = read_settings(PRODUCTION)

    assert settings.is_production
    assert settings.issuer == PRODUCTION["AUTH_ISSUER"]


@pytest.mark.parametrize(("name", "changes"), REFUSED)
def test_b2_what_is_refused_is_named(name: str, changes: dict[str, str]) -> None:
    problems = refusal_of(changes).problems

    assert name in {problem.partition(":")[0] for problem in problems}


def test_production_needs_a_sealing_key_and_development_does_not() -> None:
    without = {name: value for name, value in PRODUCTION.items() if name != "SEALING_KEYS"}

    with pytest.raises(SettingsError) as refused:
        read_settings(without)
    assert [problem.partition(":")[0] for problem in refused.value.problems] == ["SEALING_KEYS"]
    assert read_settings({}).sealing_keys == ()


def test_a_sealing_key_is_never_shown() -> None:
    assert KEY not in repr(read_settings(PRODUCTION))
    assert KEY not in str(refusal_of({"SEALING_KEYS": f"{KEY},{KEY}"}))


def test_processes_open_what_others_sealed_where_keys_are_set_and_only_there() -> None:
    def seals(environ: dict[str, str]) -> list[Seal]:
        made = Container(settings=read_settings(environ))
        return [made.state_seal(), made.link_seal(), made.session_seal()]

    for one, other in zip(seals(PRODUCTION), seals(PRODUCTION), strict=True):
        assert other.open(one.seal(b"content")) == b"content"
    for one, other in zip(seals({}), seals({}), strict=True):
        assert one.open(one.seal(b"content")) == b"content"
        assert other.open(one.seal(b"content")) is None
    state, link, session = seals(PRODUCTION)
    assert session.open(state.seal(b"content")) is None
    assert state.open(session.seal(b"content")) is None
    assert link.open(state.seal(b"content")) is None


def test_every_problem_is_told_at_once() -> None:
    problems = refusal_of({"PORT": "x", "ALLOWED_ORIGINS": "*", "AUTH_ISSUER": ""}).problems

    assert {problem.partition(":")[0] for problem in problems} == {
        "PORT", "ALLOWED_ORIGINS", "AUTH_ISSUER"
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["AUTH_ALGORITHMS", "MCP_AUDIENCES", "ALLOWED_ORIGINS", "SEALING_KEYS"]
)
def test_a_refusal_never_repeats_the_value(name: str) -> None:
    assert "s3cret" not in str(refusal_of({name: "s3cret*, "}))


@pytest.mark.parametrize(
    ("url", "is_production"),
    [
        ("http://127.0.0.1:8000", False),
        ("http://localhost:8000", False),
        ("http://[::1]:8000", False),
        ("http://127.0.0.1:8000/collect", False),
        ("https://localhost.example.com", True),
        ("https://10.0.0.7", True),
        ("https://127.0.0.1.example.com", True),
    ],
)
def test_an_address_that_others_can_reach_is_production(url: str, *, is_production: bool) -> None:
    settings = read_settings({**PRODUCTION, "PUBLIC_URL": url})

    assert settings.is_production is is_production


def test_every_algorithm_that_the_verifier_knows_can_be_accepted() -> None:
    settings = read_settings({**PRODUCTION, "AUTH_ALGORITHMS": ",".join(ASYMMETRIC_ALGORITHMS)})

    assert set(settings.auth_algorithms) == ASYMMETRIC_ALGORITHMS
    assert ASYMMETRIC_ALGORITHMS.issuperset(Settings().auth_algorithms)


def test_b2_each_surface_accepts_its_own_audiences_and_no_others() -> None:
    changes = {"MCP_AUDIENCES": "api://one", "API_AUDIENCES": "api://two"}
    accepted = audiences_of(read_settings({**PRODUCTION, **changes}))

    host = PRODUCTION["PUBLIC_URL"]
    assert accepted == {
        "mcp": {"api://one", host, f"{host}/", f"{host}/mcp", f"{host}/mcp/"},
        "v1": {"api://two", f"{host}/v1", f"{host}/v1/"},
    }


def test_the_table_of_the_readme_has_every_setting_with_its_meaning() -> None:
    table = list(settings_table())

    assert [name for name, _, _ in table] == [name.upper() for name in Settings().__dict__]
    assert all(meaning for _, _, meaning in table)


def test_every_part_of_the_container_can_be_made() -> None:
    container = Container(settings=read_settings(PRODUCTION))

    for provider in container.providers.values():
        made: Any = provider()
        assert made is not None


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("AUTH_PROVIDER", {"AUTH_PROVIDER": "embedded"}),
        ("MCP_AUDIENCES", {"MCP_AUDIENCES": ""}),
        ("DATABASE_URL", {"DATABASE_URL": ""}),
    ],
)
def test_b2_the_service_ends_before_it_listens_and_names_the_setting(
    name: str,
    changes: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # To listen there would fail, and say so in other words.
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for key, value in {**PRODUCTION, "PORT": port, **changes}.items():
            monkeypatch.setenv(key, value)
        ended = dunning(capsys, "serve")

    assert ended.exit_code == 2
    assert ended.err.startswith(f"dunning: {name}: ")
