"""`dunning keys`: the ring of SEALING_KEYS, and each step of changing it."""

import os
from typing import Final

from adapters.auth.seal_keys import SealingRing
from entrypoints.cli.failures import MisuseError
from entrypoints.cli.output import line, note, table
from entrypoints.settings import parse_list

_SETTING: Final = "SEALING_KEYS"


def list_keys() -> None:
    """List the keys that seal what leaves the service, and rotate them.

    What has to come back unread and unchanged (the state of a question, the address of a
    confirmation, the session of its page) is sealed with the first key of SEALING_KEYS and opened
    with any. All processes need the same keys. Nothing is refused when they are changed like this:

    0. export SEALING_KEYS='...': the value in use. Each step prints the next value and changes
    nothing; where one fails, stop.

    1. Give every process what `dunning keys add` prints and restart it: all can open the new key.
    Export that value.

    2. Give every process what `dunning keys promote` prints and restart it: the new key seals, and
    the old one still opens. Export that value.

    3. Wait 20 minutes after the last restart: what the old key sealed has ended by then.

    4. Give every process what `dunning keys drop` prints and restart it: the old key is gone.

    A key that others may have seen goes at once: give every process what `dunning keys new` prints.
    Whoever is being asked then is asked anew.
    """
    ring = _ring()
    if ring is None:
        note(f"{_SETTING} is not set: in development each process makes a key of its own.")
        return
    table(
        ("key", "what it does"),
        [(key.id, "seals and opens" if key is ring.first else "opens") for key in ring.keys],
    )


def new_key() -> None:
    """Print a SEALING_KEYS of one new key: the first there is, or instead of all there are.

    Only the value is on standard output, so that a shell can keep it in a variable.
    """
    _print(SealingRing.fresh())
    note(f"Give every process this value as {_SETTING}; it is secret. No other key opens any more.")


def add_key() -> None:
    """Print SEALING_KEYS with a new key at the end, which opens and does not seal yet.

    Only the value is on standard output, so that a shell can keep it in a variable.
    """
    _print(_set_ring().with_another())
    note(
        "The last key is new and seals nothing yet. Give every process this value, so that all of "
        "them open what it will seal. Then: dunning keys promote"
    )


def promote_key() -> None:
    """Print SEALING_KEYS with the last key in front: from then on it seals.

    Every process must have the key already, or some refuse what others sealed. With two keys,
    promoting again undoes it.
    """
    ring = _set_ring()
    promoted = ring.promoted()
    _print(promoted)
    if promoted == ring:
        note("There is only one key, and it seals already. Another one: dunning keys add")
        return
    note(
        f"{promoted.first.id} seals now, and the others still open. Give every process "
        "this value. 20 minutes after the last one runs with it: dunning keys drop"
    )


def drop_keys() -> None:
    """Print SEALING_KEYS with the first key only.

    What other keys sealed opens no more: wait until 20 minutes after every process has been given
    the promoted key.
    """
    ring = _set_ring()
    reduced = ring.reduced()
    _print(reduced)
    if reduced == ring:
        note("There is only one key, and it stays.")
        return
    gone = ", ".join(key.id for key in ring.keys if key.id != reduced.first.id)
    note(f"{reduced.first.id} is left, {gone} opens no more. Give every process this value.")


def _print(ring: SealingRing) -> None:
    line(",".join(ring.texts))


def _set_ring() -> SealingRing:
    ring = _ring()
    if ring is None:
        raise MisuseError(
            f"{_SETTING}: is not set here; export the value in use first. Where there is none yet: "
            "dunning keys new"
        )
    return ring


def _ring() -> SealingRing | None:
    """The ring of the environment, whatever the other settings are."""
    given = os.environ.get(_SETTING, "").strip()
    if not given:
        return None
    try:
        return SealingRing.read(parse_list(given))
    except ValueError as wrong:
        raise MisuseError(f"{_SETTING}: {wrong}") from None
