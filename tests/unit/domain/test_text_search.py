"""What people type finds what was stored, whatever the accents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dunning.text_search import fold, search_text


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("Colégio Aurora", "colegio aurora"),
        ("AÇÃO", "acao"),
        ("Strauß & ﬁlhos", "strauss & filhos"),
        ("  Transportes \t Silva ", "transportes silva"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}na", "ana"),
    ],
)
def test_accents_case_and_spacing_do_not_matter(stored: str, typed: str) -> None:
    assert fold(stored) == typed


def test_the_shadow_of_a_debtor_is_its_fields_side_by_side() -> None:
    assert search_text(["José Ávila", None, "", "NF-1001"]) == "jose avila nf-1001"


@given(st.text())
def test_a_shadow_is_its_own_shadow(text: str) -> None:
    assert fold(fold(text)) == fold(text)
