"""What the confirmation page does not fall for: forged forms, foreign answers, floods, outages."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from urllib.parse import urlencode

import httpx
import pytest

from adapters.system.clock import UtcClock
from tests.builders import StoppedClock
from tests.e2e.service import Demo, Service, running
from tests.e2e.visitor import Assistant, Visitor, mark_in, new_assistant, query_of, visiting

pytestmark = pytest.mark.anyio

SECURE = "https://localhost:8443"


@pytest.fixture
async def assistant(service: Service) -> Assistant:
    return await new_assistant(service)


@pytest.fixture
async def visitor(service: Service) -> AsyncIterator[Visitor]:
    async with visiting(service) as one:
        yield one


@asynccontextmanager
async def another(
    demo: Demo, service: Service, environ: dict[str, str], **replaced: object
) -> AsyncGenerator[Visitor]:
    """A browser at another service that opens the links of the first one."""
    ring = service.container.sealing_ring()
    async with (
        running(demo, environ, sealing_ring=ring, **replaced) as other,
        visiting(other) as visitor,
    ):
        yield visitor


def changed(address: str, **changes: str | None) -> str:
    """The same address with other parameters; None leaves one out."""
    query = {**query_of(address), **changes}
    kept = {name: value for name, value in query.items() if value is not None}
    return f"{address.partition('?')[0]}?{urlencode(kept)}"


async def is_open(visitor: Visitor, path: str) -> bool:
    """Whether nobody has decided yet."""
    return "<form" in (await visitor.open(path)).text


# The answer of the issuer


@pytest.mark.parametrize(
    "change",
    [
        {"state": "s" * 22},
        {"state": None},
        {"iss": "https://id.example.com"},
        {"iss": None},
        {"code": "c" * 43},
        {"code": None},
        {"code": None, "error": "access_denied"},
    ],
)
async def test_an_answer_that_is_not_the_issuers_to_this_attempt_signs_nobody_in(
    assistant: Assistant, visitor: Visitor, change: dict[str, str | None]
) -> None:
    path = await assistant.link()
    back = await visitor.at_issuer(await visitor.open(path))

    page = await visitor.open(changed(back, **change))

    assert page.status_code == 403
    assert "A entrada não deu certo" in page.text
    assert (f'href="{path}"' in page.text) is ("state" not in change)
    assert (await visitor.open(path)).status_code == 303


async def test_an_answer_counts_once(assistant: Assistant, visitor: Visitor) -> None:
    back = await visitor.at_issuer(await visitor.open(await assistant.link()))
    kept = dict(visitor.http.cookies)
    assert (await visitor.open(back)).status_code == 303

    assert (await visitor.open(back)).status_code == 403
    visitor.http.cookies.update(kept)
    assert (await visitor.open(back)).status_code == 403


async def test_an_answer_in_another_browser_signs_nobody_in(
    assistant: Assistant, visitor: Visitor
) -> None:
    back = await visitor.at_issuer(await visitor.open(await assistant.link()))
    async with visiting(visitor.service) as victim:
        assert (await victim.open(back)).status_code == 403
        assert not victim.http.cookies


async def test_a_cookie_under_the_name_of_another_is_none(
    assistant: Assistant, visitor: Visitor
) -> None:
    path = await assistant.link()
    sent_there = await visitor.open(path)
    (attempt,) = (name for name in visitor.http.cookies if "-" in name and "." not in name)
    visitor.http.cookies["dunning_confirm"] = visitor.http.cookies[attempt]

    assert (await visitor.open(path)).status_code == 303
    back = await visitor.at_issuer(sent_there)
    assert (await visitor.open(back)).status_code == 303


async def test_two_tabs_can_be_signed_in_in_any_order(service: Service, visitor: Visitor) -> None:
    paths = [await (await new_assistant(service)).link() for _ in range(2)]
    backs = [await visitor.at_issuer(await visitor.open(path)) for path in paths]

    returned = [await visitor.open(back) for back in reversed(backs)]

    assert [one.headers["location"] for one in returned] == paths[::-1]
    for path in paths:
        mark = mark_in(await visitor.open(path))
        assert (await visitor.answer(path, mark, "refuse")).status_code == 303


async def test_a_browser_keeps_few_attempts_however_many_it_begins(
    assistant: Assistant, visitor: Visitor
) -> None:
    path = await assistant.link()
    for _ in range(9):
        await visitor.open(path)

    assert len([name for name in visitor.http.cookies if "." not in name]) == 5


# The form


async def test_a_form_needs_the_mark_of_this_session_and_this_link(
    service: Service, assistant: Assistant, visitor: Visitor
) -> None:
    path, other_path = await assistant.link(), await (await new_assistant(service)).link()
    await visitor.signed_in(path)
    mark, of_other_link = mark_in(await visitor.open(path)), mark_in(await visitor.open(other_path))
    async with visiting(service) as same_person:
        of_other_session = mark_in(await same_person.signed_in(path))

    marks = [None, "", "x", "é", mark[:-1], mark.upper(), of_other_link, of_other_session]
    pages = [await visitor.answer(path, wrong) for wrong in marks]
    visitor.http.cookies.clear()
    pages.append(await visitor.answer(path, mark))

    assert [page.status_code for page in pages] == [403] * len(pages)
    assert all("Este formulário não vale mais" in page.text for page in pages)
    await visitor.signed_in(path)
    assert await is_open(visitor, path)


@pytest.mark.parametrize("origin", ["https://evil.example.com", "https://app.example.com", "null"])
async def test_a_form_of_another_site_does_not_count(
    assistant: Assistant, visitor: Visitor, origin: str
) -> None:
    path = await assistant.link()
    mark = mark_in(await visitor.signed_in(path))

    assert (await visitor.answer(path, mark, origin=origin)).status_code == 403
    assert await is_open(visitor, path)
    own = visitor.service.demo.public_url
    assert (await visitor.answer(path, mark, "refuse", origin=own)).status_code == 303


async def test_what_the_page_never_sends_is_not_understood(
    assistant: Assistant, visitor: Visitor
) -> None:
    path = await assistant.link()
    mark = mark_in(await visitor.signed_in(path))
    form = {"content-type": "application/x-www-form-urlencoded"}

    answers = [
        await visitor.answer(path, mark, "maybe"),
        await visitor.http.post(path, json={"form": mark, "action": "confirm"}),
        await visitor.http.post(path, content=f"form={mark}&action=confirm"),
        await visitor.http.post(
            path, content=f"form={mark}&action=refuse&action=confirm", headers=form
        ),
        await visitor.http.post(path, content=b"form=%ff&action=confirm", headers=form),
    ]

    assert [answer.status_code for answer in answers] == [400] * len(answers)
    assert all("Não entendemos este pedido" in answer.text for answer in answers)
    assert await is_open(visitor, path)


async def test_a_body_that_no_form_has_is_not_read(assistant: Assistant, visitor: Visitor) -> None:
    path = await assistant.link()
    mark = mark_in(await visitor.signed_in(path))

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b"x" * 1_000

    announced = await visitor.answer(path, mark, "confirm" + "x" * 16_384)
    unannounced = await visitor.http.post(path, content=pieces())

    assert (announced.status_code, unannounced.status_code) == (413, 413)
    assert announced.headers["content-type"] == "text/html; charset=utf-8"
    assert await is_open(visitor, path)


async def test_other_methods_are_told_which_there_are(
    assistant: Assistant, visitor: Visitor
) -> None:
    path = await assistant.link()

    refused = await visitor.http.request("DELETE", path)

    assert (refused.status_code, refused.headers["allow"]) == (405, "HEAD, GET, POST")
    assert refused.headers["content-type"] == "text/html; charset=utf-8"
    assert (await visitor.http.head("/confirm/x")).status_code == 404


# Headers and cookies


async def test_every_answer_keeps_others_out(assistant: Assistant, visitor: Visitor) -> None:
    path = await assistant.link()
    sent_there = await visitor.open(path)
    back = await visitor.open(await visitor.at_issuer(sent_there))
    asking = await visitor.open(path)
    stale = await visitor.answer(path, "x")
    answered = await visitor.answer(path, mark_in(asking), "refuse")
    dead, style = await visitor.open("/confirm/x"), await visitor.open("/confirm/style.css")

    for answer in (sent_there, back, asking, stale, answered, dead, style):
        headers = answer.headers
        assert headers["content-security-policy"] == (
            "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
            "frame-ancestors 'none'"
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
        assert answer is style or headers["cache-control"] == "no-store"
    assert style.headers["content-type"].startswith("text/css")


async def test_cookies_are_out_of_reach(assistant: Assistant, visitor: Visitor) -> None:
    sent_there = await visitor.open(await assistant.link())
    back = await visitor.open(await visitor.at_issuer(sent_there))
    (session,) = (one for one in back.headers.get_list("set-cookie") if "Max-Age=0" not in one)

    assert session.startswith("dunning_confirm=ey")
    assert session.endswith("; Max-Age=900; Path=/confirm; HttpOnly; SameSite=Lax")
    for line in sent_there.headers.get_list("set-cookie"):
        assert line.endswith("; Max-Age=600; Path=/confirm; HttpOnly; SameSite=Lax")
    assert [name for name, _ in visitor.http.cookies.items() if name != "dunning_sign_in"] == [
        "dunning_confirm"
    ]


async def test_over_https_cookies_are_this_hosts_alone(
    demo: Demo, service: Service, assistant: Assistant
) -> None:
    async with another(demo, service, {"PUBLIC_URL": SECURE}) as visitor:
        sent_there = await visitor.open(await assistant.link())

    lines = sent_there.headers.get_list("set-cookie")
    assert len(lines) == 2
    for line in lines:
        assert line.startswith("__Host-dunning_confirm-")
        assert line.endswith("; Max-Age=600; Path=/; Secure; HttpOnly; SameSite=Lax")


# Time, floods and outages


async def test_sessions_attempts_and_links_end(demo: Demo, service: Service) -> None:
    clock = StoppedClock(UtcClock().now())
    async with another(demo, service, {}, clock=clock) as visitor:
        assistant = await new_assistant(visitor.service)
        path = await assistant.link()
        back = await visitor.at_issuer(await visitor.open(path))
        clock.time += timedelta(minutes=10)
        assert (await visitor.open(back)).status_code == 403

        path = await assistant.link()
        mark = mark_in(await visitor.signed_in(path))
        clock.time += timedelta(minutes=15)
        path = await assistant.link()
        assert (await visitor.open(path)).status_code == 303
        assert (await visitor.answer(path, mark)).status_code == 403

        clock.time += timedelta(minutes=20)
        assert (await visitor.open(path)).status_code == 404


async def test_a_flood_is_answered_with_a_page(demo: Demo, service: Service) -> None:
    async with another(demo, service, {"FLOOD_ANONYMOUS": "3"}) as visitor:
        pages = [await visitor.open("/confirm/x", accept_language="es") for _ in range(4)]

    assert [page.status_code for page in pages] == [404, 404, 404, 429]
    assert "Demasiadas solicitudes" in pages[-1].text
    assert int(pages[-1].headers["retry-after"]) > 0


async def test_without_a_client_at_the_issuer_the_page_says_so(
    demo: Demo, service: Service, assistant: Assistant
) -> None:
    oidc = {"AUTH_PROVIDER": "oidc", "AUTH_ISSUER": "https://id.example.com"}
    async with another(demo, service, oidc) as visitor:
        page = await visitor.open(await assistant.link())

    assert page.status_code == 503
    assert "CONFIRM_CLIENT_ID" in page.text


async def test_a_silent_issuer_is_a_page_that_can_be_tried_again(
    demo: Demo, service: Service, assistant: Assistant
) -> None:
    path = await assistant.link()
    oidc = {"AUTH_PROVIDER": "oidc", "AUTH_ISSUER": "https://id.example.com"}
    known = {**oidc, "CONFIRM_CLIENT_ID": "dunning-page"}

    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    silent = httpx.AsyncClient(transport=httpx.MockTransport(refuse))
    async with another(demo, service, known, issuer_client=silent) as visitor:
        page = await visitor.open(path, accept_language="en")

    assert (page.status_code, page.headers["retry-after"]) == (503, "1")
    assert "The service is not available" in page.text
    assert f'href="{path}"' in page.text
    assert "set-cookie" not in page.headers
