"""The claims of one clause: its keys, what the lexicon says that they mean, and the things in their places."""

from __future__ import annotations

from dataclasses import replace

from imprimatur.claim import (
    Claim,
    When,
)
from imprimatur.extract.matches import Match
from imprimatur.extract.mentions import NAMED
from imprimatur.extract.syntax import Np, NpKind
from imprimatur.extract.truths import Truths
from imprimatur.values import Bound

__all__ = ["ClauseClaims"]


def _own(np: Np) -> frozenset[int]:
    """The items of a value without those of what it is a share of ("half of the watershed")."""
    return np.items - np.of.items if np.of is not None and np.kind is NpKind.QUANTITY else np.items


class ClauseClaims(Truths):
    """The reading of one clause."""

    def claims(self) -> list[Claim]:
        """All claims of the clause."""
        out: list[Claim] = []
        matches = self.matches = self._matches()
        ends = [leaf for m in matches for np in (m.first, m.second) for leaf in np.leaves()]
        when = self._when([np for np in ends if np.kind is NpKind.DATE or self.also(np, "date")])
        for m in matches:
            out += self._stated(m, when)
        out += self._memberships()
        out += self._truths() if not matches else []
        out += self._lifespan()
        if self._gapped():
            out = [replace(c, readings=()) for c in out]
        if self._equated() or (not out and self._says_something()):
            out.append(self._claim(self.clause.items, (), None))
        return out

    def _equated(self) -> bool:
        """Whether one name is said to be another one ("A, a novel of B": B is a novel, but A is not B)."""
        said = [c.np for c in self.clause.comps if c.role == "obj" and c.np is not None]
        if self.matches or self.clause.verb != "be" or self.clause.subj is None or len(said) != 1:
            return False
        one, other = self.clause.subj, said[0]
        told = one.kind in NAMED and any(np.head_item == other.head_item for np, _, _ in self.kinds)
        return told and not {*self.candidates_of(one)} & {*self.candidates_of(other)}

    def _gapped(self) -> bool:
        """Whether a list is followed by a phrase of its own role: "A crosses B and C D" leaves out a verb."""
        roles = [c.role for c in self.clause.comps if c.np is not None]
        lists = {c.role for c in self.clause.comps if c.np is not None and c.np.kind is NpKind.LIST}
        return any(roles.count(role) > 1 for role in lists)

    def _stated(self, m: Match, when: tuple[When | None, frozenset[int]]) -> list[Claim]:
        out = []
        m, adverbs, can = self._meant(m)
        firsts, seconds = m.first.leaves(), m.second.leaves()
        shared = m.items - m.first.items - m.second.items
        marks = (m.first.items | m.second.items) - {x for leaf in (*firsts, *seconds) for x in leaf.items}
        self.listed = self.listed or len(firsts) > 1 or len(seconds) > 1
        several = len(firsts) > 1 and len(seconds) > 1
        paired = {n for n, i in enumerate(self.items) if i.lower == "respectively"} if several else set()
        shared |= paired | self._numbered(m.first) | self._numbered(m.second)
        for x, a in enumerate(firsts):
            for y, b in enumerate(seconds):
                if paired and x != y:
                    continue
                clear = not several or (bool(paired) and len(firsts) == len(seconds))
                clear = clear and not self._either(m)
                readings = tuple(
                    r
                    for s in sorted(m.senses, key=lambda s: s.entry.tier)
                    for r in self._statement(*((a, b) if s.subject == 0 else (b, a)), s.entry, when[0])
                    if clear
                )
                focus = b.items if len(seconds) > 1 else a.items if len(firsts) > 1 else self._apart(m)
                unread = ((self.inside - _own(a) - _own(b)) | m.unread) - when[1]
                items = (shared | marks | a.items | b.items | when[1] | adverbs) - unread
                claim = self._claim(items, tuple(dict.fromkeys(readings)), focus, narrowed=self.narrowed, can=can)
                out += self._converted(claim, (a, b))
        return out

    def _numbered(self, np: Np) -> frozenset[int]:
        """The number before some names, where it is how many they are ("two towns: A and B")."""
        if np.kind is not NpKind.LIST:
            return frozenset()
        found = frozenset(x for part in np.parts for x in self._numbered(part))
        for q in np.inner:
            stated = self.items[q.head_item].quantity
            plain = " " not in self.items[q.head_item].lower  # "exactly two" says that there are no more
            exact = plain and stated is not None and stated.bound is Bound.EXACT and stated.high is None
            if exact and stated is not None and stated.low.value == len(np.leaves()):
                found |= q.items
        return found

    def _either(self, m: Match) -> bool:
        """Whether only one member of a list need be meant ("A or B"); denied, all of them are."""
        return not self._negated() and any(np.kind is NpKind.LIST and np.joint == "or" for np in (m.first, m.second))

    def _apart(self, m: Match) -> frozenset[int] | None:
        """Where a clause states several things of one subject: the complement that this one is about."""
        about = self.clause.subj.items if self.clause.subj is not None else frozenset()
        stated = [x for x in self.matches if min(x.first.items) in about or min(x.second.items) in about]
        value = m.second if min(m.first.items) in about else m.first
        if len(stated) < 2 or m not in stated:
            return None
        return next((c.items for c in self.clause.comps if value.items <= c.items), None)

    def _says_something(self) -> bool:
        return any(not it.punct and not it.forms.closed for n, it in enumerate(self.items) if n in self.clause.items)
