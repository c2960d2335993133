"""The language of refusals, chosen from `Accept-Language`."""

import pytest

from application.operations.refusals import language_of
from tests.protocol.requirements import proves


@proves("language")
@pytest.mark.parametrize(
    ("accept_language", "language"),
    [
        (None, "pt-BR"),
        ("", "pt-BR"),
        ("*", "pt-BR"),
        ("en", "en"),
        ("EN-us", "en"),
        ("pt-PT", "pt-BR"),
        ("fr, de;q=0.5", "pt-BR"),
        ("fr, en;q=0.1", "en"),
        ("en, pt", "en"),
        ("pt, en", "pt-BR"),
        ("en;q=0.8, pt-BR;q=0.9", "pt-BR"),
        ("pt;q=0.3,en;q=0.301", "en"),
        ("en;q=0", "pt-BR"),
        ("pt;q=0, en;q=0.001", "en"),
        ("en ; q=1.000", "en"),
        ("en;q=2", "pt-BR"),
        ("en;q=nan", "pt-BR"),
        ("en;q=inf", "pt-BR"),
        ("en;q=", "pt-BR"),
        ("en;level=1", "pt-BR"),
        ("english", "pt-BR"),
        (",,;,q=1", "pt-BR"),
    ],
)
def test_the_most_welcome_language_that_we_have_is_taken(
    accept_language: str | None, language: str
) -> None:
    assert language_of(accept_language) == language
