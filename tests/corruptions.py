"""Minimal corruptions of true sentences: each one says something that the knowledge base does not say.

Every kind of corruption is a generator of (kind, text). What the design lets pass as asserted (hedges, "according to",
discourse markers) is not among them, nor is anything that would leave a sentence true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

__all__ = ["JUDGE", "corruptions", "true_sentences"]

JUDGE = Path(__file__).parent / "golden" / "judge"

NEGATORS = ("not", "never", "no", "neither", "hardly", "barely", "scarcely", "rarely", "seldom", "without")
QUANTIFIERS = (
    "every",
    "half",
    "some",
    "most of",
    "no",
    "few",
    "only",
    "all but",
    "none of",
    "part of",
    "half of",
)
ADVERBS = (
    *("formerly", "partly", "once", "almost never", "nearly", "almost", "no longer", "not always", "briefly", "mostly"),
    *("largely", "indirectly", "secretly", "seasonally", "only", "reluctantly", "falsely", "twice", "temporarily"),
    *("nominally", "soon", "initially", "annually", "alone", "supposedly never", "exclusively", "later"),
    *("previously", "sometimes", "usually", "virtually", "intermittently", "wrongly", "first", "last", "already"),
)
ADJECTIVES = (
    *("former", "upper", "second", "so-called", "alleged", "other", "lesser", "new", "fake", "old", "would-be", "late"),
    *("future", "double", "average", "minimum", "total", "unofficial", "rival", "lost", "inner", "co-", "proposed"),
    *("first", "last", "only", "oldest", "longest", "great", "half", "two", "third", "non", "ex-", "self-styled"),
)
VERBS = (
    *(
        "avoids",
        "lost",
        "rejected",
        "criticised",
        "sold",
        "destroyed",
        "imitates",
        "outlived",
        "demolished",
        "resembles",
    ),
    *("funded", "owns", "faces", "left", "copied", "named", "borders", "hated", "opposes", "impressed"),
)
NOUNS = (
    "copy",
    "critic",
    "colour",
    "rival",
    "width",
    "owner",
    "uncle",
    "deputy",
    "nickname",
    "closure",
    "repair",
    "model",
)
ADDED = (
    *(
        "near Springfield",
        "until 1950",
        "for ten years",
        "in part",
        "together with Belstow",
        "unlike most",
        "in winter",
    ),
    *("and nothing else", "alone", "in name only", "instead of Corrick", "except in spring", "twice"),
    *("as a rule", "more than ever", "before it was moved", "underground", "if it rains", "for half of the year"),
    *("against the odds", "but not directly", "with its twin", "according to nobody", "at night"),
    *("in 1850", "after 1990", "by accident", "for the second time", "at least twice", "unless it rains", "in reverse"),
    *(
        "and was later demolished",
        "and is the longest in the world",
        "but only in theory",
        "in a dream",
        "at great cost",
    ),
    *("which is a lie", "and so does every other one", ", not the other way round", "or not", "except on Sundays"),
    *("since 1999", "in the 12th century", "between 2001 and 2003", "from above", "in 3 ways", "to the north"),
)
PREFIXES = (
    *(
        "It is false that",
        "Nobody believes that",
        "It is doubtful whether",
        "Contrary to popular belief,",
        "If it rains,",
    ),
    *("Only in spring,", "It is not true that", "It is a myth that", "Critics deny that", "Hardly anyone knows that"),
    *("Until recently,", "In theory,", "Unlike its neighbours,", "Were it not for luck,", "It was once thought that"),
    *(
        "Scientists hope that",
        "For half of the year,",
        "Before 1750,",
        "It is impossible that",
        "In no sense is it true that",
    ),
    *("Few people think that", "It remains to be seen whether", "In a novel,", "Instead of the plan,", "Rarely,"),
    *(
        "In 1850,",
        "Not only that:",
        "Neither fish nor fowl,",
        "Not",
        "Some day",
        "Without a permit,",
        "Everyone wishes that",
    ),
    *("It is no longer the case that", "It used to be that", "There is no evidence that", "Nothing suggests that"),
    *("One could not say that", "It would be wrong to say that", "Far from it:", "In another world,", "After the war,"),
)
CLAUSES = {
    "bridges": (
        *("and it crosses the River Thames", ", which is 12 m long", "and was designed by Kofi Osei", ", a tunnel,"),
        *("but collapsed in 1932", "and has 99 arches", "while Quill Viaduct is 5 m long", "; it cost $12", "(1066)"),
        *(", and Mossley is a river", "because Belstow was founded in 1700", "when Edith Vane was a child"),
    ),
    "films": (
        *(
            "and it stars Ada Okafor",
            ", which lasts 12 minutes",
            "and was directed by Otto Ruskind",
            ", a short novel,",
        ),
        *("but flopped in 1975", "and has 99 scenes", "while Salt Winter lasts 5 minutes", "; it cost $12", "(1066)"),
        *(", and Lagos is a film", "because Dijon was founded in 1700", "when Luc Moreau was a child"),
    ),
}
#: Values and names, and what no true sentence has in their place.
OTHERS = {
    "412.5": ("412.6", "4125", "41.25", "421.5", "-412.5", "1,412.5"),
    "63": ("64", "36", "6.3", "630"),
    "24": ("25", "42", "2.4", "twenty-three"),
    "3 arches": ("4 arches", "3 spans", "3 dozen arches", "3 metres"),
    "127": ("128", "217", "172", "12.7"),
    "metres": ("feet", "kilometres", "yards", "minutes", "centimetres", "square metres"),
    "minutes": ("hours", "seconds", "metres", "days", "episodes"),
    "$9,200,000": ("€9,200,000", "$9,300,000", "$9.2", "$92 million", "£9,200,000"),
    "$4,500,000": ("€4,500,000", "$4,600,000", "$4.5", "$45 million"),
    "1931": ("1932", "1913", "1831", "the 1940s", "1931 BC", "the 19th century"),
    "1868": ("1886", "1768", "1869"),
    "1799": ("1798", "1899", "1797"),
    "8 March 1974": ("9 March 1974", "8 March 1975", "8 May 1974", "March 1975", "3 August 1974", "1973"),
    "14 May 1931": ("15 May 1931", "14 May 1932", "14 June 1931", "May 1913"),
    "2 November 1979": ("2 November 1978", "3 November 1979", "11 February 1979"),
    "Ardel Bridge": ("Quill Viaduct", "Lower Tarn Bridge", "Upper Tarn Bridge", "Ardel Tunnel", "Ardel Bridge II"),
    "Quill Viaduct": ("Ardel Bridge", "Lower Tarn Bridge", "Quill Tunnel"),
    "River Tarn": ("River Onny", "River Thames", "Tarn Valley"),
    "Edith Vane": ("Otto Ruskind", "Edith Ruskind", "Edith Vane Jr.", "Edwin Vane"),
    "Fenshire": ("Dunshire", "Kent", "Fen", "North Fenshire"),
    "Holt & Sons": ("Penn Ironworks", "Holt & Daughters", "Holt"),
    "Ada Okafor": ("Jonas Brandt", "Maja Lindqvist", "Ada Brandt", "Ada"),
    "Jonas Brandt": ("Luc Moreau", "Kofi Osei", "Jonas Moreau"),
    "Salt Harvest": ("Salt Summer", "The Long Tide", "Salt Harvest II"),
    "Salt Winter": ("Salt Summer", "The Long Tide", "Salt Harvest Winter"),
    "Lagos": ("Bremen", "Uppsala", "Paris", "Old Lagos"),
    "Golden Heron": ("Silver Heron", "Golden Hero", "Golden Heron Cup"),
    "Pelican Pictures": ("Lantern Films", "Pelican", "Pelican Books"),
}
#: Words that may stand before others: the first release is the release, the total cost the cost.
TRUE = {("first", "released"), ("first", "opened"), ("already", "opened"), ("already", "released")}
TOTALS = ("length", "height", "cost", "construction", "budget", "number", "running")
#: Sentences that an exchange makes true.
ALSO_TRUE = (
    "Lower Tarn Bridge crosses the River Tarn",
    "crossed by Lower Tarn Bridge",
    "Lower Tarn Bridge and Lower Tarn",
)


def true_sentences() -> list[tuple[str, str]]:
    """World and sentence, each of which its knowledge base bears out."""
    lines = (JUDGE / "true_sentences.tsv").read_text(encoding="utf-8").splitlines()
    return [(world, text) for world, _, text in (line.partition("\t") for line in lines)]


def corruptions(world: str, sentence: str) -> Iterator[tuple[str, str]]:
    """All corruptions of a true sentence with their kinds."""
    bare = sentence.rstrip(".")
    words = bare.split()
    for k in range(1, len(words) + 1):
        for kind, added in (("negator", NEGATORS), ("quantifier", QUANTIFIERS), ("adverb", ADVERBS)):
            for word in added:
                if not _stays_true(words, k, word):
                    yield kind, " ".join((*words[:k], word, *words[k:])) + "."
    yield from _adjectives(words)
    yield from _replaced(words)
    yield from _exchanged(bare)
    for phrase in ADDED:
        yield "added", f"{bare}{'' if phrase.startswith(',') else ' '}{phrase}."
    for clause in CLAUSES[world]:
        yield "clause", f"{bare}{'' if clause[0] in ',;' else ' '}{clause}."
    for prefix in PREFIXES:
        yield "prefix", f"{prefix} {_lowered(bare)}."


def _stays_true(words: list[str], k: int, added: str) -> bool:
    """Whether what is put before word ``k`` leaves the sentence as it is ("already opened", "some 412 m")."""
    after = words[k] if k < len(words) else ""
    if (added, after) in TRUE:
        return True
    if added in ("some", "nearly", "almost", "virtually", "already"):
        return after[:1].isdigit() or after[:1] == "$" or added == "already"
    return False


def _adjectives(words: list[str]) -> Iterator[tuple[str, str]]:
    for k, word in enumerate(words):
        if word[:1].isupper() and k and words[k - 1][:1].isupper() and words[k - 1] not in ("The", "In"):
            continue
        if word in ("The", "the", "In", "It", "which") or (word.islower() and len(word) < 4):
            continue
        for adjective in ADJECTIVES:
            if adjective == "total" and word in TOTALS:
                continue
            article = "" if k and words[k - 1].lower() in ("the", "a", "an") else "the " if k else "The "
            glued = f"{adjective}{word}" if adjective.endswith("-") else f"{adjective} {word}"
            yield "adjective", " ".join((*words[:k], article + glued, *words[k + 1 :])) + "."


def _replaced(words: list[str]) -> Iterator[tuple[str, str]]:
    for k, word in enumerate(words):
        if not word.rstrip(",").islower() or len(word) < 4 or word in ("which", "with"):
            continue
        for other in (*VERBS, *NOUNS):
            yield "word", " ".join((*words[:k], other, *words[k + 1 :])) + "."


def _exchanged(bare: str) -> Iterator[tuple[str, str]]:
    for value, others in OTHERS.items():
        for other in others if re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", bare) else ():
            changed = bare.replace(value, other, 1) + "."
            if not any(true in changed for true in ALSO_TRUE) and not changed.endswith("is a bridge."):
                yield "value", changed
    names = sorted((n for n in OTHERS if n[0].isupper() and n in bare), key=bare.index)
    for a, b in pairwise(names):
        if "married" not in bare:
            yield "swap", bare.replace(a, "\0").replace(b, a).replace("\0", b) + "."


def _lowered(bare: str) -> str:
    first = bare.split()[0]
    return bare[0].lower() + bare[1:] if first in ("The", "In", "It") and not bare.startswith("The Long") else bare
