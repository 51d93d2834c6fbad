"""``python -m imprimatur.evals.bench_passages``: indexing and searching passages, as ratios to SQLite's full text.

Contract: as that of ``bench``: every row measures both sides in this run on this machine, and asserts nothing about
time. The text is made: words by Zipf's law, with numbers, from a fixed seed. The baseline (FTS5) is given the passages
as they were cut and does less: it reads no form, finds no sentences, no base forms, and gives passages, not sentences.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import accumulate
from pathlib import Path

from imprimatur.cli.terminal import aligned
from imprimatur.config import model_folder
from imprimatur.evals.bench_starts import Row
from imprimatur.sources.passages.build import Plan, build
from imprimatur.sources.passages.folder import IndexFolder
from imprimatur.sources.passages.given import Given
from imprimatur.sources.passages.index import Index
from imprimatur.sources.passages.listing import Origin
from imprimatur.sources.passages.retriever import Query
from imprimatur.sources.passages.terms import terms_of

__all__ = ["Corpus", "embedding_row", "given_rows", "index_rows", "main", "search_rows"]

_WORDS, _SENTENCES, _ASKED, _MOST = 20_000, 60, 200, 12
_FTS5 = "SQLite FTS5, the passages as they were cut"
_OPEN = """
import json, sys, time
from pathlib import Path
from imprimatur.sources.passages.index import Index
def resident():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS"))
before, start = resident(), time.perf_counter()
index = Index.open(Path(sys.argv[1]))
print(json.dumps([time.perf_counter() - start, resident() - before]))
"""


class Corpus:
    """Made documents, and queries for them."""

    def __init__(self, documents: int, *, seed: int = 0) -> None:
        self._random = random.Random(seed)
        syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u")]
        self._words = ["".join(self._random.choices(syllables, k=self._random.randint(2, 4))) for _ in range(_WORDS)]
        self._weights = list(accumulate(1 / rank for rank in range(1, _WORDS + 1)))
        self.origins = [
            Origin(id=f"document-{number:06}.txt", raw=self._document().encode()) for number in range(documents)
        ]
        self.queries = [self._query() for _ in range(_ASKED)]

    def _take(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._weights, k=count)

    def _document(self) -> str:
        sentences = (
            f"{' '.join(self._take(14)).capitalize()} {self._random.randint(1, 9999):,}." for _ in range(_SENTENCES)
        )
        return " ".join(sentences)

    def _query(self) -> Query:
        words = self._take(6)
        return Query(text=" ".join(words), words=tuple(words), numbers=(str(self._random.randint(1, 9999)),))


def _times(work: Callable[[Query], object], queries: Sequence[Query]) -> float:
    """The median of single calls, after all have been made once."""
    found = []
    for query in queries:
        work(query)
    for query in queries:
        start = time.perf_counter()
        work(query)
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def index_rows(folder: Path, corpus: Corpus) -> tuple[Row, ...]:
    """Building an index, and bringing one up to date after one document has changed, for each passage."""
    start, worked = time.perf_counter(), time.process_time()
    build(IndexFolder(folder), Plan(wanted=corpus.origins))
    ours, worked = time.perf_counter() - start, time.process_time() - worked
    index = Index.open(folder)
    start = time.perf_counter()
    _fts5(index).close()
    baseline = time.perf_counter() - start
    changed = Origin(id=corpus.origins[0].id, raw=b"Something else.")
    start = time.perf_counter()
    build(IndexFolder(folder), Plan(wanted=[changed], keep=True))
    again = time.perf_counter() - start
    count = len(index)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    note = f"{count / worked:,.0f} a second of one core's time, of {count:,}; the process held {peak:.0f} MiB at most"
    return (
        Row(what="indexing a passage", ours=ours / count, baseline=baseline / count, against=_FTS5, note=note),
        Row(
            what="one document of all changed",
            ours=again,
            baseline=ours,
            against="building anew",
            note=f"{len(corpus.origins):,} documents",
        ),
    )


def _fts5(index: Index) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE passages USING fts5(text)")
    connection.executemany("INSERT INTO passages VALUES (?)", ((passage.text,) for passage in index))
    return connection


def search_rows(folder: Path, corpus: Corpus) -> Iterator[Row]:
    """Finding sentences, and the memory of an index that is open."""
    index = Index.open(folder)
    ours = _times(lambda query: index.find(query, limit=_MOST), corpus.queries)
    with closing(_fts5(index)) as connection:
        statement = "SELECT rowid, text FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?"

        def asked(query: Query) -> object:
            terms = " OR ".join(terms_of(f"{query.text} {query.numbers[0]}"))
            return connection.execute(statement, (terms, _MOST)).fetchall()

        baseline = _times(asked, corpus.queries)
    yield Row(
        what="finding 12 sentences, p50",
        ours=ours,
        baseline=baseline,
        against="SQLite FTS5, 12 passages",
        note=f"{len(index):,} passages, 7 words; asked for the second time",
    )
    cold = []
    for query in corpus.queries:
        start = time.perf_counter()
        Index.open(folder).find(query, limit=_MOST)
        cold.append(time.perf_counter() - start)
        if len(cold) == 20:
            break
    program = [sys.executable, "-c", _OPEN, str(folder)]
    seconds, kilobytes = json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)
    size = sum(file.stat().st_size for file in (IndexFolder(folder).current() or folder).rglob("*") if file.is_file())
    yield Row(
        what="opening and finding, p50",
        ours=statistics.median(cold),
        baseline=baseline,
        against="SQLite FTS5, open already",
        note=f"a fresh process opens in {seconds * 1e3:.0f} ms and holds {kilobytes / 1024:.0f} MiB more; "
        f"{size / 1024 / 1024:.0f} MiB on disk",
    )


def given_rows(corpus: Corpus) -> Iterator[Row]:
    """Five passages that come with a call: cutting them, and finding in them."""
    texts = [(origin.raw or b"").decode()[:1000] for origin in corpus.origins[:5]]
    Given.of(texts)
    times = []
    for _ in range(20):
        start = time.perf_counter()
        given = Given.of(texts)
        times.append(time.perf_counter() - start)
    start = time.perf_counter()
    for _ in range(20):
        _ = [set(text.lower().split()) for text in texts]
    baseline = (time.perf_counter() - start) / 20
    yield Row(what="five given passages", ours=statistics.median(times), baseline=baseline, against="sets of words")
    held = [set(text.lower().split()) for text in texts]

    def overlaps(query: Query) -> object:
        words = set(query.words)
        return sorted((len(words & each) for each in held), reverse=True)

    ours = _times(lambda query: given.find(query, limit=_MOST), corpus.queries)
    yield Row(
        what="finding in five passages, p50",
        ours=ours,
        baseline=_times(overlaps, corpus.queries),
        against="counting shared words",
        note=f"{sum(len(passage.sentences) for passage in given)} sentences",
    )


def embedding_row(model: Path, corpus: Corpus) -> Row:
    """Embedding sentences on one core, against splitting them."""
    from imprimatur.sources.passages.embedding import Embedder

    embedder = Embedder.open(model)
    given = [query.text for query in corpus.queries[:60]]
    embedder.embed(given[0])
    start = time.process_time()
    for text in given:
        embedder.embed(text)
    ours = (time.process_time() - start) / len(given)
    start = time.perf_counter()
    for text in given:
        text.split()
    note = f"{1 / ours:.0f} a second of one core's time ({embedder.name})"
    baseline = (time.perf_counter() - start) / len(given)
    return Row(what="embedding a query", ours=ours, baseline=baseline, against="`str.split`", note=note)


def main(args: Sequence[str] | None = None) -> int:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(
        prog="python -m imprimatur.evals.bench_passages", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--documents", type=int, default=1000, help="how many made documents (default: %(default)s)")
    parser.add_argument("--model", type=Path, help="a folder with an embedding model (default: that of `minilm`)")
    given = parser.parse_args(args)
    corpus = Corpus(given.documents)
    model = given.model or model_folder(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        rows = [*index_rows(Path(folder), corpus), *search_rows(Path(folder), corpus), *given_rows(corpus)]
    if (model / "model.onnx").is_file():
        rows.append(embedding_row(model, corpus))
    print(aligned(["what", "imprimatur", "baseline", "ratio", "baseline is", "note"], [row.cells() for row in rows]))
    if not (model / "model.onnx").is_file():
        print("\nno embedding model: `imprimatur passages model` makes one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
