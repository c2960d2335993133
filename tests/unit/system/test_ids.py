"""Identifiers."""

import re
from datetime import timedelta

from ulid import ULID

from adapters.system.clock import UtcClock
from adapters.system.ids import UlidIds


def test_an_id_is_its_prefix_and_a_lower_case_ulid_of_the_present_millisecond() -> None:
    before = UtcClock().now()

    made = UlidIds().new("chg")

    assert re.fullmatch(r"chg_[0-7][0-9a-hjkmnp-tv-z]{25}", made)
    assert abs(ULID.from_str(made[4:].upper()).datetime - before) < timedelta(seconds=1)


def test_ids_never_repeat() -> None:
    ids = UlidIds()

    assert len({ids.new("req") for _ in range(10_000)}) == 10_000
