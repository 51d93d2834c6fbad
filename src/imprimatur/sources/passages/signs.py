"""Signs that a claim says more than its passages do: what each word of it finds there, summed up in numbers.

Contract: ``signs_of`` is a pure function of the claim's words, the ground and the records; every sign is finite and
named in ``NAMES``. Signs are weighed (``weighing``) to tell a paraphrase from an invention. They never show that a
claim is borne out: that is for the exact comparison (``sources.text``) alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from imprimatur._expressions import expression
from imprimatur.language import closed_class
from imprimatur.sources.passages.alignment import ALIGNMENTS, Found, alignment_of
from imprimatur.sources.passages.course import CARRIED, Carried, carried_of
from imprimatur.sources.passages.ground import Ground, Term, contents, terms_of, weight
from imprimatur.sources.passages.makeup import MAKEUPS, makeup_of
from imprimatur.sources.passages.manner import MANNERS, manner_of, tells_nothing

__all__ = ["NAMES", "Beside", "Signs", "beyond", "signs_of"]

NAMES = (
    *("differs", "agrees", "structured", "numbered", "new_numbers", "new_counts", "new_names", "outside_best"),
    *("new_weight", "strange_weight", "strangest", "strange_run", "apart", "wrong_passage", "words", "item"),
    *ALIGNMENTS,
    *MAKEUPS,
    *CARRIED,
    *MANNERS,
)
#: Signs of new words: a remark on the sources, or on what follows, has none, for its words are not to stand there.
_OF_WORDS = frozenset(
    (
        *("new_numbers", "new_counts", "new_names", "outside_best", "new_weight", "strange_weight", "strangest"),
        *("strange_run", "apart", "loosely_outside", "rare_outside", "clause_outside", "clause_new"),
        *("unpaired", "unpaired_share", "opening_new", "new_participles", "verbs_apart", "asked", "said_before"),
    )
)
#: Three words that WordNet's texts never use: a record does not say them in other words, as a text may.
_MANY_NEW = 6.0
#: Up to so many things are counted without a number: "both", "the three of them".
_COUNTED = 3
_CITED = expression(r"\(?\b[Pp]assages?[ \u00a0](\d{1,3}(?:\s?(?:,|and|&|-)\s?\d{1,3}){0,8})\)?")
_NUMBER = expression(r"\d+")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of one claim.

    Attributes:
        values: the signs by name.
        new: the content words that stand nowhere.
        strange: how many content words, numbers aside, are not even near any.
        best: the lines that have most of it, best first; covered: the share that the first has, by weight; aligned:
            that share of the words beside numbers and negators that stand nowhere.
        size: how many content words there are; numbers: how many of them are numbers.
    """

    values: Mapping[str, float]
    new: tuple[Term, ...]
    strange: int
    best: tuple[int, ...]
    covered: float
    aligned: float
    size: int
    numbers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is known of a claim beside its words and the ground.

    Attributes:
        differs: at how many places a record says otherwise, or is silent; agrees: the stretches where it says the same.
        structured: whether there is a record at all.
        item: whether the claim is an item of a list.
        carried: what was asked, and what the answer said before.
    """

    differs: int = 0
    agrees: tuple[Span, ...] = ()
    structured: bool = False
    item: bool = False
    carried: Carried = field(default_factory=Carried)


def signs_of(words: str, ground: Ground, beside: Beside | None = None) -> Signs:
    """The signs of a claim: of its words, compared with the ground, and of what is known beside them."""
    beside = beside or Beside()
    cited = [number for found in _CITED.finditer(words) for number in _NUMBER.findall(found[1])]
    body = _CITED.sub(lambda found: " " * len(found[0]), words) if cited else words
    every = terms_of(body)
    terms = contents(every)
    weights = tuple(weight(term.lower) for term in terms)
    found = Found(terms, weights, tuple(ground.standing(term) for term in terms))
    known = [
        bool(lines) or _within(term, beside.agrees) or ground.spelt(term) for term, lines in zip(terms, found.standing)
    ]
    strange = [not (stands or ground.near(term)) for term, stands in zip(terms, known)]
    best, covered = _best(found.standing, weights, len(ground.lines))
    new = tuple(term for term, stands in zip(terms, known) if not stands)
    total = sum(weights)
    values = {
        "differs": float(beside.differs > 0),
        "agrees": float(len(beside.agrees)),
        "structured": float(beside.structured),
        "numbered": float(ground.numbered),
        **_newness(found, known, strange),
        "outside_best": 1 - covered / total if total else 0.0,
        "apart": _apart(terms, known, ground),
        "wrong_passage": _wrong_passage(cited, found.standing, weights, ground) if total else 0.0,
        "words": float(len(terms)),
        "item": float(beside.item),
        **alignment_of(body, every, found, ground, best),
        **makeup_of(found, known, ground),
        **carried_of(found, known, beside.carried),
        **manner_of(words, every),
    }
    if tells_nothing(values):
        values |= dict.fromkeys(_OF_WORDS, 0.0)
    return Signs(
        values=values,
        new=new,
        strange=sum(each and not term.value for term, each in zip(terms, strange)),
        best=best,
        covered=covered / total if total else 0.0,
        aligned=_aligned(covered, terms, weights, known),
        size=len(terms),
        numbers=sum(bool(term.value) for term in terms),
    )


def _within(term: Term, spans: Sequence[Span]) -> bool:
    return any(start <= term.start and term.end <= end for start, end in spans)


def _newness(found: Found, known: Sequence[bool], strange: Sequence[bool]) -> dict[str, float]:
    """The signs of words that stand nowhere, and of those that are not even near any."""
    new = [term for term, stands in zip(found.terms, known) if not stands]
    odd = [w for w, each in zip(found.weights, strange) if each]
    return {
        "new_numbers": float(sum(bool(term.value) and not _counts(term) for term in new)),
        "new_counts": float(sum(_counts(term) for term in new)),
        "new_names": float(sum(_is_name(term) for term in new)),
        "new_weight": sum(w for w, stands in zip(found.weights, known) if not stands),
        "strange_weight": sum(odd),
        "strangest": max(odd, default=0.0),
        "strange_run": float(_longest(strange)),
    }


def _counts(term: Term) -> bool:
    """Whether a word is a small number in letters: things that are named can be counted."""
    return term.text[:1].isalpha() and term.value.isdigit() and int(term.value) <= _COUNTED


def beyond(signs: Signs) -> bool:
    """Whether a claim plainly goes beyond: a number is new, or all of it; three rare words' worth, beside a record."""
    if tells_nothing(signs.values):
        return False
    nothing = signs.size > 1 and signs.covered == 0.0
    many = signs.values["structured"] > 0 and signs.values["new_weight"] > _MANY_NEW
    return signs.values["new_numbers"] > 0 or many or nothing


