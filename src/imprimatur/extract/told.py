"""What a clause says of one thing without another: "S has parking", "S is tidal", "parking is available at S".

Its key names all that is said (``?have|obj=parking|subj=*``, with a ``*`` for the thing and for every name); properties
whose values are yes and no are found under such keys. Invariant: a key holds the whole clause but for its adverbs;
these stay unread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from imprimatur.extract.chains import chain
from imprimatur.extract.keyed import Keyed, base
from imprimatur.extract.syntax import Clause, Comp, Item, Np, NpKind
from imprimatur.extract.unfold import active, filled

__all__ = ["ANY", "told_keys"]

_EMPTY = frozenset(("be", "have", "do"))
#: The key under which every property that is yes or no stands.
ANY = "?"


def told_keys(clause: Clause, items: Sequence[Item]) -> Iterator[Keyed]:
    """The keys of a clause that has one hole for a thing; of a list of what is said, those of each."""
    plain = active(filled(clause))
    parts: list[tuple[str, Np | Comp]] = [(c.role, c) for c in plain.comps]
    if plain.subj is not None:
        parts.append(("subj", plain.subj))
    if len(parts) < (2 if plain.verb in _EMPTY else 1):
        return
    choices = [_leaves(part) for _, part in parts]
    own = base(plain) - (plain.subj.items if plain.subj is not None else frozenset())
    for chosen in product(*choices):
        yield from _keyed(plain.verb, list(zip((role for role, _ in parts), chosen, strict=True)), items, own)


def _leaves(part: Np | Comp) -> tuple[Np | Comp, ...]:
    """The members of a list that stands as one part."""
    if isinstance(part, Np):
        return part.leaves()
    return (part,) if part.np is None else tuple(part._replace(np=leaf, items=leaf.items) for leaf in part.np.leaves())


def _keyed(
    verb: str, parts: Sequence[tuple[str, Np | Comp]], items: Sequence[Item], own: frozenset[int]
) -> Iterator[Keyed]:
    """The keys with each of the named parts as the thing, the others as words."""
    for at, (_, thing) in enumerate(parts):
        np = thing if isinstance(thing, Np) else thing.np
        if np is None or np.kind not in (NpKind.ENTITY, NpKind.NAME, NpKind.HOLE, NpKind.PRONOUN) or np.of is not None:
            continue
        said = []
        covered = own | np.items
        for number, (role, part) in enumerate(parts):
            text = "*" if number == at else _text(part, items)
            if not text:
                break
            said.append(f"{role}={text}")
            covered |= part.items
        else:
            yield Keyed(f"{ANY}{verb}|{'|'.join(sorted(said))}", (np,), covered)


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
        text = "" if sig.holes or np.inner else sig.text
    else:
        return ""
    return f"{text}~{adj}" if adj and text else text
