"""Sentences that a person reads, in each language an answer can have."""

from dataclasses import dataclass
from typing import Literal

Language = Literal["pt-BR", "en"]
DEFAULT_LANGUAGE: Language = "pt-BR"


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence, written where it is needed, in Portuguese and in English."""

    pt: str
    en: str

    def in_language(self, language: Language) -> str:
        """The sentence in `language`."""
        return self.en if language == "en" else self.pt


@dataclass(frozen=True, slots=True)
class Words:
    """What an organisation is written to in: the same in Portuguese, Spanish and English."""

    pt: str
    es: str
    en: str

    @classmethod
    def same(cls, value: str) -> "Words":
        """What is not translated: a name in quotation marks, an id."""
        return cls(value, value, value)

    def in_language(self, language: str) -> str:
        """The words in `pt-BR`, `es` or `en`."""
        return {"es": self.es, "en": self.en}.get(language, self.pt)
