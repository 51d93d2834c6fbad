"""`check --correct`: the word diff, and a file put right in place."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click import unstyle
from small_kb import write_kb

from imprimatur.cli import correcting

Shell = Callable[..., Any]

_WRONG = "Elm Brook is 15 km long.\r\nIt was dug by monks.\r\nOak Brook is 30 km long.\r\n"
_RIGHT = "Elm Brook is 12 km long.\r\nOak Brook is 30 km long.\r\n"


@pytest.fixture
def kb(tmp_path: Path) -> str:
    """The brooks."""
    return str(write_kb(tmp_path / "brooks"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with a wrong value."""
    path = tmp_path / "answer.md"
    path.write_bytes(b"\xef\xbb\xbf" + _WRONG.encode())
    path.chmod(0o640)
    return path


def test_a_word_diff(shell: Shell, kb: str) -> None:
    """What goes and what comes is marked, with the evidence of each change."""
    ran = shell("check", "Elm Brook is 15 km long. It was dug by monks.", "--kb", kb, "--correct", "--no-ledger")
    assert ran.status == 1
    assert "Elm Brook is [-15-]{+12+} km long." in ran.out
    assert "[-It was dug by monks.-]" in ran.out
    assert "'15' -> '12'" in ran.out
    assert "[graph: data.ttl]" in ran.out


def test_nothing_to_change(shell: Shell, kb: str) -> None:
    """An answer that holds is said to hold."""
    ran = shell("check", "Elm Brook is 12 km long.", "--kb", kb, "--correct", "--no-ledger")
    assert (ran.status, ran.out) == (0, "Nothing is changed: the answer may be shown as it is.\n")


def test_only_lines_near_a_change_are_shown() -> None:
    """Of a long text, what is far from every change is left out."""
    from imprimatur.decision import Edit

    text = "\n".join(f"line {n}" for n in range(40))
    at = text.index("line 20")
    shown = unstyle(correcting.diff(text, [Edit(start=at, end=at + 7, before="line 20", after="Line 20")]))
    assert shown.splitlines() == ["...", "line 18", "line 19", "[-line 20-]{+Line 20+}", "line 21", "line 22", "..."]


def test_harmful_characters_are_shown_harmless(shell: Shell, kb: str) -> None:
    """A text that would drive the terminal does not."""
    ran = shell("check", "\x1b[31mElm Brook is 15 km long.", "--kb", kb, "--correct", "--no-ledger")
    assert "\x1b[31m" not in ran.out


def test_a_file_is_put_right_in_place(shell: Shell, kb: str, file: Path) -> None:
    """Line ends, byte order mark and mode stay; the file as it was stays beside it; a second run changes nothing."""
    ran = shell("check", str(file), "--kb", kb, "--correct", "--write", "--no-ledger")
    assert ran.status == 1
    assert file.read_bytes() == b"\xef\xbb\xbf" + _RIGHT.encode()
    backup = file.with_name("answer.md.bak")
    assert backup.read_bytes() == b"\xef\xbb\xbf" + _WRONG.encode()
    assert {stat.S_IMODE(path.stat().st_mode) for path in (file, backup)} == {0o640}
    again = shell("check", str(file), "--kb", kb, "--correct", "--write", "--no-ledger")
    assert again.status == 0
    assert "left as it is" in again.out
    assert sorted(os.listdir(file.parent)) == ["answer.md", "answer.md.bak", "brooks"]


def test_a_backup_is_never_overwritten(shell: Shell, kb: str, file: Path) -> None:
    """Where there is a backup already, the next one has another name."""
    file.with_name("answer.md.bak").write_text("mine")
    shell("check", str(file), "--kb", kb, "--correct", "--write", "--no-ledger")
    assert file.with_name("answer.md.bak").read_text() == "mine"
    assert file.with_name("answer.md.bak1").read_bytes() == b"\xef\xbb\xbf" + _WRONG.encode()


def test_nothing_left_writes_nothing(shell: Shell, kb: str, file: Path) -> None:
    """A file of which nothing can be confirmed stays as it is."""
    file.write_text("It was dug by monks.")
    ran = shell("check", str(file), "--kb", kb, "--correct", "--write", "--no-ledger")
    assert "nothing of it can be confirmed" in ran.out
    assert file.read_text() == "It was dug by monks."
    assert not file.with_name("answer.md.bak").exists()


def test_a_file_that_changed_meanwhile_is_left_alone(shell: Shell, kb: str, file: Path) -> None:
    """What was not judged is not overwritten."""
    from imprimatur.errors import InputError
    from imprimatur.oracle import Oracle

    report = Oracle.from_folder(kb, policy="correct").check(_WRONG)
    file.write_text("Another text.")
    with pytest.raises(InputError, match="was changed while it was judged"):
        correcting.write(report, file)
    assert file.read_text() == "Another text."


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["text", "--correct", "--write"], "--write needs a file"),
        (["-", "--correct", "--write"], "--write needs a file"),
        (["text", "--write"], "--write needs --correct"),
        (["text", "--correct", "--policy", "strict"], "cannot both be given"),
    ],
)
def test_mistakes(shell: Shell, kb: str, options: list[str], told: str) -> None:
    """Options that do not go together say so."""
    ran = shell("check", *options, "--kb", kb, "--no-ledger", stdin=b"x")
    assert ran.status == 2
    assert told in ran.err
