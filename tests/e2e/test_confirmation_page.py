"""The page on which a person says yes: who sees it, what it takes, what it leaves alone."""

from collections.abc import AsyncIterator

import pytest

from tests.e2e.service import Service
from tests.e2e.visitor import Assistant, Visitor, mark_in, new_assistant, query_of, visiting

pytestmark = pytest.mark.anyio

HOSTILE = "\u202eEvil\u2069\u200b” <script>alert(1)</script> ' \" " + "A" * 500


@pytest.fixture
async def assistant(service: Service) -> Assistant:
    return await new_assistant(service)


@pytest.fixture
async def visitor(service: Service) -> AsyncIterator[Visitor]:
    async with visiting(service) as one:
        yield one


async def test_the_asker_signs_in_at_the_issuer_and_is_shown_the_question(
    assistant: Assistant, visitor: Visitor
) -> None:
    page = await visitor.signed_in(await assistant.link())

    assert page.status_code == 200
    for fact in ("Colégio Aurora", "Helena", "tests-assistant", "test-client", assistant.charge_id):
        assert fact in page.text
    assert "Nada aconteceu ainda" in page.text
    assert '<html lang="pt-BR">' in page.text
    assert "<title>Confirmação · Kobana Dunning</title>" in page.text


async def test_sign_in_asks_the_issuer_for_no_more_than_who_it_is(
    assistant: Assistant, visitor: Visitor
) -> None:
    sent_there = await visitor.open(await assistant.link())
    public = visitor.service.demo.public_url
    asked = query_of(sent_there.headers["location"])

    assert sent_there.headers["location"].startswith(f"{public}/issuer/authorize?")
    assert len(asked.pop("state")) >= 22
    assert len(asked.pop("code_challenge")) == 43
    assert asked == {
        "response_type": "code",
        "client_id": "confirmation-page",
        "redirect_uri": f"{public}/confirm/signed-in",
        "scope": "dunning.read",
        "resource": f"{public}/mcp",
        "code_challenge_method": "S256",
    }


async def test_a_yes_lets_the_same_call_run_once(assistant: Assistant, visitor: Visitor) -> None:
    path = await assistant.link()
    page = await visitor.signed_in(path)
    answered = await visitor.answer(path, mark_in(page))
    assert (answered.status_code, answered.headers["location"]) == (303, path)
    after = await visitor.open(path)
    assert "Ainda não foi executado." in after.text
    assert f"Cancelar a cobrança {assistant.charge_id}" in after.text
    assert "(UTC-3)" in after.text

    done = await assistant.cancel()

    assert done.get("isError") is not True
    assert '"canceled"' in done["content"][0]["text"]
    assert "Sua confirmação já foi usada." in (await visitor.open(path)).text


async def test_a_no_is_told_to_the_assistant_and_changes_nothing(
    assistant: Assistant, visitor: Visitor
) -> None:
    path = await assistant.link()
    page = await visitor.signed_in(path)
    await visitor.answer(path, mark_in(page), "refuse")

    assert "Não será feito" in (await visitor.open(path)).text
    assert '"declined"' in (await assistant.cancel())["content"][0]["text"].replace(" ", "")


async def test_going_back_reloading_and_answering_again_change_nothing(
    assistant: Assistant, visitor: Visitor
) -> None:
    path = await assistant.link()
    page = await visitor.signed_in(path)
    await visitor.answer(path, mark_in(page), "refuse")

    again = await visitor.answer(path, mark_in(page), "confirm")

    assert again.status_code == 303
    for _ in range(2):
        seen = await visitor.open(path)
        assert "Não será feito" in seen.text
        assert "<form" not in seen.text


async def test_a_yes_that_was_not_used_can_be_withdrawn(
    assistant: Assistant, visitor: Visitor
) -> None:
    path = await assistant.link()
    await visitor.answer(path, mark_in(await visitor.signed_in(path)))
    confirmed = await visitor.open(path)
    assert "Retirar a confirmação" in confirmed.text

    await visitor.answer(path, mark_in(confirmed), "refuse")

    assert "Não será feito" in (await visitor.open(path)).text
    assert '"declined"' in (await assistant.cancel())["content"][0]["text"].replace(" ", "")


@pytest.mark.parametrize("stranger", ["Bianca", "Vera"])
async def test_somebody_else_is_shown_no_facts(
    assistant: Assistant, visitor: Visitor, stranger: str
) -> None:
    path = await assistant.link("Helena")

    page = await visitor.signed_in(path, stranger)

    assert page.status_code == 403
    assert f'href="{path}?sign_in=again"' in page.text
    for fact in ("Helena", "Aurora", "tests-assistant", "cancel", assistant.charge_id, "R$"):
        assert fact not in page.text


async def test_somebody_else_can_sign_in_as_the_asker(
    assistant: Assistant, visitor: Visitor
) -> None:
    path = await assistant.link("Helena")
    await visitor.signed_in(path, "Bianca")

    sent_there = await visitor.open(f"{path}?sign_in=again")

    assert query_of(sent_there.headers["location"])["prompt"] == "login"
    back = await visitor.open(await visitor.at_issuer(sent_there, "Helena"))
    assert "Nada aconteceu ainda" in (await visitor.open(back.headers["location"])).text


async def test_somebody_elses_answer_does_not_count(assistant: Assistant, visitor: Visitor) -> None:
    path = await assistant.link("Helena")
    own = await new_assistant(visitor.service)
    await visitor.signed_in(await own.link("Bianca"), "Bianca")
    async with visiting(visitor.service) as helena:
        mark = mark_in(await helena.signed_in(path))
        refused = await visitor.answer(path, mark)
        assert refused.status_code == 403
        assert "<form" in (await helena.open(path)).text


@pytest.mark.parametrize("change", ["...", "x", "append"])
async def test_a_link_that_was_changed_is_as_dead_as_one_that_never_was(
    assistant: Assistant, visitor: Visitor, change: str
) -> None:
    path = await assistant.link()
    tampered = {"...": path[:-1], "x": "/confirm/x", "append": f"{path}A"}[change]

    pages = [await visitor.open(tampered), await visitor.answer(tampered, "x")]

    assert [page.status_code for page in pages] == [404, 404]
    assert pages[0].text == pages[1].text
    assert "Este link não funciona" in pages[0].text
    assert not visitor.http.cookies


@pytest.mark.parametrize("path", ["/confirm", "/confirm/"])
async def test_a_link_that_was_cut_off_is_a_dead_one(visitor: Visitor, path: str) -> None:
    page = await visitor.open(path)

    assert page.status_code == 404
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Se você já respondeu, a resposta vale" in page.text
    assert page.text == (await visitor.open("/confirm/x")).text


async def test_names_that_mean_harm_stay_text(service: Service, visitor: Visitor) -> None:
    assistant = await new_assistant(service, HOSTILE)
    page = await visitor.signed_in(await assistant.link())

    assert page.status_code == 200
    assert "<script" not in page.text
    assert "Evil” &lt;script&gt;" in page.text
    assert not {"\u202e", "\u2069", "\u200b"} & set(page.text)
    assert "A" * 100 not in page.text


async def test_pages_without_an_organisation_are_in_the_readers_language(visitor: Visitor) -> None:
    said = {
        "pt": "Este link não funciona",
        "es-AR, en;q=0.5": "Este enlace no funciona",
        "en": "This link does not work",
        "de": "Este link não funciona",
    }
    for accepted, heading in said.items():
        page = await visitor.open("/confirm/x", accept_language=accepted)
        assert f"<h1>{heading}</h1>" in page.text
