"""The words of a graph, made once and kept: names, wording keys of properties, nouns of classes.

``build`` derives them from labels (see ``names`` and ``wordings``); ``kept`` gives them from the cache when graph,
settings and the code that derives them are the same. A damaged cache file is made anew, never an error.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.extract.frames import marked, relations
from imprimatur.extract.scales import SCALES, scale_key
from imprimatur.extract.told import ANY, CLOCKS
from imprimatur.extract.wording import WordingKey
from imprimatur.extract.words import forms
from imprimatur.language import units, wordnet
from imprimatur.language.tokens import tokenise
from imprimatur.protocols import Entry
from imprimatur.sources.graph.flag_wordings import clock_wordings, flag_wordings
from imprimatur.sources.graph.kept import read_kept, write_kept
from imprimatur.sources.graph.names import NameIndex, literal_names
from imprimatur.sources.graph.own_words import PERSONS
from imprimatur.sources.graph.quality_wordings import is_quality, word_wordings
from imprimatur.sources.graph.schema import PropertyInfo, Schema
from imprimatur.sources.graph.statements import StatementLink
from imprimatur.sources.graph.store import Graph
from imprimatur.sources.graph.terms import CLOCK, UNNAMED
from imprimatur.sources.graph.wordings import wordings

__all__ = ["MUTUAL", "Vocabulary", "build", "class_head", "class_noun", "kept", "period_of", "value_kind"]

#: The trait of a property that holds both ways whenever it holds.
MUTUAL = "mutual"
_NUMERIC = frozenset("decimal integer int long double float nonNegativeInteger positiveInteger short byte".split())
_READING = (
    "words",
    "nouns",
    "phrases",
    "verbs",
    "predicates",
    "participles",
    "openings",
    "grammar",
    "sentences",
    "chains",
    "unfold",
    "defined",
    "detached",
    "enumerated",
    "keyed",
    "verb_keys",
    "keys",
    "wording",
    "frames",
    "scales",
    "syntax",
    "told",
)
_WORDING = (
    "wordings",
    "own_words",
    "measured_wordings",
    "share_wordings",
    "synonyms",
    "two_ways",
    "flag_wordings",
    "quality_wordings",
)
_LOOKED_AT = 100_000
_DATED = frozenset("gYear gYearMonth date dateTime".split())
#: A former, alleged or deputy mayor is no mayor; a new, honorary or famous one is.
_UNDOING = frozenset(
    "non not no never ex former erstwhile onetime past future planned proposed intended expected prospective "
    "potential possible probable candidate aspiring cancelled canceled failed attempted alleged supposed presumed "
    "purported suspected reputed putative disputed fake false sham bogus mock pseudo quasi semi half anti "
    "fictional fictitious fictive imaginary mythical hypothetical vice deputy acting substitute so-called "
    "would-be".split()
)


@dataclass(slots=True)
class Vocabulary:
    """Names, the properties that a key may mean, and the classes that a noun may name (whole, and by its head)."""

    names: NameIndex = field(default_factory=NameIndex)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    classes: dict[str, list[str]] = field(default_factory=dict)
    heads: dict[str, list[str]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The vocabulary as JSON-ready values."""
        numbers: dict[Entry, int] = {}
        entries = {k: [numbers.setdefault(e, len(numbers)) for e in v] for k, v in self.entries.items()}
        senses = [[e.iri, e.subject, e.value, e.tier, list(e.inverses), e.turned, list(e.traits)] for e in numbers]
        words = {"senses": senses, "entries": entries, "classes": self.classes, "heads": self.heads}
        return {"names": self.names.to_json(), **words}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Vocabulary:
        """The vocabulary that ``to_json`` gave."""
        senses = [
            Entry(iri, subject, value, tier, tuple(inverses), turned, traits=tuple(traits))
            for iri, subject, value, tier, inverses, turned, traits in stored["senses"]
        ]
        entries = {k: [senses[number] for number in v] for k, v in stored["entries"].items()}
        return cls(NameIndex.from_json(stored["names"]), entries, stored["classes"], stored["heads"])


def value_kind(info: PropertyInfo) -> str:
    """What a property's values are: ``entity``, ``quantity``, ``date``, ``flag``, ``clock``, ``text`` or ``any``."""
    if info.is_object:
        return "entity"
    local = (info.datatype or "").rpartition("#")[2]
    if local == "boolean":
        return "flag"
    if info.datatype == CLOCK:
        return "clock"
    if local in _DATED or (local in _NUMERIC and period_of(info)):
        return "date"
    if local in _NUMERIC or info.unit_iri:
        return "quantity"
    return "text" if info.is_object is False or local in ("string", "langString") else "any"


def period_of(info: PropertyInfo) -> str:
    """ "year", "decade" or "century" when the property's main label says that its numbers are such, else ""."""
    for label in info.labels[:1]:
        words = label.lower().split()
        for word in ("decade", "century", "year"):
            if words and (words[0] == word or words[-1] == word):
                return word
    return ""


