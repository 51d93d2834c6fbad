"""Why something was withheld, and what would have to be added to the knowledge base for it to pass, in plain words.

Contract: one explanation for each claim that is not licensed, and one for the words of a segment that no claim accounts
for; what a person has waived needs none; spans are the claim's or the words' own, in code points of the answer. Nothing
here judges anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from imprimatur._dataclasses import dataclass
from imprimatur.claim import (
    Aggregate,
    Attribute,
    Claim,
    Comparison,
    Count,
    Membership,
    Mention,
    Relation,
    Route,
    Share,
    Span,
    Statement,
    Superlative,
)
from imprimatur.report import JudgedClaim, JudgedSegment, Report
from imprimatur.sources.tables.terms import in_words
from imprimatur.verdict import Label, Reason, Verdict

__all__ = ["Explanation", "Names", "explain"]

#: The name of an IRI, as people say it.
Names = Callable[[str], str]

_FINE = (Label.SUPPORTED, Label.NOT_A_CLAIM)
#: What no further sentence would mend.
_NO_SENTENCE = (
    *(Reason.UNKNOWN_CITATION, Reason.MISSING_CITATION, Reason.OVERCLAIM, Reason.OUTDATED),
    *(Reason.JUDGE_DISAGREES, Reason.JUDGE_FAILED, Reason.UNCONFIRMED, Reason.EXTRACTOR_FAILED),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One thing that was withheld: ``answer[start:end] == text``, why, and what would license it."""

    start: int
    end: int
    text: str
    label: Label
    why: str
    needed: str


def explain(report: Report, names: Names) -> tuple[Explanation, ...]:
    """The explanations for a report, in the order of the answer. ``names`` gives the label of an IRI."""
    return tuple(
        found
        for segment in report.segments
        if segment.label not in _FINE and Reason.WAIVED not in segment.reasons
        for found in _segment(segment, report.answer, names)
    )


def _segment(segment: JudgedSegment, answer: str, names: Names) -> Iterator[Explanation]:
    failing = [judged for judged in segment.claims if judged.verdict.label not in _FINE]
    for judged in failing:
        yield _claim(judged, names)
    if Reason.RESIDUE in segment.reasons:
        yield _residue(segment, answer)
    elif not failing:
        why, needed = _REASONS.get(segment.reasons[0] if segment.reasons else Reason.NO_EVIDENCE, _SILENT)
        text = answer[segment.start : segment.end]
        yield Explanation(start=segment.start, end=segment.end, text=text, label=segment.label, why=why, needed=needed)


def _residue(segment: JudgedSegment, answer: str) -> Explanation:
    start, end = segment.residue[0].start, segment.residue[-1].end
    words = ", ".join(f"“{answer[part.start : part.end]}”" for part in segment.residue)
    return Explanation(
        start=start,
        end=end,
        text=answer[start:end],
        label=segment.label,
        why=f"no supported claim accounts for these words: {words}",
        needed="evidence that says so in a form that can be read: a property whose label or alternative label "
        "(skos:altLabel) is among these words, or a label for the thing that they name; else leave the words out",
    )


def _claim(judged: JudgedClaim, names: Names) -> Explanation:
    claim, verdict = judged.claim, judged.verdict
    reason = verdict.reasons[0] if verdict.reasons else Reason.NO_EVIDENCE
    why, needed = _REASONS.get(reason, _SILENT)
    told = [why, *_evidence(verdict)]
    if claim.prose is not None:
        told += [f"“{found.text}”: {found.detail}" for found in _findings(claim, verdict)]
        needed = _entry_needed(claim, reason, needed)
    elif reason is Reason.UNKNOWN_ENTITY:
        needed = _names_needed(claim) or needed
    elif reason in (Reason.NO_EVIDENCE, Reason.CONSTRAINT_INCOMPLETE) and claim.readings:
        missing = _triple(claim.readings[0], names)
        needed = f"{needed if '<' in missing else needed.replace('a triple', 'a cell')}: {missing}"
    if verdict.clarify:
        told.append(verdict.clarify)
    return Explanation(
        start=claim.start,
        end=claim.end,
        text=claim.text,
        label=verdict.label,
        why="; ".join(told),
        needed=needed,
    )


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    detail: str


def _findings(claim: Claim, verdict: Verdict) -> Iterator[_Said]:
    """The words at fault, with what the evidence has instead."""
    for found in verdict.findings[:3]:
        words = claim.text[found.start - claim.start : found.end - claim.start]
        if found.detail and words:
            yield _Said(words[:80], found.detail)


