"""Reading the Authorization header, the same for every door (RFC 6750 §2.1)."""

import re
from typing import Final

from adapters.http.edge_errors import TwoTokensError
from adapters.http.messages import Headers
from domain.errors import UnauthenticatedError

_BEARER: Final = re.compile(r"(?i:bearer) +([A-Za-z0-9\-._~+/]+=*)")
_SCHEME: Final = re.compile(r"bearer[ \t]+[^ \t]", re.IGNORECASE)


def token_of(headers: Headers) -> str:
    """The bearer token.

    Raises:
        TwoTokensError: the header was sent twice.
        UnauthenticatedError: there is none, or another scheme; with a reason if it is ill-formed.
    """
    sent = headers.all(b"authorization")
    if not sent:
        raise UnauthenticatedError
    if len(sent) > 1:
        raise TwoTokensError
    found = _BEARER.fullmatch(sent[0].strip(" \t"))
    if found:
        return found[1]
    raise UnauthenticatedError("the token is malformed" if _SCHEME.match(sent[0]) else None)
