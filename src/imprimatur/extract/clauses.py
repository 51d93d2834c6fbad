"""The claims of one clause: its keys, what the lexicon says that they mean, and the things in their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from imprimatur._dataclasses import dataclass
from imprimatur.claim import (
    Aggregate,
    Attribute,
    Claim,
    Comparison,
    Membership,
    Mention,
    Modality,
    Predicate,
    Relation,
    Span,
    Statement,
    Superlative,
    When,
)
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.keys import Keyed, keys
from imprimatur.extract.mentions import NAMED, Mentions, at_as_of
from imprimatur.extract.narrowing import narrowing, unqualified
from imprimatur.extract.spans import span_entries
from imprimatur.extract.syntax import Clause, Comp, Compared, Item, Lasting, Np, NpKind, Pooled, Ranked
from imprimatur.extract.times import dates_of, telling_dates, times
from imprimatur.extract.versions import spans_of
from imprimatur.extract.words import forms
from imprimatur.protocols import Entry
from imprimatur.values import Bound, Quantity, TextValue, Value

__all__ = ["ClauseClaims"]

#: What can be perceived is there.
_SHOWN = frozenset("see find feel hear notice observe trace detect recognize discern".split())
#: With these verbs "over 5 km" gives the extent, not a bound.
_TURNED = {">": "<", "<": ">", "=": "="}
#: Adverbs of arriving; of what comes last anyway they say nothing more.
_AT_LAST = frozenset("eventually finally ultimately".split())
_EXTENDING = frozenset("stretch extend spread range run".split())


@dataclass(frozen=True, slots=True)
class _Sense:
    """A property that a pair of phrases may state, and which of the two phrases is its subject (0 or 1)."""

    entry: Entry
    subject: int


@dataclass(frozen=True, slots=True)
class _Match:
    """Two phrases that a wording links, in the order of the text, and the properties it may mean."""

    first: Np
    second: Np
    items: frozenset[int]
    senses: tuple[_Sense, ...]
    unread: frozenset[int] = frozenset()  # words before the names that the wording does not hold

    def ends(self, sense: _Sense) -> tuple[Np, Np]:
        """The subject and the value in one sense."""
        return (self.first, self.second) if sense.subject == 0 else (self.second, self.first)


def _own(np: Np) -> frozenset[int]:
    """The items of a value without those of what it is a share of ("half of the watershed")."""
    return np.items - np.of.items if np.of is not None and np.kind is NpKind.QUANTITY else np.items


class ClauseClaims(Mentions):
    """The reading of one clause."""

    def __init__(self, items: Sequence[Item], discourse: Discourse, clause: Clause) -> None:
        super().__init__(items, discourse, clause)
        self.standing = any(i.stands for i in items)  # whether a value is given by comparison
        self.keys = (*keys(self.clause), *self._turned(at_as_of))
        self.matches: list[_Match] = []
        self.listed = False  # whether a list is one end of a claim
        self.narrowed = False  # whether adjectives were left out to read it
        self.used: set[int] = set()  # the items that its claims account for

    # -- matching -----------------------------------------------------------------------------------------------
    def claims(self) -> list[Claim]:
        """All claims of the clause."""
        out: list[Claim] = []
        matches = self.matches = self._matches()
        ends = [leaf for m in matches for np in (m.first, m.second) for leaf in np.leaves()]
        when = self._when([np for np in ends if np.kind is NpKind.DATE or self.also(np, "date")])
        for m in matches:
            out += self._stated(m, when)
        out += self._memberships()
        out += self._lifespan()
        if self._gapped():
            out = [replace(c, readings=()) for c in out]
        if self._equated() or (not out and self._says_something()):
            out.append(self._claim(self.clause.items, (), None))
        return out

    def _equated(self) -> bool:
        """Whether one name is said to be another one ("A, a novel of B": B is a novel, but A is not B)."""
        said = [c.np for c in self.clause.comps if c.role == "obj" and c.np is not None]
        if self.matches or self.clause.verb != "be" or self.clause.subj is None or len(said) != 1:
            return False
        one, other = self.clause.subj, said[0]
        told = one.kind in NAMED and any(np.head_item == other.head_item for np, _, _ in self.kinds)
        return told and not {*self.candidates_of(one)} & {*self.candidates_of(other)}

    def _gapped(self) -> bool:
        """Whether a list is followed by a phrase of its own role: "A crosses B and C D" leaves out a verb."""
        roles = [c.role for c in self.clause.comps if c.np is not None]
        lists = {c.role for c in self.clause.comps if c.np is not None and c.np.kind is NpKind.LIST}
        return any(roles.count(role) > 1 for role in lists)

    def _matches(self) -> list[_Match]:
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

    def _related(self) -> list[_Match]:
        """What the keys mean with "the cast" as the cast of what is spoken of."""
        own, self.keys = self.keys, self._turned(self.of_topic)
        found = self._offered()
        if found:
            self.discourse.goes_on()
        else:
            self.keys = own
        return found

    def _broader(self) -> list[_Match]:
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

    def _offered(self) -> list[_Match]:
        best: dict[tuple[int, int], _Match] = {}
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

    def _dated_twin(self, m: _Match, all_of: Iterable[_Match]) -> bool:
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

    def _oriented(self, m: _Match) -> _Match:
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
        self, best: dict[tuple[int, int], _Match], keyed: Keyed, entries: Sequence[Entry], used: frozenset[int]
    ) -> None:
        if any(self.items[h.head_item].interval for h in keyed.holes if h.head_item >= 0):
            return
        order = (0, 1) if min(keyed.holes[0].items) <= min(keyed.holes[1].items) else (1, 0)
        first, second = keyed.holes[order[0]], keyed.holes[order[1]]
        senses = tuple(
            _Sense(e, order.index(e.subject))
            for e in entries
            if self._fits(keyed.holes[e.subject], "entity") and self._fits(keyed.holes[1 - e.subject], e.value)
        )
        if not senses:
            return
        at = (min(first.items), min(second.items))
        unread = frozenset().union(*(self.unread(leaf, keyed.key) for h in keyed.holes for leaf in h.leaves()))
        items = (keyed.items | used) - unread
        known = best.get(at)
        if known is None or len(items - known.items) > len(known.items - items):
            best[at] = _Match(first, second, items, senses, unread)
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

    # -- claims -------------------------------------------------------------------------------------------------
    def _stated(self, m: _Match, when: tuple[When | None, frozenset[int]]) -> list[Claim]:
        out = []
        m, adverbs, can = self._meant(m)
        firsts, seconds = m.first.leaves(), m.second.leaves()
        shared = m.items - m.first.items - m.second.items
        marks = (m.first.items | m.second.items) - {x for leaf in (*firsts, *seconds) for x in leaf.items}
        self.listed = self.listed or len(firsts) > 1 or len(seconds) > 1
        several = len(firsts) > 1 and len(seconds) > 1
        paired = {n for n, i in enumerate(self.items) if i.lower == "respectively"} if several else set()
        shared |= paired | self._numbered(m.first) | self._numbered(m.second)
        for x, a in enumerate(firsts):
            for y, b in enumerate(seconds):
                if paired and x != y:
                    continue
                clear = not several or (bool(paired) and len(firsts) == len(seconds))
                clear = clear and not self._either(m)
                readings = tuple(
                    r
                    for s in sorted(m.senses, key=lambda s: s.entry.tier)
                    for r in self._statement(*((a, b) if s.subject == 0 else (b, a)), s.entry, when[0])
                    if clear
                )
                focus = b.items if len(seconds) > 1 else a.items if len(firsts) > 1 else self._apart(m)
                unread = ((self.inside - _own(a) - _own(b)) | m.unread) - when[1]
                items = (shared | marks | a.items | b.items | when[1] | adverbs) - unread
                claim = self._claim(items, tuple(dict.fromkeys(readings)), focus, narrowed=self.narrowed, can=can)
                out += self._converted(claim, (a, b))
        return out

    def _meant(self, m: _Match) -> tuple[_Match, frozenset[int], bool]:
        """The match as its adverbs and modal allow, the adverbs that then say nothing more, and whether "can" is meant.

        "Eventually" goes without saying of what comes last of all that is said of the subject, "can" of what is only
        ever potential ("can cause nausea", "can seat 500").
        """
        adverbs = frozenset(a for a in self.clause.adverbs if self.items[a].lower in _AT_LAST)
        adverbs |= {x for c in self.clause.comps if self._in_the_end(c) for x in c.items}
        about = self.clause.subj.items if self.clause.subj is not None else frozenset()
        ending = (s for s in m.senses if "last" in s.entry.traits and m.ends(s)[0].items <= about)
        last = tuple(ending) if adverbs else ()
        m = replace(m, senses=last) if last else m
        potential = tuple(s for s in m.senses if "potential" in s.entry.traits) if self.clause.modal == "can" else ()
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

    def _converted(self, claim: Claim, ends: tuple[Np, Np]) -> list[Claim]:
        """The claim; where a number stands beside a conversion that does not fit it, one claim of each."""
        parts = [self.items[np.head_item].spans for np in ends if np.kind is NpKind.QUANTITY and np.head_item >= 0]
        stated = [r for r in claim.readings if isinstance(r, Attribute) and isinstance(r.value, Quantity)]
        values = {r.value for r in stated if isinstance(r.value, Quantity)}
        spans = next((found for found in parts if len(found) == 2), None)
        whole = next(iter(values), None)
        if spans is None or whole is None or whole.partner is None or len(values) > 1 or stated != [*claim.readings]:
            return [claim]
        span, bracket = spans
        main = replace(whole, partner=None)
        alone = tuple(replace(r, value=main) for r in stated)
        converted = tuple(replace(r, value=whole.partner, beside=main) for r in stated)
        named = {(r.subject.start, r.subject.end) for r in stated}
        return [
            self._at(claim, span, alone, [c for c in claim.covers if c != bracket]),
            self._at(claim, bracket, converted, sorted({*named, bracket})),
        ]

    def _at(
        self, claim: Claim, span: tuple[int, int], readings: tuple[Statement, ...], covers: Sequence[tuple[int, int]]
    ) -> Claim:
        """A part of a claim with a place of its own."""
        start, end = span
        return replace(claim, start=start, end=end, text=self.text(start, end), readings=readings, covers=tuple(covers))

    def _numbered(self, np: Np) -> frozenset[int]:
        """The number before some names, where it is how many they are ("two towns: A and B")."""
        if np.kind is not NpKind.LIST:
            return frozenset()
        found = frozenset(x for part in np.parts for x in self._numbered(part))
        for q in np.inner:
            stated = self.items[q.head_item].quantity
            plain = " " not in self.items[q.head_item].lower  # "exactly two" says that there are no more
            exact = plain and stated is not None and stated.bound is Bound.EXACT and stated.high is None
            if exact and stated is not None and stated.low.value == len(np.leaves()):
                found |= q.items
        return found

    def _either(self, m: _Match) -> bool:
        """Whether only one member of a list need be meant ("A or B"); denied, all of them are."""
        return not self._negated() and any(np.kind is NpKind.LIST and np.joint == "or" for np in (m.first, m.second))

    def _apart(self, m: _Match) -> frozenset[int] | None:
        """Where a clause states several things of one subject: the complement that this one is about."""
        about = self.clause.subj.items if self.clause.subj is not None else frozenset()
        stated = [x for x in self.matches if min(x.first.items) in about or min(x.second.items) in about]
        value = m.second if min(m.first.items) in about else m.first
        if len(stated) < 2 or m not in stated:
            return None
        return next((c.items for c in self.clause.comps if value.items <= c.items), None)

    def _statement(self, s: Np, v: Np, entry: Entry, when: When | None) -> list[Statement]:
        predicate = (Predicate(entry.iri, tier=entry.tier),)
        out: list[Statement] = []
        for subject in self.mentions(s):
            if entry.value == "entity" or (entry.value == "any" and v.kind in (*NAMED, NpKind.PRONOUN)):
                for obj in self.mentions(v):
                    out.append(Relation(subject=subject, predicates=predicate, object=obj, when=when))
                continue
            stands = self.items[v.head_item].stands
            if stands is not None:
                # When a comparison held is not known: values that have changed are not compared.
                out += self._measured(subject, stands, entry) if when is None else []
                continue
            value = self._value(v, entry.value)
            if value is not None:
                out.append(Attribute(subject=subject, predicates=predicate, value=value, when=when))
        return out

    def _measured(
        self, subject: Mention, stands: Compared | Ranked | Lasting | Pooled, entry: Entry
    ) -> list[Statement]:
        """A value that is given by another thing's, or by its rank."""
        predicates = (Predicate(entry.iri, tier=entry.tier),)
        if isinstance(stands, Lasting):
            starts = tuple(Predicate(iri) for iri in entry.starts)
            return [
                Span(subject=subject, predicates=(s,), ends=predicates, value=stands.value, age=entry.age)
                for s in starts
            ]
        if isinstance(stands, Pooled):
            pooled = Aggregate(
                subject=subject, members=stands.members, predicates=predicates, value=stands.value, mean=stands.mean
            )
            return [pooled] if entry.value == "quantity" else []
        if entry.value not in ("quantity", "date"):
            return []
        if isinstance(stands, Ranked):
            return [
                Superlative(
                    subject=subject,
                    predicates=predicates,
                    within=stands.within,
                    largest=stands.largest != entry.turned,
                    rank=stands.rank,
                    among=stands.among,
                )
            ]
        sign = _TURNED[stands.sign] if entry.turned else stands.sign
        if sign == "=" and self._negated():
            sign = "<=" if entry.turned else ">="  # "not as long as" is less than that
        if stands.times is not None and entry.turned:
            return []  # "twice as short"
        other = stands.other
        return [
            Comparison(subject=subject, other=other, predicates=predicates, sign=sign, by=stands.by, times=stands.times)
        ]

    def _value(self, v: Np, kind: str) -> Value | None:
        item = self.items[v.head_item]
        if kind in ("quantity", "any") and item.quantity is not None:
            over = self.clause.verb in _EXTENDING and item.lower.startswith("over ")
            return replace(item.quantity, bound=Bound.EXACT) if over else item.quantity
        if kind in ("date", "any", "quantity") and item.date is not None:
            return (
                replace(item.date, bound=Bound.EXACT)
                if item.lower.startswith(("until", "till", "since"))
                else item.date
            )
        return TextValue(self.words(v)) if kind in ("text", "any") else None

    def _memberships(self) -> list[Claim]:
        out = []
        for np, noun, items in self.kinds:
            for subject in self.mentions(np):
                reading = Membership(
                    subject=subject, classes=tuple(self.lexicon.classes(noun)), noun=noun.partition("<")[0]
                )
                out.append(self._claim(items | np.items - self.before(np), (reading,), None))
        for keyed in self.keys:
            if keyed.key != "isa" or keyed.noun is None:
                continue
            out += self._kind_claims(keyed)
        return out

    def _lifespan(self) -> list[Claim]:
        """ "S (1584–1654)": S was born in the one year and died in the other."""
        comp = next((c for c in self.clause.comps if c.np is not None and c.role == "obj"), None)
        subject = self.clause.subj
        if (
            comp is None
            or comp.np is None
            or subject is None
            or subject.kind is not NpKind.ENTITY
            or self.clause.verb != "be"
        ):
            return []
        interval = self.items[comp.np.head_item].interval
        out = []
        for key, date in zip(("@birth<*", "@death<*"), interval or (), strict=False):
            predicates = [e for e in self.lexicon.entries(key) if e.value == "date" and e.subject == 0]
            readings = tuple(
                Attribute(subject=s, predicates=(Predicate(e.iri, tier=e.tier),), value=date)
                for e in predicates
                for s in self.mentions(subject)
            )
            if readings:
                out.append(self._claim(comp.np.items | subject.items - self.before(subject), readings, comp.np.items))
        return out if len(out) == 2 else []

    def _kind_claims(self, keyed: Keyed) -> list[Claim]:
        noun = keyed.noun
        assert noun is not None
        subject = keyed.holes[0]
        head = noun.head if noun.kind is NpKind.NOUN else self.items[noun.head_item].lower
        said, classes, used = self._class_named(noun, head)
        if noun.kind is not NpKind.NOUN and not classes:
            return []
        found: list[tuple[Np, Mention, bool]] = []
        for leaf in subject.leaves():
            if leaf.kind not in (*NAMED, NpKind.PRONOUN):
                continue
            for s in self.mentions(leaf):
                general = bool(s.candidates) and all(self.lexicon.general(head, c) for c in s.candidates)
                found.append((leaf, s, bool(classes) or general))
        if not any(known for _, _, known in found):
            return []
        out = []
        for leaf, s, known in found:
            if not known and forms(s.text.split()[-1].lower() if s.text else "").noun == noun.head:
                continue  # "the West Fork" is a fork by its name
            reading = Membership(subject=s, classes=classes, noun=said)
            # A member of the list that names nothing ("the Tarn bridge and …") stays unread.
            named = {id(each) for each, _, _ in found}
            unread = (self.before(each) if id(each) in named else each.items for each in subject.leaves())
            items = (keyed.items | used).difference(*unread)
            out.append(self._claim(items, (reading,), leaf.items if len(subject.leaves()) > 1 else None))
        return out

    def _class_named(self, noun: Np, head: str) -> tuple[str, tuple[str, ...], frozenset[int]]:
        """The most that names a class in a noun phrase ("bird of prey", "red wine", "wine"), and its words' items."""
        mods = [m for m, _ in reversed(noun.mods)]
        used = frozenset(x for _, x in noun.mods)
        of = noun.of
        if of is not None and of.kind is NpKind.NOUN and of.of is None and not (of.inner or of.posts or of.clauses):
            whole = "<".join([head, *mods, of.head, *(m for m, _ in reversed(of.mods))])
            if classes := tuple(self.lexicon.classes(whole)):
                return whole, classes, used | of.items | {min(of.items) - 1}
        full = "<".join([head, *mods])
        if classes := tuple(self.lexicon.classes(full)):
            return full, classes, used
        return head, tuple(self.lexicon.classes(head)), frozenset()

    def _says_something(self) -> bool:
        return any(not it.punct and not it.forms.closed for n, it in enumerate(self.items) if n in self.clause.items)

    def _claim(
        self,
        items: frozenset[int],
        readings: tuple[Statement, ...],
        focus: frozenset[int] | None,
        *,
        narrowed: bool = False,
        can: bool = False,
    ) -> Claim:
        shown = can or (self.clause.passive and self.clause.verb in _SHOWN)  # "can be seen in": it is there
        modal = {
            x
            for x in items
            if "modal" in self.items[x].forms.closed
            and self.items[x].lower not in ("may", "might")
            and not (shown and self.items[x].lower in ("can", "could"))
        }
        covered = sorted((items | set(self.clause.negators)) - self.loose - modal)
        if readings:
            self.used.update(covered)
            self.used |= {x for x in self.clause.items if self.items[x].lower in ("no", "neither")}  # the negation
        covers = spans_of([self.items[x] for x in covered])
        start, end = self.span(focus if focus is not None else self._place(frozenset(covered)))
        return Claim(
            start=start,
            end=end,
            text=self.text(start, end),
            covers=covers,
            readings=readings,
            negated=self._negated(),
            modality=Modality.ASSERTED,
            past=self.clause.past,
            naming=self.clause.naming,
            narrowed=narrowed,
        )

    def _place(self, covered: frozenset[int]) -> frozenset[int]:
        """The items that tell this claim from others: without a subject that it shares with an earlier predicate."""
        subj = self.clause.subj
        rest = covered - subj.items if subj is not None else covered
        if not rest or subj is None or not covered:
            return covered or self.clause.items
        between = range(max(subj.items) + 1, min(rest))
        return rest if any(x not in self.clause.items and not self.items[x].punct for x in between) else covered

    def _negated(self) -> bool:
        no = sum(
            np.det.split()[:1] in (["no"], ["neither"])
            for np in (self.clause.subj, *(c.np for c in self.clause.comps))
            if np is not None
        )
        return (len(self.clause.negators) + no) % 2 == 1
