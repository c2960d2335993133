"""Finding declared operations: every module of a package, no list of names."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from application.operations.declaration import Operation


def declared_in(*rooms: ModuleType) -> tuple[Operation[Any], ...]:
    """The operations declared in `rooms` (packages or single modules), in a stable order.

    Raises:
        ValueError: two operations share a name or a route.
    """
    found = sorted(
        {
            id(o): o for room in rooms for module in _modules(room) for o in _operations(module)
        }.values(),
        key=lambda o: o.info.name,
    )
    _refuse_twins([o.info.name for o in found])
    _refuse_twins([f"{o.info.method} {o.info.path}" for o in found])
    return tuple(found)


def _modules(room: ModuleType) -> Iterator[ModuleType]:
    yield room
    for child in pkgutil.iter_modules(getattr(room, "__path__", ()), f"{room.__name__}."):
        yield import_module(child.name)


def _operations(module: ModuleType) -> Iterator[Operation[Any]]:
    return (value for value in vars(module).values() if isinstance(value, Operation))


def _refuse_twins(keys: list[str]) -> None:
    twins = {key for key in keys if keys.count(key) > 1}
    if twins:
        raise ValueError(f"declared twice: {', '.join(sorted(twins))}")
