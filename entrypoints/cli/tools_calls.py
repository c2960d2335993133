"""One call of an operation through each door, with the same arguments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from adapters.http.docs_page.curl import curl_of
from adapters.v1.bound import BoundV1
from adapters.v1.examples import EXAMPLE_KEY, World, example_object
from application.operations.request import KEY


@dataclass(frozen=True, slots=True)
class ExampleCall:
    """The same call twice: a command for REST, and the parameters of `tools/call`."""

    curl: str
    parameters: Mapping[str, object]


def example_call(bound: BoundV1, world: World, url: str) -> ExampleCall:
    """Call the operation in `world`, on the service at `url`."""
    info, route = bound.operation.info, bound.route
    path = example_object(route.path_params, world)
    query = example_object(route.query, world)
    body = example_object(route.body, world)
    key = {KEY: EXAMPLE_KEY} if info.key_required else {}
    parameters = [
        *_parameters("path", path),
        *_parameters("query", query),
        *({**one, "name": "Idempotency-Key"} for one in _parameters("header", key)),
    ]
    curl = curl_of(route.method, f"{url}{route.path}", parameters, body or None)
    return ExampleCall(curl, {"name": info.name, "arguments": {**path, **query, **body, **key}})


def _parameters(place: str, members: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """As an OpenAPI document has them, which is what the command is made of."""
    for name, value in members.items():
        shown = str(value).lower() if isinstance(value, bool) else value
        yield {"name": name, "in": place, "required": True, "example": shown}
