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

from imprimatur.extract.words import forms

__all__ = ["KINDS", "Mutation", "mutations"]

_BEFORE_VERBS = {
    "negator": "not|never|no longer|hardly|scarcely|rarely|seldom|not even|not only|not always|by no means|never once",
    "adverb": (
        "formerly|partly|once|almost never|briefly|mostly|largely|indirectly|secretly|seasonally|only|reluctantly|"
        "falsely|twice|temporarily|nominally|initially|annually|alone|exclusively|previously|sometimes|usually|"
        "intermittently|wrongly|first|last|underground|unofficially|jointly|personally|illegally|"
        "posthumously|eventually|originally|slowly|quickly|narrowly|officially|barely|half|equally|occasionally"
    ),
    "modal": "will|would|could|should have|should|used to|will soon|could have|was going to|failed to|refused to|tried to",
}
_BEFORE_NOUNS = {
    "quantifier": "every|half|half of|some of|most of|no|few|only|all but|none of|hardly any|either|any",
    "adjective": (
        "former|upper|lower|second|so-called|other|lesser|new|fake|old|would-be|late|future|double|average|minimum|"
        "maximum|unofficial|rival|lost|inner|outer|proposed|first|last|oldest|longest|largest|smallest|great|"
        "third|main|only|northern|southern|western|eastern|navigable|annual|deepest|famous|secret|mean|approximate|"
        "seasonal|ancient|modern|original|sole|principal|artificial|underground|shared|joint|alternative|dry|muddy"
    ),
    "noun": (
        "stone|tax|summer|winter|bridge|dam|village|railway|school|family|border|county|city|name|bank|copy|"
        "tourist|toll|steam|iron|rock|capital|flood|title|deputy"
    ),
    "number": "three|seventeen|45|2|1,200|a dozen|several hundred|0.5|twenty-one|99",
}
_RELATED = (
    *("copy", "critic", "colour", "rival", "width", "owner", "uncle", "deputy", "nickname", "closure", "repair"),
    *("model", "opponent", "neighbour", "enemy", "namesake", "height", "age", "price", "bridge", "student", "author"),
)
_ACTIONS = (
    *("avoids", "lost", "rejected", "criticised", "sold", "destroyed", "imitates", "outlived", "demolished", "faces"),
    *("funded", "left", "copied", "named", "hated", "opposes", "surrounds", "polluted", "predates", "visited"),
)
_ADDED = (
    *("near Springfield", "until 1950", "for ten years", "in part", "together with Belstow", "unlike most"),
    *("in winter", "and nothing else", "alone", "in name only", "among others", "instead of Corrick", "twice"),
    *("except in spring", "as a rule", "more than ever", "before it was moved", "underground", "if it rains"),
    *("for half of the year", "against the odds", "but not directly", "with its twin", "at night", "in 1850"),
    *("after 1990", "by accident", "for the second time", "at least twice", "unless it rains", "in reverse"),
    *("and was later demolished", "and is the longest in the world", "but only in theory", "in a dream"),
    *("which is a lie", "and so does every other one", ", not the other way round", "or not", "except on Sundays"),
    *("since 1999", "in the 12th century", "between 2001 and 2003", "from above", "in 3 ways", "to the north"),
    *("at its widest", "on average", "at most times", "upstream", "on the left", "per year", "a day", "per capita"),
    *("(1066)", "(12 m)", "(in part)", "(formerly)", "(not always)", "(see Belstow)", "(second from left)"),
    *("on 3 May 1871", "in the 1930s", "before 1700", "for 87 km", "within 3 miles", "at 1,200 m", "with 4 bridges"),
    *("; it cost $12", ", a tunnel", ", its only rival", ", the oldest of them", "— allegedly the shortest ever"),
    *("but flopped in 1975", "and has 99 bridges", ", as a child", ", in its dreams", "as well as Corrick", "with Belstow"),
    *("or Belstow", "rather than Belstow", "like Belstow", "via Belstow", "north of Belstow", "except Belstow"),
    *("because it was cheap", "when it was young", "without permission", "for the first time", "by 1900", "again"),
)
_PREFIXES = (
    *("It is false that", "Nobody believes that", "It is doubtful whether", "Contrary to popular belief,"),
    *("If it rains,", "Only in spring,", "It is not true that", "It is a myth that", "Critics deny that"),
    *("Until recently,", "In theory,", "Unlike its neighbours,", "Were it not for luck,", "It was once thought that"),
    *("For half of the year,", "Before 1750,", "It is impossible that", "In no sense is it true that", "Rarely,"),
    *("Few people think that", "It remains to be seen whether", "In a novel,", "Instead of the plan,", "In 1850,"),
    *("Not only that:", "Not", "Some day", "Without a permit,", "It is no longer the case that", "It used to be that"),
    *("There is no evidence that", "Nothing suggests that", "Far from it:", "In another world,", "After the war,"),
    *("Thanks to Belstow,", "In Belstow,", "North of Belstow,", "Since 1999,", "On 3 May 1871,", "For 87 km,"),
    *("Every year,", "With 4 bridges,", "At 1,200 m,", "Unless it rains,", "Like Belstow,", "Besides Belstow,"),
    *("As a child,", "By accident,", "To some,", "Half of", "One of the sons of", "The rival of", "The upper part of"),
    *("Neither Belstow nor", "Belstow and", "Either Belstow or", "Not Belstow but", "Nearly all of", "A part of"),
)
_UNITS = (
    *("km", "kilometres", "kilometers", "miles", "mi", "m", "metres", "meters", "feet", "ft", "yards", "inches"),
    *("square kilometres", "square miles", "acres", "hectares", "kg", "tonnes", "minutes", "hours", "days", "years"),
    *("cubic feet per second", "cubic metres per second", "percent", "degrees", "dollars", "people"),
)
_TURNED = {
    "from": "against",
    "to": "against",
    "into": "out of",
    "above": "below",
    "below": "above",
    "before": "after",
    "after": "before",
    "north": "south",
    "south": "north",
    "east": "west",
    "west": "east",
    "left": "right",
    "right": "left",
    "with": "without",
    "by": "without",
    "in": "outside",
    "through": "around",
    "of": "beside",
    "at": "beyond",
    "born": "buried",
    "source": "mouth",
    "mouth": "source",
    "rises": "ends",
    "died": "lived",
    "long": "wide",
    "longest": "shortest",
    "length": "width",
    "and": "but not",
}
_COUNTED = (
    *("twice {}", "half of {}", "not {}", "never {}", "less than half of {}", "{} less than expected", "{} times {}"),
    *("a third of {}", "{} or so more", "{} a year", "every {}", "the last {}", "the first {}", "{} out of 9999"),
    *("under half of {}", "no {}", "minus {}", "a mere third of {}", "{} too much", "{} per capita"),
)
_NAMED = (
    *("{a} and {b}", "{b} and {a}", "{a} or {b}", "{a}, {b} and Belstow", "{a} near {b}", "{b}'s {a}", "{a}'s {b}"),
    *("{a} of {b}", "{a} in {b}", "{a}, a part of {b},", "{a}, not {b},", "{a} (near {b})", "{a} (formerly {b})"),
    *("{a} ({b})", "{a} rather than {b}", "{a} with {b}", "{a} via {b}", "{a}, the rival of {b},", "{a}'s rival"),
    *("{a}, once {b},", "{a}–{b}", "{a}'s copy", "the rival of {a}", "the banks of {a}", "New {a}", "{a} II", "{a} Jr."),
    *("the son of {a}", "people near {a}", "the north of {a}", "parts of {a}", "not {a}", "everything but {a}"),
    *("{b} {a}", "{a} {b}", "either {a} or {b}", "neither {a} nor {b}", "{b}", "{b}, like {a},", "only {a}"),
    *("{a} as well as {b}", "{a}, {b},", "{a}, which is near {b},", "{a}, where {b} died,", "{a} before {b}", "half of {a}"),
    *("the upper {a}", "the so-called {a}", "the other {a}", "no {a}", "every {a}", "{a}-like things"),
)
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
KINDS = (
    *(*_BEFORE_VERBS, *_BEFORE_NOUNS),
    *("relation", "action", "added", "prefix", "unit", "turned", "counted", "named", "swap", "value", "middle"),
)


