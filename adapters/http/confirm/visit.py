"""What the browser is answered on the confirmation page, step by step."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from adapters.http.confirm.attempts import Attempts
from adapters.http.confirm.cookies import Cookies, SetCookie
from adapters.http.confirm.pages import HEADERS, Page, Pages
from adapters.http.confirm.sessions import Session, Sessions
from adapters.http.gate import Gate
from adapters.http.messages import Headers, Incoming, RawHeaders
from application.confirmation.links import Link
from application.confirmation.page import ConfirmationPage
from domain.access.audit import Origin
from domain.access.confirmation import Verdict
from domain.errors import BadRequestError, DomainError, UnauthenticatedError
from domain.ports.sign_in import SignIn
from domain.texts import Text

PARAMETER: Final = "sealed"

_FORM: Final = b"application/x-www-form-urlencoded"
_MOST_FIELDS: Final = 20
_ADDRESS: Final = re.compile(r"[A-Za-z0-9_-]{1,8192}")
_VERDICTS: Final[Mapping[str, Verdict]] = {"confirm": "confirmed", "refuse": "refused"}


class DeadLinkError(DomainError):
    """Nothing that was sealed here, or its time is over: nobody can tell which."""

    code = "NOT_FOUND"

    def __init__(self) -> None:
        super().__init__(Text("Este link não funciona.", "This link does not work."))


class NotConfiguredError(DomainError):
    """The issuer does not know the page as a client."""

    code = "UNAVAILABLE"

    def __init__(self) -> None:
        super().__init__(
            Text("A entrada não está configurada.", "Signing in is not configured here.")
        )


class StaleFormError(DomainError):
    """A form of another session, another link or another site."""

    code = "PERMISSION_DENIED"

    def __init__(self) -> None:
        super().__init__(Text("O formulário não vale mais.", "The form is no longer good."))


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the page."""

    status: int
    body: bytes
    headers: RawHeaders


@dataclass(frozen=True, slots=True, kw_only=True)
class Visits:
    """Everything that one request of a browser may come to; `root` is the page's own path."""

    page: ConfirmationPage
    sign_in: SignIn
    gate: Gate
    attempts: Attempts
    sessions: Sessions
    cookies: Cookies
    pages: Pages
    own_origin: str
    root: str

    async def show(self, incoming: Incoming, _body: bytes) -> Reply:
        """The question to whoever has signed in; the way to the issuer for anybody else."""
        await self.gate.count_anonymous(incoming)
        sealed, link = self._link(incoming)
        sent = self.cookies.sent(incoming.headers)
        afresh = _parameters(incoming.scope["query_string"]).get("sign_in") == "again"
        session = None if afresh else self.sessions.find(sent)
        if session is None:
            return await self._to_the_issuer(sealed, sent, afresh=afresh)
        shown = await self.page.show(link, session.principal, self._origin(incoming))
        page = self.pages.shown(shown, session.form_token(sealed), self._address(sealed))
        return page_reply(HTTPStatus.OK, page)

    async def come_back(self, incoming: Incoming, _body: bytes) -> Reply:
        """From the issuer to the page of the link that the attempt was for, signed in."""
        await self.gate.count_anonymous(incoming)
        answer = _parameters(incoming.scope["query_string"])
        sent = self.cookies.sent(incoming.headers)
        state = answer.get("state", "")
        begun = self.attempts.find(state, sent)
        if begun is None or not _ADDRESS.fullmatch(begun[1]):
            raise UnauthenticatedError("No attempt to sign in began here.")
        attempt, sealed = begun
        # For whatever goes wrong from here on: where to try again.
        incoming.scope["path_params"] = {PARAMETER: sealed}
        principal = await self.sign_in.finish(attempt, answer)
        cookies = [self.sessions.begin(principal), *self.attempts.end(state, sent)]
        return _redirect(self._address(sealed), cookies)

    async def decide(self, incoming: Incoming, body: bytes) -> Reply:
        """Keep the person's word, then show the page: going back or reloading does no harm."""
        await self.gate.count_anonymous(incoming)
        form = self._form(incoming.headers, body)
        sealed, link = self._link(incoming)
        session = self._own_session(incoming.headers, form.get("form", ""), sealed)
        verdict = _VERDICTS.get(form.get("action", ""))
        if verdict is None:
            raise _unreadable()
        await self.page.decide(link, session.principal, self._origin(incoming), verdict)
        return _redirect(self._address(sealed), [])

    def again_at(self, incoming: Incoming) -> str | None:
        """Where the person may try again; None where the request tells of no link."""
        sealed = _sealed(incoming)
        return self._address(sealed) if _ADDRESS.fullmatch(sealed) else None

    async def _to_the_issuer(self, sealed: str, sent: Mapping[str, str], *, afresh: bool) -> Reply:
        if not self.sign_in.is_configured:
            raise NotConfiguredError
        attempt, cookies = self.attempts.begin(sealed, sent)
        return _redirect(await self.sign_in.begin(attempt, afresh=afresh), cookies)

    def _form(self, headers: Headers, body: bytes) -> dict[str, str]:
        origins = headers.all(b"origin")
        if origins and origins != [self.own_origin]:
            raise StaleFormError
        kinds = headers.sent(b"content-type")
        if len(kinds) != 1 or kinds[0].partition(b";")[0].strip().lower() != _FORM:
            raise _unreadable()
        return _parameters(body)

    def _own_session(self, headers: Headers, token: str, sealed: str) -> Session:
        session = self.sessions.find(self.cookies.sent(headers))
        if session is None or not session.is_own_form(token, sealed):
            raise StaleFormError
        return session

    def _link(self, incoming: Incoming) -> tuple[str, Link]:
        sealed = _sealed(incoming)
        link = self.page.open(sealed)
        if link is None:
            raise DeadLinkError
        return sealed, link

    def _origin(self, incoming: Incoming) -> Origin:
        return Origin(incoming.request_id, "page", self.gate.address(incoming))

    def _address(self, sealed: str) -> str:
        return f"{self.root}/{sealed}"


def page_reply(status: int, page: Page) -> Reply:
    """A page as an answer."""
    return Reply(status, page.html, page.headers)


def _redirect(location: str, cookies: list[SetCookie]) -> Reply:
    headers = [*HEADERS, (b"location", location.encode()), *cookies]
    return Reply(HTTPStatus.SEE_OTHER, b"", headers)


def _sealed(incoming: Incoming) -> str:
    sealed: str = incoming.scope.get("path_params", {}).get(PARAMETER, "")
    return sealed


def _parameters(encoded: bytes) -> dict[str, str]:
    """A query or a form, each name once. Raises BadRequestError for anything else."""
    try:
        pairs = parse_qsl(
            encoded.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:
        raise _unreadable() from None
    read = dict(pairs)
    if len(read) != len(pairs):
        raise _unreadable()
    return read


def _unreadable() -> BadRequestError:
    return BadRequestError(Text("Pedido ilegível.", "The request cannot be read."))
