"""The page and its style sheet as bytes."""

from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from jinja2 import Environment, PackageLoader, StrictUndefined

from adapters.http.docs_page.reference import Document, reference_of
from adapters.http.resources import WELL_KNOWN
from domain.access.scopes import ALL, READ, WRITE

_UMBRELLAS: Final = {
    READ: "Reading, except the audit trail, members and API clients.",
    WRITE: "The above, and creating and changing what is neither destructive nor sent to anybody.",
    ALL: "Everything that the role allows, except revealing documents and contacts of debtors.",
}

_templates: Final = Environment(
    loader=PackageLoader("adapters.http.docs_page"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page_of(route: str, document: Document) -> bytes:
    """The HTML; `route` is the path of the API, below which its style sheet and document are."""
    api = reference_of(document)
    html = _templates.get_template("page.html.jinja").render(
        api=api,
        route=route,
        resource=urljoin(api.base_url, route),
        metadata=f"{WELL_KNOWN}{route}",
        umbrellas=_UMBRELLAS,
    )
    return html.encode()


def style_sheet() -> bytes:
    """The CSS."""
    return (Path(__file__).parent / "templates" / "style.css").read_bytes()
