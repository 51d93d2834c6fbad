"""Plain settings are read as PyYAML reads them, or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import imprimatur
from imprimatur._config_plain import plain
from imprimatur._config_yaml import MalformedYaml, load

_FILES = sorted(Path(imprimatur.__file__).parent.rglob("*.yaml"))
_PIECES = st.sampled_from(
    [
        *("a b key name : - [ ] , ' '' # 1 0 010 1.5 1e3 12:30 2020-01-01 true yes No null ~ & * ! | > { }".split()),
        *('" \\ ? % @ é << = a.b/c --- ...'.split()),
        *(": ", " ", "  ", "\n", "\n  ", "\n    ", "- ", ", ", " # x", "\u2028", "\x85", "\t", "\r", "\ufeff"),
    ]
)
_SCALARS = st.sampled_from(["a", "x-y", "a/b.c", "0", "7", "123", "true", "false", "'it''s'", "'# : ['", "''", "é"])
_LISTS = st.lists(_SCALARS, max_size=3).map(lambda items: f"[{', '.join(items)}]")
_KEYS = st.lists(st.sampled_from(["a", "b", "c", "name", "on", "x.y"]), min_size=1, max_size=3, unique_by=str.lower)
_TAILS = st.sampled_from(["", "", " ", " # x", "# x", "\n", "\n# y", "\n  # z"])


@st.composite
def _written(draw: st.DrawFn, depth: int = 0, indent: int = 0) -> str:
    """Nested mappings, for the most part well written."""
    lines = []
    for key in draw(_KEYS):
        value = draw(st.one_of(st.just(""), _SCALARS, _LISTS))
        step = draw(st.sampled_from([2, 2, 4, 1]))
        below = draw(_written(depth + 1, indent + step)) if not value and depth < 3 else ""
        lines.append(" " * indent + f"{key}: {value}".rstrip() + draw(_TAILS) + ("\n" if below else "") + below)
    return "\n".join(lines)


def _by_library(text: str) -> object:
    try:
        return load(text)
    except MalformedYaml as fault:
        return fault


@settings(max_examples=1500, deadline=None)
@given(st.one_of(st.lists(_PIECES, max_size=12).map("".join), _written()))
@example("a: b\n  c: d")
@example("a:\n  b: 1\n c: 2")
@example("a: [x, 'y, z', 3]\nb:\n    c:\n")
@example("a: b\na: c")
def test_as_the_library(text: str) -> None:
    """What is read is what PyYAML reads, with the same types."""
    ours = plain(text)
    if ours is not None:
        assert repr(ours) == repr(_by_library(text))


@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.name)
def test_bundled_files_are_plain(file: Path) -> None:
    """The files that come with the package are read without a library."""
    text = file.read_text(encoding="utf-8")
    assert plain(text) == load(text) != {}


@pytest.mark.parametrize(
    "text",
    [
        *("", "# only a comment", "a: {b: c}", "a:\n- b", "a: 1.5", "a: yes", "a: b c", "- a", "a: 'x\ny'", "a: &b c"),
        *("on: 1", "a: 2020-01-01", "a: 010", "a: 1\r\nb: 2", 'a: "b"', "a: [b", "a: 1\na: 2", "a: |\n  b", "a: b: c"),
        "a:\tb",
    ],
)
def test_left_to_the_library(text: str) -> None:
    """Anything else is not read here."""
    assert plain(text) is None


def test_library_is_not_loaded() -> None:
    """A bundled knowledge base and its policy are read without PyYAML."""
    code = (
        "import sys; from imprimatur.config import load_folder, resolve; from imprimatur.policy import load\n"
        "folder = load_folder(resolve('rivers')); load(folder.policy); assert folder.name == 'rivers'\n"
        "assert 'yaml' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
