"""Rows of tables and fields of structured data as facts: what the row is about, under each header that names a
property.

Contract: a header or key counts where the ontology's own words are it, for one property. A value counts where the whole
cell is one name, number, date or text. What a row is about is its first cell, where that is a name under a header that
is no property; what a field is about is the name beside it (``name``, ``title`` or ``label`` of the same object), or
the key above it where that is written like a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.claim import Mention
from imprimatur.extract.items import items_of
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import is_closed
from imprimatur.ingest.around import doubtful, limiting
from imprimatur.ingest.candidate import Refusal, Thing
from imprimatur.ingest.choosing import Fit, Fitting
from imprimatur.ingest.idle_words import origin
from imprimatur.ingest.literals import literal_of
from imprimatur.ingest.name_spans import is_place
from imprimatur.ingest.open_names import OPEN
from imprimatur.ingest.stated import Options, Stated
from imprimatur.language import wordnet
from imprimatur.sources.graph.own_words import own_keys
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.terms import DATE_TYPES, NUMERIC_TYPES, RdfLiteral
from imprimatur.sources.graph.vocabulary import class_noun
from imprimatur.sources.passages.passage import Field, Sentence, SentenceKind
from imprimatur.values import TextValue, Value

__all__ = ["RowReader"]

_NAMING = frozenset(("name", "title", "label"))
_LONGEST_NAME = 12
#: Marks that no name has, and no number or date.
_NO_NAME = "\n;|?*~[]<>"
_NO_VALUE = "?*~[]<>!"


def _common(cell: str) -> bool:
    """Whether a cell of one word is none of a name: "None", "Vacant", "Total"."""
    lower = cell.lower()
    if " " in cell or not cell[1:].islower() or origin(cell):
        return False
    return is_closed(lower) or bool(wordnet.senses(lower, "a")) or wordnet.noun_kind(lower) == "noun.quantity"


class RowReader:
    """Reads rows and fields of one document, whose fields are given in its order."""

    def __init__(self, fitting: Fitting, text: str, options: Options, sentences: Sequence[Sentence]) -> None:
        self._fitting = fitting
        self._lexicon = fitting.lexicon
        self._text = text
        self._options = options
        self._named = self._names(sentences)
        self._siblings: dict[tuple[str, ...], list[Field]] = {}
        for field in (f for s in sentences if s.kind is SentenceKind.FIELD for f in s.fields if f.path):
            self._siblings.setdefault(field.path[:-1], []).append(field)

    def facts(self, sentence: Sentence) -> Iterator[Stated | Refusal]:
        """What a row or field states."""
        if sentence.kind is SentenceKind.ROW:
            subject, rest = self._of_row(sentence.fields)
        else:
            subject, rest = self._of_field(sentence), sentence.fields
        if subject is None:
            return
        beside = self._beside(sentence)
        if beside:
            yield Refusal(code="unread-words", detail=f"{beside[:60]!r} may change what stands beside it")
            return
        for field in rest:
            yield from self._stated(subject, field)

    def _beside(self, sentence: Sentence) -> str:
        """A header or cell of the same thing that is no property and may say when, or how far, the others hold."""
        fields = sentence.fields
        if sentence.kind is SentenceKind.FIELD:
            fields = tuple(f for p in {f.path[:-1] for f in fields} for f in self._siblings.get(p, ()))
        for field in fields:
            header = field.path[-1] if field.path else ""
            cell = self._text[field.start : field.end]
            if doubtful(cell) and not self._named_thing(field, header):
                return cell
            if header.lower() in _NAMING or self._lexicon.classes(class_noun(header)) or self._property(header):
                continue
            if limiting(header):
                return header
        return ""

    def _named_thing(self, field: Field, header: str) -> bool:
        """Whether a cell is a name or value of something, so that its words are its own."""
        known = header.lower() in _NAMING or bool(self._lexicon.classes(class_noun(header)))
        info = self._property(header)
        if info is not None and not info.is_object and (info.datatype in DATE_TYPES or info.datatype in NUMERIC_TYPES):
            return isinstance(self._value(field, info), RdfLiteral)  # "1902", of when it was opened
        return (known or (info is not None and bool(info.is_object))) and self._thing(field) is not None

    def _stated(self, subject: Mention, field: Field) -> Iterator[Stated | Refusal]:
        info = self._property(field.path[-1]) if field.path else None
        if info is None:
            return
        cell = self._text[field.start : field.end]
        value = self._value(field, info)
        if value is None:
            yield Refusal(
                code="unread-value", detail=f"{cell[:60]!r} is not read whole as a value of {info.labels[0]!r}"
            )
            return
        if isinstance(value, Refusal):
            yield value
            return
        about = self._made(subject, info.domains)
        yield Stated(subject=about, property=info.iri, value=value, span=(field.start, field.end))

    def _made(self, thing: Mention, declared: Sequence[str]) -> Thing:
        iri = thing.candidates[0]
        return Thing(
            name=self._lexicon.name_of(iri) or thing.text,
            span=(thing.start, thing.end),
            classes=self._fitting.taken_for(thing, declared),
            iri="" if iri.startswith(OPEN) else iri,
        )

    # -- what it is about ---------------------------------------------------------------------------------------------
    def _of_row(self, fields: Sequence[Field]) -> tuple[Mention | None, Sequence[Field]]:
        """The thing of a row, and the fields that may say something of it."""
        for n, field in enumerate(fields[:1] if not self._keyed(fields) else fields):
            header = field.path[-1] if field.path else ""
            if self._keyed(fields) and header.lower() not in _NAMING:
                continue
            if self._property(header) is None and (thing := self._thing(field)) is not None:
                self._learn(thing, header)
                return thing, [f for k, f in enumerate(fields) if k != n]
        return None, ()

    @staticmethod
    def _keyed(fields: Sequence[Field]) -> bool:
        """Whether one of the headers says that it holds the name."""
        return any(f.path and f.path[-1].lower() in _NAMING for f in fields)

    def _learn(self, thing: Mention, header: str) -> None:
        classes = self._lexicon.classes(class_noun(header))
        if len(classes) == 1:
            self._lexicon.learn(thing.candidates[0], classes)

    def _of_field(self, sentence: Sentence) -> Mention | None:
        path = next((f.path for f in sentence.fields if f.path), ())
        if path[:-1] in self._named or len(path) < 2:
            return self._named.get(path[:-1])
        key, at = path[-2], sentence.text.find(path[-2])
        written = key[:1].isupper() and not self._lexicon.classes(class_noun(key)) and self._property(key) is None
        if at < 0 or not written or len(key.split()) > _LONGEST_NAME:
            return None
        return self._thing(Field(path[:-1], sentence.start + at, sentence.start + at + len(key)))

    def _names(self, sentences: Sequence[Sentence]) -> dict[tuple[str, ...], Mention]:
        """What each object of structured data is about, by the path to it."""
        out: dict[tuple[str, ...], Mention] = {}
        for field in (f for s in sentences if s.kind is SentenceKind.FIELD for f in s.fields if len(f.path) > 0):
            if field.path[-1].lower() in _NAMING and (thing := self._thing(field)) is not None:
                out.setdefault(field.path[:-1], thing)
        return out

    # -- words and values ---------------------------------------------------------------------------------------------
    def _property(self, header: str) -> PropertyInfo | None:
        """The one property that a header names by the ontology's own words."""
        label = " ".join(header.replace("_", " ").split()).lower()
        found = {
            entry.iri
            for key in own_keys(label)
            for entry in self._lexicon.ontology.entries(key.key)
            if entry.tier == 0 and entry.subject == key.subject
        }
        return self._lexicon.ontology.schema.property(next(iter(found))) if len(found) == 1 else None

    def _items(self, field: Field) -> tuple[Item, ...]:
        cell = self._text[field.start : field.end]
        return tuple(i for i in items_of(cell, self._lexicon, offset=field.start) if not i.punct or i.text.isalnum())

    def _thing(self, field: Field) -> Mention | None:
        """The thing that a whole cell names."""
        cell = self._text[field.start : field.end].strip()
        known = self._lexicon.known.candidates(cell)
        if len(known) == 1:
            return Mention(field.start, field.end, cell, known)
        if known or not cell[:1].isupper() or len(cell.split()) > _LONGEST_NAME or any(c in cell for c in _NO_NAME):
            return None
        head, _, rest = cell.partition(",")
        if (rest and not is_place(rest.strip().lower())) or _common(head):
            return None
        items = self._items(field)
        if any(i.quantity is not None or i.date is not None for i in items if i.entity is None):
            return None
        return Mention(field.start, field.end, cell, (self._lexicon.named(cell),))

    def _value(self, field: Field, info: PropertyInfo) -> Thing | RdfLiteral | Refusal | None:
        if info.is_object:
            thing = self._thing(field)
            if thing is None or self._fitting.fits(thing, info.ranges) is Fit.NO:
                return None
            return self._made(thing, info.ranges)
        stated = self._literal(field, info)
        return None if stated is None else literal_of(stated, info, bare=self._options.bare)

    def _literal(self, field: Field, info: PropertyInfo) -> Value | None:
        if any(c in self._text[field.start : field.end] for c in _NO_VALUE):
            return None
        items = self._items(field)
        only = items[0] if len(items) == 1 else None
        numeric = info.datatype in NUMERIC_TYPES
        if only is not None and only.date is not None and not (numeric and only.quantity is not None):
            return only.date if info.datatype in DATE_TYPES or numeric else None
        if only is not None and only.quantity is not None and info.datatype not in DATE_TYPES:
            return only.quantity
        plain = info.datatype is None or info.datatype.endswith(("string", "langString"))
        return TextValue(self._text[field.start : field.end].strip()) if plain else None
