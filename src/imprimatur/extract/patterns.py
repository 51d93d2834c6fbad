"""The lexicon-driven extractor: segments to claims, without a model.

A claim is made only where a wording of the lexicon links its mentions; nothing is read from mentions standing near each
other. What the reading of a clause does not use (modifiers, adverbs, other phrases) is left uncovered, so the
accounting withholds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from imprimatur.claim import Attribute, Claim, Membership, Mention, Modality, Predicate, Relation, Statement
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.grammar import parse
from imprimatur.extract.keys import Keyed, clauses_within, keys
from imprimatur.extract.syntax import Clause, Item, Np, NpKind
from imprimatur.protocols import Entry, Lexicon
from imprimatur.values import DateValue, TextValue

__all__ = ["Read", "read"]

_NAMED = (NpKind.ENTITY, NpKind.NAME)
_PLAIN_DETS = frozenset(("", "the", "a", "an", "its", "their", "his", "her", "this", "these", "both the", "both"))


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of a segment: its claims, and which items nothing but function words make up."""

    claims: tuple[Claim, ...]
    subjects: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class _Match:
    """One pair of phrases that a wording links, and the properties it may mean."""

    subject: Np
    value: Np
    items: frozenset[int]
    entries: tuple[Entry, ...]
    counted: Np | None = None


def read(items: Sequence[Item], lexicon: Lexicon, discourse: Discourse) -> Read:
    """The claims of one segment's items."""
    parsed = parse(items)
    claims: list[Claim] = []
    subjects: list[Mention] = []
    for top in parsed.clauses:
        for clause in clauses_within(top):
            found = _Clause(items, lexicon, discourse, clause)
            claims += found.claims()
            subjects += found.subjects
    return Read(tuple(_distinct(claims)), tuple(dict.fromkeys(subjects)))


def _distinct(claims: list[Claim]) -> Iterator[Claim]:
    seen: set[tuple[object, ...]] = set()
    for c in claims:
        at = (c.start, c.end, c.readings, c.negated, c.covers)
        if at not in seen:
            seen.add(at)
            yield c


