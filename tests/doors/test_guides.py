"""Documents of a fixed text are made of the tables that the code itself reads."""

import pytest

from adapters.v1.code_meanings import MEANING_OF
from adapters.v1.statuses import STATUS_OF
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.contact_rules import ContactReason
from domain.dunning.contact_windows import LEGAL_WINDOWS
from domain.dunning.event_types import DEBTOR_EVENTS
from domain.dunning.holds import HoldCode
from domain.dunning.legal_caps import legal_caps
from domain.dunning.money import ONE_PERCENT
from domain.errors import ConfirmationRequiredError
from tests.doors.firms import Pair
from tests.doors.house import House
from tests.doors.librarian import ROOT, Client, Told

pytestmark = pytest.mark.anyio


async def guide(house: House, pair: Pair, path: str) -> Told:
    return await Client(house, pair.a.owner).read(f"{ROOT}/{path}")


async def test_the_guide_to_the_law_has_every_row_of_its_tables(house: House, pair: Pair) -> None:
    text = (await guide(house, pair, "guides/legal_limits")).contents["text"]
    for cap in legal_caps():
        assert f"| {cap.percent // ONE_PERCENT} % |" in text
    assert "| consumidor | 2 % | CDC, art. 52, § 1º |" in text
    assert "| todos | 1 % | Decreto 22.626/1933 |" in text
    assert f"veja {ROOT}/settings." in text
    for window in LEGAL_WINDOWS:
        assert f"| {window.uf or 'demais'} |" in text
        assert f"{window.valid_from:%d/%m/%Y}" in text
    for reason in ContactReason:
        assert f"| `{reason}` |" in text
    assert "5 anos do vencimento" in text


async def test_the_guide_to_the_law_tells_law_from_our_own_rules(house: House, pair: Pair) -> None:
    text = (await guide(house, pair, "guides/legal_limits")).contents["text"]
    _, _, below_the_title = text.partition("\n\n")
    first, _, _ = below_the_title.partition("\n")
    assert "não aconselhamento jurídico" in first
    assert "domingos e feriados (regra deste serviço" in text
    assert "nem ato legal (regra deste serviço; STJ, Tema 1.264 pendente)" in text
    [general] = [line for line in text.splitlines() if line.startswith("| demais |")]
    assert general.endswith("| regra deste serviço |")


async def test_the_guide_to_holds_has_every_status_and_hold(house: House, pair: Pair) -> None:
    text = (await guide(house, pair, "guides/status_and_holds")).contents["text"]
    for code in (*ChargeStatus, *HoldCode):
        assert f"| `{code}` |" in text
    assert "| `renegotiated` | substituída por um acordo (ainda não usado) |" in text
    assert "| `do_not_contact` | proibição de contato com o devedor | contato de cobrança |" in text


async def test_the_catalogues_have_what_the_code_has(house: House, pair: Pair) -> None:
    events = (await guide(house, pair, "catalog/event_types")).document["data"]
    assert [one["type"] for one in events] == list(DEBTOR_EVENTS)
    codes = (await guide(house, pair, "catalog/error_codes")).document["data"]
    assert {one["code"]: one["http_status"] for one in codes} == {
        **STATUS_OF,
        ConfirmationRequiredError.code: None,
    }
    assert {one["code"]: one["meaning"] for one in codes} == {
        code: text.pt for code, text in MEANING_OF.items()
    }
