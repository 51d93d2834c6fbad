"""What earlier words leave behind: the things that "it", "the river", "Hare" may stand for.

Rule-based: a pronoun or a definite class noun stands for the nearest compatible subject before it, in this segment or
an earlier one; two equally near candidates are both returned (the judge then calls the claim ambiguous).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from imprimatur.claim import Mention
from imprimatur.extract.syntax import Np, NpKind

__all__ = ["Discourse"]

_PLURAL = frozenset("they them their these those both".split())
_SINGULAR = frozenset("it its he him his she her this that whose".split())


@dataclass(slots=True)
class Discourse:
    """Mentions seen so far: subjects, and all mentions, of the latest segments first."""

    subjects: list[Mention] = field(default_factory=list)
    others: list[Mention] = field(default_factory=list)
    groups: list[tuple[Mention, ...]] = field(default_factory=list)

    def saw(self, subjects: Sequence[Mention], others: Sequence[Mention]) -> None:
        """Remember the mentions of a segment that has been read."""
        for m in others:
            self.others.insert(0, m)
        for m in subjects:
            self.subjects.insert(0, m)
        if len(subjects) > 1:
            self.groups.insert(0, tuple(subjects))

    def antecedents(self, np: Np) -> tuple[Mention, ...]:
        """What a pronoun may stand for, the nearest first; empty when it is none or nothing fits."""
        if np.kind is not NpKind.PRONOUN:
            return ()
        if np.head in _PLURAL and self.groups:
            return self.groups[0]
        if np.head not in _SINGULAR | _PLURAL or not self.subjects:
            return ()
        return (self.subjects[0],)
