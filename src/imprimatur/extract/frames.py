"""The frame lexicon: wordings by kind of quantity and relation, shared by all domains (``resources/frames.txt``).

A frame is chosen for a property by the property's own words (see ``sources.graph.lexicon``); its lines then become
wordings of that property. Nothing here names an entity, a property or a domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.extract.wording import WordingKey, degree_key, wording_keys
from imprimatur.extract.words import forms
from imprimatur.language.languages import Language

__all__ = ["Frame", "aspects", "dims", "frames", "marked", "relations", "spans"]


_TRAITS = ("first", "last", "potential")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One section of the frame lexicon.

    ``nouns`` are chains as in keys ("basin<drainage"); ``unit`` is a QUDT unit name whose dimension the quantity has.
    """

    kind: str  # "relation" | "aspect" | "dim" | "span"
    name: str
    nouns: tuple[str, ...] = ()
    unit: str = ""
    positional: bool = False
    heads: tuple[str, ...] = ()
    narrower: tuple[
        str, ...
    ] = ()  # lines by which a property joins that say more than the others, and are not said of it
    doors: tuple[str, ...] = ()  # lines by which a property joins whose subjects are of the ``kinds``
    kinds: tuple[str, ...] = ()  # nouns
    lines: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    symmetric: bool = False
    more: tuple[str, ...] = ()  # adjectives of which a larger value is more ("long"), and less ("short")
    less: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()  # of a span: the nouns of its end, ``nouns`` being those of its start
    ages: tuple[str, ...] = ()  # of a span: lines that say how old something was at its end
    traits: tuple[str, ...] = ()  # what holds of every fact of this kind: "first", "last", "potential"

    def degrees(self) -> frozenset[WordingKey]:
        """The keys of its adjectives in comparisons ("S is longer than …")."""
        turns = ((self.more, False), (self.less, True))
        return frozenset(WordingKey(degree_key(adj), 1, turned) for adjs, turned in turns for adj in adjs)

    def keys(self) -> frozenset[WordingKey]:
        """The keys of all lines, from both ends where the relation has no direction."""
        found = _keys(self.heads + self.lines)
        return found | {k.from_other_end() for k in found} if self.symmetric else found

    def head_keys(self) -> frozenset[WordingKey]:
        """The keys of the lines by which a property joins."""
        return _keys(self.heads + self.narrower)

    def door_keys(self) -> frozenset[WordingKey]:
        """The keys of the lines by which a property joins whose subjects are of the frame's kinds."""
        return _keys(self.doors)


@lru_cache(maxsize=4096)
def _keys(lines: tuple[str, ...]) -> frozenset[WordingKey]:
    return frozenset(k for line in lines for k in wording_keys(line))


@lru_cache(maxsize=8)
def frames(language: Language | None = None) -> tuple[Frame, ...]:
    """All frames of a language, in the order of its file; of English when there is none."""
    if language is None:
        text = (Path(__file__).parent.parent / "resources" / "frames.txt").read_text(encoding="utf-8")
        return tuple(map(_frame, _blocks(text)))
    return tuple(_rendered(_frame(block), language) for block in _blocks(language.frames))


def _blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for raw in text.splitlines():
        if not raw.strip() or raw.startswith("#"):
            continue
        if not raw.startswith(" ") and block:
            yield block
            block = []
        block.append(raw)
    if block:
        yield block


def _rendered(frame: Frame, language: Language) -> Frame:
    """The frame with its lines, nouns and adjectives in the grammar's terms."""
    from imprimatur.language.rendering import render_words

    def lines(of: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(render_words(line, language) for line in of)

    def adjectives(of: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(forms(word).adj or word for word in lines(of))

    def chains(of: tuple[str, ...]) -> tuple[str, ...]:
        return tuple("<".join(forms(word).noun or word for word in lines(tuple(each.split("<")))) for each in of)

    return replace(
        frame,
        nouns=chains(frame.nouns),
        ends=chains(frame.ends),
        ages=lines(frame.ages),
        heads=lines(frame.heads),
        narrower=lines(frame.narrower),
        doors=lines(frame.doors),
        measures=lines(frame.measures),
        lines=lines(frame.lines),
        more=adjectives(frame.more),
        less=adjectives(frame.less),
    )


def _frame(block: list[str]) -> Frame:
    head, _, nouns = block[0].partition(":")
    kind, name = head.split()[:2]
    unit = head.partition("[")[2].partition("]")[0]
    body = [line.strip() for line in block[1:]]
    return Frame(
        kind=kind,
        name=name,
        nouns=_listed(nouns.partition(">")[0]),
        ends=_listed(nouns.partition(">")[2]),
        ages=tuple(line[4:] for line in body if line.startswith("age ")),
        unit=unit,
        positional="positional" in body,
        symmetric="symmetric" in body,
        heads=tuple(line[2:] for line in body if line.startswith("! ")),
        narrower=tuple(line[2:] for line in body if line.startswith("^ ")),
        doors=tuple(line[2:] for line in body if line.startswith("? ")),
        kinds=tuple(noun for line in body if line.startswith("for ") for noun in _listed(line[4:])),
        measures=tuple(line[8:] for line in body if line.startswith("measure ")),
        more=tuple(adj for line in body if line.startswith("more ") for adj in _listed(line[5:])),
        less=tuple(adj for line in body if line.startswith("less ") for adj in _listed(line[5:])),
        traits=tuple(line for line in body if line in _TRAITS),
        lines=tuple(
            x
            for x in body
            if not x.startswith(("! ", "^ ", "? ", "for ", "measure ", "more ", "less ", "age "))
            and x not in ("positional", "symmetric", *_TRAITS)
        ),
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


@lru_cache(maxsize=1)
def marked() -> tuple[tuple[Frame, frozenset[WordingKey]], ...]:
    """The frames that have traits, with their keys."""
    return tuple((f, f.keys()) for f in frames() if f.traits)


@lru_cache(maxsize=8)
def relations(language: Language | None = None) -> tuple[Frame, ...]:
    """Frames of relations."""
    return tuple(f for f in frames(language) if f.kind == "relation")


@lru_cache(maxsize=8)
def aspects(language: Language | None = None) -> tuple[Frame, ...]:
    """Frames of places and times that belong to a subject."""
    return tuple(f for f in frames(language) if f.kind == "aspect")


@lru_cache(maxsize=8)
def dims(language: Language | None = None) -> tuple[Frame, ...]:
    """Frames of kinds of quantity."""
    return tuple(f for f in frames(language) if f.kind == "dim")


@lru_cache(maxsize=1)
def spans() -> dict[str, list[tuple[Frame, int, bool]]]:
    """By key, the frames of what lies between two dates, with the hole that is the subject and whether it is an age."""
    out: dict[str, list[tuple[Frame, int, bool]]] = {}
    for frame in (f for f in frames() if f.kind == "span"):
        for lines, age in ((frame.lines, False), (frame.ages, True)):
            for key in _keys(lines):
                out.setdefault(key.key, []).append((frame, key.subject, age))
    return out
