"""The short form of an ontology, in YAML or JSON: ``classes``, ``relations`` and ``attributes`` by name.

::

    base: https://example.org/          # where names without an IRI live
    closed: true                        # the default
    classes:
      Person: {labels: [human], description: A human being, disjoint: [Organization]}
      Organization:
      University: {is_a: [Organization]}
    relations:
      works_at: {patterns: [[Person, Organization]], functional: false}
    attributes:
      height: {of: [Person], type: decimal, unit: cm, functional: true}

A relation without patterns, and an attribute without ``of``, may be used of anything; ``"*"`` is any thing. Every
class in a pattern must be declared, so that a slip of the pen is an error and no new class.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imprimatur.errors import InputError, nearest
from imprimatur.ingest.ontology import ANY_THING, ANY_VALUE, Pattern, is_datatype
from imprimatur.ingest.ontology_draft import BASE, Draft, datatypes_of, slug
from imprimatur.language import units
from imprimatur.settings_file import Section
from imprimatur.sources.graph.terms import NUMERIC_TYPES, RdfLiteral

__all__ = ["read_short_form"]

_ANY = "*"
_MOST = 10_000


def read_short_form(values: Mapping[str, Any], draft: Draft, *, where: str, base: str = "") -> None:
    """Adds what a mapping in the short form says.

    Args:
        where: the file, for messages.
        base: goes before the file's own ``base``.

    Raises:
        InputError: a key, a type or a name is not one; names the place and the nearest known one.
    """
    section = Section(values, where, InputError)
    section.take("version")
    own = section.text("base") or BASE
    draft.closed = section.flag("closed", True if draft.closed is None else draft.closed)
    reader = _Reader(draft, base or own)
    parts = {name: section.section(name) for name in ("classes", "relations", "attributes")}
    section.close()
    if not any(part.values for part in parts.values()):
        raise InputError(
            "no class, relation or attribute is in it", where=where, hint="add `classes:` and `relations:`"
        )
    reader.classes(parts["classes"])
    for name, part in parts.items():
        if name != "classes":
            reader.properties(part, values=name == "attributes")


class _Reader:
    """Reads one file."""

    def __init__(self, draft: Draft, base: str) -> None:
        self._draft = draft
        self._base = base
        self._classes: dict[str, str] = {}
        self._properties: dict[str, str] = {}

    def _iri(self, name: str, entry: Section) -> str:
        iri = entry.text("iri") or self._base + slug(name)
        if ":" not in iri or any(c.isspace() or c in '<>"{}|^`\\' for c in iri):
            raise entry.fault("iri", f"{iri[:60]!r} is no IRI", hint="write it in full, as https://example.org/Person")
        return iri

    def classes(self, part: Section) -> None:
        """Reads ``classes``."""
        entries = {name: part.section(name) for name in _names(part)}
        self._classes = {name: self._iri(name, entry) for name, entry in entries.items()}
        for name, entry in entries.items():
            self._draft.add_class(
                self._classes[name],
                labels=(name, *entry.texts("labels")),
                description=entry.text("description") or "",
                above=[self._class(entry, "is_a", each) for each in entry.texts("is_a")],
                disjoint=[self._class(entry, "disjoint", each) for each in entry.texts("disjoint")],
            )
            entry.close()

    def _class(self, entry: Section, key: str, name: str) -> str:
        if name == _ANY:
            return ANY_THING
        if name not in self._classes:
            near = nearest(name, self._classes)
            hint = f"did you mean {near!r}?" if near else "declare it under `classes:`"
            raise entry.fault(key, f"no class is called {name[:60]!r}", hint=hint)
        return self._classes[name]

    def properties(self, part: Section, *, values: bool) -> None:
        """Reads ``relations``, or ``attributes`` where ``values``."""
        for name in _names(part):
            entry = part.section(name)
            iri = self._iri(name, entry)
            if iri in self._classes.values() or iri in self._properties:
                other = self._properties.get(iri, "a class")
                raise part.fault(name, f"has the same IRI as {other}", hint="give one of them an `iri`")
            self._properties[iri] = name
            labels = (name.lower() if name.isupper() else name, *entry.texts("labels"))
            target = ANY_VALUE if values else ANY_THING
            description = entry.text("description") or ""
            self._draft.add_words(iri, labels=labels, description=description, target=target)
            (self._attribute if values else self._relation)(iri, entry)
            entry.close()

    def _relation(self, iri: str, entry: Section) -> None:
        patterns = entry.take("patterns")
        patterns = [] if patterns is None else patterns
        pairs = patterns if isinstance(patterns, list) else [patterns]
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(end, str) for end in pair):
                raise entry.fault("patterns", "expected pairs of classes", hint="write [[Person, Organization]]")
        made = [Pattern(*(self._class(entry, "patterns", end) for end in pair)) for pair in pairs]
        once = [ANY_THING] if entry.flag("functional", False) else []
        self._draft.add_use(iri, made, single=once, written=True)

    def _attribute(self, iri: str, entry: Section) -> None:
        kind = entry.text("type", "value") or ""
        datatypes = (kind,) if is_datatype(kind) else datatypes_of(kind)
        if not datatypes:
            hint = "such as string, integer, decimal, boolean, date, year, or the IRI of a datatype"
            raise entry.fault("type", f"{kind[:60]!r} is no kind of value", hint=hint)
        unit = self._unit(entry)
        if unit and not set(datatypes) & NUMERIC_TYPES:
            raise entry.fault("unit", "only numbers have a unit", hint="write `type: decimal`")
        sources = [self._class(entry, "of", each) for each in entry.texts("of")] or [ANY_THING]
        once = [ANY_THING] if entry.flag("functional", False) else []
        listed = [RdfLiteral(each, datatypes[0]) for each in entry.texts("values")]
        patterns = [Pattern(source, datatype) for source in sources for datatype in datatypes]
        self._draft.add_use(iri, patterns, single=once, unit=unit, allowed=listed or None)

    def _unit(self, entry: Section) -> str:
        written = entry.text("unit")
        if not written:
            return ""
        if units.by_iri(written) is not None:
            return written
        unit = units.parse(written)
        name = units.name_of(unit) if unit is not None else None
        if unit is None:
            raise entry.fault("unit", f"{written[:40]!r} is no known unit", hint="write a symbol such as km, or an IRI")
        if name is None:
            return units.WRITTEN + slug(written)
        vocabulary = "currency/" + name[4:] if name.startswith("cur:") else "unit/" + name
        return "http://qudt.org/vocab/" + vocabulary


def _names(part: Section) -> list[str]:
    names = list(part.values)
    for name in names:
        if not isinstance(name, str) or not name.strip() or len(name) > 200:
            raise part.fault(str(name)[:60], "a name must be text of 1 to 200 characters", hint="put it in quotes")
    if len(names) > _MOST:
        raise part.fault("", f"more than {_MOST} names", hint="is this the right file?")
    return names
