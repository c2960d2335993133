"""Addresses of the confirmation page: everything about one call, sealed, and stored nowhere."""

import base64
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from application.operations.request import KEY
from application.strict_json import strict_json
from domain.access.confirmation import AskedCall
from domain.ports.clocks import SystemClock
from domain.ports.sealing import ContentTooLongError, Seal

_PERIOD: Final = timedelta(minutes=10)
_ENCODER: Final = msgspec.json.Encoder(decimal_format="number", order="deterministic")
_ID_BYTES: Final = 18


class PageKey(msgspec.Struct, frozen=True, array_like=True):
    """Which page of a call: it ends at `until`, and `told` others have been answered before it."""

    until: datetime
    told: int = 0


class Link(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One question for one person.

    `client` is what the calling app says its name is. `arguments` are those of the call as JSON,
    without its key.
    """

    organization_id: str
    call: AskedCall
    page: PageKey
    client: str | None
    arguments: bytes

    @property
    def id(self) -> str:
        """Under which a decision about it is kept; the same however the arguments were written."""
        return decision_id(self.organization_id, self.call, self.page)

    @property
    def raw(self) -> Mapping[str, object]:
        """The arguments as the caller sent them."""
        document: Mapping[str, object] = strict_json(self.arguments)
        return document


class Links:
    """Makes and reads the addresses under `public_url`."""

    def __init__(self, seal: Seal, clock: SystemClock, public_url: str) -> None:
        self._seal = seal
        self._clock = clock
        self._root = f"{public_url}/confirm/"

    def fresh(self) -> PageKey:
        """A page of a call that is asked about now; it ends in ten to twenty minutes.

        Ends are whole multiples of ten minutes, so that the same call gets the same address while
        the first one is fresh.
        """
        seconds = _PERIOD.total_seconds()
        periods = self._clock.now().timestamp() // seconds + 2
        return PageKey(datetime.fromtimestamp(periods * seconds, UTC))

    def address(self, link: Link) -> str | None:
        """The page's address; that of one link is always the same. None for one too long."""
        try:
            return self._root + self._seal.seal(msgspec.msgpack.encode(link))
        except ContentTooLongError:
            return None

    def open(self, sealed: str) -> Link | None:
        """The link of an address' last part; None for anything else, and when its time is over."""
        content = self._seal.open(sealed)
        if content is None:
            return None
        try:
            link = msgspec.msgpack.decode(content, type=Link)
        except msgspec.MsgspecError:
            # Sealed by another release.
            return None
        return None if self.is_over(link.page) else link

    def is_over(self, page: PageKey) -> bool:
        """Whether a page has ended."""
        return self._clock.now() >= page.until


def decision_id(organization_id: str, call: AskedCall, page: PageKey) -> str:
    """What stands for one question on the page."""
    identity = (
        organization_id,
        call.issuer,
        call.subject,
        call.client_id,
        call.operation,
        call.digest,
        call.fingerprint,
        page,
    )
    digest = hashlib.sha256(msgspec.msgpack.encode(identity)).digest()
    return base64.urlsafe_b64encode(digest[:_ID_BYTES]).decode()


def as_sent(raw: Mapping[str, object]) -> bytes:
    """Arguments without their key, as they lie in a link."""
    return _ENCODER.encode({name: value for name, value in raw.items() if name != KEY})
