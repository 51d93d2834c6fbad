"""What SHACL shapes say that may be said: what a shape's targets may have at its paths.

Read: sh:targetClass, classes that are shapes themselves, sh:targetSubjectsOf and sh:targetObjectsOf; sh:path as a
property, its inverse, or alternatives; sh:class, sh:datatype, sh:nodeKind, sh:in, sh:node, sh:and, sh:or, sh:xone;
sh:maxCount 1; sh:name and sh:description. Several classes on one path are alternatives here: that all are needed is
seen to when the graph is validated with what is proposed. Other paths, other targets and other constraints are left to
that as well; paths and targets are named in a remark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur.ingest.ontology import ANY_THING, ANY_VALUE, ANYTHING, Pattern, is_datatype
from imprimatur.ingest.ontology_draft import Draft
from imprimatur.ingest.ontology_owl import UNITS, words
from imprimatur.sources.graph.terms import OWL, RDF, RDFS, SH, RdfLiteral, spoken_name
from imprimatur.sources.shacl.facts import Facts
from imprimatur.sources.shacl.view import Term

__all__ = ["has_shapes", "read_shacl"]

_DEEPEST = 12
_NODE_KINDS = {
    "IRI": ANY_THING,
    "BlankNode": ANY_THING,
    "BlankNodeOrIRI": ANY_THING,
    "Literal": ANY_VALUE,
}
_LISTS = ("or", "xone", "and")


def has_shapes(facts: Facts) -> bool:
    """Whether some node has a path or a target."""
    names = ("path", "targetClass", "targetSubjectsOf", "targetObjectsOf", "property")
    return any(True for name in names for _ in facts.subjects(SH + name))


def read_shacl(facts: Facts, draft: Draft) -> None:
    """Adds what the shapes of some files say. Only shapes with targets say something of a class."""
    reader = _Reader(facts, draft)
    for shape in reader.roots():
        reader.shape(shape, reader.sources(shape), depth=0)


class _Reader:
    """Reads one set of files."""

    def __init__(self, facts: Facts, draft: Draft) -> None:
        self.facts, self.draft = facts, draft

    def roots(self) -> list[str]:
        """The shapes with targets, sorted by name."""
        names = ("targetClass", "targetSubjectsOf", "targetObjectsOf", "targetNode", "target")
        found = {each for name in names for each in self.facts.subjects(SH + name)}
        for kind in (RDFS + "Class", OWL + "Class"):
            found |= {each for each in self.facts.subjects(RDF + "type", kind) if self._is_shape(each)}
        return sorted(found, key=self.facts.name)

    def _called(self, shape: str) -> str:
        """What people call a shape, or the one that holds it."""
        label = self.facts.label(shape)
        return label if label != self.facts.name(shape) else spoken_name(label.rpartition("/")[0] or label)

    def _is_shape(self, node: str) -> bool:
        return bool(self.facts.sh(node, "property")) or SH + "NodeShape" in self.facts.values(node, RDF + "type")

    def sources(self, shape: str) -> tuple[str, ...]:
        """The classes that a shape speaks of."""
        found = [each for each in self.facts.sh(shape, "targetClass") if isinstance(each, str)]
        if {RDFS + "Class", OWL + "Class"}.intersection(map(str, self.facts.values(shape, RDF + "type"))):
            found.append(shape)
        if self.facts.sh(shape, "targetSubjectsOf") or self.facts.sh(shape, "targetObjectsOf"):
            found.append(ANY_THING)
        for name in ("targetNode", "target"):
            if self.facts.sh(shape, name):
                self.draft.remark(f"{self._called(shape)}: its target is no class, and is left to the graph's shapes")
        for iri in found:
            if iri != ANY_THING:
                labels, comment = words(self.facts, iri)
                self.draft.add_class(iri, labels=labels, description=comment)
        return tuple(dict.fromkeys(found))

    def shape(self, shape: Term, sources: Sequence[str], *, depth: int) -> None:
        """Adds what a shape says of members of some classes."""
        if not isinstance(shape, str) or not sources or depth > _DEEPEST or self._is_off(shape):
            return
        if self.facts.sh(shape, "path"):
            self._path(shape, sources, depth)
            return
        for each in (*self.facts.sh(shape, "property"), *self.facts.sh(shape, "node")):
            self.shape(each, sources, depth=depth + 1)
        for name in _LISTS:
            for each in self._listed(shape, name):
                self.shape(each, sources, depth=depth + 1)

    def _is_off(self, shape: str) -> bool:
        return any(
            isinstance(each, RdfLiteral) and each.lexical == "true" for each in self.facts.sh(shape, "deactivated")
        )

    def _listed(self, shape: Term, name: str) -> list[Term]:
        try:
            return [member for head in self.facts.sh(shape, name) for member in self.facts.items(head)]
        except ValueError:
            self.draft.remark(f"sh:{name} of a shape is no list, and is left out")
            return []

    def _path(self, shape: str, sources: Sequence[str], depth: int) -> None:
        """Adds what a property shape says."""
        targets = list(dict.fromkeys(self.targets(shape, depth))) or [ANYTHING]
        classes = [each for each in targets if not is_datatype(each) and each not in (ANY_THING, ANYTHING)]
        allowed = self._listed(shape, "in")
        single = any(isinstance(n, RdfLiteral) and n.lexical in ("0", "1") for n in self.facts.sh(shape, "maxCount"))
        steps = [step for path in self.facts.sh(shape, "path") for step in self._steps(path)]
        if not steps:
            self.draft.remark(f"{self._called(shape)}: its path has several steps, and is left to the graph's shapes")
        for iri, inverted in steps:
            pairs = [(source, target) for source in sources for target in targets]
            if inverted:
                kept = [(_as_source(target), source) for source, target in pairs if not is_datatype(target)]
                self.draft.add_use(iri, [Pattern(*pair) for pair in kept])
            else:
                once = sources if single else ()
                self.draft.add_use(iri, [Pattern(*pair) for pair in pairs], single=once, unit=self._unit(shape, iri))
                self.draft.add_use(iri, (), allowed=allowed)
            self._say(shape, iri, inverted)
        for each in self.facts.sh(shape, "property"):
            self.shape(each, classes, depth=depth + 1)

    def _say(self, shape: str, iri: str, inverted: bool) -> None:
        labels, comment = words(self.facts, iri)
        told = [each.lexical for name in ("name", "description") for each in self._texts(shape, name)[:1]]
        named = [each.lexical for each in self._texts(shape, "name")] if not inverted else []
        about = self._texts(shape, "description")
        self.draft.add_words(
            iri, labels=(*labels, *named), description=comment or (about[0].lexical if told and about else "")
        )

    def _texts(self, shape: str, name: str) -> list[RdfLiteral]:
        return [each for each in self.facts.sh(shape, name) if isinstance(each, RdfLiteral)]

    def _unit(self, shape: str, iri: str) -> str:
        found = [each for name in UNITS for node in (shape, iri) for each in self.facts.values(node, name)]
        return next((each for each in found if isinstance(each, str)), "")

    def _steps(self, path: Term) -> Iterator[tuple[str, bool]]:
        """The properties that a path of one step may take, and whether against their direction."""
        if not isinstance(path, str):
            return
        if not path.startswith("_:"):
            yield path, False
            return
        for inner in self.facts.sh(path, "inversePath"):
            yield from ((iri, not inverted) for iri, inverted in self._steps(inner))
        for each in self._listed(path, "alternativePath"):
            yield from self._steps(each)

    def targets(self, shape: Term, depth: int = 0) -> Iterator[str]:
        """The classes and datatypes that a shape allows its values to be of; nothing where it does not say."""
        if depth > _DEEPEST or not isinstance(shape, str):
            return
        exact = [each for name in ("class", "datatype") for each in self.facts.sh(shape, name) if isinstance(each, str)]
        yield from exact
        nested = [(shape_, "node") for shape_ in self.facts.sh(shape, "node")]
        nested += [(member, name) for name in _LISTS for member in self._listed(shape, name)]
        found = [target for each, _ in nested for target in self.targets(each, depth + 1)]
        yield from found
        if exact or found:
            return
        for value in self._listed(shape, "in"):
            yield value.datatype if isinstance(value, RdfLiteral) else ANY_THING
        for kind in self.facts.sh(shape, "nodeKind"):
            named = spoken_name(kind) if isinstance(kind, str) else ""
            yield from [_NODE_KINDS[name] for name in _NODE_KINDS if isinstance(kind, str) and kind == SH + name] or (
                [ANYTHING] if named else []
            )


def _as_source(target: str) -> str:
    return ANY_THING if target in (ANY_THING, ANYTHING) else target
