"""Blocks of content as the suite wants them: texts, a picture, a sound, resources."""

import base64
import io
import struct
import wave
import zlib
from collections.abc import Mapping
from typing import Any, Final

Block = Mapping[str, Any]


def text(said: str) -> Block:
    return {"type": "text", "text": said}


def image() -> Block:
    return {"type": "image", "data": base64.b64encode(PNG).decode(), "mimeType": "image/png"}


def audio() -> Block:
    return {"type": "audio", "data": base64.b64encode(_wav()).decode(), "mimeType": "audio/wav"}


def embedded(uri: str, said: str, mime_type: str = "text/plain") -> Block:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": said}}


def _png() -> bytes:
    """One red pixel (PNG, third edition)."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0\xff\0\0")), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def _wav() -> bytes:
    """A hundredth of a second of silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(bytes(160))
    return file.getvalue()


PNG: Final = _png()
