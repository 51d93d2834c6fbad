"""Grammatical forms of a claim's clauses: who did it, for what, under which condition. ``CLAUSES`` are the rules.

A rule takes the claim's words and pieces and gives another form that says the same, or None where it does not apply.
``cleft`` and ``doer`` bring out who did what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imprimatur.extract.words import BE
from imprimatur.language import wordnet
from imprimatur.language.morphology import Form, inflect
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["CLAUSES", "cleft", "doer"]


_NOMINAL = (Part.NOUN, Part.NAME, Part.ADJECTIVE, Part.NUMBER, Part.DATE)


_VERBAL = (Part.VERB, Part.AUXILIARY, Part.PARTICIPLE)


def _begun(words: str, pieces: Sequence[Piece], end: int) -> str:
    """The claim up to a place, as it stands within a sentence."""
    told = words[:end]
    named = not pieces or pieces[0].part is Part.NAME or not pieces[0].first
    return told if named else told[:1].lower() + told[1:]


def cleft(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "It was Ann who won": Ann won."""
    for n, piece in enumerate(pieces[:-3]):
        if piece.lower != "it" or pieces[n + 1].lower not in ("is", "was") or (n and pieces[n - 1].text != ","):
            continue
        end = n + 2
        while end < len(pieces) and pieces[end].part in (*_NOMINAL, Part.DETERMINER):
            end += 1
        if end == n + 2 or end + 1 >= len(pieces) or not _says_who(pieces[end], pieces[end - 1]):
            continue
        if pieces[end + 1].part in (*_VERBAL, Part.ADVERB, Part.NEGATOR):
            told = words[pieces[n + 2].start : pieces[end - 1].end]
            return f"{words[: piece.start]}{told} {words[pieces[end + 1].start :]}"
    return None


def _says_who(piece: Piece, before: Piece) -> bool:
    """Whether a relative word tells which thing did it, not what is the case ("it is a fact that")."""
    return piece.lower == "who" or (piece.lower == "that" and (before.part is Part.NAME or before.figure))


