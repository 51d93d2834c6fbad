"""``imprimatur eval fence``: the memory fence against invented facts, claims about them, and changes of these claims.

The facts and claims are ``resources/fence_facts.txt``; ``fence_changes`` makes more claims from the true ones by rule.
A claim is *flagged* unless it is supported: the positive class is what must not pass, as in the published measure of
such a fence. Everything goes the whole way: a knowledge base in a folder, and tagged claims checked by the oracle.
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from imprimatur._expressions import expression
from imprimatur.cli import session
from imprimatur.cli.terminal import aligned
from imprimatur.errors import InputError
from imprimatur.evals.finishing import keep, provenance
from imprimatur.evals.metrics import Share, wilson
from imprimatur.evals.outcome import Case, Figure, Matrix, Outcome, Table
from imprimatur.oracle import Oracle
from imprimatur.tagged import TaggedClaim
from imprimatur.verdict import Label

__all__ = ["FACTS", "Fact", "FenceClaim", "Score", "claims_of", "judged", "outcome", "read_facts", "run", "score"]

FACTS = Path(__file__).parents[1] / "resources" / "fence_facts.txt"
_FACT = expression(r"([a-z]+-\d+) = (.+)")
_CLAIM = expression(r"([+-]) ([a-z0-9-]+) \| (.+)")
#: Kinds of claims that conclude, and are tagged so.
_CONCLUDING = ("inference", "overclaim", "premise")


@dataclass(frozen=True, slots=True, kw_only=True)
class FenceClaim:
    """One claim about a fact; ``good``: the cited entries say it, or it follows from them."""

    text: str
    kind: str
    good: bool
    citations: tuple[str, ...]

    @property
    def tagged(self) -> TaggedClaim:
        """The claim as an answer would hand it in."""
        concludes = self.kind.startswith(_CONCLUDING)
        return TaggedClaim(text=self.text, kind="inference" if concludes else "memory", citations=self.citations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A memory entry with the claims that were written about it."""

    id: str
    text: str
    claims: tuple[FenceClaim, ...]


@dataclass(slots=True)
class Score:
    """How many claims of each kind are judged right; ``wrong`` holds the others."""

    kinds: dict[tuple[bool, str], list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    wrong: list[FenceClaim] = field(default_factory=list)

    def add(self, claim: FenceClaim, *, passed: bool) -> None:
        """Counts one claim."""
        count = self.kinds[claim.good, claim.kind]
        count[0] += passed is claim.good
        count[1] += 1
        if passed is not claim.good:
            self.wrong.append(claim)

    def count(self, *, good: bool) -> tuple[int, int]:
        """How many claims that should pass (``good``) or not are judged right, and how many there are."""
        found = [count for (kind_good, _), count in self.kinds.items() if kind_good is good]
        return sum(right for right, _ in found), sum(all_ for _, all_ in found)

    @property
    def precision(self) -> float:
        """The share of flagged claims that are to be flagged."""
        right, _ = self.count(good=False)
        passed, good = self.count(good=True)
        return right / max(1, right + good - passed)

    @property
    def recall(self) -> float:
        """The share of claims to be flagged that are."""
        right, bad = self.count(good=False)
        return right / max(1, bad)


def read_facts(path: Path = FACTS) -> tuple[Fact, ...]:
    """The facts of a file. Raises InputError for a line that is none of the allowed forms."""
    facts: list[tuple[str, str, list[FenceClaim]]] = []
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"the file cannot be read: {error}", where=str(path), hint="see `imprimatur eval fence -h`"
        ) from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if fact := _FACT.fullmatch(line):
            facts.append((fact[1], fact[2], []))
        elif (claim := _CLAIM.fullmatch(line)) and facts:
            made = FenceClaim(text=claim[3], kind=claim[2], good=claim[1] == "+", citations=(facts[-1][0],))
            facts[-1][2].append(made)
        else:
            raise InputError(
                "no fact and no claim", where=f"{path.name}, line {number}", hint="see the head of the file"
            )
    return tuple(Fact(id=id_, text=text, claims=tuple(claims)) for id_, text, claims in facts)


def claims_of(facts: Sequence[Fact], *, changes: bool) -> list[FenceClaim]:
    """The claims that were written about the facts, and with ``changes`` those made from them by rule."""
    from imprimatur.evals.fence_changes import changed

    return [claim for fact in facts for claim in fact.claims] + (list(changed(facts)) if changes else [])


