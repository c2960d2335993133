"""The creditor: one organisation with its own settings, document and clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Final
from zoneinfo import available_timezones

from domain.access.grant import Environment
from domain.dunning.addresses import Address, checked_address, checked_uf
from domain.dunning.documents import Document, parse_document
from domain.dunning.events import Event, EventSource
from domain.dunning.free_text import NAME, trimmed, trimmed_or_none
from domain.dunning.languages import Language
from domain.dunning.moment import Moment
from domain.dunning.organization_settings import Settings, refuse_settings, settings_changes
from domain.errors import (
    ComplianceBlockedError,
    Detail,
    ValidationError,
    VersionConflictError,
)
from domain.texts import Text


class CreditorKind(StrEnum):
    """Sets the interest cap of agreements."""

    NON_FINANCIAL = "non_financial"
    FINANCIAL_INSTITUTION = "financial_institution"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrganization:
    """What is known of a creditor when it is set up; `environment` never changes."""

    name: str
    legal_name: str
    document: str
    environment: Environment
    uf: str
    city: str
    address: Address
    creditor_kind: CreditorKind = CreditorKind.NON_FINANCIAL
    language: Language = Language.PORTUGUESE
    timezone: str = "America/Sao_Paulo"
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizationChange:
    """What is to be different of a creditor; what is absent stays."""

    name: str | None = None
    legal_name: str | None = None
    document: str | None = None
    uf: str | None = None
    city: str | None = None
    address: Address | None = None
    creditor_kind: CreditorKind | None = None
    language: Language | None = None
    timezone: str | None = None
    settings: Settings | None = None


_NOT_TOLD: Final = frozenset({"name", "legal_name", "document", "address", "city"})
"""Fields of which events say only that they have changed."""


@dataclass(kw_only=True, eq=False)
class Organization(EventSource):
    """A creditor. Its name, document and address stand on every collection document (CDC 42-A)."""

    id: str
    name: str
    legal_name: str
    document: Document
    environment: Environment
    uf: str
    city: str
    address: Address
    creditor_kind: CreditorKind
    language: Language
    timezone: str
    settings: Settings
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def register(cls, organization_id: str, new: NewOrganization, moment: Moment) -> "Organization":
        """Set up a creditor.

        Raises:
            ValidationError: a field, the time zone or a setting outside what is allowed.
            LegalLimitError: a setting beyond what the law allows.
        """
        uf = checked_uf(new.uf, "uf")
        refuse_settings(new.settings, uf, moment.today)
        return cls(
            id=organization_id,
            name=trimmed(new.name, "name", NAME),
            legal_name=trimmed(new.legal_name, "legal_name", NAME),
            document=parse_document(new.document),
            environment=new.environment,
            uf=uf,
            city=trimmed(new.city, "city", NAME),
            address=checked_address(new.address),
            creditor_kind=new.creditor_kind,
            language=new.language,
            timezone=_checked_timezone(new.timezone),
            settings=new.settings,
            version=1,
            created_at=moment.instant,
            updated_at=moment.instant,
        )

    def refuse_unidentified(self) -> None:
        """Raise `ComplianceBlockedError` where a document could not say who the creditor is.

        Name, CPF or CNPJ and address stand on every one of them (CDC art. 42-A).
        """
        address = self.address
        said = {
            "legal_name": (self.legal_name,),
            "document": (self.document.number,),
            "address": (address.street, address.number, address.city, address.uf, address.zipcode),
        }
        missing = [name for name, values in said.items() if not all(map(str.strip, values))]
        if missing:
            names = ", ".join(missing)
            text = Text(
                f"Falta identificar o credor (CDC, art. 42-A); informe nas configurações: {names}.",
                f"The creditor is not identified (CDC art. 42-A); give in the settings: {names}.",
            )
            raise ComplianceBlockedError(text, reasons=missing)

    def change(self, wanted: OrganizationChange, version: int | None, moment: Moment) -> None:
        """Make it as wanted; where it is so already, nothing happens.

        Charges that exist keep the terms they were created with.

        Raises:
            VersionConflictError: `version` was given and is not the present one.
            ValidationError: a field, the time zone or a setting outside what is allowed.
            LegalLimitError: a setting beyond what the law allows.
        """
        if version not in (None, self.version):
            raise VersionConflictError(self.version)
        new = _checked(wanted)
        settings = wanted.settings or self.settings
        refuse_settings(settings, str(new.get("uf", self.uf)), moment.today)
        changes = {**self._changes(new), **settings_changes(self.settings, settings)}
        if not changes:
            return
        for name, value in new.items():
            setattr(self, name, value)
        self.settings = settings
        self.version += 1
        self.updated_at = moment.instant
        self._tell(changes)

    def _changes(self, new: Mapping[str, object]) -> dict[str, tuple[object, object]]:
        old = {name: getattr(self, name) for name in new}
        return {
            name: (None, None) if name in _NOT_TOLD else (old[name], value)
            for name, value in new.items()
            if old[name] != value
        }

    def _tell(self, changes: Mapping[str, tuple[object, object]]) -> None:
        event = Event(
            type="settings.updated",
            resource_type="organization",
            resource_id=self.id,
            data={"id": self.id, "changed": sorted(changes), "version": self.version},
            changes=changes,
        )
        self.events.append(event)


def _checked(wanted: OrganizationChange) -> dict[str, object]:
    """The fields that are wanted, but for the settings, as the organisation would hold them."""
    asked = {
        "name": trimmed_or_none(wanted.name, "name", NAME),
        "legal_name": trimmed_or_none(wanted.legal_name, "legal_name", NAME),
        "document": None if wanted.document is None else parse_document(wanted.document),
        "uf": None if wanted.uf is None else checked_uf(wanted.uf, "uf"),
        "city": trimmed_or_none(wanted.city, "city", NAME),
        "address": None if wanted.address is None else checked_address(wanted.address),
        "creditor_kind": wanted.creditor_kind,
        "language": wanted.language,
        "timezone": None if wanted.timezone is None else _checked_timezone(wanted.timezone),
    }
    return {name: value for name, value in asked.items() if value is not None}


def _checked_timezone(timezone: str) -> str:
    if timezone in _timezones():
        return timezone
    text = Text("Informe um fuso horário IANA.", "Give an IANA time zone.")
    raise ValidationError(Detail("timezone", "invalid_timezone", text))


@cache
def _timezones() -> frozenset[str]:
    # The machine's own zone is in the database under this name; it is not the same everywhere.
    return frozenset(available_timezones() - {"localtime"})
