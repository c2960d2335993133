"""Instants between two others, as a condition."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement

from domain.ports.lists import Span


def within(column: ColumnElement[Any], span: Span) -> Iterable[ColumnElement[bool]]:
    """What of `column` lies in `span`; nothing where it is open."""
    if span.start is not None:
        yield column >= span.start
    if span.end is not None:
        yield column < span.end
