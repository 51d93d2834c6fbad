"""Where the clauses of a text begin and end: the pieces of each frame, before its verb and places are known.

A relative clause may interrupt another one, which then goes on behind it; every piece but a stop is in one draft.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imprimatur.extract.words import forms
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.rests import gapped, of_others, parallel, sided

__all__ = ["Draft", "drafts", "inverted"]

_FRAMING = frozenset(
    (
        "if unless although though because while whereas when whenever where once provided providing whilst lest so"
    ).split()
)

#: Those that are no conjunctions where no clause follows ("once by a year", "provided by the host").
_ALSO_ELSE = frozenset("once provided providing so".split())

_RELATIVE = frozenset("which who whom whose that".split())

_JOINTS = frozenset("as before after until till since that which who whom whose".split())

_STOPS = frozenset(".!?;:\u2014\u2013")


@dataclass(slots=True)
class Draft:
    """The pieces of a frame; ``relative``: it interrupts ``lender``, ``coordinate``: it goes on beside it."""

    members: list[int]
    sentence: int
    opener: str = ""
    lender: int = -1
    relative: bool = False
    coordinate: bool = False


def drafts(pieces: Sequence[Piece]) -> list[Draft]:
    """The drafts of the frames of a text, in the order of their first pieces."""
    done: list[Draft] = []
    sentence = 0
    current = Draft([], 0)
    outer: Draft | None = None  # the clause that a relative one interrupts

    def close() -> None:
        if current.members and not any(draft is current for draft in done):
            done.append(current)

    n = 0
    while n < len(pieces):
        piece = pieces[n]
        if piece.text in _STOPS:
            close()
            sentence += piece.text in ".!?;"
            lender = len(done) - 1 if piece.text in ":\u2014\u2013" else -1
            current, outer = Draft([], sentence, lender=lender), None
        elif (outer is None or not _awaited(pieces, n, current, outer)) and (opened := _opening(pieces, n, current)):
            opener, skip, relative = opened
            close()
            lender = next((k for k, d in enumerate(done) if d is current), len(done) - 1)
            if relative:
                outer = outer if current.relative else current
            listed = opener in ("and", "but", "or") or (opener == "" and piece.text == ",")
            current = Draft([], sentence, opener, lender, relative, listed)
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
    return done


def _awaited(pieces: Sequence[Piece], n: int, current: Draft, outer: Draft) -> bool:
    """Whether a comma ends a relative clause within another one that has no verb yet."""
    waits = current.relative and pieces[n].text == "," and not _has_verb(outer.members, pieces)
    return waits and _has_verb(current.members, pieces)


def _opening(pieces: Sequence[Piece], n: int, current: Draft) -> tuple[str, int, bool] | None:
    """Whether a frame begins at piece ``n``: its opener, how many pieces to pass over, and whether it is relative."""
    piece = pieces[n]
    lower = piece.lower
    if current.opener in _SHORT and len(current.members) == 1 and _subject_at(pieces, n, current):
        return ("", 0, False)  # "once thawed it has to be used"
    if not current.members:
        framing = lower in _FRAMING and (lower not in _ALSO_ELSE or _clause_from(pieces, n + 1))
        return (lower, 1, False) if framing and not current.opener else None
    if lower == "where" and n > 1 and pieces[n - 1].text == "," and pieces[n - 2].part in (Part.NOUN, Part.NAME):
        return (lower, 1, True)  # "the mountains, where hives are treated, …"
    if lower in _FRAMING and piece.part is not Part.NOUN and (lower not in _ALSO_ELSE or _clause_from(pieces, n + 1)):
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
    if lower == "yet" and n + 1 < len(pieces) and pieces[n + 1].lower == "to":
        return None  # "has yet to start"
    if lower in ("and", "but", "or", "nor", "yet") and _coordinates(pieces, n, current):
        return (lower, 1, False)
    if lower == "without" and _has_verb(current.members, pieces):
        return (lower, 1, False)
    if lower in ("against", "versus") and parallel(pieces, n + 1, current.members):
        return (lower, 1, False)
    if piece.text == "," and _after_comma(pieces, n, current):
        return ("", 1, False)
    if piece.part is Part.PARTICIPLE and _reduced(pieces, n, current):
        return ("", 0, False)
    return None


_SHORT = frozenset("once when if unless until".split())


def _subject_at(pieces: Sequence[Piece], n: int, current: Draft) -> bool:
    """Whether a clause begins behind a lone participle."""
    led = "pp" in forms(pieces[current.members[0]].lower).verb_forms and pieces[n].text != ","
    return led and pieces[n].part in (Part.PRONOUN, Part.DETERMINER, Part.NAME) and _clause_from(pieces, n)


def _modifier(pieces: Sequence[Piece], n: int, current: Draft) -> bool:
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
    """The comma that ends a phrase between commas, one with a preposition or before a verb; 0 for none."""
    if comma + 1 >= len(pieces):
        return 0
    phrase = pieces[comma + 1].part is Part.PREPOSITION
    for k in range(comma + 2, min(len(pieces), comma + 10)):
        if pieces[k].text == ",":
            verb = k + 1 < len(pieces) and pieces[k + 1].part in (Part.VERB, Part.AUXILIARY)
            return k if phrase or verb else 0
        if pieces[k].text in _STOPS or pieces[k].part in (Part.VERB, Part.AUXILIARY):
            return 0
        if not phrase and pieces[k].part is Part.CONJUNCTION:
            return 0
    return 0


def _has_verb(members: Sequence[int], pieces: Sequence[Piece]) -> bool:
    return any(pieces[k].part in (Part.VERB, Part.AUXILIARY, Part.PARTICIPLE) for k in members)


def _coordinates(pieces: Sequence[Piece], n: int, current: Draft) -> bool:
    """Whether what follows "and" is a clause, a further verb, or an elliptic one."""
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    if after is None:
        return False
    if not _has_verb(current.members, pieces):
        if current.opener == "because" and pieces[current.members[0]].lower == "of" and _clause_from(pieces, n + 1):
            return True  # "because of rust, and traffic fell"
        rest = current.coordinate and gapped(pieces, n + 1, current.members)  # "…, children 6 and pensioners 8"
        return rest or parallel(pieces, n + 1, current.members)
    if _clause_from(pieces, n + 1) or after.part is Part.PARTICIPLE or gapped(pieces, n + 1, current.members):
        return True
    return after.part is Part.NEGATOR or after.lower == "only" or parallel(pieces, n + 1, current.members)


def _after_comma(pieces: Sequence[Piece], n: int, current: Draft) -> bool:
    """Whether a comma ends the frame: another clause or participle follows, or a subordinate one ends."""
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    if after is None or after.lower in ("and", "or", "but", "as") or after.lower in _FRAMING | _RELATIVE:
        return False
    if not _has_verb(current.members, pieces):
        return False
    if after.part in (Part.PARTICIPLE, Part.VERB):
        return True
    noun = after.part in (Part.DETERMINER, Part.NOUN) and not forms(after.lower).verb
    if (noun or after.part is Part.PREPOSITION) and gapped(pieces, n + 1, current.members):
        return True  # "…, in Paris 120", "…, children 6"
    if after.lower == "not" and not _clause_from(pieces, n + 1):
        return True  # "of Hadrian, not of Trajan"
    if of_others(pieces, n + 1):
        return True  # "…, all others a credit note"
    if after.lower in ("those", "that") and sided(pieces, n + 1, current.members):
        return True
    if after.lower in ("except", "unlike", "including") or (after.figure and not _clause_from(pieces, n + 1)):
        return after.figure is False
    return _clause_from(pieces, n + 1)


def inverted(members: Sequence[int], pieces: Sequence[Piece]) -> bool:
    """Whether an auxiliary stands before the subject ("in no case was the limit exceeded")."""
    at = next((n for n, k in enumerate(members) if pieces[k].part is Part.AUXILIARY), 0)
    denied = any(pieces[k].part is Part.NEGATOR or pieces[k].lower in _ONLY for k in members[:at])
    return denied and at + 1 < len(members) and pieces[members[at + 1]].part in _OPENING_SUBJECT


_ONLY = frozenset("only rarely seldom hardly".split())

_OPENING_SUBJECT = (Part.DETERMINER, Part.PRONOUN, Part.NAME, Part.NOUN)


def _reduced(pieces: Sequence[Piece], n: int, current: Draft) -> bool:
    """Whether a participle begins a reduced clause ("…, using 5 ml", "novels published after his death")."""
    if inverted(current.members, pieces) and not any(pieces[k].part in (Part.VERB,) for k in current.members):
        return False
    before = pieces[n - 1]
    if before.quantity is not None and before.quantity.ordinal and n > 1 and pieces[n - 2].part is Part.AUXILIARY:
        return False  # "was first postponed"
    return _has_verb(current.members, pieces) and before.part in (Part.NOUN, Part.NAME, Part.NUMBER)


def _resumes(pieces: Sequence[Piece], n: int, current: Draft) -> bool:
    """Whether the clause around a relative one goes on: after its comma, or with a second finite verb."""
    if pieces[n].text == ",":
        return _has_verb(current.members, pieces)
    second = pieces[n].part in (Part.AUXILIARY, Part.VERB) and pieces[n - 1].part is not Part.AUXILIARY
    return second and _has_verb(current.members, pieces) and pieces[n - 1].part not in (Part.ADVERB, Part.NEGATOR)
