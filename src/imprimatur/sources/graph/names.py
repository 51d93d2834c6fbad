"""The names of a graph: labels of entities, and texts of literals, found among the tokens of an answer.

A name is looked up by its lower-case tokens, the longest first. A label with capitals is found only where the text has
a capital too; labels that are empty, made of function words alone, or longer than 40 tokens name nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from imprimatur.extract.words import forms
from imprimatur.language.tokens import Token, tokenise
from imprimatur.protocols import Found, Word

__all__ = ["NameIndex", "folded"]

_MAX_TOKENS = 40
_QUALIFIER = re.compile(r"^(.{2,}?)\s*\(([^()]{1,120})\)$")
_LITERAL_LIMIT = 120


def folded(text: str) -> str:
    """The text without accents, in lower case."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


class NameIndex:
    """All names, by their tokens."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        self._capital: dict[str, bool] = {}
        self._longest: dict[str, int] = {}
        self._folded: dict[str, str] = {}

    def add(self, label: str, iri: str | None, *, qualified: bool = True) -> None:
        """Add a name of an entity, or with ``iri`` None the text of a literal."""
        if not label.strip() or len(label) > 400:
            return
        self._add(label, iri)
        match = _QUALIFIER.match(label) if qualified and iri is not None else None
        if match:
            self._add(match.group(1), iri)
        elif qualified and iri is not None and label.count(", ") == 1:
            self._add(label.partition(", ")[0], iri)

    def _add(self, label: str, iri: str | None) -> None:
        tokens = tokenise(label)
        if not tokens or len(tokens) > _MAX_TOKENS or all(forms(t.lower).closed or not t.text[:1].isalnum() for t in tokens):
            return
        tokens = _undotted(tokens)
        key = " ".join(t.lower for t in tokens)
        known = self._names.get(key)
        if known is None:
            self._names[key] = (iri,) if iri is not None else ()
            self._capital[key] = label[:1].isupper()
            first = tokens[0].lower
            self._longest[first] = max(self._longest.get(first, 0), len(tokens))
            plain = folded(key)
            if plain != key:
                self._folded[plain] = key
                start = folded(first)
                self._longest[start] = max(self._longest.get(start, 0), len(tokens))
        else:
            self._capital[key] = self._capital[key] and label[:1].isupper()
            if iri is not None and iri not in known:
                self._names[key] = (*known, iri)

    def candidates(self, name: str) -> tuple[str, ...]:
        """The entities that bear a name."""
        key = " ".join(t.lower for t in _undotted(tokenise(name)))
        return self._names.get(key) or self._names.get(self._folded.get(key, ""), ())

    def find(self, tokens: Sequence[Word]) -> list[Found]:
        """Known names among the tokens, in order, not overlapping, the longest first."""
        places = [k for k, t in enumerate(tokens) if not _dot(tokens, k)]
        plain = [tokens[k] for k in places]
        out: list[Found] = []
        i, n = 0, len(plain)
        while i < n:
            found = self._at(plain, i, n)
            if found is None:
                i += 1
            else:
                out.append(Found(places[found.first], places[found.stop - 1] + 1, found.candidates))
                i = found.stop
        return out

    def _at(self, tokens: Sequence[Word], i: int, n: int) -> Found | None:
        longest = self._longest.get(tokens[i].lower, 0)
        for length in range(min(longest, n - i), 0, -1):
            key = " ".join(t.lower for t in tokens[i : i + length])
            if key not in self._names:
                key = self._folded.get(key, "")
                if not key:
                    continue
            if self._capital[key] and not tokens[i].text[:1].isupper() and tokens[i].text[:1].isalpha():
                continue
            return Found(i, i + length, self._names[key])
        return None


_DOTTED = frozenset("st mt ft jr sr dr no ste pt mts".split())


def _dot(tokens: Sequence[Word], k: int) -> bool:
    """Whether token ``k`` is the stop of an abbreviation within a name ("St. Johns"): names are compared without it."""
    return tokens[k].text == "." and k > 0 and tokens[k - 1].lower in _DOTTED and k + 1 < len(tokens)


def _undotted(tokens: Sequence[Token]) -> list[Token]:
    return [t for k, t in enumerate(tokens) if not _dot(tokens, k)]


def literal_names(texts: Iterable[str]) -> Iterable[str]:
    """The literal texts that are worth finding as names: short, and not numbers."""
    return (t for t in texts if 1 < len(t) <= _LITERAL_LIMIT and any(c.isalpha() for c in t))
