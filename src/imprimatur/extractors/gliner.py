"""GLiNER and GLiNER2 as extractors: names by the graph's classes, relations by its properties.

Contract: what is looked for are the labels of the graph's classes and of the properties between things; numbers and
dates are found by rules and paired with the names (``pairing``). Where a model marks no relations, or ``relations:
pairs`` says so, names are paired as the classes allow. What is proposed are spans with the properties that they may
stand for; what a model marks behind the text's end is left out. The same text gives the same proposals.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from imprimatur.config import ExtractorConfig
from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.extractors.extraction import Opened
from imprimatur.extractors.marker_folder import MarkerFolder
from imprimatur.extractors.markers import Marker, Marks, Span, Thresholds, open_marker
from imprimatur.extractors.pairing import MOST_NAMES, Marked, pairs, singles
from imprimatur.extractors.terms import Term, Terms, chosen
from imprimatur.protocols import Excerpt, Proposal, Proposed

__all__ = ["GlinerExtractor", "open_extractor"]

#: With more labels at once these models find little and take long.
_MOST_LABELS = 100
_BATCH = 8


class GlinerExtractor:
    """Proposes what the names that a model marks could be claimed of each other."""

    def __init__(self, marker: Marker, terms: Terms, *, name: str, fingerprint: str, paired: bool) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._marker = marker
        self._terms = terms
        self._classes = _by_label(terms.classes)
        related = _between_things(terms.properties)
        self._properties: Mapping[str, tuple[Term, ...]] = {} if paired else _by_label(related)
        #: What is left to pair by rules: values, where the model marks the relations.
        left = tuple(term for term in terms.properties if term not in related)
        self._paired = terms if paired else Terms(classes=terms.classes, properties=left, locale=terms.locale)
        self._known = frozenset(term.iri for term in terms.classes)

    def propose(self, excerpts: Sequence[Excerpt], *, seconds: float) -> list[Proposed]:
        """The proposals for each excerpt; those that fail say why, and the others count."""
        ends = time.monotonic() + seconds
        return [self._proposed(excerpt, ends) for excerpt in excerpts]

    def _proposed(self, excerpt: Excerpt, ends: float) -> Proposed:
        if not any(char.isalnum() for char in excerpt.text):
            return Proposed()
        if time.monotonic() >= ends:
            return Proposed(fault="was late")
        # A lone half of a pair of code units is no character that a tokenizer takes; its place stays.
        text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in excerpt.text)
        try:
            marks = self._marker.mark(text, tuple(self._classes), tuple(self._properties))
            return Proposed(self._made(text, marks))
        except CheckFailed as fault:
            return Proposed(fault=fault.message)

    def _made(self, text: str, marks: Marks) -> tuple[Proposal, ...]:
        names = [(_inside(span, text), label) for span, label in marks.names]
        marked = sorted(
            {Marked(*span, term) for span, label in names if span for term in self._classes.get(label, ())},
            key=lambda each: (each.span, each.term.iri),
        )
        if len(marked) > MOST_NAMES:
            raise CheckFailed(f"marked more than {MOST_NAMES} names in one sentence")
        found = [*singles(marked, self._known), *pairs(text, marked, self._paired), *self._related(text, marks)]
        return tuple(dict.fromkeys(found))

    def _related(self, text: str, marks: Marks) -> Iterator[Proposal]:
        for head, label, tail in marks.relations:
            subject, other = _inside(head, text), _inside(tail, text)
            names = tuple(term.iri for term in self._properties.get(label, ()))
            if subject is None or other is None or subject == other or not names:
                continue
            start, end = min(subject[0], other[0]), max(subject[1], other[1])
            yield Proposal(start=start, end=end, subject=subject, object=other, names=names)


def _inside(span: Span, text: str) -> Span | None:
    """The span as far as it lies in the text; None where nothing of it does."""
    start, end = max(span[0], 0), min(span[1], len(text))
    return (start, end) if start < end else None


def _between_things(properties: Sequence[Term]) -> tuple[Term, ...]:
    """The properties whose values can be things."""
    return tuple(term for term in properties if term.value in ("entity", "any"))


def _by_label(terms: Sequence[Term]) -> Mapping[str, tuple[Term, ...]]:
    """The terms by what they are called; several may bear one name."""
    found: dict[str, list[Term]] = {}
    for term in terms:
        if term.label.strip():
            found.setdefault(" ".join(term.label.split()), []).append(term)
    return {label: tuple(each) for label, each in found.items()}


def open_extractor(config: ExtractorConfig, terms: Terms) -> Opened:
    """The model in a folder, or in the hub's cache of this machine.

    Raises:
        ConfigError: the graph has no classes, or too many; there is no model; what runs it is not installed.
    """
    if config.model is not None:
        raise ConfigError("`model` is for language models", hint="name a folder under `path`")
    classes = chosen(terms.classes, config.classes, what="class", where="classes")
    properties = chosen(terms.properties, config.properties, what="property", where="properties")
    _countable("class", "classes", classes)
    folder = MarkerFolder.of(config)
    bounds = Thresholds(float(config.threshold), float(config.threshold))
    marker = open_marker(folder, bounds)
    related = _between_things(properties)
    paired = config.relations == "pairs" or not marker.relates or not related
    if not paired:
        _countable("property", "properties", related)
    looked_for = Terms(classes=classes, properties=properties, locale=terms.locale)
    told = (folder.fingerprint, f"{bounds.names:g}", str(paired), *(_told(term) for term in (*classes, *properties)))
    extractor = GlinerExtractor(
        marker,
        looked_for,
        name=config.name or (config.hub or folder.path.name),
        fingerprint=sha256("\n".join(told).encode()).hexdigest()[:16],
        paired=paired,
    )
    return Opened(extractor, batch=_BATCH, here=True)


def _told(term: Term) -> str:
    """All of a term that what is proposed depends on."""
    classes = ("|".join(sorted(each)) for each in (term.above, term.domains, term.ranges))
    return " ".join((term.iri, term.label, term.value, *classes))


def _countable(what: str, key: str, terms: Sequence[Term]) -> None:
    if not terms:
        message = f"the graph has no {what} to look for"
        raise ConfigError(message, hint="name the graph's ontology under `graph`, or use another extractor")
    if len(terms) > _MOST_LABELS:
        message = f"the graph has {len(terms)} {key}, and at most {_MOST_LABELS} can be looked for"
        raise ConfigError(message, hint=f"name those that matter under `{key}`")
