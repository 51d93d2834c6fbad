"""``python -m imprimatur.evals.bench``: speed as ratios to plain baselines of the same run.

On the bundled rivers, then (``bench_sizes``) on made graphs of the size of the Licensing Oracle paper's and larger.

Contract: prints tables and asserts nothing about time. Every row measures both sides in this run on this machine; a
ratio is the time of Imprimatur over the time of the baseline, so smaller is better and 1 is equal. The baselines do
less than what they stand beside, and the table says what: they bound the cost from below and are no rivals.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur.answer import Answer
from imprimatur.claim import Claim
from imprimatur.cli.terminal import aligned
from imprimatur.errors import InputError
from imprimatur.evals import bench_models, bench_sizes
from imprimatur.evals.bench_starts import Row, load_rows, start_row, timed
from imprimatur.extract.parsed import SlowPath
from imprimatur.extract.segments import Extractor
from imprimatur.knowledge import GraphPart
from imprimatur.language import units
from imprimatur.language.parser import Parser, parser_of
from imprimatur.oracle import Oracle
from imprimatur.protocols import Lexicon
from imprimatur.segment import segment
from imprimatur.sources.graph.entail import Entailment
from imprimatur.sources.graph.judge import GraphSource, Limits
from imprimatur.sources.graph.lexicon import GraphLexicon
from imprimatur.verdict import Label

if TYPE_CHECKING:
    pass

__all__ = ["Row", "claim_row", "load_rows", "main", "model_rows", "sentence_row", "slow_rows", "start_row", "written"]

_KB = "rivers"
_BY_MODELS = 20
_BY_PARSER = 40
_TOKENS = re.compile(r"\w+|[^\w\s]")
_PREPOSITIONS = frozenset("of in into to with after from by at on".split())


def written(oracle: Oracle, count: int) -> tuple[str, ...]:
    """Sentences made of the labels of a graph's own things and properties, at random with a fixed seed."""
    part = _part(oracle)
    graph, found = part.graph, list[str]()
    triples = sorted(graph.triples())
    for subject, predicate, object_ in random.Random(0).sample(triples, len(triples)):
        info = part.schema.property(graph.iri(predicate))
        if info is None or not info.labels or not info.domains or not graph.is_iri(subject):
            continue
        value = _value(oracle, object_, info.unit_iri)
        if value is not None:
            found.append(_sentence(graph.label(subject), info.labels[0], value))
        if len(found) == count:
            break
    return tuple(found)


def _labelled(part: GraphPart, predicate: int) -> bool:
    """Whether a predicate is a property of the ontology, with words of its own."""
    info = part.schema.property(part.graph.iri(predicate))
    return info is not None and bool(info.labels and info.domains)


def _value(oracle: Oracle, object_: int, unit_iri: str | None) -> str | None:
    """How a stored value is written: a label, or a number with the last part of its unit's name."""
    graph = _part(oracle).graph
    if graph.is_iri(object_):
        return graph.label(object_)
    number = graph.number(object_) if graph.is_literal(object_) else None
    if number is None:
        return None
    unit = units.by_iri(unit_iri) if unit_iri else None
    digits = _digits(number)
    return f"{digits} {unit.symbol}" if unit else digits


def _digits(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.6f}".rstrip("0")


def _sentence(subject: str, label: str, value: str) -> str:
    words = label.split()
    if words[-1] not in _PREPOSITIONS:
        return f"The {label} of {subject} is {value}."
    return f"{subject} {label} {value}." if words[0].endswith("s") else f"{subject} is {label} {value}."


def sentence_row(oracle: Oracle, sentences: Sequence[str]) -> Row:
    """Checking a sentence from text to report, each once, against splitting it into tokens."""
    for sentence in sentences[:5]:
        oracle.check(sentence)
    ours = timed(oracle.check, sentences)
    baseline = timed(_TOKENS.findall, sentences)
    supported = sum(segment.label is Label.SUPPORTED for each in sentences for segment in oracle.check(each).segments)
    note = f"{len(ours) / sum(ours):.0f} sentences/s; {supported} of {len(sentences)} supported"
    against = "one regular expression over it"
    return Row(
        what="a sentence, p50",
        ours=statistics.median(ours),
        baseline=statistics.median(baseline),
        against=against,
        note=note,
    )


def claim_row(oracle: Oracle, sentences: Sequence[str]) -> Row:
    """Judging a claim by the graph alone, without shapes, each once, against ``triple in graph`` of rdflib."""
    import rdflib

    lexicon, part = oracle.knowledge.lexicon, _part(oracle)
    if not isinstance(lexicon, GraphLexicon):
        raise InputError("the knowledge base has no graph to measure")
    source = GraphSource(lexicon, Entailment(part.graph, part.schema))
    claims = [claim for text in sentences for claim in _claims(text, lexicon)]
    ours = []
    for claim in claims:
        start = time.perf_counter()
        source.judge(claim, Limits())
        ours.append(time.perf_counter() - start)
    reference = rdflib.Graph().parse(data="\n".join(_ntriples(oracle)), format="nt")
    baseline = []
    for triple in random.Random(1).sample(sorted(reference), min(len(claims), len(reference))):
        start = time.perf_counter()
        _ = triple in reference
        baseline.append(time.perf_counter() - start)
    return Row(
        what="a claim by the graph, p50",
        ours=statistics.median(ours),
        baseline=statistics.median(baseline),
        against="rdflib, `triple in graph`",
        note=f"{len(claims)} claims, {len(reference)} triples; rdflib is given the triple, not the claim",
    )


