"""Renders the confirmation page: no script, nothing from elsewhere, every value cleaned."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from adapters.http.confirm.wording import (
    HEADINGS,
    NEXT,
    OTHERWISE_IN_SPANISH,
    PROBLEMS,
    REFUSALS_IN_SPANISH,
    SENTENCES,
)
from adapters.http.messages import RawHeaders
from application.confirmation.page import Shown
from application.mcp.cleaning import clean
from domain.access.confirmation import Question
from domain.access.grant import Environment as TenantEnvironment
from domain.errors import DomainError
from domain.texts import Words

_POLICY: Final = (
    b"default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    b"frame-ancestors 'none'"
)
HEADERS: Final = (
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # With no-referrer a browser would send `Origin: null` with our own form (Fetch §3.2).
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

_LONGEST: Final = 80
_LONGEST_SENTENCE: Final = 2_000


@dataclass(frozen=True, slots=True)
class Page:
    """One page, and the language it is in."""

    language: str
    html: bytes

    @property
    def headers(self) -> RawHeaders:
        """What goes with it."""
        return [*HEADERS, (b"content-language", self.language.encode())]


class Pages:
    """The pages of one service; `root` is the path they are below."""

    def __init__(self, product: str, root: str) -> None:
        self._product = product
        self._root = root
        self._templates = Environment(
            loader=PackageLoader("adapters.http.confirm"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def shown(self, shown: Shown, form_token: str, address: str) -> Page:
        """A question, or what has become of it; `address` is the page's own path."""
        language = shown.language
        values = {
            "organization": _line(shown.tenant.name),
            "is_test": shown.tenant.environment is TenantEnvironment.SANDBOX,
            "person": _line(shown.person),
            "client": _line(shown.client or ""),
            "client_id": _line(shown.client_id or ""),
            "operation": _line(shown.operation),
            "address": address,
            "form_token": form_token,
            **_asked(shown.question, language),
        }
        if shown.state == "asking":
            return self._page("asking", language, **values)
        return self._page(
            "settled",
            language,
            **values,
            state=shown.state,
            heading=HEADINGS[shown.state].in_language(language),
            next=NEXT[shown.state].in_language(language).format(until=_time(shown.until)),
            reason=_reason(shown.refusal, language),
        )

    def problem(
        self, name: str, language: str, *, address: str | None, request_id: str | None = None
    ) -> Page:
        """A page without any question; `address` is where to try again, if anywhere."""
        heading, explanation = PROBLEMS[name]
        return self._page(
            "problem",
            language,
            heading=heading.in_language(language),
            explanation=explanation.in_language(language),
            address=address,
            is_other_person=name in {"not_for_them", "no_member"},
            request_id=request_id,
        )

    def _page(self, template: str, language: str, **values: object) -> Page:
        html = self._templates.get_template(f"{template}.html.jinja").render(
            product=self._product,
            style=f"{self._root}/style.css",
            language=language,
            t=_in_language(SENTENCES, language),
            **values,
        )
        return Page(language, html.encode())


def style_sheet() -> bytes:
    """The CSS."""
    return (Path(__file__).parent / "templates" / "style.css").read_bytes()


def _asked(question: Question | None, language: str) -> dict[str, object]:
    if question is None:
        return {"sentence": "", "facts": []}
    return {
        "sentence": _line(question.sentence.in_language(language), _LONGEST_SENTENCE),
        "facts": [
            (_line(fact.label.in_language(language)), _line(fact.value.in_language(language), 200))
            for fact in question.facts
        ],
    }


def _in_language(words: Mapping[str, Words], language: str) -> dict[str, str]:
    return {name: one.in_language(language) for name, one in words.items()}


def _line(text: str, longest: int = _LONGEST) -> str:
    """`text` as one line of what can be seen, cut where it is longer than anybody reads."""
    seen = "".join(one if one.isprintable() else " " for one in clean(text))
    line = " ".join(seen.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def _time(until: datetime | None) -> str:
    """Hour and minute with the offset from UTC, so that nobody has to know whose zone it is."""
    if until is None:
        return ""
    minutes = (until.utcoffset() or timedelta()) // timedelta(minutes=1)
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    offset = f"{sign}{hours}" + (f":{rest:02}" if rest else "") if minutes else ""
    return f"{until:%H:%M} (UTC{offset})"


def _reason(refusal: DomainError | None, language: str) -> str:
    if refusal is None:
        return ""
    if language == "es":
        return REFUSALS_IN_SPANISH.get(refusal.code, OTHERWISE_IN_SPANISH)
    return refusal.message.in_language("en" if language == "en" else "pt-BR")
