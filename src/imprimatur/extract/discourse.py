"""What earlier words leave behind: the topic, the names already used, and what a pronoun may stand for.

Rules, not guesses. A pronoun stands for the topic while the text stays on it: the one thing that the question or the
heading names, as long as the last sentence was about it. Otherwise it may stand for every compatible name before it in
its own sentence, or else in the last one; the judge then demands that all of them agree ("Plato taught Aristotle. He …"
is ambiguous). A name that several things bear means the one that was named in full before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Claim, Mention
from imprimatur.extract.groups import Group, groups_in
from imprimatur.extract.identity import Given, told_of
from imprimatur.extract.syntax import Clause, Item, Np, NpKind
from imprimatur.extract.words import is_closed
from imprimatur.protocols import Entry, Found, Lexicon, Word

__all__ = ["REFERRING", "Discourse", "Places"]

_PLURAL = frozenset("they them their these those both".split())
_PERSON = frozenset("he him his she her".split())
_THING = frozenset("it its".split())
_MALE = frozenset("he him his".split())
_FEMALE = frozenset("she her".split())
#: Of a language that says neither number nor kind by its pronouns, or leaves them out ("Nace en X": "xe").
_UNTOLD = frozenset("xe xer".split())
_EITHER = frozenset("this that whose who".split()) | _UNTOLD
#: Every pronoun that may stand for something before it.
REFERRING = _PLURAL | _PERSON | _THING | _EITHER

#: How many pronouns may lead back from one to the next.
_DEEPEST = 16
#: Something of which nothing is known.
_UNKNOWN = Mention(-1, -1, "")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the phrases of a sentence stand: the subjects of its clauses, and the members of its lists."""

    subjects: frozenset[int] = frozenset()
    members: frozenset[int] = frozenset()

    @classmethod
    def of(cls, clauses: Iterable[Clause], tops: Iterable[Clause]) -> Places:
        """The places in some clauses; ``tops`` are those that hang on no other."""
        members: set[int] = set()
        subjects = {x for top in tops if top.subj is not None for x in top.subj.items}
        for clause in clauses:
            for np in (clause.subj, *(c.np for c in clause.comps)):
                members |= _members(np) if np is not None else set()
            members |= _fronted(clause)
        return cls(frozenset(subjects), frozenset(members))

    def goes_on(self, earlier: int, later: int) -> bool:
        """Whether a pronoun repeats an earlier subject: "it is 5 km long, and it feeds A"."""
        return earlier in self.subjects and not any(earlier < x < later for x in self.subjects - {earlier, later})


def _fronted(clause: Clause) -> set[int]:
    """The items of what a clause says of its subject before naming it: "a tributary of A, it …"."""
    subj = clause.subj
    if subj is None or subj.kind not in (NpKind.PRONOUN, NpKind.NOUN):
        return set()
    phrases = (c.np for c in clause.comps if c.np is not None and max(c.np.items) < min(subj.items))
    return {x for np in phrases for x in np.items}


def _members(np: Np) -> set[int]:
    """The items of the lists in a phrase."""
    if np.kind is NpKind.LIST:
        return set(np.items)
    inner = (np.of, *(obj for _, obj in np.posts), *np.appos)
    return {x for part in inner if part is not None for x in _members(part)}