def _claims(text: str, lexicon: Lexicon) -> Iterator[Claim]:
    extractor = Extractor(Answer(text=text), lexicon)
    for each in segment(text):
        yield from extractor.extract(each).claims


def _part(oracle: Oracle) -> GraphPart:
    if oracle.knowledge.part is None:
        raise InputError("the knowledge base has no graph to measure", hint="name one that has `graph: {data: [...]}`")
    return oracle.knowledge.part


def _ntriples(oracle: Oracle) -> Iterable[str]:
    part = _part(oracle)
    for triple in part.graph.triples():
        yield " ".join(part.graph.n3(term) for term in triple) + " ."


def slow_rows(oracle: Oracle) -> tuple[Row, ...]:
    """Reading sentences with the parser, against reading the same ones without; none where it is not installed."""
    parser = parser_of(oracle.knowledge.config.locale)
    sentences = _fronted(oracle)
    if parser is None or not sentences:
        return ()
    parser.ready(lambda: False)
    lexicon = oracle.knowledge.lexicon

    def timed(find: Callable[[], Parser | None]) -> float:
        times = []
        for text in sentences:
            (part,) = segment(text)
            extractor = Extractor(Answer(text=text), lexicon, slow=SlowPath(find, lambda: False))
            start = time.perf_counter()
            extractor.extract(part)
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    row = Row(
        what="reading by the slow path, p50",
        ours=timed(lambda: parser),
        baseline=timed(lambda: None),
        against="the fast path, which leaves words unread",
        note=f"{len(sentences)} sentences that need the parser, each new to it",
    )
    return (row,)


def _fronted(oracle: Oracle) -> tuple[str, ...]:
    """Sentences made of a graph's things, with phrases before and after the subject that the grammar leaves unread."""
    part, found = _part(oracle), list[str]()
    graph = part.graph
    for subject, triples in groupby(graph.triples(), key=itemgetter(0)):
        told = [o for _, p, o in triples if graph.is_iri(o) and _labelled(part, p)]
        values = [graph.label(o) for o in told]
        if graph.is_iri(subject) and len(values) >= 3:
            name = graph.label(subject)
            found.append(f"Rising in {values[0]}, {name}, in {values[1]}, flows into {values[2]} and is a river.")
        if len(found) == _BY_PARSER:
            break
    return tuple(found)


def model_rows(ours: Row, sentences: Sequence[str]) -> tuple[Row, ...]:
    """Checking a sentence against marking the words of the same text by models; none where these are not installed."""
    if bench_models.missing():
        return ()
    note = "random weights, one core; it marks words and judges nothing"
    return tuple(
        Row(what=ours.what, ours=ours.ours, baseline=seconds, against=name, note=note)
        for name, seconds in bench_models.cost(sentences[:_BY_MODELS]).items()
    )


def main(args: Sequence[str] | None = None) -> int:
    """Measures, and prints the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m imprimatur.evals.bench", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--kb", default=_KB, help="a folder or a bundled name (default: %(default)s)")
    parser.add_argument("--sentences", type=int, default=300, help="how many sentences (default: %(default)s)")
    parser.add_argument("--starts", type=int, default=7, help="how many starts of each process (default: %(default)s)")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(bench_sizes.SIZES), help="sizes of made graphs")
    parser.add_argument("--large", action="store_true", help=f"also {bench_sizes.LARGE:,} triples: ten minutes, 3 GiB")
    parser.add_argument("--paper", action="store_true", help="pySHACL on the whole graph with sh:sparql: many minutes")
    parser.add_argument("--folder", type=Path, help="where made graphs are kept (default: a passing folder)")
    given = parser.parse_args(args)
    oracle = Oracle.from_folder(given.kb)
    sentences = written(oracle, given.sentences)
    rows = [sentence_row(oracle, sentences), claim_row(oracle, sentences), *load_rows(given.kb)]
    rows.append(start_row(given.kb, given.starts))
    rows += slow_rows(oracle)
    rows += model_rows(rows[0], sentences)
    print(aligned(["what", "imprimatur", "baseline", "ratio", "baseline is", "note"], [row.cells() for row in rows]))
    if bench_models.missing():
        print(f"\nbeside models: {bench_models.missing()}")
    sizes = [*given.sizes, *([bench_sizes.LARGE] if given.large else [])]
    if sizes:
        print("\n" + bench_sizes.report(sizes, folder=given.folder, whole=given.paper))
    return 0


if __name__ == "__main__":
    sys.exit(main())
