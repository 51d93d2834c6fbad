"""Drives a real headless Chromium over its debugging pipe: opens one file, collects faults and requests, evaluates.

Nothing but the standard library is needed: messages are JSON, each ended by a zero byte.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

__all__ = ["CHROMIUM", "Browser"]

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
_OPTIONS = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --remote-debugging-pipe"
_SECONDS = 60.0


class Browser:
    """One page in a browser; a context manager.

    Attributes:
        faults: what the page's script threw, and what the console was told as a warning or an error.
        requests: every address that was asked for.
    """

    def __init__(self, profile: Path, *, size: str = "1280,900") -> None:
        """Starts the browser; ``profile`` is a folder for what it keeps."""
        self.faults: list[str] = []
        self.requests: list[str] = []
        self._events: list[dict[str, Any]] = []
        self._rest = b""
        self._number = 0
        out, self._write = os.pipe()
        self._read, back = os.pipe()
        line = f'exec "$0" {_OPTIONS} --user-data-dir="$1" --window-size={size} about:blank 3<&{out} 4>&{back}'
        self._process = subprocess.Popen(
            ["bash", "-c", line, CHROMIUM, str(profile)],
            pass_fds=(out, back),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(out)
        os.close(back)
        self._session = ""
        try:
            target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
            self._session = self._call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
            for domain in ("Runtime", "Log", "Network", "Page"):
                self._call(f"{domain}.enable")
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)

    def open(self, file: Path) -> None:
        """Opens a file, and waits until all of it is loaded."""
        self._call("Page.navigate", {"url": file.absolute().as_uri()})
        self._until(lambda: any(each.get("method") == "Page.loadEventFired" for each in self._events))

    def value(self, script: str) -> Any:
        """What an expression of JavaScript gives on the page."""
        found = self._call("Runtime.evaluate", {"expression": script, "returnByValue": True})
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def show(self, features: dict[str, str], media: str = "") -> None:
        """Makes the page believe in a medium and its features, ``prefers-color-scheme`` for instance."""
        listed = [{"name": name, "value": value} for name, value in features.items()]
        self._call("Emulation.setEmulatedMedia", {"media": media, "features": listed})

    def _call(self, method: str, values: dict[str, Any] | None = None) -> dict[str, Any]:
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": values or {}}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        self._until(lambda: any(each.get("id") == number for each in self._events))
        answer = next(each for each in self._events if each.get("id") == number)
        assert "error" not in answer, answer
        found: dict[str, Any] = answer["result"]
        return found

    def _until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + _SECONDS
        while not done():
            assert time.monotonic() < end, "the browser does not answer"
            ready, _, _ = select.select([self._read], [], [], 1.0)
            if ready:
                self._take(os.read(self._read, 1 << 16))

    def _take(self, more: bytes) -> None:
        assert more, "the browser went away"
        *whole, self._rest = (self._rest + more).split(b"\0")
        for each in whole:
            event = json.loads(each)
            self._events.append(event)
            about = event.get("params", {})
            match event.get("method"):
                case "Runtime.exceptionThrown":
                    self.faults.append(str(about["exceptionDetails"]))
                case "Log.entryAdded" if about["entry"]["level"] in ("warning", "error"):
                    self.faults.append(about["entry"]["text"])
                case "Runtime.consoleAPICalled" if about["type"] in ("warning", "error"):
                    self.faults.append(str(about["args"]))
                case "Network.requestWillBeSent":
                    self.requests.append(about["request"]["url"])
