"""What the confirmation page does: shows one question to the person it is for, keeps their word."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal, Protocol
from zoneinfo import ZoneInfo

from application.access.system import system_grant
from application.confirmation.links import Link, Links
from application.operations.request import KEY, Answer, Bound, Prepared, Request
from application.operations.run import RunOperation
from domain.access.audit import Origin, Outcome
from domain.access.confirmation import CONFIRMED_FOR, Decision, Question, Verdict
from domain.access.grant import Grant, Tenant
from domain.access.principal import Principal
from domain.access.scopes import SCOPES
from domain.errors import AccessError, DomainError, PermissionDeniedError, UnavailableError
from domain.ports.clocks import SystemClock
from domain.ports.storage import OpenWork
from domain.ports.tokens import OpenEntrance
from domain.texts import Text

PageState = Literal["asking", "confirmed", "refused", "used", "reached", "changed", "forbidden"]
"""What the person meets: a question; their own earlier word, which still waits for the call or has
been used; a state that is there already; a target that is no longer as it was; a rule against it.
"""

_JOB: Final = "confirmation page"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the page shows, in `language` (pt-BR, es, en).

    `client` is what the calling app says its name is, cleaned; `client_id` is what the issuer calls
    it. `question` is there while the state is `asking` or `confirmed`, `refusal` while it is
    `forbidden`; `until` is when a yes that still waits ends, in the organisation's time zone.
    """

    state: PageState
    language: str
    tenant: Tenant
    person: str
    operation: str
    client: str | None
    client_id: str | None
    question: Question | None = None
    refusal: DomainError | None = None
    until: datetime | None = None


class NotForThemError(AccessError):
    """Whoever signed in is not the person who asked."""

    code = "PERMISSION_DENIED"

    def __init__(self) -> None:
        super().__init__(
            Text("Esta confirmação é de outra pessoa.", "This confirmation is another person's.")
        )


class FindBound(Protocol):
    """Knows the operations."""

    def find(self, name: str, /) -> Bound | None:
        """The operation of this name."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationPage:
    """Answers for the page; the person has signed in through the same issuer as their client."""

    run: RunOperation
    links: Links
    operations: FindBound
    enter: Callable[[Principal], Awaitable[Grant]]
    open_entrance: OpenEntrance
    open_work: OpenWork
    clock: SystemClock

    def open(self, sealed: str) -> Link | None:
        """The link of an address' last part; None where there is none, or its time is over."""
        return self.links.open(sealed)

    async def show(self, link: Link, principal: Principal, origin: Origin) -> Shown:
        """What the page shows now.

        Raises:
            NotForThemError: nobody but the asker may see it.
            MembershipError: the asker is no active member any more.
            UnavailableError: something does not answer.
        """
        _, shown = await self._visit(link, await self._request(link, principal, origin))
        return shown

    async def decide(
        self, link: Link, principal: Principal, origin: Origin, verdict: Verdict
    ) -> Shown:
        """Keep the person's word, if they can still give it; what the page shows then.

        A yes may be withdrawn as long as it waits for its call. Raises as `show` does.
        """
        request = await self._request(link, principal, origin)
        prepared, shown = await self._visit(link, request)
        withdraws = shown.state == "confirmed" and verdict == "refused"
        if prepared is None or not (shown.state == "asking" or withdraws):
            return shown
        await self._keep(link, prepared, verdict)
        _, shown = await self._visit(link, request)
        return shown

    async def _keep(self, link: Link, prepared: Prepared, verdict: Verdict) -> None:
        expires_at = self.clock.now() + CONFIRMED_FOR
        decision = Decision(id=link.id, call=link.call, verdict=verdict, expires_at=expires_at)
        outcome: Outcome = "confirmed" if verdict == "confirmed" else "declined"
        entry = self.run.entries.of_word(prepared, outcome, confirmation=link.id)
        request = prepared.request
        async with self.open_work(request.grant, request.origin) as work:
            # Where another tab was faster, its word counts.
            if await work.decisions.add(decision):
                await work.audit(entry)
                await work.commit()

    async def _visit(self, link: Link, request: Request) -> tuple[Prepared | None, Shown]:
        """The question as it stands, prepared to be decided on where it is open."""
        grant = request.grant
        async with self.open_work(grant, request.origin, read_only=True) as work:
            language = (await work.organization()).language
            decision = await work.decisions.find(link.id)
            if decision is None:
                # The person may have answered about the same call on an earlier page.
                decision = await work.decisions.unused(link.call)
        blank = Shown(
            state="changed",
            language=language,
            tenant=grant.tenant,
            person=grant.actor.name,
            operation=link.call.operation,
            client=link.client,
            client_id=link.call.client_id,
        )
        decided = {} if decision is None else _as_decided(decision, grant.tenant.timezone)
        if decided and decided["state"] != "confirmed":
            return None, replace(blank, **decided)
        try:
            prepared, shown = await self._open_question(link, request, blank)
        except UnavailableError:
            raise
        except DomainError as refusal:
            return None, replace(blank, state="forbidden", refusal=refusal)
        return prepared, replace(shown, **decided) if shown.state == "asking" else shown

    async def _open_question(
        self, link: Link, request: Request, blank: Shown
    ) -> tuple[Prepared | None, Shown]:
        bound = self.operations.find(link.call.operation)
        if bound is None:
            raise PermissionDeniedError
        prepared = await self.run.prepare(bound, request)
        considered = await self.run.consider(prepared)
        if isinstance(considered, Answer):
            return None, replace(blank, state="reached")
        if considered.call != link.call:
            return None, blank
        return prepared, replace(blank, state="asking", question=considered.question)

    async def _request(self, link: Link, principal: Principal, origin: Origin) -> Request:
        """The call of the link, made by the person who has signed in.

        What the token of the page may do does not matter: it says who is there. The call itself is
        checked with its own token before it asks and when it runs.
        """
        grant = None
        if (principal.issuer, principal.subject) == (link.call.issuer, link.call.subject):
            grant = await self.enter(principal)
        if grant is None or grant.organization_id != link.organization_id:
            await self._note_stranger(link, origin)
            raise NotForThemError
        actor = replace(grant.actor, client_id=link.call.client_id)
        # Some operations want a key to be read at all; nothing is ever stored under this one.
        raw = {**link.raw, KEY: link.id}
        return Request(raw=raw, grant=replace(grant, actor=actor, scopes=SCOPES), origin=origin)

    async def _note_stranger(self, link: Link, origin: Origin) -> None:
        async with self.open_entrance(link.organization_id) as entrance:
            tenant = await entrance.tenant()
        entry = self.run.entries.of_stranger(link.call.operation, link.id)
        async with self.open_work(system_grant(tenant, _JOB), origin) as work:
            await work.audit(entry)
            await work.commit()


def _as_decided(decision: Decision, timezone: str) -> dict[str, Any]:
    if decision.verdict == "refused":
        return {"state": "refused"}
    if decision.used_at is not None:
        return {"state": "used"}
    return {"state": "confirmed", "until": decision.expires_at.astimezone(ZoneInfo(timezone))}
