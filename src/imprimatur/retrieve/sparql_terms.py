"""The patterns of a query held against the ontology: unknown classes, properties and things, wrong directions.

What is unknown is refused with the nearest known name, written as the query must write it. A direction is wrong when
the classes of the ends, as far as the query or the graph tell them, fit the property's domain and range from the other
end only. Where the ontology gives neither domain nor range, any direction goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from imprimatur.errors import nearest
from imprimatur.sources.graph.schema import Schema
from imprimatur.sources.graph.terms import RDF, XSD, local_name

__all__ = ["Pattern", "path_problems", "patterns_of", "term_problems"]

_TYPE = RDF + "type"
#: A path of any length may run over properties with so many triples in all.
_MOST_REPEATED = 20_000


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple pattern; ``path`` is a property, a variable or a property path, as rdflib has them.

    ``filters``: it stands within EXISTS, so that nothing is read by it.
    """

    subject: Any
    path: Any
    object: Any
    filters: bool = False

    @property
    def variables(self) -> tuple[Any, ...]:
        """Its variables."""
        from rdflib.term import Variable

        return tuple(each for each in (self.subject, self.path, self.object) if isinstance(each, Variable))

    @property
    def matches_all(self) -> bool:
        """Whether it is three variables or blank nodes."""
        from rdflib.term import BNode, Variable

        return all(isinstance(each, Variable | BNode) for each in (self.subject, self.path, self.object))

    @property
    def properties(self) -> tuple[str, ...]:
        """The IRIs of its properties."""
        return tuple(str(iri) for iri in _inner(self.path))

    @property
    def things(self) -> tuple[str, ...]:
        """The IRIs at its ends."""
        from rdflib.term import URIRef

        return tuple(str(each) for each in (self.subject, self.object) if isinstance(each, URIRef))


def patterns_of(algebra: Any) -> list[Pattern]:
    """All triple patterns of a query, those in filters and sub-queries too."""
    from imprimatur.retrieve.sparql_guard import walk

    found: dict[Pattern, None] = {}
    for node in walk(algebra):
        if node.name == "BGP":
            found.update(dict.fromkeys(Pattern(*triple) for triple in node.triples or ()))
        elif node.name == "TriplesBlock":  # within EXISTS, which rdflib leaves as it was parsed
            for flat in node.triples or ():
                ends = list(flat)
                found.update(
                    dict.fromkeys(Pattern(ends[k], ends[k + 1], ends[k + 2], True) for k in range(0, len(ends), 3))
                )
    return list(found)


def _inner(path: Any) -> Iterator[Any]:
    """The properties of a path."""
    from rdflib.paths import AlternativePath, InvPath, MulPath, NegatedPath, SequencePath
    from rdflib.term import URIRef

    if isinstance(path, URIRef):
        yield path
    elif isinstance(path, SequencePath | AlternativePath | NegatedPath):
        for each in path.args:
            yield from _inner(each)
    elif isinstance(path, InvPath):
        yield from _inner(path.arg)
    elif isinstance(path, MulPath):
        yield from _inner(path.path)


def path_problems(patterns: list[Pattern], schema: Schema) -> Iterator[str]:
    """What is wrong with the property paths."""
    for pattern in patterns:
        yield from _path_problems(pattern.path, schema)
        if _repeats(pattern.path) and not _held(pattern, patterns):
            yield "a path of any length (* or +) needs one end that is named, or that another pattern finds"


def _repeats(path: Any) -> bool:
    """Whether a path, or a part of it, is of any length."""
    from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath

    if isinstance(path, MulPath):
        return path.mod in ("*", "+") or _repeats(path.path)
    if isinstance(path, InvPath):
        return _repeats(path.arg)
    return isinstance(path, SequencePath | AlternativePath) and any(map(_repeats, path.args))


def _held(pattern: Pattern, patterns: list[Pattern]) -> bool:
    """Whether one end of a pattern is a thing, or is found by another pattern too."""
    others = {each for other in patterns if other is not pattern for each in other.variables}
    return bool(pattern.things) or any(each in others for each in (pattern.subject, pattern.object))


def _path_problems(path: Any, schema: Schema) -> Iterator[str]:
    from rdflib.paths import AlternativePath, InvPath, MulPath, NegatedPath, SequencePath

    if isinstance(path, NegatedPath):
        yield "a path that excludes properties (!p) matches almost every triple: name the properties"
    elif isinstance(path, SequencePath | AlternativePath):
        for each in path.args:
            yield from _path_problems(each, schema)
    elif isinstance(path, InvPath):
        yield from _path_problems(path.arg, schema)
    elif isinstance(path, MulPath):
        numbers = [schema.graph.id(str(iri)) for iri in _inner(path)]
        total = sum(schema.graph.count(number) for number in numbers if number is not None)
        if path.mod in ("*", "+") and total > _MOST_REPEATED:
            yield f"a path of any length ({path.mod}) over {total:,} triples has no bound: write its steps out"
        yield from _path_problems(path.path, schema)


