"""Signs that a claim says more than its passages do: what each word of it finds there, summed up in numbers.

Contract: ``signs_of`` is a pure function of the claim's words, the ground and the records; every sign is finite and
named in ``NAMES``. Signs are weighed (``weighing``) to tell a paraphrase from an invention. They never show that a
claim is borne out: that is for the exact comparison (``sources.text``) alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from imprimatur._expressions import expression
from imprimatur.language import closed_class, negation
from imprimatur.sources.passages.ground import Ground, Term, contents, terms_of, weight

__all__ = ["NAMES", "Signs", "beyond", "signs_of"]

NAMES = (
    *("differs", "agrees", "new_numbers", "new_names", "outside_best", "new_weight", "strange_weight", "strangest"),
    *("strange_run", "apart", "wrong_passage", "words", "colon", "item", "quotation", "summing_up", "of_the_source"),
    *("silence_of_the_source", "hedges"),
)
#: Words that begin a closing remark.
_SUMMING_UP = frozenset(
    ("overall", "ultimately", "therefore", "thus", "hence", "finally", "altogether", "consequently", "accordingly")
)
_SUMMING_PHRASES = (("in", "conclusion"), ("in", "summary"), ("to", "sum"), ("in", "short"), ("in", "general"))
#: What a text calls its sources, and what sources do.
_SOURCES = frozenset(
    ("passage", "article", "text", "document", "context", "datum", "data", "information", "source", "summary")
)
_TELLING = frozenset(
    (
        *("provide", "mention", "state", "specify", "discuss", "suggest", "contain", "answer", "base", "give", "list"),
        *("describe", "accord", "report", "say", "include"),
    )
)
_SEEMING = frozenset(("seem", "appear", "note", "important", "consider", "recommend", "ideal", "great"))
#: Three words that WordNet's texts never use.
_MANY_NEW = 6.0
_CITED = expression(r"\(?\b[Pp]assages?[ \u00a0](\d{1,3}(?:\s?(?:,|and|&|-)\s?\d{1,3}){0,8})\)?")
_NUMBER = expression(r"\d+")


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


def signs_of(words: str, ground: Ground, *, differs: int = 0, agrees: int = 0, item: bool = False) -> Signs:
    """The signs of a claim.

    Args:
        words: the claim's words.
        ground: what it is compared with.
        differs, agrees: at how many places a record says otherwise or is silent, and says the same.
        item: whether it is an item of a list.
    """
    cited = [number for found in _CITED.finditer(words) for number in _NUMBER.findall(found[1])]
    body = _CITED.sub(lambda found: " " * len(found[0]), words) if cited else words
    every = terms_of(body)
    terms = contents(every)
    weights = [weight(term.lower) for term in terms]
    total = sum(weights)
    standing = [ground.standing(term) for term in terms]
    known = [bool(lines) for lines in standing]
    strange = [not (found or ground.near(term)) for term, found in zip(terms, known)]
    best, covered = _best(standing, weights, len(ground.lines))
    new = tuple(term for term, found in zip(terms, known) if not found)
    values = {
        "differs": float(differs > 0),
        "agrees": float(agrees),
        "new_numbers": float(sum(bool(term.value) for term in new)),
        "new_names": float(sum(_is_name(term) for term in new)),
        "outside_best": 1 - covered / total if total else 0.0,
        "new_weight": sum(w for w, found in zip(weights, known) if not found),
        "strange_weight": sum(w for w, each in zip(weights, strange) if each),
        "strangest": max((w for w, each in zip(weights, strange) if each), default=0.0),
        "strange_run": float(_longest(strange)),
        "apart": _apart(terms, known, ground),
        "wrong_passage": _wrong_passage(cited, standing, weights, ground) if total else 0.0,
        "words": float(len(terms)),
        "item": float(item),
        **_manner(words, every),
    }
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


def beyond(signs: Signs) -> bool:
    """Whether a claim plainly goes beyond its passages: a number, three rare words' worth, or all of it is new."""
    nothing = bool(signs.size) and signs.covered == 0.0
    return signs.values["new_numbers"] > 0 or signs.values["new_weight"] > _MANY_NEW or nothing


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


def _manner(words: str, terms: Sequence[Term]) -> dict[str, float]:
    """How a claim is put: as a closing remark, of the sources themselves, with hedges."""
    lowers = [term.lower for term in terms]
    forms = frozenset[str]().union(*(term.forms for term in terms))
    opening = bool(lowers) and (lowers[0] in _SUMMING_UP or tuple(lowers[:2]) in _SUMMING_PHRASES)
    of_source = bool(forms & _SOURCES) and bool(forms & _TELLING)
    soft = closed_class.words("modal") | closed_class.words("hedge")
    return {
        "colon": float(words.rstrip().endswith(":")),
        "quotation": float('"' in words or "“" in words),
        "summing_up": float(opening),
        "of_the_source": float(of_source),
        "silence_of_the_source": float(of_source and bool(negation.find(lowers))),
        "hedges": float(sum(term.lower in soft or bool(term.forms & _SEEMING) for term in terms)),
    }