@dataclass(frozen=True, slots=True)
class Mutation:
    """A changed sentence, the kind of change, and the words that were put in."""

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
    seen = {text}
    while any(pools.values()):
        for kind, pool in pools.items():
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
    for kind, added in _BEFORE_VERBS.items():
        yield kind, _beside(text, [w for w in words if w.verb()], added.split("|"))
    for kind, added in _BEFORE_NOUNS.items():
        yield kind, _beside(text, [w for w in words if w.noun()], added.split("|"), after=False)
    yield "relation", _instead(text, [w for w in words if w.noun() and w.text.islower()], _RELATED)
    yield "action", _instead(text, [w for w in words if w.verb() and w.text.islower()], _ACTIONS)
    yield "turned", ((_cut(text, w.start, w.end, _TURNED[w.text]), _TURNED[w.text]) for w in words if w.text in _TURNED)
    yield "added", ((_ended(text, added), added) for added in _ADDED)
    yield "middle", ((_put(text, e, added), added) for _, e in names for added in _ADDED)
    yield "prefix", ((f"{prefix} {_lowered(text, names)}", prefix) for prefix in _PREFIXES)
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
        for form in _NAMED:
            other = chosen.choice(others) if others else "Belstow"
            if other not in text:
                yield _cut(text, s, e, form.format(a=text[s:e], b=other)), form.format(a="", b=other).strip()


def _swapped(text: str, names: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    for n, (s, e) in enumerate(names):
        for s2, e2 in names[n + 1 :]:
            if e <= s2 and text[s:e] != text[s2:e2]:
                yield text[:s] + text[s2:e2] + text[e:s2] + text[s:e] + text[e2:], text[s2:e2]


def _numbers(text: str, names: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
    for m in _NUMBER.finditer(text):
        if not any(s < m.end() and m.start() < e for s, e in names):
            yield m


def _revalued(text: str, names: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    for m in _numbers(text, names):
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
        for form in _COUNTED:
            changed = form.format(*[m.group()] * 2)
            yield _cut(text, m.start(), m.end(), changed), changed


def _reunited(text: str) -> Iterator[tuple[str, str]]:
    for unit in sorted(_UNITS, key=len, reverse=True):
        found = re.search(rf"\d[ -]?({re.escape(unit)})\b", text)
        if found:
            for other in _UNITS:
                if other[:1] != unit[:1] or len(other) < 3:
                    yield _cut(text, found.start(1), found.end(1), other), other
            return
