import json
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

DUNNING = Path(sys.executable).with_name("dunning")


@pytest.mark.usefixtures("settings")
def test_the_service_serves_until_it_is_told_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "0")
    with subprocess.Popen([DUNNING, "serve"], stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        begun = json.loads(serving.stderr.readline())
        ready = httpx.get(f"http://127.0.0.1:{begun['port']}/readyz")
        serving.send_signal(signal.SIGTERM)
        ended = serving.stderr.read()

    assert begun["event"] == "listening"
    assert ready.json() == {"migrations": "ok", "role": "ok", "issuer": "ok"}
    assert [json.loads(line)["event"] for line in ended.splitlines()] == ["ended"]
    assert serving.returncode == 0
