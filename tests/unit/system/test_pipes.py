"""Lines of any descriptor, in pieces of any size."""

import asyncio
import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.system.pipes import LinesOut, ReaderGoneError, lines_from, lines_in

pytestmark = pytest.mark.anyio

LONGEST = 8
PIECE = b"x" * 1_000
BEYOND_A_PIPE = 300_000


async def lines_of(pieces: list[bytes], longest: int = LONGEST) -> list[bytes | None]:
    rest = iter([*pieces, b""])

    async def read() -> bytes:
        return next(rest)

    return [line async for line in lines_in(read, longest)]


@given(
    st.lists(st.binary(max_size=LONGEST + 4)).map(b"\n".join),
    st.lists(st.integers(min_value=0, max_value=80)),
)
def test_where_the_pieces_end_changes_no_line(content: bytes, cuts: list[int]) -> None:
    ends = sorted({min(cut, len(content)) for cut in cuts} | {0, len(content)})
    pieces = [content[begin:end] for begin, end in pairwise(ends)]

    found = asyncio.run(lines_of(pieces))

    lines = content.split(b"\n")
    assert found == [
        line if len(line) <= LONGEST else None
        for line in lines
        if line.strip() or len(line) > LONGEST
    ]


async def test_a_line_without_end_is_told_of_once_and_at_once() -> None:
    sent = 0

    async def read() -> bytes:
        nonlocal sent
        sent += 1
        return PIECE if sent < 1_000 else b"\nnext\n" if sent == 1_000 else b""

    lines = lines_in(read, 4 * len(PIECE))

    assert await anext(lines) is None
    assert sent == 5
    assert await anext(lines) == b"next"
    assert [line async for line in lines] == []


async def test_a_file_ends_and_its_last_line_needs_no_end_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\r\n\n  \ntwo")
    with path.open("rb") as file:
        found = [line async for line in lines_from(file.fileno(), LONGEST)]

    assert found == [b"one\r", b"two"]


async def test_nobody_waits_for_a_peer_that_says_nothing() -> None:
    reader, writer = os.pipe()
    lines = lines_from(reader, LONGEST)
    waiting = asyncio.ensure_future(anext(lines))
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    os.close(writer)


async def test_lines_that_are_written_at_once_come_out_whole_and_in_order() -> None:
    reader, writer = os.pipe()
    out = LinesOut(writer)
    sent = [bytes([number]) * BEYOND_A_PIPE for number in b"abc"]
    given_up = asyncio.ensure_future(out.write(sent[0]))
    following = asyncio.gather(*(out.write(line) for line in sent[1:]))
    lines = lines_from(reader, BEYOND_A_PIPE)
    given_up.cancel()

    assert [await anext(lines) for _ in sent[1:]] == sent[1:]
    await following
    os.close(writer)
    os.close(reader)


async def test_a_reader_that_is_gone_is_noticed_when_something_is_written() -> None:
    reader, writer = os.pipe()
    os.close(reader)

    with pytest.raises(ReaderGoneError):
        await LinesOut(writer).write(b"anything")
    os.close(writer)
