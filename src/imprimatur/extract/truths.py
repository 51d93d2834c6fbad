"""Claims that something is so of a thing, yes or no: "S has parking", "S is not tidal"."""

from __future__ import annotations

from dataclasses import replace

from imprimatur.claim import Attribute, Claim, Predicate
from imprimatur.extract.folding import DAYS
from imprimatur.extract.kinds import Kinds
from imprimatur.extract.told import ANY, clocked, time_said, told_keys
from imprimatur.extract.versions import spans_of
from imprimatur.protocols import Entry
from imprimatur.values import TextValue

__all__ = ["TRUE", "Truths"]

#: The value that is claimed; a denial is the negation of it.
TRUE = TextValue("true")


def _value(entry: Entry, time: str) -> TextValue:
    """What an entry claims: that it is so, its word, or a time."""
    return TRUE if entry.value == "flag" else TextValue(entry.traits[0] if entry.value == "word" else time)


class Truths(Kinds):
    """The yes and no that one clause states."""

    def _truths(self) -> list[Claim]:
        if self.standing or not self.lexicon.entries(ANY):
            return []
        found: dict[frozenset[int], Claim] = {}
        for told in told_keys(self.clause, self.items):
            keyed, thing = told.keyed, told.keyed.holes[0]
            time = time_said(keyed.key)
            entries = self.lexicon.entries(clocked(keyed.key))
            if self.clause.past or self._articled(keyed.items - thing.items):
                entries = [entry for entry in entries if entry.value != "word"]  # "is a square"; "was red" once
            readings = tuple(
                Attribute(
                    subject=subject,
                    predicates=(Predicate(entry.iri, tier=entry.tier),),
                    value=_value(entry, time),
                    bare=entry.value == "word",
                )
                for entry in entries
                for subject in self.mentions(thing)
            )
            if self.clause.past and (time or any(day in keyed.key for day in DAYS)):
                continue  # "opened at 8 on Monday" is said of one Monday
            if not readings or (told.either and not self._negated()):
                continue
            claim = self._claim(keyed.items - self.before(thing), readings, None)
            denials = spans_of([self.items[x] for x in sorted((self._denials() & keyed.items) | told.denials)])
            denied = claim.negated is not bool(told.denials)
            claim = replace(claim, covers=tuple(sorted({*claim.covers, *denials})), negated=denied)
            found.setdefault(keyed.items, claim)
        return [*found.values()]

    def _articled(self, items: frozenset[int]) -> bool:
        """Whether what is said has an article or another determiner."""
        return any("det" in self.items[x].forms.closed for x in items)

    def _denials(self) -> frozenset[int]:
        """The "no" of "has no parking", which makes the claim a denial."""
        phrases = (self.clause.subj, *(c.np for c in self.clause.comps))
        told = [np for np in phrases if np is not None and np.det.split()[:1] == ["no"]]
        return frozenset(x for np in told for x in np.items if self.items[x].lower == "no")
