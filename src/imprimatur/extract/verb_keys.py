"""Keys that name a verb with its roles: ``verb|role=…|…`` with two holes (see ``extract.keys``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from imprimatur.extract.chains import chain, is_hole, unowned
from imprimatur.extract.keyed import Keyed, base, limits
from imprimatur.extract.syntax import Clause, Np, NpKind

__all__ = ["raw"]


def raw(clause: Clause, subject: Np | None) -> Iterator[Keyed]:
    """The verb with its roles: every pair of holes, with the other holes left out.

    Args:
        subject: the subject as written; "his" in it is not the owner of what the subject does.
    """
    roles: list[tuple[str, Np | None, frozenset[int], str]] = []
    if clause.subj is not None:
        roles.append(("subj", clause.subj, clause.subj.items, ""))
    for c in clause.comps:
        if (c.np is not None or c.adj is not None) and not limits(c, clause):
            roles.append((c.role, c.np, c.items, c.adj or ""))
        elif (
            c.role == "to-do" and c.clause is not None and not (c.clause.comps or c.clause.adverbs or c.clause.negated)
        ):
            roles.append(("to", None, c.items, c.clause.verb))  # "takes 40 minutes to bake"
    sigs = [
        (role, *_signature(np, adj, own=role != "subj" and np is not subject), items) for role, np, items, adj in roles
    ]
    holes = [(n, h) for n, (_, _, hs, _) in enumerate(sigs) for h in range(len(hs))]
    verb = "+".join([clause.verb, *sorted(clause.particles)])
    own = base(clause) - (clause.subj.items if clause.subj else frozenset())
    pairs: list[tuple[tuple[int, int], ...]] = list(combinations(holes, 2))
    both = clause.subj or next((c.np for c in clause.comps if c.role == "obj"), None)
    if both is not None and both.kind is NpKind.LIST and is_hole(both) and len(both.leaves()) == 2:
        told = sorted((role, text) for role, text, hs, _ in sigs if not hs)
        covered = frozenset().union(*(its for _, _, hs, its in sigs if not hs))
        key = "|".join([verb, *(f"{role}={text}" for role, text in told), "pair"])
        yield Keyed(key, both.leaves(), own | both.items | covered)
    for pair in pairs:
        yield from _paired(verb, sigs, pair, own)


def _signature(np: Np | None, adj: str, *, own: bool) -> tuple[str, tuple[Np, ...]]:
    if np is None:
        return adj, ()
    sig = chain(unowned(np) if own else np)
    return (f"{sig.text}~{adj}" if adj else sig.text), sig.holes


def _telling(roles: list[tuple[str, str, tuple[Np, ...], frozenset[int]]]) -> bool:
    """Whether a clause of "be" or "have" says more than that two things have to do with each other."""
    if any(role in ("adj",) or role not in ("subj", "obj", "loc") for role, *_ in roles):
        return True
    return any(role != "subj" and text.strip("*") for role, text, *_ in roles)


def _paired(
    verb: str,
    sigs: list[tuple[str, str, tuple[Np, ...], frozenset[int]]],
    pair: tuple[tuple[int, int], ...],
    own: frozenset[int],
) -> Iterator[Keyed]:
    wanted = {n for n, _ in pair}
    core = [s for n, s in enumerate(sigs) if n in wanted]
    folded = [s for n, s in enumerate(sigs) if n not in wanted and not s[2]]
    for keep in range(len(folded), -1, -1):
        for extra in combinations(folded, keep):
            chosen = sorted([*core, *extra], key=lambda s: (s[0], s[1]))
            holes = tuple(h for s in chosen for h in s[2])
            if len(holes) != 2:
                continue
            key = "|".join([verb, *(f"{role}={text}" for role, text, _, _ in chosen)])
            if verb in ("be", "have", "do") and not _telling(chosen):
                continue
            yield Keyed(key, holes, own.union(*(s[3] for s in chosen)))
