"""Parsing of sentences about things named S, O, P and Q, for the tests of the grammar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from imprimatur.extract import grammar
from imprimatur.extract.grammar import Parse
from imprimatur.extract.items import items_of
from imprimatur.extract.keyed import Keyed
from imprimatur.extract.keys import keys
from imprimatur.extract.syntax import Clause, Item, Np
from imprimatur.extract.unfold import clauses_within
from imprimatur.protocols import Entry, Found, Word

__all__ = ["Letters", "clauses_of", "denied", "items", "keys_of", "named"]


class Letters:
    """A lexicon whose only names are single letters; ``known`` are the keys that say something (see protocols)."""

    def __init__(self, known: Mapping[str, tuple[Entry, ...]] | None = None, nouns: Sequence[str] = ()) -> None:
        self.known = known or {}
        self.nouns = frozenset(nouns)

    def find(self, tokens: Sequence[Word]) -> list[Found]:
        """The single letters among the tokens."""
        return [Found(k, k + 1, self.candidates(t.text)) for k, t in enumerate(tokens) if self.candidates(t.text)]

    def candidates(self, name: str) -> tuple[str, ...]:
        """One thing for each letter."""
        return (f"urn:{name}",) if name in ("S", "O", "P", "Q") else ()

    def entries(self, key: str) -> Sequence[Entry]:
        """What the known keys mean."""
        return self.known.get(key, ())

    def classes(self, noun: str) -> Sequence[str]:
        """A class for each known noun."""
        return (f"urn:class:{noun}",) if noun in self.nouns else ()

    def instances(self, class_iri: str) -> Sequence[str]:
        """No class has members that are listed."""
        return ()

    def of_kind(self, noun: str, entity: str) -> bool:
        """Every thing is of every known kind."""
        return noun in self.nouns

    def is_person(self, entity: str) -> bool | None:
        """Nothing tells."""
        return None

    def general(self, noun: str, entity: str) -> bool:
        """Every thing is of every known kind."""
        return noun in self.nouns


def items(sentence: str) -> tuple[Item, ...]:
    """The items of a sentence."""
    return items_of(sentence, Letters())


def clauses_of(sentence: str) -> tuple[Parse, list[Clause]]:
    """The parse of a sentence and its clauses, those within others included."""
    parsed = fresh(items(sentence))
    return parsed, [clause for top in parsed.clauses for clause in clauses_within(top)]


def fresh(items: Sequence[Item]) -> Parse:
    """The parse of just these items: a kept one of the same skeleton has the words of other names in ``head``."""
    grammar._KEPT.clear()
    return grammar.parse(items)


def keys_of(sentence: str) -> Iterator[tuple[Clause, Keyed]]:
    """The keys of a sentence with the clauses that they are of."""
    for clause in clauses_of(sentence)[1]:
        for keyed in keys(clause):
            yield clause, keyed


def named(keyed: Keyed) -> str:
    """The names in the holes of a key: lists joined by plus signs, spaces within one made underscores."""
    return " ".join("+".join(_name(leaf) for leaf in hole.leaves()) for hole in keyed.holes)


def _name(np: Np) -> str:
    head = np.head.replace(" ", "_")
    return head.upper() if len(head) == 1 and head.isalpha() else head


def denied(clause: Clause) -> bool:
    """Whether a clause is denied: by its negators, "no" and "neither"."""
    phrases = (clause.subj, *(comp.np for comp in clause.comps))
    dets = sum(np.det.split()[:1] in (["no"], ["neither"]) for np in phrases if np is not None)
    return (len(clause.negators) + dets) % 2 == 1
