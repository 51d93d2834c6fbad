"""The graph as a source: what it says of one claim (DESIGN section 3: open and closed world, entities, inference).

Silence is ``not_found``. ``contradicted`` needs proof: another value of a functional property, a disjoint class, a
complete property or class, a validity that excludes the date. A name that the graph does not know is never refuted.
Subject candidates that remain must agree; of several properties that the words may mean, one entailed reading supports
and only all refuted ones refute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.claim import (
    Attribute,
    Claim,
    Comparison,
    Membership,
    Mention,
    Relation,
    Statement,
    Superlative,
    When,
    mentions_of,
    with_mentions,
)
from imprimatur.errors import LimitExceeded
from imprimatur.sources.graph.fitting import allowed_objects, allows_value
from imprimatur.sources.graph.outcomes import (
    Outcome,
    agreed,
    attribute_outcome,
    negated,
    readings,
    relation_outcome,
    same_text,
)
from imprimatur.sources.graph.reckoned import reckoned
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.shown import judgement
from imprimatur.sources.graph.things import Things
from imprimatur.verdict import Judgement, Label, Reason

__all__ = ["GraphSource"]

_MOST_IDENTIFIED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How a claim is to be judged: tolerance of "about", trusted classes, the day of the check."""

    about: Fraction = Fraction(1, 20)
    trust: tuple[str, ...] = ("curated", "derived")
    as_of: date | None = None


_NO_LIMITS = Limits()