def class_noun(label: str) -> str:
    """The noun chain of a class label, head first: "U.S. state" gives ``state<u.s.``; empty when there is none."""
    words = [w for w in label.lower().split() if "det" not in forms(w).closed or w in _UNDOING]
    if not words:
        return ""
    if "of" in words[1:-1]:
        cut = words.index("of")
        words = [*words[cut + 1 :], *words[:cut]]
    head = forms(words[-1]).noun or words[-1]
    return "<".join([head, *reversed(words[:-1])])


def class_head(label: str) -> str:
    """The noun that whatever is of a class is, too: "state" of "U.S. state"; empty where the label undoes it."""
    words = {token.lower for token in tokenise(label)} | set(label.lower().split())
    return "" if words & _UNDOING else class_noun(label).partition("<")[0]


def build(graph: Graph, schema: Schema) -> Vocabulary:
    """The vocabulary of a graph, made from its labels."""
    out = Vocabulary()
    _add_names(out.names, graph, schema)
    silent = _machinery(schema)
    for info in schema.properties.values():
        if graph.id(info.iri) not in silent:
            _add_property(out, info, schema)
            _add_quality(out, info, graph)
    for iri, links in schema.statements.events.items():
        _add_office(out, schema, iri, links)
    for cls in (c for c in schema.classes.values() if c.iri not in schema.statements.events):
        labels = (*cls.labels, *cls.alt_labels)
        for head in dict.fromkeys(filter(None, map(class_head, labels))):
            out.heads.setdefault(head, []).append(cls.iri)
        for noun in dict.fromkeys(filter(None, map(class_noun, labels))):
            out.classes.setdefault(noun, []).append(cls.iri)
    out.names.drop_turned({*out.heads, *PERSONS})
    return out


def _machinery(schema: Schema) -> frozenset[int]:
    """Properties that only hold statement nodes together: links to them, and their times."""
    links = {link.link for found in schema.statement_links.values() for link in found if not link.event}
    return frozenset(links | set(schema.statements.times.all())) if links else frozenset()


def _add_names(names: NameIndex, graph: Graph, schema: Schema) -> None:
    own = {*schema.properties, *schema.classes}
    of_types: dict[frozenset[str], tuple[frozenset[str], bool]] = {}  # many things have the same classes
    for subject in graph.subjects_all():
        if graph.is_iri(subject) and (iri := graph.iri(subject)) not in own and not iri.startswith(UNNAMED):
            types = schema.types(subject)
            if types not in of_types:
                nouns = _kinds(schema, types)
                of_types[types] = nouns, any(map(is_person_noun, nouns))
            kinds, person = of_types[types]
            for label in graph.labels(subject):
                names.add(label, iri)
                if kinds:
                    names.shorten(label, iri, kinds, person=person)
    for info in schema.properties.values():
        number = graph.id(info.iri)
        if number is None or value_kind(info) not in ("text", "any"):
            continue
        texts = (graph.literal(o) for _, o in graph.pairs(number) if graph.is_literal(o))
        for text in literal_names(t.lexical for t in texts):
            names.add(text, None)


def _kinds(schema: Schema, types: frozenset[str]) -> frozenset[str]:
    """The nouns that name some classes, by their heads."""
    found = (schema.class_(iri) for iri in types)
    labels = (label for cls in found if cls is not None for label in (*cls.labels, *cls.alt_labels))
    return frozenset(class_noun(label).partition("<")[0] for label in labels) - {""}


@cache
def is_person_noun(noun: str) -> bool:
    """Whether a class noun is said of persons."""
    return noun in PERSONS or wordnet.noun_kind(noun) == "noun.person"


def _add_property(out: Vocabulary, info: PropertyInfo, schema: Schema) -> None:
    kind = value_kind(info)
    if kind in ("flag", "clock"):
        _add_told(out, info, kind)
        return
    best = units.scale_of(units.by_iri(info.unit_iri)) if info.unit_iri else None
    for mark in (SCALES, scale_key(best)) if best is not None else ():
        out.entries.setdefault(mark, []).append(Entry(info.iri, 0, kind, 0))
    ends = (*info.inverses, *((info.iri,) if info.symmetric else ()))
    found = wordings(info, schema)
    marks = {t for frame, keys in marked() if keys <= found.keys() for t in frame.traits}
    if kind == "entity" and _without_direction(found, schema):
        marks.add(MUTUAL)
    traits, able = tuple(sorted(marks)), tuple(sorted({*marks, "able"}))
    for key, tier in found.items():
        if (
            info.event
            and not key.key.startswith("=")
            and any(x.endswith(" by") for x in (*info.labels, *info.alt_labels))
        ):
            continue  # "held by" is said of the event, not of its other end
        entry = Entry(info.iri, key.subject, kind, tier, ends, key.turned, traits=able if key.able else traits)
        out.entries.setdefault(key.key, []).append(entry)


