"""Values as a question shows them: a stored name made harmless, money, dates and counts."""

import hashlib
import re
from datetime import date
from typing import Final

from application.dunning.plain_text import JOINERS, goes_with_a_letter, one_line
from domain.access.confirmation import Question
from domain.dunning.debtors import Debtor, DebtorStatus
from domain.dunning.erasure import ERASED
from domain.dunning.money import Cents
from domain.texts import Words

LONGEST_NAME: Final = 60
"""Characters of a stored name that a question shows, the ellipsis included."""

_ELLIPSIS: Final = "…"
# English whatever the locale of the process.
_MONTHS: Final = "JanFebMarAprMayJunJulAugSepOctNovDec"
_ANONYMIZED: Final = Words("devedor anonimizado", "deudor anonimizado", "an anonymised debtor")

# What may also be an apostrophe; then what can only be a quotation mark, or looks like one.
_SINGLE: Final = (
    "'`\u00b4\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\u02f4\u055a\u05f3\u2018\u2019\u201b\u2032\u2035"
    "\u275b\u275c\uff07\uff40"
)
_DOUBLE: Final = (
    '"\u00ab\u00bb\u02ba\u02dd\u02ee\u02f5\u02f6\u05f4\u201a\u201c-\u201f\u2033\u2034\u2036\u2037'
    "\u2039\u203a\u2057\u275d-\u2760\u276c-\u2771\u27e8-\u27eb\u2e42\u3003\u3008-\u300f\u301d-\u301f"
    "\u2329\u232a\ufe3d-\ufe44\uff02\uff62\uff63\U0001f676-\U0001f678"
)
_LETTER: Final = rf"[^\W\d_{_SINGLE}]"
_APOSTROPHE: Final = re.compile(f"(?<={_LETTER})[{_SINGLE}](?={_LETTER})")
_KEPT_APOSTROPHE: Final = "\u2019"
_QUOTATION: Final = re.compile(f"[{_SINGLE}{_DOUBLE}]")
# What clients would draw as markup, or as an address beside ours.
_MARKUP: Final = re.compile(r"[\[\]<>`*|\\~#]|://|\bwww\.", re.IGNORECASE)


def debtor_in_words(debtor: Debtor) -> Words:
    """The debtor by name, in quotation marks: the one piece of stored text in a question."""
    if debtor.status is DebtorStatus.ANONYMIZED:
        return _ANONYMIZED
    name = quoted(debtor.name)
    return Words(f"devedor {name}", f"deudor {name}", f"debtor {name}")


def quoted(name: str) -> str:
    """`name` on one line in “ ”, cut at `LONGEST_NAME`, so that it cannot pass for our own words.

    Marks that could end the quotation are gone; an apostrophe inside a word stays.
    """
    return f"“{_cut(_unquoted_line(name)) or ERASED}”"


def money(cents: Cents) -> Words:
    """An amount in reais, as each language writes numbers."""
    whole, rest = divmod(cents, 100)
    english = f"R$ {whole:,}.{rest:02}"
    other = f"R$ {whole:,}".replace(",", ".") + f",{rest:02}"
    return Words(other, other, english)


def day(value: date) -> Words:
    """A date: in English with the month's name, because its numbers are read in two ways."""
    other = f"{value.day:02}/{value.month:02}/{value.year}"
    month = _MONTHS[3 * (value.month - 1) : 3 * value.month]
    return Words(other, other, f"{value.day} {month} {value.year}")


def number(count: int) -> Words:
    """A count as a fact shows it."""
    return Words.same(f"{count}")


def counted(count: int, none: Words, one: Words, several: Words) -> Words:
    """The words for so many; `several` has `{count}` where the number goes."""
    if count <= 1:
        return one if count else none
    return filled(several, count=number(count))


def filled(template: Words, **values: Words) -> Words:
    """A fixed sentence with values in place of their names; values are never read as templates."""
    return Words(
        template.pt.format(**{name: value.pt for name, value in values.items()}),
        template.es.format(**{name: value.es for name, value in values.items()}),
        template.en.format(**{name: value.en for name, value in values.items()}),
    )


def sentences(*parts: Words) -> Words:
    """One after the other."""
    return Words(
        " ".join(part.pt for part in parts),
        " ".join(part.es for part in parts),
        " ".join(part.en for part in parts),
    )


def inside(sentence: Words) -> Words:
    """`sentence`, which begins with a word of our own, as it goes on after a colon."""
    return Words(*(one[:1].lower() + one[1:] for one in (sentence.pt, sentence.es, sentence.en)))


def shown_fingerprint(question: Question, *versions: int) -> str:
    """What changes with anything that `question` shows, and with the `versions` of what it is of.

    The name counts by its debtor's version: nothing that is kept can be traced back to it.
    """
    shown = "\n".join(f"{fact.label.en}\t{fact.value.en}" for fact in question.facts)
    digest = hashlib.sha256(shown.encode()).hexdigest()
    return ":".join([*map(str, versions), digest])


def _unquoted_line(name: str) -> str:
    text = _QUOTATION.sub(_unless_inside_a_word, one_line(name))
    return " ".join(_MARKUP.sub(" ", text).split())


def _unless_inside_a_word(found: re.Match[str]) -> str:
    is_apostrophe = _APOSTROPHE.match(found.string, found.start()) is not None
    return _KEPT_APOSTROPHE if is_apostrophe else " "


def _cut(text: str) -> str:
    if len(text) <= LONGEST_NAME:
        return text
    end = LONGEST_NAME - len(_ELLIPSIS)
    # A letter keeps its marks, or it would be another one.
    while goes_with_a_letter(text[end]):
        end -= 1
    return text[:end].rstrip(f" {JOINERS}") + _ELLIPSIS
