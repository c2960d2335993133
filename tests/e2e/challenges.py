"""Reading `WWW-Authenticate` as a client does."""

import re

import httpx


def challenge_of(response: httpx.Response) -> str:
    """The one challenge of a refusal."""
    (challenge,) = response.headers.get_list("www-authenticate")
    assert isinstance(challenge, str)
    assert challenge.startswith("Bearer ")
    return challenge


def parameters_of(challenge: str, name: str) -> list[str]:
    """Every value of one quoted parameter."""
    return re.findall(rf'{name}="([^"]*)"', challenge)
