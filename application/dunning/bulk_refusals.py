"""Refusals of single items of one call: where each belongs, and all of them as one."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from domain.errors import ConflictError, Detail, DuplicateError, LegalLimitError, ValidationError

ItemRefusal: TypeAlias = ValidationError | ConflictError
"""What may be wrong with one item, while the others are all right."""


@contextmanager
def located(place: str) -> Generator[None]:
    """Say of every refusal inside that it is about a field of `place`, such as `items[3]`."""
    try:
        yield
    except (ValidationError, ConflictError) as refusal:
        found = refusal.details or (Detail("", refusal.code.lower(), refusal.message),)
        refusal.details = tuple(_within(place, detail) for detail in found)
        raise


def gathered(refusals: Sequence[ItemRefusal]) -> ItemRefusal:
    """One refusal with the details of all; its code is theirs where they have the same one.

    What a conflict of another kind tells of the present state has no place beside several items.
    """
    details = [detail for refusal in refusals for detail in refusal.details]
    codes = {refusal.code for refusal in refusals}
    if codes == {LegalLimitError.code}:
        return LegalLimitError(*details)
    if codes == {DuplicateError.code}:
        refusals[0].details = tuple(details)
        return refusals[0]
    return ValidationError(*details)


def _within(place: str, detail: Detail) -> Detail:
    field = f"{place}.{detail.field}" if detail.field else place
    return Detail(field, detail.code, detail.message)
