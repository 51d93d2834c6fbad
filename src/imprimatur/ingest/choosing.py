"""Which of several readings of a claim counts: the closest words, then what goes with the classes of its ends.

Contract: nothing is guessed. Readings fall out where the classes of a property cannot be those of its ends; of the rest
those by the closest words stay (own words before frames before synonyms, then shared words), then those whose classes
are known to fit, then those about what the clause is about. What is still several then is ambiguous.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import lru_cache

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Attribute, Claim, Membership, Mention, Relation
from imprimatur.extract.words import forms, is_closed
from imprimatur.ingest.name_spans import is_place
from imprimatur.ingest.open_names import OpenLexicon
from imprimatur.ingest.soundness import LOOSE
from imprimatur.language import wordnet
from imprimatur.language.tokens import tokenise
from imprimatur.sources.graph.schema import ClassInfo, PropertyInfo
from imprimatur.sources.graph.terms import XSD
from imprimatur.sources.graph.vocabulary import class_noun, is_person_noun
from imprimatur.values import DateValue

__all__ = ["Fact", "Fit", "Fitting", "chosen", "happens"]

Fact = Relation | Attribute | Membership

#: Kinds of things that no place is one of.
_NO_PLACES = frozenset(
    "noun.event noun.act noun.time noun.animal noun.cognition noun.attribute noun.quantity noun.group".split()
)


#: Words by which a noun is somebody's ("X's awards include Y").
_NOUNS_HAVE = frozenset("of 's ’s include includes has have had receive receives received".split())
_COUNTRIES = frozenset(("country", "nation", "continent"))
#: From this tier on, classes or shared words must say what the words leave out.
_LOOSEST = LOOSE - 1


class Fit(IntEnum):
    """Whether a thing goes with a class."""

    NO = 0
    UNKNOWN = 1
    LIKELY = 2
    YES = 3


@dataclass(frozen=True, slots=True)
class _Choice:
    """One property of one reading, and how it stands."""

    reading: Fact
    closeness: tuple[int, int]
    fit: int
    about: bool
    told: bool = True  # the value is known to be of the class, and that is no class of places
    evident: bool = True  # something says that the ends go with the property


class Fitting:
    """What is known of the kinds of things, by graph, document, name and dictionary."""

    def __init__(self, lexicon: OpenLexicon, text: str) -> None:
        self.lexicon = lexicon
        self._text = text
        self._schema = lexicon.ontology.schema

    def fits(self, mention: Mention, classes: Sequence[str]) -> Fit:
        """Whether what a mention names can be of one of some classes; unknown where they are none."""
        found = [cls for iri in classes if (cls := self._schema.class_(iri)) is not None]
        if not found:
            return Fit.UNKNOWN
        return max(self._fit(mention, cls) for cls in found)

    def said(self, claim: Claim) -> frozenset[str]:
        """The words of a claim by their stems, names left out."""
        return frozenset(stem for a, b in claim.covers for stem in _stems(self._text[a:b], claim))

    def of_places(self, classes: Sequence[str]) -> bool:
        """Whether a class is one of places."""
        found = (self._schema.class_(iri) for iri in classes)
        nouns = (class_noun(label).partition("<")[0] for cls in found if cls is not None for label in cls.labels)
        return any(_placed(noun) for noun in nouns)

    def of_countries(self, classes: Sequence[str]) -> bool:
        """Whether a class is one of countries, all of which the dictionary has."""
        return any(
            class_noun(label).partition("<")[0] in _COUNTRIES for c in self._classes(classes) for label in c.labels
        )

    def taken_for(self, mention: Mention, declared: Sequence[str]) -> tuple[str, ...]:
        """The classes that a thing is taken for, the most exact first.

        They are what graph, document, name and dictionary say, and what the property of which it is an end declares,
        where that is one class, nothing speaks against it, and all that is known says less.
        """
        iri = mention.candidates[0] if mention.candidates else ""
        known = dict.fromkeys(sorted(self.lexicon.kinds(iri) | self._asserted(iri)))
        named = (each for each in self._schema.classes.values() if self._fit(mention, each) is Fit.YES)
        known.update(dict.fromkeys(sorted(each.iri for each in named)))
        if len(declared) == 1 and self.fits(mention, declared) is not Fit.NO:
            info = self._schema.class_(declared[0])
            if set(known) <= {declared[0], *(info.supers if info is not None else ())}:
                known.setdefault(declared[0])
        return tuple(known)

    def does(self, reading: Relation, info: PropertyInfo, covers: Sequence[tuple[int, int]]) -> bool:
        """Whether a thing is said to do what a property has: "the Navy awards X" tells none of the Navy's ``awards``.

        A single noun in the plural that is a verb too is a noun where the property leads to what it is a noun for, or
        where nothing says what the property is of.
        """
        nouns = {forms(label).noun for label in info.labels if _verbal(label)} - {"", None}
        if not nouns:
            return False
        labels = (self._schema.spoken(label) for c in self._classes(info.ranges) for label in c.labels)
        kinds = {class_noun(label).partition("<")[0] for label in labels}
        led = any(noun in kinds or any(noun in _kinds(kind) for kind in kinds) for noun in nouns)
        if not led and info.domains:
            return False
        words = [t.lower for a, b in covers for t in tokenise(self._text[a:b]) if t.text.islower()]
        verbs = {forms(label).verb for label in info.labels}
        if not any(forms(word).verb in verbs for word in words):
            return False
        by = self._text[max(0, reading.subject.start - 8) : reading.subject.start].lower()
        agent = "by" in words and "by " in by
        return agent or not any(forms(word).verb == "be" or word in _NOUNS_HAVE for word in words)

    def _classes(self, iris: Sequence[str]) -> list[ClassInfo]:
        return [cls for iri in iris if (cls := self._schema.class_(iri)) is not None]

    def _fit(self, mention: Mention, cls: ClassInfo) -> Fit:
        iri = mention.candidates[0] if mention.candidates else ""
        known = self.lexicon.kinds(iri) | self._asserted(iri)
        if known & {cls.iri, *cls.subs}:
            return Fit.YES
        if any(cls.iri in (info.disjoint if (info := self._schema.class_(k)) else ()) for k in known):
            return Fit.NO
        nouns = {class_noun(label).partition("<")[0] for label in (*cls.labels, *cls.alt_labels)}
        return max((self._by_name(mention, noun) for noun in nouns if noun), default=Fit.UNKNOWN)

    def _asserted(self, iri: str) -> frozenset[str]:
        number = self.lexicon.ontology.graph.id(iri) if iri else None
        return self._schema.types(number) if number is not None else frozenset()

    def _by_name(self, mention: Mention, noun: str) -> Fit:
        iri = mention.candidates[0] if mention.candidates else ""
        name = self.lexicon.name_of(iri) or mention.text
        heads = _heads(name, self._written(mention))
        if heads and (noun in heads or any(noun in _kinds(last) for last in heads)):
            return Fit.YES if noun in heads else Fit.LIKELY
        plain = name.partition(",")[0].partition("(")[0].strip().lower()
        if _placed(noun) and not is_place(plain) and any(wordnet.noun_kind(head) == "noun.group" for head in heads):
            return Fit.NO
        if happens(noun) and any(_lasts(head) for head in heads):
            return Fit.NO
        if _language(plain) and noun not in ("language", "tongue", "dialect"):
            return Fit.NO  # "published in English": by nobody, and nowhere
        if is_person_noun(noun):
            return Fit.NO if self.lexicon.no_person(iri) else Fit.UNKNOWN
        if is_place(plain):
            if noun in wordnet.hypernyms(plain, "n", depth=3, max_senses=1) or noun in ("place", "location"):
                return Fit.YES
            return Fit.NO if _no_place(noun) else Fit.UNKNOWN
        return Fit.NO if wordnet.noun_kind(noun) == "noun.time" else Fit.UNKNOWN

    def _written(self, mention: Mention) -> str:
        """A name as it stands, with the noun right behind it ("the Christian Democratic Appeal party")."""
        if mention.start < 0:
            return mention.text
        behind = self._text[mention.end : mention.end + 40].partition("\n")[0]  # the next line may be another row
        words = [t for t in tokenise(behind)[:1] if t.text.islower()]
        after = words[0].text if words and forms(words[0].lower).noun and not is_closed(words[0].lower) else ""
        return f"{self._text[mention.start : mention.end]} {after}".strip()


@lru_cache(maxsize=1024)
def _verbal(label: str) -> bool:
    """Whether a label is one word that is a noun in the plural and a verb as well ("awards")."""
    word = forms(label.lower())
    return " " not in label and word.plural and bool(word.noun and word.verb) and "s" in word.verb_forms


@lru_cache(maxsize=8192)
def _no_place(noun: str) -> bool:
    """Whether no place is what a noun says."""
    if "location" in wordnet.hypernyms(noun, "n", depth=None):
        return False
    return wordnet.noun_kind(noun) in _NO_PLACES


def _placed(noun: str) -> bool:
    """Whether a noun is one of places."""
    return noun == "place" or wordnet.noun_kind(noun) == "noun.location"


@lru_cache(maxsize=8192)
def happens(noun: str) -> bool:
    """Whether a noun is one of what people do together at some time: a war, a tournament."""
    return not wordnet.hypernyms(noun, "n", depth=None, max_senses=1).isdisjoint(("group action", "social event"))


@lru_cache(maxsize=8192)
def _language(name: str) -> bool:
    """Whether a name is first of all one of a language."""
    return "natural language" in wordnet.hypernyms(name, "n", depth=None, max_senses=1)


@lru_cache(maxsize=8192)
def _lasts(noun: str) -> bool:
    """Whether a noun is one of bodies and people, houses and goods: nothing that happens."""
    above = wordnet.hypernyms(noun, "n", depth=None, max_senses=1)
    return not above.isdisjoint(("physical entity", "group")) and "event" not in above


@lru_cache(maxsize=8192)
def _kinds(noun: str) -> frozenset[str]:
    return wordnet.hypernyms(noun, "n", depth=4, max_senses=2)


def _heads(name: str, written: str) -> set[str]:
    """The nouns that may say what a name is of: its last word, that before "of", and the last word as written here."""
    out: set[str] = set()
    for text in (name, written):
        plain = text.partition(",")[0].partition("(")[0]
        words = (plain.partition(" of ")[0] if " of " in plain else plain).split()
        if len(words) > 1 or " of " in plain:
            out.add(forms(words[-1].lower()).noun or words[-1].lower())
    return out


def chosen(claim: Claim, fitting: Fitting) -> list[Fact]:
    """The readings of a claim that are left; one says what the claim states, several leave it open."""
    said = fitting.said(claim)
    options = [
        c
        for r in claim.readings
        if isinstance(r, (Relation, Attribute, Membership))
        for c in _choices(r, fitting, said, claim.covers)
    ]
    best = [c for c in options if c.fit > Fit.NO and (c.closeness[0] < _LOOSEST or c.closeness[1] or c.told)]
    if not said:
        best = [c for c in best if c.evident]  # "is in", "was at": what the ends are must say the rest
    for rank in (lambda c: c.closeness, lambda c: -c.fit, lambda c: not c.about):
        best = _least(best, rank)
    return list(dict.fromkeys(c.reading for c in best))


def _least(choices: list[_Choice], rank: Callable[[_Choice], object]) -> list[_Choice]:
    if len(choices) < 2:
        return choices
    least = min(rank(c) for c in choices)  # type: ignore[type-var]
    return [c for c in choices if rank(c) == least]


def _choices(reading: Fact, fitting: Fitting, said: frozenset[str], covers: Sequence[tuple[int, int]]) -> list[_Choice]:
    if isinstance(reading, Membership):
        return [_Choice(reading, (0, 0), Fit.YES, True)]
    out = []
    for predicate in reading.predicates:
        info = fitting._schema.property(predicate.iri)
        if info is None or (isinstance(reading, Relation) and fitting.does(reading, info, covers)):
            continue
        shared = len(said & _own_stems(info))
        fit, about, evident = Fit.UNKNOWN, True, True
        subject = reading.subject
        if isinstance(reading, Relation):
            subject, value = (reading.object, subject) if predicate.inverse else (subject, reading.object)
            fit = fitting.fits(value, info.ranges)
            if predicate.tier and fit < Fit.YES and fitting.of_countries(info.ranges):
                fit = Fit.NO  # "was born in Delft" says of no country that somebody is from there
            about = reading.subject.start <= reading.object.start
            evident = predicate.tier == 0 or fit > Fit.UNKNOWN or fitting.fits(subject, info.domains) > Fit.UNKNOWN
        elif isinstance(reading.value, DateValue):
            fit = _dated(reading.value, info)
        if predicate.tier >= _LOOSEST and not shared and fitting.fits(subject, info.domains) is Fit.NO:
            fit = Fit.NO
        told = fit == Fit.YES and not fitting.of_places(info.ranges)
        out.append(_Choice(reading, (predicate.tier, -shared), fit, about, told, evident))
    return out


def _dated(value: DateValue, info: PropertyInfo) -> Fit:
    """Whether a date is as exact as the values of a property: a year is no day."""
    yearly = info.datatype == XSD + "gYear" or any("year" in label.lower().split() for label in info.labels)
    if value.precision == "year":
        return Fit.YES if yearly else Fit.UNKNOWN
    return Fit.NO if yearly else Fit.YES if value.precision == "day" else Fit.UNKNOWN


def _own_stems(info: PropertyInfo) -> frozenset[str]:
    """The stems of what a property is called; not of what only leads up to that ("is a member of the team")."""
    led = [alt for alt in info.alt_labels if any(label.lower() in alt for label in info.labels)]
    return frozenset(s for label in (*info.labels, *info.alt_labels) if label not in led for s in _stems(label))


def _stems(text: str, claim: Claim | None = None) -> set[str]:
    """The words of a text by their lemmas and what is derived from these; small words are left out."""
    out: set[str] = set()
    for token in tokenise(text):
        if not token.text.isalpha() or is_closed(token.lower) or (claim is not None and token.text[:1].isupper()):
            continue
        out |= _family(token.lower)
    return out


@lru_cache(maxsize=8192)
def _family(word: str) -> frozenset[str]:
    found = forms(word)
    lemmas = {(found.noun, "n"), (found.verb, "v"), (found.adj, "a")}
    out = {word}
    for lemma, pos in lemmas:
        if lemma:
            out.add(lemma)
            out |= {str(each[0]) for each in wordnet.derived(lemma, pos)}
    return frozenset(out)
