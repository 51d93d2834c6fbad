"""Reports made by hand, for the tests of everything that shows, records or sends one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from imprimatur.claim import (
    Aggregate,
    Attribute,
    Claim,
    Comparison,
    Condition,
    Count,
    Description,
    Membership,
    Mention,
    Predicate,
    Relation,
    Route,
    Share,
    Span,
    Statement,
    Superlative,
    When,
    variable,
)
from imprimatur.decision import Abstained, Decision, Edit, Licensed
from imprimatur.evidence import Evidence
from imprimatur.report import JudgedClaim, JudgedSegment, Report, Residue, Versions
from imprimatur.values import Bound, DateValue, Number, Quantity, TextValue, Unit
from imprimatur.verdict import Label, Reason, Verdict

__all__ = ["STATEMENTS", "VERSIONS", "report_of"]

_ELM = Mention(0, 3, "Elm", ("https://example.org/elm",))
_OAK = Mention(4, 7, "Oak")
_IN = (Predicate("https://example.org/in"), Predicate("https://example.org/has", inverse=True))
_KM = Unit("km", (("m", 1),), Fraction(1000))
_YEAR = DateValue(first=(-384, 1, 1), last=(-384, 12, 31), precision="year")
_LENGTH = Quantity(
    low=Number(Fraction(5, 2), Fraction(1, 10), 2),
    high=Number(Fraction(1, 3)),
    bound=Bound.RANGE,
    unit=_KM,
    other=(Quantity(low=Number(Fraction(25))),),
    partner=Quantity(low=Number(Fraction(-16181, 1000), Fraction(1, 1000), 5), bound=Bound.ABOUT),
)

_FIVE = Quantity(low=Number(Fraction(5)), bound=Bound.AT_LEAST)
_RIVER = Condition(readings=(Membership(subject=variable(1), classes=("https://example.org/River",)),))
_IN_OAK = Condition(readings=(Relation(subject=variable(1), predicates=_IN, object=_OAK),), negated=True)
_RIVERS = Description(it=variable(1), conditions=(_RIVER, _IN_OAK), definite=True)

#: One statement of every kind, every value and every optional part among them.
STATEMENTS: tuple[Statement, ...] = (
    Relation(subject=_ELM, predicates=_IN, object=_OAK),
    Relation(subject=_ELM, predicates=_IN, object=_OAK, when=When(at=_YEAR)),
    Attribute(subject=_ELM, predicates=_IN, value=_LENGTH),
    Attribute(
        subject=_ELM, predicates=_IN, value=DateValue(first=None, last=(2020, 2, 29), precision="day", other=(_YEAR,))
    ),
    Attribute(subject=_ELM, predicates=_IN, value=TextValue("“x” \ud800")),
    Membership(subject=_ELM, classes=("https://example.org/River",)),
    Comparison(subject=_ELM, other=_OAK, predicates=_IN, sign=">"),
    Comparison(subject=_ELM, other=_OAK, predicates=_IN, sign=">=", by=_LENGTH, times=Fraction(5, 2)),
    Superlative(subject=_ELM, predicates=_IN, within=_RIVERS, largest=True, rank=2, among=True),
    Superlative(subject=_ELM, predicates=_IN, within=None, largest=False),
    Count(subject=_ELM, of=_RIVERS, value=_FIVE),
    Route(subject=_ELM, of=_RIVERS, says=(_RIVER, _IN_OAK)),
    Span(subject=_ELM, predicates=_IN, ends=_IN, value=_FIVE, age=True),
    Aggregate(subject=_ELM, members=(_ELM, _ELM), predicates=_IN, value=_FIVE, mean=True),
    Aggregate(subject=_ELM, members=(), predicates=_IN, value=_FIVE, median=True, within=_RIVERS),
    Share(subject=_ELM, of=_RIVERS, says=(_RIVER, _IN_OAK), value=_LENGTH),
    Share(subject=_ELM, of=_RIVERS, says=(_RIVER,), value=_FIVE, total=_FIVE),
)

VERSIONS = Versions(imprimatur="0.0", knowledge_base="sha256:a", shapes="sha256:b", policy="sha256:c", models=("m",))


def report_of(answer: str, label: Label, *, readings: tuple[Statement, ...] = ()) -> Report:
    """A report of one segment, that has one claim of that label, all of the answer."""
    evidence = Evidence(
        source="graph",
        kind="triple",
        content='<https://example.org/elm> <https://example.org/length> "25" .',
        query="ASK { }",
        origin="elm.ttl",
        correction="25 km" if label is Label.CONTRADICTED else None,
    )
    reason = {Label.SUPPORTED: Reason.ENTAILED, Label.CONTRADICTED: Reason.VALUE_MISMATCH}.get(
        label, Reason.NO_EVIDENCE
    )
    verdict = Verdict(label=label, reasons=(reason,), evidence=(evidence,), candidates=("x",), clarify="Which Elm?")
    claim = Claim(
        start=0, end=len(answer), text=answer, covers=((0, len(answer)),), readings=readings, citations=("m1",)
    )
    claims = () if label is Label.NOT_A_CLAIM else (JudgedClaim(claim=claim, verdict=verdict),)
    residue = (Residue(0, min(3, len(answer)), True),) if label is Label.NOT_FOUND else ()
    segment = JudgedSegment(start=0, end=len(answer), label=label, reasons=(reason,), residue=residue, claims=claims)
    segments = (segment,) if answer else ()
    good = label in (Label.SUPPORTED, Label.NOT_A_CLAIM) or not answer
    edit = Edit(start=0, end=len(answer), before=answer, after="withheld", evidence=("ASK { }",))
    decision: Decision = Licensed(text=answer) if good else Abstained(text="withheld", edits=(edit,))
    return Report(
        answer=answer,
        decision=decision,
        summary={Label.SUPPORTED: "fully_supported", Label.CONTRADICTED: "contradicted"}.get(label, "unsupported"),
        segments=segments,
        accounting=dict(Counter(str(part.label) for part in segments)),
        versions=VERSIONS,
        warnings=("a warning",),
    )
