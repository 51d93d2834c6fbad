"""The progress bar: there on a terminal, absent elsewhere, and never in the way of the work."""

from __future__ import annotations

import io
import sys

import pytest

from imprimatur.cli.progress import Progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("total", [None, 100])
def test_a_terminal_gets_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch, total: int | None) -> None:
    """The items pass through unchanged, whether or not their number is known."""
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress("Judging", total) as progress:
        assert list(progress.over(range(50), lambda _: 2)) == list(range(50))
    assert "Judging" in terminal.getvalue()


def test_nothing_is_written_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    """Logs and pipes stay clean."""
    with Progress("Judging", 3) as progress:
        assert list(progress.over("abc", len)) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")