def judged(facts: Sequence[Fact], claims: Iterable[FenceClaim]) -> Iterator[tuple[FenceClaim, bool]]:
    """Each claim, and whether it passes against the facts as memory."""
    with tempfile.TemporaryDirectory() as folder:
        entries = "".join(json.dumps({"id": f.id, "text": f.text}, ensure_ascii=False) + "\n" for f in facts)
        (Path(folder) / "memory.jsonl").write_text(entries, encoding="utf-8")
        (Path(folder) / "imprimatur.yaml").write_text(
            "version: 1\nname: fence\nmemory: memory.jsonl\n", encoding="utf-8"
        )
        oracle = Oracle.from_folder(folder)
        for claim in claims:
            report = oracle.check_claims([claim.tagged])
            yield claim, all(segment.label is Label.SUPPORTED for segment in report.segments)


def score(facts: Sequence[Fact], claims: Iterable[FenceClaim]) -> Score:
    """How the claims are judged, by kind."""
    made = Score()
    for claim, passed in judged(facts, claims):
        made.add(claim, passed=passed)
    return made


def outcome(found: Score) -> Outcome:
    """The score as an outcome; what was let through is grave. The positive class is what must not pass."""
    through, bad = found.count(good=False)
    passed, good = found.count(good=True)
    flagged = through + good - passed
    measures = (
        ("flagged: precision", Figure.of(Share(through, flagged))),
        ("flagged: recall", Figure.of(Share(through, bad))),
        ("let through of those to flag", Figure.of(Share(bad - through, bad))),
        ("withheld of those to pass", Figure.of(Share(good - passed, good))),
    )
    kinds = tuple(
        (kind, "pass" if is_good else "reject", Figure.of(Share(right, total)))
        for (is_good, kind), (right, total) in sorted(found.kinds.items())
    )
    cases = tuple(
        Case(
            id=f"{claim.citations[0]} {claim.kind}",
            kind="withheld" if claim.good else "let through",
            text=claim.text,
            gold="pass" if claim.good else "reject",
            said="rejected" if claim.good else "passed",
            grave=not claim.good,
        )
        for claim in found.wrong
    )
    counts = ((passed, good - passed), (bad - through, through))
    return Outcome(
        name="fence",
        title="The memory fence",
        tables=(
            Table(title="Measures", head=("measure", "share"), rows=measures),
            Table(title="By kind", head=("kind", "should", "right"), rows=kinds),
        ),
        matrices=(Matrix(title="Should by did", rows=("pass", "reject"), columns=("pass", "reject"), counts=counts),),
        cases=cases,
    )


def run(*, as_json: bool, wrong: bool, path: Path | None = None, out: Path | None = None) -> int:
    """Prints the measures; returns 0 when nothing that must not pass does, else 1.

    Args:
        out: where the outcome is written.
        path: a file with other facts, whose claims alone are judged; else those that come with the package are, and
            the claims made from them by rule.

    Raises:
        InputError: the file cannot be read, or a line of it is wrong.
    """
    facts = read_facts(path or FACTS)
    claims = claims_of(facts, changes=path is None)
    found = score(facts, claims)
    through, bad = found.count(good=False)
    passed, good = found.count(good=True)
    if out is not None:
        sources, versions = provenance(files=(path or FACTS,))
        keep(replace(outcome(found), sources=sources, versions=versions), out)
    if as_json:
        rows = {f"{'pass' if g else 'reject'} {k}": {"right": r, "of": n} for (g, k), (r, n) in found.kinds.items()}
        session.emit_json({"precision": found.precision, "recall": found.recall, "kinds": dict(sorted(rows.items()))})
    else:
        rows_ = [
            ("pass" if g else "reject", kind, f"{right}/{n}", "[{:.3f}, {:.3f}]".format(*wilson(right, n)))
            for (g, kind), (right, n) in sorted(found.kinds.items())
        ]
        click.echo(aligned(("label", "kind", "right", "95 %"), rows_))
        if wrong:
            click.echo("\n".join(f"{'withheld' if c.good else 'let through'}: {c.kind}: {c.text}" for c in found.wrong))
        click.echo(
            f"{len(facts)} facts, {len(claims)} claims; flagged: precision {found.precision:.3f}, recall "
            f"{found.recall:.3f}; let through {bad - through} of {bad}, true withheld {good - passed} of {good}"
        )
    return 0 if through == bad else 1
