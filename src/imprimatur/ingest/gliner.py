"""GLiNER and GLiNER2 as readers of documents: names by the ontology's classes, relations by its properties.

Contract: what is looked for are the labels of the classes, and of the properties between things where the model marks
relations. What it marks are spans of one sentence, so each mention stands there; numbers and dates are found by rules.
A value is tied to a name only where one name of the sentence and one value can go together by the ontology. What is
proposed has the trust class ``model``. A model that fails is an error, and so is a sentence that it cannot take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.extractors.marker_folder import MarkerFolder
from imprimatur.extractors.markers import Marker, Thresholds, open_marker
from imprimatur.ingest.candidate import Candidate, Place, Refusal
from imprimatur.ingest.ontology import ANY_THING, Guardrail, Property
from imprimatur.ingest.ontology_words import words_of_guardrail
from imprimatur.ingest.patterns import Readout
from imprimatur.ingest.read_back import Proposal, ReadBack, readable, targets
from imprimatur.language import dates, quantities
from imprimatur.sources.graph.terms import DATE_TYPES, NUMERIC_TYPES
from imprimatur.sources.passages.passage import Document, Sentence

__all__ = ["GlinerReader", "open_reader"]

Span = tuple[int, int]
Named = tuple[Span, str]

#: With more labels at once these models find little and take long; a sentence with more names is no sentence.
_MOST_LABELS = 100
_MOST_NAMES = 40


class GlinerReader:
    """Reads documents by what a model marks in their sentences (implements ``FactReader``)."""

    def __init__(self, marker: Marker, guardrail: Guardrail, *, name: str, fingerprint: str) -> None:
        told = "\n".join((fingerprint, guardrail.content_hash))
        self.identity = f"gliner:{name}:" + sha256(told.encode()).hexdigest()[:16]
        self._marker = marker
        self._guardrail = guardrail
        self._classes = {each.name: each.iri for each in guardrail.classes}
        self._relations = {each.name: each for each in guardrail.relations} if marker.relates else {}
        self._back = ReadBack(guardrail, words_of_guardrail(guardrail), by=self.identity)

    def candidates(self, document: Document) -> list[Candidate]:
        """What the model marks and the ontology ties together. Raises CheckFailed where it cannot be asked."""
        return list(self.read(document).candidates)

    def read(self, document: Document) -> Readout:
        """What the model marks, and what of it was dropped."""
        found: list[Candidate] = []
        refused: list[tuple[Place, Refusal]] = []
        for sentence in readable(document):
            for proposal in dict.fromkeys(self._proposals(sentence)):
                made = self._back.candidate(proposal, sentence, document)
                if isinstance(made, Refusal):
                    place = Place(document=document.id, start=sentence.start, end=sentence.end, quote=sentence.text)
                    refused.append((place, made))
                else:
                    found.append(made)
        return Readout(tuple(dict.fromkeys(found)), tuple(refused))

    def _proposals(self, sentence: Sentence) -> Iterator[Proposal]:
        text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in sentence.text)
        marks = self._marker.mark(text, tuple(self._classes), tuple(self._relations))
        names = list(
            dict.fromkeys(
                (span, self._classes[label])
                for marked, label in marks.names
                if label in self._classes and (span := _inside(marked, sentence.text)) is not None
            )
        )
        if len(names) > _MOST_NAMES:
            raise CheckFailed(f"marked more than {_MOST_NAMES} names in one sentence")
        shift = sentence.start
        for head, label, tail in marks.relations:
            known = self._relations.get(label)
            subject, value = _inside(head, sentence.text), _inside(tail, sentence.text)
            if known is not None and subject is not None and value is not None and subject != value:
                yield _proposal(known, (subject, _class_at(names, subject)), (value, _class_at(names, value)), shift)
        if not self._relations:
            yield from self._between(names, shift)
        yield from self._valued(names, sentence)

    def _between(self, names: Sequence[Named], shift: int) -> Iterator[Proposal]:
        """Names in pairs, where one property and no other can lead from the one class to the other."""
        for subject in names:
            for value in names:
                fitting = [p for p in self._guardrail.relations if subject[0] != value[0] and _fits(p, subject, value)]
                rivals = [p for p in self._guardrail.relations if _fits(p, value, subject)]
                only = len([n for n in names if n[1] == subject[1]]) == len([n for n in names if n[1] == value[1]]) == 1
                if len(fitting) == 1 and not rivals and only:
                    yield _proposal(fitting[0], subject, value, shift)

    def _valued(self, names: Sequence[Named], sentence: Sentence) -> Iterator[Proposal]:
        """A number or date with the one name that can have it."""
        measured = [(each.start, each.end) for each in quantities.find(sentence.text)]
        dated = [(each.start, each.end) for each in dates.find(sentence.text)]
        for kinds, spans in ((DATE_TYPES, dated), (NUMERIC_TYPES, [s for s in measured if s not in dated])):
            fitting = [
                (known, name)
                for known in self._guardrail.attributes
                for name in names
                if not kinds.isdisjoint(known.datatypes) and _has(known, name[1])
            ]
            if len(fitting) == len(spans) == 1:
                known, name = fitting[0]
                yield _proposal(known, name, (spans[0], ""), sentence.start)


def _has(known: Property, class_: str) -> bool:
    return any(pattern.source in (class_, ANY_THING) for pattern in known.patterns)


def _fits(known: Property, subject: Named, value: Named) -> bool:
    return _has(known, subject[1]) and value[1] in targets(known)


def _class_at(names: Sequence[Named], span: Span) -> str:
    """The class of the name at a span; "" where none or several were marked there."""
    found = {class_ for at, class_ in names if at == span}
    return next(iter(found)) if len(found) == 1 else ""


def _proposal(known: Property, subject: Named, value: Named, shift: int) -> Proposal:
    (start, end), (first, stop) = subject[0], value[0]
    return Proposal(
        property=known.iri,
        subject=(start + shift, end + shift),
        value=(first + shift, stop + shift),
        subject_class=subject[1],
        value_class=value[1],
    )


def _inside(span: Span, text: str) -> Span | None:
    """The span as far as it lies in the text; None where nothing of it does."""
    start, end = max(span[0], 0), min(span[1], len(text))
    return (start, end) if start < end else None


def open_reader(folder: MarkerFolder, guardrail: Guardrail, *, threshold: float = 0.5) -> GlinerReader:
    """The model in a folder as a reader.

    Raises:
        ConfigError: what runs it is not installed, it cannot be read, or the ontology has no classes or too many.
    """
    for what, known in (("classes", guardrail.classes), ("relations", guardrail.relations)):
        if len(known) > _MOST_LABELS:
            message = f"the ontology has {len(known)} {what}, and at most {_MOST_LABELS} can be looked for"
            raise ConfigError(message, hint="name an ontology with those that matter")
    if not guardrail.classes:
        raise ConfigError("the ontology has no classes to look for", hint="name those whose members are to be found")
    marker = open_marker(folder, Thresholds(threshold, threshold))
    fingerprint = f"{folder.fingerprint} {threshold:g}"
    return GlinerReader(marker, guardrail, name=folder.path.name, fingerprint=fingerprint)
