"""Reading the Authorization header, the same for every door (RFC 6750 §2.1)."""

import re
from string import ascii_letters, digits
from typing import Final

from adapters.http.edge_errors import TwoTokensError
from adapters.http.messages import Headers
from domain.errors import UnauthenticatedError

_TOKEN_CHARACTERS: Final = (ascii_letters + digits + "-._~+/").encode()
_SCHEME: Final = re.compile(rb"bearer[ \t]+[^ \t]", re.IGNORECASE)


def token_of(headers: Headers) -> str:
    """The bearer token.

    Raises:
        TwoTokensError: the header was sent twice.
        UnauthenticatedError: there is none, or another scheme; with a reason if it is ill-formed.
    """
    sent = headers.sent(b"authorization")
    if not sent:
        raise UnauthenticatedError
    if len(sent) > 1:
        raise TwoTokensError
    scheme, _, rest = sent[0].strip(b" \t").partition(b" ")
    token = rest.lstrip(b" ")
    if scheme.lower() == b"bearer" and _is_token(token):
        return token.decode()
    raise UnauthenticatedError("the token is malformed" if _SCHEME.match(sent[0]) else None)


def _is_token(value: bytes) -> bool:
    """Whether it is a b64token; a pattern would take three times as long to say so."""
    unpadded = value.rstrip(b"=")
    return bool(unpadded) and not unpadded.translate(None, _TOKEN_CHARACTERS)
