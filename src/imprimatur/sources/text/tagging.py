"""The part of speech of each piece by context: a small set of rules over what the forms of a word allow.

Where a rule is wrong, a comparison finds less in common, never more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.extract.words import BE, DO, HAVE, forms
from imprimatur.language import closed_class, morphology
from imprimatur.language._wordnet_file import senses_of
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["STOPS", "plural", "tagged"]

STOPS = frozenset(".!?:;\u2014\u2013")

_SUBJECTS = frozenset("it they he she we you i who which that this these those whoever".split())

_CLOSED = (
    (
        Part.NEGATOR,
        frozenset("not n't never no none nobody nothing nowhere neither nor cannot".split()),
    ),
    (
        Part.PRONOUN,
        frozenset(
            (
                "it they he she him them we you i us me who whom which what itself themselves himself herself someone "
                "something anyone anything everyone everything everybody anybody whose its their his her my our your "
                "mine yours one ones whoever whatever whichever whomever"
            ).split()
        ),
    ),
    (
        Part.DETERMINER,
        frozenset(
            (
                "the a an this that these those each every some any another both all several many few most much more "
                "less fewer other such same whole entire enough either half"
            ).split()
        ),
    ),
    (
        Part.PREPOSITION,
        frozenset(
            (
                "of in at on into onto to from by with without within inside through throughout across along near for "
                "as toward towards over under above below between among amongst against during before after since "
                "until till about around beyond beside besides past via per upon off out like despite including than "
                "behind beneath underneath alongside amid outside except unlike according ahead apart owing"
            ).split()
        ),
    ),
    (
        Part.CONJUNCTION,
        frozenset(
            (
                "and or but if unless although though because while whereas when whenever where whether once so yet "
                "provided providing whilst lest"
            ).split()
        ),
    ),
)

_MODALS = closed_class.words("modal") | {"'ll"}


def plural(lower: str) -> bool:
    return forms(lower).plural


def tagged(pieces: list[Piece]) -> list[Piece]:
    out: list[Piece] = []
    finite = comma = fronted = False
    for n, piece in enumerate(pieces):
        if fronted and piece.text == ",":
            finite = fronted = False
        comma = piece.text == "," or (comma and not (piece.text in STOPS or piece.lower in _OPENERS))
        if piece.text in STOPS or piece.lower in _OPENERS:
            finite = False
        part = piece.part if piece.figure or piece.label or piece.part is not Part.NOUN else None
        if part is None:
            done = finite and not (comma and _plain_verb(pieces, n))
            part = _closed_part(piece, pieces, n) or _open_part(piece, out, pieces, n, finite=done)
        finite = finite or part is Part.VERB or part is Part.AUXILIARY
        fronted = (fronted and piece.text not in STOPS) or (
            piece.first and (part in (Part.PARTICIPLE, Part.CONJUNCTION) or piece.lower == "as")
        )
        out.append(piece if part is piece.part else replace(piece, part=part))
    return out


def _plain_verb(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a word behind a comma looks like the verb of a new clause: it has a subject, and an object follows."""
    if n < 2 or n + 1 >= len(pieces) or not forms(pieces[n].lower).verb_forms & {"s", "base"}:
        return False
    after = pieces[n + 1]
    follows = forms(after.lower)
    if pieces[n - 1].label and after.part is not Part.MARK and follows.noun:
        return True
    return bool(after.figure or follows.closed & {"det", "poss"}) and pieces[n - 1].part is not Part.MARK


_OPENERS = frozenset(
    ("and or but if unless although though because while whereas when whenever where which who that so once").split()
)


def _closed_part(piece: Piece, pieces: Sequence[Piece], n: int) -> Part | None:
    lower = piece.lower
    if piece.text == "A" and not piece.first:
        return Part.NAME
    if lower == "mine" and n and pieces[n - 1].lower in ("the", "a", "each", "every", "this", "that"):
        return None
    if lower in ("'s", "'", "\u2019s") and not (n and pieces[n - 1].lower in _SUBJECTS | {"there", "what", "here"}):
        return Part.MARK
    if lower in BE or lower in HAVE or lower in DO or (lower in _MODALS and not (lower == "may" and _month(piece))):
        return Part.AUXILIARY
    if piece.text[:1].isupper() and not piece.first and len(piece.text) > 1:
        return None
    if lower in ("that", "this", "these", "those") and n + 1 < len(pieces):
        after = pieces[n + 1]
        if _is_verbal(after) or after.part is Part.MARK or "det" in forms(after.lower).closed:
            return Part.PRONOUN
        follows = forms(after.lower)
        if lower == "that" and n and follows.verb_forms & {"past", "s"} and not follows.noun and not follows.adj:
            return Part.PRONOUN  # "the museum that bought it"
        if lower == "that" and n and follows.plural and "s" in follows.verb_forms:
            return Part.PRONOUN  # "a member that misses votes": no "that" stands before a plural
    for part, words in _CLOSED:
        if lower in words:
            return part
    return Part.ADVERB if forms(lower).closed & {"adverb", "particle"} else None


