"""What the browser keeps for the confirmation page, and what counts of what it sends back."""

from collections.abc import Iterable, Mapping

import pytest

from adapters.auth.seal_keys import SealingRing
from adapters.auth.sealing import JweSeal
from adapters.http.confirm.attempts import Attempts
from adapters.http.confirm.cookies import Cookies, SetCookie
from adapters.http.confirm.sessions import Sessions
from adapters.http.messages import Headers
from domain.access.principal import Principal
from domain.errors import UnauthenticatedError
from tests.builders import StoppedClock

COOKIES = Cookies("https://dunning.example.com/collect")
SEAL = JweSeal(SealingRing.fresh(), "page session")


def kept(cookies: Iterable[SetCookie]) -> dict[str, str]:
    """What a browser that was told these sends back, as ours are read."""
    pairs = [line.decode().partition(";")[0] for _, line in cookies]
    return COOKIES.sent(Headers([(b"cookie", "; ".join(["other=1", *pairs]).encode())]))


def a_principal(**changes: str) -> Principal:
    said: dict[str, str] = {"subject": "user-1", "organization": "org_1", **changes}
    return Principal(
        issuer="https://id.example.com",
        client_id="page",
        scopes=frozenset({"dunning.read"}),
        expires_at=0,
        email="ana@example.com",
        email_verified=True,
        **said,
    )


@pytest.fixture
def attempts() -> Attempts:
    return Attempts(SEAL, COOKIES, StoppedClock())


@pytest.fixture
def sessions() -> Sessions:
    return Sessions(SEAL, COOKIES, StoppedClock())


@pytest.mark.parametrize("length", [1, 700, 3_500, 3_501, 6_144])
def test_a_link_of_any_length_comes_back_with_its_attempt(attempts: Attempts, length: int) -> None:
    link = ("abcdefghi-" * 700)[:length]
    attempt, cookies = attempts.begin(link, {})

    assert attempts.find(attempt.state, kept(cookies)) == (attempt, link)
    assert all(len(line) < 4_096 for _, line in cookies)


def test_what_is_kept_of_an_attempt_does_not_tell_its_verifier(attempts: Attempts) -> None:
    attempt, cookies = attempts.begin("link", {})

    assert attempt.verifier not in str(cookies)
    assert all(b"; Path=/; Secure; HttpOnly; SameSite=Lax" in line for _, line in cookies)


def test_an_attempt_that_has_ended_leaves_nothing(attempts: Attempts) -> None:
    one, cookies_of_one = attempts.begin("link", {})
    other, cookies_of_other = attempts.begin("other", {})
    sent = kept([*cookies_of_one, *cookies_of_other])

    dropped = attempts.end(one.state, sent)

    assert set(kept(dropped)) == {name for name in sent if one.state in name}
    assert all(b"=; Max-Age=0;" in line for _, line in dropped)
    assert attempts.find(other.state, sent) is not None


@pytest.mark.parametrize("state", ["", "x", "x.0", "é", "../../x"])
def test_a_state_that_nobody_began_finds_nothing(
    attempts: Attempts, sessions: Sessions, state: str
) -> None:
    sent = kept([sessions.begin(a_principal())])

    assert attempts.find(state, sent) is None


def test_one_attempt_under_the_name_of_another_is_none(attempts: Attempts) -> None:
    one, cookies = attempts.begin("link", {})
    moved: Mapping[str, str] = {
        name.replace(one.state, "o" * 22): value for name, value in kept(cookies).items()
    }

    assert attempts.find("o" * 22, moved) is None


def test_a_session_holds_who_it_is_and_none_of_their_scopes(sessions: Sessions) -> None:
    session = sessions.find(kept([sessions.begin(a_principal())]))

    assert session is not None
    principal = session.principal
    assert (principal.issuer, principal.subject, principal.organization, principal.email) == (
        "https://id.example.com", "user-1", "org_1", "ana@example.com"
    )  # fmt: skip
    assert principal.email_verified
    assert principal.scopes == frozenset()


def test_a_form_is_marked_for_one_session_and_one_link(sessions: Sessions) -> None:
    one, other = [sessions.find(kept([sessions.begin(a_principal())])) for _ in range(2)]
    assert one is not None
    assert other is not None

    assert one.is_own_form(one.form_token("link"), "link")
    assert not one.is_own_form(one.form_token("link"), "other")
    assert not other.is_own_form(one.form_token("link"), "link")


@pytest.mark.parametrize("claim", ["subject", "organization"])
def test_names_that_no_cookie_could_hold_are_refused(sessions: Sessions, claim: str) -> None:
    with pytest.raises(UnauthenticatedError):
        sessions.begin(a_principal(**{claim: "ç" * 1_300}))
    (line,) = [line for _, line in [sessions.begin(a_principal(**{claim: "ç" * 1_000}))]]
    assert len(line) < 4_096
