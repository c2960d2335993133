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
