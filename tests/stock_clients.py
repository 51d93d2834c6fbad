"""The stock OpenAI clients, of Python and of npm, behind one interface: what each saw of a call, as plain values.

Both are told the same, so that one test holds for both. The npm client runs in Node, from a folder into which its
locked version was installed; see ``tests/serve/npm``.
"""

from __future__ import annotations

import json
import re
import select
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Ask", "Client", "Seen", "npm_client", "npm_installed", "python_client"]

NPM = Path(__file__).parent / "serve" / "npm"
_OLDEST_NODE = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One call: ``api`` is ``chat``, ``responses`` or ``models``; ``helper``: by the client's own streaming helper."""

    url: str
    api: str = "chat"
    body: Mapping[str, Any] = field(default_factory=dict)
    key: str = "none"
    headers: Mapping[str, str] = field(default_factory=dict)
    helper: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a client gave its user: the chunks, events or the one reply, and what it raised in the end."""

    items: list[dict[str, Any]]
    error: dict[str, Any] | None = None

    def sound(self) -> list[dict[str, Any]]:
        """The items of a call that went well."""
        assert self.error is None, self.error
        return self.items

    def text(self, index: int = 0) -> str:
        """The text of a streamed choice, or of a streamed response, as its deltas make it."""
        if any("type" in each for each in self.items):
            return "".join(each["delta"] for each in self.items if each["type"] == "response.output_text.delta")
        choices = (choice for each in self.items for choice in each["choices"] if choice["index"] == index)
        return "".join(choice["delta"].get("content") or "" for choice in choices)


Client = Callable[[Ask], Seen]


def python_client(ask: Ask) -> Seen:
    """What the Python client saw of a call."""
    import openai

    items: list[dict[str, Any]] = []
    try:
        with openai.OpenAI(
            base_url=ask.url, api_key=ask.key, default_headers=dict(ask.headers), max_retries=0
        ) as client:
            items.extend(each.model_dump(mode="json", exclude_unset=True) for each in _items(client, ask))
    except (openai.OpenAIError, RuntimeError) as fault:  # its helpers raise the latter for a response without an end
        return Seen(items=items, error=_error(fault))
    return Seen(items=items)


def _items(client: Any, ask: Ask) -> Iterator[Any]:
    body = dict(ask.body)
    extra = {"extra_body": {"imprimatur": body.pop("imprimatur")}} if "imprimatur" in body else {}
    if ask.api == "models":
        yield from client.models.list()
        return
    resource = client.chat.completions if ask.api == "chat" else client.responses
    if ask.helper:
        with resource.stream(**body, **extra) as stream:
            yield stream.get_final_completion() if ask.api == "chat" else stream.get_final_response()
        return
    found = resource.create(**body, **extra)
    if body.get("stream"):
        yield from found
    else:
        yield found


def _error(fault: Any) -> dict[str, Any]:
    return {
        "kind": type(fault).__name__,
        "status": getattr(fault, "status_code", None),
        "code": getattr(fault, "code", None),
        "type": getattr(fault, "type", None),
        "message": str(fault),
    }


def npm_installed(folder: Path) -> str:
    """The Node for the npm client, which is installed into a folder. Skips the test where Node or npm is missing."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node or npm is not installed")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    major = re.match(r"v(\d+)", version)
    if major is None or int(major[1]) < _OLDEST_NODE:
        pytest.skip(f"node {version.strip()} is older than {_OLDEST_NODE}")
    for name in ("package.json", "package-lock.json", "drive.mjs"):
        shutil.copy(NPM / name, folder)
    done = subprocess.run(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, f"npm ci failed: {done.stderr[-2000:]}"
    return node


@contextmanager
def npm_client(folder: Path) -> Iterator[Client]:
    """The npm client, installed from its lock file into a folder; one Node makes all calls until the block ends.

    Skips the test where Node or npm is missing.
    """
    node = npm_installed(folder)
    errors = folder / "errors.txt"
    with (
        errors.open("w", encoding="utf-8") as sink,
        subprocess.Popen(
            [node, "drive.mjs"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=sink,
            encoding="utf-8",
        ) as driver,
    ):
        assert driver.stdin is not None
        assert driver.stdout is not None
        calls, answers = driver.stdin, driver.stdout

        def ask(asked: Ask) -> Seen:
            call = {name: getattr(asked, name) for name in ("url", "api", "body", "key", "headers", "helper")}
            calls.write(json.dumps(call) + "\n")
            calls.flush()
            # What does not answer is ended, so that no later call takes the late answer for its own.
            if not select.select([answers], [], [], 60)[0]:
                driver.kill()
            line = answers.readline()
            assert line, f"the npm client gave no answer: {errors.read_text(encoding='utf-8')[-2000:]}"
            return Seen(**json.loads(line))

        try:
            yield ask
            calls.close()
            assert driver.wait(30) == 0, errors.read_text(encoding="utf-8")[-2000:]
        finally:
            driver.kill()
