"""Refusals that only HTTP knows, in the same words and shape as the others."""

from domain.errors import DomainError
from domain.texts import Text


class OriginNotAllowedError(DomainError):
    """A web page of another site."""

    code = "ORIGIN_NOT_ALLOWED"

    def __init__(self) -> None:
        super().__init__(
            Text("Origem web não permitida.", "This web origin is not allowed to call.")
        )


class MethodNotAllowedError(DomainError):
    """The path exists, the method does not."""

    code = "METHOD_NOT_ALLOWED"

    def __init__(self) -> None:
        super().__init__(Text("Método não permitido.", "This method is not allowed here."))


class PayloadTooLargeError(DomainError):
    """More than the endpoint takes."""

    code = "PAYLOAD_TOO_LARGE"

    def __init__(self) -> None:
        super().__init__(Text("Corpo maior que 2 MB.", "The request body is larger than 2 MB."))


class HeadersTooLargeError(DomainError):
    """More headers than any client of ours needs (RFC 6585 §5)."""

    code = "HEADERS_TOO_LARGE"

    def __init__(self) -> None:
        super().__init__(
            Text("Cabeçalhos maiores que 64 KB.", "The request headers are larger than 64 KB.")
        )


class RequestTimeoutError(DomainError):
    """The body did not come in time (RFC 9110 §15.5.9)."""

    code = "REQUEST_TIMEOUT"

    def __init__(self) -> None:
        super().__init__(
            Text("O corpo não chegou a tempo.", "The request body did not arrive in time.")
        )


class UnsupportedMediaTypeError(DomainError):
    """Not JSON."""

    code = "UNSUPPORTED_MEDIA_TYPE"

    def __init__(self) -> None:
        super().__init__(
            Text("Envie Content-Type: application/json.", "Send Content-Type: application/json.")
        )


class TwoTokensError(DomainError):
    """Two Authorization headers: nobody can say which one counts (RFC 6750 §3.1)."""

    code = "BAD_REQUEST"

    def __init__(self) -> None:
        super().__init__(
            Text("Envie um só cabeçalho Authorization.", "Send exactly one Authorization header.")
        )


class NotAcceptableError(DomainError):
    """The client takes none of the formats that we answer in."""

    code = "NOT_ACCEPTABLE"

    def __init__(self) -> None:
        super().__init__(
            Text("Aceite application/json nas respostas.", "Accept application/json in answers.")
        )
