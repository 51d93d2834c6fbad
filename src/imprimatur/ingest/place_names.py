"""Names of places that are one name by the dictionary: a name, its abbreviation, and its longer form.

"U.S.", "USA" and "United States of America" are "United States"; so are "UK" and "United Kingdom". Contract: only
names that the dictionary has for one place alone, and only such as are abbreviations of one another or hold each
other's words: "Holland" is also a town of that name, and is left as it is. The outcome is a name as names are compared.
"""

from __future__ import annotations

from functools import lru_cache

from imprimatur.ingest.name_keys import alike, initials
from imprimatur.language import wordnet
from imprimatur.sources.graph.vocabulary import class_noun

__all__ = ["is_place_class", "place_key"]

_LONGEST = 60


@lru_cache(maxsize=4096)
def is_place_class(labels: tuple[str, ...]) -> bool:
    """Whether a class of these labels is one of places."""
    nouns = (class_noun(label).partition("<")[0] for label in labels)
    return any(noun and wordnet.places(noun) for noun in nouns)


@lru_cache(maxsize=65536)
def place_key(name: str) -> str:
    """What the names of one place have in common; ``alike`` of the name where the dictionary knows no other."""
    key = alike(name)
    names = _only_place(name)
    if len(names) < 2:
        return key
    own = [alike(each) for each in names if _only_place(each) == names]
    # A main name of one word may well be a name of other places: "Isle of Man", "Man".
    main = own[0] if own else ""
    if " " not in main:
        return key
    longer = [each for each in own if _holds(each, main)]
    return main if _holds(key, main) or key in map(initials, longer) else key


def _holds(name: str, main: str) -> bool:
    return set(main.split()) <= set(name.split())


def _only_place(name: str) -> tuple[str, ...]:
    """All names of the one place that a name is of, by the dictionary; none where it is of none or several."""
    plain = " ".join(name.lower().split())[:_LONGEST]
    for form in dict.fromkeys((plain, plain.removeprefix("the "), plain.replace(".", ""))):
        found = wordnet.places(form)
        if found:
            return found[0] if len(found) == 1 else ()
    return ()
