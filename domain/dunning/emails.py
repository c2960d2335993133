"""E-mail addresses: the plain form that every provider delivers, and how they are masked."""

from typing import Final

from email_validator import EmailNotValidError, validate_email

from domain.errors import Detail, ValidationError
from domain.texts import Text

_LONGEST_CATEGORY: Final = 3


def email_address(text: str, field: str) -> str:
    """An address with its domain in lower case; international names come in their ASCII form.

    Raises:
        ValidationError: `invalid_email` (RFC 5321, 5322; no quoted names, no address literals).
    """
    try:
        found = validate_email(
            text.strip(), allow_smtputf8=False, check_deliverability=False, strict=True
        )
    except EmailNotValidError:
        raise ValidationError(Detail(field, "invalid_email", _FORM)) from None
    if not text.isascii() or found.ascii_email is None:
        raise ValidationError(Detail(field, "invalid_email", _FORM))
    return found.ascii_email


def masked_email(address: str) -> str:
    """The first letters of name and domain, and what the domain ends in: `m***@d***.com.br`."""
    local, _, domain = address.rpartition("@")
    return f"{local[0]}***@{domain[0]}***.{_ending(domain.split('.'))}"


def _ending(labels: list[str]) -> str:
    """The country, with the category before it where there is one."""
    *names, category, country = labels
    return f"{category}.{country}" if names and len(category) <= _LONGEST_CATEGORY else country


_FORM: Final = Text("Informe um e-mail válido.", "Give a valid e-mail address.")
