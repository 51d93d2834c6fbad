"""Expressions that are compiled when they are first used behave as compiled ones do."""

from __future__ import annotations

import copy
import re
import subprocess
import sys

import pytest

from imprimatur._expressions import expression

_CASES = [(r"(?P<n>\d+) km", "It is 192 km, or 12 km, long.", 0), (r"rhine|danube", "The RHINE and the Danube.", re.I)]


@pytest.mark.parametrize(("pattern", "text", "flags"), _CASES)
def test_as_compiled(pattern: str, text: str, flags: int) -> None:
    """Every method and property gives what the compiled expression gives, whichever is asked for first."""
    compiled = re.compile(pattern, flags)
    assert [m.span() for m in expression(pattern, flags).finditer(text)] == [m.span() for m in compiled.finditer(text)]
    for name in ("match", "fullmatch", "search", "findall", "split"):
        first, second = (repr(getattr(each, name)(text)) for each in (expression(pattern, flags), compiled))
        assert first == second
    assert expression(pattern, flags).sub("x", text) == compiled.sub("x", text) != text
    for name in ("pattern", "flags", "groups", "groupindex"):
        assert getattr(expression(pattern, flags), name) == getattr(compiled, name)


def test_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making an expression compiles nothing, using it compiles it once, and copying it is no use."""
    made, compile_ = [], re.compile
    monkeypatch.setattr(re, "compile", lambda *given: made.append(given) or compile_(*given))  # type: ignore[func-returns-value]
    later = expression("a+", re.ASCII)
    copy.copy(later)
    assert made == []
    assert [bool(later.match(text)) for text in ("aa", "b", "a")] == [True, False, True]
    assert made == [("a+", re.ASCII)]


def test_malformed() -> None:
    """A malformed pattern is an error each time it is used."""
    broken = expression("(")
    for _ in range(2):
        with pytest.raises(re.error, match="unterminated"):
            broken.match("")


def test_nothing_is_compiled_by_importing() -> None:
    """Importing what reads answers compiles none of its expressions."""
    code = (
        "import re, sys; compile_ = re.compile; seen = []\n"
        "def spy(*given):\n"
        "    seen.append(sys._getframe(1).f_globals['__name__']); return compile_(*given)\n"
        "re.compile = spy; import imprimatur.extract.segments, imprimatur.segment\n"
        "own = [name for name in seen if name.startswith(('imprimatur.language', 'imprimatur.extract'))]\n"
        "assert 'imprimatur.extract.segments' in sys.modules; assert own == [], own"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
