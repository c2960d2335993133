"""Tools that ask the client for something first."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from application.mcp.inputs import FormRequest, InputRequest
from application.mcp.ports import Given
from application.mcp.rounds import NeedsInput, Rounds
from tests.conformance.asking import (
    CONFIRM,
    NAME,
    ROOTS,
    STRING,
    Answers,
    Questions,
    content_of,
    form,
    sampling,
)
from tests.conformance.toolbox import FixtureTool, Run, said

Say = Callable[[Answers], str]


def _repeated(answers: Answers) -> str:
    return msgspec.json.encode(answers).decode()


def _hello(answers: Answers) -> str:
    return f"Hello, {content_of(answers['user_name']).get('name', 'whoever you are')}!"


def _asking(questions: Questions, say: Say = _repeated) -> Run:
    async def run(arguments: Mapping[str, Any], rounds: Rounds) -> Given | NeedsInput:
        answers = questions.answered(arguments, rounds)
        return answers if isinstance(answers, NeedsInput) else said(say(answers))

    return run


def _asking_for(key: str, request: Callable[[str], InputRequest], argument: str) -> Run:
    """Asks what the caller wants asked, in `argument`."""

    async def run(arguments: Mapping[str, Any], rounds: Rounds) -> Given | NeedsInput:
        wanted = request(str(arguments.get(argument)))
        return await _asking(Questions(requests={key: wanted}))(arguments, rounds)

    return run


def _one_argument(name: str) -> Mapping[str, Any]:
    return {"type": "object", "properties": {name: STRING}, "required": [name]}


def _tool(name: str, description: str, questions: Questions, say: Say = _repeated) -> FixtureTool:
    return FixtureTool(name=name, description=description, run=_asking(questions, say))


def _person(message: str) -> FormRequest:
    described = {
        "username": {**STRING, "description": "User's response"},
        "email": {**STRING, "description": "User's email address"},
    }
    return form(message, **described)


_CAPITAL: Final = sampling("What is the capital of France?")
_DEFAULTS: Final = form(
    "Please review the defaults",
    name={"type": "string", "default": "John Doe"},
    age={"type": "integer", "default": 30},
    score={"type": "number", "default": 95.5},
    status={"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    verified={"type": "boolean", "default": True},
)
_OPTIONS: Final = ["option1", "option2", "option3"]
_TITLED: Final = [
    {"const": "value1", "title": "First Option"},
    {"const": "value2", "title": "Second Option"},
    {"const": "value3", "title": "Third Option"},
]
_ENUMS: Final = form(
    "Please choose",
    untitledSingle={"type": "string", "enum": _OPTIONS},
    titledSingle={"type": "string", "oneOf": _TITLED},
    legacyEnum={"type": "string", "enum": _OPTIONS, "enumNames": ["One", "Two", "Three"]},
    untitledMulti={"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
    titledMulti={"type": "array", "items": {"anyOf": _TITLED}},
)

ASKING_TOOLS: Final = (
    FixtureTool(
        name="test_sampling",
        description="Has the client's model answer a prompt.",
        run=_asking_for("response", sampling, "prompt"),
        schema=_one_argument("prompt"),
    ),
    FixtureTool(
        name="test_elicitation",
        description="Asks the person who they are.",
        run=_asking_for("person", _person, "message"),
        schema=_one_argument("message"),
    ),
    _tool(
        "test_elicitation_sep1034_defaults",
        "Asks with a form that is filled in already.",
        Questions(requests={"form": _DEFAULTS}),
    ),
    _tool(
        "test_elicitation_sep1330_enums",
        "Asks with a form of choices.",
        Questions(requests={"form": _ENUMS}),
    ),
    _tool(
        "test_missing_capability",
        "Cannot do without the client's model.",
        Questions(requests={"response": sampling("Say something.")}),
    ),
    _tool(
        "test_streaming_elicitation",
        "Asks the person's name.",
        Questions(requests={"user_name": NAME}),
        _hello,
    ),
    _tool(
        "test_input_required_result_elicitation",
        "Asks the person's name and greets them.",
        Questions(requests={"user_name": NAME}),
        _hello,
    ),
    _tool(
        "test_input_required_result_sampling",
        "Asks the client's model.",
        Questions(requests={"capital_question": _CAPITAL}),
    ),
    _tool(
        "test_input_required_result_list_roots",
        "Asks for the client's folders.",
        Questions(requests={"client_roots": ROOTS}),
    ),
    _tool(
        "test_input_required_result_request_state",
        "Asks, and goes on with its own state only.",
        Questions(requests={"confirm": CONFIRM}, needs_state=True),
        lambda answers: f"state-ok: {_repeated(answers)}",
    ),
    _tool(
        "test_input_required_result_multiple_inputs",
        "Asks for three things at once.",
        Questions(
            requests={
                "user_name": NAME,
                "greeting": sampling("Generate a greeting", 50),
                "client_roots": ROOTS,
            },
            needs_state=True,
        ),
    ),
    _tool(
        "test_input_required_result_multi_round",
        "Asks for one thing after the other.",
        Questions(
            requests={
                "step1": form("Step 1: What is your name?", name=STRING),
                "step2": form("Step 2: What is your favorite color?", color=STRING),
            },
            one_by_one=True,
            needs_state=True,
        ),
    ),
    _tool(
        "test_input_required_result_tampered_state",
        "Asks, and goes on with its own state only.",
        Questions(requests={"confirm": CONFIRM}, needs_state=True),
    ),
    _tool(
        "test_input_required_result_capabilities",
        "Asks for what the client can be asked for.",
        Questions(requests={"user_name": NAME, "capital_question": _CAPITAL}),
    ),
)