def _month(piece: Piece) -> bool:
    return piece.text == "May" and not piece.first


def _is_verbal(piece: Piece) -> bool:
    if _month(piece):
        return False
    return piece.lower in BE or piece.lower in HAVE or piece.lower in DO or piece.lower in _MODALS


def _open_part(piece: Piece, before: Sequence[Piece], pieces: Sequence[Piece], n: int, *, finite: bool) -> Part:
    known = forms(piece.lower)
    if _named(piece, known.closed):
        return Part.NAME
    previous = before[-1] if before else None
    if piece.lower in ("up", "down"):
        return Part.ADVERB
    if known.verb and _verbal(piece, previous, pieces, n, finite=finite):
        tags = known.verb_forms
        led = piece.first and "pp" in tags
        participle = tags and not tags & {"base", "s"} and (led or (finite and not _auxiliary(before)))
        return Part.PARTICIPLE if participle or tags == {"ing"} else Part.VERB
    if known.noun:
        return Part.NOUN
    if known.adj and not (known.adv and piece.lower.endswith("ly")):
        return Part.ADJECTIVE
    return Part.ADVERB if known.adv else Part.NOUN


def _auxiliary(before: Sequence[Piece]) -> bool:
    """Whether an auxiliary stands before, with nothing but adverbs and negators between."""
    for piece in reversed(before):
        if piece.part is Part.AUXILIARY:
            return True
        if piece.part not in (Part.ADVERB, Part.NEGATOR):
            return False
    return False


def _named(piece: Piece, closed: frozenset[str]) -> bool:
    """A capital letter names something, but for a known word that begins a sentence."""
    if not piece.text[:1].isupper():
        return any(c.isdigit() for c in piece.text)
    if not piece.first:
        return True
    return not closed and not morphology.lemmas(piece.lower)


def _verbal(piece: Piece, previous: Piece | None, pieces: Sequence[Piece], n: int, *, finite: bool) -> bool:
    """Whether a word that may be a verb is one here."""
    known = forms(piece.lower)
    tags = known.verb_forms
    if n + 1 < len(pieces) and pieces[n + 1].label:
        return False
    if previous is None:
        by = "pp" in tags and n + 1 < len(pieces) and "prep" in forms(pieces[n + 1].lower).closed
        orders = "base" in tags and n + 1 < len(pieces) and _opens_object(pieces[n + 1])
        return "ing" in tags or by or orders or (not known.noun and not known.adj)
    if piece.lower in _PLAIN_VERBS and finite and previous.part in (Part.NOUN, Part.NUMBER) and _governs(pieces, n):
        return True  # "those who cancel within 14 days get a refund"
    if known.plural and _counts(previous) and _ends_phrase(pieces, n):
        return False  # "after 32 rounds Ann leads", "in 34 matches the team won"
    if previous.lower == "to" and "base" in tags:
        return not (known.noun and n >= 2 and pieces[n - 2].lower in _BEFORE_TO)
    if previous.part is Part.AUXILIARY:
        return previous.lower not in BE or not (tags <= {"base", "s"} or (known.adj and not tags - {"base"}))
    if previous.part in (Part.ADVERB, Part.NEGATOR) and _auxiliary_before(pieces, n):
        return not tags <= {"base", "s"} or not known.noun or previous.lower not in ("no", "none")
    if previous.part in (Part.DETERMINER, Part.PREPOSITION, Part.ADJECTIVE):
        return previous.part is Part.PREPOSITION and (tags == {"ing"} or (previous.lower == "as" and "pp" in tags))
    if tags and not tags & {"base", "s"}:
        return previous.part is not Part.NUMBER or not (known.noun or known.adj) or not finite
    if previous.lower in _SUBJECTS:
        return True
    if not known.noun:
        return not finite or not known.adj
    return not finite and _predicates(piece, previous, pieces, n)


def _counts(piece: Piece) -> bool:
    """Whether a bare number of several stands before what it counts."""
    quantity = piece.quantity
    if quantity is None or piece.label:
        return False
    return quantity.unit is None and not quantity.ordinal and quantity.low.value > 1


