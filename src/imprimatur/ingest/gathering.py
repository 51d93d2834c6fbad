"""The things that a batch of candidates names, each once: mentions of one name and of classes that go together.

Contract: what comes out depends on the candidates, not on their order. Mentions of one name are one thing when what
they are taken for lies on one line from a general class to a special one; where two special classes part, there are two
things, and a mention that is only of the general class may be either: it is settled for neither. Things of classes that
are disjoint are never one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Protocol

from imprimatur._dataclasses import dataclass
from imprimatur.ingest.candidate import Candidate, Thing
from imprimatur.ingest.name_keys import alike, exact
from imprimatur.ingest.ontology import ANY_THING
from imprimatur.ingest.place_names import place_key
from imprimatur.sources.graph.terms import RDF

__all__ = ["Group", "Key", "Kinds", "Said", "gather", "mention_key"]

#: A name as it is compared, and the classes that a mention is taken for.
Key = tuple[str, frozenset[str]]


class Kinds(Protocol):
    """What is known of classes."""

    def above(self, iri: str) -> frozenset[str]:
        """A class and all that it is a kind of."""
        ...

    def disjoint(self, left: str, right: str) -> bool:
        """Whether two classes share no member."""
        ...

    def are_places(self, classes: Iterable[str]) -> bool:
        """Whether something of these classes is a place."""
        ...


@dataclass(frozen=True, slots=True)
class Said:
    """A candidate of a group, and whether the group's thing is its value."""

    candidate: Candidate
    as_value: bool

    @property
    def document(self) -> str:
        """Where it stands; "" for what no document states."""
        return self.candidate.place.document if self.candidate.place is not None else ""

    @property
    def thing(self) -> Thing:
        """The mention."""
        value = self.candidate.value
        return value if self.as_value and isinstance(value, Thing) else self.candidate.subject


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """One thing of a batch. Two groups are the same only if they are one object, however many candidates they have.

    Attributes:
        key: its name as names are compared. name: the form of it that stands for all.
        classes: the most special classes that it is taken for, sorted.
        torn: whether its mentions are of classes that part, so that it is not settled what they are.
        said: its candidates, sorted. by_document: the same, by document, sorted by that.
    """

    key: str
    name: str
    classes: tuple[str, ...]
    torn: bool
    said: tuple[Said, ...]
    by_document: Mapping[str, tuple[Said, ...]]

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents that name it, sorted."""
        return tuple(self.by_document)

    def within(self, document: str) -> Group:
        """The same, of one of its documents only."""
        said = self.by_document[document]
        by_document = {document: said}
        return Group(
            key=self.key, name=self.name, classes=self.classes, torn=self.torn, said=said, by_document=by_document
        )

    def first_in(self, document: str) -> int | None:
        """Where it is first named in a document; None where it is not."""
        said = self.by_document.get(document)
        if said is None:
            return None
        places = (each.candidate.place for each in said)
        return min((place.start for place in places if place is not None), default=0)


def mention_key(thing: Thing, is_place: Callable[[Iterable[str]], bool]) -> Key:
    """What the mentions of one thing have in common. ``is_place``: whether classes are those of places."""
    name = place_key(thing.name) if is_place(thing.classes) else alike(thing.name)
    return name or exact(thing.name), frozenset(thing.classes) - {ANY_THING}


def gather(candidates: Sequence[Candidate], known: Kinds) -> Mapping[Key, Group]:
    """The groups of a batch, by the keys of their mentions."""
    said: dict[str, dict[frozenset[str], list[Said]]] = defaultdict(lambda: defaultdict(list))
    for candidate in candidates:
        for each in _mentions(candidate):
            name, classes = mention_key(each.thing, known.are_places)
            said[name][classes].append(each)
    found: dict[Key, Group] = {}
    for name, by_classes in said.items():
        found |= _grouped(name, by_classes, known.above, known.disjoint)
    return found


def _mentions(candidate: Candidate) -> Iterable[Said]:
    yield Said(candidate, as_value=False)
    if isinstance(candidate.value, Thing) and candidate.property != RDF + "type":
        yield Said(candidate, as_value=True)


def _grouped(
    name: str,
    by_classes: Mapping[frozenset[str], list[Said]],
    above: Callable[[str], frozenset[str]],
    disjoint: Callable[[str, str], bool],
) -> dict[Key, Group]:
    """The groups of one name."""
    special = {classes: _most_special(classes, above) for classes in by_classes}
    closed = {classes: frozenset(up for each in found for up in above(each)) for classes, found in special.items()}
    leaves = [each for each in special if not any(closed[each] < closed[other] for other in special)]
    parts = _joined(leaves, special, closed)
    torn = {part for part in parts if _is_torn([closed[each] for each in part], disjoint)}
    members: dict[frozenset[frozenset[str]], list[frozenset[str]]] = defaultdict(list)
    for classes in special:
        fitting = frozenset(part for part in parts if any(closed[classes] <= closed[leaf] for leaf in part))
        # A mention of a general class that goes with several things is a thing of its own, and torn.
        home = next(iter(fitting)) if len(fitting) == 1 else frozenset((classes,))
        members[home].append(classes)
    found: dict[Key, Group] = {}
    for home, listed in members.items():
        every = {each for one in home if one in special for each in special[one]}
        said = [each for one in listed for each in by_classes[one]]
        group = _group(name, every, said, home in torn or home not in parts)
        found |= {(name, one): group for one in listed}
    return found


def _most_special(classes: frozenset[str], above: Callable[[str], frozenset[str]]) -> frozenset[str]:
    return frozenset(
        c for c in classes if not any(c != other and c in above(other) and other not in above(c) for other in classes)
    )


def _joined(
    leaves: Sequence[frozenset[str]],
    special: Mapping[frozenset[str], frozenset[str]],
    closed: Mapping[frozenset[str], frozenset[str]],
) -> set[frozenset[frozenset[str]]]:
    """The leaves that share a class, together."""
    parts = [{each} for each in leaves]
    for left, right in combinations(leaves, 2):
        if special[left] & closed[right] or special[right] & closed[left] or closed[left] == closed[right]:
            one = next(part for part in parts if left in part)
            other = next(part for part in parts if right in part)
            if one is not other:
                one |= other
                parts.remove(other)
    return {frozenset(part) for part in parts}


def _is_torn(closures: Sequence[frozenset[str]], disjoint: Callable[[str, str], bool]) -> bool:
    every = sorted(frozenset().union(*closures))
    return any(disjoint(left, right) for left, right in combinations(every, 2))


def _group(name: str, classes: Iterable[str], said: Sequence[Said], torn: bool) -> Group:
    def order(each: Said) -> tuple[str, int, str, str, bool]:
        place, value = each.candidate.place, each.candidate.value
        told = value.name if isinstance(value, Thing) else value.lexical
        return each.document, place.start if place else 0, each.candidate.property, told, each.as_value

    names = sorted({exact(each.thing.name) for each in said}, key=lambda text: (text.islower(), text.isupper(), text))
    ordered = tuple(sorted(said, key=order))
    by_document: dict[str, list[Said]] = {}
    for each in ordered:  # they come by document
        by_document.setdefault(each.document, []).append(each)
    return Group(
        key=name,
        name=names[0],
        classes=tuple(sorted(classes)),
        torn=torn,
        said=ordered,
        by_document={document: tuple(listed) for document, listed in by_document.items()},
    )
