"""Every setting, read once from the environment, checked before anything listens."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints
from urllib.parse import SplitResult, urlsplit

from adapters.auth.embedded.settings import SIGNING_ALGORITHM
from adapters.auth.seal_keys import SealingRing
from adapters.auth.settings import ASYMMETRIC_ALGORITHMS
from domain.access.scopes import SCOPES, UMBRELLAS
from entrypoints.resources import audiences_of

Environment = Literal["development", "production"]
Provider = Literal["embedded", "oidc"]


class SettingsError(Exception):
    """Settings that the service refuses to start with; each line names one and the fix."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The service's settings; the environment variable is the field's name in capitals."""

    environment: Annotated[
        Environment,
        "`production` turns on the rules below; so does a public URL that is not loopback",
    ] = "development"
    public_url: Annotated[
        str, "the address clients use, without trailing slash; tokens and metadata name it"
    ] = "http://127.0.0.1:8000"
    host: Annotated[str, "the address to listen on"] = "127.0.0.1"
    port: Annotated[int, "the port to listen on"] = 8000
    database_url: Annotated[str, "PostgreSQL as `dunning_app`: what the service runs on"] = ""
    migration_database_url: Annotated[
        str, "PostgreSQL as `dunning_owner`: only `dunning migrate` and administration use it"
    ] = ""
    database_pool_size: Annotated[int, "connections per process"] = 10
    auth_provider: Annotated[
        Provider, "`oidc`, or `embedded`: a development issuer with invented people"
    ] = "embedded"
    auth_issuer: Annotated[str, "the issuer, byte for byte as its metadata says (`oidc`)"] = ""
    auth_algorithms: Annotated[tuple[str, ...], "signatures accepted on access tokens"] = (
        "RS256",
        "ES256",
        "PS256",
        "EdDSA",
    )
    auth_organization_claim: Annotated[str, "the claim that names the organisation"] = "org_id"
    confirm_client_id: Annotated[
        str, "the client that the confirmation page is at the issuer (`oidc`)"
    ] = ""
    confirm_client_secret: Annotated[str, "its secret, unless it is a public client"] = field(
        default="", repr=False
    )
    mcp_audiences: Annotated[tuple[str, ...], "further audiences accepted by the MCP server"] = ()
    api_audiences: Annotated[tuple[str, ...], "further audiences accepted by `/v1`"] = ()
    challenge_scopes: Annotated[str, "scopes that a 401 asks a client to request"] = "dunning.all"
    sealing_keys: Annotated[
        tuple[str, ...],
        "keys of what leaves and must come back unchanged: the first seals, all open; "
        "`dunning keys --help`",
    ] = field(default=(), repr=False)
    allowed_origins: Annotated[tuple[str, ...], "web origins that may call, besides our own"] = ()
    trusted_proxies: Annotated[int, "hops of X-Forwarded-For to believe"] = 0
    rate_read: Annotated[int, "reads a minute and caller; 0 switches a limit off"] = 600
    rate_write: Annotated[int, "writes a minute and caller"] = 120
    rate_destructive: Annotated[int, "destructive calls a minute and caller"] = 30
    flood_anonymous: Annotated[int, "requests without token a minute and address"] = 300
    flood_unverified: Annotated[int, "refused tokens a minute and address"] = 60
    max_concurrent: Annotated[int, "requests in work per process; beyond it 503"] = 100
    deadline: Annotated[int, "seconds after which a request is given up"] = 30
    issuer_timeout: Annotated[int, "seconds to wait for the issuer"] = 3
    key_cooldown: Annotated[int, "seconds between two fetches of the issuer's keys"] = 10
    server_name: Annotated[str, "the MCP server's name"] = "kobana-dunning"
    server_title: Annotated[str, "the MCP server's title"] = "Kobana Dunning"
    resource_root: Annotated[str, "what the addresses of the MCP server's resources begin with"] = (
        "kobana://dunning"
    )
    resource_links: Annotated[
        bool, "whether tools that make a file link to its resource, for clients from 2025-06-18 on"
    ] = False
    data_dir: Annotated[str, "where the demo keeps its database and its sealing keys"] = ".data"

    @property
    def is_production(self) -> bool:
        """Whether real people's debts may be at stake."""
        return self.environment == "production" or not _is_loopback(self.public_url)

    @property
    def issuer(self) -> str:
        """The issuer whose tokens count."""
        return f"{self.public_url}/issuer" if self.auth_provider == "embedded" else self.auth_issuer


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Settings from the environment.

    Raises:
        SettingsError: values that cannot be read, or that the service must not run with.
    """
    problems: list[str] = []
    values: dict[str, object] = {}
    types = get_type_hints(Settings)
    for one in fields(Settings):
        raw = environ.get(one.name.upper())
        if raw is not None:
            try:
                values[one.name] = _parse(raw, types[one.name])
            except ValueError as wrong:
                problems.append(f"{one.name.upper()}: {wrong}")
    settings = Settings(**values)  # type: ignore[arg-type]  # each was parsed by its field's type
    problems.extend(_refusals(settings))
    if problems:
        raise SettingsError(problems)
    return settings


def settings_table() -> Iterator[tuple[str, str, str]]:
    """Name, default and meaning of each setting, for the README."""
    hints = get_type_hints(Settings, include_extras=True)
    for one in fields(Settings):
        default = one.default
        shown = _shown(default)
        yield one.name.upper(), shown, hints[one.name].__metadata__[0]


def _shown(default: object) -> str:
    if isinstance(default, tuple):
        return ",".join(default)
    return str(default).lower() if isinstance(default, bool) else str(default)


def parse_list(raw: str) -> tuple[str, ...]:
    """The values of a setting that is a list.

    Raises:
        ValueError: a value is empty; the text may be shown.
    """
    entries = tuple(entry.strip() for entry in raw.split(","))
    if not all(entries):
        raise ValueError("has an empty entry; leave the setting out, or separate values by commas")
    return entries


def _parse(raw: str, kind: Any) -> object:  # noqa: ANN401 -- a field's annotation
    if kind is int:
        if not raw.isascii() or not raw.isdigit():
            raise ValueError("must be a whole number, for example 10")
        return int(raw)
    if kind is bool:
        if raw not in ("true", "false"):
            raise ValueError("must be true or false")
        return raw == "true"
    if get_origin(kind) is tuple:
        return parse_list(raw)
    if get_origin(kind) is Literal and raw not in get_args(kind):
        raise ValueError(f"must be one of {', '.join(get_args(kind))}")
    return raw.strip()


def _refusals(settings: Settings) -> Iterator[str]:
    yield from _bad_public_url(settings.public_url)
    yield from _bad_numbers(settings)
    yield from _bad_lists(settings)
    yield from _bad_audiences(settings)
    yield from _bad_issuer(settings)
    yield from _bad_confirm_client(settings)
    yield from _bad_sealing_keys(settings.sealing_keys)
    yield from _bad_resource_root(settings.resource_root)
    if settings.is_production:
        yield from _bad_in_production(settings)


def _bad_public_url(url: str) -> Iterator[str]:
    parts = _parts(url)
    if not _is_web_address(parts) or parts.query or parts.fragment:
        yield "PUBLIC_URL: must be an http(s) address such as https://mcp.example.com"
    elif url.endswith("/"):
        yield "PUBLIC_URL: must not end with a slash"
    elif not f"{url}/".startswith(f"{_origin(parts)}/"):
        yield (
            "PUBLIC_URL: must be written as a browser writes it: in small letters, without a user, "
            "and without the port that its scheme has anyway"
        )


def _bad_numbers(settings: Settings) -> Iterator[str]:
    for name in _AT_LEAST_ONE:
        if getattr(settings, name) < 1:
            yield f"{name.upper()}: must be at least 1"
    if settings.port > _LAST_PORT:
        yield f"PORT: must be at most {_LAST_PORT}"


def _bad_resource_root(root: str) -> Iterator[str]:
    if not _RESOURCE_ROOT.fullmatch(root):
        yield (
            "RESOURCE_ROOT: must be a scheme and a name, such as kobana://dunning, of letters, "
            "digits, dots and hyphens, without a slash at the end"
        )


def _bad_lists(settings: Settings) -> Iterator[str]:
    if not settings.auth_algorithms:
        yield "AUTH_ALGORITHMS: is empty; name the signatures that the issuer uses, e.g. RS256"
    if not ASYMMETRIC_ALGORITHMS.issuperset(settings.auth_algorithms):
        known = ", ".join(sorted(ASYMMETRIC_ALGORITHMS))
        yield f"AUTH_ALGORITHMS: only asymmetric signatures count: {known}"
    if settings.auth_provider == "embedded" and SIGNING_ALGORITHM not in settings.auth_algorithms:
        yield f"AUTH_ALGORITHMS: the embedded issuer signs with {SIGNING_ALGORITHM}; add it"
    for origin in settings.allowed_origins:
        if not _ORIGIN.fullmatch(origin):
            yield (
                "ALLOWED_ORIGINS: each is scheme, host and port, such as https://app.example.com; "
                "no path, no slash at the end, no wildcard"
            )
    scopes = settings.challenge_scopes.split()
    if not scopes:
        yield "CHALLENGE_SCOPES: is empty; clients would not know what to ask for"
    if not SCOPES.union(UMBRELLAS).issuperset(scopes):
        yield (
            "CHALLENGE_SCOPES: holds a scope that does not exist; `dunning tools` shows them, and "
            f"{', '.join(UMBRELLAS)} stand for many"
        )


def _bad_audiences(settings: Settings) -> Iterator[str]:
    accepted = audiences_of(settings)
    if not accepted["mcp"].isdisjoint(accepted["v1"]):
        yield (
            "MCP_AUDIENCES, API_AUDIENCES: an audience would count at both the MCP server and "
            "`/v1`; a token is for one of them"
        )


def _bad_issuer(settings: Settings) -> Iterator[str]:
    if not settings.auth_organization_claim:
        yield "AUTH_ORGANIZATION_CLAIM: is empty; name the claim, for example org_id"
    if settings.auth_provider == "oidc" and not _is_web_address(_parts(settings.auth_issuer)):
        yield (
            "AUTH_ISSUER: must be the issuer's address, such as https://id.example.com, when "
            "AUTH_PROVIDER=oidc"
        )


def _bad_confirm_client(settings: Settings) -> Iterator[str]:
    if not _VISIBLE.fullmatch(settings.confirm_client_id):
        yield "CONFIRM_CLIENT_ID: must be as the issuer gave it, in visible ASCII characters"
    if not _VISIBLE.fullmatch(settings.confirm_client_secret):
        yield "CONFIRM_CLIENT_SECRET: must be as the issuer gave it, in visible ASCII characters"
    if settings.confirm_client_secret and not settings.confirm_client_id:
        yield "CONFIRM_CLIENT_SECRET: is set, but not CONFIRM_CLIENT_ID, whose secret it would be"


def _bad_sealing_keys(keys: tuple[str, ...]) -> Iterator[str]:
    if keys:
        try:
            SealingRing.read(keys)
        except ValueError as wrong:
            yield f"SEALING_KEYS: {wrong}"


def _bad_in_production(settings: Settings) -> Iterator[str]:
    if settings.auth_provider == "embedded":
        yield (
            "AUTH_PROVIDER: the embedded issuer has invented people and never runs in production; "
            "set AUTH_PROVIDER=oidc and AUTH_ISSUER, or a loopback PUBLIC_URL for development"
        )
    elif not settings.auth_issuer.startswith("https://"):
        yield "AUTH_ISSUER: must be https in production"
    if not settings.public_url.startswith("https://"):
        yield "PUBLIC_URL: must be https in production"
    if not settings.sealing_keys:
        yield (
            "SEALING_KEYS: holds no key; all processes need the same keys, and `dunning keys new` "
            "prints a first one"
        )


_AT_LEAST_ONE: Final = (
    "database_pool_size",
    "max_concurrent",
    "deadline",
    "issuer_timeout",
    "key_cooldown",
)
_LAST_PORT: Final = 65_535
_ORIGIN: Final = re.compile(r"https?://[a-z0-9.\-\[\]:]+")
_RESOURCE_ROOT: Final = re.compile(r"[a-z][a-z0-9+.-]*://[A-Za-z0-9.-]+(?:/[A-Za-z0-9.-]+)*")
_VISIBLE: Final = re.compile(r"[\x20-\x7e]*")  # RFC 6749 appendix A
_DEFAULT_PORT: Final = {"http": 80, "https": 443}


def _parts(url: str) -> SplitResult:
    """The parts of `url`; none where it is no address at all."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return urlsplit("")
    return parts


def _is_web_address(parts: SplitResult) -> bool:
    return parts.scheme in _DEFAULT_PORT and bool(parts.hostname)


def _origin(parts: SplitResult) -> str:
    """Scheme, host and port as a browser writes them (RFC 6454 section 6.2)."""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    is_default = parts.port in (None, _DEFAULT_PORT[parts.scheme])
    return f"{parts.scheme}://{host}" if is_default else f"{parts.scheme}://{host}:{parts.port}"


def _is_loopback(url: str) -> bool:
    host = _parts(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
