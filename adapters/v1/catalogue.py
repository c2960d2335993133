"""What both doors need of the operations: found, listed, decided on, and made into bytes once."""

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import msgspec

from adapters.v1.bound import BoundV1, bind
from adapters.v1.lint import lint
from adapters.v1.output_schema import OutputSchemas
from adapters.v1.tool_schema import Schema
from application.operations.declaration import Operation
from domain.access.grant import Grant
from domain.access.policy import EVERYTHING, AccessPolicy, Selection, Verdict
from domain.errors import ScopeMissingError
from domain.ports.operations import OperationInfo

_MOST_REMEMBERED: Final = 256

_Rights: TypeAlias = tuple[frozenset[str], frozenset[str], Selection]
"""All that visibility depends on: permissions, scopes, and the part that the address shows."""


class V1Catalogue:
    """The operations of `/v1`, in the order in which they were given.

    Raises:
        DeclarationError: a declaration that a door cannot serve, or a tool definition at fault.
    """

    def __init__(self, operations: Iterable[Operation[Any]]) -> None:
        answers = OutputSchemas()
        bounds = [bind(operation, answers) for operation in operations]
        lint([(bound.operation.info, bound.tool) for bound in bounds])
        self._bounds = {bound.operation.info.name: bound for bound in bounds}
        self._definitions = {
            name: msgspec.Raw(msgspec.json.encode(bound.tool))
            for name, bound in self._bounds.items()
        }
        self._policy = AccessPolicy()
        self._visible: dict[_Rights, frozenset[str]] = {}
        self.infos: tuple[OperationInfo, ...] = tuple(bound.operation.info for bound in bounds)
        self.toolsets = frozenset(info.toolset for info in self.infos)
        self.answer_schemas: dict[str, Schema] = answers.components

    @property
    def bounds(self) -> tuple[BoundV1, ...]:
        """Every operation."""
        return tuple(self._bounds.values())

    def find(self, name: str) -> BoundV1 | None:
        """The operation of this name, whoever asks."""
        return self._bounds.get(name)

    def visible(self, grant: Grant, selection: Selection = EVERYTHING) -> frozenset[str]:
        """Names that `grant` may run at an address with `selection`."""
        rights = (grant.permissions, grant.scopes, selection)
        names = self._visible.get(rights)
        if names is None:
            names = self._policy.visible(grant, self.infos, selection)
            if len(self._visible) >= _MOST_REMEMBERED:
                del self._visible[next(iter(self._visible))]
            self._visible[rights] = names
        return names

    def admits(self, names: Iterable[str], grant: Grant, selection: Selection) -> bool:
        """Whether `grant` meets all of these operations at an address with `selection`.

        Raises:
            ScopeMissingError: they do, but for scopes of the token; names those of all.
        """
        infos = [self._bounds[name].operation.info for name in names]
        verdicts = {self._policy.decide(grant, info, selection) for info in infos}
        if Verdict.HIDDEN in verdicts:
            return False
        if Verdict.SCOPES_MISSING in verdicts:
            raise ScopeMissingError(sorted(frozenset().union(*(info.scopes for info in infos))))
        return True

    def variant(self, _grant: Grant, /) -> str:
        """What beside the visible names changes the definitions for a caller: nothing."""
        return ""

    def tool_definition(self, name: str) -> msgspec.Raw:
        """The encoded tool definition of an operation that exists."""
        return self._definitions[name]
