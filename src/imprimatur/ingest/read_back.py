"""What a model proposes, held against the words of the sentence: each mention verbatim, each value read by rules.

Contract: what does not stand in the sentence is no mention, and a value that the rules of ``language`` do not read
whole and exactly is none. Either way the proposal is dropped, with a reason; nothing is mended.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Modality
from imprimatur.ingest.candidate import Candidate, Place, Refusal, Thing
from imprimatur.ingest.literals import literal_of
from imprimatur.ingest.ontology import ANY_THING, ANYTHING, Guardrail, Property, is_datatype
from imprimatur.language import dates, quantities
from imprimatur.language.modality import classify
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.terms import DATE_TYPES, NUMERIC_TYPES, XSD, RdfLiteral
from imprimatur.sources.passages.passage import Document, Sentence, SentenceKind
from imprimatur.values import TextValue, Value

__all__ = ["Proposal", "ReadBack", "readable", "span_in", "targets"]

#: Sentences that state something by themselves.
_STATING = (SentenceKind.SENTENCE, SentenceKind.ITEM, SentenceKind.ROW, SentenceKind.FIELD)
_ENDS = "\"'“”‘’.,;:()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a model takes one sentence to state; spans are those of the document.

    Attributes:
        subject_class, value_class: IRIs, "" where it does not say.
    """

    property: str
    subject: tuple[int, int]
    value: tuple[int, int]
    subject_class: str = ""
    value_class: str = ""


def readable(document: Document) -> list[Sentence]:
    """The sentences of a document that state something by themselves."""
    return [s for passage in document.passages for s in passage.sentences if s.kind in _STATING and s.text.strip()]


def span_in(words: str, sentence: Sentence) -> tuple[int, int] | None:
    """Where some words stand in a sentence, as a span of the document; None where they do not stand there as words."""
    wanted = words.strip()
    at = sentence.text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        before, after = sentence.text[at - 1 : at], sentence.text[end : end + 1]
        if not (before.isalnum() and wanted[0].isalnum()) and not (after.isalnum() and wanted[-1].isalnum()):
            return sentence.start + at, sentence.start + end
        at = sentence.text.find(wanted, at + 1)
    return None


class ReadBack:
    """Makes candidates of what a model proposes of sentences, under one ontology."""

    def __init__(self, guardrail: Guardrail, words: GraphLexicon, *, by: str, locale: str = "en") -> None:
        self.guardrail = guardrail
        self._schema = words.schema
        self._by = by
        self._locale = locale

    def candidate(self, proposal: Proposal, sentence: Sentence, document: Document) -> Candidate | Refusal:
        """The candidate of a proposal, or why there is none."""
        known = self.guardrail.property_(proposal.property)
        info = self._schema.property(proposal.property)
        if known is None or info is None:
            return Refusal(code="unknown-relation", detail=f"the ontology names no {proposal.property[:80]!r}")
        if classify(sentence.text).modality is not Modality.ASSERTED:
            return Refusal(code="not-asserted", detail="the sentence asks, supposes or reports it, or claims nothing")
        value = self._value(known, info, proposal, document)
        if isinstance(value, Refusal):
            return value
        subject = _thing(document, proposal.subject, proposal.subject_class)
        if isinstance(value, Thing) and value.name == subject.name:
            return Refusal(code="no-value", detail="a thing is said of itself")
        return Candidate(
            subject=subject,
            property=known.iri,
            value=value,
            place=Place(document=document.id, start=sentence.start, end=sentence.end, quote=sentence.text),
            trust="model",
            by=self._by,
            span=proposal.value,
        )

    def _value(
        self, known: Property, info: PropertyInfo, proposal: Proposal, document: Document
    ) -> Thing | RdfLiteral | Refusal:
        words = document.text[slice(*proposal.value)]
        if known.leads_to_things and (proposal.value_class or not known.leads_to_values):
            return _thing(document, proposal.value, proposal.value_class)
        read = self._read(words, known.datatypes)
        if read is None:
            return Refusal(code="unread-value", detail=f"{words[:80]!r} is not read whole as a value of {known.name!r}")
        return literal_of(read, info)

    def _read(self, words: str, datatypes: Sequence[str]) -> Value | None:
        """A value out of words that say nothing else."""
        numeric = any(each in NUMERIC_TYPES for each in datatypes)
        dated = any(each in DATE_TYPES for each in datatypes)
        for found in dates.find(words, locale=self._locale) if dated else ():
            if (found.start, found.end) == (0, len(words)):
                return found.value
        for each in quantities.find(words, locale=self._locale) if numeric else ():
            if (each.start, each.end) == (0, len(words)):
                return each.quantity
        if numeric or dated or not any(each in (XSD + "string", "") or not each.startswith(XSD) for each in datatypes):
            return None
        return TextValue(words.strip(_ENDS)) if words.strip(_ENDS) else None


def _thing(document: Document, span: tuple[int, int], class_: str) -> Thing:
    return Thing(name=document.text[slice(*span)], span=span, classes=(class_,) if class_ else ())


def targets(known: Property) -> tuple[str, ...]:
    """The classes to which a property leads."""
    found = {p.target for p in known.patterns if not is_datatype(p.target) and p.target not in (ANY_THING, ANYTHING)}
    return tuple(sorted(found))
