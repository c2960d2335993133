"""Asks a provider where its keys are, and reads them; one odd key spoils nothing."""

import logging
import warnings
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import httpx
import msgspec
from joserfc.errors import SecurityWarning
from joserfc.jwk import JWKRegistry, Key, KeySet

log = logging.getLogger(__name__)

_SIGNING_TYPES: Final = frozenset({"RSA", "EC", "OKP"})


class IssuerUnreachableError(Exception):
    """The provider does not answer, or not with what was asked for."""


class IssuerConfigurationError(Exception):
    """The provider answers, but it is not the one that is configured; somebody has to act."""


def metadata_addresses(issuer: str) -> tuple[str, str]:
    """Both places of an issuer's metadata: OpenID Connect Discovery §4, then RFC 8414 §3.1."""
    parts = urlsplit(issuer)
    path = parts.path.removesuffix("/")

    def at(well_known: str) -> str:
        return urlunsplit((parts.scheme, parts.netloc, well_known, "", ""))

    return (
        at(f"{path}/.well-known/openid-configuration"),
        at(f"/.well-known/oauth-authorization-server{path}"),
    )


async def published_metadata(http: httpx.AsyncClient, issuer: str) -> dict[str, Any]:
    """What `issuer` says about itself now.

    Raises:
        IssuerUnreachableError: no usable answer.
        IssuerConfigurationError: it names another issuer.
    """
    for address in metadata_addresses(issuer):
        document = await _json_object(http, address)
        if document is not None:
            _check_name(document, issuer)
            return document
    raise IssuerUnreachableError("The issuer publishes no metadata")


def published_address(metadata: dict[str, Any], name: str, issuer: str) -> str:
    """The address under `name` in the metadata of `issuer`.

    Raises:
        IssuerUnreachableError: there is none.
        IssuerConfigurationError: it is plain http, though the issuer is not.
    """
    address = metadata.get(name)
    if not isinstance(address, str):
        raise IssuerUnreachableError(f"The issuer's metadata has no {name}")
    if issuer.startswith("https:") and not address.startswith("https:"):
        raise IssuerConfigurationError(f"The {name} {address!r} is not https, though the issuer is")
    return address


async def published_keys(http: httpx.AsyncClient, issuer: str) -> KeySet:
    """The signing keys that `issuer` publishes now; perhaps none.

    Raises:
        IssuerUnreachableError: no usable answer.
        IssuerConfigurationError: its metadata names another issuer, or keys on plain http.
    """
    metadata = await published_metadata(http, issuer)
    document = await _json_object(http, published_address(metadata, "jwks_uri", issuer))
    entries = document.get("keys") if document else None
    if not isinstance(entries, list):
        raise IssuerUnreachableError("The issuer publishes no key set")
    return KeySet(list(_usable(entries)))


def _check_name(metadata: dict[str, Any], issuer: str) -> None:
    named = metadata.get("issuer")
    if named != issuer:  # RFC 8414 §3.3
        raise IssuerConfigurationError(
            f"The configured issuer is {issuer!r}, but its metadata names {named!r}"
        )


async def _json_object(http: httpx.AsyncClient, address: str) -> dict[str, Any] | None:
    try:
        response = await http.get(address, headers={"Accept": "application/json"})
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise IssuerUnreachableError(type(error).__name__) from error
    if response.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
        raise IssuerUnreachableError(f"The issuer answers {response.status_code}")
    if response.status_code != httpx.codes.OK:
        return None
    try:
        document = msgspec.json.decode(response.content)
    except (msgspec.DecodeError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _usable(entries: list[Any]) -> Iterator[Key]:
    for entry in entries:
        if not isinstance(entry, dict) or entry.get("kty") not in _SIGNING_TYPES:
            continue
        if entry.get("use", "sig") != "sig":
            continue
        try:
            yield _imported(entry)
        except Exception as error:  # noqa: BLE001 - whatever is odd about one key, the others count
            log.warning("A published key is not usable: %s", type(error).__name__)


def _imported(entry: dict[str, Any]) -> Key:
    with warnings.catch_warnings():
        # A key too weak for the library to accept in silence is not accepted at all.
        warnings.simplefilter("error", SecurityWarning)
        key = JWKRegistry.import_key(entry)
    key.ensure_kid()
    return key
