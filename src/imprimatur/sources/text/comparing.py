"""Whether texts say what a claim says: ``compare``, the core that all text sources share.

Every clause of the claim must be a clause of the texts, with the same verb or one that says the same, the same things
in the same places and the same numbers at the same words, and with no condition, reserve, quantifier or negation
dropped. A clause is held against the frames that have most of it; it stands when one of them has all. What is left over
is marked, each mark with its reason and the words at fault. An inference may have numbers that follow from those of the
texts (``deriving``) and words that say how, and must not overclaim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from imprimatur.claim import Prose
from imprimatur.language import wordnet
from imprimatur.sources.text.bindings import bound_to, misbound
from imprimatur.sources.text.comparison import Comparison, Mark, Text, TextLimits, Used
from imprimatur.sources.text.concluding import conclude
from imprimatur.sources.text.deriving import Step, Term, derive, rates, results, terms_of
from imprimatur.sources.text.figures import Fit, comparable, fits
from imprimatur.sources.text.frames import Frame, Reading, read
from imprimatur.sources.text.matching import (
    Evidence,
    Found,
    Match,
    Spot,
    content_of,
    head_of,
    matches,
    rivals,
    sibling_of,
)
from imprimatur.sources.text.orders import Order, order_of
from imprimatur.sources.text.overclaims import overclaims
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.quotations import misquoted
from imprimatur.sources.text.roles import exchanged
from imprimatur.sources.text.turns import binding, faults
from imprimatur.sources.text.words import dimension_nouns, light, likeness, working
from imprimatur.values import Bound, Quantity
from imprimatur.verdict import Label, Reason

__all__ = ["compare"]

_VERBS = (Part.VERB, Part.PARTICIPLE)


#: A claim of more characters or pieces is no sentence; it is not examined.
_LONGEST = 4000
_MOST_PIECES = 400
#: A number of so many digits is no chance result.
_FINE = 3
#: Bounds that exclude each other at one value.
_OPPOSITE = (
    {Bound.AT_LEAST, Bound.AT_MOST},
    {Bound.AT_LEAST, Bound.LESS_THAN},
    {Bound.MORE_THAN, Bound.AT_MOST},
    {Bound.MORE_THAN, Bound.LESS_THAN},
)


def compare(claim: Prose, texts: Sequence[Text], limits: TextLimits, *, inference: bool = False) -> Comparison:
    """What the texts say of the claim; ``inference``: numbers may follow from theirs by arithmetic."""
    reading = read(claim.words[:_LONGEST], limits.locale)
    if len(claim.words) > _LONGEST or len(reading.pieces) > _MOST_PIECES:
        mark = Mark(reason=Reason.NOT_EXAMINED, start=0, end=len(claim.words), detail="it is too long for one claim")
        return Comparison(label=Label.UNCHECKED, marks=(mark,))
    evidence = Evidence.of([(text.key, read(text.text, limits.locale)) for text in texts])
    task = _Task(reading, evidence, limits, inference)
    outcomes = task.outcomes()
    marks = [*misquoted(claim.words, texts), *(mark for outcome in outcomes for mark in outcome.marks)]
    if inference:
        wild = list(_overclaimed(reading.pieces))
        marks = [m for m in marks if not any(w.start <= m.start and m.end <= w.end for w in wild)] + wild
    content = sum(outcome.content for outcome in outcomes)
    coverage = Fraction(sum(outcome.covered for outcome in outcomes), max(content, 1)) if content else Fraction(0)
    if not outcomes or (not marks and coverage < limits.coverage):
        marks.append(Mark(reason=Reason.LOW_COVERAGE, start=0, end=len(claim.words)))
    marks += [*_referred(claim, evidence), *_continued(claim, reading, evidence)]
    marks = sorted(dict.fromkeys(marks), key=lambda mark: (mark.start, mark.end, mark.reason))
    against = any(outcome.against for outcome in outcomes) and not any(o.silent for o in outcomes)
    label = Label.SUPPORTED if not marks else Label.CONTRADICTED if against else Label.NOT_FOUND
    if marks and all(mark.reason is Reason.AMBIGUOUS_ENTITY for mark in marks):
        label = Label.AMBIGUOUS
    return Comparison(
        label=label,
        marks=tuple(marks),
        used=tuple(_used(outcomes, evidence, texts)),
        coverage=coverage,
        derivation=tuple(dict.fromkeys(said for outcome in outcomes for said in outcome.derivation)),
    )


def _referred(claim: Prose, texts: Evidence) -> Iterator[Mark]:
    """Marks for pronouns: what they stand for must be what the texts speak of; several that differ are ambiguous."""
    known = {piece.lower for piece in texts.pieces}
    meant: dict[tuple[int, int], list[str]] = {}
    for mention in claim.referents:
        meant.setdefault((mention.start, mention.end), []).append(mention.text)
    for names in meant.values():
        there = [name for name in names if any(word in known for word in _words_of(name))]
        if not there:
            detail = f"the texts do not speak of {' or '.join(names)}"
            yield Mark(reason=Reason.UNSUPPORTED_NAME, start=0, end=len(claim.words), detail=detail)
        elif len(there) < len(names) or len(there) > 1:
            detail = f"{' or '.join(names)} may be meant"
            yield Mark(reason=Reason.AMBIGUOUS_ENTITY, start=0, end=len(claim.words), detail=detail)


def _continued(claim: Prose, reading: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark where the claim goes on about the sentence before ("It has 340 staff"), and the texts are not on that."""
    if not claim.before or claim.referents or not reading.frames:
        return
    opening = [reading.pieces[k] for k in reading.frames[0].members[:3]]
    subject = next((piece for piece in opening if piece.lower in _GOING_ON), None)
    if subject is None:
        return
    before = read(claim.before)
    heads = [before.pieces[k] for frame in before.frames[:1] if (k := head_of(frame, before.pieces)) >= 0]
    if heads and not any(_is_of(heads[0], piece) for piece in texts.pieces):
        detail = f"the texts do not speak of “{heads[0].text}”"
        yield Mark(reason=Reason.UNSUPPORTED_NAME, start=subject.start, end=subject.end, detail=detail)


