"""What the budgets are measured against: the least that can answer the same bytes."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from tests.budgets.load import Answer

App: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]

# uvicorn adds it to every answer.
_SERVERS_OWN: Final = b"date"


def bare_app(answers: Mapping[str, Answer]) -> App:
    """Reads the body and answers what was seen at this path."""
    messages = {path: _messages(answer) for path, answer in answers.items()}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        start, body = messages[scope["path"]]
        await send(start)
        await send(body)

    return app


def _messages(answer: Answer) -> tuple[dict[str, object], dict[str, object]]:
    headers = [header for header in answer.headers if header[0] != _SERVERS_OWN]
    start = {"type": "http.response.start", "status": answer.status, "headers": headers}
    return start, {"type": "http.response.body", "body": answer.body}
