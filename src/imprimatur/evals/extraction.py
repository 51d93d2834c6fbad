"""``imprimatur eval extraction``: what is read of texts, held against gold claims, apart from whether it is true; and
which stage loses what is withheld (``budget``).

For each extractor there is what it proposes alone, and what the reader finds and it confirms (``reading_back``). The
claims of the reader are those of its report, so that what is measured is what is judged. Invariant: no verdict changes
what counts as extracted.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from imprimatur.answer import Segment
from imprimatur.claim import Attribute, Claim, Mention, Predicate, Relation, Statement
from imprimatur.cli.progress import Progress
from imprimatur.config import READER, ExtractorConfig, resolve
from imprimatur.errors import InputError
from imprimatur.evals.budget import Stood, budget_of
from imprimatur.evals.budget_told import budget_tables
from imprimatur.evals.extraction_told import Sheet, told
from imprimatur.evals.extractors import Settings as Opening
from imprimatur.evals.extractors import opened
from imprimatur.evals.finishing import processor_seconds, provenance
from imprimatur.evals.gold import Gold, GoldSet
from imprimatur.evals.gold_sets import SAMPLE, read_sets
from imprimatur.evals.outcome import Outcome
from imprimatur.evals.predicted import Matched, Predicted, matched, of_claims
from imprimatur.examine import parts_of
from imprimatur.extract.extracted import Extracted
from imprimatur.extract.reader import ReaderOptions, items_in
from imprimatur.extractors.extraction import Extraction
from imprimatur.extractors.reading_back import ReadBack
from imprimatur.knowledge import GraphPart
from imprimatur.oracle import MOST_CHARACTERS, Oracle
from imprimatur.protocols import Excerpt, Proposal
from imprimatur.report import Report
from imprimatur.values import TextValue, Value

__all__ = ["Settings", "run"]

_SECONDS = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the command line says.

    Attributes:
        kbs: knowledge bases by the domain of the rows that they judge; "" is the one for all.
        most: how many texts of each set are read; chosen by their order.
        budget: whether it is worked out which stage loses what is withheld.
        opening: the extractors, and how a language model among them is asked.
    """

    kbs: Mapping[str, str] = field(default_factory=dict)
    most: int | None = None
    budget: bool = True
    opening: Opening = field(default_factory=Opening)


def run(files: Sequence[Path], settings: Settings) -> Outcome:
    """What each extractor finds, and the error budget of the reader alone.

    Raises:
        ImprimaturError: a file, a knowledge base, an extractor or the model is wrong.
    """
    sheets: list[Sheet] = []
    stood: list[Stood] = []
    oracles: list[Oracle] = []
    with ExitStack() as stack:
        made = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sets = [each for path in files or (SAMPLE,) for each in read_sets(path, settings.kbs, made)]
        for each in sets:
            cut = replace(each, texts=each.texts[: settings.most])
            folder = cut.folder if isinstance(cut.folder, Path) else resolve(cut.folder)
            oracle = Oracle.from_folder(folder, extractor=ExtractorConfig())
            oracles.append(oracle)
            sheets += _sheets(cut, folder, oracle, settings.opening)
            if settings.budget:
                stood += _budget(cut, oracle)
        sources, versions = provenance(*oracles, files=tuple(dict.fromkeys(files or (SAMPLE,))))
    found = told(sheets, whole=all(each.whole for each in sets))
    tables, curves, cases, notes = budget_tables(stood) if settings.budget else ((), (), (), ())
    return replace(
        found,
        tables=(*found.tables, *tables),
        curves=curves,
        cases=cases,
        notes=(*found.notes, *notes),
        sources=sources,
        versions=versions,
        settings={
            "kb": {domain or "all": Path(kb).name for domain, kb in settings.kbs.items()},
            "extractors": list(settings.opening.extractors),
            "most": settings.most,
            "budget": settings.budget,
        },
        used={"processor seconds": round(processor_seconds(), 2)},
    )


def _part(oracle: Oracle, name: str) -> GraphPart:
    part = oracle.knowledge.part
    if part is None:
        raise InputError("the knowledge base has no graph, so no triples", where=name, hint="name files under `graph:`")
    return part


def _sheets(gold: GoldSet, folder: Path, oracle: Oracle, opening: Opening) -> Iterator[Sheet]:
    part = _part(oracle, gold.name)
    begun = time.process_time()
    with Progress(f"{gold.name}, {READER}", len(gold.texts)) as progress:
        reports = [_checked(oracle, each) for each in progress.over(gold.texts, lambda _: 1)]
    seconds = time.process_time() - begun
    if READER in opening.extractors:
        rows = [_read(text, report, part) for text, report in zip(gold.texts, reports)]
        yield Sheet(set=gold.name, extractor=READER, rows=tuple(rows), seconds=seconds)
    for said in (each for each in opening.extractors if each != READER):
        yield from _beside(said, gold, reports, _Other(said, folder, oracle, opening))


def _checked(oracle: Oracle, gold: Gold) -> Report:
    return oracle.check(gold.text, gold.question, seconds=_SECONDS)


def _claims(report: Report) -> list[Claim]:
    return [judged.claim for segment in report.segments for judged in segment.claims]


