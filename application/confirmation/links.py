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


class Link(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One question for one person, until `expires_at`.

    `client` is what the calling app says its name is. `arguments` are those of the call as JSON,
    without its key.
    """

    organization_id: str
    call: AskedCall
    expires_at: datetime
    client: str | None
    arguments: bytes

    @property
    def id(self) -> str:
        """Under which a decision about it is kept; the same however the arguments were written."""
        return decision_id(self.organization_id, self.call, self.expires_at)

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

    def expiry(self) -> datetime:
        """When an address made now ends: in ten to twenty minutes.

        Ends are whole multiples of ten minutes, so that the same call gets the same address while
        the first one is fresh.
        """
        seconds = _PERIOD.total_seconds()
        return datetime.fromtimestamp((self._clock.now().timestamp() // seconds + 2) * seconds, UTC)

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
        return None if self.is_over(link.expires_at) else link

    def is_over(self, expires_at: datetime) -> bool:
        """Whether an address that ends then has ended."""
        return self._clock.now() >= expires_at


def decision_id(organization_id: str, call: AskedCall, expires_at: datetime) -> str:
    """What stands for one question on the page."""
    identity = (
        organization_id,
        call.issuer,
        call.subject,
        call.client_id,
        call.operation,
        call.digest,
        call.fingerprint,
        expires_at,
    )
    digest = hashlib.sha256(msgspec.msgpack.encode(identity)).digest()
    return base64.urlsafe_b64encode(digest[:_ID_BYTES]).decode()


def as_sent(raw: Mapping[str, object]) -> bytes:
    """Arguments without their key, as they lie in a link."""
    return _ENCODER.encode({name: value for name, value in raw.items() if name != KEY})
