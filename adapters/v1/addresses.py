"""Addresses under which MCP clients read: declared as templates (RFC 6570), matched by the same."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from urllib.parse import unquote

from uritemplate import URITemplate

from application.operations.declaration_error import DeclarationError
from domain.ports.operations import OperationInfo

_LONGEST_VALUE: Final = 200
_VALUE: Final = r"(?P<{name}>[^/?#]+)"
_PLAIN: Final = re.compile(r"[A-Za-z0-9._~/-]+")
_NOT_ESCAPED: Final = re.compile("%(?![0-9A-Fa-f]{2})")
_NEVER: Final = frozenset("/\\")
# Controls, halves of surrogate pairs, what nobody sees, and every kind of blank.
_UNSEEN: Final = frozenset("CZ")


class Address:
    """One declared address below the root of all, fixed or with simple `{name}` expressions.

    Raises:
        DeclarationError: it holds anything else.
    """

    def __init__(self, root: str, path: str) -> None:
        below = URITemplate(path)
        if not _is_simple(below):
            raise DeclarationError([f"{path}: an address is made of words, and of names in braces"])
        self._template = URITemplate(f"{root}/{path}")
        pattern = re.escape(self.template)
        for name in below.variable_names:
            pattern = pattern.replace(re.escape(f"{{{name}}}"), _VALUE.format(name=name))
        self._matches = re.compile(pattern).fullmatch
        self.form = below.expand(dict.fromkeys(below.variable_names, "*"))
        self.is_fixed = not below.variables

    @property
    def template(self) -> str:
        """As lists show it."""
        return str(self._template)

    def uri(self, values: Mapping[str, str]) -> str:
        """The address of one thing."""
        return self._template.expand(dict(values))

    def values(self, uri: str) -> dict[str, str] | None:
        """What `uri` has in place of the names, decoded once; None where it is another address."""
        found = self._matches(uri)
        if found is None:
            return None
        values = {}
        for name, sent in found.groupdict().items():
            value = _decoded(sent)
            if value is None:
                return None
            values[name] = value
        return values


class Found(NamedTuple):
    """The operation that gives what is under an address, and its arguments."""

    operation: str
    values: dict[str, str]


class Addresses:
    """The addresses of the operations that have one.

    Raises:
        DeclarationError: one that cannot be, or two of one form.
    """

    def __init__(self, root: str, infos: Iterable[OperationInfo]) -> None:
        self.root = root
        self._by_operation = {
            info.name: Address(root, info.resource) for info in infos if info.resource is not None
        }
        forms = Counter(address.form for address in self._by_operation.values())
        if twins := sorted(form for form, count in forms.items() if count > 1):
            raise DeclarationError(f"{form}: the address of two operations" for form in twins)

    def of(self, operation: str) -> Address | None:
        """Where it is; None where it is read nowhere."""
        return self._by_operation.get(operation)

    def find(self, uri: str) -> Found | None:
        """What is under `uri`."""
        for operation, address in self._by_operation.items():
            values = address.values(uri)
            if values is not None:
                return Found(operation, values)
        return None


def _is_simple(template: URITemplate) -> bool:
    names = [name for variable in template.variables for name in variable.variable_names]
    written = [variable.original for variable in template.variables]
    is_plain = _PLAIN.fullmatch(template.expand(dict.fromkeys(names, "x"))) is not None
    return is_plain and written == names and len(set(names)) == len(names)


def _decoded(sent: str) -> str | None:
    """The value, decoded once; None for one that no id and no number has."""
    if _NOT_ESCAPED.search(sent):
        return None
    try:
        value = unquote(sent, errors="strict")
    except UnicodeDecodeError:
        return None
    is_value = (
        len(value) <= _LONGEST_VALUE
        and ".." not in value
        and not any(sign in _NEVER or unicodedata.category(sign)[0] in _UNSEEN for sign in value)
    )
    return value if is_value else None
