"""``imprimatur serve``: mistakes are told in words before anything is served; a new key is shown once."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from imprimatur.serve.keys import Keys

Shell = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "no knowledge base was given"),
        (["--kb", "nowhere"], "no such folder or bundled knowledge base"),
        (["--kb", "rivers", "--host", "0.0.0.0"], "no keys are asked for"),
        (["--kb", "rivers", "--upstream", "ftp://x"], "is not the address of a server"),
        (["--config", "/nowhere/gateway.yaml"], "cannot be read"),
        (["--kb", "rivers", "--keys", "/nowhere/keys.yaml"], "cannot be read"),
        (
            ["--kb", "rivers", "--upstream", "http://localhost:1/v1", "--upstream-key-env", "NO_SUCH_KEY"],
            "no key is there",
        ),
    ],
)
def test_mistakes_are_told(shell: Shell, arguments: list[str], part: str) -> None:
    """Each is an error with words and status 2, without a traceback."""
    pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
    ran = shell("serve", *arguments)
    assert ran.status == 2
    assert part in ran.err
    assert "Traceback" not in ran.err


def test_a_port_that_is_taken(shell: Shell) -> None:
    """A port that something else listens on is named."""
    pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = shell("serve", "--kb", "rivers", "--port", str(taken.getsockname()[1]))
    assert ran.status == 2
    assert "cannot listen on 127.0.0.1" in ran.err


def test_new_key(shell: Shell, tmp_path: Path) -> None:
    """The key and its entry are printed; the entry lets the key in."""
    key, entry = shell("serve", "--new-key", "intranet").out.split("\n", 1)
    file = tmp_path / "keys.yaml"
    file.write_text(f"version: 1\nkeys:\n{entry}", encoding="utf-8")
    holder = Keys.from_file(file).holder(key)
    assert holder is not None
    assert holder.name == "intranet"
