"""Completions: what an argument of a prompt, or a name in a template, may be."""

import re
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Final

from adapters.v1.addresses import Addresses
from adapters.v1.catalogue import V1Catalogue
from adapters.v1.scripts import V1Scripts
from adapters.v1.shapes import EnumShape, FieldShape, IdShape, IntegerShape
from application.mcp.ports import Reference, Suggestions, Visit, Wanted
from domain.access.grant import Grant
from domain.dunning.charge_states import ChargeStatus
from domain.dunning.money import Bounds
from domain.dunning.text_search import fold
from domain.ports.clocks import BusinessClock, SystemClock
from domain.ports.storage import OpenWork
from domain.ports.suggestions import Hits
from domain.ports.suggestions import Suggestions as Lookups

MOST_VALUES: Final = 20

_NOTHING: Final = Suggestions(values=())
_LONGEST: Final = 200
_CONTROLS: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_DEBTOR_ID: Final = re.compile("dbt_[0-9a-z]{26}")
_YEAR: Final = "year"
_STATUS_OF: Final = {"dunning_charges_settlement_letter_pdf": ChargeStatus.PAID}
"""What a charge must be for the operation, where anything else is refused."""


class V1Completer:
    """Suggests only what the caller may read, to whoever has what the argument belongs to.

    Values are ids, enumerated words and years. Years and words may be asked for with nothing typed;
    names need a character.
    """

    def __init__(
        self,
        catalogue: V1Catalogue,
        addresses: Addresses,
        scripts: V1Scripts,
        open_work: OpenWork,
        clock: SystemClock,
    ) -> None:
        self._catalogue = catalogue
        self._scripts = scripts
        self._open_work = open_work
        self._clock = clock
        self._by_template = {
            address.template: bound
            for bound in catalogue.bounds
            if (address := addresses.of(bound.operation.info.name)) and not address.is_fixed
        }

    async def complete(self, wanted: Wanted, visit: Visit[Grant], /) -> Suggestions | None:
        """Values for the argument, none for one that has no suggestions; None for no such thing.

        Raises DomainError: any refusal.
        """
        fields = self._fields(wanted.reference, visit)
        if fields is None:
            return None
        field = next((one for one in fields if one.name == wanted.argument), None)
        if field is None or len(wanted.value) > _LONGEST or _CONTROLS.search(wanted.value):
            return _NOTHING
        if isinstance(field.shape, EnumShape):
            return _matching(field.shape.values, wanted.value)
        return await self._looked_up(field, wanted, visit)

    def _fields(self, reference: Reference, visit: Visit[Grant]) -> tuple[FieldShape, ...] | None:
        if reference.name is not None:
            return self._scripts.fields(reference.name, visit.caller, visit.selection)
        bound = self._by_template.get(reference.uri or "")
        if bound is None:
            return None
        names = (bound.operation.info.name,)
        admits = self._catalogue.admits(names, visit.caller, visit.selection)
        return bound.route.path_params if admits else None

    async def _looked_up(
        self, field: FieldShape, wanted: Wanted, visit: Visit[Grant]
    ) -> Suggestions:
        about = wanted.given.get("debtor_id") or None
        match field.shape:
            case IdShape("dbt"):
                async with self._suggestions(visit) as suggestions:
                    return _found(await suggestions.debtors(wanted.value, limit=MOST_VALUES))
            case IdShape("chg") if _is_debtor(about):
                async with self._suggestions(visit) as suggestions:
                    status = self._status(wanted.reference)
                    found = suggestions.charges(wanted.value, about, status, limit=MOST_VALUES)
                    return _found(await found)
            case IntegerShape(bounds) if field.name == _YEAR:
                return await self._years(bounds, wanted, visit)
            case _:
                return _NOTHING

    def _status(self, reference: Reference) -> ChargeStatus | None:
        bound = self._by_template.get(reference.uri or "")
        return None if bound is None else _STATUS_OF.get(bound.operation.info.name)

    async def _years(self, bounds: Bounds, wanted: Wanted, visit: Visit[Grant]) -> Suggestions:
        about = wanted.given.get("id") or None
        if not _is_debtor(about):
            return _NOTHING
        # One that still runs cannot be declared settled.
        last = BusinessClock.at(self._clock.now(), visit.caller.tenant).year - 1
        async with self._suggestions(visit) as suggestions:
            years = await suggestions.years(about, bounds.low, last)
        return _matching(map(str, years), wanted.value)

    @asynccontextmanager
    async def _suggestions(self, visit: Visit[Grant]) -> AsyncGenerator[Lookups]:
        origin = visit.context.origin
        async with self._open_work(visit.caller, origin, read_only=True) as work:
            yield work.suggestions


def _is_debtor(about: str | None) -> bool:
    """Whether what was filled in before can narrow, or nothing was."""
    return about is None or _DEBTOR_ID.fullmatch(about) is not None


def _found(hits: Hits) -> Suggestions:
    has_more = hits.total is None or hits.total > len(hits.ids)
    return Suggestions(values=tuple(hits.ids), total=hits.total, has_more=has_more)


def _matching(values: Iterable[str], typed: str) -> Suggestions:
    """Those that begin with what was typed, then those that have it in them."""
    folded = fold(typed)
    matching = [value for value in values if folded in fold(value)]
    best = sorted(matching, key=lambda value: not fold(value).startswith(folded))
    return Suggestions(
        values=tuple(best[:MOST_VALUES]), total=len(best), has_more=len(best) > MOST_VALUES
    )
