"""Dependency trees of sentences, by a small statistical parser that may not be installed.

Contract: ``parser_of(language)`` gives the parser of a language, or None where it has none or the extra ``parse`` is
not installed; nothing heavy is imported before the first sentence is parsed. A parser is shared by all threads, which
take turns; the same words always get the same tree on the same installation (``Parser.name`` says which model it is). A
model that is there and does not work is ``CheckFailed``, never an empty tree. Trees are guesses: whoever uses them must
not license by them.
"""

from __future__ import annotations

import importlib
import threading
import warnings
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.errors import CheckFailed

__all__ = ["Parser", "Tree", "package_of", "parser_of"]

_FILE = Path(__file__).parents[1] / "resources" / "parsers.tsv"
_PIPES = frozenset(("tok2vec", "tagger", "parser"))
#: Trees that are kept; sentences of one skeleton share one.
_MOST_KEPT = 4096
#: Seconds between two looks at the clock while the model is loaded.
_STEP = 0.02


@dataclass(frozen=True, slots=True)
class Tree:
    """For each word: the word that it hangs on (the root on itself), by what relation, and its part of speech."""

    heads: tuple[int, ...]
    labels: tuple[str, ...]
    tags: tuple[str, ...]


class Parser:
    """One model, loaded when the first sentence is parsed."""

    def __init__(self, package: str) -> None:
        self.package = package
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, ...], Tree] = {}
        self._model: Any = None
        self._fault: CheckFailed | None = None
        self._loading: threading.Thread | None = None

    @cached_property
    def name(self) -> str:
        """The model and its version, as reports name it."""
        return f"{self.package} {_version(self.package)}, spacy {_version('spacy')}"

    def ready(self, late: Callable[[], bool]) -> bool:
        """Whether the model is loaded (or failed to), before it is late; loading goes on in the background."""
        with self._lock:
            if self._loading is None:
                self._loading = threading.Thread(target=self._load, name=f"load {self.package}")
                self._loading.start()
        while self._loading.is_alive():
            if late():
                return False
            self._loading.join(_STEP)
        return True

    def _load(self) -> None:
        try:
            self._model = _loaded(self.package)
        except CheckFailed as fault:
            self._fault = fault

    def tree(self, words: Sequence[str]) -> Tree:
        """The tree of a sentence, once the model is loaded.

        Raises:
            CheckFailed: the model cannot be loaded.
        """
        self.ready(lambda: False)
        if self._fault is not None:
            raise self._fault
        asked = tuple(words)
        with self._lock:
            found = self._kept.get(asked)
            if found is None:
                found = self._parsed(asked)
                if len(self._kept) >= _MOST_KEPT:
                    self._kept.clear()
                self._kept[asked] = found
            return found

    def _parsed(self, words: tuple[str, ...]) -> Tree:
        from spacy.tokens import Doc

        with self._model.memory_zone():  # new words are forgotten again: the store of a long-lived process cannot grow
            doc = Doc(self._model.vocab, words=list(words))
            for _, pipe in self._model.pipeline:
                doc = pipe(doc)
            return Tree(
                tuple(word.head.i for word in doc), tuple(word.dep_ for word in doc), tuple(word.tag_ for word in doc)
            )


def _loaded(package: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about optional parts of its libraries, which are no business of an answer
            model = importlib.import_module(package).load()
            for name in [name for name in model.pipe_names if name not in _PIPES]:
                model.remove_pipe(name)
    except Exception as fault:
        hint = "install the extra anew (pip install --force-reinstall 'imprimatur[parse]'), or switch it off"
        raise CheckFailed(f"the parser {package} cannot be loaded: {str(fault)[:200]}", hint=hint) from fault
    return model


def _version(distribution: str) -> str:
    import importlib.metadata  # only where a report names the parser

    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def package_of(language: str) -> str | None:
    """The package of a language's model, installed or not; None when it has none."""
    return _packages().get(language.replace("_", "-").split("-")[0].lower())


@cache
def _packages() -> dict[str, str]:
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {row[0]: row[1] for row in rows}


@cache
def parser_of(language: str) -> Parser | None:
    """The parser of a language; None when there is none or it is not installed."""
    import importlib.util

    package = package_of(language)
    if package is None or not all(importlib.util.find_spec(name) for name in ("spacy", package)):
        return None
    return Parser(package)
