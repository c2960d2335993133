"""Published monthly rates: price indexes, and the legal interest rate of CC art. 406."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final

from domain.dunning.correction import CorrectionIndex
from domain.errors import Detail, ValidationError
from domain.texts import Text

MAX_DECIMALS: Final = 8
MAX_PERCENT: Final = 100


class RateCode(StrEnum):
    """Whose rate it is."""

    IPCA = "ipca"
    INPC = "inpc"
    IGPM = "igpm"
    IPCA15 = "ipca15"
    TAXA_LEGAL = "taxa_legal"


_CODE_OF: Final = {
    CorrectionIndex.IPCA: RateCode.IPCA,
    CorrectionIndex.INPC: RateCode.INPC,
    CorrectionIndex.IGPM: RateCode.IGPM,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRate:
    """What was published for one month, which is named by its first day; `percent` is exact."""

    code: RateCode
    month: date
    percent: Decimal
    published_on: date


class Rates:
    """What is known of all months; asked on a day, it gives only what was published by then."""

    __slots__ = ("_known",)

    def __init__(self, rates: Iterable[IndexRate]) -> None:
        self._known: Final = {(rate.code, rate.month): rate for rate in rates}

    def __iter__(self) -> Iterator[IndexRate]:
        return iter(self._known.values())

    def find(self, code: RateCode, month: date) -> IndexRate | None:
        """The rate of the month that begins on `month`, whenever it was published."""
        return self._known.get((code, month))

    def correction(self, index: CorrectionIndex, month: date, on: date) -> Fraction | None:
        """How much prices rose in the month that begins on `month`: 0.48 % is 48/10 000.

        None where it is not loaded, was published after `on`, or there is no index.
        """
        code = _CODE_OF.get(index)
        return None if code is None else self._published(code, month, on)

    def legal(self, month: date, on: date) -> Fraction | None:
        """The legal interest of the month that begins on `month`, never negative (CC 406 §3).

        None where it is not loaded or was published after `on`.
        """
        rate = self._published(RateCode.TAXA_LEGAL, month, on)
        return None if rate is None else max(rate, Fraction(0))

    def latest(self, on: date = date.max) -> Iterator[IndexRate]:
        """The last month published by `on` of each code that has any, in the order of the codes."""
        last: dict[RateCode, IndexRate] = {}
        for rate in self:
            is_later = rate.code not in last or last[rate.code].month < rate.month
            if rate.published_on <= on and is_later:
                last[rate.code] = rate
        return (last[code] for code in RateCode if code in last)

    def _published(self, code: RateCode, month: date, on: date) -> Fraction | None:
        rate = self.find(code, month)
        if rate is None or rate.published_on > on:
            return None
        return _share(rate.percent)


NO_RATES: Final = Rates(())


@dataclass(frozen=True, slots=True, kw_only=True)
class RateChanges:
    """What loading some rates does to what is known."""

    new: tuple[IndexRate, ...]
    changed: tuple[IndexRate, ...]
    unchanged: tuple[IndexRate, ...]

    @classmethod
    def between(cls, known: Rates, loaded: Iterable[IndexRate]) -> "RateChanges":
        """The loaded rates by what `known` has for their month."""
        pairs = [(rate, known.find(rate.code, rate.month)) for rate in loaded]
        return cls(
            new=tuple(rate for rate, before in pairs if before is None),
            changed=tuple(rate for rate, before in pairs if before not in (None, rate)),
            unchanged=tuple(rate for rate, before in pairs if before == rate),
        )


def checked_rate(rate: IndexRate) -> IndexRate:
    """The rate, if it can be one.

    Raises:
        ValidationError: `too_many_decimals` (more than 8 written), or `out_of_range` for more than
            100 % either way, a negative legal rate (CC 406 §3) and a month that had not begun when
            its rate was published.
    """
    details = [*_refused_percent(rate), *_refused_publication(rate)]
    if details:
        raise ValidationError(*details)
    return rate


def _refused_percent(rate: IndexRate) -> Iterator[Detail]:
    exponent = rate.percent.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -MAX_DECIMALS:
        yield Detail("percent", "too_many_decimals", _DECIMALS)
    elif not (rate.percent.is_finite() and abs(rate.percent) <= MAX_PERCENT):
        yield Detail("percent", "out_of_range", _RANGE)
    elif rate.code is RateCode.TAXA_LEGAL and rate.percent < 0:
        yield Detail("percent", "out_of_range", _NEVER_NEGATIVE)


def _refused_publication(rate: IndexRate) -> Iterator[Detail]:
    # The first of a month to appear is the legal rate, on its first business day.
    if rate.published_on < rate.month:
        yield Detail("published_on", "out_of_range", _TOO_EARLY)


@lru_cache(maxsize=4096)
def _share(percent: Decimal) -> Fraction:
    return Fraction(percent) / 100


_DECIMALS: Final = Text(
    f"Use no máximo {MAX_DECIMALS} casas decimais.", f"Use at most {MAX_DECIMALS} decimal places."
)
_RANGE: Final = Text(
    f"Informe de -{MAX_PERCENT} a {MAX_PERCENT} por cento.",
    f"Give from -{MAX_PERCENT} to {MAX_PERCENT} percent.",
)
_NEVER_NEGATIVE: Final = Text(
    "A taxa legal nunca é negativa (CC 406 §3): informe 0.",
    "The legal rate is never negative (CC 406 §3): give 0.",
)
_TOO_EARLY: Final = Text(
    "É anterior ao começo do mês da taxa: confira as duas datas.",
    "It lies before the beginning of the rate's month: check both dates.",
)
