"""Identifiers made of ULIDs: 48 bits of milliseconds, 80 random bits, in Crockford's base 32."""

import os
import time
from functools import lru_cache
from typing import Final

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS: Final = tuple(high + low for high in _ALPHABET for low in _ALPHABET)
# Which character a random byte is: the alphabet divides 256, so each is as likely as the others.
_OF_BYTE: Final = (_ALPHABET * 8).encode()
_RANDOM_CHARACTERS: Final = 16
_NANOSECONDS: Final = 1_000_000


class UlidIds:
    """Ids that sort by the time they were made."""

    def new(self, prefix: str, /) -> str:
        """A fresh id: the prefix, an underscore and 26 lower-case ULID characters."""
        time_part = _time_part(time.time_ns() // _NANOSECONDS)
        random_part = os.urandom(_RANDOM_CHARACTERS).translate(_OF_BYTE).decode()
        return f"{prefix}_{time_part}{random_part}"


@lru_cache(maxsize=1)
def _time_part(milliseconds: int) -> str:
    return "".join([_PAIRS[milliseconds >> shift & 1023] for shift in (40, 30, 20, 10, 0)])
