"""What the budgets are measured against: the least that can answer the same bytes."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import asyncpg

from tests.budgets.charges import Statements
from tests.budgets.load import CONNECTIONS, Answer

App: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]

# uvicorn adds it to every answer.
_SERVERS_OWN: Final = b"date"


def bare_app(answers: Mapping[str, Answer]) -> App:
    """Reads the body and answers what is known by the path's name."""
    messages = {f"/{name}": _messages(answer) for name, answer in answers.items()}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        start, body = messages[scope["path"]]
        await send(start)
        await send(body)

    return app


async def bare_charges(url: str, statements: Statements, answer: Answer) -> App:
    """Runs the statements on a connection of the driver's own pool, and answers the same bytes."""
    start, body = _messages(answer)
    # Our pool asks the server nothing either when it gets a connection back.
    pool = await asyncpg.create_pool(  # type: ignore[no-untyped-call]  # asyncpg has left it so
        url, min_size=CONNECTIONS, max_size=CONNECTIONS, reset=_leave_as_it_is
    )

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        async with pool.acquire() as connection:
            for statement, values in statements:
                if values:
                    await connection.fetch(statement, *values)
                else:
                    await connection.execute(statement)
        await send(start)
        await send(body)

    return app


async def _leave_as_it_is(_connection: Any) -> None:
    pass


def _messages(answer: Answer) -> tuple[dict[str, object], dict[str, object]]:
    headers = [header for header in answer.headers if header[0] != _SERVERS_OWN]
    start = {"type": "http.response.start", "status": answer.status, "headers": headers}
    return start, {"type": "http.response.body", "body": answer.body}