def doer(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "… by Moravo, the buyer of the arm": … by Moravo; Moravo buys the arm."""
    for n in range(1, len(pieces) - 4):
        if pieces[n].text != "," or pieces[n - 1].part is not Part.NAME or pieces[n + 1].lower != "the":
            continue
        verb = _verb_of(pieces[n + 2]) if pieces[n + 3].lower == "of" else None
        if verb is None:
            continue
        first = n - 1
        while first > 0 and pieces[first - 1].part is Part.NAME:
            first -= 1
        end = next(
            (k for k in range(n + 4, len(pieces)) if pieces[k].part is Part.MARK and pieces[k].text in ",.;"), -1
        )
        close = pieces[end].start if end >= 0 else len(words)
        name, thing = words[pieces[first].start : pieces[n - 1].end], words[pieces[n + 4].start : close]
        rest = words[close:].removeprefix(",").strip().rstrip(".")
        told = f"{words[: pieces[n - 1].end]} {rest}".rstrip()
        return f"{told}. {name} {inflect(verb, 'v', Form.THIRD_PERSON)} {thing}."
    return None


def _verb_of(piece: Piece) -> str | None:
    """The verb of which a noun in -er or -or names the doer ("buyer": "buy")."""
    if not piece.lower.endswith(("er", "or")):
        return None
    stems = {verb for verb, pos in wordnet.derived(piece.lower, "n") if pos == "v" and piece.lower.startswith(verb[:3])}
    return min(stems, key=lambda verb: (len(verb), verb), default=None)


def _alone(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "Apart from X the sensor detects no gas": the sensor detects X but no other gas."""
    if not pieces or pieces[0].lower not in ("except", "besides"):
        return None
    no = next((n for n, piece in enumerate(pieces) if piece.lower == "no" and n + 1 < len(pieces)), 0)
    verb = next((n for n in range(no - 1, 1, -1) if pieces[n].part in _VERBAL), 0)
    opens = next((n for n in range(2, verb) if pieces[n].text == "," or pieces[n].lower in ("the", "a", "an")), 0)
    if not opens or pieces[no + 1].part is not Part.NOUN or verb + 1 != no:
        return None
    start = 2 if pieces[1].lower == "for" else 1
    thing = words[pieces[start].start : pieces[opens - 1].end]
    subject = pieces[opens + (pieces[opens].text == ",")].start
    return f"{words[subject : pieces[verb].end]} {thing} but no other {words[pieces[no + 1].start :]}"


_DONE = frozenset("played completed finished done over gone past".split())


def _having(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "With 32 rounds played, …", "With probation behind them, …": after them."""
    if not pieces or pieces[0].lower != "with":
        return None
    comma = next((n for n, piece in enumerate(pieces) if piece.text == ","), 0)
    if comma < 3:
        return None
    behind = pieces[comma - 2].lower == "behind" and pieces[comma - 1].part is Part.PRONOUN
    if not behind and pieces[comma - 1].lower not in _DONE:
        return None
    told = words[pieces[1].start : pieces[comma - (3 if behind else 2)].end]
    return f"After {told}{words[pieces[comma].start :]}"


def _cause(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "Nausea was the main reason why they left": they left mostly because of nausea."""
    for n in range(2, len(pieces) - 2):
        if pieces[n].lower != "reason" or pieces[n + 1].lower not in ("why", "for", "that"):
            continue
        the = n - 1 if pieces[n - 1].lower == "the" else n - 2
        if pieces[the].lower not in ("the", "one", "a") or pieces[the - 1].lower not in BE or the < 2:
            continue
        main = pieces[n - 1].lower in ("main", "chief", "principal", "primary")
        sole = the == n - 1
        if not (main or sole) or pieces[the].lower != "the":
            continue
        told = words[pieces[n + 2].start :].rstrip(" .")
        return f"{told} {'mostly ' if main else ''}because of {_begun(words, pieces, pieces[the - 2].end)}."
    return None


_LASTING = frozenset("last lasts is are was were amounts amount comes".split())


def _relative(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "The leave that parents receive is 112 days": parents receive 112 days of leave."""
    if len(pieces) < 6 or pieces[0].lower != "the" or pieces[1].part is not Part.NOUN:
        return None
    start = 3 if pieces[2].lower in ("that", "which") else 0
    verb = next((n for n in range(start + 1, len(pieces) - 1) if pieces[n].part in _VERBAL), 0) if start else 0
    says = verb + 1
    if not verb or says >= len(pieces) - 1 or pieces[says].lower not in _LASTING:
        return None
    value = says + 2 if pieces[says + 1].lower == "to" else says + 1
    if value >= len(pieces) or not pieces[value].figure:
        return None
    told, noun = words[pieces[start].start : pieces[verb].end], pieces[1].text
    return f"{told} {words[pieces[value].start : pieces[value].end]} of {noun}{words[pieces[value].end :]}"


def _bought(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "For the arm A paid B £5": A bought the arm from B for £5."""
    if not pieces or pieces[0].lower != "for":
        return None
    paid = next((n for n, piece in enumerate(pieces) if piece.lower in ("paid", "pays", "pay")), 0)
    figure = next((n for n in range(paid + 1, len(pieces)) if pieces[n].figure), 0) if paid else 0
    seller = pieces[paid + 1 : figure]
    if not seller or any(piece.part not in (Part.NAME, Part.NOUN, Part.DETERMINER) for piece in seller):
        return None
    buyer = next((n for n in range(paid - 1, 1, -1) if pieces[n].part is not Part.NAME), 0) + 1
    if buyer < 3 or buyer == paid:
        return None
    verb = {"paid": "bought", "pays": "buys", "pay": "buy"}[pieces[paid].lower]
    thing = words[pieces[1].start : pieces[buyer - 1 - (pieces[buyer - 1].text == ",")].end]
    who, whom = words[pieces[buyer].start : pieces[paid - 1].end], words[seller[0].start : seller[-1].end]
    return f"{who} {verb} {thing} from {whom} for {words[pieces[figure].start :]}"


def _paid(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "Adults pay 90 euros for entry": entry costs adults 90 euros."""
    paid = next((n for n, piece in enumerate(pieces) if piece.lower in ("pay", "pays", "paid")), 0)
    if not 0 < paid < len(pieces) - 3 or not pieces[paid + 1].figure or pieces[paid - 1].part is Part.AUXILIARY:
        return None
    place = next((n for n in range(paid + 2, len(pieces) - 1) if pieces[n].lower == "for"), 0)
    if not place or any(piece.part is Part.MARK for piece in pieces[:place]):
        return None
    verb = "cost" if pieces[paid].lower == "paid" else "costs"
    who, thing = _begun(words, pieces, pieces[paid - 1].end), words[pieces[place + 1].start :].rstrip(" .")
    return f"{thing} {verb} {words[pieces[paid + 1].start : pieces[place - 1].end]} for {who}."


def _unless(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "They do not breed unless it rains": they breed only if it rains."""
    unless = next((n for n, piece in enumerate(pieces) if piece.lower == "unless"), 0)
    deny = next((n for n in range(unless) if pieces[n].lower in ("not", "never", "n't")), 0)
    if deny < 1 or any(piece.lower in ("no", "nobody", "nothing") for piece in pieces[:unless]):
        return None
    doing = pieces[deny - 1].lower in ("do", "does", "did")
    head = words[: pieces[deny - 1].start if doing else pieces[deny - 1].end].rstrip()
    told = words[pieces[deny + 1].start : pieces[unless - 1].end].rstrip(" ,")
    return f"{head} {told} only if {words[pieces[unless + 1].start :]}" if unless + 1 < len(pieces) else None


def _fronted(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "Frozen at -18 °C, dough may be kept": dough frozen at -18 °C may be kept."""
    if not pieces or pieces[0].part is not Part.PARTICIPLE or pieces[0].lower.endswith("ing"):
        return None
    comma = next((n for n, piece in enumerate(pieces) if piece.text == ","), 0)
    verb = next((n for n in range(comma + 1, len(pieces)) if pieces[n].part in (Part.VERB, Part.AUXILIARY)), 0)
    subject = pieces[comma + 1 : verb]
    if not comma or not subject or any(p.part not in (*_NOMINAL, Part.DETERMINER) for p in subject):
        return None
    own, told = words[subject[0].start : subject[-1].end], _begun(words, pieces, pieces[comma - 1].end)
    return f"{own} {told} {words[pieces[verb].start :]}"


def _need(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "To assign it, a party needs consent": a party may not assign it without consent."""
    if len(pieces) < 5 or pieces[0].lower != "to" or pieces[1].part is not Part.VERB:
        return None
    comma = next((n for n, piece in enumerate(pieces) if piece.text == ","), 0)
    need = next((n for n in range(comma + 1, len(pieces) - 1) if pieces[n].lower in _NEEDING), 0)
    if not comma or need < comma + 2:
        return None
    who, deed = words[pieces[comma + 1].start : pieces[need - 1].end], words[pieces[1].start : pieces[comma - 1].end]
    return f"{who} may not {deed} without {words[pieces[need + 1].start :]}"


_NEEDING = frozenset("need needs require requires".split())


CLAUSES: tuple[Callable[[str, Sequence[Piece]], str | None], ...] = (
    cleft,
    doer,
    _alone,
    _having,
    _cause,
    _relative,
    _bought,
    _paid,
    _unless,
    _fronted,
    _need,
)
