"""Everything an operation may refuse, as one tree. A door gives each code its HTTP status once.

DomainError
├── BadRequestError            BAD_REQUEST
├── ValidationError            VALIDATION_ERROR
│   └── LegalLimitError        LEGAL_LIMIT_EXCEEDED
├── UnauthenticatedError       UNAUTHENTICATED
├── MembershipError            PERMISSION_DENIED
├── AccessError
│   ├── ScopeMissingError      SCOPE_MISSING
│   ├── PermissionDeniedError  PERMISSION_DENIED
│   ├── RevealDeniedError      PERMISSION_DENIED
│   ├── DecisionDeniedError    PERMISSION_DENIED
│   ├── RoleLimitError         ROLE_LIMIT_EXCEEDED
│   └── NotFoundError          NOT_FOUND
├── ConflictError
│   ├── StateConflictError     STATE_CONFLICT
│   ├── HoldActiveError        HOLD_ACTIVE
│   ├── DuplicateError         DUPLICATE
│   ├── VersionConflictError   VERSION_CONFLICT
│   └── IdempotencyBusyError   IDEMPOTENCY_IN_PROGRESS
├── ComplianceBlockedError     COMPLIANCE_BLOCKED
├── IdempotencyKeyReusedError  IDEMPOTENCY_KEY_REUSED
├── ConfirmationRequiredError  confirmation_required
├── RateLimitedError           RATE_LIMITED
├── UnavailableError           UNAVAILABLE
└── InternalError              INTERNAL

A message is written by us and never echoes what the caller sent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from domain.texts import Text


@dataclass(frozen=True, slots=True)
class Detail:
    """One thing wrong with one field: where, a stable code, and how to put it right."""

    field: str
    code: str
    message: Text


_VALUE_TAKEN: Final = Text(
    "Já existe um registro com este valor.", "A record with this value exists."
)


def not_found(field: str) -> Detail:
    """An id in a body that is nobody's, or somebody else's: the caller cannot tell which."""
    return Detail(field, "not_found", Text("Não encontrado.", "Not found."))


class DomainError(Exception):
    """A refusal that the caller can read and act on."""

    code: ClassVar[str]

    def __init__(self, message: Text, details: Sequence[Detail] = ()) -> None:
        super().__init__(message.en)
        self.message = message
        self.details = tuple(details)

    def extras(self) -> Mapping[str, object]:
        """Members that stand beside `code` in the answer."""
        return {}


class BadRequestError(DomainError):
    """The request cannot be read as one."""

    code = "BAD_REQUEST"


class ValidationError(DomainError):
    """Shape, type, range, unknown key or a rule across fields."""

    code = "VALIDATION_ERROR"

    def __init__(self, *details: Detail) -> None:
        super().__init__(Text("Dados inválidos.", "The request is not valid."), details)


class LegalLimitError(ValidationError):
    """Asks for more than a statute, or the stricter configured cap, allows."""

    code = "LEGAL_LIMIT_EXCEEDED"

    def __init__(self, *details: Detail) -> None:
        super().__init__(*details)
        self.message = Text("Acima do limite legal.", "Above the legal limit.")


class UnauthenticatedError(DomainError):
    """No token, or one that does not count here.

    `reason` is a short English sentence for `error_description`; None means that none was sent.
    """

    code = "UNAUTHENTICATED"

    def __init__(self, reason: str | None = None) -> None:
        super().__init__(
            Text("É preciso um token de acesso válido.", "A valid access token is needed.")
        )
        self.reason = reason


class MembershipError(DomainError):
    """The token is good, but its bearer is no active member of an active organisation."""

    code = "PERMISSION_DENIED"

    def __init__(self) -> None:
        super().__init__(
            Text(
                "Você não é membro ativo desta organização.",
                "You are not an active member of this organisation.",
            )
        )


class AccessError(DomainError):
    """Not for this caller; every one of these is audited as denied."""


class ScopeMissingError(AccessError):
    """The role would allow it, the token does not. Carries every scope of the operation."""

    code = "SCOPE_MISSING"

    def __init__(self, scopes: Sequence[str]) -> None:
        text = Text("O token não tem o escopo necessário.", "The token lacks the scope.")
        super().__init__(text, [Detail(scope, "scope_missing", text) for scope in scopes])
        self.scopes = tuple(scopes)


class PermissionDeniedError(AccessError):
    """The person's role, or the client's ceiling, lacks the permission."""

    code = "PERMISSION_DENIED"

    def __init__(self) -> None:
        super().__init__(
            Text("Seu papel não permite esta operação.", "Your role does not allow this operation.")
        )


class RevealDeniedError(AccessError):
    """The operation is the caller's to run, but not to see unmasked what it gives."""

    code = "PERMISSION_DENIED"

    def __init__(self) -> None:
        text = Text(
            "Seu papel não pode ver isto sem máscara; omita-o de reveal.",
            "Your role may not see this unmasked; leave it out of reveal.",
        )
        super().__init__(text, [Detail("reveal", "not_allowed", text)])


class DecisionDeniedError(AccessError):
    """The operation is the caller's to run, but this decision is not theirs to take."""

    code = "PERMISSION_DENIED"


