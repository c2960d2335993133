"""The API clients. What they live by is the system's clock, so their dates move with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from domain.access.members import ApiClient
from domain.access.roles import INTEGRATION_PRESET, Role
from domain.access.scopes import READ, scope_of
from domain.dunning.organizations import Organization
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.fixed import fixed_id

ERP_SYNC: Final = "erp-sync"

_LIFETIME: Final = timedelta(days=365)
_SINCE_REVOKED: Final = timedelta(days=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Program:
    name: str
    scopes: frozenset[str]
    role_ceiling: Role
    age: timedelta = timedelta(days=60)
    status: Literal["active", "revoked"] = "active"


_ERP: Final = _Program(
    name=ERP_SYNC,
    scopes=frozenset(map(scope_of, INTEGRATION_PRESET)),
    role_ceiling=Role.MANAGER,
)
_PROGRAMS: Final = {
    AURORA.key: (
        _ERP,
        _Program(name="painel-leitura", scopes=frozenset({READ}), role_ceiling=Role.VIEWER),
        _Program(
            name="portal-expirado",
            scopes=_ERP.scopes,
            role_ceiling=Role.MANAGER,
            age=_LIFETIME + timedelta(days=35),
        ),
        _Program(
            name="loja-revogada", scopes=_ERP.scopes, role_ceiling=Role.MANAGER, status="revoked"
        ),
    ),
    PAMPA.key: (_ERP,),
}


def api_clients_of(
    creditor: Creditor, organization: Organization, *, issuer: str, system_now: datetime
) -> Iterator[ApiClient]:
    """The organisation's programs, as `issuer` knows them."""
    for program in _PROGRAMS[creditor.key]:
        client_id = f"{creditor.email_domain.partition('.')[0]}-{program.name}"
        is_revoked = program.status == "revoked"
        created_at = system_now - program.age
        yield ApiClient(
            organization_id=organization.id,
            id=fixed_id("cli", f"{creditor.key}/api_client/{program.name}"),
            name=program.name,
            issuer=issuer,
            client_id=client_id,
            subject=client_id,
            scopes=program.scopes,
            role_ceiling=program.role_ceiling,
            status=program.status,
            expires_at=created_at + _LIFETIME,
            created_at=created_at,
            updated_at=system_now - _SINCE_REVOKED if is_revoked else created_at,
            version=2 if is_revoked else 1,
        )
