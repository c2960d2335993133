"""What a refused token is told."""

import pytest

from adapters.auth.verifier import OidcVerifier
from domain.errors import UnauthenticatedError


async def refusal(verify: OidcVerifier, token: str, surface: str = "mcp") -> str:
    with pytest.raises(UnauthenticatedError) as refused:
        await verify(token, surface)
    assert refused.value.reason is not None
    return refused.value.reason
