"""Identifiers made of ULIDs: 48 bits of milliseconds, 80 random bits, in Crockford's base 32."""

import os
import time
from typing import Final

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS: Final = tuple(high + low for high in _ALPHABET for low in _ALPHABET)
_RANDOM_BITS: Final = 80
_NANOSECONDS: Final = 1_000_000


class UlidIds:
    """Ids that sort by the time they were made."""

    def new(self, prefix: str, /) -> str:
        """A fresh id: the prefix, an underscore and 26 lower-case ULID characters."""
        milliseconds = time.time_ns() // _NANOSECONDS
        bits = milliseconds << _RANDOM_BITS | int.from_bytes(os.urandom(_RANDOM_BITS // 8))
        pairs = [_PAIRS[bits >> shift & 1023] for shift in range(120, -1, -10)]
        return f"{prefix}_{''.join(pairs)}"