class GraphSource(Things):
    """Judges claims against one graph (implements ``protocols.Source``)."""

    name = "graph"

    def judge(self, claim: Claim, limits: Limits = _NO_LIMITS) -> Judgement:
        """What the graph says of the claim."""
        if not claim.readings:
            return Judgement(source=self.name, label=Label.NOT_FOUND, reasons=(Reason.UNKNOWN_PREDICATE,))
        try:
            outcome = self._claim(self.identified(claim, limits), limits)
        except LimitExceeded:
            return Judgement(source=self.name, label=Label.UNCHECKED, reasons=(Reason.NOT_EXAMINED,))
        if claim.narrowed and outcome.label is Label.CONTRADICTED:
            outcome = replace(outcome, label=Label.NOT_FOUND, reasons=(Reason.AMBIGUOUS_PREDICATE,), correction=None)
        return judgement(self, negated(outcome) if claim.negated else outcome)

    # -- readings -----------------------------------------------------------------------------------------------
    def _claim(self, claim: Claim, limits: Limits) -> Outcome:
        """All readings together.

        Readings that start from the same words but other things (antecedents of a pronoun, be it the subject or the
        object) must agree like candidates;
        readings that start from other words (the relation from its other end) are alternatives.
        """
        ends: dict[int, dict[tuple[str, ...], list[Outcome]]] = {}
        judged: list[Outcome] = []
        each = [self.statement(reading, claim, limits) for reading in claim.readings]
        for reading, outcome in zip(claim.readings, self._both_ways(claim.readings, each), strict=True):
            who = _who(reading, claim.readings)
            if self._weaker(reading, claim.readings, outcome):
                outcome = replace(outcome, label=Label.NOT_FOUND, reasons=(Reason.AMBIGUOUS_PREDICATE,))
            judged.append(outcome)
            ends.setdefault(reading.subject.start, {}).setdefault(who, []).append(outcome)
        merged = []
        for groups in ends.values():
            each = [readings(outcomes) for outcomes in groups.values()]
            each = [o for o in each if o.fits] or each
            if len(each) == 1:
                merged += each
                continue
            names = [" or ".join(self._labels(k[:3])) for k in groups]
            merged.append(agreed(each, names, claim.readings[0].subject.text))
        measured = any(isinstance(r, (Comparison, Superlative)) for r in claim.readings)
        if measured and {Label.SUPPORTED, Label.CONTRADICTED} <= {o.label for o in judged}:
            return Outcome(Label.AMBIGUOUS, (Reason.AMBIGUOUS_PREDICATE,))
        return readings(merged)

    def _both_ways(self, readings: Sequence[Statement], outcomes: Sequence[Outcome]) -> list[Outcome]:
        """The outcomes, without the silence from one end of what is refuted by its time from the other.

        "X was married to Y from 2003 to 2009" says the same from either end, and a graph states it from one.
        """
        refuted = {
            (r.object.start, r.subject.start, r.predicates[0].iri)
            for r, o in zip(readings, outcomes, strict=True)
            if isinstance(r, Relation) and Reason.OUTDATED in o.reasons and r.predicates[0].iri in self.lexicon.mutual
        }
        return [
            replace(o, fits=False) if _silent(o) and _ends(r) in refuted else o
            for r, o in zip(readings, outcomes, strict=True)
        ]

    def _weaker(self, reading: Statement, others: Sequence[Statement], outcome: Outcome) -> bool:
        """Whether a property supports what the words say of a special case of it, in that one's own wording.

        "Flows into" is the direct mouth: being a tributary of a tributary does not make it so.
        """
        if not isinstance(reading, Relation) or outcome.label is not Label.SUPPORTED:
            return False
        mine = reading.predicates[0]
        for other in others:
            if (
                isinstance(other, Relation)
                and other.predicates[0].tier < mine.tier
                and other.subject == reading.subject
            ):
                info = self.schema.property(other.predicates[0].iri)
                known = info is not None and mine.iri != info.iri and mine.iri in info.supers
                if known and info is not None and self._known_values(info, reading.subject):
                    return True
        return False

    def _known_values(self, info: PropertyInfo, mention: Mention) -> bool:
        """Whether the graph has values of a property for what is mentioned."""
        return any(self.entailment.values(x, info.iri) for x in self.ids(mention))

    def statement(self, reading: Statement, claim: Claim, limits: Limits) -> Outcome:
        """What the graph says of one reading."""
        match reading:
            case Relation() | Attribute():
                return self._valued(reading, claim, limits)
            case Membership():
                return self._member(reading)
            case _:
                return reckoned(self, reading, claim, limits)

    def _valued(self, reading: Relation | Attribute, claim: Claim, limits: Limits) -> Outcome:
        info = self.schema.property(reading.predicates[0].iri)
        if info is None:
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,))
        subjects = self.ids(reading.subject)
        if not subjects:
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_ENTITY,))
        fitting = self._described(self._of(subjects, reading.subject, lambda s: self.bears(s, info)), info)
        if not fitting:
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,), fits=False)
        if isinstance(reading, Attribute):
            each = [attribute_outcome(self, x, info, reading, (claim.past, limits)) for x in fitting]
            found = self._settled(each, fitting, reading, info)
            return found if allows_value(info, reading.value) else _unfitting(found)
        objects = self.ids(reading.object)
        if not objects:
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_ENTITY,))
        if reading.object.every is not None:
            return self._to_all(reading, fitting, info, (reading.when, claim.past, limits))
        suited = self._of(objects, reading.object, lambda o: self.of_class(o, info.ranges))
        if not suited:
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_PREDICATE,), fits=False)
        allowed = allowed_objects(self, info, suited)
        each = [relation_outcome(self, x, info, allowed or suited, (reading.when, claim.past, limits)) for x in fitting]
        found = self._settled(each, fitting, reading, info)
        if found.label is Label.AMBIGUOUS and len(objects) == 1:
            return _linked(each, info) or found
        return found if allowed else _unfitting(found)

    def _to_all(
        self, reading: Relation, subjects: list[int], info: PropertyInfo, when: tuple[When | None, bool, Limits]
    ) -> Outcome:
        """A relation to every member of a class; what is said of one subject only."""
        if len(subjects) != 1 or reading.subject.every is not None:
            return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))
        each = [relation_outcome(self, subjects[0], info, [o], when) for o in self._all_ids(reading.object)]
        return self._all(each, reading.object)

    def _settled(
        self, each: list[Outcome], subjects: list[int], reading: Relation | Attribute, info: PropertyInfo
    ) -> Outcome:
        """The outcome for all subjects of the name; the one whose main label it is comes first when it is supported."""
        rank = (self._depth(info), -reading.predicates[0].tier)
        if reading.subject.every is not None:
            return self._all([replace(o, rank=rank) for o in each], reading.subject)
        if len(each) == 1:
            return each[0] if each[0].rank == rank else replace(each[0], rank=rank)
        names = [self.graph.label(s) for s in subjects]
        main = [o for o, name in zip(each, names, strict=True) if same_text(name, reading.subject.text)]
        if len(main) == 1 and main[0].label is Label.SUPPORTED:
            return replace(main[0], rank=rank)
        return replace(agreed(each, names, reading.subject.text), rank=rank)

    def _all(self, each: list[Outcome], mention: Mention) -> Outcome:
        """What is said of every member of a class: one counterexample refutes; to support, all must be known."""
        wrong = min((o for o in each if o.label is Label.CONTRADICTED), key=lambda o: not o.firm, default=None)
        if wrong is not None:
            return wrong
        cls = self.schema.class_(mention.every or "")
        if cls is None or not cls.complete or len(each) != len(mention.candidates):
            return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))
        if mention.count is not None and mention.count != len(each):
            return Outcome(Label.CONTRADICTED, (Reason.COMPLETE,), tuple(f for o in each for f in o.facts[:1]))
        if all(o.label is Label.SUPPORTED for o in each):
            return Outcome(
                Label.SUPPORTED, (Reason.ENTAILED,), tuple(f for o in each for f in o.facts[:1]), rank=each[0].rank
            )
        return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))

    def _depth(self, info: PropertyInfo) -> int:
        """How special the values of a property are: the number of classes above its range."""
        known = [cls for c in info.ranges if (cls := self.schema.class_(c)) is not None]
        return max((len(cls.supers) for cls in known), default=0)

    def _described(self, subjects: list[int], info: PropertyInfo) -> list[int]:
        """The subjects that the graph describes; those that it merely mentions step back when there are any.

        A thing that is only ever the value of others, with nothing said of it but its type and names, cannot be what
        the evidence speaks of.
        """
        if len(subjects) < 2:
            return subjects
        known = [
            s
            for s in subjects
            if {p for p, _ in self.graph.out(s)} - self._naming or self.entailment.values(s, info.iri)
        ]
        return known or subjects

    def _member(self, reading: Membership) -> Outcome:
        subjects = self.ids(reading.subject)
        if not subjects:
            return Outcome(Label.NOT_FOUND, (Reason.UNKNOWN_ENTITY,))
        each = [self._member_of(s, reading) for s in subjects]
        return agreed(each, [self.graph.label(s) for s in subjects], reading.subject.text)

    def _member_of(self, subject: int, reading: Membership) -> Outcome:
        for cls in reading.classes:
            fact = self.entailment.member(subject, cls)
            if fact is not None:
                return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), (fact,))
        types = self.entailment.types(subject)
        if reading.noun and self.lexicon.general(reading.noun, self.graph.iri(subject)):
            return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), types[:1])
        for cls in reading.classes:
            for fact in types:
                if self.schema.disjoint(cls, self.graph.iri(fact.object)):
                    return Outcome(
                        Label.CONTRADICTED, (Reason.DISJOINT_CLASS,), (fact,), correction=self.graph.label(fact.object)
                    )
        infos = [self.schema.class_(c) for c in reading.classes]
        if infos and all(i is not None and i.complete for i in infos):
            return Outcome(Label.CONTRADICTED, (Reason.COMPLETE,), types[:1])
        return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))

    # -- entities -----------------------------------------------------------------------------------------------
    def identified(self, claim: Claim, limits: Limits) -> Claim:
        """The claim with the things meant by names of several, where what else is said of them tells which."""
        told = {m for r in claim.readings for m in mentions_of(r) if m.given and len(m.candidates) > 1}
        if not told:
            return claim
        meant = {m: self._meant(m, claim, limits) for m in told}
        return replace(claim, readings=tuple(with_mentions(r, lambda m: meant.get(m, m)) for r in claim.readings))

    def _meant(self, mention: Mention, claim: Claim, limits: Limits) -> Mention:
        """The mention with the candidates of which all that is given holds; with all of them where it holds of none."""
        kept = tuple(
            iri
            for iri in mention.candidates[:_MOST_IDENTIFIED]
            if all(self._holds(group, mention, iri, (claim, limits)) for group in mention.given)
        )
        return replace(mention, candidates=kept or mention.candidates, given=())

    def _holds(self, group: Sequence[Statement], mention: Mention, iri: str, how: tuple[Claim, Limits]) -> bool:
        from imprimatur.sources.graph.bound import put  # few claims need it

        return any(self.statement(put(r, mention, iri), *how).label is Label.SUPPORTED for r in group)


