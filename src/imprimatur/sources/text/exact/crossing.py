"""What a claim puts together that the text keeps apart: the subject of one clause with the value of another.

``crossings`` gives a mark for each word of a clause that stands, in the text, in a part of the sentence that speaks of
something else: behind a subject of its own, beside a number of its own, or where the text has another phrase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from imprimatur.extract.words import forms
from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match, head_of
from imprimatur.sources.text.exact.governed import governed
from imprimatur.sources.text.exact.limbs import PERSONAL, Limbs, Step, limbs_of, nominal, placed, preposition
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.exact.shuffling import shuffled
from imprimatur.sources.text.figures import comparable
from imprimatur.sources.text.frames import Frame, Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.verdict import Reason

__all__ = ["crossings"]

_VERBS = (Part.VERB, Part.PARTICIPLE)
_FINITE = (Part.VERB, Part.AUXILIARY)
_NOMINAL = (Part.NOUN, Part.NAME)
_SAYING = (Part.NOUN, Part.NAME, Part.ADJECTIVE, Part.PARTICIPLE, Part.VERB, Part.NUMBER, Part.DATE)
_RELATIVE = frozenset("who which whom whose".split())
_ONES = frozenset("one ones".split())
_ADDING = frozenset("and , & as".split())
_INSIDE = (Part.ADJECTIVE, Part.NOUN, Part.NAME, Part.PARTICIPLE, Part.NUMBER, Part.DETERMINER)


def crossings(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """The marks for words that are put together across the parts of a sentence."""
    limbs = limbs_of(texts)
    path = placed(match, claim, texts)
    if any(piece.lower == "respectively" for piece in texts.pieces):
        yield from shuffled(path, match, claim, texts)
        return
    taken = frozenset(step.other for step in path) | match.taken
    task = _Crossing(match, claim, texts, limbs, path, taken)
    yield from task.jumps()
    yield from task.own_values()
    yield from task.other_subject()
    yield from task.owned_verb()
    yield from task.lent_subject()
    yield from task.other_object()
    yield from task.pronoun()
    yield from task.complements()
    yield from shuffled(path, match, claim, texts)
    yield from governed(path, match, claim, texts)


@dataclass(frozen=True, slots=True)
class _Crossing:
    match: Match
    claim: Reading
    texts: Evidence
    limbs: Limbs
    path: tuple[Step, ...]
    taken: frozenset[int]

    def jumps(self) -> Iterator[Mark]:
        """Marks for words that stand behind a subject of their own which the claim leaves out."""
        for one, other in zip(self.path, self.path[1:], strict=False):
            here, there = self.limbs.number[one.other], self.limbs.number[other.other]
            if here == there or self._joint_subject(one, there):
                continue
            opening = self.texts.pieces[self.limbs.members[here][0]].lower
            if here == there + 1 and opening in _RELATIVE:
                continue  # from a relative clause to what it says it of
            verbal = self.claim.pieces[other.piece].part in _VERBS
            if verbal and not self._full(here, one.other):
                continue  # an elliptic part borrows the verb
            if self._lent(one, other):
                continue
            head = self._skipped(other.other)
            if head is not None and not self._said_apart(head):
                detail = f"the text has it of “{head.text}”"
                yield mark(self.claim.pieces[other.piece], Reason.ROLES_SWAPPED, detail)

    def _said_apart(self, text: Piece) -> bool:
        """Whether another clause of the claim has a word of the text."""
        apart = [each for k, each in enumerate(self.claim.pieces) if k not in self.match.clause.members]
        return any(each.lower == text.lower or each.lemmas & text.lemmas for each in apart)

    def _lent(self, one: Step, other: Step) -> bool:
        """Whether a word only says of what an amount is, as the text says once ("28 days of leave, all others 25")."""
        piece = self.claim.pieces[other.piece]
        if preposition(other.piece, self.claim.pieces) == "of" == preposition(other.other, self.texts.pieces):
            return True
        elliptic = self._verbless(self.limbs.number[one.other], one.other)
        return elliptic and (piece.one or (self.claim.pieces[one.piece].figure and piece.part is Part.NOUN))

    def _full(self, limb: int, but: int) -> bool:
        """Whether a part has a verb of its own and something behind it."""
        members = self.limbs.members[limb]
        finite = [n for n in members if self.texts.pieces[n].part in _FINITE and n != but]
        return bool(finite) and any(n > finite[0] and self.texts.pieces[n].part in _SAYING for n in members)

    def _verbless(self, limb: int, but: int = -1) -> bool:
        return not any(self.texts.pieces[n].part in _FINITE and n != but for n in self.limbs.members[limb])

    def _joint_subject(self, one: Step, there: int) -> bool:
        """Whether a word is one of several subjects ("the lid and the pot are …")."""
        here = self.limbs.number[one.other]
        if there != here + 1 or not self._verbless(here, one.other):
            return False
        members, after = self.limbs.members[here], self.limbs.members[there][0]
        parting = [piece.lower for piece in self.texts.pieces[members[-1] + 1 : after]]
        own = [self.texts.pieces[n] for n in members]
        plain = not any(piece.figure or piece.part is Part.PREPOSITION for piece in own)
        return bool(parting) and _ADDING.issuperset(parting) and parting != [","] and plain

    def _skipped(self, at: int) -> Piece | None:
        """The subject before a place in its part, where the claim has not got it; None for none."""
        limb = self.limbs.number[at]
        before = [n for n in self.limbs.members[limb] if n < at]
        if self.texts.pieces[self.limbs.members[limb][0]].lower in _RELATIVE:
            return None
        for n in before:
            piece = self.texts.pieces[n]
            if piece.part is Part.PREPOSITION:
                return None
            if piece.part in _FINITE:
                return self._borrowed(limb, n)
            if piece.lower in ("it", "they"):
                return None
            if piece.lower in _ONES and n and self.texts.pieces[n - 1].lower in ("the", "that", "this"):
                return piece
            if nominal(piece) and n not in self.taken and not _one_phrase(n, at, self.texts):
                return piece
            if nominal(piece):
                return None
        return self._borrowed(limb, at) if self.texts.pieces[at].part in _VERBS else None

    def _borrowed(self, limb: int, verb: int) -> Piece | None:
        """The subject that a part without one takes from the one before, where the claim has not got it."""
        home = self.texts.frame_of(verb)
        if limb == 0 or home is None:
            return None
        members = self.limbs.members[limb - 1]
        lender = self.texts.frame_of(members[0])
        if lender is None or lender.sentence != home.sentence or self._verbless(limb - 1):
            return None
        for n in members:
            piece = self.texts.pieces[n]
            if piece.part is Part.PREPOSITION or piece.part in _FINITE or piece.lower in _RELATIVE:
                return None
            if nominal(piece):
                phrase = [m for m in members if m >= n and _one_phrase(n, m, self.texts)]
                return None if self.taken & set(phrase) else piece
        return None

    def own_values(self) -> Iterator[Mark]:
        """Marks for what a part without a verb has another value of ("… and films for one week")."""
        for limb in {self.limbs.number[step.other] for step in self.path}:
            members = self.limbs.members[limb]
            if not self._verbless(limb) or not any(n in self.taken for n in members):
                continue
            own = [n for n in members if n not in self.taken]
            for step in self.path:
                piece = self.claim.pieces[step.piece]
                if self.limbs.number[step.other] == limb:
                    continue
                figures = [self.texts.pieces[n] for n in own if self.texts.pieces[n].figure]
                rival = next((each for each in figures if piece.figure and comparable(piece, each)), None)
                place = preposition(step.piece, self.claim.pieces)
                if rival is None and place not in ("", "of"):
                    phrase = [
                        n for n in own if _heads(n, self.texts.pieces) and preposition(n, self.texts.pieces) == place
                    ]
                    rival = self.texts.pieces[phrase[0]] if phrase else None
                if rival is not None:
                    yield mark(piece, Reason.ROLES_SWAPPED, f"of it the text has “{rival.text}”")

    def other_subject(self) -> Iterator[Mark]:
        """Marks for subjects that the text has with a verb of their own, where the claim's verb has another subject."""
        places = {step.piece: step.other for step in self.path}
        verb = places.get(self.match.clause.verb, -1)
        before = [n for n in self.limbs.before(verb) if self._bare(n)] if verb >= 0 else []
        opening = (
            [self.texts.pieces[n].lower for n in self.limbs.members[self.limbs.number[verb]][:2]] if before else []
        )
        if not before or _RELATIVE & set(opening):
            return
        for step in self.path:
            piece, home = self.claim.pieces[step.piece], self.limbs.number[step.other]
            if step.piece > self.match.clause.verb or home == self.limbs.number[verb] or piece.figure:
                continue
            if not _heads(step.piece, self.claim.pieces) or not self._full(home, step.other):
                continue
            if not any(self.texts.pieces[n].part in _FINITE for n in self.limbs.members[home] if n > step.other):
                continue
            members = self.limbs.members[home]
            if not any(n in self.taken for n in members if self.texts.pieces[n].part in _VERBS):
                detail = f"the text has “{self.texts.pieces[before[-1]].text}” in this place"
                yield mark(piece, Reason.ROLES_SWAPPED, detail)

    def _bare(self, k: int) -> bool:
        """Whether a piece is a thing that stands in no phrase with a preposition."""
        return nominal(self.texts.pieces[k]) and not preposition(k, self.texts.pieces)

    def owned_verb(self) -> Iterator[Mark]:
        """A mark for a verb that the text has of another subject ("the nurse … had found")."""
        places = {step.piece: step.other for step in self.path}
        verb, head = self.match.clause.verb, head_of(self.match.clause, self.claim.pieces)
        places.update({each.piece: each.other for each in self.match.found if each.other >= 0 and each.piece == verb})
        if verb not in places or head not in places or self.claim.pieces[verb].part not in _VERBS:
            return
        home = self.texts.frame_of(places[verb])
        if home is None or home.verb != places[verb] or home.passive is not self.match.clause.passive:
            return
        own = head_of(home, self.texts.pieces)
        if home.opener in ("who", "which", "that"):
            near = [n for n in range(max(0, home.members[0] - 4), home.members[0]) if nominal(self.texts.pieces[n])]
            own = near[-1] if near else -1
        if self._verbless(self.limbs.number[places[head]], places[head]):
            return  # it has no verb of its own, and borrows this one
        if own < 0 or own in self.taken or self.texts.pieces[own].lower in PERSONAL:
            return
        if self.texts.pieces[own].lemmas & self.claim.pieces[head].lemmas:
            return
        if places[head] in home.members and places[head] < places[verb]:
            return
        detail = f"the text has it of “{self.texts.pieces[own].text}”"
        yield mark(self.claim.pieces[verb], Reason.ROLES_SWAPPED, detail)

    def other_object(self) -> Iterator[Mark]:
        """Marks for what the text has behind another verb, where the claim's verb has something else behind it."""
        places = {step.piece: step.other for step in self.path}
        verb = places.get(self.match.clause.verb, self._found(self.match.clause.verb))
        if verb < 0 or self.texts.pieces[verb].part not in _VERBS:
            return
        limb = self.limbs.number[verb]
        yield from self._other_antecedent(limb)
        for step in self.path:
            home = self.limbs.number[step.other]
            if step.piece < self.match.clause.verb or home == limb or not _heads(step.piece, self.claim.pieces):
                continue
            own = [n for n in self.limbs.members[home] if n < step.other and self.texts.pieces[n].part in _VERBS]
            if own and not any(n in self.taken for n in own):
                detail = f"the text has it behind “{self.texts.pieces[own[-1]].text}”"
                yield mark(self.claim.pieces[step.piece], Reason.ROLES_SWAPPED, detail)

    def _other_antecedent(self, limb: int) -> Iterator[Mark]:
        """Marks for objects of a verb that the text says of another thing ("prednisolone, which he tolerated")."""
        members = self.limbs.members[limb]
        if self.texts.pieces[members[0]].lower not in ("which", "whom", "that"):
            return
        before = [n for n in range(max(0, members[0] - 4), members[0]) if nominal(self.texts.pieces[n])]
        if not before or before[-1] in self.taken:
            return
        for step in self.path:
            thing = step.piece > self.match.clause.verb and _heads(step.piece, self.claim.pieces)
            if thing and self.limbs.number[step.other] != limb and not preposition(step.piece, self.claim.pieces):
                detail = f"the text has it of “{self.texts.pieces[before[-1]].text}”"
                yield mark(self.claim.pieces[step.piece], Reason.ROLES_SWAPPED, detail)

    def _found(self, piece: int) -> int:
        return next((each.other for each in self.match.found if each.piece == piece), -1)

    def pronoun(self) -> Iterator[Mark]:
        """A mark for a name that the text has as "it", which may be another name of the sentence."""
        own = self.match.frame.members
        if not any(self.texts.pieces[n].lower in ("it", "them") for n in own if n > self.match.frame.verb >= 0):
            return
        same = [f for f in self.texts.frames if f.sentence == self.match.frame.sentence]
        names = {n for frame in same for n in frame.members if self.texts.pieces[n].part is Part.NAME and n not in own}
        for step in self.path:
            if step.other not in names or step.piece < self.match.clause.verb:
                continue
            others = names - self.taken - {n for n in names if self._one_name(n, step.other)}
            if others:
                yield mark(self.claim.pieces[step.piece], Reason.AMBIGUOUS_ENTITY, "the text has a pronoun here")

    def _one_name(self, n: int, other: int) -> bool:
        first, last = min(n, other), max(n, other)
        return all(self.texts.pieces[k].part is Part.NAME for k in range(first, last + 1))

    def lent_subject(self) -> Iterator[Mark]:
        """A mark for a clause that takes its subject from another one than the frame does ("…, and lost 18")."""
        if (
            head_of(self.match.clause, self.claim.pieces) >= 0
            or self.match.clause.passive is not self.match.frame.passive
        ):
            return
        mine = _subject(self.match.clause, self.claim.frames, self.claim.pieces)
        theirs = _subject(self.match.frame, self.texts.frames, self.texts.pieces)
        if mine < 0 or theirs < 0 or self.match.clause.verb < 0:
            return
        if any(self.claim.pieces[k].figure for k in self.match.clause.members if k < self.match.clause.verb):
            return  # the number is the subject
        own, their = self.claim.pieces[mine], self.texts.pieces[theirs]
        said = own.lemmas | {(own.lower, "")}
        heads = [self.texts.pieces[n] for frame in self.texts.frames if (n := head_of(frame, self.texts.pieces)) >= 0]
        known = any(own.lower == each.lower or own.lemmas & each.lemmas for each in heads)
        if known and own.lower != their.lower and not said & (their.lemmas | {(their.lower, "")}):
            yield mark(own, Reason.ROLES_SWAPPED, f"the text has it of “{their.text}”")

    def complements(self) -> Iterator[Mark]:
        """Marks for what stands behind a preposition where the text has another phrase behind the same word."""
        for one, other in zip(self.path, self.path[1:], strict=False):
            place = preposition(other.piece, self.claim.pieces, within=(one.piece, other.piece))
            if not place or self.limbs.number[one.other] == self.limbs.number[other.other]:
                continue
            members = [n for n in self.limbs.members[self.limbs.number[one.other]] if n > one.other]
            if not members or self.texts.pieces[members[0]].lower != place:
                continue
            if preposition(other.other, self.texts.pieces) == place:
                continue  # "on buses, but not on the train"
            filler = next((n for n in members if _heads(n, self.texts.pieces)), -1)
            if filler >= 0 and filler not in self.taken and not self._listed(filler, other.other):
                detail = f"the text has “{place} {self.texts.pieces[filler].text}”"
                yield mark(self.claim.pieces[other.piece], Reason.ROLES_SWAPPED, detail)

    def _listed(self, filler: int, at: int) -> bool:
        """Whether a word stands in one list with another ("in Spain and Portugal")."""
        home, there = self.texts.frame_of(filler), self.texts.frame_of(at)
        if home is None or there is None or home.sentence != there.sentence:
            return False
        between = self.texts.pieces[filler + 1 : at] if filler < at else self.texts.pieces[at + 1 : filler]
        listing = (Part.CONJUNCTION, Part.MARK, Part.DETERMINER, Part.ADJECTIVE, *_NOMINAL)
        return all(piece.part in listing for piece in between)


def _subject(frame: Frame, frames: Sequence[Frame], pieces: Sequence[Piece]) -> int:
    """The head of a frame's subject, its own or that of the frame that lends it one; -1 for none."""
    at, seen = frame, {frame.number}
    while True:
        head = head_of(at, pieces)
        if head >= 0 or at.lender < 0 or at.lender in seen:
            return head
        seen.add(at.lender)
        at = frames[at.lender]


def _heads(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a piece is the head of its phrase."""
    after = pieces[k + 1] if k + 1 < len(pieces) else None
    return nominal(pieces[k]) and not (after is not None and after.part in _NOMINAL and not pieces[k].figure)


def _one_phrase(n: int, at: int, texts: Evidence) -> bool:
    """Whether two pieces stand in one noun phrase."""
    inside = (texts.pieces[k] for k in range(n, at))
    if not all(piece.part in _INSIDE and not piece.figure for piece in inside):
        return False
    if n < at and texts.pieces[at].part in (Part.ADJECTIVE, Part.ADVERB):
        return False  # "the rest abroad"
    several = texts.pieces[n].part is Part.NOUN and forms(texts.pieces[n].lower).plural
    return n == at or not several or texts.pieces[n + 1].part is Part.NAME
