"""The OpenAPI 3.1 document of `/v1`, made of the same declarations as its routes."""

from dataclasses import dataclass
from typing import Final

from adapters.v1 import details
from adapters.v1.catalogue import V1Catalogue
from adapters.v1.code_meanings import MEANING_OF
from adapters.v1.examples import EXAMPLE_KEY
from adapters.v1.openapi_operation import (
    ACCESS,
    ERROR,
    KEY_PARAMETER,
    LANGUAGE_PARAMETER,
    REQUIRED_KEY_PARAMETER,
)
from adapters.v1.statuses import STATUS_OF
from adapters.v1.tool_schema import Schema
from application.operations.refusals import error_body

DIALECT: Final = "3.1.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What the document says of one installation.

    Without the two addresses of the issuer, access is described as a bearer token alone.
    """

    title: str
    version: str
    public_url: str
    authorization_url: str | None = None
    token_url: str | None = None


def openapi_document(catalogue: V1Catalogue, publication: Publication) -> Schema:
    """The whole document; the same declarations give the same bytes."""
    return {
        "openapi": DIALECT,
        "info": {"title": publication.title, "version": publication.version},
        "servers": [{"url": publication.public_url}],
        "tags": [{"name": toolset} for toolset in sorted(catalogue.toolsets)],
        "paths": _paths(catalogue),
        "components": {
            "securitySchemes": {ACCESS: _access(catalogue, publication)},
            "parameters": _parameters(),
            "headers": _headers(),
            "schemas": {**catalogue.answer_schemas, ERROR: _error()},
        },
    }


def _paths(catalogue: V1Catalogue) -> Schema:
    paths: dict[str, Schema] = {}
    for bound in sorted(catalogue.bounds, key=lambda bound: bound.route.path):
        paths.setdefault(bound.route.path, {})[bound.route.method.lower()] = bound.openapi
    return paths


def _access(catalogue: V1Catalogue, publication: Publication) -> Schema:
    if publication.authorization_url is None or publication.token_url is None:
        return {"type": "http", "scheme": "bearer"}
    flow = {
        "authorizationUrl": publication.authorization_url,
        "tokenUrl": publication.token_url,
        "scopes": _scopes(catalogue),
    }
    return {"type": "oauth2", "flows": {"authorizationCode": flow}}


def _scopes(catalogue: V1Catalogue) -> dict[str, str]:
    used = sorted({scope for info in catalogue.infos for scope in info.scopes})
    return {
        scope: "; ".join(info.title for info in catalogue.infos if scope in info.scopes)
        for scope in used
    }


def _parameters() -> Schema:
    key = {
        "name": "Idempotency-Key",
        "in": "header",
        "description": (
            "Names this action: reuse it when retrying the same action; a new action needs a new "
            "key. The body member idempotency_key says the same; both together have to be equal."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
        "example": EXAMPLE_KEY,
    }
    language = {
        "name": "Accept-Language",
        "in": "header",
        "required": False,
        "description": "The language of error messages: en, or Portuguese for all others.",
        "schema": {"type": "string"},
    }
    return {
        KEY_PARAMETER: {**key, "required": False},
        REQUIRED_KEY_PARAMETER: {**key, "required": True},
        LANGUAGE_PARAMETER: language,
    }


def _headers() -> Schema:
    return {
        "RetryAfter": {
            "description": "Seconds to wait before asking again.",
            "schema": {"type": "integer", "minimum": 1},
        },
        "IdempotencyReplayed": {
            "description": "True when the answer is the stored one of an earlier request.",
            "schema": {"type": "string", "enum": ["true"]},
        },
    }


def _error() -> Schema:
    text = {"type": "string"}
    texts = {"type": "array", "items": text}
    detail = {
        "type": "object",
        "properties": {"field": text, "code": text, "message": text},
        "required": ["field", "code", "message"],
    }
    error = {
        "type": "object",
        "properties": {
            "code": {
                "type": "string",
                "enum": sorted(STATUS_OF),
                "x-enumDescriptions": {code: MEANING_OF[code].en for code in sorted(STATUS_OF)},
            },
            "message": text,
            "details": {"type": "array", "items": detail},
            "request_id": text,
            "current_status": text,
            "allowed_actions": texts,
            "holds": {"type": "array"},
            "existing_id": text,
            "reasons": texts,
            "next_allowed_at": {"type": ["string", "null"], "format": "date-time"},
            "required_role": text,
        },
        "required": ["code", "message", "details", "request_id"],
    }
    refused = details.out_of_range("per_page", 1, 100)
    return {
        "type": "object",
        "properties": {"error": error},
        "required": ["error"],
        "examples": [error_body(refused, "en", "req_01jqx3k8m4e7v9z2c5t6r1w0ab")],
    }
