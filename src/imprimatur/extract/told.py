"""What a clause says of one thing without another: "S has parking", "S is tidal", "parking is available at S".

Its key names all that is said (``?have|obj=parking|subj=*``, with a ``*`` for the thing and for every name); properties
whose values are yes and no are found under such keys. Invariant: a key holds the whole clause but for its adverbs;
these stay unread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.extract.chains import chain
from imprimatur.extract.keyed import Keyed, base
from imprimatur.extract.syntax import Clause, Comp, Item, Np, NpKind
from imprimatur.extract.unfold import active, filled
from imprimatur.language.clock_times import TIME

__all__ = ["ANY", "CLOCKED", "CLOCKS", "Told", "clocked", "time_said", "told_keys"]

_THINGS = (NpKind.ENTITY, NpKind.NAME, NpKind.HOLE, NpKind.PRONOUN)
_EMPTY = frozenset(("be", "have", "do"))
#: The key under which every property that is yes or no stands.
ANY = "?"
#: The key under which every property stands whose values are times of day, and what stands in keys for a time.
CLOCKS = "?clock"
CLOCKED = "@"
#: Prepositions that make a time a bound.
_BOUNDS = {"before": "<", "by": "<=", "after": ">"}
#: A time as an item has it; "noon" stands for any time where a wording is parsed.
_TIME = expression(rf"{TIME}|\bnoon\b")


@dataclass(frozen=True, slots=True)
class Told:
    """A key with the thing that it is said of.

    ``denials`` are the words that deny this member of a list ("no parking and no garden"); ``either``: the list leaves
    open which of its members holds.
    """

    keyed: Keyed
    denials: frozenset[int] = frozenset()
    either: bool = False


def clocked(key: str) -> str:
    """The key with ``CLOCKED`` for every time of day in it."""
    said, *roles = key.split("|")
    return "|".join([said, *sorted(_TIME.sub(CLOCKED, role) for role in roles)])


def time_said(key: str) -> str:
    """The times of day in a key as ``language.clock_matching`` takes them; empty where there is none."""
    times = _TIME.findall(key)
    bound = next((sign for word, sign in _BOUNDS.items() if len(times) == 1 and f"{word}={times[0]}" in key), "")
    return bound + "-".join(times)


def told_keys(clause: Clause, items: Sequence[Item]) -> Iterator[Told]:
    """What a clause says of one thing; of a list of what is said, or of things, each by itself."""
    plain = active(filled(clause))
    parts: list[tuple[str, Np | Comp]] = [(c.role, c) for c in plain.comps]
    if plain.subj is not None:
        parts.append(("subj", plain.subj))
    if len(parts) < (2 if plain.verb in _EMPTY else 1):
        return
    own = base(plain) - (plain.subj.items if plain.subj is not None else frozenset())
    roles = [role for role, _ in parts]
    for chosen in product(*(_leaves(part, items) for _, part in parts)):
        denials = frozenset().union(*(no for _, no, _ in chosen))
        either = any(open_ for _, _, open_ in chosen)
        for keyed in _keyed(plain.verb, list(zip(roles, (part for part, _, _ in chosen), strict=True)), items, own):
            yield Told(keyed, denials, either)


def _leaves(part: Np | Comp, items: Sequence[Item]) -> list[tuple[Np | Comp, frozenset[int], bool]]:
    """The members of a list that stands as one part, with what denies each, and whether it is one or another."""
    np = part if isinstance(part, Np) else part.np
    if np is None or np.kind is not NpKind.LIST:
        return [(part, frozenset(), False)]
    leaves = np.leaves()
    first = _denials_in(leaves[0], items)
    shared = first if np.joint in ("or", "nor") else frozenset()
    found: list[tuple[Np | Comp, frozenset[int], bool]] = []
    for leaf in leaves:
        denials = _denials_in(leaf, items) or shared
        made: Np | Comp = leaf if isinstance(part, Np) else part._replace(np=leaf, items=leaf.items)
        found.append((made, denials, np.joint != "and" and not denials))
    return found


def _denials_in(np: Np, items: Sequence[Item]) -> frozenset[int]:
    return frozenset(x for x in np.items if items[x].lower == "no") if np.det.split()[:1] == ["no"] else frozenset()


def _keyed(
    verb: str, parts: Sequence[tuple[str, Np | Comp]], items: Sequence[Item], own: frozenset[int]
) -> Iterator[Keyed]:
    """The keys with each of the named parts as the thing, the others as words."""
    for at, (_, thing) in enumerate(parts):
        np = thing if isinstance(thing, Np) else thing.np
        if np is None or np.kind not in _THINGS or np.of is not None:
            continue
        said = ["*" if number == at else _text(part, items) for number, (_, part) in enumerate(parts)]
        if all(said):
            roles = sorted(f"{role}={text}" for (role, _), text in zip(parts, said, strict=True))
            covered = own.union(np.items, *(part.items for _, part in parts))
            yield Keyed(f"{ANY}{verb}|{'|'.join(roles)}", (np,), covered)


def _text(part: Np | Comp, items: Sequence[Item]) -> str:
    """What is said, in words; empty where it names something that has a place in the knowledge base."""
    np = part if isinstance(part, Np) else part.np
    adj = "" if isinstance(part, Np) else part.adj or ""
    if np is None:
        return adj or ("" if isinstance(part, Np) or part.clause is not None else part.role)
    if np.kind is NpKind.NAME and np.of is None and not (np.posts or np.clauses or np.appos or np.inner):
        words = [*(m for m, _ in np.mods), *items[np.head_item].lower.split()]
        text = "<".join(reversed(words))
    elif np.kind is NpKind.NOUN and not np.clauses and not np.appos:
        sig = chain(np)
        # "Has a weir" does not say that it has weirs.
        text = "" if sig.holes or np.inner else f"{'+' if np.plural else ''}{sig.text}"
    else:
        return ""
    return f"{text}~{adj}" if adj and text else text
