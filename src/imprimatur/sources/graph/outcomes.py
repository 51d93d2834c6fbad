"""What a graph says of one subject, one property and one value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Attribute, When
from imprimatur.errors import InputError
from imprimatur.language import clock_matching, dates, directions, rounding, units
from imprimatur.sources.graph.facts import Fact
from imprimatur.sources.graph.held import rules, ruling, timed
from imprimatur.sources.graph.quality_wordings import apart
from imprimatur.sources.graph.reckoning import Reckoning
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.terms import CLOCK
from imprimatur.values import Bound, DateValue, Quantity, TextValue, Value
from imprimatur.verdict import Label, Reason

if TYPE_CHECKING:
    from imprimatur.sources.graph.judge import GraphSource, Limits

__all__ = ["Outcome", "agreed", "attribute_outcome", "negated", "readings", "relation_outcome", "same_text", "squeezed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A label with its reasons and facts.

    ``fits`` is False when the reading's types or units do not go together; ``absent`` names the subject and the
    property of which the graph, complete in it, knows no value. ``firm`` is False where what is claimed is not what the
    graph says, but the contrary is not proven either, for it may have been so at another time.
    """

    label: Label
    reasons: tuple[Reason, ...]
    facts: tuple[Fact, ...] = ()
    candidates: tuple[str, ...] = ()
    clarify: str | None = None
    correction: str | None = None
    fits: bool = True
    rank: tuple[int, int] = (0, 0)
    absent: tuple[int, str] | None = None
    shown: int = 4  # how many of its facts go into the evidence
    firm: bool = True
    reckoning: Reckoning | None = None


_SILENT = Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,))


def relation_outcome(
    source: GraphSource,
    subject: int,
    info: PropertyInfo,
    objects: Sequence[int],
    when: tuple[When | None, bool, Limits],
) -> Outcome:
    """Whether the subject has one of the objects by the property, at the time that is meant."""
    facts = source.entailment.trusted(source.entailment.values(subject, info.iri), when[2].trust)
    same = {x for o in objects for x in source.entailment.same(o)}
    hits = [f for f in facts if f.object in same]
    told = [(f, timed(f, when)) for f in hits]
    between = source.denials.between(source.entailment.same(subject), info, same)
    if denied := source.entailment.trusted(between, when[2].trust):
        return _denied(denied, [f for f, found in told if found.label is Label.SUPPORTED])
    # Of several times of which one is not known, none refutes.
    for label in (Label.SUPPORTED, Label.NOT_FOUND, Label.CONTRADICTED):
        held = [(f, found) for f, found in told if found.label is label]
        if held and label is Label.SUPPORTED:
            return _unless_conflicting(source, info, held[0][0], (facts, when))
        if held:
            firm = label is Label.NOT_FOUND or all(found.firm for _, found in held)
            firm = firm and (
                when[0] is None or info.complete or _another(source, subject, info, (facts, when, same)).firm
            )
            return Outcome(label, (held[0][1].reason,), tuple(f for f, _ in held), firm=firm)
    return _another(source, subject, info, (facts, when, same))


def _another(
    source: GraphSource,
    subject: int,
    info: PropertyInfo,
    about: tuple[list[Fact], tuple[When | None, bool, Limits], set[int]],
) -> Outcome:
    """What other values say at a time; that one had its own at another time excludes none (it may have held twice)."""
    facts, when, same = about
    found = _other_value(source, subject, info, ruling(facts, when), same)
    untold = when[0] is not None and not any(rules(f, when) for f in found.facts)
    return replace(found, firm=False) if untold else found


def _denied(denied: Sequence[Fact], held: Sequence[Fact]) -> Outcome:
    """What the graph says outright is not so; where it says that it is as well, it contradicts itself."""
    label = Label.CONFLICTING if held else Label.CONTRADICTED
    return Outcome(label, (Reason.NEGATIVE_ASSERTION,), (*held[:1], *denied[:3]))


def _unless_conflicting(
    source: GraphSource, info: PropertyInfo, fact: Fact, about: tuple[list[Fact], tuple[When | None, bool, Limits]]
) -> Outcome:
    facts, when = about
    others = [f for f in facts if f.object not in source.entailment.same(fact.object) and _overlaps(f, fact, when)]
    if info.functional and others:
        return Outcome(Label.CONFLICTING, (Reason.FUNCTIONAL_CONFLICT,), (fact, *others))
    return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), (fact,))


