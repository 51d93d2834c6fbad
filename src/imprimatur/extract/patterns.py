"""The lexicon-driven extractor: segments to claims, without a model.

A claim is made only where a wording of the lexicon links its mentions; nothing is read from mentions standing near each
other. What the reading of a clause does not use (modifiers, adverbs, other phrases) is left uncovered, so the
accounting withholds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from imprimatur.claim import Attribute, Claim, Membership, Mention, Modality, Predicate, Relation, Statement, When
from imprimatur.extract.discourse import Discourse, Places
from imprimatur.extract.grammar import parse
from imprimatur.extract.keys import Keyed, keys
from imprimatur.extract.mentions import NAMED, Mentions
from imprimatur.extract.syntax import Clause, Comp, Item, Np, NpKind
from imprimatur.extract.telling import content, names_something, turning
from imprimatur.extract.times import dates_of, times
from imprimatur.extract.unfold import clauses_within
from imprimatur.extract.words import forms
from imprimatur.protocols import Entry
from imprimatur.values import Bound, TextValue, Value

__all__ = ["Read", "read"]


#: With these verbs "over 5 km" gives the extent, not a bound.
_NOT = frozenset(("not", "n't", "never", "hardly", "barely", "scarcely"))
_SUBORDINATORS = frozenset("before after until since when while".split())
#: What can be perceived is there.
_SHOWN = frozenset("see find feel hear notice observe trace detect recognize discern".split())
#: Words after which clauses are not each asserted for themselves.
#: Words that open a clause which needs another one.
_CONCEDING = frozenset("though although while whilst whereas because unless if lest".split())
_SPOTS = frozenset("in at near on within".split())
_BINDING = frozenset("or nor neither either than except but only".split())
_EXTENDING = frozenset("stretch extend spread range run".split())


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of a segment: its claims, and which items nothing but function words make up."""

    claims: tuple[Claim, ...]
    subjects: tuple[Mention, ...]


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


def read(items: Sequence[Item], discourse: Discourse) -> Read:
    """The claims of one segment's items."""
    parsed = parse(items)
    at = next((n for n, i in enumerate(items) if i.lower == ";" and n), None)
    if at is not None and not parsed.complete and _stands_alone(items[:at]):
        first = read(items[:at], discourse)
        discourse.saw(items[:at], first.subjects)
        rest = read(items[at + 1 :], discourse)
        return Read((*first.claims, *rest.claims), (*first.subjects, *rest.subjects))
    labelled = [
        Clause("be", f.items, subj=f.np, comps=(Comp("obj", np=f.value, items=f.value.items),))
        for f in parsed.fragments
        if f.value is not None
    ]
    bare = [Clause("be", f.items, subj=f.np) for f in parsed.fragments if f.value is None and f.np.clauses]
    tops = [(top, list(clauses_within(top))[top in bare :]) for top in (*parsed.clauses, *labelled, *bare)]
    discourse.begin(Places.of((clause for _, within in tops for clause in within), (top for top, _ in tops)))
    parts = [_Part.of(items, discourse, top, within) for top, within in tops]
    groups = _apart(parts) if parsed.complete and not _bound(items) else [parts]
    if items[:1] and items[0].lower in _CONCEDING and len(_apart(parts)) < 2:
        parts = [replace(p, claims=tuple(replace(c, readings=()) for c in p.claims)) for p in parts]
        groups = [parts]  # "Though A crosses B." asserts nothing by itself
    outside = set(range(len(items))) - {x for part in parts for x in part.items}
    claims = [c for group in groups for c in _certain(items, group, outside if parsed.complete else None)]
    subjects = [s for part in parts for s in part.subjects]
    return Read(tuple(_distinct(_of_one(claims))), tuple(dict.fromkeys(subjects)))


def _stands_alone(items: Sequence[Item]) -> bool:
    """Whether some words are a sentence by themselves."""
    parsed = parse(items)
    return parsed.complete and bool(parsed.clauses)


