"""``python -m imprimatur.evals.retrieval FILE``: whether the sentences that a claim rests on are found at all.

FILE holds rows ``{claim, evidence: [sentence], supporting_sentences: [[index]]}``. All evidence of
all rows is indexed, each row's as one document, and each claim is asked as it stands. Printed, for several numbers of
sentences taken: how often one of the sentences is among them, and how often a whole set is; with a model also how
similar claims are to passages of their own and of other rows, by which the similarity floor is judged.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprimatur._expressions import expression
from imprimatur.cli.terminal import aligned
from imprimatur.errors import InputError
from imprimatur.evals.metrics import Share
from imprimatur.sources.passages.build import Plan, build
from imprimatur.sources.passages.folder import IndexFolder
from imprimatur.sources.passages.index import Index
from imprimatur.sources.passages.listing import Origin
from imprimatur.sources.passages.passage import Form
from imprimatur.sources.passages.retriever import Query

if TYPE_CHECKING:
    from imprimatur.sources.passages.embedding import Embedder

__all__ = ["Asked", "found_at", "main", "read_rows", "similarities"]

_TAKEN = (5, 12, 20, 50)
_NOT_WORDS = expression(r"\W+")
_QUANTILES = (0.02, 0.05, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A claim with its evidence and the sets of sentences that it rests on."""

    id: str
    claim: str
    evidence: tuple[str, ...]
    rests_on: tuple[frozenset[int], ...]


def read_rows(path: Path, *, most: int | None = None) -> list[Asked]:
    """The rows of a file. Raises InputError for a row that is none; says where."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[:most], 1):
        try:
            row: Mapping[str, Any] = json.loads(line)
            sets = tuple(frozenset(map(int, each)) for each in row["supporting_sentences"] if each)
            evidence = tuple(map(str, row["evidence"]))
            found.append(Asked(id=f"row-{number:05}", claim=str(row["claim"]), evidence=evidence, rests_on=sets))
        except (ValueError, KeyError, TypeError) as fault:
            raise InputError(f"not a row of claim and evidence: {fault}", where=f"{path}, line {number}") from fault
    return found


def _bare(text: str) -> str:
    return _NOT_WORDS.sub("", text.lower())


def found_at(index: Index, asked: Asked) -> list[tuple[int, ...]]:
    """For each set of sentences, the places at which each of them was found; beyond all where it was not."""
    found = index.find(Query(text=asked.claim, words=(asked.claim,)), limit=_TAKEN[-1])
    bare = [_bare(each.sentence.text) if each.sentence.document == asked.id else "" for each in found]

    def place(number: int) -> int:
        wanted = _bare(asked.evidence[number])
        near = (at for at, text in enumerate(bare) if text and (wanted in text or (len(text) > 15 and text in wanted)))
        return next(near, _TAKEN[-1])

    return [tuple(place(number) for number in sorted(each)) for each in asked.rests_on]


def _table(index: Index, rows: Sequence[Asked]) -> str:
    places = [found for each in rows if (found := found_at(index, each))]
    lines = []
    for taken in _TAKEN:
        some = Share(sum(any(at < taken for each in found for at in each) for found in places), len(places))
        whole = Share(sum(any(max(each) < taken for each in found) for found in places), len(places))
        lines.append([str(taken), *(f"{each.count / each.total:.3f}" if each.total else "-" for each in (some, whole))])
    return f"searched by {index.ways}, {len(places)} claims\n" + aligned(["taken", "one of them", "a whole set"], lines)


def similarities(index: Index, rows: Sequence[Asked], embedder: Embedder) -> Iterator[tuple[str, list[float]]]:
    """Quantiles of the cosine of claims with the most similar passage of their own, and with passages of other rows."""
    import numpy

    own, others = [], []
    vectors = index.vectors()
    for each in rows:
        cosines = vectors @ embedder.embed(each.claim)
        listed = index.documents[each.id]
        mine = slice(listed.first, listed.first + listed.passages)
        if each.rests_on and listed.passages:
            own.append(float(cosines[mine].max()))
        others.extend(numpy.delete(cosines, mine)[::20].tolist())
    for name, values in (("its own, the most similar", own), ("of other rows", others)):
        yield name, [float(each) for each in numpy.quantile(values, _QUANTILES)]


def main(args: Sequence[str] | None = None) -> int:
    """Measures, and prints the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m imprimatur.evals.retrieval", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("file", type=Path, help="rows of claims with their evidence, JSON lines")
    parser.add_argument("--model", type=Path, help="a folder with an embedding model: measures with it too")
    parser.add_argument("--most", type=int, help="how many rows (default: all)")
    given = parser.parse_args(args)
    rows = read_rows(given.file, most=given.most)
    embedder = None
    if given.model is not None:
        from imprimatur.sources.passages.embedding import Embedder

        embedder = Embedder.open(given.model)
    wanted = [Origin(id=each.id, raw=" ".join(each.evidence).encode(), form=Form.TEXT) for each in rows]
    with tempfile.TemporaryDirectory() as folder:
        build(IndexFolder(Path(folder)), Plan(wanted=wanted, embedder=embedder))
        print(_table(Index.open(Path(folder)), rows))
        if embedder is not None:
            index = Index.open(Path(folder), embedder=embedder)
            print("\n" + _table(index, rows) + "\n")
            told = similarities(index, rows, embedder)
            lines = [[name, *(f"{each:.2f}" for each in values)] for name, values in told]
            print(aligned(["similarity to passages", *(f"{each:g}" for each in _QUANTILES)], lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