_GOING_ON = frozenset("it they he she this these".split())


def _is_of(head: Piece, piece: Piece) -> bool:
    return head.lower == piece.lower or (head.part is Part.NOUN and likeness(head, piece) == 1)


def _words_of(name: str) -> list[str]:
    return [piece.lower for piece in read(name).pieces if piece.part is not Part.MARK]


def _overclaimed(pieces: Sequence[Piece]) -> Iterator[Mark]:
    for start, end in overclaims(pieces):
        yield Mark(reason=Reason.OVERCLAIM, start=start, end=end, detail="no evidence gives such certainty")


@dataclass(slots=True)
class _Outcome:
    """What became of one clause."""

    match: Match | None
    marks: tuple[Mark, ...] = ()
    content: int = 0
    covered: int = 0
    derivation: tuple[str, ...] = ()
    used: tuple[int, ...] = field(default=())

    @property
    def against(self) -> bool:
        """Whether a text says otherwise, of something that it surely speaks of."""
        return any(mark.against for mark in self.marks) and all(m.against for m in self.marks)

    @property
    def silent(self) -> bool:
        """Whether some of the clause is in no text."""
        return any(not mark.against for mark in self.marks)


@dataclass(frozen=True, slots=True)
class _Task:
    claim: Reading
    texts: Evidence
    limits: TextLimits
    inference: bool

    def outcomes(self) -> list[_Outcome]:
        """What becomes of the clauses: each by itself; those of a conclusion together, where not all stand so."""
        clauses = [clause for clause in self.claim.frames if content_of(clause, self.claim.pieces)]
        found = [self.judge(clause) for clause in clauses]
        if not self.inference or not any(outcome.marks for outcome in found):
            return found
        whole = self._concluded(clauses)
        if whole is not None:
            return [whole]
        return [
            (self._concluded([clause]) or outcome) if outcome.marks else outcome
            for clause, outcome in zip(clauses, found, strict=True)
        ]

    def _concluded(self, clauses: Sequence[Frame]) -> _Outcome | None:
        """The outcome of clauses whose result can be computed."""
        found = conclude(self.claim, clauses, self.texts, self.limits)
        if found is None:
            return None
        content = sum(len(content_of(clause, self.claim.pieces)) for clause in clauses)
        return _Outcome(None, (), content, content, found.said, tuple(sorted(found.pieces)))

    def judge(self, clause: Frame) -> _Outcome:
        """The best that can be said of a clause."""
        best: _Outcome | None = None
        order = order_of(clause, self.claim, self.texts) if self.inference else None
        for match in matches(self.claim, clause, self.texts, self.limits):
            outcome = self._outcome(match, order)
            if self.inference and outcome.marks and self._figures(match):
                exact = self._outcome(match, order, anew=True)
                outcome = exact if _worse(outcome, exact) else outcome
            if not outcome.marks:
                return outcome
            if best is None or _worse(best, outcome):
                best = outcome
        content = len(content_of(clause, self.claim.pieces))
        if best is None:
            start, end = self.claim.pieces[clause.members[0]].start, self.claim.pieces[clause.members[-1]].end
            return _Outcome(None, (Mark(reason=Reason.NO_EVIDENCE, start=start, end=end),), content)
        return best

    def _figures(self, match: Match) -> bool:
        """Whether some number of the clause fits one of the texts, and may as well follow from others."""
        return any(self._loose(found) for found in match.found if found.spot is not Spot.NOWHERE)

    def _loose(self, found: Found) -> bool:
        piece = self.claim.pieces[found.piece]
        return piece.quantity is not None and not piece.label and not piece.one

    def _outcome(self, match: Match, order: Order | None, *, anew: bool = False) -> _Outcome:
        steps = self._listed(match) or self._derived(match, anew=anew)
        added = self._around(steps.values())
        marks: list[Mark] = []
        covered = 0
        for found in match.found:
            mark = (
                None
                if found.piece in steps
                else self._fault(found, match, added, computed=bool(steps) or _holds(order))
            )
            covered += mark is None
            if mark is not None:
                marks.append(mark)
        minus = any(step.minus for step in steps.values())
        match.taken = match.taken | {k for step in steps.values() for k in step.pieces}
        minus = minus or any(step.said.startswith("each of ") for step in steps.values())
        turned = [m for m in faults(match, self.claim, self.texts) if not (minus and _excused(m))]
        marks += turned
        if not steps:
            marks += misbound(match, self.claim, self.texts, self.limits)
            marks += exchanged(match, self.claim, self.texts)
        marks += _misordered(order)
        if not marks and not match.anchored and not steps:
            start, end = (
                self.claim.pieces[match.clause.members[0]].start,
                self.claim.pieces[match.clause.members[-1]].end,
            )
            marks.append(
                Mark(reason=Reason.LOW_COVERAGE, start=start, end=end, detail="no sentence says it as a whole")
            )
        said = [f"{self.claim.pieces[k].text} = {step.said}" for k, step in steps.items()]
        said += [order.said] if order is not None and order.holds else []
        used = {f.other for f in match.found if f.other >= 0} | {k for s in steps.values() for k in s.pieces}
        return _Outcome(match, tuple(marks), len(match.found), covered, tuple(said), tuple(sorted(used)))

    # -- single pieces ----------------------------------------------------------------------------------------------
    def _around(self, steps: Iterable[Step]) -> frozenset[int]:
        """The pieces of the clauses from which the numbers of some steps come."""
        frames = [frame for step in steps for k in step.pieces if (frame := self.texts.frame_of(k)) is not None]
        return frozenset(k for frame in frames for k in (*frame.members, *self.texts.lent(frame)))

    def _fault(self, found: Found, match: Match, added: frozenset[int], *, computed: bool) -> Mark | None:
        piece = self.claim.pieces[found.piece]
        if found.fit is Fit.HEDGE:
            return _mark(piece, Reason.HEDGE_DROPPED, "the text gives it as about so much")
        if found.fit is Fit.BOUND:
            stated, stored = piece.quantity, self.texts.pieces[found.other].quantity
            return _mark(
                piece,
                Reason.COMPARISON_MISMATCH,
                f"the text has “{self.texts.pieces[found.other].text}”",
                against=stated is not None and stored is not None and {stated.bound, stored.bound} in _OPPOSITE,
            )
        missing = found.spot is Spot.NOWHERE or (found.spot is Spot.FAR and found.sign < 0)
        near = found.spot is Spot.NEAR and (match.frame.elliptic or piece.figure) and piece.part not in _VERBS
        if found.spot is Spot.NEAR and not near:
            beside = sibling_of(found, match, self.claim, self.texts)
            return None if beside is None else _mark(piece, Reason.ROLES_SWAPPED, f"the text has “{beside.text}”")
        if not missing and found.spot is not Spot.FAR and not near:
            return None
        if missing and self._tolerable(found.piece, match, computed):
            return None
        if found.other in added or (self.inference and computed and working(piece) and not piece.figure):
            return None
        others = [self.texts.pieces[k] for k in rivals(found, match, self.claim, self.texts)]
        if not missing and (not others or (piece.part in _VERBS and light(piece))):
            return None
        told = f"the text has “{others[0].text}”" if others else "no cited text has it"
        named = piece.part is Part.NAME or self._forename(found.piece)
        return _mark(piece, _reason(piece, named, missing=missing), told, against=bool(others) and _close(match))

    def _forename(self, k: int) -> bool:
        """Whether a word that begins the sentence begins a name."""
        after = self.claim.pieces[k + 1 : k + 2]
        return self.claim.pieces[k].first and bool(after) and after[0].part is Part.NAME and not after[0].label

    def _tolerable(self, k: int, match: Match, computed: bool) -> bool:
        """Whether a word that no text has says nothing beyond what the texts have."""
        piece = self.claim.pieces[k]
        if piece.figure or piece.part is Part.NAME:
            return False
        if piece.part in _VERBS and light(piece):
            return True
        own = [self.claim.pieces[m] for m in match.clause.members]
        if piece.part is Part.NOUN and self._implied(piece, own):
            return True
        if binding(piece, [self.texts.pieces[k] for k in match.frame.members]):
            return True
        if self.inference and computed and working(piece):
            return True
        return _reporting(match.clause, self.claim)

    def _implied(self, piece: Piece, own: Sequence[Piece]) -> bool:
        """Whether a number of the clause implies the noun: "a pressure of 600 kPa"."""
        nouns = {lemma for lemma, pos in piece.lemmas if pos == "n"}
        units = [p.quantity.unit for p in own if p.quantity is not None and not p.label]
        return any(nouns & dimension_nouns(unit) for unit in units)

    @property
    def _own(self) -> list[Piece]:
        """The words of the claim that say something."""
        return [
            p
            for frame in self.claim.frames
            for k in content_of(frame, self.claim.pieces)
            if not (p := self.claim.pieces[k]).figure
        ]

    # -- numbers that follow ----------------------------------------------------------------------------------------
    def _derived(self, match: Match, *, anew: bool) -> dict[int, Step]:
        """How the numbers of the clause that no text has follow from those that the texts have."""
        if True or not self.inference:
            return {}
        gone = [f for f in match.found if f.spot is Spot.NOWHERE or (anew and self._loose(f))]
        lost = [f.piece for f in gone if _figure(self.claim.pieces[f.piece])]
        if not lost:
            return {}
        terms = terms_of(self.texts.pieces)
        found = {k: step for k in lost if (step := self._step(k, terms, match)) is not None}
        made = frozenset(k for step in found.values() for k in step.pieces)
        for k in lost:  # "22.7 g, or roughly 27%": another number made of the same ones
            same = [s for s in derive(self.claim.pieces[k], terms, self.limits.about) if s.pieces <= made]
            if k not in found and same:
                found[k] = same[0]
        left = [k for k in lost if k not in found]
        ones = [k for k in left if self.claim.pieces[k].one]
        if ones and any(step.rate for step in found.values()):
            return found | {k: Step("what it is divided by", frozenset()) for k in ones}
        if len(left) == 1 and found and self._number_of(left[0], found):
            return found | {left[0]: Step("the numbers that are added", frozenset())}
        if len(left) == 2:
            return found | self._scaled(left, terms)
        return found

    def _listed(self, match: Match) -> dict[int, Step]:
        """ "All three lie above 80%": a bound that each number listed in the frame satisfies, and their count."""
        own = match.clause.members
        if not any(self.claim.pieces[k].lower in ("all", "both") for k in own):
            return {}
        for k in own:
            piece = self.claim.pieces[k]
            if piece.quantity is None or piece.quantity.bound in (Bound.EXACT, Bound.ABOUT):
                continue
            texts = [m for m in match.frame.members if comparable(piece, self.texts.pieces[m])]
            if len(texts) < 2 or any(fits(piece, self.texts.pieces[m], self.limits) is not Fit.YES for m in texts):
                continue
            said = "each of " + ", ".join(self.texts.pieces[m].text for m in texts)
            step = Step(said, frozenset(texts))
            counts = (m for m in own if _is_count(self.claim.pieces[m], len(texts)))
            return {k: step} | dict.fromkeys(counts, step)
        return {}

    def _step(self, k: int, terms: Sequence[Term], match: Match) -> Step | None:
        piece = self.claim.pieces[k]
        per = next((p for p in self.claim.pieces[k + 1 : k + 5] if p.one), None)
        steps = derive(piece, terms, self.limits.about)
        if per is not None and per.quantity is not None:
            steps += rates(piece, per.quantity, terms, self.limits.about)
        stated = {f.other for f in match.found if f.other >= 0}
        ranked = sorted(steps, key=lambda step: (-self._relevance(step), len(step.pieces & stated)))
        fine = piece.quantity is not None and piece.quantity.low.significant >= _FINE
        if not ranked or not (self._relevance(ranked[0]) > 0 or len(terms) <= 2 or fine):
            return None
        exact = piece.quantity is None or piece.quantity.bound in (Bound.EXACT, Bound.ABOUT)
        return ranked[0] if exact or self._surely(ranked[0], terms, piece.quantity) else None

    def _surely(self, step: Step, terms: Sequence[Term], stated: Quantity | None) -> bool:
        """Whether no other result of the same kind, made of what the claim speaks of more, breaks a stated bound."""
        timed = step.said.startswith("from ")
        if stated is None or not (step.ratio or timed):
            return False
        level = self._relevance(step)
        good = derive_all(stated, terms, self.limits)
        rivals_ = [s for s in results(terms, stated) if s.ratio is step.ratio and s.said.startswith("from ") is timed]
        return all(self._relevance(other) < level or other in good for other in rivals_)

    def _relevance(self, step: Step) -> int:
        """How many of the numbers that a step was made of stand at words that the claim has too."""
        said = 0
        for k in step.pieces:
            frame = self.texts.frame_of(k)
            if frame is None:
                continue
            hosts = [self.texts.pieces[h] for h in bound_to(k, frame, self.texts.pieces)]
            around = [self.texts.pieces[m] for m in content_of(frame, self.texts.pieces)]
            said += 2 * any(likeness(p, host) for host in hosts for p in self._own)
            said += any(likeness(p, text) for text in around for p in self._own)
        return said

    def _number_of(self, k: int, found: dict[int, Step]) -> bool:
        """Whether a number says how many numbers were added ("the two plants make 3,400")."""
        quantity = self.claim.pieces[k].quantity
        if quantity is None or quantity.unit is not None:
            return False
        return any(quantity.low.value == len(step.pieces) for step in found.values())

    def _scaled(self, lost: Sequence[int], terms: Sequence[Term]) -> dict[int, Step]:
        """ "Four nights cost $100": a number of the claim's own by which one of the texts is multiplied."""
        for free, result in (tuple(lost), tuple(reversed(lost))):
            own = terms_of([self.claim.pieces[free]])
            quantity = self.claim.pieces[free].quantity
            if not own or quantity is None or quantity.low.value < 1:
                continue
            for term in terms:
                share = term.unit is not None and term.unit.symbol == "%"
                if quantity.unit is not None and not share:
                    continue
                scaled = Term(-1, own[0].said, own[0].value, own[0].unit)
                steps = derive(self.claim.pieces[result], [scaled, term], Fraction(0))
                step = next((s for s in steps if " x " in s.said or " of " in s.said), None)
                if step is not None:
                    made = frozenset({term.piece})
                    return {result: Step(step.said, made), free: Step("a number of times", made)}
        return {}