@dataclass(frozen=True, slots=True)
class _Part:
    """What was read of one clause with those that hang on it."""

    items: frozenset[int]
    claims: tuple[Claim, ...]
    subjects: tuple[Mention, ...]
    used: frozenset[int]
    listed: bool

    @classmethod
    def of(cls, items: Sequence[Item], discourse: Discourse, top: Clause, within: Sequence[Clause]) -> _Part:
        """The reading of the clause ``top``, unfolded into ``within``."""
        read_ = [_Clause(items, discourse, clause) for clause in within]
        claims = tuple(claim for each in read_ for claim in each.claims())
        subjects = tuple(s for each in read_ for s in each.subjects)
        used = frozenset(x for each in read_ for x in each.used)
        own = top.items | (top.subj.items if top.subj is not None else frozenset())
        return cls(own, claims, subjects, used, any(each.listed for each in read_))


def _apart(parts: list[_Part]) -> list[list[_Part]]:
    """The clauses of a sentence, those that share words (a subject) together."""
    groups: list[list[_Part]] = []
    for part in parts:
        shared = [g for g in groups if any(part.items & other.items for other in g)]
        groups = [g for g in groups if g not in shared] + [[*(x for g in shared for x in g), part]]
    return groups


def _certain(items: Sequence[Item], group: list[_Part], outside: set[int] | None) -> list[Claim]:
    """The claims of some clauses, unread where what is left over may change what they say.

    Args:
        outside: the words between the clauses; None when the whole sentence counts.
    """
    claims = [c for part in group for c in part.claims]
    used = {x for part in group for x in part.used}
    near = set(range(len(items))) if outside is None else outside | {x for part in group for x in part.items}
    unread = {n for n in near - used if content(items[n]) or turning(items[n])}
    if _doubtful(items, unread, listed=any(part.listed for part in group), sound=outside is not None):
        return [replace(c, readings=()) for c in claims]
    if unread:  # "It is no stone bridge" does not deny that it is a bridge.
        return [replace(c, readings=()) if c.negated else c for c in claims]
    return claims


def _bound(items: Sequence[Item]) -> bool:
    """Whether the clauses of a sentence bear on one another: "before", "if", "as though", "or"."""
    return any(i.forms.closed & {"sub"} or i.lower in _BINDING for i in items)


def _doubtful(items: Sequence[Item], unread: set[int], *, listed: bool, sound: bool) -> bool:
    """Whether what is left unread may change what the rest says.

    Words of a question or a heading are no residue, so all of them must be read. An unread negator may turn the whole,
    and an unread name beside a list or a subordinator may show that the clause was cut wrongly ("A crosses B and C D").
    ``sound``: the sentence was parsed as a whole; then a name after a preposition shows nothing of the kind.
    """
    borrowed = any(i.start < 0 and "modal" in i.forms.closed for i in items)
    named = [n for n in unread if names_something(items[n])]
    cut = any(not (sound and _after_preposition(items, n)) for n in named)
    joined = any(i.lower in _SUBORDINATORS for i in items)
    unreal = any(a.lower == "as" and b.lower in ("though", "if") for a, b in pairwise(items))
    turned = any(items[n].start < 0 or items[n].lower in _NOT for n in unread)
    return turned or borrowed or unreal or (cut and listed) or (bool(named) and joined)


def _after_preposition(items: Sequence[Item], n: int) -> bool:
    while n and items[n - 1].forms.closed & {"det"}:
        n -= 1
    return n > 0 and "prep" in items[n - 1].forms.closed


def _of_one(claims: list[Claim]) -> list[Claim]:
    """The claims, unread where one name of many things would have to be one thing in several relations."""
    others: dict[tuple[int, tuple[str, ...]], set[int]] = {}
    for c in claims:
        for r in c.readings:
            if isinstance(r, Relation):
                for one, other in ((r.subject, r.object), (r.object, r.subject)):
                    if len(one.candidates) > 1 and one.every is None:
                        others.setdefault((one.start, one.candidates), set()).add(other.start)
    many = {key for key, ends in others.items() if len(ends) > 1}

    def shared(r: Statement) -> bool:
        return isinstance(r, Relation) and any((m.start, m.candidates) in many for m in (r.subject, r.object))

    return [replace(c, readings=()) if any(map(shared, c.readings)) else c for c in claims] if many else claims


def _distinct(claims: list[Claim]) -> Iterator[Claim]:
    seen: set[tuple[object, ...]] = set()
    for c in claims:
        at = (c.start, c.end, c.readings, c.negated, c.covers)
        if at not in seen:
            seen.add(at)
            yield c


