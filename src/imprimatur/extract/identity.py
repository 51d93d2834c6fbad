"""Which of several things of one name is meant: what else the answer says of it goes with its mention.

"The Bear River, a tributary of A, rises in B": of the rivers of that name, it is one that is a tributary of A. Only
relations and kinds tell things apart, never numbers and dates: those are what is checked. Nothing is decided here; a
source keeps the candidates of which all that is ``given`` holds (``claim.Mention``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from imprimatur.claim import Claim, Membership, Mention, Relation, Statement, mentions_of, with_mentions
from imprimatur.extract.syntax import Item

__all__ = ["Given", "identified", "told_of"]

#: What is said of the things that a name may stand for, by its candidates: the readings of each claim about it.
Given = dict[tuple[str, ...], tuple[tuple[Statement, ...], ...]]

#: So many claims at most tell which thing a name means, the latest of them.
_MOST = 6
_Key = tuple[int, tuple[str, ...]]


def identified(claims: Sequence[Claim], items: Sequence[Item], before: Given) -> list[Claim]:
    """The claims of one sentence, each mention of an ambiguous name with what the others and ``before`` say of it."""
    named = Counter(i.entity.candidates for i in items if i.entity is not None)
    told: dict[_Key, dict[int, tuple[Statement, ...]]] = {}
    for number, claim in enumerate(claims):
        for mention, group in _told(claim):
            told.setdefault(_key(mention, named), {})[number] = group
    if not told and not before:
        return list(claims)

    def given(mention: Mention, number: int) -> Mention:
        if not _ambiguous(mention):
            return mention
        groups = told.get(_key(mention, named), {})
        # What stands beside the name says which is meant, and is itself said of that one.
        told_here = (g for n, g in groups.items() if n != number or claims[n].naming)
        anew = any(claims[n].naming for n in groups)
        others = (*(() if anew else before.get(mention.candidates, ())), *told_here)
        return replace(mention, given=others[-_MOST:]) if others else mention

    def told_apart(claim: Claim, number: int) -> Claim:
        return replace(claim, readings=tuple(with_mentions(r, lambda m: given(m, number)) for r in claim.readings))

    return [told_apart(claim, number) for number, claim in enumerate(claims)]


def told_of(claims: Sequence[Claim]) -> Given:
    """What tells for the rest of an answer which thing of an ambiguous name is meant: what stands beside the name."""
    found: dict[tuple[str, ...], list[tuple[Statement, ...]]] = {}
    for claim in (claim for claim in claims if claim.naming):
        for mention, group in _told(claim):
            found.setdefault(mention.candidates, []).append(group)
    return {candidates: tuple(groups[-_MOST:]) for candidates, groups in found.items()}


def _told(claim: Claim) -> Iterator[tuple[Mention, tuple[Statement, ...]]]:
    """The ambiguous names of a claim that tells things apart, each with the readings that speak of it."""
    if claim.negated or claim.narrowed:
        return
    telling = [with_mentions(r, _plain) for r in claim.readings if isinstance(r, (Relation, Membership))]
    if len(telling) < len(claim.readings):
        return
    for mention in {m.candidates: m for r in telling for m in mentions_of(r) if _ambiguous(m)}.values():
        yield mention, tuple(r for r in telling if any(m.candidates == mention.candidates for m in mentions_of(r)))


def _plain(mention: Mention) -> Mention:
    return replace(mention, given=()) if mention.given else mention


def _ambiguous(mention: Mention) -> bool:
    return len(mention.candidates) > 1 and mention.every is None


def _key(mention: Mention, named: Counter[tuple[str, ...]]) -> _Key:
    """Names of one text are one thing, unless the sentence names it twice: then each place is for itself."""
    return (mention.start if named[mention.candidates] > 1 else -1, mention.candidates)