def _ends_phrase(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a subject, a mark or a verb of its own follows a word."""
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    if after is None or after.part is Part.MARK or _capital(after) or _clear_verb_ahead(pieces, n):
        return True
    return bool(forms(after.lower).closed & {"det", "poss"}) and any(_finite(piece) for piece in pieces[n + 2 : n + 6])


def _finite(piece: Piece) -> bool:
    known = forms(piece.lower)
    return _is_verbal(piece) or (bool(known.verb_forms & {"past"}) and not known.adj)


#: Words after which "to" is no sign of an infinitive.
_BEFORE_TO = frozenset("owing due thanks prior according up close next subject contrary addition from".split())


def _predicates(piece: Piece, previous: Piece, pieces: Sequence[Piece], n: int) -> bool:
    """Whether a word that may be a noun or a finite verb is the verb of a clause that has none yet."""
    tags = forms(piece.lower).verb_forms
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    follows = forms(after.lower) if after is not None else forms("")
    if after is None or after.part is Part.MARK:
        return "s" in tags and previous.part is Part.NAME
    opens = bool(after.figure or follows.closed & {"det", "poss"} or after.lower == "no" or _capital(after))
    if previous.part is Part.MARK:
        return previous.text == "," and opens and tags == {"s"} and _apposed(pieces, n)
    if piece.lower in _PLAIN_VERBS and previous.part in (Part.NOUN, Part.NAME, Part.NUMBER, Part.ADVERB):
        return True
    if _clear_verb_ahead(pieces, n):
        return False
    if previous.part is Part.CONJUNCTION:
        return opens or ("s" in tags and after.lower != "of" and bool(follows.closed & {"prep", "aux"}))
    if opens and not (follows.plural and previous.part is Part.NUMBER):
        return True
    several = previous.part is Part.NOUN and plural(previous.lower)
    fits = several if "base" in tags else previous.part in (Part.NOUN, Part.NAME, Part.ADVERB) and not several
    return (fits or previous.part is Part.ADVERB) and _governs(pieces, n)


def _opens_object(piece: Piece) -> bool:
    """Whether an object begins: "simmer the lentils", "add two spoons"."""
    return (piece.figure and not piece.label) or bool(forms(piece.lower).closed & {"det", "poss"})


def _apposed(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a phrase between commas stands before a word ("the chair, Ann, holds no shares")."""
    for k in range(n - 2, max(-1, n - 9), -1):
        if pieces[k].text == ",":
            return k > 0 and pieces[k - 1].part is not Part.MARK
        if pieces[k].part is Part.MARK or _is_verbal(pieces[k]):
            return False
    return False


#: Verbs that are hardly ever nouns, though dictionaries list them as such.
_PLAIN_VERBS = frozenset(
    "get gets make makes take takes give gives go goes come comes see sees find finds let lets keep keeps".split()
)


def _capital(piece: Piece) -> bool:
    return piece.text[:1].isupper() and not piece.first


def _clear_verb_ahead(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a word that can only be the verb of this clause follows, so that the one before is a noun."""
    for k in range(n + 1, len(pieces)):
        piece = pieces[k]
        known = forms(piece.lower)
        if piece.part is Part.MARK or piece.lower in _OPENERS:
            return False
        if piece.figure:
            continue
        if _is_verbal(piece) or (known.verb_forms >= {"past"} and not known.noun and not known.adj):
            return True
        if k == n + 1 and known.verb_forms >= {"past"} and not known.noun:
            return True
        base = k == n + 1 and "base" in known.verb_forms and k + 1 < len(pieces) and _closed_after(pieces[k + 1])
        if base and not _mostly_noun(piece.lower):
            return True
    return False


def _mostly_noun(lower: str) -> bool:
    """Whether a word is a noun far more often than a verb ("wine")."""
    counts = {pos: sum(count for _, count in senses_of(lower, pos)) for pos in ("n", "v")}
    return counts["n"] > 4 * counts["v"]


def _closed_after(piece: Piece) -> bool:
    return bool(forms(piece.lower).closed & {"prep", "det"})


def _auxiliary_before(pieces: Sequence[Piece], n: int) -> bool:
    for k in range(n - 1, max(-1, n - 5), -1):
        if _is_verbal(pieces[k]):
            return True
        known = forms(pieces[k].lower)
        if not (known.adv or "neg" in known.closed or "adverb" in known.closed):
            return False
    return False


def _governs(pieces: Sequence[Piece], n: int) -> bool:
    """Whether what follows may be an object, a complement or the end of the clause."""
    if n + 1 >= len(pieces):
        return True
    after = pieces[n + 1]
    known = forms(after.lower)
    if after.part is Part.MARK or after.figure or after.text[:1].isupper():
        return True
    nominal = known.noun and not known.adv and not known.adj
    return bool(known.closed) or bool(known.adv) or bool(known.adj) or bool(nominal) or not known.verb
