"""The compiled frame lexicon is that of the lines and of the grammar as they are."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from imprimatur.extract.wording import parsed_keys

_ROOT = Path(__file__).parent.parent.parent
_KEPT: dict[str, list[list[object]]] = json.loads(
    (_ROOT / "src/imprimatur/resources/wordings.json").read_text(encoding="utf-8")
)


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_wordings", _ROOT / "scripts/build_wordings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_line_of_the_lexicon_is_compiled() -> None:
    """The file has the lines of the frame lexicon, no more and no fewer; if not, run make wordings."""
    assert set(_KEPT) == _script().lines()


def test_a_sample_of_lines_has_the_keys_that_the_grammar_gives() -> None:
    """One line in twenty-five is parsed anew; if it differs, run make wordings."""
    for line in sorted(_KEPT)[::25]:
        assert _KEPT[line] == [[k.key, k.subject] for k in parsed_keys(line)], line


@pytest.mark.slow
def test_all_lines_have_the_keys_that_the_grammar_gives() -> None:
    """Every line is parsed anew; if one differs, run make wordings."""
    assert _script().compiled() == _KEPT
