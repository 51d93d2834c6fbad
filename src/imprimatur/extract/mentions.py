"""The phrases of one clause as mentions: names with their class nouns, pronouns, "all three cells", spans and words.

"The state of Ohio" and "the river Rhine" are read as their names; that Ohio is a state is kept as a claim of its own
(``kinds``). Words before a name that no reading uses ("the former Lake X") stay unread: the accounting withholds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from imprimatur.claim import Mention
from imprimatur.extract.chains import anew
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.pooled import markers
from imprimatur.extract.syntax import Clause, Item, Np, NpKind, replace
from imprimatur.extract.unfold import filled
from imprimatur.protocols import Lexicon
from imprimatur.values import Bound

__all__ = ["NAMED", "Mentions", "at_as_of"]

NAMED = (NpKind.ENTITY, NpKind.NAME)
_PLAIN_DETS = frozenset(
    ("", "the", "a", "an", "its", "their", "his", "her", "xer", "this", "these", "both the", "both")
)
_POSSESSIVE = frozenset("its his her their whose xer".split())
_PERIODS = frozenset("year month decade century".split())


def at_as_of(np: Np) -> Np:
    """ "The coach at S" as "the coach of S"."""
    if np.kind is NpKind.LIST:
        return replace(np, parts=tuple(at_as_of(p) for p in np.parts))
    at = next((obj for prep, obj in np.posts if prep == "at"), None)
    if np.kind is not NpKind.NOUN or np.of is not None or at is None:
        return np
    return replace(np, of=at, posts=tuple(p for p in np.posts if p[1] is not at))


class Mentions:
    """What the phrases of a clause name."""

    def __init__(self, items: Sequence[Item], discourse: Discourse, clause: Clause) -> None:
        self.items = items
        self.lexicon: Lexicon = discourse
        self.discourse = discourse
        self.every: dict[int, Mention] = {}
        self.kinds: list[tuple[Np, str, frozenset[int]]] = []  # (thing, noun, items): it must be a noun
        self.left: dict[int, frozenset[int]] = {}  # by the head of a name: words before it that nothing accounts for
        self.bare = False  # whether the names are read without those words
        self.loose: set[int] = set()
        self.told: dict[int, tuple[Mention, ...]] = {}  # by the head of "the river": what it stands for
        self.inside: set[int] = (
            set()
        )  # names and numbers before a noun; only a reading that takes them as a value uses them
        self.clause = self._settled(clause)
        if self.clause.subj is not None:
            self.clause = self.clause._replace(subj=self.resumed(self.clause.subj))
        comps = tuple(c._replace(np=self.resumed(c.np)) if c.np is not None else c for c in self.clause.comps)
        self.clause = self.clause._replace(comps=comps)
        self.subjects: list[Mention] = []

    def _settled(self, clause: Clause) -> Clause:
        """The clause with "the state of Ohio" and "the river Rhine" read as their names, the nouns kept as claims."""
        subj = self.named(clause.subj) if clause.subj is not None else None
        comps = tuple(c._replace(np=self.named(c.np)) if c.np is not None else c for c in clause.comps)
        return clause._replace(subj=subj, comps=comps)

    def named(self, np: Np) -> Np:
        """The phrase with class nouns folded into the names that they go with."""
        if np.kind is NpKind.LIST:
            return replace(np, parts=tuple(self.named(p) for p in np.parts))
        if np.kind in (NpKind.ENTITY, NpKind.NAME, NpKind.DATE, NpKind.QUANTITY):
            return self._titled(np if np.of is None else replace(np, of=self.named(np.of)))
        if np.det.split()[:1] in (["all"], ["every"], ["each"]) and (whole := self._all_of(np)) is not None:
            return whole
        if np.det not in _PLAIN_DETS and not (anew(np) and self._named_apart()):
            self.loose |= {
                x for x in np.items if self.items[x].lower in np.det.split() and self.items[x].lower not in _PLAIN_DETS
            }
        self.inside.update(*(inner.items for inner in np.inner))
        of = self.named(np.of) if np.of is not None else None
        if of is not None or np.posts:
            np = np._replace(of=of, posts=tuple((p, self.named(o)) for p, o in np.posts))
        if of is not None and of.kind is NpKind.ENTITY and not np.posts and np.kind is NpKind.NOUN and not np.inner:
            noun = "<".join([np.head, *(m for m, _ in reversed(np.mods))])
            if self._is_of(np) and any(self.lexicon.of_kind(noun, c) for c in self.candidates_of(of)):
                self.kinds.append((of, noun, np.items - of.items))
                return replace(of, items=np.items)
        return np

    def _named_apart(self) -> bool:
        """Whether no name stands twice in the sentence: another name for A is not A."""
        names = [i.lower for i in self.items if i.entity is not None or i.name is not None]
        return len(set(names)) == len(names)

    def _all_of(self, np: Np) -> Np | None:
        """ "All three cells": one phrase for every member of a class that the graph knows."""
        classes = self.lexicon.classes(np.head)
        if markers(self.items):
            return None  # "the total length of all rivers" is said of none by itself
        plain = np.kind is NpKind.NOUN and not (np.mods or np.of or np.posts or np.clauses) and len(np.inner) <= 1
        if not plain or len(classes) != 1:
            return None
        number = self.items[np.inner[0].head_item].quantity if np.inner else None
        start, end = self.span(np.items)
        self.every[np.head_item] = Mention(
            start,
            end,
            self.words(np),
            tuple(self.lexicon.instances(classes[0])),
            every=classes[0],
            count=int(number.low.value) if number is not None else None,
        )
        return Np(NpKind.ENTITY, np.items, head=np.head, head_item=np.head_item)

    def _is_of(self, np: Np) -> bool:
        return np.of is not None and any(self.items[x].lower == "of" for x in np.items - np.of.items)

    def candidates_of(self, np: Np) -> tuple[str, ...]:
        """The entities that a phrase may name."""
        entity = self.items[np.head_item].entity if np.head_item >= 0 else None
        return entity.candidates if entity else ()

    def _titled(self, np: Np) -> Np:
        if np.det not in _PLAIN_DETS:
            self.loose |= {
                x
                for x in np.items
                if self.items[x].lower in np.det.split() and self.items[x].lower not in ("the", "a", "an")
            }
        whole = "<".join(m for m, _ in reversed(np.mods))
        if len(np.mods) > 1 and np.kind is NpKind.ENTITY and not np.inner and self.lexicon.classes(whole):
            self.kinds.append((np, whole, frozenset(x for _, x in np.mods)))  # "the comic character X"
            np = replace(np, mods=())
        for noun, x in np.mods:
            if np.kind is NpKind.ENTITY and all(self.lexicon.general(noun, c) for c in self.candidates_of(np)):
                self.kinds.append((np, noun, frozenset((x,))))
                np = replace(np, mods=tuple(m for m in np.mods if m[1] != x))
        plain = np.kind is NpKind.DATE and all(noun in _PERIODS for noun, _ in np.mods)
        if np.mods and not plain:
            self.left[np.head_item] = frozenset(x for _, x in np.mods)
        return np

    def before(self, np: Np) -> frozenset[int]:
        """The words before a name, number or date that no class noun accounts for ("the former Lake X")."""
        if np.kind is NpKind.NOUN:
            return frozenset()
        return self.left.get(np.head_item, frozenset()).union(*(inner.items for inner in np.inner))

    def unread(self, np: Np, key: str) -> frozenset[int]:
        """Those of them that a key does not hold ("goes by the name X" holds "name")."""
        left = self.left.get(np.head_item)
        if not left:
            return self.before(np)
        words = re.split(r"[:|=<>{}&^%#\[\]]", key)
        held = frozenset() if self.bare else left - {x for m, x in np.mods if m not in words}
        return self.before(np) - held

    def stripped(self, np: Np) -> Np:
        """The phrase without the words before its names."""
        if np.kind not in (NpKind.NOUN, NpKind.LIST):
            return replace(np, mods=())
        of = self.stripped(np.of) if np.of is not None else None
        parts = tuple(self.stripped(p) for p in np.parts)
        return replace(np, of=of, parts=parts, posts=tuple((prep, self.stripped(o)) for prep, o in np.posts))

    def mentions(self, np: Np) -> tuple[Mention, ...]:
        """What a phrase may stand for: a name, or the antecedents of a pronoun."""
        if np.kind is NpKind.PRONOUN:
            start, end = self.span(np.items)
            found = self.told.get(np.head_item) or self.discourse.antecedents(np, self.items, apart=self._fellows(np))
            return tuple(Mention(start, end, self.words(np), m.candidates) for m in found) or (
                Mention(start, end, self.words(np)),
            )
        if np.head_item in self.every:
            return (self.every[np.head_item],)
        item = self.items[np.head_item]
        mention = item.entity or item.name or Mention(item.start, item.end, item.text)
        if np.kind is NpKind.ENTITY:
            self.subjects.append(mention)
        return (mention,)

    def _fellows(self, np: Np) -> frozenset[int]:
        """The heads of the phrases with which a pronoun shares its verb; of a possessive one: "A is its tributary"."""
        subj = self.clause.subj
        stands = any(c.np is not None and np in c.np.leaves() for c in self.clause.comps)  # "by her", not "her book"
        if np.head in _POSSESSIVE and not stands:
            being = (
                filled(self.clause).verb in ("be", "become", "remain")
                and subj is not None
                and not np.items & subj.items
            )
            return frozenset(leaf.head_item for leaf in subj.leaves()) if being and subj is not None else frozenset()
        phrases = (subj, *(c.np for c in self.clause.comps))
        if not any(p is not None and np.items <= {leaf.head_item for leaf in p.leaves()} for p in phrases):
            return frozenset()
        told = filled(self.clause).verb == "be" and subj is not None and np.items <= subj.items
        said = [c.np for c in self.clause.comps if told and c.np is not None]
        inside = {x for p in said for x in p.items | (p.of.items if p.of is not None else frozenset())}
        return frozenset(leaf.head_item for p in phrases if p is not None for leaf in p.leaves()) | inside

    def resumed(self, np: Np) -> Np:
        """ "The river", "both rivers" as a pronoun where it stands for what was named before; others as they are."""
        if self._of_two(np) and (two := self.discourse.two(np.head)):
            self.told[np.head_item] = two
            return Np(NpKind.PRONOUN, np.items, head="both", head_item=np.head_item)
        again = np.kind is NpKind.NOUN and np.det in ("the", "this", "that") and not np.plural
        if not again or np.mods or np.inner or np.of is not None or np.posts or np.clauses or np.appos:
            return np
        found = self.discourse.antecedents(np, self.items, apart=self._fellows(np))
        if not found:
            return np
        self.told[np.head_item] = found
        return Np(NpKind.PRONOUN, np.items, head="it", head_item=np.head_item)

    def of_topic(self, np: Np) -> Np:
        """ "The cast" as the cast of what "it" would stand for here; other phrases as they are."""
        if np.kind is NpKind.LIST:
            return replace(np, parts=tuple(self.of_topic(p) for p in np.parts))
        owned = np.of is not None or np.inner or np.posts or np.clauses or np.appos or np.listed
        if np.kind is not NpKind.NOUN or np.det != "the" or owned or self._told_apart(max(np.items) + 1):
            return np
        first = min(np.items)
        it = Np(NpKind.PRONOUN, frozenset((first,)), head="it", head_item=first)
        found = self.discourse.antecedents(it, self.items, apart=self._names_here())
        if not found:
            return np
        self.told[first] = found
        return replace(np, of=it)

    def _told_apart(self, after: int) -> bool:
        """Whether a relative or participial clause follows at an item, which says of which thing a phrase is."""
        if after >= len(self.items) or after == self.clause.verb_item:
            return False
        f = self.items[after].forms
        return bool(f.closed & {"rel"} or f.verb_forms & {"pp", "ing"}) and not f.closed & {"aux"}

    def _names_here(self) -> frozenset[int]:
        """The items of all phrases of the clause."""
        phrases = (self.clause.subj, *(c.np for c in self.clause.comps))
        return frozenset().union(*(p.items for p in phrases if p is not None))

    def _of_two(self, np: Np) -> bool:
        """Whether a phrase is "both rivers" or "the two rivers"."""
        told = np.mods or np.of is not None or np.posts or np.clauses or np.appos or np.listed is not None
        if np.kind is not NpKind.NOUN or not np.plural or told:
            return False
        numbers = [self.items[q.head_item].quantity for q in np.inner]
        two = [q for q in numbers if q is not None and q.low.value == 2 and q.high is None and q.bound is Bound.EXACT]
        return (np.det == "both" and not numbers) or (np.det in ("the", "these") and len(two) == len(numbers) == 1)

    def also(self, np: Np, what: str) -> bool:
        """Whether the head of a phrase is also a quantity or a date."""
        told = np.mods or np.inner or np.of or np.posts or np.clauses or np.appos
        alone = np.kind is not NpKind.NOUN or not told
        return alone and np.head_item >= 0 and getattr(self.items[np.head_item], what) is not None

    def span(self, items: frozenset[int]) -> tuple[int, int]:
        """The span of some items in the answer; (0, 0) when none of them is in it."""
        real = [self.items[x] for x in items if self.items[x].start >= 0]
        return (min(i.start for i in real), max(i.end for i in real)) if real else (0, 0)

    def words(self, np: Np) -> str:
        """The words of a value: a name, number or date by itself, a noun phrase without its determiner."""
        named = np.kind not in (NpKind.NOUN, NpKind.LIST)
        plain = {np.head_item} if named else {x for x in np.items if "det" not in self.items[x].forms.closed}
        start, end = self.span(frozenset(plain or np.items))
        return self.text(start, end)

    def text(self, start: int, end: int) -> str:
        """The words of a span, joined by spaces."""
        return " ".join(i.text for i in self.items if i.start >= start and i.end <= end)