class Discourse:
    """The names of an answer as they come; a lexicon that knows them (implements ``protocols.Lexicon``)."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._groups: set[Group] = set()
        self._missed = False  # whether something was said that was not looked at
        self.topic: Mention | None = None
        self.last: tuple[Mention, ...] = ()
        self.subject: Mention | None = None
        self._group: tuple[Mention, ...] = ()
        self._used: dict[str, tuple[str, ...]] = {}  # a word of a name: the things that it was used for
        self._named: set[str] = set()
        self._places = Places()
        self._resolved: dict[int, tuple[Mention, ...]] = {}  # the pronouns of this sentence
        self._depth = 0
        self.asked: tuple[Mention, ...] = ()  # what the question names
        self._pair: tuple[Mention, ...] = ()  # the two things that were named together last
        self.given: Given = {}  # what has been said of the things that an ambiguous name may stand for
        self._meant: dict[tuple[str, ...], Mention] = {}  # what "the river" and pronouns stood for in this sentence
        self._seen: dict[tuple[str, ...], Mention] = {}  # everything that was named
        self._goes_on = False  # whether this sentence is about something that belongs to what came before ("the cast")

    def __copy__(self) -> Discourse:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        for name in ("_used", "_named", "_resolved", "given", "_meant", "_seen", "_groups"):
            setattr(made, name, self.__dict__[name].copy())
        return made

    # -- remembering --------------------------------------------------------------------------------------------
    def about(self, topic: Mention) -> None:
        """A question or heading names the topic."""
        self.topic = self.subject = replace(topic, start=-1, end=-1)
        self.last = (self.topic,)
        self.used(topic)

    def heard(self, items: Sequence[Item] | None) -> None:
        """A question, heading or sentence speaks of kinds of things; None: of which is not known."""
        self._missed = self._missed or items is None
        self._groups.update(groups_in(items or ()))

    def of_some(self, kind: tuple[str, ...]) -> bool:
        """Whether "the mills" may be some of them, by what was said before."""
        told = (g for g in self._groups if g.noun == kind[-1])
        if self._missed or any(not g.all or g.kind != kind for g in told):
            return True
        named = {m.candidates for m in (*self._seen.values(), *self.asked) if m.candidates}
        return sum(any(self.lexicon.of_kind(kind[-1], c) for c in candidates) for candidates in named) > 1

    def saw(
        self, items: Sequence[Item], subjects: Sequence[Mention], said: Sequence[Claim] = (), *, same: bool = False
    ) -> None:
        """Remember the names of a segment that has been read, and what was ``said`` of them.

        Args:
            same: whether it is about the same as what came before.
        """
        self.given.update(told_of(said))
        self.heard(items)
        mentions = _named(items, lambda i: i.start >= 0)
        for m in mentions:
            self.used(m)
        kept = (self.subject or _UNKNOWN) if same or self._goes_on or _opens_with_pronoun(items) else None
        self._goes_on = False
        self._seen.update((m.candidates, m) for m in mentions if m.candidates)
        if mentions:
            told = {m.candidates for m in (*((kept,) if kept is not None else ()), *mentions)}
            again = [m for m in self._meant.values() if m.candidates not in told]
            self.last = (kept, *mentions, *again) if kept is not None else (*mentions, *again)
            self.subject = kept or mentions[0]
        two = {m.candidates: m for m in mentions if m.candidates}
        if len(two) == 2 or not two.keys() <= {m.candidates for m in self._pair}:
            self._pair = tuple(two.values())
        self._meant = {}
        if len(subjects) > 1:
            self._group = tuple(subjects)

    def goes_on(self) -> None:
        """The sentence is about something that belongs to what came before ("the cast"): that remains the subject."""
        self._goes_on = True

    def used(self, mention: Mention) -> None:
        """Remember that a name was used for one thing."""
        if len(mention.candidates) == 1:
            self._named.add(mention.candidates[0])
            words = [w for w in mention.text.partition("(")[0].replace(",", " ").split() if w[:1].isupper()]
            words = [w for w in words if not is_closed(w.lower())]  # "The Paper Orchard" is never called "The"
            for name in {*words, " ".join(words[:-1])} if len(words) > 1 else ():
                self._used[name.lower()] = tuple({*self._used.get(name.lower(), ()), mention.candidates[0]})

    def other_of(self, mention: Mention, items: Sequence[Item]) -> Mention | None:
        """The other one of the two things that are spoken of: by the question, this sentence, or those before."""
        for pool in (self.asked, _named(items, lambda i: i.start >= 0), self._pair):
            two = {m.candidates: m for m in pool if m.candidates}
            if len(two) == 2 and mention.candidates in two:
                return next(m for candidates, m in two.items() if candidates != mention.candidates)
        return None

    # -- pronouns -----------------------------------------------------------------------------------------------
    def begin(self, places: Places) -> None:
        """A new sentence is read, in which the phrases stand at these places."""
        self._places = places
        self._resolved = {}

    def antecedents(self, np: Np, items: Sequence[Item], *, apart: frozenset[int] = frozenset()) -> tuple[Mention, ...]:
        """What a pronoun or "the river" may stand for; empty when it is none or nothing fits.

        Args:
            apart: items that it cannot stand for: those with which it shares a verb ("A feeds it").
        """
        found = self._told_again(np, items, apart) if np.kind is NpKind.NOUN else self._standing_for(np, items, apart)
        if len(found) == 1 and found[0].candidates and items[np.head_item].start >= 0:
            self._meant[found[0].candidates] = found[0]
        return found

    def _place(self, np: Np, items: Sequence[Item], apart: frozenset[int]) -> tuple[Mention, ...]:
        """What "there" may stand for: what was named last and is not what the text is about."""
        known = {m.candidates for m in (self.topic, self.subject) if m is not None}
        here = self._before(np, items, apart | self._places.subjects)
        return tuple({m.candidates: m for m in here or self.last if m.candidates not in known}.values())

    def _standing_for(self, np: Np, items: Sequence[Item], apart: frozenset[int]) -> tuple[Mention, ...]:
        """What a pronoun may stand for."""
        if np.kind is NpKind.PRONOUN and np.head == "there":
            return self._place(np, items, apart)
        if np.kind is not NpKind.PRONOUN or np.head not in REFERRING:
            return ()
        if np.head == "both" and (two := self.two()):
            return two
        if np.head in _PLURAL and self._group:
            return self._group
        if np.head in _PLURAL and len(self.last) > 1:
            return ()
        earlier = self._same_before(np, items)
        if earlier is not None and self._places.goes_on(earlier.head_item, np.head_item):
            return self._of_earlier(earlier, items)
        gone = apart | self._places.members
        here = self._before(np, items, gone)
        if not here and earlier is not None:
            return self._of_earlier(earlier, items)
        topic = self.topic if self.topic is not None and self._suits(np.head, self.topic) else None
        if not here and topic is not None and self._on_topic():
            return (topic,)
        if here and earlier is None and topic is not None and here[0].candidates == topic.candidates:
            return (here[0],)
        before = self._of_earlier(earlier, items) if earlier is not None else ()
        pool = [*before, *(m for m in here or self.last if self._suits(np.head, m))]
        return tuple({m.candidates: m for m in reversed(pool)}.values())[::-1]

    def two(self, noun: str = "") -> tuple[Mention, ...]:
        """The two things of which "both" speaks, each of them known to be a ``noun``; none when that is not clear."""
        found = next((pool for pool in (self._group, self.asked, self._pair) if len(pool) == 2), ())
        known = not noun or all(m.candidates and self._is(noun, m) for m in found)
        return found if known else ()

    @staticmethod
    def _before(np: Np, items: Sequence[Item], gone: frozenset[int]) -> tuple[Mention, ...]:
        """The names before a phrase; before one of a question or a heading, those of it alone."""
        at = max(np.head_item, 0)
        borrowed = at < len(items) and items[at].start < 0
        return _named(items[:at], lambda i: i.start < 0 or not borrowed, gone)

    @property
    def state(self) -> tuple[Mention | None, tuple[Mention, ...]]:
        """What the text is about at this point."""
        return self.subject, self.last

    def back_to(self, state: tuple[Mention | None, tuple[Mention, ...]]) -> None:
        """Go on from an earlier point: each item of a list follows the line over the list."""
        self.subject, self.last = state

    def _of_earlier(self, np: Np, items: Sequence[Item]) -> tuple[Mention, ...]:
        """What an earlier pronoun of the sentence stands for; nothing where too many hang on one another."""
        if np.head_item not in self._resolved:
            if self._depth >= _DEEPEST:
                return (_UNKNOWN,)
            self._depth += 1
            self._resolved[np.head_item] = self.antecedents(np, items)
            self._depth -= 1
        return self._resolved[np.head_item]

    def _same_before(self, np: Np, items: Sequence[Item]) -> Np | None:
        """The last pronoun of the same kind before this one in the sentence."""
        family = next((f for f in (_THING, _MALE, _FEMALE, _UNTOLD) if np.head in f), frozenset[str]())
        for k in range(np.head_item - 1, -1, -1):
            if items[k].lower in family and items[k].start >= 0:
                return Np(NpKind.PRONOUN, frozenset((k,)), head=items[k].lower, head_item=k)
        return None

    def _told_again(self, np: Np, items: Sequence[Item], apart: frozenset[int]) -> tuple[Mention, ...]:
        """What "the river" stands for: the nearest named things of which the noun is known to be true."""
        here = self._before(np, items, apart | self._places.members)
        topic = (self.topic,) if self._on_topic() and self.topic is not None else ()
        for pool in (here, topic, self.last):
            found = {m.candidates: m for m in pool if not m.candidates or self._is(np.head, m)}
            if found:
                return tuple(found.values())
        before = [m for m in self._seen.values() if self._is(np.head, m)]
        return tuple(before) if len(before) == 1 else ()

    def _is(self, noun: str, mention: Mention) -> bool:
        return all(self.lexicon.general(noun, c) for c in mention.candidates[:8])

    def _on_topic(self) -> bool:
        return self.topic is not None and self.subject is not None and self.subject.candidates == self.topic.candidates

    def _suits(self, pronoun: str, mention: Mention) -> bool:
        """Whether a pronoun's kind (he, she: a person; it: none) goes with what is known of the thing."""
        persons = {self.lexicon.is_person(c) for c in mention.candidates[:8]}
        if pronoun in _PERSON:
            return persons != {False}
        return pronoun not in _THING or persons != {True}

    # -- the lexicon, in this context ---------------------------------------------------------------------------
    def find(self, tokens: Sequence[Word]) -> list[Found]:
        """Known names among the tokens: the graph's, those used before in short, each as narrow as the context says."""
        found = [Found(f.first, f.stop, self._narrow(f.candidates)) for f in self.lexicon.find(tokens)]
        if self._used:
            found += self._short(tokens, found)
        found = self._elliptical(tokens, found)
        return sorted(found, key=lambda f: f.first)

    def _short(self, tokens: Sequence[Word], found: Sequence[Found]) -> list[Found]:
        """Single words that stand for names used before."""
        taken = {k for f in found for k in range(f.first, f.stop)}
        out: list[Found] = []
        for k, token in enumerate(tokens):
            short = self._used.get(token.lower, ()) if k not in taken and token.text[:1].isupper() else ()
            if not short:
                continue
            beside = any(
                0 <= x < len(tokens) and x not in taken and tokens[x].text[:1].isupper() for x in (k - 1, k + 1)
            )
            if not (beside and k > 1):
                out.append(Found(k, k + 1, self._narrow(short)))
        return out

    def _elliptical(self, tokens: Sequence[Word], found: list[Found]) -> list[Found]:
        """ "The West Fork", said of Mill Creek, is the West Fork of Mill Creek where there is one."""
        name = self.topic.text.partition("(")[0].strip() if self.topic is not None and self._on_topic() else ""
        if not name:
            return found
        for k, token in enumerate(tokens):
            stop = k + 1
            while token.lower == "the" and stop < len(tokens) and tokens[stop].text[:1].isupper():
                stop += 1
            said = " ".join(t.text for t in tokens[k + 1 : stop])
            whole = (self.candidates(f"{said} of {name}") or self.candidates(f"{said} {name}")) if said else ()
            if whole:
                found = [f for f in found if f.stop <= k + 1 or f.first >= stop]
                found.append(Found(k + 1, stop, whole))
        return found

    def _narrow(self, candidates: tuple[str, ...]) -> tuple[str, ...]:
        known = tuple(c for c in candidates if c in self._named)
        return known if len(known) == 1 else candidates

    def candidates(self, name: str) -> tuple[str, ...]:
        """The entities that bear a name."""
        return self.lexicon.candidates(name)

    def entries(self, key: str) -> Sequence[Entry]:
        """The properties that a key may mean."""
        return self.lexicon.entries(key)

    def classes(self, noun: str) -> Sequence[str]:
        """The classes that a noun chain may name."""
        return self.lexicon.classes(noun)

    def instances(self, class_iri: str) -> Sequence[str]:
        """The members of a class."""
        return self.lexicon.instances(class_iri)

    def of_kind(self, noun: str, entity: str) -> bool:
        """Whether the entity is of a class that bears the noun."""
        return self.lexicon.of_kind(noun, entity)

    def general(self, noun: str, entity: str) -> bool:
        """Whether the entity's class or name says that it is a ``noun``."""
        return self.lexicon.general(noun, entity)

    def is_person(self, entity: str) -> bool | None:
        """Whether the entity is a person."""
        return self.lexicon.is_person(entity)


def _named(
    items: Sequence[Item], wanted: Callable[[Item], bool], gone: frozenset[int] = frozenset()
) -> tuple[Mention, ...]:
    """The things named by some items; a name that the graph does not know only where it comes first."""
    out: list[Mention] = []
    for k, item in enumerate(items):
        if not wanted(item) or k in gone:
            continue
        if item.entity is not None:
            out.append(item.entity)
        elif item.name is not None and not out:
            out.append(item.name)
    return tuple(out)


def _opens_with_pronoun(items: Sequence[Item]) -> bool:
    """Whether a personal pronoun comes before any name: the segment goes on about the same thing."""
    for item in items:
        if item.entity is not None or item.name is not None:
            return False
        if item.lower in _PERSON | _THING | _UNTOLD:
            return True
    return False