def _narrowing(np: Np, items: Sequence[Item]) -> Iterator[int]:
    """The adjectives before a noun and the nouns that own it, and the phrases after them that say where.

    Not those words that deny or bound ("former", "only").
    """
    if np.kind is NpKind.NOUN:
        for _, x in np.mods:
            forms = items[x].forms
            if forms.adj and not forms.closed and not turning(items[x]) and not items[x].quantity:
                yield x
        for prep, obj in np.posts if np.of is not None else ():
            if prep in _SPOTS:
                yield from obj.items | {min(obj.items) - 1}
    if np.of is not None:
        yield from _narrowing(np.of, items)


def _unqualified(np: Np, gone: frozenset[int]) -> Np:
    """The phrase without some of the words before and after its nouns."""
    of = _unqualified(np.of, gone) if np.of is not None else None
    parts = tuple(_unqualified(p, gone) for p in np.parts)
    posts = tuple(p for p in np.posts if not p[1].items <= gone)
    return np._replace(mods=tuple(m for m in np.mods if m[1] not in gone), of=of, parts=parts, posts=posts)


class _Clause(Mentions):
    """The reading of one clause."""

    def __init__(self, items: Sequence[Item], discourse: Discourse, clause: Clause) -> None:
        super().__init__(items, discourse, clause)
        self.keys = tuple(keys(self.clause))
        self.matches: list[_Match] = []
        self.listed = False  # whether a list is one end of a claim
        self.narrowed = False  # whether adjectives were left out to read it
        self.used: set[int] = set()  # the items that its claims account for

    # -- matching -----------------------------------------------------------------------------------------------
    def claims(self) -> list[Claim]:
        """All claims of the clause."""
        out: list[Claim] = []
        matches = self.matches = self._matches()
        when = self._when([np for m in matches for np in (m.first, m.second) if np.kind is NpKind.DATE])
        for m in matches:
            out += self._stated(m, when)
        out += self._memberships()
        out += self._lifespan()
        if self._gapped():
            out = [replace(c, readings=()) for c in out]
        if not out and self._says_something():
            out.append(self._claim(self.clause.items, (), None))
        return out

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
            self.keys = tuple(keys(self.clause._replace(subj=subj, comps=comps)))
            found = self._offered()
        if not found and not self.clause.negated:
            found = self._broader()
        return found

    def _broader(self) -> list[_Match]:
        """What the keys mean without the adjectives of their nouns ("the main tributary"); those stay unread."""
        self.plain = frozenset(x for np in self._nouns() for x in _narrowing(np, self.items))
        if not self.plain:
            return []
        subj = _unqualified(self.clause.subj, self.plain) if self.clause.subj is not None else None
        comps = tuple(
            c._replace(np=_unqualified(c.np, self.plain)) if c.np is not None else c for c in self.clause.comps
        )
        own, self.keys = self.keys, tuple(keys(self.clause._replace(subj=subj, comps=comps)))
        found = self._offered()
        self.keys = own
        self.narrowed = bool(found)
        return [replace(m, items=m.items - self.plain, unread=m.unread | self.plain) for m in found]

    def _nouns(self) -> Iterator[Np]:
        for np in (self.clause.subj, *(c.np for c in self.clause.comps)):
            yield from np.leaves() if np is not None else ()

    def _offered(self) -> list[_Match]:
        best: dict[tuple[int, int], _Match] = {}
        for keyed in self.keys:
            if len(keyed.holes) != 2 or (keyed.key.startswith("#") and any(map(self._ordinal, keyed.holes))):
                continue
            for suffix, used in self._adverbs():
                entries = self.lexicon.entries(keyed.key + suffix)
                if entries:
                    self._offer(best, keyed, entries, used)
                    break
        return [self._oriented(m) for m in best.values()]

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
        order = sorted((0, 1), key=lambda n: min(keyed.holes[n].items))
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
        if value == "quantity":
            return all(x.kind is NpKind.QUANTITY or self.also(x, "quantity") for x in leaves)
        if value == "date":
            return all(x.kind is NpKind.DATE or self.also(x, "date") for x in leaves)
        return all(x.kind is not NpKind.PRONOUN for x in leaves)

    def _when(self, dated: list[Np]) -> tuple[When | None, frozenset[int]]:
        """Dates of the clause that no property of its own takes up: they limit the relation in time."""
        taken = {min(np.items) for np in dated}
        found = [
            (role, np, items) for role, np, items in dates_of(self.clause, self.items) if min(np.items) not in taken
        ]
        moments = [d for d in found if d[0] == "loc"][1:]  # a second moment stays unread
        found = [d for d in found if d not in moments]
        if not found:
            return None, frozenset()
        return times(found, self.clause.verb, self.items), frozenset().union(*(items for _, _, items in found))

    # -- claims -------------------------------------------------------------------------------------------------
    def _stated(self, m: _Match, when: tuple[When | None, frozenset[int]]) -> list[Claim]:
        out = []
        firsts, seconds = m.first.leaves(), m.second.leaves()
        shared = m.items - m.first.items - m.second.items
        marks = (m.first.items | m.second.items) - {x for leaf in (*firsts, *seconds) for x in leaf.items}
        self.listed = self.listed or len(firsts) > 1 or len(seconds) > 1
        several = len(firsts) > 1 and len(seconds) > 1
        paired = {n for n, i in enumerate(self.items) if several and i.lower == "respectively"}
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
                unread = ((self.inside - a.items - b.items) | m.unread) - when[1]
                items = (shared | marks | a.items | b.items | when[1]) - unread
                claim = self._claim(items, tuple(dict.fromkeys(readings)), focus)
                out.append(replace(claim, narrowed=self.narrowed))
        return out

    def _numbered(self, np: Np) -> frozenset[int]:
        """The number before some names, where it is how many they are ("two towns: A and B")."""
        if np.kind is not NpKind.LIST:
            return frozenset()
        found = frozenset(x for part in np.parts for x in self._numbered(part))
        for q in np.inner:
            stated = self.items[q.head_item].quantity
            exact = stated is not None and stated.bound is Bound.EXACT and stated.high is None
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
            value = self._value(v, entry.value)
            if value is not None:
                out.append(Attribute(subject=subject, predicates=predicate, value=value, when=when))
        return out

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
        full = "<".join([noun.head, *(m for m, _ in reversed(noun.mods))])
        classes = tuple(self.lexicon.classes(full))
        used = frozenset(x for _, x in noun.mods) if classes else frozenset()
        said = full if classes else noun.head
        if not classes:
            classes = tuple(self.lexicon.classes(noun.head))
        found: list[tuple[Np, Mention, bool]] = []
        for leaf in subject.leaves():
            if leaf.kind not in (*NAMED, NpKind.PRONOUN):
                continue
            for s in self.mentions(leaf):
                general = bool(s.candidates) and all(self.lexicon.general(noun.head, c) for c in s.candidates)
                found.append((leaf, s, bool(classes) or general))
        if not any(known for _, _, known in found):
            return []
        out = []
        for leaf, s, known in found:
            if not known and forms(s.text.split()[-1].lower() if s.text else "").noun == noun.head:
                continue  # "the West Fork" is a fork by its name
            reading = Membership(subject=s, classes=classes, noun=said)
            items = (keyed.items | used) - self.before(leaf)
            out.append(self._claim(items, (reading,), leaf.items if len(subject.leaves()) > 1 else None))
        return out

    def _says_something(self) -> bool:
        return any(not it.punct and not it.forms.closed for n, it in enumerate(self.items) if n in self.clause.items)

    def _claim(self, items: frozenset[int], readings: tuple[Statement, ...], focus: frozenset[int] | None) -> Claim:
        shown = self.clause.passive and self.clause.verb in _SHOWN  # "can be seen in": it is there
        modal = {
            x
            for x in items
            if self.items[x].forms.closed & {"modal"}
            and self.items[x].lower not in ("may", "might")
            and not (shown and self.items[x].lower in ("can", "could"))
        }
        covered = sorted((items | set(self.clause.negators)) - self.loose - modal)
        if readings:
            self.used.update(covered)
            self.used |= {x for x in self.clause.items if self.items[x].lower in ("no", "neither")}  # the negation
        covers = tuple((self.items[x].start, self.items[x].end) for x in covered if self.items[x].start >= 0)
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
