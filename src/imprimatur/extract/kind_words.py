"""A name with the noun that says what it is: "the Skillet Fork river" is one thing.

Contract: ``with_kind_words`` folds such a noun into the item of the name, when the lexicon says that the thing is one;
of several things of one name only those that are remain. The noun is then accounted for, for it was verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.extract.syntax import Item
from imprimatur.protocols import Lexicon

__all__ = ["with_kind_words"]


def with_kind_words(items: Sequence[Item], names: Lexicon) -> list[Item]:
    """The items, each name with the noun after it that says what the thing is."""
    out: list[Item] = []
    for n, item in enumerate(items):
        before = out[-1] if out else None
        folded = _folded(before, item, names) if before is not None and _ends_phrase(items, n) else None
        if folded is None:
            out.append(item)
        else:
            out[-1] = folded
    return out


def _ends_phrase(items: Sequence[Item], n: int) -> bool:
    """Whether "the NAME NOUN" is a phrase by itself: a determiner opens it, and no further noun follows."""
    opened = n > 1 and items[n - 2].lower == "the"
    after = items[n + 1] if n + 1 < len(items) else None
    follows = after is not None and (after.entity or after.name or (after.forms.noun and not after.forms.verb))
    return opened and not follows


def _folded(name: Item, noun: Item, names: Lexicon) -> Item | None:
    plain = noun.forms.noun and not noun.forms.plural and not noun.forms.closed and noun.text.islower()
    if name.entity is None or name.stands is not None or not plain:
        return None
    kind = noun.forms.noun or ""
    fitting = tuple(iri for iri in name.entity.candidates if names.general(kind, iri))
    if not fitting:
        return None
    text = f"{name.text} {noun.text}"
    return name._replace(end=noun.end, text=text, entity=replace(name.entity, candidates=fitting))
