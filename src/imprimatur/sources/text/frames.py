"""Frames: the clauses of a text, each with its verb, its phrases and their places, and what it takes from others.

A frame is as much of a sentence as one verb governs: a main clause, a relative or subordinate one, a further verb of
one subject, or an elliptic rest ("… and 85 in Ghent", "but not in water"). A ``Phrase`` is a stretch of a frame in one
place: ``subj``, ``verb``, ``obj`` or a preposition; a passive is turned round, so that its subject is ``obj`` and its
agent ``subj``. Where the cuts are wrong a comparison finds less in common, never more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from imprimatur.extract.words import BE, forms
from imprimatur.sources.text.pieces import Part, Piece, pieces_of
from imprimatur.sources.text.words import opposed_places

__all__ = ["Frame", "Reading", "read"]

#: Conjunctions that make the clause behind them a condition of the other one.
CONDITIONS = frozenset("if unless provided providing whenever when once until till before after while where".split())
_FRAMING = frozenset(
    (
        "if unless although though because while whereas when whenever where once provided providing whilst lest so"
    ).split()
)
_RELATIVE = frozenset("which who whom whose that".split())
_JOINTS = frozenset("as before after until till since that which who whom whose".split())
_STOPS = frozenset(".!?;:\u2014\u2013")


@dataclass(frozen=True, slots=True)
class Frame:
    """One clause.

    Attributes:
        number: its place among the frames of its text.
        sentence: the number of its sentence.
        members: the indices of its pieces, in order.
        places: for each member, ``subj``, ``verb``, ``obj`` or a preposition.
        opener: the conjunction or relative word that it begins with, "" for none.
        verb: the index of its main verb or copula; -1 for none.
        lender: the frame that its subject (for an elliptic one its verb too) is taken from; -1 for none.
        elliptic: it has no verb of its own.
    """

    number: int
    sentence: int
    members: tuple[int, ...]
    places: tuple[str, ...]
    opener: str
    verb: int
    passive: bool
    lender: int
    elliptic: bool

    def place(self, index: int) -> str:
        """The place of one of its pieces."""
        return self.places[self.members.index(index)]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text's pieces and frames."""

    text: str
    pieces: tuple[Piece, ...]
    frames: tuple[Frame, ...]


@lru_cache(2048)
def read(text: str, locale: str = "en") -> Reading:
    """The pieces and frames of a text."""
    pieces = pieces_of(text, locale)
    return Reading(text, pieces, tuple(_frames(pieces)))


@dataclass(slots=True)
class _Draft:
    members: list[int]
    sentence: int
    opener: str = ""
    lender: int = -1
    relative: bool = False
    coordinate: bool = False


def _frames(pieces: Sequence[Piece]) -> Iterator[Frame]:
    done: list[Frame] = []
    for number, draft in enumerate(_drafts(pieces)):
        done.append(_frame(number, draft, pieces, done[-1] if done else None))
    yield from done


def _drafts(pieces: Sequence[Piece]) -> list[_Draft]:
    drafts: list[_Draft] = []
    sentence = 0
    current = _Draft([], 0)
    outer: _Draft | None = None  # the clause that a relative one interrupts

    def close() -> None:
        if current.members and not any(draft is current for draft in drafts):
            drafts.append(current)

    n = 0
    while n < len(pieces):
        piece = pieces[n]
        if piece.text in _STOPS:
            close()
            sentence += piece.text in ".!?;"
            lender = len(drafts) - 1 if piece.text in ":\u2014\u2013" else -1
            current, outer = _Draft([], sentence, lender=lender), None
        elif opened := _opening(pieces, n, current):
            opener, skip, relative = opened
            close()
            lender = next((k for k, d in enumerate(drafts) if d is current), len(drafts) - 1)
            if relative:
                outer = outer if current.relative else current
            listed = opener in ("and", "but", "or") or (opener == "" and piece.text == ",")
            current = _Draft([], sentence, opener, lender, relative, listed)
            n += skip
            if skip == 0:
                current.members.append(n)
                n += 1
            continue
        elif current.relative and outer is not None and _resumes(pieces, n, current):
            close()
            current, outer = outer, None
            current.members.append(n)
        else:
            current.members.append(n)
        n += 1
    close()
    return drafts


