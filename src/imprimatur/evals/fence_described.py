"""``imprimatur eval fence --described``: the fence by its four published rules, beside ours on the same claims.

A claim passes by the description when every cited id exists and there is one, every number written in digits stands in
a cited entry, enough of its content words do, and, of a conclusion, no overclaiming word is in it. The description
does not say how many content words are enough, so each share of ``COVERAGES`` is measured. It is there to be compared
with, and licenses nothing; what our fence lets through makes the exit status 1 as without the option.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from imprimatur.evals.fence import FACTS, Fact, FenceClaim, claims_of, judged, read_facts
from imprimatur.evals.finishing import finish, provenance
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Figure, Outcome, Published, Table
from imprimatur.language import closed_class
from imprimatur.language.tokens import TokenKind, tokenise

__all__ = ["COVERAGES", "passes", "run"]


def _named(coverage: Fraction) -> str:
    return f"described, {float(coverage):.0%} of the words"


#: Shares of a claim's content words that the cited entries must have. The middle one is told by kind.
COVERAGES = (Fraction(3, 10), Fraction(1, 2), Fraction(4, 5))
_OVERCLAIMS = frozenset(("definitely", "guaranteed", "always", "never"))
_WHOLE = "100%"
_OURS = "ours"
_MIDDLE = _named(COVERAGES[1])
_PUBLISHED = tuple(
    Published(
        value=value,
        source="the fence's description",
        why="of 24 claims that are not published: 14 to flag, in four kinds, and 10 to pass",
    )
    for value in (1.0, 0.929)
)


def passes(claim: FenceClaim, memory: Mapping[str, str], coverage: Fraction) -> bool:
    """Whether the described rules let a claim pass; ``memory`` has the entries by id."""
    if not claim.citations or any(id_ not in memory for id_ in claim.citations):
        return False
    cited = " ".join(memory[id_] for id_ in claim.citations)
    if not _numbers(claim.text) <= _numbers(cited):
        return False
    own = _content(claim.text)
    if own and Fraction(len(own & _content(cited)), len(own)) < coverage:
        return False
    words = {token.lower for token in tokenise(claim.text)}
    return claim.tagged.kind != "inference" or not (words & _OVERCLAIMS or _WHOLE in claim.text)


def run(*, as_json: bool, path: Path | None = None, out: Path | None = None) -> int:
    """Prints the rules' figures beside ours; returns 1 when ours lets something through, else 0.

    Raises:
        InputError: the file cannot be read, or a line of it is wrong.
    """
    facts = read_facts(path or FACTS)
    sources, versions = provenance(files=(path or FACTS,))
    found = _outcome(facts, claims_of(facts, changes=path is None))
    return finish(replace(found, sources=sources, versions=versions), as_json=as_json, out=out)


def _outcome(facts: Sequence[Fact], claims: Sequence[FenceClaim]) -> Outcome:
    memory = {fact.id: fact.text for fact in facts}
    by_rules = {share: [passes(claim, memory, share) for claim in claims] for share in COVERAGES}
    ours = [passed for _, passed in judged(facts, claims)]
    told = {_named(share): passed for share, passed in by_rules.items()} | {_OURS: ours}
    wrong = [claim for claim, passed in zip(claims, ours) if passed and not claim.good]
    return Outcome(
        name="fence",
        title="The memory fence, and the four rules that it was first described by",
        tables=(_measures(claims, told), _kinds(claims, by_rules[COVERAGES[1]], ours)),
        cases=tuple(
            Case(id=claim.kind, kind="let through by ours", text=claim.text, gold="reject", said="passed", grave=True)
            for claim in wrong
        ),
        notes=(
            f"{len(facts)} facts, {len(claims)} claims. Described: every cited id exists, and there is one; numbers in "
            "digits stand in a cited entry; so many of the content words do; a conclusion has no overclaiming word.",
        ),
    )


def _measures(claims: Sequence[FenceClaim], told: Mapping[str, Sequence[bool]]) -> Table:
    """Precision and recall of flagging, and both kinds of errors; the published figures beside the middle row."""
    rows = []
    for name, passed in told.items():
        counts = Counter((claim.good, each) for claim, each in zip(claims, passed))
        caught, through, withheld = counts[False, False], counts[False, True], counts[True, False]
        precision, recall = _PUBLISHED if name == _MIDDLE else (None, None)
        rows.append(
            (
                name,
                Figure.of(Share(caught, caught + withheld), precision),
                Figure.of(Share(caught, caught + through), recall),
                Figure.of(Share(through, caught + through)),
                Figure.of(Share(withheld, withheld + counts[True, True])),
            )
        )
    head = ("fence", "precision of flags", "recall of flags", "let through", "true withheld")
    return Table(title="Measures", head=head, rows=tuple(rows))


def _kinds(claims: Sequence[FenceClaim], described: Sequence[bool], ours: Sequence[bool]) -> Table:
    """How many claims of each kind that must not pass do; the kind that the rules see least comes first."""
    kinds = {claim.kind for claim in claims if not claim.good}
    counted = []
    for kind in kinds:
        of_kind = [n for n, claim in enumerate(claims) if claim.kind == kind and not claim.good]
        counted.append((kind, sum(described[n] for n in of_kind), sum(ours[n] for n in of_kind), len(of_kind)))
    counted.sort(key=lambda each: (-each[1] / each[3], each[0]))
    rows = tuple((kind, Figure.of(Share(rules, n)), Figure.of(Share(own, n))) for kind, rules, own, n in counted)
    return Table(title="Let through, by kind", head=("kind", _MIDDLE, _OURS), rows=rows)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(token.lower for token in tokenise(text) if token.kind is TokenKind.NUMBER)


def _content(text: str) -> frozenset[str]:
    words = (token.lower for token in tokenise(text) if token.kind is TokenKind.WORD)
    return frozenset(word for word in words if not closed_class.is_function_word(word))
