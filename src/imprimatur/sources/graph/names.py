"""The names of a graph: labels of entities, and texts of literals, found among the tokens of an answer.

A name is looked up by its lower-case tokens, the longest first. A label with capitals is found only where the text has
a capital too; labels that are empty, made of function words alone, or longer than 40 tokens name nothing. A qualifier
in brackets ("Mill Creek (Ohio)") and a place after a comma ("Greene County, Ohio") may be left out, "Jr." may not. At
the start of a sentence the qualifier may follow "in" ("Mill Creek in Ohio is …"). A label that only denies, bounds or
counts another name or a kind ("not Ann Marlow", "nobody", "all people") names nothing: a sentence with it would say
something else.

Two short forms are found where nothing else is: the family name of a person ("Kant"), and "the" with a name whose last
word only says what the thing is ("the Danube" for "Danube River").
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.extract.words import forms, is_closed
from imprimatur.language import closed_class, wordnet
from imprimatur.language.tokens import Token, tokenise
from imprimatur.protocols import Found, Word

__all__ = ["NameIndex", "folded", "literal_names"]

_MAX_TOKENS = 40
_MAX_LENGTH = 400
_QUALIFIER = expression(r"^(.{2,}?)\s*\(([^()]{1,120})\)$")
#: Labels whose tokens are their words and marks, and those.
_PLAIN = expression(r"[A-Za-z ,()]+\Z")
_PLAIN_TOKEN = expression(r"[a-z]+|[,()]")
_LITERAL_LIMIT = 120
_NUMERAL = expression(r"[IVX]+\Z|[JS]r\.?\Z|\d")
#: What tells a son from his father, and may not be left out as a place may.
_GENERATION = expression(r"(?:[JS]r\.?|[IVX]+)\Z")
_WITHIN = frozenset("- – & ' ’ \" “".split())
_DENYING = (closed_class.words("negator") | closed_class.words("hedge") | {"only", "supposed", "alleged"}) - {"no"}
_COUNTING = frozenset("no all every each any some several many most few both either neither half".split())
_NOBODY = frozenset("nobody nothing nowhere none everybody everyone everything".split())
_DOTTED = frozenset("st mt ft jr sr dr no ste pt mts".split())


def folded(text: str) -> str:
    """The text without accents, in lower case."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def _words(label: str) -> list[str]:
    """The tokens of a label as they are compared."""
    if _PLAIN.match(label):
        return _PLAIN_TOKEN.findall(label.lower())
    words = [t.lower for t in _undotted(tokenise(label))]
    # "Jr." may end a name and a sentence, of which the stop is then both.
    return words[:-1] if len(words) > 2 and words[-1] == "." and words[-2] in _DOTTED else words


def _is_place(rest: str) -> bool:
    """Whether what follows a comma in a label may be a place: no generation, and no words that go on."""
    return not rest[:1].islower() and not _GENERATION.match(rest)


