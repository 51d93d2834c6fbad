"""Ontologies in JSON: entities with patterns, concepts with domains and ranges, or the short form.

- ``{"entities": [{label, description, properties}], "relations": [{label, description, patterns}]}``, a pattern being
  ``[source, target]``, as GraphRAG SDK saves its ontologies. Relations with ``source`` and ``target`` in place of
  patterns, and ``attributes`` in place of properties, as its earlier releases have them, are read too.
- ``{"concepts": [{qid, label}], "relations": [{pid, label, domain, range}]}``: a domain or range is the ``qid`` of a
  concept, a kind of value such as ``number``, or "" where it is not told.
- ``{"classes": …, "relations": …, "attributes": …}``: the short form (``ontology_yaml``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from imprimatur.errors import InputError
from imprimatur.ingest.ontology import ANY_THING, ANYTHING, Pattern
from imprimatur.ingest.ontology_draft import BASE, Draft, datatypes_of, slug
from imprimatur.ingest.ontology_yaml import read_short_form

__all__ = ["read_json"]

_MOST = 10_000
#: What GraphRAG SDK fills in by itself: the name of a thing, which is its label here.
_NAME = "name"


def read_json(values: Any, draft: Draft, *, where: str, base: str = "") -> None:
    """Adds what a JSON document says.

    Raises:
        InputError: it has none of the forms, or an entry is not what it should be.
    """
    if not isinstance(values, dict):
        raise InputError("an ontology is a JSON object", where=where, hint='{"entities": […], "relations": […]}')
    if "classes" in values or "attributes" in values:
        read_short_form(values, draft, where=where, base=base)
    elif "entities" in values or ("relations" in values and "concepts" not in values):
        _Entities(draft, where, base or BASE).read(values)
    elif "concepts" in values:
        _Concepts(draft, where, base or BASE).read(values)
    else:
        hint = 'it needs "entities", "concepts" or "classes", and "relations"'
        raise InputError("no form of ontology that is known", where=where, hint=hint)


class _Form:
    """What the forms have in common: names become IRIs, entries are checked."""

    def __init__(self, draft: Draft, where: str, base: str) -> None:
        self.draft, self.where, self.base = draft, where, base

    def class_iri(self, name: str) -> str:
        """The IRI of a class."""
        return f"{self.base}class/{slug(name)}"

    def property_iri(self, name: str) -> str:
        """The IRI of a relation or an attribute."""
        return f"{self.base}relation/{slug(name)}"

    def fault(self, place: str, message: str, hint: str = "") -> InputError:
        """An error at a place of the file."""
        return InputError(f"`{place}`: {message}", where=self.where, hint=hint)

    def entries(self, values: Mapping[str, Any], key: str, place: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The entries of a list, each with its place."""
        listed = values.get(key)
        if listed is None:
            return
        if not isinstance(listed, list) or len(listed) > _MOST:
            raise self.fault(place + key, f"expected a list of at most {_MOST} entries")
        for number, entry in enumerate(listed):
            at = f"{place}{key}[{number}]"
            if not isinstance(entry, dict):
                raise self.fault(at, "expected an object")
            yield at, entry

    def text(self, entry: Mapping[str, Any], key: str, place: str, *, default: str | None = None) -> str:
        """A text of an entry, without spaces around it; ``default`` (None: an error) where there is none."""
        value = entry.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or len(value) > _MOST or (default is None and not value.strip()):
            raise self.fault(f"{place}.{key}", "expected text")
        return value.strip()


class _Entities(_Form):
    """Entities, and relations with patterns."""

    def read(self, values: Mapping[str, Any]) -> None:
        declared: set[str] = set()
        for place, entry in self.entries(values, "entities"):
            label = self.text(entry, "label", place)
            declared.add(label)
            description = self.text(entry, "description", place, default="")
            self.draft.add_class(self.class_iri(label), labels=(label,), description=description)
            self._attributes(label, entry, place)
        for place, entry in self.entries(values, "relations"):
            self._relation(entry, place, declared)
        if not declared:
            self.draft.remark("no entities are declared: the classes are those of the patterns")

    def _attributes(self, label: str, entry: Mapping[str, Any], place: str) -> None:
        for key in ("properties", "attributes"):
            for at, each in self.entries(entry, key, place + "."):
                name = self.text(each, "name", at)
                if name == _NAME:
                    continue
                kind = self.text(each, "type", at, default="STRING")
                datatypes = datatypes_of(kind)
                if not datatypes:
                    raise self.fault(f"{at}.type", f"{kind[:40]!r} is no kind of value", "STRING, INTEGER, FLOAT, …")
                iri = self.property_iri(name)
                description = self.text(each, "description", at, default="")
                self.draft.add_words(iri, labels=(name,), description=description)
                self.draft.add_use(iri, [Pattern(self.class_iri(label), datatype) for datatype in datatypes])

    def _relation(self, entry: Mapping[str, Any], place: str, declared: set[str]) -> None:
        label = self.text(entry, "label", place)
        iri = self.property_iri(label)
        words = label.lower() if label.isupper() else label
        description = self.text(entry, "description", place, default="")
        self.draft.add_words(iri, labels=(words,), description=description, target=ANY_THING)
        pairs = [*self._pairs(entry, place)]
        for name in [end for pair in pairs for end in pair]:
            if declared and name not in declared:
                self.draft.remark(f"{label} names {name}, which is not declared as an entity")
            self.draft.add_class(self.class_iri(name), labels=(name,))
        self.draft.add_use(iri, [Pattern(self.class_iri(source), self.class_iri(target)) for source, target in pairs])
        if entry.get("properties") or entry.get("attributes"):
            self.draft.remark(f"{label}: properties of a relation are not checked")

    def _pairs(self, entry: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
        if "source" in entry or "target" in entry:
            ends = []
            for key in ("source", "target"):
                end = entry.get(key)
                ends.append(self.text(end, "label", f"{place}.{key}") if isinstance(end, dict) else end)
            patterns: Any = [ends]
        else:
            patterns = entry.get("patterns") or []
        if not isinstance(patterns, list):
            raise self.fault(f"{place}.patterns", "expected a list of pairs")
        for pair in patterns:
            if not _is_pair(pair):
                raise self.fault(f"{place}.patterns", "expected pairs of labels", 'write [["Person", "Company"]]')
            yield pair[0].strip(), pair[1].strip()


def _is_pair(pair: object) -> bool:
    return isinstance(pair, Sequence) and len(pair) == 2 and all(isinstance(e, str) and e.strip() for e in pair)


class _Concepts(_Form):
    """Concepts, and relations with a domain and a range."""

    def read(self, values: Mapping[str, Any]) -> None:
        declared: set[str] = set()
        for place, entry in self.entries(values, "concepts"):
            name = self.text(entry, "qid", place)
            declared.add(name)
            labels = (self.text(entry, "label", place),)
            self.draft.add_class(self.class_iri(name), labels=labels)
        for place, entry in self.entries(values, "relations"):
            iri = self.property_iri(self.text(entry, "pid", place))
            source = self.text(entry, "domain", place, default="")
            target = self.text(entry, "range", place, default="")
            self.draft.add_words(iri, labels=(self.text(entry, "label", place),))
            targets = (() if target in declared else datatypes_of(target)) or (self._end(target, ANYTHING),)
            self.draft.add_use(iri, [Pattern(self._end(source, ANY_THING), each) for each in targets])

    def _end(self, name: str, otherwise: str) -> str:
        return self.class_iri(name) if name else otherwise