def _overlaps(a: Fact, b: Fact, when: tuple[When | None, bool, Limits]) -> bool:
    """Whether two facts may hold at one time, or hold at all of the time that is meant."""
    if a.valid is None or b.valid is None:
        return True
    return a.valid == b.valid or (rules(a, when) and rules(b, when))


def _other_value(source: GraphSource, subject: int, info: PropertyInfo, facts: list[Fact], same: set[int]) -> Outcome:
    """No such fact: refuted when the property has one value and the graph knows another, or knows all."""
    if not source.entailment.complete(subject, info.iri):
        return Outcome(Label.UNCHECKED, (Reason.NOT_EXAMINED,))
    if facts and info.functional:
        if _contained(source, subject, info, same):
            return _SILENT
        right = ", ".join(dict.fromkeys(source.graph.label(f.object) for f in facts))
        return Outcome(
            Label.CONTRADICTED,
            (Reason.FUNCTIONAL_CONFLICT,),
            tuple(facts),
            correction=right if len(facts) == 1 else None,
        )
    if info.complete:
        absent = None if source.entailment.values(subject, info.iri) else (subject, info.iri)
        return Outcome(Label.CONTRADICTED, (Reason.COMPLETE,), tuple(facts), absent=absent)
    return _inverse_functional(source, info, same, subject) or _disjoint(source, info, same, subject) or _SILENT


def _contained(source: GraphSource, subject: int, info: PropertyInfo, same: set[int]) -> bool:
    """Whether the subject reaches the value by a transitive super-property (a gulf in an ocean)."""
    for iri in info.supers:
        above = source.schema.property(iri)
        if (
            above is not None
            and above.transitive
            and any(f.object in same for f in source.entailment.values(subject, iri))
        ):
            return True
    return False


def _inverse_functional(source: GraphSource, info: PropertyInfo, same: set[int], subject: int) -> Outcome | None:
    if not info.inverse_functional:
        return None
    for value in same:
        owners = [f for f in source.entailment.values(value, info.iri, inverse=True) if f.object != subject]
        if owners:
            return Outcome(Label.CONTRADICTED, (Reason.FUNCTIONAL_CONFLICT,), tuple(owners))
    return None


def _disjoint(source: GraphSource, info: PropertyInfo, same: set[int], subject: int) -> Outcome | None:
    """Whether the subject has the value by a property that never shares a pair with this one (OWL 2 RL prp-pdw)."""
    for iri in info.disjoint_with:
        held = [f for f in source.entailment.values(subject, iri) if f.object in same and f.valid is None]
        if held:
            return Outcome(Label.CONTRADICTED, (Reason.DISJOINT_PROPERTY,), tuple(held))
    return None


def _right(source: GraphSource, info: PropertyInfo, stated: Value, fact: Fact) -> str:
    """The stored value, a quantity as the claim states it: in its unit, as finely as it is written."""
    number = source.graph.number(fact.object) if isinstance(stated, Quantity) else None
    if number is None or not isinstance(stated, Quantity):
        label = source.graph.label(fact.object)
        return clock_matching.shown(label) if info.datatype == CLOCK else label
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    try:
        written = rounding.write(number, stated, unit)
    except InputError:
        return source.graph.label(fact.object)
    shown = stated.unit or unit
    if (best := units.scale_of(shown)) is not None:
        return written if stated.unit is None else f"{written} out of {best}"
    return f"{written} {shown.symbol}" if shown is not None and not written.endswith("%") else written