class RoleLimitError(AccessError):
    """Allowed action, but above the ceiling of the role; names the role that may."""

    code = "ROLE_LIMIT_EXCEEDED"

    def __init__(self, required_role: str, *details: Detail) -> None:
        super().__init__(
            Text("Acima do limite do seu papel.", "Above the limit of your role."), details
        )
        self.required_role = required_role

    def extras(self) -> Mapping[str, object]:
        """The role that may."""
        return {"required_role": self.required_role}


class NotFoundError(AccessError):
    """Absent, or of another organisation or portfolio: the caller cannot tell which."""

    code = "NOT_FOUND"

    def __init__(self) -> None:
        super().__init__(Text("Não encontrado.", "Not found."))


class ConflictError(DomainError):
    """The request is sound, the present state does not allow it."""


class StateConflictError(ConflictError):
    """A transition that the present status does not allow."""

    code = "STATE_CONFLICT"

    def __init__(
        self, message: Text, *, current_status: str, allowed_actions: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.current_status = current_status
        self.allowed_actions = tuple(allowed_actions)

    def extras(self) -> Mapping[str, object]:
        """The status now, and what it allows."""
        return {"current_status": self.current_status, "allowed_actions": self.allowed_actions}


class DuplicateError(ConflictError):
    """A unique rule is violated by a row of the same organisation."""

    code = "DUPLICATE"

    def __init__(
        self, field: str, existing_id: str | None = None, text: Text = _VALUE_TAKEN
    ) -> None:
        super().__init__(text, [Detail(field, "duplicate", text)])
        self.existing_id = existing_id

    def extras(self) -> Mapping[str, object]:
        """The row that has the value, when the caller may know it."""
        return {} if self.existing_id is None else {"existing_id": self.existing_id}


class HoldActiveError(ConflictError):
    """A hold forbids it; `holds` are those that do, as an answer shows them."""

    code = "HOLD_ACTIVE"

    def __init__(self, holds: Sequence[Mapping[str, object]]) -> None:
        super().__init__(Text("Um bloqueio ativo impede esta ação.", "A hold forbids this action."))
        self.holds = tuple(holds)

    def extras(self) -> Mapping[str, object]:
        """The holds that forbid it."""
        return {"holds": self.holds}


class VersionConflictError(ConflictError):
    """Somebody else has changed it since the caller read it; carries the version there is."""

    code = "VERSION_CONFLICT"

    def __init__(self, current: int) -> None:
        text = Text(
            f"Foi alterado por outra pessoa; leia de novo (versão atual: {current}) e repita.",
            f"Somebody else has changed it; read it again (version now: {current}) and repeat.",
        )
        super().__init__(text, [Detail("version", "stale", text)])


class ComplianceBlockedError(DomainError):
    """A precondition of law is missing; `next_allowed_at` where it is only a matter of time."""

    code = "COMPLIANCE_BLOCKED"

    def __init__(
        self, message: Text, *, reasons: Sequence[str], next_allowed_at: str | None = None
    ) -> None:
        super().__init__(message)
        self.reasons = tuple(reasons)
        self.next_allowed_at = next_allowed_at

    def extras(self) -> Mapping[str, object]:
        """What is missing, and when it may be there."""
        said: dict[str, object] = {"reasons": self.reasons}
        return (
            said
            if self.next_allowed_at is None
            else said | {"next_allowed_at": self.next_allowed_at}
        )


class IdempotencyBusyError(ConflictError):
    """The first request with this key is still running; try again in a second."""

    code = "IDEMPOTENCY_IN_PROGRESS"
    retry_after: ClassVar[int] = 1

    def __init__(self) -> None:
        super().__init__(
            Text(
                "A primeira requisição com esta chave ainda está em andamento.",
                "The first request with this key is still running.",
            )
        )


class IdempotencyKeyReusedError(DomainError):
    """The key was used before, with other arguments."""

    code = "IDEMPOTENCY_KEY_REUSED"

    def __init__(self) -> None:
        text = Text(
            "A chave já foi usada com outros dados; use uma chave nova para uma ação nova.",
            "This key was used with other arguments; a new action needs a new key.",
        )
        super().__init__(text, [Detail("idempotency_key", "reused", text)])


class ConfirmationRequiredError(DomainError):
    """A person has to say yes first, and this caller cannot be asked here.

    `address` is where they can, if there is a person at all.
    """

    code = "confirmation_required"

    def __init__(self, message: Text, address: str | None = None) -> None:
        super().__init__(message)
        self.address = address

    def extras(self) -> Mapping[str, object]:
        """Where a person can say yes."""
        return {} if self.address is None else {"confirmation_url": self.address}


class RateLimitedError(DomainError):
    """Too many requests; `retry_after` is in whole seconds, at least 1."""

    code = "RATE_LIMITED"

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            Text("Limite de requisições atingido.", "The request limit has been reached.")
        )
        self.retry_after = retry_after


class UnavailableError(DomainError):
    """Something we depend on does not answer; `retry_after` is in whole seconds."""

    code = "UNAVAILABLE"

    def __init__(self, retry_after: int = 1) -> None:
        super().__init__(Text("Serviço indisponível.", "The service is unavailable."))
        self.retry_after = retry_after


class InternalError(DomainError):
    """Something of ours failed; the log has the reason and the request's id, the caller the id."""

    code = "INTERNAL"

    def __init__(self) -> None:
        super().__init__(Text("Erro interno.", "Internal error."))
