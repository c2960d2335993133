"""Documents by Typst: each in a process that ends with it, and no more of them than can be borne.

A process gives back the memory that a long table takes, and can be stopped.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Final

import msgspec

from adapters.documents.press import Order
from domain.errors import UnavailableError
from domain.ports.documents import Document, File

AT_ONCE: Final = 2
IN_LINE: Final = 8
OF_ONE: Final = 4
PATIENCE: Final = timedelta(seconds=10)

_PRESS: Final = str(Path(__file__).with_name("press.py"))


class DocumentError(Exception):
    """A document could not be laid out: template and values do not go together."""


class TypstDocuments:
    """Lays out `AT_ONCE` documents at a time, lets `IN_LINE` wait, and gives up on one in time.

    Of one organisation there are at most `OF_ONE`, so that none takes every place.
    """

    def __init__(self, patience: timedelta = PATIENCE) -> None:
        self._patience = patience.total_seconds()
        self._places = asyncio.Semaphore(AT_ONCE)
        self._inside: Counter[str] = Counter()

    async def render(self, document: Document, /, *, whose: str) -> File:
        """The document as PDF.

        Raises:
            UnavailableError: it takes too long, or too many are being made.
        """
        if self._inside[whose] >= OF_ONE or self._inside.total() >= AT_ONCE + IN_LINE:
            raise UnavailableError
        self._inside[whose] += 1
        try:
            async with asyncio.timeout(self._patience), self._places:
                content = await _printed(order_of(document))
        except TimeoutError:
            raise UnavailableError from None
        finally:
            self._inside[whose] -= 1
            self._inside += Counter()  # organisations of which nothing is left go
        return File(content_type="application/pdf", name=document.name, content=content)


def order_of(document: Document) -> Order:
    """The document as the press takes it."""
    return Order(
        kind=document.kind,
        values=msgspec.json.encode(document.values).decode(),
        at=int(document.at.timestamp()),
    )


async def _printed(order: Order) -> bytes:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", _PRESS, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env={}
    )
    try:
        content, _ = await process.communicate(msgspec.json.encode(order))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise DocumentError(f"the template {order['kind']} and its values do not go together")
    return content
