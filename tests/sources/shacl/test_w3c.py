"""Conformance: the W3C SHACL test suite, by the compiled engine with its fallback, and by pySHACL."""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path

import pytest
from w3c import SUITE, W3cTest, outcome, shapes_of, suite_tests

from imprimatur.errors import KnowledgeBaseError

pytestmark = pytest.mark.skipif(not SUITE.is_dir(), reason="the W3C SHACL test suite is not beside the repository")

_CORE, _SPARQL = 98, 23
#: The least share of Core tests whose shapes are all compiled.
_COMPILED = 0.9


@lru_cache(maxsize=1)
def _all() -> tuple[W3cTest, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tuple(suite_tests(SUITE))


def test_the_suite_is_whole() -> None:
    """No test of the suite is missing."""
    core = sum(test.is_core for test in _all())
    assert (core, len(_all()) - core) == (_CORE, _SPARQL)


@pytest.mark.filterwarnings("ignore")
def test_whatever_pyshacl_passes_passes(tmp_path: Path) -> None:
    """Each test that pySHACL passes, the compiled engine with its fallback passes too."""
    failed, passed = [], 0
    for number, test in enumerate(_all()):
        folder = tmp_path / str(number)
        folder.mkdir()
        if outcome(shapes_of(test, folder, "compiled")) == test.expected:
            passed += 1
        elif outcome(shapes_of(test, folder, "pyshacl")) == test.expected:
            failed.append(test.name)
    assert failed == []
    assert passed >= 115


@pytest.mark.filterwarnings("ignore")
def test_core_is_compiled(tmp_path: Path) -> None:
    """At least nine tenths of the Core tests run without pySHACL."""
    compiled = []
    for number, test in enumerate(each for each in _all() if each.is_core):
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            ways = {each.way for each in shapes_of(test, folder, "compiled").ways()}
        except KnowledgeBaseError:
            ways = {"fallback"}
        compiled.append("fallback" not in ways)
    print(f"{sum(compiled)} of {len(compiled)} Core tests run compiled")
    assert sum(compiled) >= _COMPILED * _CORE