@dataclass(slots=True)
class NameIndex:
    """All names by their tokens: what bears them, whether they need a capital, how long names from a word may be."""

    names: dict[str, list[str]] = field(default_factory=dict)
    lower: set[str] = field(default_factory=set)
    longest: dict[str, int] = field(default_factory=dict)
    accents: dict[str, str] = field(default_factory=dict)
    short: dict[str, list[str]] = field(default_factory=dict)
    situated: dict[str, list[str]] = field(default_factory=dict)

    def add(self, label: str, iri: str | None) -> None:
        """Add a name of an entity (all of its names one after another), or with ``iri`` None the text of a literal."""
        if not label.strip() or len(label) > _MAX_LENGTH:
            return
        self._add(label, iri)
        if iri is None:
            return
        match = _QUALIFIER.match(label) if "(" in label else None
        if match:
            self._add(match.group(1), iri)
            self._situate(match.group(1), match.group(2), iri)
        elif label.count(", ") == 1 and _is_place(label.partition(", ")[2]):
            self._add(label.partition(", ")[0], iri)

    def _situate(self, name: str, qualifier: str, iri: str) -> None:
        """Add "Mill Creek in Ohio" for "Mill Creek (Ohio)"."""
        if all(word[:1].isupper() for word in qualifier.split()):
            words = [*_words(name), "in", *_words(qualifier)]
            self.situated.setdefault(" ".join(words), []).append(iri)
            self._reach(words[0], len(words))

    def _add(self, label: str, iri: str | None) -> None:
        words = _words(label)
        if len(words) > _MAX_TOKENS or not any(w[:1].isalnum() and not is_closed(w) for w in words):
            return
        key = " ".join(words)
        if not label[:1].isupper():
            self.lower.add(key)
        known = self.names.get(key)
        if known is None:
            known = self.names[key] = []
            self._reach(words[0], len(words))
            plain = key if key.isascii() else folded(key)
            if plain != key:
                self.accents[plain] = key
                self._reach(folded(words[0]), len(words))
        if iri is not None and iri not in known[-1:]:
            known.append(iri)

    def shorten(self, label: str, iri: str, kinds: frozenset[str], *, person: bool) -> None:
        """Add the short form of a name: ``kinds`` are the nouns that say what the thing is."""
        match = _QUALIFIER.match(label) if "(" in label else None
        words = (match.group(1) if match else label.partition(", ")[0]).split()
        if len(words) < 2 or not (words[0][:1].isupper() and words[-1][:1].isupper()):
            return
        last = words[-1].lower()
        if person:
            key = "" if _NUMERAL.match(words[-1]) or "of" in words else last
        else:
            key = " ".join(["the", *_words(" ".join(words[:-1]))]) if (forms(last).noun or last) in kinds else ""
        for form in (key, _initialled(words) if person and key else ""):
            if len(form) > 2 and iri not in (known := self.short.setdefault(folded(form), [])):
                known.append(iri)

    def drop_turned(self, kinds: Collection[str]) -> None:
        """Takes out what names nothing though a thing is called so; ``kinds`` are nouns of classes."""
        for key in [key for key in self.names if self._turned(key.split(" "), kinds)]:
            del self.names[key]
            self.lower.discard(key)

    def _turned(self, words: list[str], kinds: Collection[str]) -> bool:
        first, last = words[0], words[-1]
        if len(words) == 1:
            return first in _NOBODY
        if first in _DENYING and self.names.get(" ".join(words[1:])):
            return True
        if last in _DENYING and self.names.get(" ".join(words[:-1])):
            return True
        if words[-2:] == ["no", "longer"] and self.names.get(" ".join(words[:-2])):
            return True
        if first in _COUNTING:
            rest = [word for word in words[1:] if word not in ("of", "the")]
            return len(rest) == 1 and (rest[0] in kinds or (forms(rest[0]).noun or "") in kinds)
        if "or" in words[1:-1]:
            cut = words.index("or", 1)
            return bool(self.names.get(" ".join(words[:cut])) and self.names.get(" ".join(words[cut + 1 :])))
        return False

    def _reach(self, first: str, length: int) -> None:
        self.longest[first] = max(self.longest.get(first, 0), length)

    def candidates(self, name: str) -> tuple[str, ...]:
        """The entities that bear a name."""
        key = " ".join(_words(name))
        return tuple(self.names.get(key) or self.names.get(self.accents.get(key, ""), []))

    def knows(self, text: str) -> bool:
        """Whether the text is a name of an entity or the text of a literal."""
        key = " ".join(_words(text))
        return key in self.names or key in self.accents

    def find(self, tokens: Sequence[Word]) -> list[Found]:
        """Known names among the tokens, in order, not overlapping, the longest first."""
        places = [k for k, token in enumerate(tokens) if token.text != "." or not _dot(tokens, k)]
        plain = [tokens[k] for k in places]
        lowers = [token.lower for token in plain]
        out: list[Found] = []
        i, n = 0, len(plain)
        while i < n:
            found = self._at(plain, lowers, i)
            if found is None:
                i += 1
            else:
                stop = places[found.stop - 1] + 1
                stop += stop < len(tokens) and tokens[stop].text == "." and _dot(tokens, stop)
                out.append(Found(places[found.first], stop, found.candidates))
                i = found.stop
        return self._with_short(tokens, out) if self.short else out

    def _with_short(self, tokens: Sequence[Word], found: list[Found]) -> list[Found]:
        """The names found, and short forms where none is ("the Ohio" may be the river besides the state)."""
        at = {f.first: f for f in found}
        taken = {k for f in found for k in range(f.first, f.stop)}
        out = {f.first: f for f in found}
        for k, token in enumerate(tokens):
            start = k + 1 if token.lower == "the" else k
            if start == len(tokens) or not tokens[start].text[:1].isupper():
                continue
            stop = _run(tokens, start)
            if _beside(tokens, k, stop):
                continue
            name = " ".join(t.lower for t in tokens[start:stop] if t.text != ".")
            short = self.short.get(folded(f"the {name}" if start > k else name), ())
            known = at.get(start)
            if short and known is not None and known.stop == stop and start > k:
                out[start] = Found(start, stop, tuple(dict.fromkeys((*known.candidates, *short))))
            elif (
                short and not taken & set(range(start, stop)) and (start > k or stop > k + 1 or not _common(tokens, k))
            ):
                out[start] = Found(start, stop, tuple(short))
        return [out[k] for k in sorted(out)]

    def _at(self, tokens: Sequence[Word], lowers: Sequence[str], i: int) -> Found | None:
        longest = self.longest.get(lowers[i], 0)
        for length in range(min(longest, len(lowers) - i), 0, -1):
            key = " ".join(lowers[i : i + length])
            if key in self.situated and _first(tokens, i) and tokens[i].text[:1].isupper():
                return Found(i, i + length, tuple(self.situated[key]))
            if key not in self.names:
                key = self.accents.get(key, "")
                if not key:
                    continue
            if key not in self.lower and not tokens[i].text[:1].isupper() and tokens[i].text[:1].isalpha():
                continue
            return Found(i, i + length, tuple(self.names[key]))
        return None

    def to_json(self) -> dict[str, Any]:
        """The index as JSON-ready values."""
        names = {"names": self.names, "lower": sorted(self.lower), "longest": self.longest}
        return {**names, "accents": self.accents, "short": self.short, "situated": self.situated}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> NameIndex:
        """The index that ``to_json`` gave."""
        parts = (stored[name] for name in ("longest", "accents", "short", "situated"))
        return cls(stored["names"], set(stored["lower"]), *parts)


