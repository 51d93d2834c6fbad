"""How near the words of a claim stand to the numbers of the texts: which of several numbers a claim speaks of.

``Addresses.near`` is 1 for a word to which a number is bound, less for one in its clause, and little for one that
stands at another number or elsewhere in the same text. ``of`` sums this over the leaves of a formula; where the claim
has two sides ("A … than B") each word counts for the leaf of its side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from imprimatur.extract.words import forms
from imprimatur.sources.text.bindings import bound_to
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.sources.text.cues import sign_of
from imprimatur.sources.text.evidence import Evidence, head_of
from imprimatur.sources.text.figures import Fit, comparable, fits
from imprimatur.sources.text.formulas import Formula
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.leaves import Leaf
from imprimatur.sources.text.naming import same_name
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.words import likeness, working
from imprimatur.values import DateValue

__all__ = ["Addresses", "Sides"]

_BOUND, _INHERITED, _CLAUSE, _NEXT, _LENT = 1.0, 0.9, 0.6, 0.4, 0.35
#: What a synonym counts where the text has the word itself elsewhere.
_ALIKE = 0.5
_ASIDE, _SENTENCE, _TEXT = 0.2, 0.15, 0.08
#: A verb or adjective tells less of what a number is the number of than a noun or a name.
_WEIGHTS = {Part.VERB: 0.6, Part.PARTICIPLE: 0.6, Part.ADVERB: 0.4, Part.AUXILIARY: 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The words of a claim on the two sides of a comparison or share; ``part``: the left is a part of the right."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    part: bool = False


@dataclass(slots=True)
class Addresses:
    """The words of a claim beside the numbers of the texts; ``days`` are those that the texts give by others."""

    claim: Reading
    texts: Evidence
    limits: TextLimits
    days: tuple[Leaf, ...] = ()
    _found: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _near: dict[tuple[int, int, frozenset[int]], float] = field(default_factory=dict)
    _hosts: dict[int, frozenset[int]] = field(default_factory=dict)
    _alike: dict[int, list[int]] = field(default_factory=dict)

    def places(self, k: int) -> tuple[int, ...]:
        """Where in the texts a piece of the claim is said, or its opposite where it is not."""
        if k not in self._found:
            found = self._same(k)
            if not found and self.opposed(k):
                texts = enumerate(self.texts.pieces)
                found = [n for n, text in texts if not text.figure and likeness(self.claim.pieces[k], text) < 0]
            self._found[k] = (*found, *(leaf.piece for leaf in self.days if self._is_day(k, leaf)))
        return self._found[k]

    def _same(self, k: int) -> list[int]:
        if k not in self._alike:
            self._alike[k] = [other for other in range(len(self.texts.pieces)) if self._is(k, other)]
        return self._alike[k]

    def _worded(self, k: int) -> frozenset[int]:
        """Where the texts have the very word."""
        piece = self.claim.pieces[k]
        texts = self.texts.pieces
        return frozenset(m for m in self.places(k) if texts[m].lower == piece.lower or texts[m].lemmas & piece.lemmas)

    def opposed(self, k: int) -> bool:
        """Whether the texts have the opposite of a word of the claim, and not the word."""
        piece = self.claim.pieces[k]
        if piece.figure or piece.part is Part.NAME or sign_of(piece) or working(piece) or self._same(k):
            return False
        return any(likeness(piece, text) < 0 for text in self.texts.pieces if not text.figure)

    def _is(self, k: int, other: int) -> bool:
        piece, text = self.claim.pieces[k], self.texts.pieces[other]
        if piece.figure or text.figure:
            if piece.date is not None and text.date is not None:
                return fits(piece, text, self.limits) is Fit.YES or _same_days(piece.date, text.date)
            return piece.figure and text.figure and fits(piece, text, self.limits) is Fit.YES
        if piece.label or text.label or (piece.part is Part.NAME and not piece.first):
            return same_name(k, other, self.claim.pieces, self.texts.pieces)
        if text.part is Part.MARK:
            return False
        return piece.lower == text.lower or likeness(piece, text) == 1

    def _is_day(self, k: int, leaf: Leaf) -> bool:
        date = self.claim.pieces[k].date
        if date is None or date.first is None or date.last is None or leaf.day is None:
            return False
        return date.first <= leaf.day <= date.last

    def near(self, k: int, leaf: Leaf) -> float:
        """How near a piece of the claim stands to a number of the texts, from 0 to 1."""
        if leaf.own:
            return 0.0
        key = (k, leaf.piece, leaf.reference)
        if key not in self._near:
            own = self._worded(k)
            near = max(
                (self._nearness(m, leaf) * (_ALIKE if own and m not in own else 1) for m in self.places(k)), default=0.0
            )
            self._near[key] = self._at_date(k, leaf, near) if self.claim.pieces[k].date is not None else near
        return self._near[key]

    def _at_date(self, k: int, leaf: Leaf, near: float) -> float:
        """A date of the claim is that of a number, or it is another one's, which tells against the number."""
        if near == _BOUND or leaf.day is not None:
            return near
        own = self.dates_of(leaf)
        if not own:
            return near
        return _CLAUSE if any(other in own for other in self.places(k)) else -_CLAUSE

    def dates_of(self, leaf: Leaf) -> list[int]:
        """The dates at which a number is said: its own, else those of its clause, or of the clause that it goes on."""
        home = self.texts.frame_of(leaf.piece)
        seen: set[int] = set()
        while home is not None and home.number not in seen:
            seen.add(home.number)
            given = [day.piece for day in self.days if day.piece in home.members and not day.reference]
            dates = [k for k in home.members if self.texts.pieces[k].date is not None or k in given]
            owned = {k: self._owner(k, home) for k in dates}
            own = [k for k in dates if owned[k] == leaf.piece]
            general = [k for k in dates if owned[k] < 0]
            if own or general:
                return own or general
            if dates and (leaf.piece in home.members or len(dates) > 1):
                return []
            if dates:
                return dates
            home = self.texts.frames[home.lender] if home.lender >= 0 else None
        return []

    def _owner(self, date: int, frame: Frame) -> int:
        """The number that a date of a clause stands behind; -1 where it stands before all, and is said of each."""
        numbers = [k for k in frame.members if k < date and self.texts.pieces[k].quantity is not None]
        numbers = [k for k in numbers if not self.texts.pieces[k].one and not self.texts.pieces[k].label]
        return numbers[-1] if numbers else -1

    def _nearness(self, other: int, leaf: Leaf) -> float:
        if leaf.reference:
            named = self.texts.pieces[other].part is Part.NAME
            home = self.texts.frame_of(leaf.piece)
            inside = home is not None and other in home.members
            bound = other in leaf.reference or other == leaf.noun
            if (
                not bound
                and other < leaf.piece
                and (
                    ((inside or (home is not None and other in self.texts.lent(home))) and self.of_itself(leaf))
                    or self.leaves_out(leaf, other)
                )
            ):
                return _CLAUSE  # "it cost £64 more than planned": what was planned is its cost too
            return _BOUND if bound else _NEXT if inside and not named else _ASIDE
        if other == leaf.piece or other in self.hosts(leaf):
            return _BOUND
        if other == leaf.noun:
            return _INHERITED
        home, frame = self.texts.frame_of(leaf.piece), self.texts.frame_of(other)
        if home is None or frame is None:
            return _TEXT if self.texts.key_at(other) == self.texts.key_at(leaf.piece) else 0.0
        if frame.number == home.number:
            return self._within(other, leaf, home)
        if other in self.texts.lent(home):
            subject = self.texts.pieces[other].part in (Part.NOUN, Part.NAME) and frame.place(other) == "subj"
            own = home.elliptic is False and head_of(home, self.texts.pieces) >= 0
            return _ASIDE if subject and (own or self._has_subject(leaf)) else _LENT
        if frame.sentence == home.sentence:
            return _SENTENCE
        return _TEXT if self.texts.key_of(frame.number) == self.texts.key_of(home.number) else 0.0

    def of_itself(self, leaf: Leaf) -> bool:
        """Whether a number is compared with what a thing itself was to be or had been, not with another thing's."""
        told = [self.texts.pieces[k] for k in leaf.reference]
        return all(piece.part in (Part.VERB, Part.PARTICIPLE, Part.ADJECTIVE, Part.ADVERB) for piece in told)

    def leaves_out(self, leaf: Leaf, other: int) -> bool:
        """Whether a number says what is left out ("14,200 images, all but 600 in colour"), of what goes before it."""
        homes = [self.texts.frame_of(k) for k in (leaf.piece, other)]
        told = bool(leaf.piece) and self.texts.pieces[leaf.piece - 1].lower == "but"
        return told and None not in homes and homes[0].sentence == homes[1].sentence  # type: ignore[union-attr]

    def hosts(self, leaf: Leaf) -> frozenset[int]:
        """The words that a number is bound to."""
        if leaf.piece not in self._hosts:
            frame = self.texts.frame_of(leaf.piece)
            found = bound_to(leaf.piece, frame, self.texts.pieces) if frame is not None else []
            self._hosts[leaf.piece] = frozenset(found)
        return self._hosts[leaf.piece]

    def _within(self, other: int, leaf: Leaf, frame: Frame) -> float:
        """How near a word stands to a number in one clause: what stands before all numbers is said of each of them.

        What stands behind one is said of it, or, behind a comma or "and", of the next; "from X to Y" is one.
        """
        own = {leaf.piece, leaf.partner}
        figures = [k for k in frame.members if k in own or self._rival(k, leaf)]
        before = [k for k in figures if k < other]
        after = [k for k in figures if k > other]
        comma = next((k for k in frame.members if self.texts.pieces[k].text == ","), -1)
        if self.texts.pieces[frame.members[0]].lower == "of" and other < comma:
            return _CLAUSE  # "Of the 240 patients in the study, 54": the part is of them too
        if not before:
            first = min(k for k in own if k >= 0)
            gapped = first != figures[0] and self._gapped(figures, first)
            noun = self.texts.pieces[other].part in (Part.NOUN, Part.NAME)
            return _ASIDE if gapped and noun else _CLAUSE
        if not after and before[-1] in own:
            return _CLAUSE
        if not after:
            return _CLAUSE if self._shares_verb(other, leaf, before[-1], frame) else _ASIDE
        joint = any(
            self.texts.pieces[k].part is Part.CONJUNCTION or self.texts.pieces[k].text == ","
            for k in frame.members
            if before[-1] < k < other
        )
        if joint:
            return _CLAUSE if after[0] in own else _ASIDE
        return _CLAUSE if before[-1] in own else _NEXT if after[0] in own else _ASIDE

    def _has_subject(self, leaf: Leaf) -> bool:
        """Whether a noun with no verb stands right before a number ("and wages 54%")."""
        if leaf.piece < 2:
            return False
        before, joint = self.texts.pieces[leaf.piece - 1], self.texts.pieces[leaf.piece - 2]
        numbers = [p for p in self.texts.pieces[: leaf.piece - 2] if p.figure and not p.one]
        if not numbers or not comparable(self.texts.pieces[leaf.piece], numbers[-1]):
            return False
        return bool(forms(before.lower).noun) and (joint.part is Part.CONJUNCTION or joint.text == ",")

    def _shares_verb(self, other: int, leaf: Leaf, last: int, frame: Frame) -> bool:
        """Whether a number is in a subject of several before one verb ("27 of the men and 24 of the women were")."""
        if frame.verb < 0 or not leaf.piece < last < frame.verb <= other:
            return False
        return any(self.texts.pieces[k].part is Part.CONJUNCTION for k in range(leaf.piece, last))

    def _gapped(self, figures: Sequence[int], k: int) -> bool:
        """Whether a number has a subject of its own without a verb ("a berth costs €59 and a seat €28")."""
        before = [n for n in figures if n < k]
        between = self.texts.pieces[before[-1] + 1 : k] if before else ()
        joint = next(
            (n for n, piece in enumerate(between) if piece.part is Part.CONJUNCTION or piece.text == ","), None
        )
        if joint is None:
            return False
        rest = between[joint + 1 :]
        rest = rest[:-1] if rest and rest[-1].lower == "from" else rest
        return any(p.part in (Part.NOUN, Part.NAME) for p in rest) and not any(p.part is Part.PREPOSITION for p in rest)

    def _rival(self, k: int, leaf: Leaf) -> bool:
        """Whether a piece is another number of the kind of a leaf, and no whole of which the leaf is a part."""
        piece, own = self.texts.pieces[k], self.texts.pieces[leaf.piece]
        if not piece.figure or piece.one or not comparable(own, piece):
            return False
        low, high = sorted((k, leaf.piece))
        between = [self.texts.pieces[n].lower for n in range(low + 1, high)]
        return not ("of" in between and all(word in ("of", "the", "its", "their", "all", "out") for word in between))

    def covered(self, k: int, leaves: Iterable[Leaf]) -> bool:
        """Whether a piece of the claim is said in the text of one of the leaves."""
        return any(self.near(k, leaf) > 0 for leaf in leaves)

    def of(self, formula: Formula, words: Sequence[int], sides: Sides | None) -> float:
        """How well the words of the claim point at the numbers of a formula."""
        leaves = [leaf for leaf in formula.leaves if not leaf.own]
        dated = [k for k in words if self.claim.pieces[k].date is not None]
        plain = [k for k in words if k not in dated]
        two = sides is not None and len(formula.leaves) in (2, 4)
        if sides is None or not two:
            return self._sum(plain, leaves) + self._dated(dated, leaves)
        half = len(formula.leaves) // 2
        a, b = formula.leaves[:half], formula.leaves[half:]
        if sides.part:
            mine, theirs = ([k for k in side if k in plain] for side in (sides.left, sides.right))
            across, back = self._sum(mine, b), self._sum(theirs, a)
            dates = self._dated(dated, leaves)
            return self._sum(mine, a) + self._sum(theirs, b) + back / 2 - across / 4 + dates
        mine, theirs = ([k for k in side if k in words] for side in (sides.left, sides.right))
        across, back = self._sum(mine, b), self._sum(theirs, a)
        shared = [k for k in words if k not in sides.left and k not in sides.right]
        both = (self._sum(shared, a) + self._sum(shared, b)) / 2
        return self._sum(mine, a) + self._sum(theirs, b) - (across + back) / 2 + both

    def _dated(self, dates: Sequence[int], leaves: Sequence[Leaf]) -> float:
        """One date is that of all numbers; of several each is that of one."""
        if len(dates) < 2:
            return self._sum(dates, leaves)
        undated = sum(all(self.near(k, leaf) <= 0 for k in dates) for leaf in leaves)
        told = sum(max((self.near(k, leaf) for leaf in leaves), default=0.0) for k in dates)
        return told - _CLAUSE * (undated + sum(not self.dates_of(leaf) for leaf in leaves))

    def _sum(self, words: Sequence[int], leaves: Sequence[Leaf]) -> float:
        return sum(self._worth(k) * self.near(k, leaf) for k in words for leaf in leaves)

    def _worth(self, k: int) -> float:
        piece: Piece = self.claim.pieces[k]
        after = self.claim.pieces[k + 1] if k + 1 < len(self.claim.pieces) else None
        opened = k > 0 and self.claim.pieces[k - 1].part in (Part.DETERMINER, Part.ADJECTIVE)
        if piece.part is Part.PARTICIPLE and opened and after is not None and after.part is Part.NOUN:
            return 1.0  # "the reduced tickets"
        return _WEIGHTS.get(piece.part, 1.0)


def _same_days(a: DateValue, b: DateValue) -> bool:
    """Whether two dates share an end, whatever their bounds ("before June 2026", "June 2026")."""
    ends = {end for end in (a.first, a.last) if end is not None}
    return bool(ends & {end for end in (b.first, b.last) if end is not None})
