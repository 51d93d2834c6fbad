"""A sentence cut into simple ones along its dependency tree.

The tree only says where clauses begin and end, what stands between commas, and whose subject is shared; every piece is
then read by the grammar (``extract.parsed``). Invariants: each word is in a part or is a mark or an "and" or "but"
between parts; a part keeps the order of its words; a relation of the tree that has no rule here cuts nothing
(``Uncut``). Where it could be said of several things before it what stands between commas, the part names them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from imprimatur.extract.syntax import Item
from imprimatur.extract.trees import ItemTree, TreeWords, Uncut

__all__ = ["RELATIVE", "Cut", "Part", "Uncut", "cut"]

#: What stays with its verb, in the order of the text.
_OWN = frozenset(
    "aux auxpass neg advmod prt dobj attr acomp oprd dative prep agent npadvmod xcomp pobj prepc expl nmod dep".split()
) - {"dep", "nmod", "prepc", "pobj"}
_SUBJECTS = ("nsubj", "nsubjpass", "expl")
#: What may stand between commas and say something of a thing before it.
_SAYING = frozenset("relcl acl appos amod prep advcl".split())
#: Marks between sentences that each stand for themselves.
_PARTING = frozenset("; : — –".split())
_JOINING = frozenset(("and", "but"))
RELATIVE = frozenset("which that who whom whose where".split())
_CLAUSES = frozenset("relcl acl advcl ccomp xcomp pcomp csubj".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A simple sentence, as indices of items.

    Attributes:
        words: its predicate; for ``said`` parts a relative clause, participle, noun phrase or the like.
        subjects: what may be its subject: one, unless it is unclear what is spoken of.
        fronts: what stands before the subject and belongs to the clause.
        verb: the head of the predicate.
        clause: the number of the independent clause that it belongs to.
        said: whether it stands between marks, with or without a relative pronoun.
        finite: whether a said part shares the relative pronoun of one before.
        passive: whether it shares the auxiliary of a passive before.
        mark: the mark or conjunction that parts it from the rest; -1 for a clause that nothing parts.
    """

    words: tuple[int, ...]
    subjects: tuple[tuple[int, ...], ...]
    verb: int
    clause: int
    fronts: tuple[int, ...] = ()
    said: bool = False
    finite: bool = False
    passive: bool = False
    mark: int = -1


@dataclass(frozen=True, slots=True)
class Cut:
    """The parts of a sentence, in no order."""

    parts: tuple[Part, ...]


def cut(items: Sequence[Item], tree: ItemTree, *, inserted: bool) -> Cut:
    """The sentence in parts.

    Args:
        inserted: whether a phrase between subject and verb goes with the verb ("A, in 1929, fed B") or says something
            of the subject ("A, in Webb, feeds B").

    Raises:
        Uncut: the tree cannot be cut by the rules.
    """
    tree = _shared(tree)
    cutter = _Cutter(items, tree, inserted=inserted)
    cutter.clause(tree.root)
    cutter.check()
    return Cut(tuple(dict.fromkeys(cutter.parts)))


def _shared(tree: ItemTree) -> ItemTree:
    """The tree, where the last of several predicates is taken for the main one: the first has the subject."""
    root, labels = tree.root, tree.labels
    if any(labels[k] in _SUBJECTS for k in tree.children(root)):
        return tree
    first = [k for k in tree.children(root) if labels[k] == "ccomp" and k < root]
    if len(first) != 1 or not any(labels[k] in _SUBJECTS for k in tree.children(first[0])):
        return tree
    changed = {root: (first[0], "conj"), first[0]: (first[0], "ROOT")}
    hung = [changed.get(n, (head, label)) for n, (head, label) in enumerate(zip(tree.heads, labels, strict=True))]
    return replace(tree, heads=tuple(h for h, _ in hung), labels=tuple(label for _, label in hung))


