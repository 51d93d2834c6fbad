"""Small changes of a true sentence, each of which puts in something false or something that nothing bears out.

``mutations`` gives changes of many kinds at the places where English allows them: negators, quantifiers, adverbs,
adjectives, nouns, verbs, names, dates, numbers, units, clauses, prefixes, exchanged arguments. Invariants: the same
sentence, names and seed give the same changes in the same order; no kind holds hedges, discourse markers or other words
that the design lets pass; the words are here to be withheld, and nothing that reads answers knows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from imprimatur.evals import falsehoods
from imprimatur.extract.words import forms

__all__ = ["KINDS", "Mutation", "mutations"]

_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
KINDS = (
    *(*falsehoods.BEFORE_VERBS, *falsehoods.BEFORE_NOUNS),
    *("relation", "action", "added", "prefix", "unit", "turned", "counted", "named", "swap", "value", "middle"),
)


@dataclass(frozen=True, slots=True)
class Mutation:
    """A changed sentence, the kind of change, and the words that were put in (two names with a tab when exchanged)."""

    kind: str
    text: str
    added: str


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    text: str

    def verb(self) -> bool:
        """Whether the word may be a finite verb or a participle."""
        f = forms(self.text.lower())
        return bool(f.verb_forms) or bool(f.closed & {"aux", "modal"})

    def noun(self) -> bool:
        """Whether the word may be a noun or an adjective."""
        f = forms(self.text.lower())
        return not f.closed and bool(f.noun or f.adj)


def mutations(text: str, names: Sequence[tuple[int, int]], others: Sequence[str], seed: int) -> Iterator[Mutation]:
    """Changes of a sentence, one at random of each kind in turn, without end as long as there are any.

    Args:
        text: the sentence.
        names: the spans of the names in it that the knowledge base knows.
        others: names of other things, to be put in.
        seed: what the choice hangs on, together with the text.
    """
    chosen = Random(f"{seed} {text}")
    pools = {kind: list(make) for kind, make in _pools(text, sorted(set(names)), others, chosen)}
    for pool in pools.values():
        chosen.shuffle(pool)
    kinds = list(pools)
    seen = {text}
    while any(pools.values()):
        chosen.shuffle(kinds)
        for kind in kinds:
            pool = pools[kind]
            while pool:
                changed, added = pool.pop()
                if changed not in seen:
                    seen.add(changed)
                    yield Mutation(kind, changed, added)
                    break


def _pools(
    text: str, names: list[tuple[int, int]], others: Sequence[str], chosen: Random
) -> Iterator[tuple[str, Iterator[tuple[str, str]]]]:
    words = [
        _Word(m.start(), m.end(), m.group())
        for m in _WORD.finditer(text)
        if not any(s < m.end() and m.start() < e for s, e in names)
    ]
    for kind, added in falsehoods.BEFORE_VERBS.items():
        yield kind, _beside(text, [w for w in words if w.verb()], added.split("|"))
    for kind, added in falsehoods.BEFORE_NOUNS.items():
        yield kind, _beside(text, [w for w in words if w.noun()], added.split("|"), after=False)
    yield "relation", _instead(text, [w for w in words if w.noun() and w.text.islower()], falsehoods.RELATED)
    yield "action", _instead(text, [w for w in words if w.verb() and w.text.islower()], falsehoods.ACTIONS)
    yield (
        "turned",
        (
            (_cut(text, w.start, w.end, falsehoods.TURNED[w.text]), falsehoods.TURNED[w.text])
            for w in words
            if w.text in falsehoods.TURNED
        ),
    )
    yield "added", ((_ended(text, added), added) for added in falsehoods.ADDED)
    yield "middle", ((_put(text, e, added), added) for _, e in names for added in falsehoods.ADDED)
    yield "prefix", ((f"{prefix} {_lowered(text, names)}", prefix) for prefix in falsehoods.PREFIXES)
    yield "named", _renamed(text, names, others, chosen)
    yield "swap", _swapped(text, names)
    yield "value", _revalued(text, names)
    yield "counted", _recounted(text, names)
    yield "unit", _reunited(text)


def _cut(text: str, start: int, end: int, instead: str) -> str:
    return text[:start] + instead + text[end:]


def _put(text: str, at: int, added: str) -> str:
    return text[:at] + ("" if added[0] in ",;" else " ") + added + text[at:]


def _ended(text: str, added: str) -> str:
    bare = text.rstrip()
    stop = bare[-1:] if bare[-1:] in (".", "!") else ""
    bare = bare[: len(bare) - len(stop)]
    return _put(bare, len(bare), added) + stop


def _lowered(text: str, names: list[tuple[int, int]]) -> str:
    first = text.split(maxsplit=1)[0].lower()
    named = any(s == 0 for s, _ in names) and first != "the"
    return text if named or not forms(first).closed else text[:1].lower() + text[1:]


def _beside(text: str, words: list[_Word], added: Sequence[str], *, after: bool = True) -> Iterator[tuple[str, str]]:
    ordered = re.search(r"\d(?:st|nd|rd|th)\b", text) is not None
    added = [more for more in added if not (ordered and more in ("first", "second", "third"))]
    for w in words:
        for more in added:
            yield _cut(text, w.start, w.start, f"{more} "), more
            if after:
                yield _put(text, w.end, more), more


def _instead(text: str, words: list[_Word], others: Sequence[str]) -> Iterator[tuple[str, str]]:
    for w in words:
        for other in others:
            yield _cut(text, w.start, w.end, other), other


def _renamed(
    text: str, names: list[tuple[int, int]], others: Sequence[str], chosen: Random
) -> Iterator[tuple[str, str]]:
    for s, e in names:
        for form in falsehoods.NAMED:
            other = chosen.choice(others) if others else "Vashmere"
            if other not in text:
                yield _cut(text, s, e, form.format(a=text[s:e], b=other)), form.format(a="", b=other).strip()


def _swapped(text: str, names: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    for n, (s, e) in enumerate(names):
        for s2, e2 in names[n + 1 :]:
            if e <= s2 and text[s:e] != text[s2:e2]:
                yield text[:s] + text[s2:e2] + text[e:s2] + text[s:e] + text[e2:], f"{text[s:e]}\t{text[s2:e2]}"


def _numbers(text: str, names: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
    for m in _NUMBER.finditer(text):
        if not any(s < m.end() and m.start() < e for s, e in names):
            yield m


def _revalued(text: str, names: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    about = re.search(r"\b(?:about|around|approximately|roughly|nearly|some|almost)\b", text)
    for m in () if about else _numbers(text, names):
        digits = m.group()
        for n in range(len(digits)):
            for d in ("1", "4", "7", "9") if digits[n].isdigit() else ():
                changed = digits[:n] + d + digits[n + 1 :]
                if d != digits[n] and not (digits.replace(",", "").isdigit() and n == len(digits) - 1 and n > 2):
                    yield _cut(text, m.start(), m.end(), changed), changed
        for changed in (f"-{digits}", f"1{digits}", f"{digits}0" if digits.isdigit() else f"9{digits}", digits[::-1]):
            if changed != digits and not changed.startswith("0"):
                yield _cut(text, m.start(), m.end(), changed), changed


def _recounted(text: str, names: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    for m in _numbers(text, names):
        for form in falsehoods.COUNTED:
            changed = form.format(*[m.group()] * 2)
            yield _cut(text, m.start(), m.end(), changed), changed


def _reunited(text: str) -> Iterator[tuple[str, str]]:
    spelled = sorted(((unit, group) for group in falsehoods.UNITS for unit in group), key=lambda pair: -len(pair[0]))
    for unit, same in spelled:
        found = re.search(rf"\d[ -]?({re.escape(unit)})(?!\w)", text)
        if found:
            for other in (u for group in falsehoods.UNITS if group is not same for u in group):
                yield _cut(text, found.start(1), found.end(1), other), other
            return