def _is_count(piece: Piece, many: int) -> bool:
    quantity = piece.quantity
    return quantity is not None and quantity.unit is None and quantity.low.value == many


def _figure(piece: Piece) -> bool:
    """Whether a piece is a number or a day, with or without its year."""
    return piece.figure or (piece.part is Part.NAME and piece.lower[:1].isdigit() and " " in piece.lower)


def derive_all(stated: Quantity, terms: Sequence[Term], limits: TextLimits) -> list[Step]:
    """The steps that satisfy a quantity."""
    piece = Piece(start=0, end=0, text="", lower="", part=Part.NUMBER, quantity=stated)
    return derive(piece, terms, limits.about)


def _excused(mark: Mark) -> bool:
    return mark.reason in (Reason.NEGATION_MISMATCH, Reason.SCOPE_WIDENED, Reason.CONDITION_DROPPED)


def _holds(order: Order | None) -> bool:
    return order is not None and order.holds is True


def _misordered(order: Order | None) -> Iterator[Mark]:
    if order is None or order.holds:
        return
    detail = order.said if order.holds is False else "the texts do not give both values"
    yield Mark(
        reason=Reason.COMPARISON_MISMATCH,
        start=order.start,
        end=order.end,
        detail=detail,
        against=order.holds is False,
    )