class _Cutter(TreeWords):
    """The work on one sentence."""

    def __init__(self, items: Sequence[Item], tree: ItemTree, *, inserted: bool) -> None:
        super().__init__(items, tree)
        self.inserted = inserted
        self.parts: list[Part] = []
        self.dropped: set[int] = set()
        self.number = 0

    # -- words --------------------------------------------------------------------------------------------------
    def sequence(self, nodes: Iterable[int]) -> tuple[int, ...]:
        """The nodes in order, without the marks that stood beside something that was cut out."""
        kept = sorted(set(nodes))
        held = set(kept)
        out = []
        for x in kept:
            if self.mark(x) and not (x - 1 in held and x + 1 in held):
                self.dropped.add(x)
            else:
                out.append(x)
        if not out:
            raise Uncut
        return tuple(out)

    # -- clauses ------------------------------------------------------------------------------------------------
    def clause(self, v: int) -> None:
        """An independent clause with the verb ``v``, and all that hangs on it."""
        if not self.verbal(v):
            raise Uncut
        self.number += 1
        subjects = [k for k in self.tree.children(v) if self.tree.labels[k] in _SUBJECTS]
        if len(subjects) != 1:
            raise Uncut
        (subject,) = subjects
        first = self.span(subject)[0]
        own = self._own(v, first)
        subj = self.sequence(self.trimmed(subject))
        fronts = [x for x in own if x < first]
        lead = self.sequence((*fronts, *subj)) if fronts else subj
        before = tuple(x for x in lead if x not in subj)
        self._predicates(v, own, subj, before)

    def _predicates(self, v: int, own: list[int], subj: tuple[int, ...], fronts: tuple[int, ...]) -> None:
        """The verb phrase of ``v`` and those that are joined to it."""
        passive = any(self.tree.labels[k] == "auxpass" for k in self.tree.children(v))
        first = min(subj)
        words = self.sequence(x for x in own if x > first)
        made = Part(words=words, subjects=(subj,), fronts=fronts, verb=v, clause=self.number)
        self.parts.append(made)
        clause = self.number
        for c in (k for k in self.tree.children(v) if self.tree.labels[k] == "conj"):
            start = self._joined(v, c)
            if words and start < max(words):
                raise Uncut
            if any(self.tree.labels[k] in _SUBJECTS for k in self.tree.children(c)):
                self.clause(c)
                continue
            self._only(v, start)
            self._further(c, subj, fronts, passive=passive, clause=clause)

    def _further(self, c: int, subj: tuple[int, ...], fronts: tuple[int, ...], *, passive: bool, clause: int) -> None:
        """A verb phrase that shares its subject with one before."""
        aux = [k for k in self.tree.children(c) if self.tree.labels[k] in ("aux", "auxpass")]
        own = self._own(c, -1, subj)
        words = self.sequence(own)
        mark = self._mark_before(min(words))
        if mark < 0:
            raise Uncut
        shared = passive and not aux
        self.parts.append(
            Part(words=words, subjects=(subj,), fronts=fronts, verb=c, clause=clause, passive=shared, mark=mark)
        )
        again = shared or any(self.tree.labels[k] == "auxpass" for k in aux)
        for k in (k for k in self.tree.children(c) if self.tree.labels[k] == "conj"):
            start = self._joined(c, k)
            if start < max(words):
                raise Uncut
            if any(self.tree.labels[x] in _SUBJECTS for x in self.tree.children(k)):
                self.clause(k)
                continue
            self._only(c, start)
            self._further(k, subj, fronts, passive=again, clause=clause)

    def _joined(self, v: int, c: int) -> int:
        """Where a joined verb phrase or clause starts; only "and", "but" and marks may stand before it."""
        start = self.span(c)[0]
        if not self.verbal(c) or start <= v or self._mark_before(start) < 0:
            raise Uncut
        return start

    def _mark_before(self, start: int) -> int:
        at = start - 1
        fits = at >= 0 and (self.mark(at) or (self.items[at].lower in _JOINING and not self.named(at)))
        return at if fits else -1

    def _only(self, v: int, start: int) -> None:
        """No other clause may lie between the verb ``v`` and a predicate joined to it, which could be its own."""
        at = start - 1
        while at > v and (self.mark(at) or self.items[at].lower in _JOINING):
            at -= 1
        for x in self.tree.upwards(at):
            if x == v:
                return
            own = any(self.tree.labels[k] in _SUBJECTS for k in self.tree.children(x))
            if self.tree.labels[x] in _CLAUSES or (self.tree.labels[x] == "conj" and self.verbal(x) and own):
                raise Uncut
        raise Uncut

    def _own(self, v: int, first: int, subj: tuple[int, ...] = ()) -> list[int]:
        """The words of the verb phrase of ``v``; what hangs on it as clauses becomes parts."""
        own = [v]
        for k in self.tree.children(v):
            label = self.tree.labels[k]
            if label in _SUBJECTS or label == "conj":
                continue
            if label == "cc":
                if self.items[k].lower not in _JOINING:
                    raise Uncut
                self.dropped.add(k)
            elif label == "punct":
                own.append(k)
            elif label in ("advcl", "acl", "amod", "appos"):
                self._adverbial(v, k, first)
            elif label in ("ccomp", "parataxis"):
                self._beside(v, k)
            elif label == "prep" and first >= 0 and first < k < v and self.set_off(k):
                own += self._inserted(v, k)
            elif label in _OWN:
                own += self.trimmed(k)
            else:
                raise Uncut
        return own

    def _beside(self, v: int, k: int) -> None:
        """A clause before or after a semicolon, colon or dash."""
        start, end = self.span(k)
        marks = [end + 1] if end < v else [start - 1]
        if not all(self.mark(x, _PARTING) for x in marks):
            raise Uncut
        self.dropped.update(marks)
        self.clause(k)

    def _inserted(self, v: int, k: int) -> list[int]:
        """A phrase between marks after the subject: part of the clause, or said of the subject."""
        if self.inserted:
            return [*self.tree.below(k)]
        start, end = self.span(k)
        self.dropped.update(x for x in (start - 1, end + 1) if self.mark(x))
        self._say(k, self._before(start, k), mark=start - 1)
        return []

    def _adverbial(self, v: int, k: int, first: int) -> None:
        """A participle or the like before the subject, which is what it speaks of, or after the verb."""
        start, end = self.span(k)
        if first < 0 or end > first:
            if not self.set_off(k):
                raise Uncut
            self.hang(k)
            return
        subject = next(x for x in self.tree.children(v) if self.tree.labels[x] in _SUBJECTS)
        if not self.mark(end + 1) or self.span(subject)[0] != end + 2 or (start and not self._mark_before(start) >= 0):
            raise Uncut
        self.dropped.add(end + 1)
        self._say(k, (self.sequence(self.trimmed(subject)),), mark=end + 1)

    # -- what is said between marks -----------------------------------------------------------------------------
    def trimmed(self, i: int) -> list[int]:
        """Item ``i`` with all that hangs on it, but for what stands between marks: that becomes parts."""
        out = [i]
        for k in self.tree.children(i):
            if self.tree.labels[k] in _SAYING and self.set_off(k):
                self.hang(k)
            else:
                out += self.trimmed(k)
        return out

    def hang(self, d: int) -> None:
        """What stands between marks, as said of what is before it."""
        start, end = self.span(d)
        self.dropped.update(x for x in (start - 1, end + 1) if self.mark(x))
        self._say(d, self._before(start, d), mark=start - 1)

    def _before(self, start: int, d: int) -> tuple[tuple[int, ...], ...]:
        """The phrases before a mark that something behind it may speak of."""
        found: list[tuple[int, ...]] = []
        for x in self.tree.upwards(start - 2):
            if self.verbal(x) and not self.nominal(x):
                self._acting(x, start, d, found)
                break
            if self.nominal(x):
                if x > start:
                    raise Uncut
                found.append(self._phrase(x, start - 1))
        if not found:
            raise Uncut
        return tuple(dict.fromkeys(found))

    def _acting(self, v: int, start: int, d: int, found: list[tuple[int, ...]]) -> None:
        """A participle behind a verb may speak of its subject."""
        subject = next((k for k in self.tree.children(v) if self.tree.labels[k] in _SUBJECTS), None)
        if v < start and self.tree.labels[d] not in ("relcl", "appos"):
            if subject is None:
                raise Uncut
            found.append(self._phrase(subject, start - 1))

    def _phrase(self, x: int, stop: int) -> tuple[int, ...]:
        """The noun phrase of item ``x`` up to a place, without what stands between marks."""
        out: list[int] = []
        todo = [x]
        while todo:
            node = todo.pop()
            out.append(node)
            todo += [
                k
                for k in self.tree.children(node)
                if k < stop and not (self.tree.labels[k] in _SAYING and self.set_off(k))
            ]
        kept = sorted(out)
        held = set(kept)
        return tuple(n for n in kept if not self.mark(n) or (n - 1 in held and n + 1 in held))

    def _say(self, d: int, subjects: tuple[tuple[int, ...], ...], *, mark: int, finite: bool = False) -> None:
        """A part that speaks of one of the subjects, and those joined to it."""
        apart = [k for k in self.tree.children(d) if self.tree.labels[k] == "conj" and self._splits(d, k)]
        own = [d]
        for k in self.tree.children(d):
            if k in apart:
                continue
            if apart and self.tree.labels[k] == "cc":
                if self.items[k].lower not in _JOINING:
                    raise Uncut
                self.dropped.add(k)
            elif self.tree.labels[k] in ("mark", "csubj", "ccomp", "parataxis"):
                raise Uncut
            elif self.tree.labels[k] in _SAYING and self.set_off(k):
                self.hang(k)
            else:
                own += self.trimmed(k)
        words = self.sequence(own)
        self.parts.append(
            Part(words=words, subjects=subjects, verb=d, clause=self.number, said=True, finite=finite, mark=mark)
        )
        subject = next((k for k in self.tree.children(d) if self.tree.labels[k] in _SUBJECTS), None)
        if apart and subject is not None and self.items[subject].lower not in RELATIVE:
            raise Uncut  # "A, which B crosses and flows into C"
        acting = next((x for x in self.tree.upwards(d)[1:] if self.verbal(x)), d)
        for k in apart:
            start = self.span(k)[0]
            before = self._mark_before(start)
            if before < 0 or start < max(words) or (acting < d and self.verbal(k)):
                raise Uncut  # "A feeds B, which lies in C and drains D": it could be A that drains D
            self._say(k, subjects, mark=before, finite=subject is not None or finite)

    def _splits(self, d: int, k: int) -> bool:
        """Whether two joined predicates are read apart: verbs and adjectives, not a list of nouns."""
        return any(self.tree.tags[x][:2] in ("VB", "JJ") and not self.named(x) for x in (d, k))

    # -- all words ----------------------------------------------------------------------------------------------
    def check(self) -> None:
        """Every item must be in a part or be a mark or conjunction between parts."""
        held = {x for part in self.parts for x in (*part.words, *part.fronts, *(y for s in part.subjects for y in s))}
        for x in range(len(self.items)):
            if x in held:
                continue
            joining = self.items[x].lower in _JOINING and not self.named(x)
            if not (self.mark(x) or (joining and x in self.dropped)):
                raise Uncut
