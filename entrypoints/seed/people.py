"""Who works in the two organisations."""

from dataclasses import dataclass
from typing import Final

from domain.access.members import Identity, Member, MemberStatus, Portfolio
from domain.access.roles import Role
from domain.dunning.organizations import Organization
from domain.ports.issuer import DemoPerson
from entrypoints.seed.creditors import AURORA, PAMPA, Creditor
from entrypoints.seed.fixed import fixed_id


@dataclass(frozen=True, slots=True)
class _Colleague:
    name: str
    role: Role
    portfolio: Portfolio = Portfolio.ALL


_STAFF: Final = {
    AURORA.key: (
        _Colleague("Helena Prado", Role.OWNER),
        _Colleague("Davi Prado", Role.OWNER),
        _Colleague("Rui Salles", Role.ADMIN),
        _Colleague("Bianca Lemos", Role.MANAGER),
        _Colleague("Caio Furtado", Role.COLLECTOR),
        _Colleague("Lia Antunes", Role.COLLECTOR, Portfolio.ASSIGNED),
        _Colleague("Otto Brand", Role.VIEWER),
    ),
    PAMPA.key: (
        _Colleague("Vera Machado", Role.OWNER),
        _Colleague("Ivo Brandão", Role.MANAGER),
        _Colleague("Nilo Paiva", Role.COLLECTOR),
    ),
}


def member_id(creditor: Creditor, first_name: str) -> str:
    """The id of the member who is called so."""
    return fixed_id("mbr", f"{creditor.key}/member/{first_name}")


def members_of(creditor: Creditor, organization: Organization) -> tuple[Member, ...]:
    """The organisation's people, all active since it was set up."""
    return tuple(
        Member(
            organization_id=organization.id,
            id=member_id(creditor, _first_name(one.name)),
            name=one.name,
            email=f"{_first_name(one.name).lower()}@{creditor.email_domain}",
            role=one.role,
            status=MemberStatus.ACTIVE,
            portfolio=one.portfolio,
            created_at=organization.created_at,
            updated_at=organization.created_at,
        )
        for one in _STAFF[creditor.key]
    )


def person_of(creditor: Creditor, organization: Organization, member: Member) -> DemoPerson:
    """The member as the development issuer knows them."""
    return DemoPerson(
        subject=f"demo-{creditor.key.lower()}-{first_name_of(member).lower()}",
        name=member.name,
        email=member.email,
        role=member.role,
        organization_id=organization.id,
        organization_name=organization.name,
    )


def identity_of(issuer: str, person: DemoPerson) -> Identity:
    """Whom a token of `issuer` names for this person."""
    return Identity(issuer=issuer, subject=person.subject)


def first_name_of(member: Member) -> str:
    """What the member is called by."""
    return _first_name(member.name)


def _first_name(name: str) -> str:
    return name.split(maxsplit=1)[0]