def _entry_needed(claim: Claim, reason: Reason, needed: str) -> str:
    """What text would have to say for the claim to pass."""
    if reason in _NO_SENTENCE:
        return needed
    where = " or ".join(claim.citations) if claim.citations else "an entry or passage"
    return f"{needed}; or a sentence in {where} that says: {claim.text}"


def _evidence(verdict: Verdict) -> Iterator[str]:
    for evidence in verdict.evidence[:3]:
        yield f"{evidence.source} has: {evidence.content}"
    right = next((e.correction for e in verdict.evidence if e.correction is not None), None)
    if right is not None:
        yield f"right would be: {right}"


def _names_needed(claim: Claim) -> str:
    unknown = dict.fromkeys(m.text for reading in claim.readings for m in _mentions(reading) if not m.candidates)
    named = ", ".join(f"“{text}”" for text in unknown)
    return f"a label (rdfs:label or skos:altLabel) for {named} in the graph" if named else ""


def _mentions(reading: Statement) -> tuple[Mention, ...]:
    match reading:
        case Relation():
            return (reading.subject, reading.object)
        case Comparison():
            return (reading.subject, reading.other)
        case _:
            return (reading.subject,)


def _triple(reading: Statement, names: Names) -> str:
    """The statement that would have to be in the graph, in words and with its IRIs."""
    subject = _mention(reading.subject)
    if isinstance(reading, (Count, Route, Share)):
        return f"what the answer says of each thing, and for numbers and shares all of them, {_CLOSED}"
    if isinstance(reading, Membership):
        return f"{subject} rdf:type {' or '.join(f'<{iri}>' for iri in reading.classes) or reading.noun}"
    predicates = " or ".join(_term(p.iri, names) for p in reading.predicates)
    match reading:
        case Relation():
            return f"{subject} {predicates} {_mention(reading.object)}"
        case Attribute():
            return f"{subject} {predicates}, with the value that the answer states"
        case Comparison():
            return f"{predicates} of both {subject} and {_mention(reading.other)}"
        case Superlative():
            where = "graph: {complete: […]}" if "<" in predicates else "tables: [{file: …, complete: true}]"
            return f"all values of {predicates}, declared complete under `{where}`"
        case Aggregate():
            each = ", ".join(_mention(m) for m in reading.members)
            return (
                f"one value of {predicates} for {f'each of {each}' if each else f'all that it is said of, {_CLOSED}'}"
            )
        case Span():
            ends = " or ".join(_term(p.iri, names) for p in reading.ends)
            return f"{subject} {predicates} and {ends}, with dates as far apart as the answer states"


def _mention(mention: Mention) -> str:
    if len(mention.candidates) == 1:
        return in_words(mention.candidates[0]) or f"<{mention.candidates[0]}>"
    return f"“{mention.text}”"


def _term(iri: str, names: Names) -> str:
    """A property as it is to be found: its IRI with its name, or the column that it is."""
    return in_words(iri) or f"<{iri}> ({names(iri)})"