class _Clause:
    """The reading of one clause."""

    def __init__(self, items: Sequence[Item], lexicon: Lexicon, discourse: Discourse, clause: Clause) -> None:
        self.items = items
        self.lexicon = lexicon
        self.discourse = discourse
        self.kinds: list[tuple[Np, str, frozenset[int]]] = []  # (thing, noun, items): it must be a noun
        self.loose: set[int] = set()
        self.clause = self._settled(clause)
        self.subjects: list[Mention] = []

    # -- names with class nouns ---------------------------------------------------------------------------------
    def _settled(self, clause: Clause) -> Clause:
        """The clause with "the state of Ohio" and "the river Rhine" read as their names, the nouns kept as claims."""
        subj = self._named(clause.subj) if clause.subj is not None else None
        comps = tuple(replace(c, np=self._named(c.np)) if c.np is not None else c for c in clause.comps)
        return replace(clause, subj=subj, comps=comps)

    def _named(self, np: Np) -> Np:
        if np.kind is NpKind.LIST:
            return replace(np, parts=tuple(self._named(p) for p in np.parts))
        if np.kind in (NpKind.ENTITY, NpKind.NAME, NpKind.DATE, NpKind.QUANTITY):
            return self._titled(np)
        if np.det not in _PLAIN_DETS:
            self.loose |= {x for x in np.items if self.items[x].lower in np.det.split() and self.items[x].lower not in _PLAIN_DETS}
        of = self._named(np.of) if np.of is not None else None
        np = replace(np, of=of, posts=tuple((p, self._named(o)) for p, o in np.posts))
        if of is not None and of.kind is NpKind.ENTITY and not np.posts and np.kind is NpKind.NOUN and not np.inner:
            noun = "<".join([np.head, *(m for m, _ in reversed(np.mods))])
            if self._is_of(np) and any(self.lexicon.general(w, c) for w in (noun,) for c in self._candidates(of)):
                self.kinds.append((of, noun, np.items - of.items))
                return replace(of, items=np.items)
        return np

    def _is_of(self, np: Np) -> bool:
        return np.of is not None and any(self.items[x].lower == "of" for x in np.items - np.of.items)

    def _candidates(self, np: Np) -> tuple[str, ...]:
        entity = self.items[np.head_item].entity if np.head_item >= 0 else None
        return entity.candidates if entity else ()

    def _titled(self, np: Np) -> Np:
        if np.det not in _PLAIN_DETS:
            self.loose |= {x for x in np.items if self.items[x].lower in np.det.split() and self.items[x].lower not in ("the", "a", "an")}
        for noun, x in np.mods:
            if np.kind is NpKind.ENTITY and all(self.lexicon.general(noun, c) for c in self._candidates(np)):
                self.kinds.append((np, noun, frozenset((x,))))
            elif np.kind is NpKind.DATE and noun in ("year", "month", "decade", "century"):
                continue
            else:
                self.loose.add(x)
        for inner in np.inner:
            self.loose |= inner.items
        return np

    # -- matching -----------------------------------------------------------------------------------------------
    def claims(self) -> list[Claim]:
        """All claims of the clause."""
        out: list[Claim] = []
        matches = self._matches()
        dated = [m for m in matches if m.value.kind is NpKind.DATE]
        when = self._when(dated)
        for m in matches:
            out += self._stated(m, when)
        out += self._memberships()
        if not out and self._says_something():
            out.append(self._claim(self.clause.items, (), None))
        return out

    def _matches(self) -> list[_Match]:
        best: dict[tuple[int, int], _Match] = {}
        for keyed in keys(self.clause):
            if len(keyed.holes) != 2:
                continue
            for suffix, used in self._adverbs():
                entries = self.lexicon.entries(keyed.key + suffix)
                if entries:
                    self._offer(best, keyed, entries, used)
                    break
        return self._oriented(list(best.values()))

    def _oriented(self, matches: list[_Match]) -> list[_Match]:
        """Of two readings of one pair, from either end, the one about the grammatical subject."""
        ends = {(min(m.subject.items), min(m.value.items)) for m in matches}
        about = self.clause.subj.items if self.clause.subj is not None else frozenset()
        return [
            m for m in matches
            if (min(m.value.items), min(m.subject.items)) not in ends or min(m.subject.items) in about or not about
        ]

    def _adverbs(self) -> Iterator[tuple[str, frozenset[int]]]:
        adverbs = [a for a in self.clause.adverbs if a >= 0]
        for size in range(len(adverbs), -1, -1):
            for chosen in combinations(adverbs, size):
                suffix = "".join(sorted(f"^{self.items[a].lower}" for a in chosen))
                yield suffix, frozenset(chosen)

    def _offer(self, best: dict[tuple[int, int], _Match], keyed: Keyed, entries: Sequence[Entry], used: frozenset[int]) -> None:
        for entry in entries:
            subject, value = keyed.holes[entry.subject], keyed.holes[1 - entry.subject]
            if not self._fits(subject, "entity") or not self._fits(value, entry.value):
                continue
            at = (min(subject.items), min(value.items))
            items = keyed.items | used
            known = best.get(at)
            if known is None or len(items) > len(known.items):
                best[at] = _Match(subject, value, items, (entry,), keyed.noun)
            elif items == known.items or len(items) == len(known.items):
                if entry not in known.entries:
                    best[at] = replace(known, entries=(*known.entries, entry), items=known.items & items | known.subject.items | known.value.items)

    def _fits(self, np: Np, value: str) -> bool:
        """Whether a phrase may be an entity, a quantity, a date or a text."""
        leaves = np.leaves()
        if value == "entity":
            return all(x.kind in (*_NAMED, NpKind.PRONOUN) for x in leaves)
        if value == "quantity":
            return all(x.kind is NpKind.QUANTITY or self._also(x, "quantity") for x in leaves)
        if value == "date":
            return all(x.kind is NpKind.DATE or self._also(x, "date") for x in leaves)
        return all(x.kind is not NpKind.PRONOUN for x in leaves)

    def _also(self, np: Np, what: str) -> bool:
        return np.head_item >= 0 and getattr(self.items[np.head_item], what) is not None

    def _when(self, dated: list[_Match]) -> tuple[DateValue | None, frozenset[int]]:
        """A date of the clause that no property of its own takes up: it limits the relation in time."""
        taken = {min(m.value.items) for m in dated}
        for comp in self.clause.comps:
            np = comp.np
            if np is not None and np.kind is NpKind.DATE and min(np.items) not in taken:
                return self.items[np.head_item].date, comp.items
        return None, frozenset()

    # -- claims -------------------------------------------------------------------------------------------------
    def _stated(self, m: _Match, when: tuple[DateValue | None, frozenset[int]]) -> list[Claim]:
        out = []
        subjects, values = m.subject.leaves(), m.value.leaves()
        shared = m.items - m.subject.items - m.value.items
        marks = (m.subject.items | m.value.items) - {x for leaf in (*subjects, *values) for x in leaf.items}
        for s in subjects:
            for v in values:
                readings = tuple(r for e in sorted(m.entries, key=lambda e: e.tier) for r in self._statement(s, v, e, when[0], m))
                items = shared | marks | s.items | v.items | when[1]
                focus = v if len(values) > 1 else s if len(subjects) > 1 else None
                out.append(self._claim(items, _merged(readings), focus))
        return out

    def _statement(self, s: Np, v: Np, entry: Entry, when: DateValue | None, m: _Match) -> list[Statement]:
        predicate = (Predicate(entry.iri),)
        out: list[Statement] = []
        for subject in self._mentions(s):
            if entry.value == "entity" or (entry.value == "any" and v.kind in (*_NAMED, NpKind.PRONOUN)):
                for obj in self._mentions(v):
                    out.append(Relation(subject=subject, predicates=predicate, object=obj, when=when))
            elif entry.value in ("quantity", "any") and (q := self.items[v.head_item].quantity) is not None:
                out.append(Attribute(subject=subject, predicates=predicate, value=q, when=when))
            elif entry.value in ("date", "any", "quantity") and (d := self.items[v.head_item].date) is not None:
                out.append(Attribute(subject=subject, predicates=predicate, value=d, when=when))
            elif entry.value in ("text", "any"):
                out.append(Attribute(subject=subject, predicates=predicate, value=TextValue(self._words(v)), when=when))
        return out

    def _mentions(self, np: Np) -> tuple[Mention, ...]:
        if np.kind is NpKind.PRONOUN:
            start, end = self._span(np.items)
            found = self.discourse.antecedents(np)
            return tuple(Mention(start, end, self._words(np), m.candidates) for m in found) or (Mention(start, end, self._words(np)),)
        item = self.items[np.head_item]
        mention = item.entity or item.name or Mention(item.start, item.end, item.text)
        if np.kind is NpKind.ENTITY:
            self.subjects.append(mention)
        return (mention,)

    def _memberships(self) -> list[Claim]:
        out = []
        for np, noun, items in self.kinds:
            for subject in self._mentions(np):
                reading = Membership(subject=subject, classes=tuple(self.lexicon.classes(noun)), noun=noun.partition("<")[0])
                out.append(self._claim(items | np.items, (reading,), None))
        for keyed in keys(self.clause):
            if keyed.key != "isa" or keyed.noun is None:
                continue
            out += self._kind_claims(keyed)
        return out

    def _kind_claims(self, keyed: Keyed) -> list[Claim]:
        noun = keyed.noun
        assert noun is not None
        subject = keyed.holes[0]
        full = "<".join([noun.head, *(m for m, _ in reversed(noun.mods))])
        classes = tuple(self.lexicon.classes(full))
        used = frozenset(x for _, x in noun.mods) if classes else frozenset()
        if not classes:
            classes = tuple(self.lexicon.classes(noun.head))
        out = []
        for leaf in subject.leaves():
            if leaf.kind not in (*_NAMED, NpKind.PRONOUN):
                continue
            for s in self._mentions(leaf):
                general = bool(s.candidates) and all(self.lexicon.general(noun.head, c) for c in s.candidates)
                if classes or general:
                    reading = Membership(subject=s, classes=classes, noun=noun.head)
                    out.append(self._claim(keyed.items | used, (reading,), leaf if len(subject.leaves()) > 1 else None))
        return out

    def _says_something(self) -> bool:
        return any(not it.punct and not it.forms.closed for n, it in enumerate(self.items) if n in self.clause.items)

    def _claim(self, items: frozenset[int], readings: tuple[Statement, ...], focus: Np | None) -> Claim:
        covered = sorted((items | set(self.clause.negators)) - self.loose)
        covers = tuple((self.items[x].start, self.items[x].end) for x in covered if self.items[x].start >= 0)
        start, end = self._span(focus.items if focus is not None else frozenset(covered) or self.clause.items)
        return Claim(
            start=start, end=end, text=self._text(start, end), covers=covers, readings=readings, negated=self._negated(),
            modality=Modality.ASSERTED, past=self.clause.past,
        )

    def _negated(self) -> bool:
        no = sum(np.det.split()[:1] == ["no"] for np in (self.clause.subj, *(c.np for c in self.clause.comps)) if np is not None)
        return (len(self.clause.negators) + no) % 2 == 1

    def _span(self, items: frozenset[int]) -> tuple[int, int]:
        real = [self.items[x] for x in items if self.items[x].start >= 0]
        return (min(i.start for i in real), max(i.end for i in real)) if real else (0, 0)

    def _words(self, np: Np) -> str:
        start, end = self._span(np.items)
        return self._text(start, end)

    def _text(self, start: int, end: int) -> str:
        return " ".join(i.text for i in self.items if i.start >= start and i.end <= end)


def _merged(readings: tuple[Statement, ...]) -> tuple[Statement, ...]:
    return tuple(dict.fromkeys(readings))
