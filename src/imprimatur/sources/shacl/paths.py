"""SHACL property paths (W3C SHACL 2.3.1) over identifiers: walked forward and backward, and taken apart into edges.

``Path.edges`` is what makes checking one claim cheap: every edge of a path comes with the way that leads to it, so that
from an added triple one can walk back to the nodes whose values it may change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.sources.shacl.view import View

__all__ = ["Choice", "Edges", "Path", "Repeat", "Series", "Step", "inverse", "repeated", "then", "walk"]

#: An edge of a path, the way that leads to it and the way that follows (None: none is needed).
Edges = Iterator[tuple["Step", "Path | None", "Path | None"]]


@dataclass(frozen=True, slots=True)
class Step:
    """One edge with this predicate, backward when ``inverted``."""

    predicate: int
    inverted: bool = False

    def values(self, view: View, node: int) -> Sequence[int]:
        """The nodes that the path reaches from a node, each once."""
        return view.subjects(self.predicate, node) if self.inverted else view.objects(node, self.predicate)

    def edges(self) -> Edges:
        """The edges of the path, each with what comes before and after it."""
        yield self, None, None


@dataclass(frozen=True, slots=True)
class Series:
    """The parts one after another."""

    parts: tuple[Path, ...]

    def values(self, view: View, node: int) -> Sequence[int]:
        """As ``Step.values``."""
        found: Sequence[int] = (node,)
        for part in self.parts:
            if len(found) == 1:
                found = part.values(view, found[0])
            else:
                found = _union(part.values(view, each) for each in _ticking(found, view))
        return found

    def edges(self) -> Edges:
        """As ``Step.edges``."""
        for number, part in enumerate(self.parts):
            before, after = _series(self.parts[:number]), _series(self.parts[number + 1 :])
            for step, first, last in part.edges():
                yield step, then(before, first), then(last, after)


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of the parts."""

    parts: tuple[Path, ...]

    def values(self, view: View, node: int) -> Sequence[int]:
        """As ``Step.values``."""
        return _union(part.values(view, node) for part in self.parts)

    def edges(self) -> Edges:
        """As ``Step.edges``."""
        for part in self.parts:
            yield from part.edges()


@dataclass(frozen=True, slots=True)
class Repeat:
    """The part again and again, or once at most; possibly not at all."""

    part: Path
    many: bool
    none: bool

    def values(self, view: View, node: int) -> Sequence[int]:
        """As ``Step.values``."""
        found = dict.fromkeys(self.part.values(view, node))
        queue = list(found) if self.many else []
        for each in queue:
            view.tick()
            new = [other for other in self.part.values(view, each) if other not in found]
            found.update(dict.fromkeys(new))
            queue += new
        if self.none:
            found[node] = None
        return list(found)

    def edges(self) -> Edges:
        """As ``Step.edges``."""
        again = Repeat(self.part, True, True) if self.many else None
        for step, first, last in self.part.edges():
            yield step, then(again, first), then(last, again)


Path = Step | Series | Choice | Repeat


def repeated(part: Path, *, many: bool, none: bool) -> Repeat:
    """The part again and again; repetitions of repetitions are one."""
    if isinstance(part, Repeat):
        return Repeat(part.part, many or part.many, none or part.none)
    return Repeat(part, many, none)


def _ticking(nodes: Iterable[int], view: View) -> Iterator[int]:
    for node in nodes:
        view.tick()
        yield node


def _union(parts: Iterable[Sequence[int]]) -> list[int]:
    return list(dict.fromkeys(node for part in parts for node in part))


def _series(parts: tuple[Path, ...]) -> Path | None:
    return (parts[0] if len(parts) == 1 else Series(parts)) if parts else None


def then(first: Path | None, second: Path | None) -> Path | None:
    """One path after another; None is the path that stays where it is."""
    if first is None or second is None:
        return second if first is None else first
    return Series((*_parts(first), *_parts(second)))


def _parts(path: Path) -> tuple[Path, ...]:
    return path.parts if isinstance(path, Series) else (path,)


def inverse(path: Path) -> Path:
    """The path walked from its end."""
    match path:
        case Step():
            return Step(path.predicate, not path.inverted)
        case Series():
            return Series(tuple(inverse(part) for part in reversed(path.parts)))
        case Choice():
            return Choice(tuple(inverse(part) for part in path.parts))
        case Repeat():
            return Repeat(inverse(path.part), path.many, path.none)


def walk(path: Path | None, view: View, nodes: Iterable[int], *, widest: Callable[[int], None]) -> Sequence[int]:
    """The nodes that the path reaches from ``nodes``; ``widest`` is told how many there are after each part."""
    found = list(dict.fromkeys(nodes))
    for part in _parts(path) if path is not None else ():
        reached: dict[int, None] = {}
        for node in found:
            view.tick()
            reached.update(dict.fromkeys(part.values(view, node)))
            widest(len(reached))
        found = list(reached)
    return found
