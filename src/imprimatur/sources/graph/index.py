"""The compiled form of a graph: integer-coded terms and triples in sorted arrays.

Every term has an identifier (its rank of appearance), every triple stands in three orders: by subject (``s_``), by
object (``o_``) and by predicate (``p_``). ``s_start[i]:s_start[i+1]`` is the stretch of the subject-ordered columns
that belongs to subject ``i``, and likewise for objects and predicates. Arrays are never changed after ``build``.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from imprimatur.sources.graph.terms import RDF, XSD

__all__ = ["BLANK", "IRI", "LITERAL", "TRIPLE", "Index", "IndexBuilder"]

#: Kinds of terms.
IRI, BLANK, LITERAL, TRIPLE = 0, 1, 2, 3

_SHIFT = 32
_MASK = (1 << _SHIFT) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Terms and triples of a graph.

    Attributes:
        texts: per term the IRI, the blank node's label, the lexical form, or "s p o" (identifiers) of a triple term.
        kinds: per term ``IRI``, ``BLANK``, ``LITERAL`` or ``TRIPLE``.
        tags: per literal the identifier of its datatype, or ``-1 - k`` for language ``langs[k]``; otherwise 0.
        origins: per triple in subject order, the rank of its origin.
    """

    texts: list[str]
    kinds: bytes
    tags: array[int]
    langs: tuple[str, ...]
    s_start: array[int]
    s_predicate: array[int]
    s_object: array[int]
    o_start: array[int]
    o_predicate: array[int]
    o_subject: array[int]
    p_start: array[int]
    p_position: array[int]
    origins: array[int]


def _starts(ids: Iterable[int], count: int) -> array[int]:
    """Where each identifier's stretch begins in a column sorted by it; one more entry marks the end."""
    sizes = [0] * (count + 1)
    for number in ids:
        sizes[number + 1] += 1
    return array("I", accumulate(sizes))


@dataclass(slots=True)
class IndexBuilder:
    """Collects terms and triples, then builds the ``Index``."""

    texts: list[str] = field(default_factory=list)
    kinds: bytearray = field(default_factory=bytearray)
    tags: array[int] = field(default_factory=lambda: array("i"))
    langs: dict[str, int] = field(default_factory=dict)
    triples: dict[int, int] = field(default_factory=dict)
    _iris: dict[str, int] = field(default_factory=dict)

    def _append(self, kind: int, text: str, tag: int) -> int:
        self.texts.append(text)
        self.kinds.append(kind)
        self.tags.append(tag)
        return len(self.texts) - 1

    def iri(self, iri: str) -> int:
        """The identifier of an IRI."""
        found = self._iris.get(iri)
        if found is None:
            found = self._iris[iri] = self._append(IRI, iri, 0)
        return found

    def blank(self) -> int:
        """A fresh blank node, labelled ``_:b0``, ``_:b1``, … in the order of appearance."""
        return self._append(BLANK, "", 0)

    def literal(self, lexical: str, datatype: str, lang: str) -> int:
        """A fresh literal. The caller keeps literals apart (one identifier for one literal)."""
        if lang:
            return self._append(LITERAL, lexical, -1 - self.langs.setdefault(lang, len(self.langs)))
        return self._append(LITERAL, lexical, self.iri(datatype))

    def triple_term(self, subject: int, predicate: int, object_: int) -> int:
        """A fresh RDF 1.2 triple term."""
        return self._append(TRIPLE, f"{subject} {predicate} {object_}", 0)

    def add(self, subject: int, predicate: int, object_: int, *, origin: int) -> None:
        """Adds a triple; of several origins the lowest rank stays, so pass origins ranked by trust."""
        key = (subject << 2 * _SHIFT) | (predicate << _SHIFT) | object_
        known = self.triples.setdefault(key, origin)
        if origin < known:
            self.triples[key] = origin

    def build(self) -> Index:
        """The index of everything added."""
        self.iri(RDF + "langString")
        self.iri(XSD + "string")
        count = len(self.texts)
        blanks = 0
        for number, kind in enumerate(self.kinds):
            if kind == BLANK:
                self.texts[number] = f"_:b{blanks}"
                blanks += 1
        keys = sorted(self.triples)
        subjects = array("I", [key >> 2 * _SHIFT for key in keys])
        predicates = array("I", [(key >> _SHIFT) & _MASK for key in keys])
        objects = array("I", [key & _MASK for key in keys])
        turned = sorted(((key & _MASK) << 2 * _SHIFT) | (key & (_MASK << _SHIFT)) | (key >> 2 * _SHIFT) for key in keys)
        return Index(
            texts=self.texts,
            kinds=bytes(self.kinds),
            tags=self.tags,
            langs=tuple(self.langs),
            s_start=_starts(subjects, count),
            s_predicate=predicates,
            s_object=objects,
            o_start=_starts(objects, count),
            o_predicate=array("I", [(key >> _SHIFT) & _MASK for key in turned]),
            o_subject=array("I", [key & _MASK for key in turned]),
            p_start=_starts(predicates, count),
            p_position=array("I", sorted(range(len(keys)), key=predicates.__getitem__)),
            origins=array("H", [self.triples[key] for key in keys]),
        )
