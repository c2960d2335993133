"""The catalogue of error codes, for those who read documents by their addresses."""

import msgspec

from adapters.v1.code_meanings import MEANING_OF
from adapters.v1.statuses import STATUS_OF
from application.dunning.guides.guide import JSON, Guide


def error_codes() -> Guide:
    """The catalogue as the tables are now; the statuses are those of `/v1`."""
    rows = [
        {"code": code, "http_status": status, "meaning": MEANING_OF[code].pt}
        for code, status in STATUS_OF.items()
    ]
    return Guide(
        path="catalog/error_codes",
        title="Error codes",
        description="In Portuguese: every error code, its HTTP status at /v1 and what it means.",
        mime_type=JSON,
        text=msgspec.json.format(msgspec.json.encode({"data": rows}), indent=2).decode(),
    )
