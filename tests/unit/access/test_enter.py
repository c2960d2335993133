"""Who is let in is known for five seconds, and so is who is not."""

import pytest

from application.access import enter
from application.access.enter import REMEMBERED, Enter, RememberedEnter
from domain.access.grant import Grant
from domain.access.principal import Principal
from domain.errors import MembershipError, UnavailableError
from tests.builders import StoppedClock, a_creditor, a_grant

pytestmark = pytest.mark.anyio


class Doorkeeper:
    """Lets the people of two organisations in, and counts how often it is asked."""

    def __init__(self) -> None:
        creditors = [a_creditor("Colégio Aurora"), a_creditor("Pampa Distribuidora")]
        self.grants = {creditor.id: a_grant(creditor) for creditor in creditors}
        self.asked: list[str | None] = []
        self.is_away = False

    async def __call__(self, principal: Principal) -> Grant:
        self.asked.append(principal.organization)
        if self.is_away:
            raise UnavailableError
        if principal.organization not in self.grants:
            raise MembershipError
        return self.grants[principal.organization]


class Register:
    """Knows every organisation that it is asked for."""

    async def active_organization(self, claim: str, /) -> str | None:
        raise AssertionError(f"was asked for {claim!r}")


def a_principal(organization: str | None) -> Principal:
    return Principal(
        issuer="https://issuer.example.com",
        subject="person-1",
        client_id="client-1",
        organization=organization,
        scopes=frozenset({"dunning.all"}),
        expires_at=0.0,
    )


async def refused(remembered: RememberedEnter, principal: Principal) -> None:
    with pytest.raises(MembershipError):
        await remembered(principal)


async def test_a_grant_and_a_refusal_are_known_for_five_seconds() -> None:
    ask, clock = Doorkeeper(), StoppedClock()
    remembered = RememberedEnter(ask, clock)
    one, other = ask.grants
    for _ in range(2):
        assert await remembered(a_principal(one)) == ask.grants[one]
        assert await remembered(a_principal(other)) == ask.grants[other]
        await refused(remembered, a_principal("org_nobody"))
    assert ask.asked == [one, other, "org_nobody"]

    clock.time += REMEMBERED
    ask.grants["org_nobody"] = ask.grants[other]

    assert await remembered(a_principal("org_nobody")) == ask.grants[other]
    assert await remembered(a_principal(one)) == ask.grants[one]
    assert ask.asked[3:] == ["org_nobody", one]


async def test_a_database_that_does_not_answer_is_asked_again() -> None:
    ask = Doorkeeper()
    remembered = RememberedEnter(ask, StoppedClock())
    (one, _) = ask.grants
    ask.is_away = True
    with pytest.raises(UnavailableError):
        await remembered(a_principal(one))
    ask.is_away = False

    assert await remembered(a_principal(one)) == ask.grants[one]


async def test_refusals_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enter, "MOST_REMEMBERED", 2)
    ask = Doorkeeper()
    remembered = RememberedEnter(ask, StoppedClock())
    for name in ("org_x", "org_y", "org_z", "org_z", "org_x"):
        await refused(remembered, a_principal(name))

    assert ask.asked == ["org_x", "org_y", "org_z", "org_x"]


@pytest.mark.parametrize("named", [None, "", " "])
async def test_a_token_that_names_no_organisation_leads_into_none(named: str | None) -> None:
    async def never(organization_id: str) -> None:
        raise AssertionError(organization_id)

    let_in = Enter(Register(), never, StoppedClock())  # type: ignore[arg-type]  # never opened

    with pytest.raises(MembershipError):
        await let_in(a_principal(named))
