"""What a person may leave of the scopes that a client asks for."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from domain.access.scopes import ALL, READ, SCOPES, WRITE, expand

_WIDEST_FIRST = (ALL, WRITE, READ)


@dataclass(frozen=True, slots=True)
class ScopeOffer:
    """One of `umbrellas`, widest first, and any of `extras`, which the widest does not cover."""

    umbrellas: tuple[str, ...]
    extras: tuple[str, ...]

    @property
    def least(self) -> Mapping[str, str]:
        """The fields that a form sends for the narrowest choice."""
        if self.umbrellas:
            return {"umbrella": self.umbrellas[-1]}
        return {f"extra.{scope}": "on" for scope in self.extras}

    def narrowed_to(self, umbrella: str | None, extras: Collection[str]) -> tuple[str, ...] | None:
        """The scopes of a choice; None for an umbrella that was not offered, or nothing at all."""
        if umbrella not in (self.umbrellas or (None,)):
            return None
        chosen = (() if umbrella is None else (umbrella,)) + tuple(
            scope for scope in self.extras if scope in extras
        )
        return chosen or None


def offer(asked: Iterable[str]) -> ScopeOffer:
    """What to offer when `asked` is asked for: the widest umbrella, and the narrower ones in it."""
    wanted = frozenset(asked)
    widest = next((i for i, name in enumerate(_WIDEST_FIRST) if name in wanted), None)
    umbrellas = () if widest is None else _WIDEST_FIRST[widest:]
    covered = expand(frozenset(umbrellas))
    return ScopeOffer(umbrellas, tuple(sorted((wanted & SCOPES) - covered)))
