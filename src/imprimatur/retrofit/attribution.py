"""Which stage lost an error: the first that did not do its part, in the round that came furthest.

An error is known by the words that are wrong, the value that is right, the entities that it is about, and the fact of
the graph that says so. It is mended where the right value stands in the text and the wrong words do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from imprimatur.retrofit.kinds import Finding, Retrofitted, Round, Stage
from imprimatur.verdict import Label

__all__ = ["Mistake", "is_mended", "lost_at", "passed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A known error of a draft: ``draft[start:end]`` is ``wrong``.

    Attributes:
        right: what should stand there, in any of these ways.
        entities: the names of the things that it is about; one of them must be detected.
        fact: the triple that tells what is right, as N-Triples.
    """

    start: int
    end: int
    wrong: str
    right: tuple[str, ...]
    entities: tuple[str, ...]
    fact: str


def is_mended(mistake: Mistake, found: Retrofitted) -> bool:
    """Whether the text in the end has a right value, and the words of the draft around it no wrong one."""
    if found.text == found.draft:
        return False
    before, after = found.draft[: mistake.start], found.draft[mistake.end :]
    restored = {f"{before}{right}{after}" for right in mistake.right}
    if found.text in restored:
        return True
    has = any(_plain(right) in _plain(found.text) for right in mistake.right)
    return has and _plain(mistake.wrong) not in _plain(found.text)


def lost_at(mistake: Mistake, found: Retrofitted, *, mended: bool | None = None) -> Stage | None:
    """The stage that lost the error; None where it is mended (``mended``, where that is known otherwise)."""
    if is_mended(mistake, found) if mended is None else mended:
        return None
    order = list(Stage)
    reached = [order.index(_lost_in(mistake, made)) for made in found.rounds]
    return order[max(reached, default=0)]


def passed(mistake: Mistake, found: Retrofitted) -> frozenset[Stage]:
    """The stages that did their part in some round, the last of them not counted: whether it is mended says that."""
    order = list(Stage)
    reached = max((order.index(_lost_in(mistake, made)) for made in found.rounds), default=0)
    return frozenset(order[:reached])


def _lost_in(mistake: Mistake, made: Round) -> Stage:
    """The first stage of a round that did not do its part for any claim with the wrong words."""
    claims = [each for each in made.findings if _has(mistake, each, made.response)]
    if not claims:
        return Stage.EXTRACTION
    names = {_plain(name) for name in mistake.entities}
    claims = [each for each in claims if any(_plain(e.name) in names and e.iris for e in each.entities)]
    if not claims:
        return Stage.DETECTION
    claims = [each for each in claims if any(mistake.fact in triple.content for triple in each.triples)]
    if not claims:
        return Stage.SELECTION
    return Stage.RETROFITTING if any(_flagged(mistake, each) for each in claims) else Stage.VERIFICATION


def _has(mistake: Mistake, finding: Finding, response: str) -> bool:
    claim = finding.claim
    quoted = response[claim.start : claim.end] if claim.start >= 0 else ""
    return any(_plain(mistake.wrong) in _plain(said) for said in (claim.says, quoted))


def _flagged(mistake: Mistake, finding: Finding) -> bool:
    """Whether a claim was found wrong, with a right value as what should stand there."""
    if finding.verified.label is not Label.CONTRADICTED:
        return False
    return any(_plain(right) in _plain(finding.verified.suggestion) for right in mistake.right)


def _plain(text: str) -> str:
    return f" {' '.join(_words(text))} "


def _words(text: str) -> Iterator[str]:
    yield from "".join(char if char.isalnum() else " " for char in text.casefold()).split()
