"""What `dunning tools` says of the size of the list is what a client receives."""

import msgspec
import pytest

from domain.access.scopes import SCOPES
from entrypoints.cli.tools_weight import weigh
from tests.doors.firms import Pair
from tests.doors.house import Door, House

pytestmark = pytest.mark.anyio


async def test_the_whole_is_what_the_server_sends_to_an_owner_with_every_scope(
    house: House, pair: Pair
) -> None:
    owner = pair.a.owner.with_scopes(*SCOPES)
    answer = await house.http.post(
        "/mcp",
        content=msgspec.json.encode({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        headers={
            "authorization": f"Bearer {await house.token(owner, Door.MCP)}",
            "content-type": "application/json",
        },
    )
    weight = await weigh(house.container.settings())
    assert answer.status_code == 200
    assert len(answer.json()["result"]["tools"]) == weight.whole.tools
    assert len(answer.content) == weight.whole.bytes
