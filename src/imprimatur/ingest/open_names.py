"""A lexicon whose names are open: the words of an ontology, known things first, then whatever is written like a name.

Contract: properties and classes are those of the ontology, by the same vocabulary as for graphs. A name that the graph
knows means what it means there; any other gets a provisional IRI (``OPEN`` and the name), the same for the same name
within one document. That a provisional thing is of some kind is known only where the document said so before
(``learn``), its own name ends so ("Agra Airport"), or the dictionary has it (Greece is a country).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import cast
from urllib.parse import quote

from imprimatur._expressions import expression
from imprimatur.claim import Mention
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.syntax import Item, Np
from imprimatur.extract.wording import WordingKey
from imprimatur.extract.words import forms, is_closed
from imprimatur.ingest.idle_words import unreal
from imprimatur.ingest.name_spans import is_place, name_spans, recurring
from imprimatur.ingest.soundness import LOOSE, sound_keys, tier_of
from imprimatur.language import wordnet
from imprimatur.language.tokens import Token
from imprimatur.protocols import Entry, Found, Lexicon, Word
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.names import folded
from imprimatur.sources.graph.vocabulary import class_noun, is_person_noun

__all__ = ["OPEN", "OpenDiscourse", "OpenLexicon"]

#: What provisional IRIs begin with.
OPEN = "urn:imprimatur:open:"


#: Keys that only say that two things have to do with each other ("O's S").
_EMPTY = frozenset(("=*", "@@*"))
#: "X is the leader in Y" and "Y, where X is the leader" as "X is the leader of Y"; the holes come in the same order.
_PLACED = expression(r"(?:be\|loc=\*\|obj=([^|*{}=]+)\|subj=\*|=([^|*{}=]+)\{loc=\*\}|@([^|*{}=<@]+)<\*)\Z")


class OpenLexicon:
    """The lexicon of one document (implements ``protocols.Lexicon``).

    Args:
        ontology: what gives the words of classes and properties.
        known: what knows things by name; the ontology's own where there is no other.
        texts: the sentences of the document.
    """

    def __init__(self, ontology: GraphLexicon, texts: Sequence[str] = (), *, known: Lexicon | None = None) -> None:
        self.ontology = ontology
        self.known: Lexicon = ontology if known is None else known
        self._seen = recurring(texts)
        self._names: dict[str, str] = {}  # provisional IRI: the name as it was first written
        self._articled: set[str] = set()  # provisional IRIs of what was written with "the"
        self._short: dict[str, list[str]] = {}  # a short form of names that were met: the provisional IRIs
        self._words: frozenset[str] | None = None
        self._kinds: dict[str, set[str]] = {}  # an IRI: the classes that the document puts it into

    @property
    def words(self) -> frozenset[str]:
        """The single words, in small letters, in which the ontology speaks."""
        if self._words is None:
            schema = self.ontology.schema
            told = [(*each.labels, *each.alt_labels) for each in schema.properties.values()]
            told += [(*each.labels, *each.alt_labels) for each in schema.classes.values()]
            labels = (schema.spoken(label) for each in told for label in each)
            self._words = frozenset(word for label in labels for word in label.lower().split() if not is_closed(word))
        return self._words

    # -- names ----------------------------------------------------------------------------------------------------
    def find(self, tokens: Sequence[Word]) -> list[Found]:
        """Known names among the tokens, then what is written like one."""
        found = [f for f in self.known.find(tokens) if f.candidates]
        taken = {k for f in found for k in range(f.first, f.stop)}
        written = cast("Sequence[Token]", tokens)  # all that comes here was made by ``tokenise``
        for first, stop in name_spans(written, taken, self._seen, self):
            name = _joined(written[first:stop])
            meant = self._shortened(name) or (self.named(name),)
            if first and written[first - 1].lower == "the":
                self._articled.update(meant)
            found.append(Found(first, stop, meant))
        return sorted(found, key=lambda f: f.first)

    def names_class(self, noun: str) -> bool:
        """Whether a word in small letters is what a class is called."""
        return bool(self.ontology.classes(forms(noun).noun or noun))

    def relates(self, words: str) -> bool:
        """Whether some words are what a property is called ("ICAO Location Identifier"), and no part of a name."""
        chain = class_noun(words)
        return bool(chain and self.ontology.entries(f"={chain}<*"))

    def named(self, name: str) -> str:
        """The provisional IRI of a name."""
        iri = OPEN + quote(folded(name), safe="")
        if iri not in self._names:
            self._names[iri] = name
            for short in _short_forms(name):
                self._short.setdefault(short, []).append(iri)
        return iri

    def _shortened(self, name: str) -> tuple[str, ...]:
        """The things met before of whose names this is a short form; none where it is a name of its own."""
        return () if self.candidates(name) else tuple(self._short.get(folded(name), ()))

    def name_of(self, iri: str) -> str:
        """The name of a provisional thing as it was first written; "" for any other IRI."""
        return self._names.get(iri, "")

    def candidates(self, name: str) -> tuple[str, ...]:
        """The entities that bear a name, of the graph or met before."""
        known = self.known.candidates(name)
        iri = OPEN + quote(folded(name), safe="")
        return known or ((iri,) if iri in self._names else ())

    # -- words ----------------------------------------------------------------------------------------------------
    def entries(self, key: str) -> Sequence[Entry]:
        """The properties that a key may mean."""
        if key in _EMPTY:
            return ()
        placed = _PLACED.match(key)
        noun = str(placed[1] or placed[2] or placed[3]) if placed is not None else ""
        if noun and "status" in wordnet.hypernyms(noun.partition("<")[0], "n", depth=None):
            return ()  # "Y, where X has citizenship": it is said of X
        if placed is not None and not placed[3] and wordnet.noun_kind(noun.partition("<")[0]) == "noun.location":
            return ()  # "X is a country in Y" is no country of Y
        found = tuple(self._retiered(key, e) for e in self.ontology.entries(key))
        if found or placed is None or placed[3]:
            return found
        owned = self.ontology.entries(f"={noun}<*")
        return tuple(replace(e, tier=LOOSE) for e in owned if e.value == "entity")

    def _retiered(self, key: str, entry: Entry) -> Entry:
        """The entry in its tier for reading facts (``soundness``)."""
        if entry.tier != 1 or entry.value not in ("entity", "any", "text"):
            return entry
        info = self.ontology.schema.property(entry.iri)
        if info is None:
            return entry
        said = WordingKey(key, entry.subject, entry.turned, able="able" in entry.traits)
        return replace(entry, tier=tier_of(1, said, sound_keys(info)))

    def classes(self, noun: str) -> Sequence[str]:
        """The classes that a noun chain may name."""
        return self.ontology.classes(noun)

    def instances(self, class_iri: str) -> Sequence[str]:
        """The members of a class are never all known."""
        return ()

    # -- kinds ----------------------------------------------------------------------------------------------------
    def learn(self, iri: str, classes: Iterable[str]) -> None:
        """Remember that the document puts a thing into some classes."""
        self._kinds.setdefault(iri, set()).update(classes)

    def kinds(self, iri: str) -> frozenset[str]:
        """The classes that the document has put a thing into."""
        return frozenset(self._kinds.get(iri, ()))

    def of_kind(self, noun: str, entity: str) -> bool:
        """Whether an entity is of a class that bears the noun; "the city of X" says it of anything."""
        if self.known.of_kind(noun, entity):
            return True
        if not entity.startswith(OPEN):
            return False
        return self.general(noun, entity) or (_administrative(noun) and not self._named_for(entity))

    def is_person(self, entity: str) -> bool | None:
        """Whether an entity is a person; None where nobody has said."""
        told = {is_person_noun(noun) for noun in self._nouns(entity)}
        if told:
            return True in told
        return False if self.no_person(entity) else self.known.is_person(entity)

    def no_person(self, entity: str) -> bool:
        """Whether a name cannot be a person's: a place's, a plural of persons, a common noun with an article."""
        plain = self.name_of(entity).partition(",")[0].partition("(")[0].strip()
        words = plain.split()
        if not words or is_place(folded(plain)):
            return bool(words)
        last = forms(words[-1].lower())
        if last.plural and last.noun and is_person_noun(last.noun):
            return True
        head = plain.partition(" of ")[0].split()[-1].lower()
        told = entity in self._articled or " of " in plain
        return told and wordnet.noun_kind(forms(head).noun or head) not in (None, "noun.person")

    def general(self, noun: str, entity: str) -> bool:
        """Whether the document, the graph or the name itself says that an entity is what the noun says."""
        if self.known.general(noun, entity):
            return True
        if "<" in noun or not entity.startswith(OPEN):
            return False
        if noun in self._nouns(entity) or noun in self._listed(entity):
            return True
        last = self.name_of(entity).partition(",")[0].partition("(")[0].split()[-1:]
        return bool(last) and (forms(last[0].lower()).noun or "") == noun

    def _named_for(self, entity: str) -> bool:
        """Whether a name ends with a noun that says what the thing is ("Agra Airport")."""
        words = self.name_of(entity).partition(",")[0].split()
        return len(words) > 1 and wordnet.noun_kind(words[-1].lower()) in ("noun.artifact", "noun.group", "noun.object")

    def _nouns(self, entity: str) -> set[str]:
        found = (self.ontology.schema.class_(iri) for iri in self._kinds.get(entity, ()))
        return {class_noun(label).partition("<")[0] for cls in found if cls is not None for label in cls.labels}

    def _listed(self, entity: str) -> frozenset[str]:
        """What a dictionary says that a thing of one word is: "Greece" is a country."""
        name = folded(self.name_of(entity))
        return (
            wordnet.hypernyms(name, "n", depth=2, max_senses=1)
            if wordnet.noun_kind(name) == "noun.location"
            else (frozenset())
        )


def _administrative(noun: str) -> bool:
    """Whether a noun is one of towns, states and the like, so that "the … of X" is X."""
    return "administrative district" in wordnet.hypernyms(noun, "n", depth=2)


def _short_forms(name: str) -> Iterator[str]:
    """What a name may be called when it comes again: its first or last word, or its end ("Civil War")."""
    words = name.partition(",")[0].partition("(")[0].split()
    if len(words) < 2 or is_place(" ".join(words).lower()):
        return
    for start in range(1, len(words) - 1):
        yield folded(" ".join(words[start:]))
    last = words[-1].lower()
    if len(words) > 2 and words[-2].islower() and words[-2] not in ("de", "van", "von", "der", "di", "du", "da", "la"):
        return  # "Kerala" is no short form of "College at Kerala"
    if wordnet.noun_kind(forms(last).noun or last) not in (None, "noun.person"):
        return  # "Agra" is no short form of "Agra Airport"
    if wordnet.is_known(last) and wordnet.noun_kind(last) != "noun.person":
        return  # "Arden" is no short form of "Arden United"
    for word in (words[0], words[-1]):
        if any(c.isdigit() for c in name):
            return  # "Audi" is no short form of "Audi A1"
        if len(word) > 2 and not is_place(word.lower()) and not is_closed(word.lower()):
            yield folded(word)


def _joined(tokens: Sequence[Token]) -> str:
    """The words of some tokens with the gaps that the text has."""
    out = [tokens[0].text]
    for before, token in pairwise(tokens):
        out.append((" " if token.start > before.end else "") + token.text)
    return "".join(out)


class OpenDiscourse(Discourse):
    """The names of a document as they come. A noun before a name says what the thing is ("the astronaut Alan Bean")."""

    def antecedents(self, np: Np, items: Sequence[Item], *, apart: frozenset[int] = frozenset()) -> tuple[Mention, ...]:
        """What a pronoun or "the river" may stand for; "the cast" is nobody's unless it is said whose."""
        if np.head == "it" and np.head_item >= 0 and items[np.head_item].lower == "the":
            return ()
        return super().antecedents(np, items, apart=apart)

    def general(self, noun: str, entity: str) -> bool:
        """Whether a noun right before a name says what it is: a noun of persons, places, works, bodies or products."""
        if self.lexicon.general(noun, entity):
            return True
        if not entity.startswith(OPEN) or wordnet.senses(noun, "a"):
            return False  # "former" is a noun too, and takes back what follows
        if unreal(noun):
            return False  # "the character Bo Lind"
        if _administrative(noun):
            return True
        if self.lexicon.entries(f"={noun}<*"):
            return False  # "the order Poales" is what a property says
        return wordnet.noun_kind(noun) in _DESCRIBING or is_person_noun(noun)


_DESCRIBING = frozenset(("noun.person", "noun.location", "noun.artifact", "noun.group", "noun.object", "noun.animal"))
