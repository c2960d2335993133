"""Renders the pages a person sees: no script, nothing from elsewhere."""

from dataclasses import dataclass
from http import HTTPStatus
from itertools import groupby
from typing import Any, Final

from authlib.oauth2 import OAuth2Error
from jinja2 import Environment, PackageLoader, StrictUndefined

from adapters.auth.embedded.consent import ScopeOffer
from adapters.auth.embedded.messages import Answer
from adapters.auth.embedded.settings import EmbeddedSettings
from adapters.auth.embedded.wording import EXTRAS, ROLES, SENTENCES, UMBRELLAS
from domain.ports.issuer import DemoPerson
from domain.texts import Language

# No form-action: Chromium applies it to the redirect after the form too, and to every further one
# that the app makes.
_CSP: Final = (
    "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'"
)
_HEADERS: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": _CSP,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Vary": "Accept-Language",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """What the sign-in page shows, and the sealed request that its form hands back.

    `is_own`: the client is the service's own page, which gets no access. All others chose their
    names themselves.
    """

    client_name: str
    is_own: bool
    returns_to: str
    resource: str
    people: tuple[DemoPerson, ...]
    offer: ScopeOffer
    sealed: str


class Pages:
    """The pages of one issuer."""

    def __init__(self, settings: EmbeddedSettings) -> None:
        self._settings = settings
        self._templates = Environment(
            loader=PackageLoader("adapters.auth.embedded"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def sign_in(self, page: SignIn, language: Language) -> Answer:
        """Who may sign in, and what the client would get."""
        return self._page(
            "sign_in.html",
            HTTPStatus.OK,
            language,
            page=page,
            organizations=_by_organization(page.people),
            person_key=person_key,
            roles={role: text.in_language(language) for role, text in ROLES.items()},
            umbrellas=[
                (name, *(text.in_language(language) for text in UMBRELLAS[name]))
                for name in page.offer.umbrellas
            ],
            extras=[
                (scope, EXTRAS[scope].in_language(language) if scope in EXTRAS else None)
                for scope in page.offer.extras
            ],
        )

    def refused(self, error: OAuth2Error, language: Language) -> Answer:
        """A request that must not be answered by redirect; shows the protocol's name for why."""
        detail = f"{error.error}: {error.description}" if error.description else str(error.error)
        return self._problem("refused", language, detail)

    def too_long(self, language: Language) -> Answer:
        """A request longer than any that is honest."""
        return self._problem("too_long", language)

    def stale(self, language: Language) -> Answer:
        """A form that is forged, too old, or from another browser."""
        return self._problem("stale", language)

    def incomplete(self, language: Language) -> Answer:
        """A form without a person, or with nothing allowed."""
        return self._problem("incomplete", language)

    def _problem(self, name: str, language: Language, detail: str = "") -> Answer:
        return self._page(
            "problem.html",
            HTTPStatus.BAD_REQUEST,
            language,
            heading=SENTENCES[name].in_language(language),
            reason=SENTENCES[f"{name}_why"].in_language(language),
            detail=detail,
        )

    def _page(self, template: str, status: int, language: Language, **values: object) -> Answer:
        html = self._templates.get_template(template).render(
            product=self._settings.product,
            style=f"{self._settings.path}/style.css",
            language=language,
            t=_sentences(language),
            **values,
        )
        return Answer(status, html.encode(), _HEADERS)


def person_key(person: DemoPerson) -> str:
    """What the form sends for `person`."""
    return f"{person.organization_id} {person.subject}"


def _sentences(language: Language) -> dict[str, str]:
    return {name: text.in_language(language) for name, text in SENTENCES.items()}


def _by_organization(people: tuple[DemoPerson, ...]) -> list[tuple[str, list[Any]]]:
    grouped = groupby(people, key=lambda person: (person.organization_id, person.organization_name))
    return [(name, list(members)) for (_, name), members in grouped]
