"""Resources, templates, prompts and completions of the fixture."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from application.mcp.errors import invalid_params
from application.mcp.ports import Contents, Script, Suggestions, Visit, Wanted
from application.mcp.rounds import CallRefusedError, NeedsInput
from domain.access.grant import Grant
from tests.conformance.asking import STRING, Questions, content_of, form
from tests.conformance.content import PNG, Block, embedded, image, text
from tests.conformance.toolbox import Named

_FIXED: Final = {
    one.uri: one
    for one in (
        Contents(
            uri="test://static-text",
            mime_type="text/plain",
            text="This is the content of the static text resource.",
        ),
        Contents(uri="test://static-binary", mime_type="image/png", blob=PNG),
        Contents(uri="test://watched-resource", mime_type="text/plain", text="Nothing happens."),
        Contents(
            uri="test://example-resource",
            mime_type="text/plain",
            text="Embedded resource content for testing.",
        ),
    )
}
_TEMPLATE: Final = "test://template/{id}/data"
_OF_TEMPLATE: Final = re.compile(r"test://template/([^/]+)/data")


class FixtureShelf:
    """Documents that never change."""

    resources = Named(
        {
            uri: {
                "uri": uri,
                "name": uri.removeprefix("test://"),
                "description": "A document of the fixture.",
                "mimeType": one.mime_type,
            }
            for uri, one in _FIXED.items()
        }
    )
    templates = Named(
        {
            _TEMPLATE: {
                "uriTemplate": _TEMPLATE,
                "name": "template",
                "description": "A document for each id.",
                "mimeType": "application/json",
            }
        }
    )

    async def read(
        self, uri: str, _visit: Visit[Grant]
    ) -> tuple[Contents, ...] | NeedsInput | None:
        if uri in _FIXED:
            return (_FIXED[uri],)
        found = _OF_TEMPLATE.fullmatch(uri)
        if found is None:
            return None
        wanted = found[1]
        document = {"id": wanted, "templateTest": True, "data": f"Data for ID: {wanted}"}
        body = msgspec.json.encode(document).decode()
        return (Contents(uri=uri, mime_type="application/json", text=body),)


_CONTEXT: Final = Questions(
    requests={"user_context": form("What context should the prompt use?", context=STRING)}
)
_ASKS: Final = "test_input_required_result_prompt"

Fill = Callable[[Mapping[str, str]], tuple[Block, ...]]

_PROMPTS: Final[Mapping[str, tuple[tuple[str, ...], Fill]]] = {
    "test_simple_prompt": ((), lambda _: (text("This is a simple prompt for testing."),)),
    "test_prompt_with_arguments": (
        ("arg1", "arg2"),
        lambda given: (
            text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"),
        ),
    ),
    "test_prompt_with_embedded_resource": (
        ("resourceUri",),
        lambda given: (
            embedded(given["resourceUri"], "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        ),
    ),
    "test_prompt_with_image": (
        (),
        lambda _: (image(), text("Please analyze the image above.")),
    ),
    _ASKS: ((), lambda given: (text(f"Mind the context: {given['context']}"),)),
}


class FixtureScripts(Named):
    """Prompts, of which one asks the person first."""

    def __init__(self) -> None:
        super().__init__(
            {
                name: {
                    "name": name,
                    "description": "A prompt of the fixture.",
                    "arguments": [
                        {"name": one, "description": "A text.", "required": True} for one in needed
                    ],
                }
                for name, (needed, _) in _PROMPTS.items()
            }
        )

    async def get(
        self, name: str, arguments: Mapping[str, Any], visit: Visit[Grant]
    ) -> Script | NeedsInput | None:
        if name not in _PROMPTS:
            return None
        needed, fill = _PROMPTS[name]
        given = {one: _argument(one, arguments) for one in needed}
        if name == _ASKS:
            answers = _CONTEXT.answered(arguments, visit.rounds)
            if isinstance(answers, NeedsInput):
                return answers
            given["context"] = str(content_of(answers["user_context"]).get("context", "none"))
        messages = tuple({"role": "user", "content": block} for block in fill(given))
        return Script(description="A prompt of the fixture.", messages=messages)


def _argument(name: str, arguments: Mapping[str, Any]) -> str:
    value = arguments.get(name)
    if not isinstance(value, str):
        raise CallRefusedError(invalid_params(f"{name} must be a string"))
    return value


_VALUES: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("test_prompt_with_arguments", "arg1"): ("paris", "park", "party", "test1", "test2"),
    ("test_prompt_with_arguments", "arg2"): ("world",),
    ("test_prompt_with_embedded_resource", "resourceUri"): tuple(_FIXED),
    (_TEMPLATE, "id"): ("123", "456"),
}


class FixtureCompleter:
    """Values that begin with what was typed."""

    async def complete(self, wanted: Wanted, _visit: Visit[Grant]) -> Suggestions | None:
        reference = wanted.reference.name or wanted.reference.uri or ""
        values = _VALUES.get((reference, wanted.argument))
        if values is None:
            return None
        fitting = tuple(value for value in values if value.startswith(wanted.value))
        return Suggestions(values=fitting, total=len(fitting))