def _first(tokens: Sequence[Word], i: int) -> bool:
    """Whether a name opens its sentence: there "in" and a place belong to it, and to no verb."""
    return i == 0 or (i == 1 and tokens[0].lower == "the")


def _initialled(words: Sequence[str]) -> str:
    """ "C. I. Lewis" for "Clarence Irving Lewis", as it is looked up."""
    first = [w[:1].lower() for w in words[:-1]]
    return " ".join([*first, words[-1].lower()]) if all(w[:1].isupper() for w in words) else ""


def _run(tokens: Sequence[Word], start: int) -> int:
    """Where a run of capitalised words ends, the stops of initials included."""
    stop = start
    while stop < len(tokens) and tokens[stop].text[:1].isupper():
        stop += 1
        if len(tokens[stop - 1].text) == 1 and stop + 1 < len(tokens) and tokens[stop].text == ".":
            stop += tokens[stop + 1].text[:1].isupper()
    return stop


def _beside(tokens: Sequence[Word], start: int, stop: int) -> bool:
    """Whether a run of words is part of a longer name: a word with a capital or a hyphen on either side of it."""
    before = tokens[start - 1].text if start else ""
    after = tokens[stop].text if stop < len(tokens) else ""
    return before in _WITHIN or after in _WITHIN or before[:1].isupper()


def _common(tokens: Sequence[Word], k: int) -> bool:
    """Whether the capital of a word may only be that of a sentence: it is a common word too."""
    word = forms(tokens[k].lower)
    opening = k == 0 or not tokens[k - 1].text[:1].isalnum()
    other = word.closed or word.adv or word.verb or (word.adj and word.adj != word.noun)
    return opening and bool(other or wordnet.noun_kind(tokens[k].lower) not in ("noun.person", None))


def _dot(tokens: Sequence[Word], k: int) -> bool:
    """Whether token ``k`` is the stop of an abbreviation within a name ("St. Johns"): names are compared without it."""
    return tokens[k].text == "." and k > 0 and tokens[k - 1].lower in _DOTTED and k + 1 < len(tokens)


def _undotted(tokens: Sequence[Token]) -> list[Token]:
    return [t for k, t in enumerate(tokens) if not _dot(tokens, k)]


def literal_names(texts: Iterable[str]) -> Iterable[str]:
    """The literal texts that are worth finding as names: short, and not numbers."""
    return (t for t in texts if 1 < len(t) <= _LITERAL_LIMIT and any(c.isalpha() for c in t))
