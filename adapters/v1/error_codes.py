"""The catalogue of error codes, for those who read documents by their addresses."""

import msgspec

from adapters.v1.code_meanings import MEANING_OF
from adapters.v1.statuses import STATUS_OF
from application.dunning.guides.guide import JSON, Guide


def error_codes() -> Guide:
    """The catalogue as the tables are now; a code that `/v1` never answers has no status."""
    rows = [
        {"code": code, "http_status": STATUS_OF.get(code), "meaning": meaning.pt}
        for code, meaning in MEANING_OF.items()
    ]
    return Guide(
        path="catalog/error_codes",
        title="Error codes",
        description="In Portuguese: every error code, its HTTP status at /v1 and what it means.",
        mime_type=JSON,
        text=msgspec.json.format(msgspec.json.encode({"data": rows}), indent=2).decode(),
    )