def attribute_outcome(
    source: GraphSource, subject: int, info: PropertyInfo, reading: Attribute, how: tuple[bool, Limits]
) -> Outcome:
    """Whether a stored value of the property is what the claim states."""
    past, limits = how
    facts = source.entailment.trusted(source.entailment.values(subject, info.iri), limits.trust)
    if reading.when is not None or any(f.valid is not None for f in facts):
        facts = [f for f in facts if timed(f, (reading.when, past, limits))[0] is Label.SUPPORTED]
    stated = _suited(info, reading.value) if isinstance(reading.value, Quantity) else reading.value
    if isinstance(stated, Quantity) and not _unit_fits(info, stated):
        return Outcome(Label.NOT_FOUND, (Reason.UNIT_MISMATCH,), tuple(facts), fits=False)
    about = source.entailment.trusted(source.denials.about(source.entailment.same(subject), info), limits.trust)
    if denied := [f for f in about if _excludes(source, info, stated, f)]:
        return _denied(denied, [f for f in facts if _compared(source, info, stated, f, limits) == "yes"])
    if not facts:
        return _SILENT
    found = [(f, _compared(source, info, stated, f, limits)) for f in facts]
    if reading.bare and isinstance(stated, TextValue):
        found = [
            (f, m if m == "yes" or apart(stated.text, source.graph.label(f.object)) else "partial") for f, m in found
        ]
    beside = reading.beside
    if beside and any(m != "yes" and _compared(source, info, beside, f, limits) == "yes" for f, m in found):
        found = [(f, "no") for f in facts]  # the number before the brackets is right, so this is no conversion of it
    yes = [f for f, m in found if m == "yes"]
    if yes:
        others = [f for f, m in found if m == "no"]
        if info.functional and others and not _agree(source, yes[0], others):
            return Outcome(Label.CONFLICTING, (Reason.FUNCTIONAL_CONFLICT,), (yes[0], *others))
        return Outcome(Label.SUPPORTED, (Reason.ENTAILED,), (yes[0],))
    kinds = {m for _, m in found}
    if "ambiguous" in kinds:
        reason = Reason.AMBIGUOUS_NUMBER if isinstance(reading.value, Quantity) else Reason.AMBIGUOUS_DATE
        return Outcome(Label.AMBIGUOUS, (reason,), tuple(facts))
    if kinds == {"no"} and (info.functional or info.complete):
        return Outcome(
            Label.CONTRADICTED,
            (Reason.VALUE_MISMATCH,),
            tuple(facts),
            correction=_right(source, info, stated, facts[0]) if _agree(source, facts[0], facts[1:]) else None,
            firm=all(rules(f, (reading.when, past, limits)) for f in facts),
        )
    return Outcome(Label.NOT_FOUND, (Reason.NO_EVIDENCE,), tuple(facts) if kinds == {"no"} else ())


def _agree(source: GraphSource, yes: Fact, others: list[Fact]) -> bool:
    """Whether the other values are the same number written with less precision; where there are none, they are."""
    if not others:
        return True
    mine = source.graph.number(yes.object)
    if mine is None:
        return False
    for f in others:
        other = source.graph.number(f.object)
        if other is None or abs(other - mine) * 200 > max(abs(mine), abs(other)):
            return False
    return True


def _suited(info: PropertyInfo, stated: Quantity) -> Quantity:
    """The reading of an ambiguous unit word that the property's unit allows ("pounds" of a price)."""
    if _unit_fits(info, stated):
        return stated
    return next((other for other in stated.other if _unit_fits(info, other)), stated)


def _unit_fits(info: PropertyInfo, stated: Quantity) -> bool:
    unit = units.by_iri(info.unit_iri) if info.unit_iri else None
    if stated.unit is None or unit is None:
        return True
    return rounding.convert(stated.low.value, stated.unit, unit) is not None


def _compared(
    source: GraphSource, info: PropertyInfo, stated: Quantity | DateValue | TextValue, fact: Fact, limits: Limits
) -> str:
    """``yes``, ``no``, ``ambiguous``, or ``unit``/``partial`` (neither)."""
    if isinstance(stated, Quantity):
        number = source.graph.number(fact.object)
        if number is None:
            return "unit"
        unit = units.by_iri(info.unit_iri) if info.unit_iri else None
        found = rounding.matches(stated, number, unit, about=limits.about)
        partner = stated.partner
        if found is rounding.Match.NO and partner is not None and rounding.near_conversion(stated, partner):
            alone = rounding.matches(replace(stated, partner=None), number, unit, about=limits.about)
            return "partial" if alone is rounding.Match.YES else "no"
        return found.value
    if isinstance(stated, DateValue):
        stored = source.graph.date(fact.object)
        if stored is None:
            return "partial"
        return dates.compare(stated, source.lexicon.period(info, stored)).value
    said, held = stated.text, source.graph.label(fact.object)
    if info.datatype == CLOCK:
        return {True: "yes", False: "no", None: "partial"}[clock_matching.fits(said, held)]
    if (info.datatype or "").endswith("#boolean"):
        return "yes" if (held in ("true", "1")) is (said == "true") else "no"
    if same_text(said, held) or ((points := directions.point(held)) is not None and points == directions.point(said)):
        return "yes"
    comparable = source.lexicon.candidates_known(said) or any(c.isdigit() for c in said)
    return "no" if comparable else "partial"