def _reason(piece: Piece, named: bool, *, missing: bool) -> Reason:
    if piece.figure:
        return Reason.NUMBER_NOT_IN_SOURCE
    if missing:
        return Reason.UNSUPPORTED_NAME if named else Reason.LOW_COVERAGE
    return Reason.ROLES_SWAPPED


def _mark(piece: Piece, reason: Reason, detail: str, *, against: bool = False) -> Mark:
    return Mark(reason=reason, start=piece.start, end=piece.end, detail=detail, against=against)


def _close(match: Match) -> bool:
    """Whether the frame surely speaks of the same: it has all of the clause but what is at fault, or nearly."""
    missing = sum(found.spot in (Spot.NOWHERE, Spot.FAR) for found in match.found)
    return len(match.found) > 1 and missing <= max(1, len(match.found) // 3)


def _reporting(clause: Frame, claim: Reading) -> bool:
    """Whether a clause only says that a text says what follows ("the note warns that")."""
    after = next((frame for frame in claim.frames if frame.number == clause.number + 1), None)
    if after is None or after.opener != "that" or clause.verb < 0:
        return False
    content = [claim.pieces[k] for k in content_of(clause, claim.pieces)]
    if any(piece.part is Part.NAME or piece.figure for piece in content):
        return False
    nouns = [lemma for p in content if p.part is Part.NOUN for lemma, pos in p.lemmas if pos == "n"]
    return any(wordnet.noun_kind(noun) == "noun.communication" for noun in nouns)


def _worse(old: _Outcome, new: _Outcome) -> bool:
    """Whether the new outcome has less against it."""
    return (len(new.marks), -new.covered) < (len(old.marks), -old.covered)


def _used(outcomes: Sequence[_Outcome], texts: Evidence, given: Sequence[Text]) -> Iterator[Used]:
    """The sentences that the clauses were matched with, each once."""
    from imprimatur.sources.text.sentences import sentences

    by_key = {text.key: text.text for text in given}
    seen: set[tuple[str, int]] = set()
    for outcome in outcomes:
        frames = [outcome.match.frame] if outcome.match is not None else []
        frames += [frame for k in outcome.used if (frame := texts.frame_of(k)) is not None]
        for frame in frames:
            key = texts.key_of(frame.number)
            at = texts.pieces[frame.members[0]].start
            span = next(((a, b) for a, b in sentences(by_key[key]) if a <= at < b), None)
            if span is not None and (key, span[0]) not in seen:
                seen.add((key, span[0]))
                yield Used(key, *span, by_key[key][slice(*span)])
