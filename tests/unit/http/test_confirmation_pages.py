"""What the confirmation page says in each state, to each reader."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import get_args
from zoneinfo import ZoneInfo

import pytest

from adapters.http.confirm.pages import Pages, style_sheet
from adapters.http.confirm.wording import HEADINGS, NEXT, PROBLEMS, SENTENCES
from application.confirmation.page import PageState, Shown
from domain.access.confirmation import Fact, Question
from domain.access.grant import Environment, Tenant
from domain.errors import ComplianceBlockedError, RoleLimitError
from domain.texts import Text, Words

PAGES = Pages("Kobana Dunning", "/confirm")
LANGUAGES = ["pt-BR", "es", "en"]
QUESTION = Question(
    sentence=Words("Cancelar “Ana”?", "¿Anular “Ana”?", "Cancel “Ana”?"),
    facts=(Fact(Words("Valor", "Importe", "Amount"), Words("R$ 1,00", "R$ 1,00", "R$ 1.00")),),
)
SHOWN = Shown(
    state="asking",
    language="pt-BR",
    tenant=Tenant(
        id="org_1", name="Colégio Aurora", environment=Environment.LIVE, timezone="America/Manaus"
    ),
    person="Helena Prado",
    operation="dunning_charges_cancel",
    client="Claude",
    client_id="client-1",
    question=QUESTION,
)


def html_of(shown: Shown) -> str:
    return PAGES.shown(shown, "mark", "/confirm/abc").html.decode()


def in_state(state: PageState, language: str) -> Shown:
    until = datetime(2026, 9, 1, 14, 5, tzinfo=UTC).astimezone(ZoneInfo("America/Manaus"))
    refusal = RoleLimitError("manager") if state == "forbidden" else None
    question = QUESTION if state in {"asking", "confirmed"} else None
    return replace(
        SHOWN, state=state, language=language, question=question, refusal=refusal, until=until
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", get_args(PageState))
def test_each_state_has_a_page_in_each_language(state: PageState, language: str) -> None:
    html = html_of(in_state(state, language))

    assert f'<html lang="{language}">' in html
    assert ("<form" in html) is (state in {"asking", "confirmed"})
    assert "{" not in html
    title = re.search("<title>(.*)</title>", html)
    assert title is not None
    assert title[1] == f"{SENTENCES['title'].in_language(language)} · Kobana Dunning"


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_problem_has_a_page_in_each_language(name: str, language: str) -> None:
    page = PAGES.problem(name, language, address="/confirm/abc", request_id="req_1")

    assert f'<html lang="{language}">' in page.html.decode()
    assert (b"content-language", language.encode()) in page.headers


def test_every_sentence_is_there_in_every_language() -> None:
    words = [*SENTENCES.values(), *HEADINGS.values(), *NEXT.values()]
    words += [one for pair in PROBLEMS.values() for one in pair]

    assert all(one.pt and one.es and one.en for one in words)
    assert set(HEADINGS) == set(NEXT) == set(get_args(PageState)) - {"asking"}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("pt-BR", "até 10:05 (UTC-4)"), ("es", "antes de las 10:05 (UTC-4)"), ("en", "10:05 (UTC-4)")],
)
def test_a_yes_says_until_when_in_the_organisations_zone(language: str, sentence: str) -> None:
    assert sentence in html_of(in_state("confirmed", language))


@pytest.mark.parametrize(
    ("language", "withdraw"),
    [("pt-BR", "Retirar a confirmação"), ("es", "Retirar la confirmación"), ("en", "Withdraw")],
)
def test_a_yes_shows_what_was_confirmed_and_may_be_withdrawn(language: str, withdraw: str) -> None:
    html = html_of(in_state("confirmed", language))

    assert QUESTION.sentence.in_language(language) in html
    assert 'name="action" value="refuse"' in html
    assert 'name="form" value="mark"' in html
    assert f">{withdraw}</button>" in html
    assert 'value="confirm"' not in html


@pytest.mark.parametrize(
    ("language", "confirm", "other"),
    [
        ("pt-BR", "Confirmar esta ação", "Não fazer isto"),
        ("es", "Confirmar esta acción", "No hacerlo"),
        ("en", "Confirm this action", "Do not do this"),
    ],
)
def test_no_button_can_be_taken_for_the_act_that_is_asked_about(
    language: str, confirm: str, other: str
) -> None:
    html = html_of(in_state("asking", language))

    assert re.findall(r"<button[^>]*>([^<]*)</button>", html) == [other, confirm]


def test_a_used_yes_does_not_say_that_anything_was_carried_out() -> None:
    html = html_of(in_state("used", "pt-BR"))

    assert "Veja o resultado no seu assistente." in html
    assert "executa" not in html


@pytest.mark.parametrize(
    ("zone", "shown"),
    [("America/Sao_Paulo", "11:05 (UTC-3)"), ("UTC", "14:05 (UTC)"),
     ("Asia/Kolkata", "19:35 (UTC+5:30)")],
)  # fmt: skip
def test_a_time_names_its_offset(zone: str, shown: str) -> None:
    until = datetime(2026, 9, 1, 14, 5, tzinfo=UTC).astimezone(ZoneInfo(zone))

    assert shown in html_of(replace(in_state("confirmed", "en"), until=until))


def test_a_rule_against_it_is_told_in_the_readers_language() -> None:
    said = {one: html_of(in_state("forbidden", one)) for one in LANGUAGES}

    assert "Acima do limite do seu papel." in said["pt-BR"]
    assert "Supera el límite de su función." in said["es"]
    assert "Above the limit of your role." in said["en"]
    new = ComplianceBlockedError(Text("Falta o aviso.", "The notice is missing."), reasons=["x"])
    assert "Falta algo que la ley exige." in html_of(
        replace(in_state("forbidden", "es"), refusal=new)
    )


def test_everything_shown_is_cleaned_cut_and_escaped() -> None:
    evil = "\u202e<b>&\"'\u200b\n\x00" + "W" * 500
    fact = Fact(Words.same(evil), Words.same(evil))
    question = Question(sentence=Words.same(evil), facts=(fact,))
    html = html_of(
        replace(
            SHOWN,
            tenant=replace(SHOWN.tenant, name=evil),
            person=evil,
            client=evil,
            client_id=evil,
            operation=evil,
            question=question,
        )
    )

    assert "<b>" not in html
    assert not {"\u202e", "\u200b", "\x00"} & set(html)
    assert html.count("&lt;b&gt;&amp;&#34;&#39; WWW") == 8
    assert len(html) < 6_000


def test_a_client_without_a_name_is_shown_by_its_id() -> None:
    html = html_of(replace(SHOWN, client=None))

    assert "não disse o nome" in html
    assert "client-1" in html


def test_a_test_environment_says_that_it_is_one() -> None:
    sandbox = replace(SHOWN, tenant=replace(SHOWN.tenant, environment=Environment.SANDBOX))

    assert "Ambiente de teste" in html_of(sandbox)
    assert "Ambiente de teste" not in html_of(SHOWN)


def test_pages_need_nothing_from_elsewhere_and_run_nothing() -> None:
    for html in (html_of(SHOWN), style_sheet().decode()):
        assert "://" not in html
        assert "url(" not in html
        assert "<script" not in html
        assert "style=" not in html
        assert not re.search(r"<[^>]* on[a-z]+=", html)
