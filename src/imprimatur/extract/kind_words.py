"""A name with the noun that says what it is: "the Skillet Fork river", "the Kura River" is one thing.

Contract: ``with_kind_words`` folds such a noun into the item of the name, when the lexicon says that the thing is one;
of several things of one name only those that are remain. The noun is then accounted for, for it was verified. A noun
with a capital is part of a name, so that it must be the very word of the thing's class: "Amazon Creek" is no river
Amazon. A name that the lexicon knows with its noun was found before, and is not split.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.extract.syntax import Item
from imprimatur.extract.words import forms
from imprimatur.protocols import Lexicon

__all__ = ["with_kind_words"]


def with_kind_words(items: Sequence[Item], names: Lexicon) -> list[Item]:
    """The items, each name with the noun after it that says what the thing is."""
    out: list[Item] = []
    for n, item in enumerate(items):
        before = out[-1] if out else None
        folded = _folded(before, item, names) if before is not None and _ends_phrase(items, n, before) else None
        if folded is None:
            out.append(item)
        else:
            out[-1] = folded
    return out


def _ends_phrase(items: Sequence[Item], n: int, name: Item) -> bool:
    """Whether "the NAME NOUN" is a phrase by itself: a determiner opens it, and no further noun follows.

    A noun with a capital needs no determiner.
    """
    opened = (n > 1 and items[n - 2].lower == "the") or name.lower.startswith("the ") or items[n].name is not None
    after = items[n + 1] if n + 1 < len(items) else None
    follows = after is not None and (after.entity or after.name or (after.forms.noun and not after.forms.verb))
    return opened and not follows


def _folded(name: Item, noun: Item, names: Lexicon) -> Item | None:
    if name.entity is None or name.stands is not None:
        return None
    if noun.name is not None:
        kind = forms(noun.lower)
        fitting = tuple(iri for iri in name.entity.candidates if names.of_kind(kind.noun or "", iri))
        plain = noun.text.isalpha() and noun.text.istitle() and bool(kind.noun) and not kind.plural
    else:
        kind = noun.forms
        fitting = tuple(iri for iri in name.entity.candidates if names.general(kind.noun or "", iri))
        plain = bool(kind.noun) and not kind.plural and not kind.closed and noun.text.islower()
    if not plain or not fitting:
        return None
    text = f"{name.text} {noun.text}"
    return name._replace(end=noun.end, text=text, entity=replace(name.entity, candidates=fitting))
