"""What kinds of things an answer has spoken of in the plural, and whether of all of them or of some.

"Ann keeps three mills. Half of the mills are old": these may be hers. So "the mills" means all mills only where nothing
before spoke of some of them: neither a phrase that picks some out, nor two and more of them by their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from imprimatur._dataclasses import dataclass
from imprimatur.extract.syntax import Item
from imprimatur.extract.versions import copula, nominal

__all__ = ["Group", "groups_in", "kind_at"]

_ALL = frozenset("the all most of".split())


@dataclass(frozen=True, slots=True)
class Group:
    """A plural phrase: its noun with what stands before it, and whether it speaks of all that are called so."""

    noun: str
    kind: tuple[str, ...]
    all: bool


def groups_in(items: Sequence[Item]) -> Iterator[Group]:
    """The plural phrases of a sentence."""
    for n, item in enumerate(items):
        if item.forms.plural and item.forms.noun and nominal(item):
            kind = kind_at(items, n)
            begin = n - len(kind) + 1
            yield Group(kind[-1], kind, _before(items, begin) and _after(items, n + 1, begin))


def kind_at(items: Sequence[Item], n: int) -> tuple[str, ...]:
    """The noun at an item, with the words before it that belong to it."""
    begin = n
    while begin and nominal(items[begin - 1]) and not items[begin - 1].forms.verb_forms & {"s", "past"}:
        begin -= 1
    return (*(i.lower for i in items[begin:n]), items[n].forms.noun or items[n].lower)


def _before(items: Sequence[Item], begin: int) -> bool:
    """Whether what stands before a phrase lets it speak of all: "the", "all", "most", nothing; "there are four"."""
    if begin and items[begin - 1].quantity is not None:
        return begin > 1 and (items[begin - 2].lower in ("the", "all") or _there(items, begin - 1))
    return not begin or items[begin - 1].lower in _ALL


def _there(items: Sequence[Item], k: int) -> bool:
    return k > 1 and copula(items, k - 1) and items[k - 2].lower == "there"


def _after(items: Sequence[Item], k: int, begin: int) -> bool:
    """Whether nothing after a phrase picks some out: it ends there, or a verb follows."""
    if k >= len(items) or items[k].punct:
        return True
    if begin and items[begin - 1].quantity is not None and _there(items, begin - 1):
        return False  # "there are four mills in …"
    f = items[k].forms
    verb = f.verb_forms & {"base", "pp"} == {"base"} and not f.closed  # "run by Ann" picks out
    return verb or bool(f.closed & {"aux", "modal"}) or copula(items, k)