def term_problems(patterns: list[Pattern], schema: Schema) -> list[str]:
    """Every class, property, thing and direction that the ontology does not know."""
    from rdflib.term import URIRef

    steps = [step for pattern in patterns for step in _steps(pattern.subject, pattern.path, pattern.object)]
    kinds: dict[Any, set[str]] = {}
    problems: list[str] = []
    for s, p, o in steps:
        if str(p) == _TYPE and isinstance(o, URIRef):
            if schema.class_(str(o)) is None:
                problems.append(_unknown("class", str(o), {iri: c.labels for iri, c in schema.classes.items()}))
            else:
                kinds.setdefault(s, set()).add(str(o))
        elif problem := _unknown_property(str(p), schema):
            problems.append(problem)
    for end in (end for s, p, o in steps for end in ((s,) if str(p) == _TYPE else (s, o))):
        if isinstance(end, URIRef) and end not in kinds:
            number = schema.graph.id(str(end))
            if number is None:
                problems.append(f"<{str(end)[:200]}> is nothing that the graph knows: find it by its label")
            kinds[end] = set(schema.types(number)) if number is not None else set()
    if not problems:
        problems = [problem for step in steps if (problem := _misdirected(step, kinds, schema))]
    return list(dict.fromkeys(problems))


def _steps(subject: Any, path: Any, object_: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The single relations of a path between its ends; what lies between is a new thing each time."""
    from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath
    from rdflib.term import BNode, URIRef

    if isinstance(path, URIRef):
        yield subject, path, object_
    elif isinstance(path, InvPath):
        yield from _steps(object_, path.arg, subject)
    elif isinstance(path, AlternativePath):
        for each in path.args:
            yield from _steps(subject, each, object_)
    elif isinstance(path, MulPath):
        yield from _steps(subject, path.path, object_)
    elif isinstance(path, SequencePath):
        ends = [subject, *(BNode() for _ in path.args[1:]), object_]
        for k, each in enumerate(path.args):
            yield from _steps(ends[k], each, ends[k + 1])


def _unknown_property(iri: str, schema: Schema) -> str:
    if iri == _TYPE or schema.property(iri) is not None:
        return ""
    number = schema.graph.id(iri)
    if number is not None and schema.gives_labels(iri) and schema.graph.count(number):
        return ""
    return _unknown("property", iri, {known: info.labels for known, info in schema.properties.items()})


def _unknown(kind: str, iri: str, known: dict[str, tuple[str, ...]]) -> str:
    """That a name is not known, with the nearest known one by its local name or label."""
    names: dict[str, str] = {}
    for each, labels in known.items():
        for name in (local_name(each), *labels):
            names.setdefault(name.lower(), each)
    near = nearest(local_name(iri), names)
    hint = f": the nearest is <{names[near]}>" if near else ""
    return f"<{iri[:200]}> is no {kind} of the ontology{hint}"


def _misdirected(step: tuple[Any, Any, Any], kinds: dict[Any, set[str]], schema: Schema) -> str:
    """What is wrong with the ends of a relation; empty when nothing is."""
    from rdflib.term import Literal

    subject, predicate, object_ = step
    info = schema.property(str(predicate))
    if info is None or str(predicate) == _TYPE:
        return ""
    if isinstance(object_, Literal) and info.is_object:
        return f"the values of <{info.iri}> are things, not texts or numbers: match the thing's label"
    domains = [iri for iri in info.domains if schema.class_(iri) is not None]
    ranges = [iri for iri in info.ranges if schema.class_(iri) is not None]
    s, o = kinds.get(subject, set()), kinds.get(object_, set())
    data = info.is_object is False or any(iri.startswith(XSD) for iri in info.ranges)
    wrong = (not _fits(s, domains, schema), not _fits(o, ranges, schema) or (data and bool(o)))
    if not any(wrong):
        return ""
    if ranges and _fits(s, ranges, schema) and _fits(o, domains, schema):
        return f"<{info.iri}> goes the other way: write its subject ({_names(domains, schema)}) first"
    end, classes = ("subject", domains) if wrong[0] else ("value", ranges)
    return f"the {end} of <{info.iri}> is {_names(classes, schema) or 'a text, number or date'}"


def _fits(classes: set[str], declared: list[str], schema: Schema) -> bool:
    """Whether something of some classes may be of a declared one: equal, more special or more general."""
    if not classes or not declared:
        return True
    for each in classes:
        info = schema.class_(each)
        related = {each, *(info.supers if info else ()), *(info.subs if info else ())}
        if not related.isdisjoint(declared):
            return True
    return False


def _names(classes: list[str], schema: Schema) -> str:
    found = [info.labels[0] for iri in classes if (info := schema.class_(iri)) is not None and info.labels]
    return " or ".join(found)
