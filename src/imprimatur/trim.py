"""Taking failed members out of a list in a sentence: "Germany, Austria and Spain" without Spain (DESIGN section 4).

A member goes only where the rest surely reads: the members are objects of one subject and property, stand side by side
with nothing but commas and "and" between them, at least one of them is supported, and nothing else in the segment
fails. Otherwise there is no edit, and the segment goes as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from imprimatur._expressions import expression
from imprimatur.claim import Attribute, Claim, Relation
from imprimatur.decision import Edit
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.verdict import Label, Reason

__all__ = ["trimmed"]

_SEPARATOR = expression(r"\s?,\s|,?\s(?:and|&)\s")
_LAST = expression(r"(,?)\s(and|&)\s")
_Group = tuple[object, ...]


def trimmed(text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
    """The edits that take the failed members out of the segment; none when they cannot be taken out alone."""
    if Reason.RESIDUE in segment.reasons:
        return ()
    groups: dict[_Group, list[JudgedClaim]] = {}
    for judged in segment.claims:
        groups.setdefault(_group(judged.claim), []).append(judged)
    edits = []
    for key, members in groups.items():
        if not any(_failed(member) for member in members):
            continue
        edit = _without(text, members) if key else None
        if edit is None:
            return ()
        edits.append(edit)
    edits.sort(key=lambda edit: edit.start)
    apart = all(first.end <= second.start for first, second in pairwise(edits))
    return tuple(edits) if apart else ()


def _group(claim: Claim) -> _Group:
    """What the members of one list have in common; empty for a claim that is no object of anything."""
    reading = claim.readings[0] if claim.readings else None
    if not isinstance(reading, Relation | Attribute) or reading.subject.end > claim.start:
        return ()
    return (type(reading), reading.subject, reading.predicates, claim.negated)


def _failed(judged: JudgedClaim) -> bool:
    return judged.verdict.label not in (Label.SUPPORTED, Label.NOT_A_CLAIM)


def _without(text: str, members: list[JudgedClaim]) -> Edit | None:
    spans = sorted((member.claim.start, member.claim.end) for member in members)
    if len(set(spans)) != len(spans) or any(first[1] > second[0] for first, second in pairwise(spans)):
        return None
    between = [text[first[1] : second[0]] for first, second in pairwise(spans)]
    kept = sorted((m.claim.start, m.claim.end) for m in members if not _failed(m))
    if not kept or not all(_SEPARATOR.fullmatch(gap) for gap in between):
        return None
    start, end = spans[0][0], spans[-1][1]
    after = _listed([text[first:last] for first, last in kept], between[-1])
    queries = dict.fromkeys(e.query for m in members if _failed(m) for e in m.verdict.evidence)
    return Edit(start=start, end=end, before=text[start:end], after=after, evidence=tuple(queries))


def _listed(words: Iterable[str], last: str) -> str:
    """The members as a list, its last separator as it was written."""
    *rest, final = words
    if not rest:
        return final
    found = _LAST.fullmatch(last)
    if found is None:
        return ", ".join([*rest, final])
    comma = found.group(1) if len(rest) > 1 else ""
    return f"{', '.join(rest)}{comma} {found.group(2)} {final}"
