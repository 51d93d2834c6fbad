"""Axioms that a batch of facts breaks together with a graph: what a property leads from and to by the classes that the
graph asserts, what may be there once, and what excludes each other.

Contract: every candidate that has a part in a break is named, none for being later than another; what the graph has
already is never to blame. Two values that hold at different times do not exclude each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from imprimatur.ingest.candidate import Candidate, Refusal, Thing, Value
from imprimatur.ingest.known_things import KnownThings
from imprimatur.ingest.refusing import class_name, same_value, value_name
from imprimatur.sources.graph.terms import RDF, RdfLiteral, parse_number

__all__ = ["apart_in_time", "broken_axioms", "word_of"]

_TYPE = RDF + "type"
#: So many different values of what may have one only are compared with one another.
_MOST = 500
_OF_PATTERNS = ("wrong-source", "wrong-target", "wrong-direction")


def broken_axioms(known: KnownThings, candidates: Mapping[int, Candidate]) -> dict[int, list[Refusal]]:
    """What the graph with these candidates breaks, by the numbers of those to blame.

    Args:
        candidates: settled ones, by number.
    """
    found: dict[int, list[Refusal]] = defaultdict(list)
    for check in (_patterns, _several_values, _several_subjects, _disjoint_classes, _disjoint_properties):
        for number, refusal in check(known, candidates):
            if refusal not in found[number]:
                found[number].append(refusal)
    return {number: sorted(refusals, key=lambda each: (each.code, each.detail)) for number, refusals in found.items()}


def _patterns(known: KnownThings, candidates: Mapping[int, Candidate]) -> Iterator[tuple[int, Refusal]]:
    """What the guardrail says of things as graph and batch know them, whatever a reader took them for.

    A class that a reader gives besides counts where it is a kind of one that the graph asserts.
    """

    def known_as(thing: Thing) -> Thing:
        number = known.graph.id(thing.iri)
        direct, all_ = known.kinds(number) if number is not None else (frozenset[str](), frozenset[str]())
        closer = frozenset(each for each in thing.classes if known.above(each) & direct)
        return replace(thing, classes=tuple(sorted(all_ | closer))) if direct else thing

    for number, each in candidates.items():
        if each.property == _TYPE:
            continue
        value = known_as(each.value) if isinstance(each.value, Thing) else each.value
        seen = replace(each, subject=known_as(each.subject), value=value)
        found = known.guardrail.refusals(seen)
        yield from ((number, refusal) for refusal in found if refusal.code in _OF_PATTERNS)


def _several_values(known: KnownThings, candidates: Mapping[int, Candidate]) -> Iterator[tuple[int, Refusal]]:
    said: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, each in candidates.items():
        said[each.subject.iri, each.property].append(number)
    for (subject, property_), numbers in said.items():
        classes = {iri for number in numbers for iri in candidates[number].subject.classes}
        if property_ == _TYPE or not known.single(property_, classes | _kinds(known, subject)):
            continue
        held = _held(known, subject, property_)
        name = candidates[numbers[0]].subject.name
        yield from _excluded(
            candidates,
            numbers,
            held=held,
            of=lambda each: each.value,
            code="several-values",
            rule=f"“{name}” has one {word_of(known, property_)!r} at most",
        )


def _several_subjects(known: KnownThings, candidates: Mapping[int, Candidate]) -> Iterator[tuple[int, Refusal]]:
    said: dict[str, list[int]] = defaultdict(list)
    for number, each in candidates.items():
        info = known.schema.property(each.property)
        if info is not None and info.inverse_functional:
            said[each.property].append(number)
    for property_, every in said.items():
        for numbers in _by_value(candidates, every):
            value = candidates[numbers[0]].value
            held: list[Value] = [
                Thing(name=known.label(s), iri=known.iri(s)) for s in _subjects(known, property_, value)
            ]
            yield from _excluded(
                candidates,
                numbers,
                held=held,
                of=lambda each: each.subject,
                code="several-subjects",
                rule=f"one thing only has a {word_of(known, property_)!r}",
            )


def _excluded(
    candidates: Mapping[int, Candidate],
    numbers: Sequence[int],
    *,
    held: Sequence[Value],
    of: Callable[[Candidate], Value],
    code: str,
    rule: str,
) -> Iterator[tuple[int, Refusal]]:
    """Candidates of which one at most may be true, beside what is held."""
    ways: dict[tuple[Value, tuple[str, str]], list[int]] = defaultdict(list)
    for number in numbers:
        value = of(candidates[number])
        known_as = Thing(name=value.iri or value.name, iri=value.iri) if isinstance(value, Thing) else value
        ways[known_as, candidates[number].valid].append(number)
    if len(ways) > _MOST:
        refusal = Refusal(code="unchecked", detail=f"{rule}, and more than {_MOST:,} different ones are proposed")
        yield from ((number, refusal) for number in numbers)
        return
    shown = {way: of(candidates[listed[0]]) for way, listed in ways.items()}
    for (value, valid), listed in ways.items():
        if any(same_value(value, each) for each in held):
            continue
        others = {value_name(each) for each in held}
        for way, each in shown.items():
            if not apart_in_time(valid, way[1]) and not same_value(value, way[0]):
                others.add(value_name(each))
        if others:
            proposed = value_name(shown[value, valid])
            detail = f"{rule}; proposed is {proposed}, beside {' and '.join(sorted(others)[:3])}"
            yield from ((number, Refusal(code=code, detail=detail)) for number in listed)


def apart_in_time(left: tuple[str, str], right: tuple[str, str]) -> bool:
    """Whether two facts hold at different times, by their ``valid``: one ends before the other begins."""

    def before(one: tuple[str, str], other: tuple[str, str]) -> bool:
        end, start = one[1], other[0]
        # A year against a day in it tells nothing; lexical forms of XSD are ordered as far as they go.
        size = min(len(end), len(start))
        return bool(end and start) and not end.startswith("-") and end[:size] < start[:size]

    return before(left, right) or before(right, left)


def _by_value(candidates: Mapping[int, Candidate], numbers: Iterable[int]) -> list[list[int]]:
    """Candidates of one value together: equal as values, or, where there are very many, as numbers and texts."""
    written: dict[object, list[int]] = defaultdict(list)
    for number in numbers:
        written[_key(candidates[number].value)].append(number)
    if len(written) > _MOST:
        return list(written.values())
    found: list[list[int]] = []
    for listed in written.values():
        value = candidates[listed[0]].value
        home = next((each for each in found if same_value(candidates[each[0]].value, value)), None)
        if home is None:
            found.append(listed)
        else:
            home += listed
    return found


def _key(value: Value) -> object:
    if isinstance(value, Thing):
        return value.iri
    number = parse_number(value.lexical, value.datatype)
    return (value.lexical, value.lang) if number is None else number


def _disjoint_classes(known: KnownThings, candidates: Mapping[int, Candidate]) -> Iterator[tuple[int, Refusal]]:
    taken: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    names: dict[str, str] = {}
    for number, each in candidates.items():
        things = [each.subject, *([each.value] if isinstance(each.value, Thing) and each.property != _TYPE else [])]
        for thing in things:
            names[thing.iri] = thing.name
            for iri in thing.classes:
                taken[thing.iri][iri].add(number)
        if each.property == _TYPE and isinstance(each.value, Thing):
            taken[each.subject.iri][each.value.iri].add(number)
    for iri, classes in taken.items():
        held = _kinds(known, iri)
        for left, right in combinations(sorted({*classes, *held}), 2):
            to_blame = {n for each in (left, right) if each not in held for n in classes.get(each, ())}
            if to_blame and known.disjoint(left, right):
                first, second = (class_name(known.guardrail, each) for each in (left, right))
                detail = f"“{names[iri]}” would be a {first} and a {second}, and nothing is both"
                yield from ((number, Refusal(code="disjoint-classes", detail=detail)) for number in sorted(to_blame))


def _disjoint_properties(known: KnownThings, candidates: Mapping[int, Candidate]) -> Iterator[tuple[int, Refusal]]:
    said: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, each in candidates.items():
        said[each.subject.iri][each.property].append(number)
    for subject, by_property in said.items():
        for property_, numbers in by_property.items():
            info = known.schema.property(property_)
            for other in info.disjoint_with if info is not None else ():
                others = [*_held(known, subject, other), *(candidates[n].value for n in by_property.get(other, ()))]
                for number in numbers:
                    own = candidates[number]
                    if any(same_value(own.value, each) for each in others):
                        words = f"{word_of(known, property_)!r} and {word_of(known, other)!r}"
                        detail = f"“{own.subject.name}” would have {value_name(own.value)} by {words}, which share none"
                        yield number, Refusal(code="disjoint-properties", detail=detail)


# What the graph has


def _kinds(known: KnownThings, iri: str) -> frozenset[str]:
    number = known.graph.id(iri)
    return known.kinds(number)[1] if number is not None else frozenset()


def _held(known: KnownThings, subject: str, property_: str) -> list[Value]:
    graph = known.graph
    number, predicate = graph.id(subject), graph.id(property_)
    held = graph.objects(number, predicate) if number is not None and predicate is not None else ()
    return [graph.literal(o) if graph.is_literal(o) else Thing(name=graph.label(o), iri=graph.iri(o)) for o in held]


def _subjects(known: KnownThings, property_: str, value: Value) -> Sequence[int]:
    graph = known.graph
    predicate = graph.id(property_)
    if predicate is None:
        return ()
    if isinstance(value, RdfLiteral):
        pairs = graph.pairs(predicate)
        return [s for s, o in pairs if graph.is_literal(o) and same_value(graph.literal(o), value)]
    number = graph.id(value.iri)
    return graph.subjects(predicate, number) if number is not None else ()


def word_of(known: KnownThings, property_: str) -> str:
    """What a property is called, by the guardrail or by the graph."""
    told = known.guardrail.property_(property_)
    if told is not None:
        return told.name
    info = known.schema.property(property_)
    return info.labels[0] if info is not None else property_