def _excludes(source: GraphSource, info: PropertyInfo, stated: Quantity | DateValue | TextValue, denied: Fact) -> bool:
    """Whether all that is stated is denied: who was not born on one day may yet have been born in that year."""
    if isinstance(stated, Quantity):
        number = source.graph.number(denied.object)
        unit = units.by_iri(info.unit_iri) if info.unit_iri else None
        said = rounding.convert(stated.low.value, stated.unit, unit)
        return stated.bound is Bound.EXACT and stated.high is None and number is not None and said == number
    if isinstance(stated, DateValue):
        stored = source.graph.date(denied.object)
        if stored is None or stated.bound is not Bound.EXACT or stated.other:
            return False
        days, span = (stated.first, stated.last), source.lexicon.period(info, stored)
        if days[0] is None or days[1] is None or span.first is None or span.last is None:
            return False
        return span.first <= days[0] and days[1] <= span.last
    held = source.graph.label(denied.object)
    if (info.datatype or "").endswith("#boolean"):
        return (held in ("true", "1")) is (stated.text == "true")
    return same_text(stated.text, held)


def same_text(a: str, b: str) -> bool:
    """Whether two texts are the same but for case, spaces and marks."""
    return squeezed(a) == squeezed(b)


def squeezed(text: str) -> str:
    """What of a text counts when texts are compared as names."""
    return re.sub(r"[\W_]+", "", text).casefold()


def readings(outcomes: Sequence[Outcome]) -> Outcome:
    """Several properties that the words may mean: one entailed supports, only all refuted refute.

    For refuting, only the closest readings count: those whose values are most special, then those in the property's own
    words ("its source is in Ohio" is about the state, though the source is a place as well).
    """
    fitting = [o for o in outcomes if o.fits] or outcomes
    for label in (Label.SUPPORTED, Label.CONFLICTING, Label.AMBIGUOUS):
        found = [o for o in fitting if o.label is label]
        if found:
            return found[0]
    best = max(o.rank for o in fitting)
    closest = [o for o in fitting if o.rank == best]
    if all(o.label is Label.CONTRADICTED for o in closest):
        return _firmly(closest)
    if any(o.label is Label.CONTRADICTED for o in fitting):
        silent = next(o for o in fitting if o.label is not Label.CONTRADICTED)
        return replace(silent, reasons=(Reason.AMBIGUOUS_PREDICATE, *silent.reasons))
    return fitting[0]


def _firmly(outcomes: Sequence[Outcome]) -> Outcome:
    """The first of outcomes of one label, firm where all are."""
    first = outcomes[0]
    return first if all(o.firm for o in outcomes) else replace(first, firm=False)


def agreed(outcomes: Sequence[Outcome], names: Sequence[str], mention: str) -> Outcome:
    """Several things of one name: they must agree, else it is ambiguous which is meant."""
    labels = {o.label for o in outcomes}
    if len(labels) == 1:
        return _firmly(outcomes)
    shown = tuple(dict.fromkeys(names))[:12]
    return Outcome(
        Label.AMBIGUOUS,
        (Reason.AMBIGUOUS_ENTITY,),
        tuple(f for o in outcomes for f in o.facts)[:4],
        candidates=shown,
        clarify=f"Which {mention}: {', '.join(shown[:-1])} or {shown[-1]}?" if len(shown) > 1 else f"Which {mention}?",
    )


def negated(o: Outcome) -> Outcome:
    """Not-p is supported exactly when p is contradicted and that is firm, and contradicted when p is supported."""
    if o.label is Label.SUPPORTED:
        return replace(o, label=Label.CONTRADICTED, reasons=(Reason.NEGATION_OF_FACT,))
    if o.label is Label.CONTRADICTED and not o.firm:
        return replace(o, label=Label.NOT_FOUND, reasons=(Reason.NO_EVIDENCE,), correction=None)
    if o.label is Label.CONTRADICTED:
        return replace(o, label=Label.SUPPORTED, reasons=(Reason.ENTAILED, *o.reasons), correction=None)
    return o
