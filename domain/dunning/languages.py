"""The languages in which an organisation and its debtors are written to."""

from enum import StrEnum


class Language(StrEnum):
    """A language of messages, pages and documents."""

    PORTUGUESE = "pt-BR"
    SPANISH = "es"
    ENGLISH = "en"
