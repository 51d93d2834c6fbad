"""Documents about brooks, a reader of them and checks, for the tests of ingesting."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from imprimatur.errors import CheckFailed
from imprimatur.ingest.applying import Outcome, Request, ingest
from imprimatur.ingest.candidate import Candidate, Place, Refusal, Thing
from imprimatur.ingest.holding import Settled
from imprimatur.ingest.planning import Sought
from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.passages.passage import Document

__all__ = ["BASE", "BrookChecks", "BrookReader", "brought_up", "files_of", "write_documents"]

BASE = "https://example.org/brooks/"
_LENGTH = re.compile(r"(?P<name>[A-Z]\w+ Brook) is (?P<value>[0-9]{1,9}) metres long\.")
_MOUTH = re.compile(r"(?P<name>[A-Z]\w+ Brook) flows into (?P<value>[A-Z]\w+ Brook)\.")


@dataclass(frozen=True)
class BrookReader:
    """Reads lengths and mouths. ``fails_on``: words at which it fails; ``pause``: seconds that a document takes."""

    identity: str = "brooks:1"
    trust: str = "derived"
    pause: float = 0.0
    fails_on: str = ""

    def candidates(self, document: Document) -> list[Candidate]:
        """What the document states."""
        if self.fails_on and self.fails_on in document.text:
            raise CheckFailed("the reader fails")
        time.sleep(self.pause)
        found = []
        for pattern, property_ in ((_LENGTH, "length"), (_MOUTH, "mouth")):
            for match in pattern.finditer(document.text):
                thing = Thing(name=match["name"], span=match.span("name"), classes=(BASE + "Brook",))
                literal = RdfLiteral(match["value"], XSD + "integer")
                value = literal if property_ == "length" else Thing(name=match["value"], classes=(BASE + "Brook",))
                place = Place(document=document.id, start=match.start(), end=match.end(), quote=match[0])
                found.append(
                    Candidate(
                        subject=thing,
                        property=BASE + property_,
                        value=value,
                        place=place,
                        trust=self.trust,
                        by=self.identity,
                        span=match.span("value"),
                    )
                )
        return sorted(found, key=lambda each: each.place.start if each.place else 0)


def _iri(name: str) -> str:
    return BASE + name.split()[0].lower()


@dataclass(frozen=True)
class BrookChecks:
    """Lengths have six digits, one for each brook; ``known`` brooks are in the graph, "Ambi" is ambiguous."""

    identity: str = "checks:1"
    known: frozenset[str] = field(default_factory=lambda: frozenset({"Elm Brook", "Oak Brook"}))

    def refusals(self, candidate: Candidate) -> tuple[Refusal, ...]:
        """What speaks against one."""
        value = candidate.value
        if isinstance(value, RdfLiteral) and len(value.lexical) > 6:
            return (Refusal(code="too-long", detail="no brook is so long"),)
        return ()

    def classes(self, iri: str) -> tuple[str, ...]:
        """No more than the reader says."""
        return ()

    def settle(self, candidates: Sequence[Candidate]) -> Sequence[Settled]:
        """IRIs by name."""
        return [self._settled(each) for each in candidates]

    def _settled(self, each: Candidate) -> Settled:
        if each.subject.name.startswith("Ambi"):
            refusal = Refusal(code="ambiguous-thing", detail="there are two of this name")
            return Settled(candidate=each, refusals=(refusal,))
        subject = _placed(each.subject)
        value = _placed(each.value) if isinstance(each.value, Thing) else each.value
        things = [thing for thing in (subject, value) if isinstance(thing, Thing)]
        new = tuple(thing for thing in things if thing.name not in self.known)
        settled = Candidate(
            subject=subject,
            property=each.property,
            value=value,
            place=each.place,
            trust=each.trust,
            by=each.by,
            valid=each.valid,
            span=each.span,
        )
        return Settled(candidate=settled, new=new, how="new" if new else "exact")

    def broken(self, candidates: Sequence[Candidate]) -> Sequence[tuple[Refusal, ...]]:
        """Two lengths of one brook are one too many, whoever says so."""
        lengths: dict[str, set[str]] = defaultdict(set)
        for each in candidates:
            if isinstance(each.value, RdfLiteral):
                lengths[each.subject.iri].add(each.value.lexical)
        refusal = Refusal(code="several-values", detail="there are several lengths")
        return [
            (refusal,) if isinstance(each.value, RdfLiteral) and len(lengths[each.subject.iri]) > 1 else ()
            for each in candidates
        ]

    def words(self, property_: str) -> str:
        """What a property is called."""
        return ""


def _placed(thing: Thing) -> Thing:
    return Thing(name=thing.name, span=thing.span, classes=thing.classes, iri=_iri(thing.name))


def write_documents(folder: Path, texts: dict[str, str]) -> Path:
    """Writes texts into a folder, and returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def brought_up(base: Path, *named: Path, reader: BrookReader | None = None, **more: object) -> Outcome:
    """What comes of ingesting the documents with the reader and checks of this module."""
    reader = reader or BrookReader()
    request = Request(
        base=base,
        sought=Sought(named=named),
        open_reader=lambda: reader,
        open_checks=BrookChecks,
        **more,  # type: ignore[arg-type]
    )
    return ingest(request)


def files_of(base: Path) -> dict[str, bytes]:
    """All files of the store, hidden ones and the lock left out."""
    folder = base / "facts"
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name[0] != "."}
