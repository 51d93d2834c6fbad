"""``python -m imprimatur.evals.bench_judging``: what judging a sentence against five passages costs, on one core.

Text: the invented facts of ``eval fence``, five at a time as passages; what is judged are sentences about them, one
answer each. Measured are the whole check (segment to decision, the passages given with each answer, as in a call), of
these the checks whose passages were not given before (about one in seventeen; what is read of a text is kept for a
while), and the judging alone with the passages read before. Beside it, where torch and transformers are installed (the
extra ``judges``, or ``encoders``): one pass of a ModernBERT-base token classifier (random weights: the same work) over
the five passages and the sentence, which marks words and judges nothing. Prints figures and asserts nothing about time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from imprimatur.claim import Claim, Prose
from imprimatur.cli.terminal import aligned
from imprimatur.evals import bench_models
from imprimatur.evals.fence import FACTS, read_facts
from imprimatur.oracle import Oracle
from imprimatur.sources.passages.judge import PassageSource
from imprimatur.sources.text.comparison import TextLimits

__all__ = ["Case", "Timed", "cases", "main", "timed"]

_PASSAGES = 5
_BY_MODEL = 20


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with its passages."""

    sentence: str
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timed:
    """What a piece of work took, in seconds: of each case, in order."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The time that half of the cases stay below."""
        return median(self.seconds)

    @property
    def p99(self) -> float:
        """The time that 99 of 100 cases stay below."""
        return quantiles(self.seconds, n=100)[98] if len(self.seconds) > 1 else self.seconds[0]

    @property
    def rate(self) -> float:
        """Cases a second."""
        return len(self.seconds) / sum(self.seconds)

    def cells(self) -> list[str]:
        """The figures as text."""
        return [f"{self.rate:.0f}", f"{self.median * 1e3:.2f} ms", f"{self.p99 * 1e3:.2f} ms"]


def cases(most: int) -> Iterator[Case]:
    """Up to ``most`` sentences, each with the five passages that its fact is among."""
    facts = read_facts(FACTS)
    made = 0
    for at in range(0, len(facts) - _PASSAGES + 1, _PASSAGES):
        group = facts[at : at + _PASSAGES]
        passages = tuple(fact.text for fact in group)
        for claim in (claim for fact in group for claim in fact.claims):
            if made == most:
                return
            yield Case(claim.text, passages)
            made += 1


def timed(work: Callable[[Case], object], some: Sequence[Case]) -> Timed:
    """How long some work takes for each case, after a few to warm up."""
    for case in some[:5]:
        work(case)
    seconds = []
    for case in some:
        start = time.process_time()
        work(case)
        seconds.append(time.process_time() - start)
    return Timed(tuple(seconds))


def _checking() -> Callable[[Case], object]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "imprimatur.yaml").write_text("version: 1\nname: passages\n", encoding="utf-8")
        oracle = Oracle.from_folder(folder, policy="annotate")
    return lambda case: oracle.check(case.sentence, None, case.passages)


def _judging() -> Callable[[Case], object]:
    sources: dict[tuple[str, ...], PassageSource] = {}

    def work(case: Case) -> object:
        source = sources.get(case.passages)
        if source is None:
            source = sources[case.passages] = PassageSource.of(case.passages, TextLimits())
        text = case.sentence
        claim = Claim(start=0, end=len(text), text=text, covers=((0, len(text)),), prose=Prose(words=text))
        return source.judge(claim)

    return work


def _first(some: Sequence[Case]) -> list[bool]:
    """For each case whether it is the first with its passages."""
    return [n == 0 or case.passages != some[n - 1].passages for n, case in enumerate(some)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m imprimatur.evals.bench_judging", description=__doc__)
    parser.add_argument("--sentences", type=int, default=200, help="how many sentences (default: %(default)s)")
    given = parser.parse_args(arguments)
    some = list(cases(given.sentences))
    whole, judging = timed(_checking(), some), timed(_judging(), some)
    fresh = Timed(tuple(seconds for seconds, first in zip(whole.seconds, _first(some), strict=True) if first))
    rows = [["whole check, passages given with it", *whole.cells()], ["… where they are new", *fresh.cells()]]
    rows.append(["judging alone", *judging.cells()])
    lacking = bench_models.missing(bench_models.CLASSIFIER)
    if not lacking:
        texts = [" ".join((*case.passages, case.sentence)) for case in some[:_BY_MODEL]]
        against = bench_models.modern_bert_cost(texts)
        rows.append(["ModernBERT-base shape, one pass", f"{1 / against:.1f}", f"{against * 1e3:.2f} ms", "-"])
        rows.append(["… over the whole check", f"{against / whole.median:.1f} x", "", ""])
        rows.append(["… over judging alone", f"{against / judging.median:.1f} x", "", ""])
    print(aligned([f"a sentence against {_PASSAGES} passages, one core", "a second", "median", "p99"], rows))
    if lacking:
        print(f"beside a model: {lacking}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