#: How it is told that nothing is missing.
_CLOSED = "declared complete (`graph: {complete: […]}`; `complete: true` for a table)"
_SILENT = (
    "the knowledge base says nothing for or against it",
    "evidence for it in the knowledge base",
)
_REASONS: dict[Reason, tuple[str, str]] = {
    Reason.NO_EVIDENCE: (_SILENT[0], "a triple that says so"),
    Reason.VALUE_MISMATCH: (
        "the stored value is another one",
        "the stated value, in place of the stored one, if the stored one is wrong",
    ),
    Reason.FUNCTIONAL_CONFLICT: (
        "the property has one value, and the knowledge base has another",
        "the stated value, in place of the stored one, if the stored one is wrong",
    ),
    Reason.DISJOINT_CLASS: (
        "it is of a class that shares no member with the stated one",
        "another class of the thing, or no declaration that the two are disjoint",
    ),
    Reason.COMPLETE: (
        "the knowledge base is declared complete for this, and does not have it",
        "the missing triple, or no declaration that the property is complete",
    ),
    Reason.NEGATION_OF_FACT: (
        "it denies what the knowledge base says",
        "nothing, unless the stored fact is wrong",
    ),
    Reason.CONSTRAINT_VIOLATION: (
        "it breaks a constraint of the shapes",
        "values that keep the constraint, or another constraint if this one is wrong",
    ),
    Reason.CONSTRAINT_INCOMPLETE: (
        "with it a constraint would lack something that the knowledge base does not have",
        "what the constraint asks for, and the triple itself",
    ),
    Reason.UNKNOWN_ENTITY: (
        "it names something that the knowledge base does not know",
        "a label (rdfs:label or skos:altLabel) for the thing in the graph",
    ),
    Reason.UNKNOWN_PREDICATE: (
        "no property of the knowledge base is known by these words",
        "an alternative label (skos:altLabel) for the property that is meant, in the ontology",
    ),
    Reason.AMBIGUOUS_PREDICATE: (
        "the words may mean several properties, and not all of them speak against it",
        "a triple that says so by one of these properties",
    ),
    Reason.AMBIGUOUS_ENTITY: (
        "several things have this name, and the outcome depends on which is meant",
        "words in the answer that say which is meant",
    ),
    Reason.AMBIGUOUS_NUMBER: (
        "the number can be read in two ways, and only one of them is right",
        "separators that allow one reading only, or the right `locale` in imprimatur.yaml",
    ),
    Reason.AMBIGUOUS_DATE: (
        "the date can be read in two ways, and only one of them is right",
        "a date with the month's name, or the right `locale` in imprimatur.yaml",
    ),
    Reason.UNIT_MISMATCH: (
        "the stated unit does not fit what the property measures",
        "a unit of the right kind in the answer, or the property's unit (qudt:hasUnit) in the ontology",
    ),
    Reason.OUTDATED: (
        "it held at another time",
        "a validity that includes the day that is meant",
    ),
    Reason.UNTRUSTED: (
        "only evidence of a trust class that the policy does not allow speaks for it",
        "evidence from a trusted source",
    ),
    Reason.SOURCE_DISAGREEMENT: (
        "trusted sources disagree",
        "a correction in the source that is wrong",
    ),
    Reason.UNKNOWN_CITATION: (
        "it cites something that does not exist",
        "a citation of an entry that exists and says so",
    ),
    Reason.MISSING_CITATION: (
        "it cites nothing, and the policy asks for citations",
        "a citation of the entry that says so, or `citations: optional` in the policy",
    ),
    Reason.NUMBER_NOT_IN_SOURCE: (
        "a number or date is not that of the evidence, or belongs to something else there",
        "the number that the evidence has",
    ),
    Reason.LOW_COVERAGE: ("some of its words are in no evidence", "only what the evidence says"),
    Reason.OVERCLAIM: (
        "it claims more certainty than evidence gives",
        "the claim without the words of certainty",
    ),
    Reason.UNSUPPORTED_NAME: ("it names something that the evidence does not name there", "the name that it has"),
    Reason.NEGATION_MISMATCH: ("the evidence says the opposite", "nothing, unless the evidence is wrong"),
    Reason.CONDITION_DROPPED: ("the evidence says it under a condition that is left out", "the condition"),
    Reason.HEDGE_DROPPED: ("the evidence says it with reserve", "the reserve"),
    Reason.SCOPE_WIDENED: ("the evidence says it of less, or less strongly", "the narrower statement"),
    Reason.COMPARISON_MISMATCH: ("a bound or comparison is another one in the evidence", "the bound that it has"),
    Reason.ROLES_SWAPPED: ("the evidence has the same things in other places", "each thing in its place"),
    Reason.QUOTE_ALTERED: ("the words in quotation marks are not those of the evidence", "the words as they stand"),
    Reason.JUDGE_DISAGREES: (
        "the evidence has its words, but a trained judge does not find it borne out",
        "nothing, if the judge is right; else another threshold, chosen by labels of your own",
    ),
    Reason.JUDGE_FAILED: (
        "a trained judge that must be heard failed or was late",
        "another run, once the fault is mended; or `on_failure: note` for this judge",
    ),
    Reason.UNCONFIRMED: (
        "the extractor does not take these words to say what was read in them, or takes them to say more",
        "nothing, if the extractor is right; else plainer words, or `extractor: {kind: reader}`",
    ),
    Reason.EXTRACTOR_FAILED: (
        "the extractor failed or was late",
        "another run, once the fault is mended; or `extractor: {kind: reader}`",
    ),
    Reason.CHECK_FAILED: ("the check failed", "another run, once the fault is mended"),
    Reason.TIME_LIMIT: ("the time for this answer was up", "more time, or a shorter answer"),
    Reason.NOT_EXAMINED: ("it was not examined: a limit was reached", "a higher limit, or a shorter answer"),
}
