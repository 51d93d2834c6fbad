"""How the clauses of a claim hang together, and whether those of the text do so too: ``related``.

Each clause may be in the text and yet the claim be wrong: cause and effect may have changed places, what came first and
what came after, or a case may be that of another clause. Invariant: a claim of one clause gets no mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.conditions import case_of
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.verdict import Reason

__all__ = ["related"]

_JOINTS = frozenset("because since after before although until".split())
_CAUSAL = frozenset("because since as so which that who when once if".split())
#: Words by which one clause says that the other one is why.
_CAUSES = frozenset(
    "because therefore thus hence due owing thanks after cause lead result make let consequently following".split()
)


def related(matches: Sequence[Match], claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each two clauses of the claim that hang together otherwise in the text."""
    matched = {match.clause.number: match for match in matches}
    yield from _turned_round(matched, claim)
    yield from _uncaused(matched, claim, texts)
    yield from _elsewhere(matched, claim, texts)


def _turned_round(matched: Mapping[int, Match], claim: Reading) -> Iterator[Mark]:
    """A mark where cause and effect, or what came first and what came after, have changed places."""
    for number, match in matched.items():
        joint, main = match.clause.opener, matched.get(number - 1)
        if joint not in _JOINTS or main is None or main.frame.sentence != match.frame.sentence:
            continue
        if main.frame.opener == joint and match.frame.opener != joint:
            detail = f"the text has the clauses of “{joint}” in each other's places"
            yield _mark(match, claim, Reason.ROLES_SWAPPED, detail, against=True)


def _uncaused(matched: Mapping[int, Match], claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each "because" of the claim where the text does not join the two so."""
    for number, match in matched.items():
        main = matched.get(number - 1) or matched.get(number + 1)
        if match.clause.opener == "because" and main is not None and not _causes(match.frame, main.frame, texts):
            detail = "the text does not say that it is so because of that"
            yield _mark(match, claim, Reason.LOW_COVERAGE, detail)


def _causes(cause: Frame, effect: Frame, texts: Evidence) -> bool:
    """Whether the text has one frame as the cause of another, or both in one."""
    if cause.number == effect.number or effect.opener in ("so", "which", "that"):
        return True
    if cause.opener in _CAUSAL:
        opens = cause.number == 0 or texts.frames[cause.number - 1].sentence != cause.sentence
        led = cause.number + 1 if opens else cause.lender if cause.lender >= 0 else cause.number - 1
        return led in (effect.number, effect.lender)
    words = {texts.pieces[k].lower for frame in (cause, effect) for k in range(*frame.reach)}
    lemmas = {lemma for frame in (cause, effect) for k in frame.members for lemma, _ in texts.pieces[k].lemmas}
    return effect.opener != "because" and bool((words | lemmas) & _CAUSES)


def _elsewhere(matched: Mapping[int, Match], claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for each case of the claim ("thawed, dough may be kept") that the text has as another clause's."""
    for number, match in matched.items():
        fronted = match.clause.lender > number
        main = matched.get(match.clause.lender) if fronted or match.clause.opener in ("that", "who", "which") else None
        if main is None or main.frame.number == match.frame.number:
            continue
        case = case_of(match.frame, texts)
        if case >= 0 and case not in (main.frame.number, main.frame.lender):
            yield _mark(match, claim, Reason.CONDITION_DROPPED, "the text says it of another case")


def _mark(match: Match, claim: Reading, reason: Reason, detail: str, *, against: bool = False) -> Mark:
    own = [claim.pieces[k] for k in match.clause.members]
    return Mark(reason=reason, start=own[0].start, end=own[-1].end, detail=detail, against=against)
