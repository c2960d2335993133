"""The hours in which a debtor may be called or messaged, by state, as data with the source."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, time
from typing import Final

from domain.errors import Detail
from domain.texts import Text


@dataclass(frozen=True, slots=True)
class Window:
    """From `start` up to `end`, in the debtor's local time."""

    start: time
    end: time

    def __contains__(self, other: "Window") -> bool:
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalWindow:
    """What one state allows from `valid_from` on; `uf` is absent for the states without a law.

    None is allowed on Sundays and holidays. Where only a law's year is known, `valid_from` is its
    first day: the window binds us rather too early than too late.
    """

    uf: str | None
    weekdays: Window
    saturday: Window | None
    valid_from: date
    source: str

    def on(self, day: date) -> Window | None:
        """What is allowed on `day` if it is no holiday; None is not at all."""
        match day.weekday():
            case 6:
                return None
            case 5:
                return self.saturday
            case _:
                return self.weekdays


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactWindows:
    """An organisation's own hours; an absent day keeps the legal window, which they only narrow."""

    monday: Window | None = None
    tuesday: Window | None = None
    wednesday: Window | None = None
    thursday: Window | None = None
    friday: Window | None = None
    saturday: Window | None = None

    def by_day(self) -> Iterator[tuple[str, Window]]:
        """The days that have a window of their own, by name."""
        for day in DAYS:
            window = getattr(self, day)
            if window is not None:
                yield day, window

    def narrowed(self, window: Window, day: date) -> Window | None:
        """What is left of `window`, which is that of a weekday or Saturday, in own hours."""
        own: Window | None = getattr(self, DAYS[day.weekday()])
        if own is None:
            return window
        left = Window(max(own.start, window.start), min(own.end, window.end))
        return left if left.start < left.end else None


SATURDAY: Final = "saturday"
DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", SATURDAY)

_MORNING_SATURDAY: Final = Window(time(8), time(14))

LEGAL_WINDOWS: Final = (
    LegalWindow(
        uf="SP",
        weekdays=Window(time(8), time(20)),
        saturday=_MORNING_SATURDAY,
        valid_from=date(2014, 5, 23),
        source="Lei 15.426/2014",
    ),
    LegalWindow(
        uf="RJ",
        weekdays=Window(time(9), time(19)),
        saturday=None,
        valid_from=date(2018, 1, 1),
        source="Lei 7.868/2018",
    ),
    LegalWindow(
        uf="ES",
        weekdays=Window(time(8), time(19)),
        saturday=None,
        valid_from=date(2017, 1, 1),
        source="Lei 10.626/2017",
    ),
    LegalWindow(
        uf="AM",
        weekdays=Window(time(8), time(19)),
        saturday=None,
        valid_from=date(2016, 1, 1),
        source="Lei 306/2016",
    ),
    LegalWindow(
        uf="AL",
        weekdays=Window(time(8), time(20)),
        saturday=_MORNING_SATURDAY,
        valid_from=date(2016, 1, 1),
        source="Lei 7.782/2016",
    ),
    LegalWindow(
        uf=None,
        weekdays=Window(time(8), time(20)),
        saturday=_MORNING_SATURDAY,
        valid_from=date(1991, 3, 11),
        source="CDC 42, 71 (no hour set: the rule of SP)",
    ),
)


def legal_windows_of(uf: str, on: date) -> tuple[LegalWindow, ...]:
    """What binds a creditor of `uf` on a day: the state's law, if any, and the general rule."""
    in_force = [window for window in LEGAL_WINDOWS if window.valid_from <= on]
    own = [window for window in in_force if window.uf == uf]
    general = [window for window in in_force if window.uf is None]
    return tuple(
        max(windows, key=lambda window: window.valid_from) for windows in (own, general) if windows
    )


def legal_window(uf: str | None, on: date) -> LegalWindow:
    """What binds contact with a debtor of `uf` on a day: the state's law, else the general rule."""
    return legal_windows_of(uf or "", on)[0]


def empty_windows(windows: ContactWindows) -> Iterator[Detail]:
    """One `out_of_range` detail for each day whose window ends before it begins."""
    for day, window in windows.by_day():
        if window.end <= window.start:
            yield Detail(f"contact_windows.{day}.end", "out_of_range", _ENDS_TOO_EARLY)


def wider_than_law(windows: ContactWindows, uf: str, on: date) -> Iterator[Detail]:
    """One `legal_limit` detail for each day whose window reaches beyond what is legal in `uf`."""
    for day, window in windows.by_day():
        for law in legal_windows_of(uf, on):
            allowed = law.saturday if day == SATURDAY else law.weekdays
            if allowed is None or window not in allowed:
                yield Detail(f"contact_windows.{day}", "legal_limit", _allowed(allowed, law.source))
                break


_ENDS_TOO_EARLY: Final = Text("O fim vem depois do início.", "The end comes after the start.")


def _allowed(window: Window | None, source: str) -> Text:
    if window is None:
        return Text(
            f"Neste dia não há contato ({source}).", f"There is no contact on this day ({source})."
        )
    hours = f"{window.start:%H:%M}-{window.end:%H:%M}"
    return Text(f"O permitido é {hours} ({source}).", f"Allowed is {hours} ({source}).")
