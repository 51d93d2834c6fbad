"""What the keys of a clause mean: the phrases that a wording links, and the properties that it may mean.

A clause is tried as it stands, then without the words before its names, with what "the cast" belongs to, and without
the adjectives of its nouns; what is left out then stays unread, so that the accounting withholds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from imprimatur._dataclasses import dataclass
from imprimatur.claim import (
    When,
)
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.keyed import Keyed
from imprimatur.extract.keys import keys
from imprimatur.extract.mentions import NAMED, Mentions, at_as_of
from imprimatur.extract.narrowing import narrowing, unqualified
from imprimatur.extract.spans import span_entries
from imprimatur.extract.syntax import Clause, Comp, Compared, Item, Lasting, Np, NpKind, Ranked
from imprimatur.extract.times import dates_of, telling_dates, times
from imprimatur.extract.words import ABLE, HAVE
from imprimatur.protocols import Entry

__all__ = ["Match", "Matches", "Sense"]

#: Adverbs of arriving; of what comes last anyway they say nothing more.
_AT_LAST = frozenset("eventually finally ultimately".split())


@dataclass(frozen=True, slots=True)
class Sense:
    """A property that a pair of phrases may state, and which of the two phrases is its subject (0 or 1)."""

    entry: Entry
    subject: int


@dataclass(frozen=True, slots=True)
class Match:
    """Two phrases that a wording links, in the order of the text, and the properties it may mean."""

    first: Np
    second: Np
    items: frozenset[int]
    senses: tuple[Sense, ...]
    unread: frozenset[int] = frozenset()  # words before the names that the wording does not hold

    def ends(self, sense: Sense) -> tuple[Np, Np]:
        """The subject and the value in one sense."""
        return (self.first, self.second) if sense.subject == 0 else (self.second, self.first)


class Matches(Mentions):
    """The properties that one clause may state."""

    def __init__(self, items: Sequence[Item], discourse: Discourse, clause: Clause) -> None:
        super().__init__(items, discourse, clause)
        self.standing = any(i.stands for i in items)  # whether a value is given by comparison
        self.keys = (*keys(self.clause), *self._turned(at_as_of))
        self.matches: list[Match] = []
        self.listed = False  # whether a list is one end of a claim
        self.narrowed = False  # whether adjectives were left out to read it
        self.used: set[int] = set()  # the items that its claims account for

    def _matches(self) -> list[Match]:
        """What the keys mean; where they mean nothing, what they mean without the words before the names."""
        found = self._offered()
        if not found and self.left:
            self.bare = True
            subj = self.stripped(self.clause.subj) if self.clause.subj is not None else None
            comps = tuple(c._replace(np=self.stripped(c.np)) if c.np is not None else c for c in self.clause.comps)
            self.keys = keys(self.clause._replace(subj=subj, comps=comps))
            found = self._offered()
        if not found:
            found = self._related()
        if not found and not self.clause.negated:
            found = self._broader()
        return found

    def _turned(self, turn: Callable[[Np], Np]) -> tuple[Keyed, ...]:
        """The keys of the clause with its phrases put another way; none when that changes nothing."""
        subj = turn(self.clause.subj) if self.clause.subj is not None else None
        comps = tuple(c._replace(np=turn(c.np)) if c.np is not None else c for c in self.clause.comps)
        if subj == self.clause.subj and comps == self.clause.comps:
            return ()
        return tuple(keys(self.clause._replace(subj=subj, comps=comps)))

    def _related(self) -> list[Match]:
        """What the keys mean with "the cast" as the cast of what is spoken of."""
        own, self.keys = self.keys, self._turned(self.of_topic)
        found = self._offered()
        if found:
            self.discourse.goes_on()
        else:
            self.keys = own
        return found

    def _broader(self) -> list[Match]:
        """What the keys mean without the adjectives of their nouns ("the main tributary"); those stay unread."""
        self.plain = frozenset(x for np in self._nouns() for x in narrowing(np, self.items))
        if not self.plain:
            return []
        subj = unqualified(self.clause.subj, self.plain) if self.clause.subj is not None else None
        comps = tuple(
            c._replace(np=unqualified(c.np, self.plain)) if c.np is not None else c for c in self.clause.comps
        )
        own, self.keys = self.keys, keys(self.clause._replace(subj=subj, comps=comps))
        found = self._offered()
        self.keys = own
        self.narrowed = bool(found)
        return [replace(m, items=m.items - self.plain, unread=m.unread | self.plain) for m in found]

    def _nouns(self) -> Iterator[Np]:
        for np in (self.clause.subj, *(c.np for c in self.clause.comps)):
            yield from np.leaves() if np is not None else ()

    def _offered(self) -> list[Match]:
        best: dict[tuple[int, int], Match] = {}
        adverbs = tuple(self._adverbs())
        for keyed in self.keys:
            if len(keyed.holes) != 2 or (
                keyed.key.startswith(("#", "be|adj=")) and any(map(self._ordinal, keyed.holes))
            ):
                continue
            for suffix, used in adverbs:
                entries = self._entries(keyed, keyed.key + suffix)
                if entries:
                    self._offer(best, keyed, entries, used)
                    break
        return [self._oriented(m) for m in best.values() if not self._dated_twin(m, best.values())]

    def _dated_twin(self, m: Match, all_of: Iterable[Match]) -> bool:
        """Whether a name that is a date too stands beside what is said without it: then it is the time."""
        dates = [np for np in (m.first, m.second) if np.kind is NpKind.ENTITY and self.also(np, "date")]
        return len(dates) == 1 and any(dates[0] not in (x.first, x.second) for x in all_of)

    def _entries(self, keyed: Keyed, key: str) -> Sequence[Entry]:
        """What a key means; with a value given by comparison also what it means in comparisons only."""
        if not self.standing:
            return self.lexicon.entries(key)
        stands = [self.items[h.head_item].stands for h in keyed.holes if h.head_item >= 0]
        if any(isinstance(s, Lasting) for s in stands):
            return tuple(span_entries(key, self.lexicon))
        named = any(isinstance(s, (Compared, Ranked)) and s.named for s in stands)
        if named and (not key.startswith("=") or key.startswith("=~")):
            return ()
        entries = self.lexicon.entries(key)
        if any(isinstance(s, (Compared, Ranked)) for s in stands):
            entries = (*entries, *self.lexicon.entries(">" + key))
        return entries

    def _ordinal(self, np: Np) -> bool:
        """Whether a phrase is headed by an ordinal: "a third arch" counts no arches."""
        quantity = self.items[np.head_item].quantity
        return quantity is not None and quantity.ordinal

    def _oriented(self, m: Match) -> Match:
        """Of two senses that say the same from either end, the one about the grammatical subject."""
        about = self.clause.subj.items if self.clause.subj is not None else frozenset()
        front = 1 if min(m.second.items) in about else 0
        said = {i for s in m.senses if s.subject == front for i in s.entry.inverses}
        return replace(m, senses=tuple(s for s in m.senses if s.subject == front or s.entry.iri not in said))

    def _adverbs(self) -> Iterator[tuple[str, frozenset[int]]]:
        adverbs = [a for a in self.clause.adverbs if a >= 0]
        for size in range(len(adverbs), -1, -1):
            for chosen in combinations(adverbs, size):
                suffix = "".join(sorted(f"^{self.items[a].lower}" for a in chosen))
                yield suffix, frozenset(chosen)

    def _offer(
        self, best: dict[tuple[int, int], Match], keyed: Keyed, entries: Sequence[Entry], used: frozenset[int]
    ) -> None:
        if any(self.items[h.head_item].interval for h in keyed.holes if h.head_item >= 0):
            return
        order = (0, 1) if min(keyed.holes[0].items) <= min(keyed.holes[1].items) else (1, 0)
        first, second = keyed.holes[order[0]], keyed.holes[order[1]]
        able = self._able()
        senses = tuple(
            Sense(e, order.index(e.subject))
            for e in entries
            if (able or "able" not in e.traits)
            and self._fits(keyed.holes[e.subject], "entity")
            and self._fits(keyed.holes[1 - e.subject], e.value)
        )
        if not senses:
            return
        at = (min(first.items), min(second.items))
        unread = frozenset().union(*(self.unread(leaf, keyed.key) for h in keyed.holes for leaf in h.leaves()))
        items = (keyed.items | used) - unread
        known = best.get(at)
        if known is None or len(items - known.items) > len(known.items - items):
            best[at] = Match(first, second, items, senses, unread)
        elif len(items) == len(known.items):
            new = tuple(x for x in senses if x not in known.senses)
            best[at] = replace(
                known, senses=known.senses + new, items=known.items & items, unread=known.unread | unread
            )

    def _fits(self, np: Np, value: str) -> bool:
        """Whether a phrase may be an entity, a quantity, a date or a text."""
        leaves = np.leaves()
        if value == "entity":
            return all(x.kind in (*NAMED, NpKind.PRONOUN) for x in leaves)
        if value in ("quantity", "span"):
            return all(x.kind is NpKind.QUANTITY or self.also(x, "quantity") for x in leaves)
        if value == "date":
            return all(x.kind is NpKind.DATE or self.also(x, "date") for x in leaves)
        return all(x.kind is not NpKind.PRONOUN for x in leaves)

    def _when(self, dated: list[Np]) -> tuple[When | None, frozenset[int]]:
        """Dates of the clause that no property of its own takes up: they limit the relation in time."""
        if not any(i.date for i in self.items):
            return None, frozenset()
        taken = {min(np.items) for np in dated}
        found = [
            (role, np, items) for role, np, items in dates_of(self.clause, self.items) if min(np.items) not in taken
        ]
        found = telling_dates(found, self.clause.verb, self.items)
        if not found:
            return None, frozenset()
        used = frozenset().union(*(items - self.before(np) for _, np, items in found))
        return times(found, self.clause.verb, self.items), used

    def _able(self) -> bool:
        """Whether the clause says what can or may be, and not what may have been."""
        before = (self.items[n] for n in self.clause.items if n < self.clause.verb_item)
        return self.clause.modal in ABLE and not self.clause.past and all(i.lower not in HAVE for i in before)

    def _meant(self, m: Match) -> tuple[Match, frozenset[int], bool]:
        """The match as its adverbs and modal allow, the adverbs that then say nothing more, and whether "can" is meant.

        "Eventually" goes without saying of what comes last of all that is said of the subject, "can" of what is only
        ever potential ("can cause nausea", "can seat 500") or is said with "can".
        """
        adverbs = frozenset(a for a in self.clause.adverbs if self.items[a].lower in _AT_LAST)
        adverbs |= {x for c in self.clause.comps if self._in_the_end(c) for x in c.items}
        about = self.clause.subj.items if self.clause.subj is not None else frozenset()
        ending = (s for s in m.senses if "last" in s.entry.traits and m.ends(s)[0].items <= about)
        last = tuple(ending) if adverbs else ()
        m = replace(m, senses=last) if last else m
        can = self.clause.modal == "can"
        potential = tuple(s for s in m.senses if can and not {"potential", "able"}.isdisjoint(s.entry.traits))
        m = replace(m, senses=potential) if potential else m
        return m, adverbs if last else frozenset(), bool(potential)

    @staticmethod
    def _in_the_end(comp: Comp) -> bool:
        noun = comp.np if comp.role == "loc" else None
        bare = noun is not None and noun.det == "the" and not (noun.mods or noun.of or noun.posts or noun.inner)
        return bare and noun is not None and noun.head == "end"

    def with_trait(self, trait: str) -> frozenset[str]:
        """The properties with a trait that the clause may state of its subject."""
        about = self.clause.subj.items if self.clause.subj is not None else frozenset()
        told = ((m, s) for m in self.matches for s in m.senses)
        return frozenset(s.entry.iri for m, s in told if trait in s.entry.traits and m.ends(s)[0].items <= about)
