"""Claims read as words only: each stretch of a segment that evidence in text must say as a whole.

A segment is cut at its citations, for a citation belongs to the words before it (two clauses before one share it); what
stands between two citations is further cut where the grammar shows whole clauses side by side, so that a wrong one can
be taken out alone. Invariants: the claims of a segment are in order and do not overlap; ``words`` has one character for
each of the claim's span; every word that some claim must account for is covered by one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Claim, Mention, Modality, Prose
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.grammar import parse
from imprimatur.extract.syntax import Item, Np, NpKind
from imprimatur.extract.telling import content
from imprimatur.language import citations
from imprimatur.language.morphology import lemmas
from imprimatur.language.wordnet import noun_kind

__all__ = ["Passage", "prose_claims", "referents_of"]

_Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The segment to cut: ``text`` is ``answer[start:start + len(text)]``.

    Attributes:
        gone: the spans (in the answer) of what is no word of any claim: remarks, markers, citations.
        items: the words, with their spans in the answer.
        base: what all its claims share.
    """

    text: str
    start: int
    gone: tuple[tuple[int, int], ...]
    items: tuple[Item, ...]
    base: Prose
    modality: Modality = Modality.ASSERTED


def prose_claims(passage: Passage, *, styles: Sequence[str] = citations.STYLES) -> tuple[Claim, ...]:
    """The claims of a segment, in order; none when it has no word to account for."""
    cited = citations.groups(citations.find(passage.text, styles=styles), passage.text)
    made: list[Claim] = []
    at = 0
    for each in cited:
        part = list(_claims(passage, at, each.start, each.ids))
        if not part and made and _blank(passage, at, each.start):
            ids = tuple(dict.fromkeys((*made[-1].citations, *each.ids)))
            made[-1] = replace(made[-1], citations=ids)
        made += part
        at = each.end
    rest = list(_claims(passage, at, len(passage.text), ()))
    return (*made, *rest)


def _claims(passage: Passage, first: int, last: int, ids: tuple[str, ...]) -> Iterator[Claim]:
    """The claims in a stretch of the segment's text."""
    start, end = passage.start + first, passage.start + last
    items = [item for item in passage.items if start <= item.start and item.end <= end]
    if not any(content(item) for item in items):
        return
    for a, b in _cuts(items, start, end):
        yield _claim(passage, a, b, ids)


def _cuts(items: Sequence[Item], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of whole clauses side by side; one span where the grammar shows none.

    Only where each clause has a subject and verb of its own and they share no word, the cut is sure.
    """
    stops = _semicolons(items)
    at = start
    for stop in stops:
        yield at, stop
        at = stop
    yield at, end


def _semicolons(items: Sequence[Item]) -> list[int]:
    """Where a semicolon parts two clauses that can each be read whole."""
    marks = [n for n, item in enumerate(items) if item.lower == ";"]
    if not marks:
        return []
    edges = [0, *(n + 1 for n in marks), len(items)]
    parts = [items[a:b] for a, b in pairwise(edges)]
    if not all(parse(part).clauses and any(content(i) for i in part) for part in parts):
        return []
    return [items[n].end for n in marks]


def _claim(passage: Passage, start: int, end: int, ids: tuple[str, ...]) -> Claim:
    text = passage.text[start - passage.start : end - passage.start]
    gone = [(a - start, b - start) for a, b in passage.gone]
    shown = _without(text, [(a, b) for a, b in gone if not _names_source(text[max(a, 0) : b])])
    lead, tail = len(shown) - len(shown.lstrip()), len(shown.rstrip())
    start, text, shown = start + lead, text[lead:tail], shown[lead:tail]
    inside = tuple(m for m in passage.base.referents if start <= m.start and m.end <= start + len(text))
    return Claim(
        start=start,
        end=start + len(text),
        text=text,
        covers=((start, start + len(text)),),
        modality=passage.modality,
        citations=ids,
        prose=replace(passage.base, words=shown, referents=inside),
    )


def _names_source(remark: str) -> bool:
    """Whether a remark says who says so ("according to the judge"): a part of the claim, where evidence reports it."""
    words = remark.strip(" ,").split()
    if [word.lower() for word in words[:2]] != ["according", "to"] or len(words) < 3:
        return False
    last = words[-1]
    return last[:1].isupper() or any(noun_kind(lemma) == "noun.person" for lemma, pos in lemmas(last) if pos == "n")


def _without(text: str, gone: _Spans) -> str:
    """The text with blanks in the place of some spans."""
    for a, b in gone:
        a, b = max(a, 0), min(b, len(text))
        if a < b:
            text = text[:a] + " " * (b - a) + text[b:]
    return text


def _blank(passage: Passage, first: int, last: int) -> bool:
    return not any(c.isalnum() for c in passage.text[first:last])


def referents_of(items: Sequence[Item], discourse: Discourse) -> tuple[Mention, ...]:
    """The pronouns among some items, each with the names before the segment that it may stand for, one mention a name.

    To be asked before the discourse has seen the segment. A pronoun that may stand for a name of its own segment has
    none: its words tell.
    """
    found = []
    own = {item.start for item in items if item.start >= 0}
    for n, item in enumerate(items):
        if item.start < 0 or ("pron" not in item.forms.closed and "poss" not in item.forms.closed):
            continue
        np = Np(NpKind.PRONOUN, frozenset((n,)), head=item.lower, head_item=n)
        names = [meant for meant in discourse.antecedents(np, items) if meant.text]
        if not any(meant.start in own for meant in names):
            found += [Mention(item.start, item.end, meant.text, meant.candidates) for meant in names]
    return tuple(found)
