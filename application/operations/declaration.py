"""Declaring an operation: once, beside its use case, for every door."""

import inspect
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypedDict, TypeVar, Unpack, get_args, get_origin
from typing import get_type_hints as hints_of

from application.operations.call import Call
from application.operations.declaration_error import DeclarationError
from application.operations.fields import Input
from domain.access.confirmation import Question
from domain.access.roles import PERMISSIONS
from domain.access.scopes import scope_of
from domain.ports.operations import OperationInfo

In = TypeVar("In", bound=Input)
T = TypeVar("T")

Method = Literal["GET", "POST", "PATCH", "DELETE"]


class Plan(Generic[T]):
    """What a destructive use case gives: it looks and decides first, and acts when told to.

    It runs without a lock to know what a person would be asked about, and again on locked rows
    (`call.locks`) in the transaction of the effect.
    """


@dataclass(frozen=True, slots=True)
class Reached(Plan[T]):
    """The state that was asked for is there already: this is the answer and nothing happens.

    `status` is that of the answer where it is not the operation's own.
    """

    answer: T
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Plan[T]):
    """Allowed. `question` is what a person is asked first; `perform` acts.

    `fingerprint` changes with anything that the question shows. `status` is that of the answer
    where it is not the operation's own.
    """

    fingerprint: str
    question: Question
    perform: Callable[[], Awaitable[T]]
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[In]):
    """A use case with its declaration.

    `takes` and `gives` are read from the use case's annotations; `status` is what REST answers on
    success; `refuses` lists the error codes beyond those that every operation has. `waits` is what
    it gives instead, with 202, where a second person has to approve it; None where nobody has to.
    """

    info: OperationInfo
    status: int
    takes: type[In]
    gives: Any
    refuses: tuple[str, ...]
    waits: Any
    run: Callable[[Call, In], Awaitable[object]]


class Words(TypedDict, total=False):
    """What most declarations leave out: not destructive, no key needed, status 200.

    `second_person` is the type of what is given where somebody else has to approve it first.
    `resource` is where MCP clients read what it gives, below the root: a path such as `settings`,
    or a template with the path's own parameters, such as `debtors/{id}`.
    """

    status: int
    destructive: bool
    reads: bool
    key_required: bool
    idempotent: bool
    open_world: bool
    second_person: Any
    always_listed: bool
    refuses: tuple[str, ...]
    resource: str


KEY_SENTENCE: Final = (
    "Accepts an idempotency_key: reuse the same key when retrying the same action; "
    "a new action needs a new key."
)
KEY_REQUIRED_SENTENCE: Final = (
    "Requires an idempotency_key: reuse the same key when retrying the same action; "
    "a new action needs a new key."
)
_APPROVED: Final = (
    "Where the organisation asks for it, a second person has to approve it: the answer is then a "
    "pending request, and nothing is done yet."
)
_CONFIRMED: Final = (
    "Over MCP a person has to confirm it: a status of declined or cancelled and nothing else means "
    "that they did not, and nothing was done."
)
_NOT_SAID: Final = object()
_PARAMETER: Final = re.compile(r"\{([a-z_]+)\}")
_METHODS: Final[Mapping[str, Method]] = {
    "GET": "GET",
    "POST": "POST",
    "PATCH": "PATCH",
    "DELETE": "DELETE",
}


def operation(
    name: str,
    route: str,
    *,
    title: str,
    description: str,
    permission: str | None,
    **words: Unpack[Words],
) -> Callable[[Callable[[Call, In], Awaitable[object]]], Operation[In]]:
    """Declare the decorated use case as operation `dunning_<name>` at `route`, such as `GET /me`.

    `GET` reads, and so does what says `reads`. The toolset is the first word of the path. Every
    module of a room of operations is searched for declarations; nothing else has to be told.

    Raises:
        DeclarationError: a route, permission or answer that cannot be.
    """

    def declare(use_case: Callable[[Call, In], Awaitable[object]]) -> Operation[In]:
        hints = hints_of(use_case, include_extras=True)
        given = hints.get("return", _NOT_SAID)
        if faults := list(_faults(route, permission, words, given)):
            raise DeclarationError(f"dunning_{name}: {fault}" for fault in faults)
        return Operation(
            info=_info(name, route, (title, description), permission, words),
            status=words.get("status", 200),
            takes=hints[list(inspect.signature(use_case).parameters)[1]],
            gives=get_args(given)[0] if get_origin(given) is Plan else given,
            refuses=words.get("refuses", ()),
            waits=words.get("second_person"),
            run=use_case,
        )

    return declare


def _faults(route: str, permission: str | None, words: Words, given: object) -> Iterator[str]:
    method, _, path = route.partition(" ")
    if method not in _METHODS:
        yield f"the method is one of {', '.join(_METHODS)}"
    if not path.startswith("/"):
        yield "the path begins with /"
    if permission is not None and permission not in PERMISSIONS:
        yield "the permission is not in the table of roles"
    if given is _NOT_SAID:
        yield "does not say what it gives"
    elif words.get("destructive", False) is not (get_origin(given) is Plan):
        yield "gives a Plan exactly where it is destructive"
    if "resource" in words:
        yield from _resource_faults(words["resource"], route, words)


def _resource_faults(resource: str, route: str, words: Words) -> Iterator[str]:
    if not (route.startswith("GET ") or words.get("reads", False)):
        yield "a resource is something that is read"
    if sorted(_PARAMETER.findall(resource)) != sorted(_PARAMETER.findall(route)):
        yield "the resource has the parameters of the path"


def _info(
    name: str, route: str, prose: tuple[str, str], permission: str | None, words: Words
) -> OperationInfo:
    method, _, path = route.partition(" ")
    title, description = prose
    reads = method == "GET" or words.get("reads", False)
    key_required = words.get("key_required", False)
    if "second_person" in words:
        description += f" {_APPROVED}"
    if words.get("destructive", False):
        description += f" {_CONFIRMED}"
    if not reads:
        description += f" {KEY_REQUIRED_SENTENCE if key_required else KEY_SENTENCE}"
    return OperationInfo(
        name=f"dunning_{name}",
        toolset=path.split("/")[1],
        title=title,
        description=description,
        method=_METHODS[method],
        path=path,
        permission=permission,
        scopes=frozenset() if permission is None else frozenset({scope_of(permission)}),
        read_only=reads,
        destructive=words.get("destructive", False),
        idempotent=reads or words.get("idempotent", False),
        open_world=words.get("open_world", False),
        key_required=key_required,
        always_listed=words.get("always_listed", False),
        resource=words.get("resource"),
    )
