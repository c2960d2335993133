import pytest

from entrypoints.cli.handout import Handout, Holder
from entrypoints.cli.transcript import perform

pytestmark = pytest.mark.anyio


async def test_a_service_that_does_not_answer_is_a_failed_expectation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    nowhere = Handout(url="http://127.0.0.1:1", holders=[somebody("Helena Prado")])

    assert await perform(nowhere) == 1
    assert "✗ the service answers" in capsys.readouterr().out


def somebody(name: str) -> Holder:
    return Holder(name=name, role="owner", organization="A", tokens={"mcp": "t", "v1": "t"})
