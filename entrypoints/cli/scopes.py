"""Scopes as an operator writes them."""

from collections.abc import Iterable

from domain.access.scopes import SCOPES, UMBRELLAS
from entrypoints.cli.failures import MisuseError


def known_scopes(wanted: Iterable[str]) -> frozenset[str]:
    """The scopes, separated by blanks or commas. Raises MisuseError for one that does not exist."""
    scopes = frozenset(" ".join(wanted).replace(",", " ").split())
    if not scopes:
        raise MisuseError("--scopes: is empty; dunning.all stands for everything")
    if not scopes <= SCOPES.union(UMBRELLAS):
        raise MisuseError(
            "--scopes: holds a scope that does not exist; `dunning tools` shows them, and "
            f"{', '.join(UMBRELLAS)} stand for many"
        )
    return scopes
