"""The issuer's rows in memory, with people of two organisations."""

from collections.abc import Sequence

from domain.access.roles import Role
from domain.ports.issuer import DemoPerson, IssuedCode, RegisteredClient

AURORA = ("org_aurora", "Colégio Aurora Ltda.")
PAMPA = ("org_pampa", "Pampa Distribuidora S.A.")


def person(name: str, role: Role, organization: tuple[str, str]) -> DemoPerson:
    return DemoPerson(
        subject=f"demo-{name.lower()}",
        name=name,
        email=f"{name.lower()}@{organization[0].removeprefix('org_')}.example.com",
        role=role,
        organization_id=organization[0],
        organization_name=organization[1],
    )


HELENA = person("Helena", Role.OWNER, AURORA)
VERA = person("Vera", Role.OWNER, PAMPA)
PEOPLE = (
    HELENA,
    person("Davi", Role.OWNER, AURORA),
    person("Rui", Role.ADMIN, AURORA),
    person("Bianca", Role.MANAGER, AURORA),
    person("Caio", Role.COLLECTOR, AURORA),
    person("Lia", Role.COLLECTOR, AURORA),
    person("Otto", Role.VIEWER, AURORA),
    VERA,
    person("Ivo", Role.MANAGER, PAMPA),
    person("Nilo", Role.COLLECTOR, PAMPA),
)


class FakeIssuerStore:
    def __init__(self) -> None:
        self.clients: dict[str, RegisteredClient] = {}
        self.codes: dict[str, IssuedCode] = {}
        self.key: str | None = None
        self.folk: Sequence[DemoPerson] = PEOPLE

    async def client(self, client_id: str, /) -> RegisteredClient | None:
        return self.clients.get(client_id)

    async def save_client(self, client: RegisteredClient, /) -> None:
        self.clients[client.client_id] = client

    async def save_code(self, code: IssuedCode, /) -> None:
        self.codes[code.digest] = code

    async def take_code(self, digest: str, /) -> IssuedCode | None:
        return self.codes.pop(digest, None)

    async def signing_key(self, fresh: str, /) -> str:
        self.key = self.key or fresh
        return self.key

    async def people(self) -> Sequence[DemoPerson]:
        return self.folk