def _opening(pieces: Sequence[Piece], n: int, current: _Draft) -> tuple[str, int, bool] | None:
    """Whether a frame begins at piece ``n``: its opener, how many pieces to pass over, and whether it is relative."""
    piece = pieces[n]
    lower = piece.lower
    if not current.members:
        return None if current.opener or lower not in _FRAMING else (lower, 1, False)
    if lower in _FRAMING and piece.part is not Part.NOUN:
        return (lower, 1, False)
    if lower in _RELATIVE and current.opener != lower and _relative(pieces, n):
        return (lower, 1, True)
    if piece.part is Part.PREPOSITION and n + 1 < len(pieces) and pieces[n + 1].lower in ("which", "whom"):
        if current.opener == pieces[n + 1].lower:
            return None
        return (pieces[n + 1].lower, 2, True)
    if piece.figure and n + 2 < len(pieces) and pieces[n + 2].lower in ("which", "whom"):
        return (pieces[n + 2].lower, 0, True)
    if lower == "as" and _clause_from(pieces, n + 1) and not _compares(pieces, n):
        return (lower, 1, pieces[n - 1].text == ",")
    if lower in ("before", "after", "until", "till", "since") and _clause_from(pieces, n + 1):
        if _modifier(pieces, n, current):
            return None
        return (lower, 1, False)
    if lower in ("and", "but", "or", "nor", "yet") and _coordinates(pieces, n, current):
        return (lower, 1, False)
    if lower == "without" and _has_verb(current.members, pieces):
        return (lower, 1, False)
    if lower in ("against", "versus") and _parallel(pieces, n + 1, current):
        return (lower, 1, False)
    if piece.text == "," and _after_comma(pieces, n, current):
        return ("", 1, False)
    if piece.part is Part.PARTICIPLE and _reduced(pieces, n, current):
        return ("", 0, False)
    return None


def _modifier(pieces: Sequence[Piece], n: int, current: _Draft) -> bool:
    """ "Orders placed before noon are shipped": the phrase belongs to a participle, whose clause goes on behind it."""
    last = pieces[current.members[-1]]
    auxiliary = any(pieces[k].part is Part.AUXILIARY for k in current.members)
    after = pieces[n + 2] if n + 2 < len(pieces) else None
    return (
        not auxiliary
        and "pp" in forms(last.lower).verb_forms
        and after is not None
        and (after.part is Part.AUXILIARY and pieces[n + 1].part in (Part.NOUN, Part.NAME, Part.DATE, Part.NUMBER))
    )


def _relative(pieces: Sequence[Piece], n: int) -> bool:
    if pieces[n].lower != "that":
        return True
    before = pieces[n - 1]
    if before.part in (Part.VERB, Part.PARTICIPLE) or before.lower == "so":
        return _clause_from(pieces, n + 1)
    return before.part in (Part.NOUN, Part.NAME, Part.PRONOUN) and _clause_from(pieces, n + 1)


def _compares(pieces: Sequence[Piece], n: int) -> bool:
    return any(pieces[k].lower == "as" for k in range(max(0, n - 4), n))


