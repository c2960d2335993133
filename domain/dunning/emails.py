"""E-mail addresses: the plain form that every provider delivers, and how they are masked."""

import re
from typing import Final

from domain.errors import Detail, ValidationError
from domain.texts import Text

# RFC 5321 §4.5.3.1: 64 octets before the @, 254 for the whole path without its brackets.
_LONGEST_LOCAL: Final = 64
_LONGEST: Final = 254

# RFC 5322 §3.2.3 dot-atom; no quoted texts, comments or address literals.
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS: Final = re.compile(
    rf"(?P<local>{_ATOM}(?:\.{_ATOM})*)@(?P<domain>(?:{_LABEL}\.)+(?![0-9]+\Z){_LABEL})"
)
_LONGEST_CATEGORY: Final = 3


def email_address(text: str, field: str) -> str:
    """An address with its domain in lower case; international names come in their ASCII form.

    Raises:
        ValidationError: `invalid_email`.
    """
    found = _ADDRESS.fullmatch(text.strip())
    if found is None or len(found["local"]) > _LONGEST_LOCAL or len(found[0]) > _LONGEST:
        raise ValidationError(Detail(field, "invalid_email", _FORM))
    return f"{found['local']}@{found['domain'].lower()}"


def masked_email(address: str) -> str:
    """The first letters of name and domain, and what the domain ends in: `m***@d***.com.br`."""
    local, _, domain = address.rpartition("@")
    return f"{local[0]}***@{domain[0]}***.{_ending(domain.split('.'))}"


def _ending(labels: list[str]) -> str:
    """The country, with the category before it where there is one."""
    *names, category, country = labels
    return f"{category}.{country}" if names and len(category) <= _LONGEST_CATEGORY else country


_FORM: Final = Text("Informe um e-mail válido.", "Give a valid e-mail address.")
