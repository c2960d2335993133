"""The HTTP status of each refusal of `/v1`, given once."""

from typing import Final

from adapters.v1.statuses import STATUS_OF
from domain.errors import DomainError

_OF_THE_EDGE: Final = {
    "ORIGIN_NOT_ALLOWED": 403,
    "METHOD_NOT_ALLOWED": 405,
    "NOT_ACCEPTABLE": 406,
    "REQUEST_TIMEOUT": 408,
}


def status_of(refused: DomainError) -> int:
    """The status that goes with the code of `refused`."""
    return STATUS_OF.get(refused.code) or _OF_THE_EDGE[refused.code]