def _clause_from(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a verb stands before the next boundary; a phrase between commas is passed over."""
    k = n - 1
    while k + 1 < len(pieces):
        k += 1
        piece = pieces[k]
        if piece.text == "," and (end := _inserted(pieces, k)):
            k = end
            continue
        if k > n and piece.lower in _JOINTS:
            return False
        if piece.part in (Part.VERB, Part.AUXILIARY):
            return True
        if piece.text in _STOPS or piece.text == "," or piece.lower in _FRAMING or piece.lower in ("and", "but", "or"):
            return False
    return False


def _inserted(pieces: Sequence[Piece], comma: int) -> int:
    """The comma that ends a phrase with a preposition between commas; 0 for none."""
    if comma + 1 >= len(pieces) or pieces[comma + 1].part is not Part.PREPOSITION:
        return 0
    for k in range(comma + 2, min(len(pieces), comma + 10)):
        if pieces[k].text == ",":
            return k
        if pieces[k].text in _STOPS or pieces[k].part in (Part.VERB, Part.AUXILIARY):
            return 0
    return 0


def _has_verb(members: Sequence[int], pieces: Sequence[Piece]) -> bool:
    return any(pieces[k].part in (Part.VERB, Part.AUXILIARY, Part.PARTICIPLE) for k in members)


def _coordinates(pieces: Sequence[Piece], n: int, current: _Draft) -> bool:
    """Whether what follows "and" is a clause, a further verb, or an elliptic one."""
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    if after is None:
        return False
    if not _has_verb(current.members, pieces):
        return _parallel(pieces, n + 1, current)
    if _clause_from(pieces, n + 1) or after.part is Part.PARTICIPLE:
        return True
    return after.part is Part.NEGATOR or after.lower == "only" or _parallel(pieces, n + 1, current)


def _parallel(pieces: Sequence[Piece], n: int, current: _Draft) -> bool:
    """ "… and 85 in Ghent": a figure (with a noun) and a phrase, as in the frame before."""
    if n >= len(pieces) or not pieces[n].figure:
        return False
    k = n + 1
    while k < len(pieces) and pieces[k].part in (Part.NOUN, Part.ADJECTIVE):
        k += 1
    if k >= len(pieces) or pieces[k].part is not Part.PREPOSITION or pieces[k].lower == "of":
        return False
    words = [pieces[m].lower for m in current.members]
    figures = any(pieces[m].figure for m in current.members)
    return figures and any(word == pieces[k].lower or opposed_places(word, pieces[k].lower) for word in words)


def _after_comma(pieces: Sequence[Piece], n: int, current: _Draft) -> bool:
    """Whether a comma ends the frame: another clause or participle follows, or a subordinate one ends."""
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    if after is None or after.lower in ("and", "or", "but", "as") or after.lower in _FRAMING | _RELATIVE:
        return False
    if not _has_verb(current.members, pieces):
        return False
    if after.part in (Part.PARTICIPLE, Part.VERB):
        return True
    if after.lower in ("except", "unlike", "including") or (after.figure and not _clause_from(pieces, n + 1)):
        return after.figure is False
    return _clause_from(pieces, n + 1)


def _reduced(pieces: Sequence[Piece], n: int, current: _Draft) -> bool:
    """Whether a participle begins a reduced clause ("…, using 5 ml", "novels published after his death")."""
    return _has_verb(current.members, pieces) and pieces[n - 1].part in (Part.NOUN, Part.NAME, Part.NUMBER)


def _resumes(pieces: Sequence[Piece], n: int, current: _Draft) -> bool:
    """Whether the clause around a relative one goes on: after its comma, or with a second finite verb."""
    if pieces[n].text == ",":
        return _has_verb(current.members, pieces)
    second = pieces[n].part in (Part.AUXILIARY, Part.VERB) and pieces[n - 1].part is not Part.AUXILIARY
    return second and _has_verb(current.members, pieces) and pieces[n - 1].part not in (Part.ADVERB, Part.NEGATOR)


# -- places ---------------------------------------------------------------------------------------------------------
def _frame(number: int, draft: _Draft, pieces: Sequence[Piece], before: Frame | None) -> Frame:
    members = draft.members
    pivot = _pivot(members, pieces)
    verb = _main(members, pivot, pieces)
    passive = _passive(members, verb, pieces)
    if passive and before is not None and draft.opener in ("and", "but", "or", "") and _bare(members, verb, pieces):
        passive = before.passive or (
            draft.opener == "" and pieces[verb].part is Part.PARTICIPLE and not draft.coordinate
        )
    places = _places(members, pivot, verb, pieces)
    if passive:
        swap = {"subj": "obj", "obj": "pred", "by": "subj"}
        places = [swap.get(place, place) for place in places]
    return Frame(
        number=number,
        sentence=draft.sentence,
        members=tuple(members),
        places=tuple(places),
        opener=draft.opener,
        verb=verb,
        passive=passive,
        lender=_lender(number, draft, pieces, places),
        elliptic=verb < 0,
    )


def _pivot(members: Sequence[int], pieces: Sequence[Piece]) -> int:
    """The first finite verb or auxiliary; else the first participle; -1 for none."""
    for parts in ((Part.AUXILIARY,), (Part.VERB,), (Part.PARTICIPLE,)):
        found = next((k for k in members if pieces[k].part in parts), None)
        if found is not None:
            return found
    return -1


def _main(members: Sequence[int], pivot: int, pieces: Sequence[Piece]) -> int:
    """The verb that an auxiliary leads to, or the auxiliary itself."""
    if pivot < 0 or pieces[pivot].part is not Part.AUXILIARY:
        return pivot
    for k in members:
        if k <= pivot:
            continue
        if pieces[k].part in (Part.VERB, Part.PARTICIPLE):
            return k
        if pieces[k].part not in (Part.AUXILIARY, Part.ADVERB, Part.NEGATOR, Part.PRONOUN):
            break
    return pivot


def _passive(members: Sequence[int], verb: int, pieces: Sequence[Piece]) -> bool:
    if verb < 0 or pieces[verb].part not in (Part.VERB, Part.PARTICIPLE):
        return False
    if "pp" not in forms(pieces[verb].lower).verb_forms:
        return False
    before = [pieces[k] for k in members if k < verb]
    auxiliary = [piece for piece in before if piece.part is Part.AUXILIARY]
    if auxiliary:
        return auxiliary[-1].lower in BE
    subjects = (Part.NOUN, Part.NAME, Part.NUMBER, Part.PRONOUN)
    return pieces[verb].part is Part.PARTICIPLE or not any(p.part in subjects for p in before)


def _places(members: Sequence[int], pivot: int, verb: int, pieces: Sequence[Piece]) -> list[str]:
    places: list[str] = []
    place = "subj"
    before = True
    for k in members:
        piece = pieces[k]
        if k in (pivot, verb):
            before = False
            place = "obj"
            places.append("verb")
            continue
        if piece.part is Part.PREPOSITION and piece.lower != "of":
            place = piece.lower
        elif before and place != "subj" and (piece.text == "," or _opens_subject(k, pieces)):
            place = "subj"
        elif piece.part is Part.VERB and not before:
            place = "obj"
        places.append(place)
    return places


def _opens_subject(k: int, pieces: Sequence[Piece]) -> bool:
    """Whether a subject begins behind a phrase that stands in front ("On 5 May Ann came")."""
    piece, before = pieces[k], pieces[k - 1] if k else None
    if before is None or before.part is Part.PREPOSITION:
        return False
    if piece.lower in ("the", "a", "an", "no") or (piece.part is Part.PRONOUN and not piece.lower.endswith("s")):
        return before.part is not Part.DETERMINER
    named = piece.part is Part.NAME and not piece.label
    return named and (before.figure or before.part is Part.NOUN)


def _object_follows(members: Sequence[int], verb: int, pieces: Sequence[Piece]) -> bool:
    """Whether a phrase stands right behind the verb."""
    after = next((pieces[k] for k in members if k > verb), None)
    return after is not None and (after.figure or after.part in (Part.DETERMINER, Part.NOUN, Part.NAME, Part.ADJECTIVE))


def _bare(members: Sequence[int], verb: int, pieces: Sequence[Piece]) -> bool:
    """Whether neither a subject nor an auxiliary stands before the verb."""
    return not any(
        pieces[k].part in (Part.NOUN, Part.NAME, Part.AUXILIARY, Part.PRONOUN, Part.NUMBER) for k in members if k < verb
    )


def _lender(number: int, draft: _Draft, pieces: Sequence[Piece], places: Sequence[str]) -> int:
    """The frame that a subject is taken from: a pronoun's or an absent one's is that of the frame before."""
    if draft.lender >= 0:
        return draft.lender
    subjects = [pieces[k] for k, place in zip(draft.members, places, strict=True) if place in ("subj", "obj")]
    if number and any(piece.part is Part.PRONOUN for piece in subjects):
        return number - 1
    return -1
