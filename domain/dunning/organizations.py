"""The creditor: one organisation with its own settings, document and clock."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from domain.access.grant import Environment
from domain.dunning.addresses import Address, checked_address, checked_uf
from domain.dunning.documents import Document, parse_document
from domain.dunning.free_text import NAME, trimmed
from domain.dunning.languages import Language
from domain.dunning.moment import Moment
from domain.dunning.organization_settings import Settings, settings_out_of_range
from domain.errors import Detail, ValidationError
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


@dataclass(kw_only=True, eq=False)
class Organization:
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
        """
        if details := (*_unknown_timezone(new.timezone), *settings_out_of_range(new.settings)):
            raise ValidationError(*details)
        return cls(
            id=organization_id,
            name=trimmed(new.name, "name", NAME),
            legal_name=trimmed(new.legal_name, "legal_name", NAME),
            document=parse_document(new.document),
            environment=new.environment,
            uf=checked_uf(new.uf, "uf"),
            city=trimmed(new.city, "city", NAME),
            address=checked_address(new.address),
            creditor_kind=new.creditor_kind,
            language=new.language,
            timezone=new.timezone,
            settings=new.settings,
            version=1,
            created_at=moment.instant,
            updated_at=moment.instant,
        )


def _unknown_timezone(timezone: str) -> tuple[Detail, ...]:
    try:
        ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError):
        text = Text("Informe um fuso horário IANA.", "Give an IANA time zone.")
        return (Detail("timezone", "invalid_timezone", text),)
    return ()