def _without_direction(found: Mapping[WordingKey, int], schema: Schema) -> bool:
    """Whether a property's own words say something that has no direction ("spouse"), whatever the ontology declares."""
    own = {key for key, tier in found.items() if tier == 0}
    return any(frame.symmetric and not frame.head_keys().isdisjoint(own) for frame in relations(schema.language))


def _add_told(out: Vocabulary, info: PropertyInfo, kind: str) -> None:
    """A property that is yes or no, or a time of day: it is spoken of by clauses that name one thing."""
    labels = (*info.labels, *info.alt_labels)
    entry_of = {tier: Entry(info.iri, 0, kind, tier) for tier in (0, 1)}
    for key, tier in (flag_wordings(labels) if kind == "flag" else clock_wordings(labels)).items():
        out.entries.setdefault(key, []).append(entry_of[tier])
        for mark in (ANY, CLOCKS) if kind == "clock" else (ANY,):
            if entry_of[tier] not in (every := out.entries.setdefault(mark, [])):
                every.append(entry_of[tier])


def _add_quality(out: Vocabulary, info: PropertyInfo, graph: Graph) -> None:
    """A property whose words are said of the thing itself: "S is red"."""
    number = graph.id(info.iri)
    if number is None or value_kind(info) not in ("text", "any") or not is_quality((*info.labels, *info.alt_labels)):
        return
    texts = (graph.literal(o).lexical for _, o in islice(graph.pairs(number), _LOOKED_AT) if graph.is_literal(o))
    for key, value in word_wordings(texts):
        entry = Entry(info.iri, 0, "word", 1, traits=(value,))
        out.entries.setdefault(key, []).append(entry)
        out.entries.setdefault(ANY, []).append(Entry(info.iri, 0, "word", 1))


def _add_office(out: Vocabulary, schema: Schema, iri: str, links: tuple[StatementLink, ...]) -> None:
    """An event class that is called after a kind of person ("mayor"): the person is the mayor of the other end."""
    cls = schema.class_(iri)
    labels = (*cls.labels, *cls.alt_labels) if cls is not None else ()
    nouns = [n for label in labels if wordnet.noun_kind((n := class_noun(label)).partition("<")[0]) == "noun.person"]
    persons = [link for link in links if _of_persons(schema, link.property)]
    if len(persons) == 1:
        for noun in nouns:
            out.entries.setdefault(f"={noun}<*", []).append(Entry(persons[0].property, 0, "entity", 0))


def _of_persons(schema: Schema, iri: str) -> bool:
    """Whether the values of a property are persons, by the names of its range."""
    info = schema.property(iri)
    found = [cls for c in (info.ranges if info is not None else ()) if (cls := schema.class_(c)) is not None]
    heads = {class_noun(label).partition("<")[0] for cls in found for label in cls.labels}
    return any(head in PERSONS or wordnet.noun_kind(head) == "noun.person" for head in heads)


def with_label(words: Vocabulary, schema: Schema, iri: str, label: str) -> Vocabulary:
    """The vocabulary with one more label of a property."""
    info = schema.properties[iri]
    more = Vocabulary()
    _add_property(more, replace(info, alt_labels=(*info.alt_labels, schema.spoken(label))), schema)
    entries = dict(words.entries)
    for key, found in more.entries.items():
        known = entries.get(key, [])
        entries[key] = [*known, *(each for each in found if each not in known)]
    return replace(words, entries=entries)


def kept(graph: Graph, schema: Schema, cache_dir: Path | None = None) -> Vocabulary:
    """The vocabulary from the cache, or made and put there."""
    read = [[p.iri, p.ranges, p.is_object, p.datatype, p.functional] for p in schema.properties.values()]
    spoken = [] if schema.language is None else [schema.language.digest]
    settings = json.dumps([sorted(schema.statement_links), graph.years, sorted(read), *spoken])
    key = hashlib.sha256(f"{graph.content_hash}\n{settings}\n{_code()}".encode()).hexdigest()[:32]
    name = f"words-{key}.json"
    try:
        return Vocabulary.from_json(read_kept(name, cache_dir))
    except (ValueError, KeyError, TypeError, IndexError):
        made = build(graph, schema)
        write_kept(name, made.to_json(), cache_dir)
        return made


@cache
def _code() -> str:
    """A hash of the frame lexicon and of the code that derives wordings: another code, other words."""
    root = Path(__file__).parent.parent.parent
    digest = hashlib.sha256()
    parts = [root / "resources" / "frames.txt"]
    parts += [root / "extract" / f"{name}.py" for name in _READING]
    parts += [
        root / "sources" / "graph" / f"{name}.py"
        for name in ("names", *_WORDING, "vocabulary", "schema_read", "statements")
    ]
    parts += [
        root / "language" / f"{name}.py" for name in ("languages", "rendering", "_rendering_rules", "_language_files")
    ]
    for part in parts:
        digest.update(part.read_bytes())
    return digest.hexdigest()