def _read(gold: Gold, report: Report, part: GraphPart) -> Matched:
    found, unread = of_claims(_claims(report))
    return matched(gold, found, part, unread=unread)


class _Other:
    """An extractor beside the reader, asked about whole texts."""

    def __init__(self, said: str, folder: Path, oracle: Oracle, opening: Opening) -> None:
        asked, self.tally = opened(said, folder, opening)
        extraction = asked.knowledge.extraction
        if extraction is None:
            raise InputError(f"{said!r} is no extractor beside the reader", where="--extractor")
        self.extraction: Extraction = extraction
        self.oracle = oracle
        known = oracle.knowledge
        self.options = ReaderOptions(locale=known.config.locale, language=known.language)
        self.back = ReadBack(known.lexicon, self.options)
        self.part = _part(oracle, said)

    def proposed(self, gold: Gold) -> list[tuple[Segment, tuple[Proposal, ...]]]:
        """What it proposes for each segment of a text, in places of the text."""
        parts, _ = parts_of(gold.text, MOST_CHARACTERS)
        texts = [gold.text[slice(*part.body)] for part in parts]
        asked = [
            Excerpt(text=text, around=(gold.question,) if gold.question else (), before=before)
            for text, before in zip(texts, ["", *texts])
        ]
        answers = self.extraction.ask(asked, seconds=_SECONDS)
        return [(part, tuple(_placed(p, part.body[0]) for p in each.claims)) for part, each in zip(parts, answers)]

    def predicted(self, gold: Gold, found: Sequence[tuple[Segment, tuple[Proposal, ...]]]) -> list[Predicted]:
        """What is proposed as claims: marked words by what they name, sentences by how they are read alone."""
        claims: list[Predicted] = []
        for proposal in (each for _, proposals in found for each in proposals):
            if proposal.says:
                read, _ = of_claims(_claims(self.oracle.check(proposal.says, seconds=_SECONDS)))
                claims += [replace(each, spans=((proposal.start, proposal.end),)) for each in read]
            else:
                claims += self._marked(gold.text, proposal)
        return claims

    def _marked(self, text: str, proposal: Proposal) -> Iterator[Predicted]:
        if proposal.subject is None or proposal.object is None:
            return
        subject, other = (self._mention(text, span) for span in (proposal.subject, proposal.object))
        names = tuple(Predicate(name) for name in proposal.names)
        readings: list[Statement] = []
        if other.candidates:
            readings.append(Relation(subject=subject, predicates=names, object=other))
        readings += [
            Attribute(subject=subject, predicates=names, value=value) for value in self._values(text, proposal.object)
        ]
        yield Predicted(readings=tuple(readings), spans=(proposal.subject, proposal.object))

    def _mention(self, text: str, span: tuple[int, int]) -> Mention:
        said = text[slice(*span)]
        return Mention(*span, said, self.oracle.knowledge.lexicon.candidates(said))

    def _values(self, text: str, span: tuple[int, int]) -> Iterator[Value]:
        said = text[slice(*span)]
        options = self.options
        items = items_in(said, self.oracle.knowledge.lexicon, locale=options.locale, language=options.language)
        for item in items:
            yield from (value for value in (item.quantity, item.date) if value is not None)
        yield TextValue(said)

    def confirmed(self, claims: Sequence[Claim], found: Sequence[tuple[Segment, tuple[Proposal, ...]]]) -> list[Claim]:
        """The reader's claims that the proposals of their segments bear out."""
        return [
            claim
            for segment, proposals in found
            for claim in claims
            if segment.start <= claim.start < segment.end and self.back.confirms(claim, proposals, Extracted(segment))
        ]


def _placed(proposal: Proposal, offset: int) -> Proposal:
    ends = {
        name: None if span is None else (span[0] + offset, span[1] + offset)
        for name, span in (("subject", proposal.subject), ("object", proposal.object))
    }
    return replace(proposal, start=proposal.start + offset, end=proposal.end + offset, **ends)  # type: ignore[arg-type]


def _beside(said: str, gold: GoldSet, reports: Sequence[Report], other: _Other) -> Iterator[Sheet]:
    alone, both = [], []
    begun = time.process_time()
    with Progress(f"{gold.name}, {said}", len(gold.texts)) as progress:
        for text, report in zip(progress.over(gold.texts, lambda _: 1), reports):
            found = other.proposed(text)
            alone.append(matched(text, other.predicted(text, found), other.part))
            read, unread = of_claims(other.confirmed(_claims(report), found))
            both.append(matched(text, read, other.part, unread=unread))
    seconds = time.process_time() - begun
    failed = other.tally.failed if other.tally is not None else 0
    yield Sheet(set=gold.name, extractor=f"{said} alone", rows=tuple(alone), seconds=seconds, failed=failed)
    yield Sheet(set=gold.name, extractor=f"{READER} + {said}", rows=tuple(both), seconds=seconds, failed=failed)


def _budget(gold: GoldSet, oracle: Oracle) -> list[Stood]:
    part = _part(oracle, gold.name)
    found: list[Stood] = []
    with Progress(f"{gold.name}, what is lost where", len(gold.texts)) as progress:
        for text in progress.over(gold.texts, lambda _: 1):
            found += budget_of(text, oracle, part, name=gold.name)
    return found
