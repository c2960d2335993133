"""What somebody needs to use a running demo: addresses, tokens, and lines to paste into clients."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from shlex import quote
from typing import Final

from adapters.auth.embedded.tokens import Bearer
from entrypoints.cli.output import heading, line, table
from entrypoints.cli.tokens import SURFACES, Surface, of_client, of_person, resource_of
from entrypoints.container import Container
from entrypoints.seed.plant import Planted
from entrypoints.settings import Settings

_LIFETIME: Final = timedelta(hours=12)
_KEYS: Final = "sealing.keys"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Somebody of the demo, with a token for each surface."""

    name: str
    role: str
    organization: str
    tokens: Mapping[Surface, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Handout:
    """The address of a demo, and everybody who is let in: people first, the owner before others."""

    url: str
    holders: Sequence[Holder]

    @property
    def first(self) -> Holder:
        """Somebody who may do everything."""
        return self.holders[0]

    def called(self, first_name: str) -> Holder:
        """The person with this first name."""
        return next(one for one in self.holders if one.name.startswith(f"{first_name} "))


async def prepare_handout(container: Container, planted: Planted) -> Handout:
    """Tokens for everybody of the demo; those who are refused on purpose get none."""
    names = {person.organization_id: person.organization_name for person in planted.people}
    holders = []
    for person in planted.people:
        tokens = await _tokens(container, of_person(person))
        holders.append(
            Holder(
                name=person.name,
                role=person.role,
                organization=person.organization_name,
                tokens=tokens,
            )
        )
    now = container.clock().now()
    for client in planted.api_clients:
        if client.is_usable(now):
            tokens = await _tokens(container, of_client(client))
            organization = names[client.organization_id]
            holders.append(
                Holder(
                    name=client.name, role="API client", organization=organization, tokens=tokens
                )
            )
    return Handout(url=container.settings().public_url, holders=holders)


def print_handout(handout: Handout, settings: Settings) -> None:
    """Show all of it, with the databases of `settings` for the other commands."""
    _print_addresses(handout.url)
    _print_tokens(handout)
    _print_exports(handout.first, settings)
    _print_clients(handout.url, handout.first.tokens["mcp"])
    _print_program(handout.first, settings)
    line()
    line("Ctrl-C ends everything.", style="dim")


async def _tokens(container: Container, bearer: Bearer) -> dict[Surface, str]:
    settings, issuer = container.settings(), container.issuer()
    return {
        surface: await issuer.mint(
            replace(bearer, resource=resource_of(settings, surface), lifetime=_LIFETIME)
        )
        for surface in SURFACES
    }


def _print_addresses(url: str) -> None:
    heading("Addresses")
    table(
        ("what", "where"),
        [
            ("MCP", f"{url}/mcp (and {url}/)"),
            ("REST", f"{url}/v1"),
            ("REST, to read", f"{url}/v1/docs"),
            ("sign-in", f"{url}/issuer; a client that is given the MCP address finds it"),
        ],
    )


def _print_tokens(handout: Handout) -> None:
    heading("Tokens for the MCP server; they count for 12 hours")
    table(
        ("name", "role", "organisation", "token"),
        [(one.name, one.role, one.organization, one.tokens["mcp"]) for one in handout.holders],
    )


def _print_exports(holder: Holder, settings: Settings) -> None:
    heading(f"To paste into a shell first ({holder.name}, {holder.role}); each door has its token")
    line(f"export TOKEN={holder.tokens['v1']}")
    line(f"export MCP_TOKEN={holder.tokens['mcp']}")
    heading("And for dunning import, index and run-jobs on this demo")
    line(f"export DATABASE_URL={quote(settings.database_url)}")
    line(f"export MIGRATION_DATABASE_URL={quote(settings.migration_database_url)}")


def _print_clients(url: str, token: str) -> None:
    heading("Claude Code, with this token")
    line(
        f"claude mcp add --transport http dunning {url}/mcp "
        '--header "Authorization: Bearer $MCP_TOKEN"'
    )
    heading("Claude Code, signing in as anybody: then type /mcp")
    line(f"claude mcp add --transport http dunning {url}/mcp")
    heading("Any client that reads JSON")
    line(json.dumps(_configuration(url, token), indent=2))
    heading("curl")
    line(_curl(f"{url}/mcp"))
    heading("MCP Inspector")
    line(
        "npx -y -p node@22 -p @modelcontextprotocol/inspector@2 mcp-inspector "
        f"--cli {url}/mcp --transport http "
        '--header "Authorization: Bearer $MCP_TOKEN" --method tools/list'
    )


def _print_program(holder: Holder, settings: Settings) -> None:
    heading(f"Clients that start a program, here Claude Code ({holder.name}, {holder.role})")
    variables = {
        "PUBLIC_URL": quote(settings.public_url),
        "DATABASE_URL": quote(settings.database_url),
        "SEALING_KEYS": f'"{_sealing_keys(settings)}"',
        "DUNNING_TOKEN": '"$MCP_TOKEN"',
    }
    given = " ".join(f"--env {name}={value}" for name, value in variables.items())
    program = quote(str(Path(sys.executable).with_name("dunning")))
    line(f"claude mcp add dunning-stdio --transport stdio {given} -- {program} stdio")


def _sealing_keys(settings: Settings) -> str:
    """Where a shell finds them, as they are never shown."""
    if os.environ.get("SEALING_KEYS"):
        return "$SEALING_KEYS"
    return f"$(cat {quote(str(Path(settings.data_dir).absolute() / _KEYS))})"


def _configuration(url: str, token: str) -> dict[str, object]:
    server = {
        "type": "http",
        "url": f"{url}/mcp",
        "headers": {"Authorization": f"Bearer {token}"},
    }
    return {"mcpServers": {"dunning": server}}


def _curl(endpoint: str) -> str:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    return (
        f'curl -s {endpoint} -H "Authorization: Bearer $MCP_TOKEN" '
        f"-H 'Content-Type: application/json' -d '{body}'"
    )
