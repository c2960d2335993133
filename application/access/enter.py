"""From a verified token to a Grant: which organisation, which member or client, which rights."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from domain.access.grant import Actor, Grant, Tenant
from domain.access.members import ApiClient, Identity, Member, MemberStatus
from domain.access.principal import Principal
from domain.access.roles import permissions_of
from domain.access.scopes import expand
from domain.errors import MembershipError, UnauthenticatedError
from domain.ports.clocks import SystemClock
from domain.ports.tokens import Directory, Entrance, OpenEntrance

REMEMBERED: Final = timedelta(seconds=5)
MOST_REMEMBERED: Final = 10_000


class Enter:
    """Lets a principal into the organisation that its token names, or refuses.

    A person is (issuer, subject). An invitation is taken up by the first token of a trusted issuer
    whose verified e-mail equals the invited one; afterwards the e-mail counts for nothing.
    """

    def __init__(
        self, directory: Directory, open_entrance: OpenEntrance, clock: SystemClock
    ) -> None:
        self._directory = directory
        self._open_entrance = open_entrance
        self._clock = clock

    async def __call__(self, principal: Principal) -> Grant:
        """The grant of `principal`.

        Raises:
            MembershipError: none named, none such, suspended, or no active member of it.
            UnauthenticatedError: the token's API client is revoked or has expired.
        """
        organization_id = await self._organization(principal)
        if organization_id is None:
            raise MembershipError
        async with self._open_entrance(organization_id) as entrance:
            tenant = await entrance.tenant()
            client = await self._client(entrance, principal)
            if client is not None:
                return _client_grant(tenant, client, principal)
            member = await self._member(entrance, principal)
            return _member_grant(tenant, member, principal)

    async def _organization(self, principal: Principal) -> str | None:
        claim = principal.organization
        if claim is None or not claim.strip():
            return None
        return await self._directory.active_organization(claim)

    async def _client(self, entrance: Entrance, principal: Principal) -> ApiClient | None:
        if principal.client_id is None:
            return None
        client = await entrance.api_client(principal.issuer, principal.client_id)
        if client is None or client.subject != principal.subject:
            return None
        if not client.is_usable(self._clock.now()):
            raise UnauthenticatedError("the API client is revoked or has expired")
        return client

    async def _member(self, entrance: Entrance, principal: Principal) -> Member:
        identity = Identity(principal.issuer, principal.subject)
        member = await entrance.member(identity)
        if member is None and principal.email and principal.email_verified:
            member = await self._take_up(entrance, principal.email, identity)
        if member is None or member.status is not MemberStatus.ACTIVE:
            raise MembershipError
        return member

    async def _take_up(self, entrance: Entrance, email: str, identity: Identity) -> Member | None:
        member = await entrance.invited(email)
        if member is None:
            # Of two first requests at once, the second finds the invitation taken up.
            return await entrance.member(identity)
        member.take_up(self._clock.now())
        await entrance.bind(member, identity)
        await entrance.commit()
        return member


def _member_grant(tenant: Tenant, member: Member, principal: Principal) -> Grant:
    return Grant(
        tenant=tenant,
        actor=Actor(
            type="member",
            id=member.id,
            name=member.name,
            issuer=principal.issuer,
            subject=principal.subject,
            client_id=principal.client_id,
        ),
        role=member.role,
        permissions=permissions_of(member.role),
        scopes=expand(principal.scopes),
        assigned_to=member.assigned_to,
    )


def _client_grant(tenant: Tenant, client: ApiClient, principal: Principal) -> Grant:
    return Grant(
        tenant=tenant,
        actor=Actor(
            type="api_client",
            id=client.id,
            name=client.name,
            issuer=principal.issuer,
            subject=principal.subject,
            client_id=principal.client_id,
        ),
        role=client.role_ceiling,
        permissions=client.permissions(),
        scopes=expand(principal.scopes),
    )


@dataclass(frozen=True, slots=True)
class _Known:
    grant: Grant | None
    until: datetime


class RememberedEnter:
    """Keeps for five seconds what became of a principal: a grant, or that it is no member."""

    def __init__(self, enter: Callable[[Principal], Awaitable[Grant]], clock: SystemClock) -> None:
        self._enter = enter
        self._clock = clock
        self._known: OrderedDict[Principal, _Known] = OrderedDict()

    async def __call__(self, principal: Principal) -> Grant:
        """The grant of `principal`. Raises as `Enter` does."""
        now = self._clock.now()
        known = self._known.get(principal)
        if known is None or now >= known.until:
            known = _Known(await self._grant_of(principal), now + REMEMBERED)
            self._remember(principal, known)
        if known.grant is None:
            raise MembershipError
        return known.grant

    async def _grant_of(self, principal: Principal) -> Grant | None:
        try:
            return await self._enter(principal)
        except MembershipError:
            return None

    def _remember(self, principal: Principal, known: _Known) -> None:
        self._known[principal] = known
        self._known.move_to_end(principal)
        if len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)
