"""What earlier words leave behind: the topic, the names already used, and what a pronoun may stand for.

Rules, not guesses. A pronoun stands for the topic while the text stays on it: the one thing that the question or the
heading names, as long as the last sentence was about it. Otherwise it may stand for every compatible name before it in
its own sentence, or else in the last one; the judge then demands that all of them agree ("Plato taught Aristotle. He …"
is ambiguous). A name that several things bear means the one that was named in full before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.claim import Mention
from imprimatur.extract.syntax import Item, Np, NpKind
from imprimatur.extract.words import forms
from imprimatur.protocols import Entry, Found, Lexicon, Word

__all__ = ["Discourse"]

_PLURAL = frozenset("they them their these those both".split())
_PERSON = frozenset("he him his she her".split())
_THING = frozenset("it its".split())
_EITHER = frozenset("this that whose who".split())


class Discourse:
    """The names of an answer as they come; a lexicon that knows them (implements ``protocols.Lexicon``)."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.topic: Mention | None = None
        self.last: tuple[Mention, ...] = ()
        self.subject: Mention | None = None
        self._group: tuple[Mention, ...] = ()
        self._used: dict[str, tuple[str, ...]] = {}  # a word of a name: the things that it was used for
        self._named: set[str] = set()

    # -- remembering --------------------------------------------------------------------------------------------
    def about(self, topic: Mention) -> None:
        """A question or heading names the topic."""
        self.topic = self.subject = replace(topic, start=-1, end=-1)
        self.last = (self.topic,)
        self._use(topic)

    def saw(self, items: Sequence[Item], subjects: Sequence[Mention]) -> None:
        """Remember the names of a segment that has been read."""
        mentions = tuple(i.entity for i in items if i.entity is not None and i.start >= 0)
        for m in mentions:
            self._use(m)
        kept = self.subject if _opens_with_pronoun(items) else None
        if mentions:
            self.last = (kept, *mentions) if kept is not None else mentions
            self.subject = kept or mentions[0]
        if len(subjects) > 1:
            self._group = tuple(subjects)

    def _use(self, mention: Mention) -> None:
        if len(mention.candidates) == 1:
            self._named.add(mention.candidates[0])
            words = [w for w in mention.text.partition("(")[0].replace(",", " ").split() if w[:1].isupper()]
            words = [w for w in words if not forms(w.lower()).closed]  # "The Paper Orchard" is never called "The"
            for name in {*words, " ".join(words[:-1])} if len(words) > 1 else ():
                self._used[name.lower()] = tuple({*self._used.get(name.lower(), ()), mention.candidates[0]})

    # -- pronouns -----------------------------------------------------------------------------------------------
    def antecedents(self, np: Np, items: Sequence[Item]) -> tuple[Mention, ...]:
        """What a pronoun may stand for; empty when it is none or nothing fits."""
        if np.kind is not NpKind.PRONOUN or np.head not in _PLURAL | _PERSON | _THING | _EITHER:
            return ()
        if np.head in _PLURAL and self._group:
            return self._group
        if np.head in _PLURAL and len(self.last) > 1:
            return ()
        here = tuple(i.entity for i in items[: max(np.head_item, 0)] if i.entity is not None)
        if not here and self._on_topic():
            return (self.topic,) if self.topic is not None else ()
        if here and self.topic is not None and here[0].candidates == self.topic.candidates:
            return (here[0],)
        pool = [m for m in here or self.last if self._suits(np.head, m)]
        return tuple({m.candidates: m for m in reversed(pool)}.values())[::-1]

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
        taken = {k for f in found for k in range(f.first, f.stop)}
        for k, token in enumerate(tokens):
            short = self._used.get(token.lower, ()) if token.text[:1].isupper() else ()
            beside = any(
                0 <= x < len(tokens) and x not in taken and tokens[x].text[:1].isupper() for x in (k - 1, k + 1)
            )
            if short and k not in taken and not (beside and k > 1):
                found.append(Found(k, k + 1, self._narrow(short)))
        return sorted(found, key=lambda f: f.first)

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


def _opens_with_pronoun(items: Sequence[Item]) -> bool:
    """Whether a personal pronoun comes before any name: the segment goes on about the same thing."""
    for item in items:
        if item.entity is not None or item.name is not None:
            return False
        if item.lower in _PERSON | _THING:
            return True
    return False
