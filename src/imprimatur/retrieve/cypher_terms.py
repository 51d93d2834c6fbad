"""The vocabulary of a property graph: its labels, relationship types and keys, and what a query may say of them.

What is unknown is refused with the nearest known name. A direction is wrong when no relationship of the graph leads
from the one label to the other. Names that could not be written in a query without escapes, or are longer than 100
characters, are not in the vocabulary: nobody is told them, and no query may use them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TypeVar

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import nearest

__all__ = ["GraphTerms", "TypeTerms", "written"]

_PLAIN = expression(r"[A-Za-z_][A-Za-z0-9_]{0,99}\Z")
_TICKED = expression(r"[^`\\\x00-\x1f\x7f]{1,100}\Z")
_Named = TypeVar("_Named")
_MOST_LINES, _MOST_TOLD = 400, 40_000
_NUMBERS = frozenset(("integer", "float"))
#: So many pairs of labels are told of one type.
_MOST_ENDS = 12


def written(name: str) -> str:
    """A name as a query writes it: in backticks unless it is plain. Raises ValueError where it cannot be written."""
    if _PLAIN.match(name):
        return name
    if not _TICKED.match(name) or not name.isprintable():
        raise ValueError("the name holds a backtick, an escape or a control character")
    return f"`{name}`"


@dataclass(frozen=True, slots=True)
class TypeTerms:
    """A relationship type: its keys with the kinds of their values, and the pairs of labels that it leads between.

    ``open``: some of its relationships lead to or from nodes that are not to be read.
    """

    keys: Mapping[str, str]
    ends: frozenset[tuple[str, str]]
    open: bool = False


@dataclass(frozen=True, slots=True)
class GraphTerms:
    """Labels with their keys, each with the kind of its values ("string", "integer or float", …), and types.

    ``label_needed``: the graph has nodes that are not to be read, none of which has one of these labels, so that a node
    must be matched by one; ``type_needed``: it has relationships of other types, too.
    """

    labels: Mapping[str, Mapping[str, str]]
    types: Mapping[str, TypeTerms]
    label_needed: bool = False
    type_needed: bool = False

    @property
    def told(self) -> str:
        """The vocabulary, one label or type a line, as a query writes it; as many lines as a prompt may hold."""
        lines = ["Every node of a pattern needs a label, for there are others."] if self.label_needed else []
        lines += ["Every relationship of a pattern needs a type, for there are others."] if self.type_needed else []
        lines += [f"node (:{written(label)}{_map(keys)})" for label, keys in _writable(self.labels)]
        for name, type_ in _writable(self.types):
            ends = sorted(pair for pair in type_.ends if all(map(_can, pair)))[:_MOST_ENDS]
            edge = f"-[:{written(name)}{_map(type_.keys)}]->"
            lines += [f"relationship (:{written(one)}){edge}(:{written(other)})" for one, other in ends]
            lines += [] if ends else [f"relationship (){edge}()"]
        ends_at = accumulate(len(line) + 1 for line in lines[:_MOST_LINES])
        return "\n".join(line for line, end in zip(lines, ends_at) if end <= _MOST_TOLD)

    # What is wrong with names

    def unknown_label(self, label: str) -> str:
        """What is wrong with a label; empty when nothing is."""
        return "" if _known(label, self.labels) else _unknown("label", label, self.labels)

    def unknown_type(self, name: str) -> str:
        """What is wrong with a relationship type."""
        return "" if _known(name, self.types) else _unknown("relationship type", name, self.types)

    def unknown_key(self, key: str, labels: Collection[str]) -> str:
        """What is wrong with a key of a node; one of any label may be meant where no label is known."""
        return self._unknown_key(key, self._having(labels, node=True), sorted(labels))

    def unknown_key_of_type(self, key: str, types: Collection[str]) -> str:
        """What is wrong with a key of a relationship."""
        return self._unknown_key(key, self._having(types, node=False), sorted(types))

    def numeric(self, key: str, names: Collection[str], *, node: bool) -> bool:
        """Whether a key of nodes with some labels, or of relationships of some types, holds numbers alone."""
        kinds = {kind for keys in self._having(names, node=node) if key in keys for kind in keys[key].split(" or ")}
        return bool(kinds) and kinds <= _NUMBERS

    def unseen(self, names: Collection[str], *, node: bool, steps: int = 1) -> str:
        """What is wrong with a node or relationship that might be one that is not to be read."""
        if node:
            lacks = self.label_needed and not names
            return "give every node a label: the graph has nodes that are not to be read" if lacks else ""
        if self.type_needed and not names:
            return "give every relationship a type: the graph has some that are not to be read"
        chosen = [self.types[name] for name in names if name in self.types] if names else list(self.types.values())
        if steps > 1 and any(type_.open for type_ in chosen):
            return "a path of several steps may lead over nodes that are not to be read: write each step"
        return ""

    def _having(self, names: Collection[str], *, node: bool) -> list[Mapping[str, str]]:
        """The keys of what some labels or types are of; of all where none of them is known."""
        known = self.labels if node else {name: type_.keys for name, type_ in self.types.items()}
        return [known[name] for name in names if name in known] or list(known.values())

    def _unknown_key(self, key: str, having: Iterable[Mapping[str, str]], owners: Iterable[str]) -> str:
        known = {each for keys in having for each in keys}
        of = " or ".join(owner[:80] for owner in owners)
        return "" if _known(key, known) else _unknown(f"key of {of}" if of else "key", key, known)

    def misdirected(self, types: Collection[str], way: str, ends: tuple[Collection[str], Collection[str]]) -> str:
        """What is wrong with a relationship between two nodes with some labels; empty when nothing is.

        ``way`` is ``out``, ``in`` or ``any``; no types stand for all.
        """
        chosen = [name for name in types if name in self.types] or (list(self.types) if not types else [])
        pairs = {pair for name in chosen for pair in self.types[name].ends}
        first, second = ({label for label in labels if label in self.labels} for labels in ends)
        if not pairs or not (first or second):
            return ""
        out, into = _fits(pairs, first, second), _fits(pairs, second, first)
        if {"out": out, "in": into, "any": out or into}[way]:
            return ""
        name = "|".join(chosen)[:80] if types else "a relationship"
        if out or into:
            return f"{name} goes the other way: turn the arrow round"
        shown = [f"(:{one})-[:{name}]->(:{other})" for one, other in sorted(pairs)[:3]] if types else []
        told = f": there is {' and '.join(shown)}" if shown else ""
        return f"{name} does not lead between {_said(first)} and {_said(second)}{told}"


def _fits(pairs: Iterable[tuple[str, str]], first: Collection[str], second: Collection[str]) -> bool:
    return any((not first or one in first) and (not second or other in second) for one, other in pairs)


def _said(labels: Collection[str]) -> str:
    return "".join(f":{label[:80]}" for label in sorted(labels)) or "any node"


def _known(name: str, known: Collection[str]) -> bool:
    return name in known and _can(name)


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    near = nearest(name, {each.lower(): each for each in known if _can(each)})
    meant = next((each for each in sorted(known) if near is not None and each.lower() == near and _can(each)), None)
    advice = f"the nearest is {written(meant)}" if meant else "use the listed names alone"
    return f"{name[:100]!r} is no {what} of the graph: {advice}"


def _can(name: str) -> bool:
    try:
        return bool(written(name))
    except ValueError:
        return False


def _writable(named: Mapping[str, _Named]) -> Iterator[tuple[str, _Named]]:
    return ((name, named[name]) for name in sorted(named) if _can(name))


def _map(keys: Mapping[str, str]) -> str:
    told = ", ".join(f"{written(key)}: {kind}" for key, kind in sorted(keys.items()) if _can(key))
    return f" {{{told}}}" if told else ""