def _is_name(term: Term) -> bool:
    return term.text[:1].isupper() and term.start > 0 and not term.value


def _best(standing: Sequence[set[int]], weights: Sequence[float], lines: int) -> tuple[tuple[int, ...], float]:
    """The lines that have most of the words, best first, and the weight that the first has."""
    scores: dict[int, float] = {}
    for found, each in zip(standing, weights):
        for line in found:
            scores[line] = scores.get(line, 0.0) + each
    order = sorted(scores, key=lambda line: (-scores[line], line))
    return tuple(order[: min(6, lines)]), scores[order[0]] if order else 0.0


def _aligned(covered: float, terms: Sequence[Term], weights: Sequence[float], known: Sequence[bool]) -> float:
    denying = closed_class.words("negator")
    beside = sum(w for t, w, found in zip(terms, weights, known) if found or not (t.value or t.lower in denying))
    return covered / beside if beside else 0.0


def _longest(flags: Sequence[bool]) -> int:
    run = best = 0
    for flag in flags:
        run = run + 1 if flag else 0
        best = max(best, run)
    return best


def _apart(terms: Sequence[Term], known: Sequence[bool], ground: Ground) -> float:
    """Of the neighbours that both stand somewhere, the share that never stand near each other."""
    pairs = [
        (terms[at], terms[at + 1])
        for at in range(len(terms) - 1)
        if known[at] and known[at + 1] and not (terms[at].value or terms[at + 1].value)
    ]
    return sum(not ground.together(*pair) for pair in pairs) / len(pairs) if pairs else 0.0


def _wrong_passage(
    cited: Sequence[str], standing: Sequence[set[int]], weights: Sequence[float], ground: Ground
) -> float:
    """How much less of the claim the passages have that it names, at worst, than the one that has most."""
    labels = {line.label for line in ground.lines} - {""}
    if not cited or not labels:
        return 0.0
    of = {
        label: sum(w for found, w in zip(standing, weights) if any(ground.lines[n].label == label for n in found))
        for label in labels
    }
    return (max(of.values()) - min(of.get(number, 0.0) for number in cited)) / sum(weights)
