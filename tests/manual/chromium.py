"""A headless Chromium that is told what to do over a pipe (Chrome DevTools Protocol)."""

import base64
import json
import os
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-pipe",
)  # fmt: skip


class Tab:
    """One tab of one browser."""

    def __init__(self, commands: int, events: int) -> None:
        self._commands = commands
        self._events = events
        self._numbers = count(1)
        self._rest = b""
        self._session: str | None = None
        target = self._do("Target.createTarget", url="about:blank")["targetId"]
        attached = self._do("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._do(f"{domain}.enable")
        self.complaints: list[str] = []

    def open(self, address: str) -> None:
        self._do("Page.navigate", url=address)
        self._loaded()

    def press(self, selector: str) -> None:
        """Click what leads to another page."""
        self.run(f"document.querySelector({json.dumps(selector)}).click()")
        self._loaded()

    def run(self, script: str) -> Any:
        answered = self._do("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answered, answered
        return answered["result"].get("value")

    def look(self, *, width: int, scheme: str = "light") -> None:
        """How wide the window is, and whether the reader prefers light or dark."""
        self._do(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=800, deviceScaleFactor=1, mobile=width < 500,
        )  # fmt: skip
        preferred = [{"name": "prefers-color-scheme", "value": scheme}]
        self._do("Emulation.setEmulatedMedia", features=preferred)

    def picture(self, path: Path) -> None:
        """The whole page; complains where it is wider than the window."""
        if self.run("document.documentElement.scrollWidth > window.innerWidth"):
            self.complaints.append(f"{path.name} is wider than its window")
        size = self._do("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self._do("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def _loaded(self) -> None:
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def _do(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != number:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            came = os.read(self._events, 65_536)
            assert came, "Chromium has ended"
            self._rest += came
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if message.get("method") == "Log.entryAdded":
            self.complaints.append(message["params"]["entry"]["text"])
        return message


@contextmanager
def new_tab() -> Generator[Tab]:
    """A browser that has never been anywhere, for as long as the block runs."""
    read_commands, commands = os.pipe()
    events, write_events = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        started = " ".join(["exec chromium", *_FLAGS, f"--user-data-dir={profile}"])
        process = subprocess.Popen(
            ["sh", "-c", f"{started} 3<&{read_commands} 4>&{write_events}"],
            pass_fds=(read_commands, write_events),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield Tab(commands, events)
        finally:
            process.terminate()
            process.wait()