def _who(reading: Statement, others: Sequence[Statement]) -> tuple[str, ...]:
    """The things that a reading is about: its subject, and its object where the same words may name several."""
    subject = reading.subject.candidates or (reading.subject.text,)
    if not isinstance(reading, Relation):
        return subject
    at = (reading.subject.start, reading.object.start, reading.predicates)
    named = {
        o.object.candidates
        for o in others
        if isinstance(o, Relation) and at == (o.subject.start, o.object.start, o.predicates)
    }
    return (*subject, *reading.object.candidates) if len(named) > 1 else subject


def _silent(outcome: Outcome) -> bool:
    return outcome.label is Label.NOT_FOUND and outcome.reasons == (Reason.NO_EVIDENCE,)


def _ends(reading: Statement) -> tuple[int, int, str] | None:
    """Where a relation's ends stand, and its property."""
    if not isinstance(reading, Relation):
        return None
    return reading.subject.start, reading.object.start, reading.predicates[0].iri


def _unfitting(outcome: Outcome) -> Outcome:
    """The outcome of a reading whose value shapes rule out: it counts only where no other reading fits."""
    return outcome if outcome.label is Label.SUPPORTED else replace(outcome, fits=False)


def _linked(each: list[Outcome], info: PropertyInfo) -> Outcome | None:
    """A relation that is stated from both ends, to a thing of one name: the link tells which subject is meant."""
    if info.functional or not (info.inverses or info.symmetric):
        return None
    if {o.label for o in each} != {Label.SUPPORTED, Label.NOT_FOUND}:
        return None
    return next(o for o in each if o.label is Label.SUPPORTED)
