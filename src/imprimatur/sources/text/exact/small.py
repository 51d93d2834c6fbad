"""Small words that a claim must not add: prepositions, conjunctions, modals and the like that no used sentence has.

Each word of these closed classes turns what it stands with: "after" for "while", "or less" for "or more", "may" for
"must", "nobody" for "not". ``added`` gives a mark for each one of a claim for which the sentences that bear it out have
neither the word nor one of those that may stand for it. Invariant: it only ever takes support away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from imprimatur.sources.text.comparison import Mark
from imprimatur.sources.text.evidence import Evidence, Match
from imprimatur.sources.text.exact.marking import mark
from imprimatur.sources.text.frames import Reading
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.verdict import Reason

__all__ = ["added", "loosened"]

_CONDITIONS = {"if": "unless", "unless": "if"}
_CONVERSE = {"before": "after", "after": "before"}
#: What a text may have for a word of a claim, besides the word itself.
_STANDS = {
    name: frozenset(words.split())
    for name, words in {
        "after": "following once since from later then upon when on past behind subsequently until till afterwards"
        " post reported first as lasting with",
        "before": "prior until till by ahead earlier previously preceding then first once previous ago no within"
        " ends expires of",
        "while": "whilst when during as whereas but and although though however at in with if",
        "whereas": "while whilst but and although though however",
        "during": "in within while over through throughout on at of for when between amid as whilst by from",
        "within": "in inside by under no up for during at less latest below most not maximum after of from until"
        " before",
        "until": "till through to up not by \u2013 ending last pending before unless for",
        "without": "no not n't lacking free unless none neither excluding lacks lack minus never un nor cannot nobody",
        "behind": "rear back after trails trailed trail",
        "outside": "out beyond external off except",
        "inside": "in within interior into",
        "above": "over more exceed exceeds exceeding exceeded higher greater upper top least from plus beyond than at",
        "below": "under less fewer lower beneath short up most within than sub",
        "over": "above more exceed exceeding exceeds exceeded during in across on for through throughout of about top"
        " within than at to",
        "under": "below less fewer beneath in by according pursuant younger up most within than",
        "beyond": "past over above after more outside exceed exceeds exceeding further",
        "because": "as since due owing so therefore thus cause causes caused led lead leads result resulted results"
        " make makes made for hence why reason reasons thanks through",
        "although": "though but despite nevertheless however while whereas even yet still and",
        "though": "although but despite nevertheless however while whereas even yet still and",
        "despite": "although though but even spite however yet still while notwithstanding regardless nevertheless",
        "unless": "except without until if only but provided excluding save only",
        "even": "although though despite regardless also whether including",
        "except": "excluding but other unless apart not save exclude excludes excluded exception besides only without"
        " than",
        "against": "to on versus with from compared for anti opposed opposes opposing counter",
        "but": "except although however though yet while not only whereas and n't no cannot unless without",
        "due": "owed payable owing owes must should until expire expires by",
        "another": "other further additional second more again else next different",
        "near": "close beside by at around next nearby from",
        "if": "when whenever where unless case provided should once who whoever anyone anybody that which with upon"
        " on only without before until after those any condition long every each all in unless for had were as at must"
        " shall",
    }.items()
}
_NOBODY = frozenset("nobody none no neither not n't never without cannot nothing nor".split())
_ANY = frozenset("anyone anybody everyone everybody all any each every whoever both no nobody none who".split())
_PEOPLE = {
    **dict.fromkeys(("nobody",), _NOBODY - {"not", "n't", "cannot", "never", "without"} | _ANY),
    **dict.fromkeys("everyone everybody anyone anybody whoever everything anything".split(), _ANY | {"everything"}),
}
#: Quantifiers that stand for a phrase ("all of it"), and what a text may have for them.
_PARTS = {
    "all": frozenset("entire whole both total any none no full fully only completely".split()),
    "most": frozenset("all every each majority mostly mainly largely".split()),
    "half": frozenset(),
    "none": frozenset("no not never neither nobody nothing without n't".split()),
    "both": frozenset("two all each every and".split()),
    "many": frozenset("most all numerous several".split()),
}
_ENDS = {
    "start": frozenset("start starts starting started beginning begin begins early opening first onset".split()),
    "beginning": frozenset("start starts starting started beginning begin begins early opening first onset".split()),
    "end": frozenset("end ends ending ended late close last finish expiry expires until after".split()),
    "middle": frozenset("middle mid mid- centre center half".split()),
}
_MUST = frozenset("must shall".split())
#: Words by which a computed number is placed.
_PLACED = frozenset("above below over under behind outside inside beyond near within against".split())
_JOINTS = {"and": "or", "or": "and"}
_LOOSE = frozenset("no not n't never without neither nor cannot either".split())
_BINDING = frozenset(
    "must shall have has had need needs needed require requires required obliged mandatory obligatory only cannot"
    " necessary forbidden prohibited allowed permitted never not need may should to ought duty obligation compulsory"
    " be expected due".split()
)
_MAY = frozenset("may might could can".split())
_FIRM = frozenset("must shall will 'll should ought".split())
_FREE = frozenset(
    "may might can could cannot allow allows allowed permit permits permitted able possible entitled free let optional"
    " option right possibly perhaps potential potentially capable up expected likely unable".split()
)


def added(claim: Sequence[Piece], used: Sequence[Piece], *, derived: bool) -> Iterator[Mark]:
    """The marks for small words of a claim that the used pieces of the texts do not have.

    Args:
        derived: whether the claim was computed, so that words may say how.
    """
    said = {word for piece in used for word in piece.lower.split()}
    own = {piece.lower for piece in claim}
    for k, piece in enumerate(claim):
        lower = piece.lower
        if lower in _PEOPLE and lower not in said and not said & _PEOPLE[lower]:
            yield mark(piece, Reason.SCOPE_WIDENED, "the text does not say it of all")
        of = piece.text.lower().endswith(" of") or (k + 1 < len(claim) and claim[k + 1].lower == "of")
        part = lower.removesuffix(" of")
        if of and part in _ENDS and not said & _ENDS[part]:
            yield mark(piece, Reason.SCOPE_WIDENED, f"the text does not say “{piece.text}”")
        if lower == "both" and "both" not in said and not said & {"all", "each", "every", "and"} and not _two(used):
            yield mark(piece, Reason.SCOPE_WIDENED, "the text does not say it of both")
        if of and part in _PARTS and part not in said and not said & _PARTS[part] and not derived:
            yield mark(piece, Reason.SCOPE_WIDENED, f"the text does not say “{piece.text}”")
        if lower in _JOINTS and not derived and not own & _LOOSE and _exchanged(lower, claim, used):
            yield mark(piece, Reason.SCOPE_WIDENED, f"the text has “{_JOINTS[lower]}”")
        behind = claim[k + 1].lower if k + 1 < len(claim) else ""
        if (
            lower == "due"
            and k
            and claim[k - 1].part is Part.NOUN
            and behind != "to"
            and not said & {"due", *_STANDS["due"]}
        ):
            yield mark(piece, Reason.SCOPE_WIDENED, "the text does not say that it is due")
        if piece.part in (Part.NOUN, Part.NAME, Part.VERB, Part.ADJECTIVE) or lower not in _STANDS or lower in said:
            continue
        if lower in _CONDITIONS and _CONDITIONS[lower] in said and not (own | said) & _NOBODY:
            yield mark(piece, Reason.CONDITION_DROPPED, f"the text has “{_CONDITIONS[lower]}”")
            continue
        measured = k > 0 and claim[k - 1].figure
        if derived and (lower in _PLACED or measured or (k + 1 < len(claim) and claim[k + 1].figure)):
            continue
        follows = claim[k + 1].lower if k + 1 < len(claim) else ""
        if lower in ("over", "under") and follows in ("less", "more", "fewer", "at"):
            continue  # "a dispute over less than …"
        if lower in _CONVERSE and _CONVERSE[lower] in said and _turned(k, claim, used):
            continue
        if lower in _CONVERSE and _CONVERSE[lower] in said:
            yield mark(piece, Reason.ROLES_SWAPPED, f"the text has “{_CONVERSE[lower]}”")
            continue
        if lower == "before" and {"not", "no", "never"} & said and "until" in said:
            continue
        if not said & _STANDS[lower]:
            yield mark(piece, Reason.CONDITION_DROPPED, f"the text does not say “{piece.text}”")
    for k, piece in enumerate(claim):
        follows = claim[k + 1].lower if k + 1 < len(claim) else ""
        if piece.lower == "need" and follows == "not" and not said & _OPTIONAL:
            yield mark(piece, Reason.SCOPE_WIDENED, "the text does not leave it open")
        if piece.lower == "when" and "when" not in said and not said & _WHEN and _measured_after(used):
            yield mark(piece, Reason.CONDITION_DROPPED, "the text says how long after")
        if piece.part is Part.AUXILIARY and piece.lower in _MUST and not said & _BINDING:
            yield mark(piece, Reason.SCOPE_WIDENED, "the text does not demand it")


def _two(used: Sequence[Piece]) -> bool:
    """Whether the text says it of two, and not of one "of the two"."""
    counts = [n for n, piece in enumerate(used) if piece.lower.split()[:1] == ["two"]]
    return any("of" not in {piece.lower for piece in used[max(0, n - 2) : n]} for n in counts)


def _exchanged(word: str, claim: Sequence[Piece], used: Sequence[Piece]) -> bool:
    """Whether the claim has a joint once more, and the other one less often, than the text."""
    more = sum(piece.lower == word for piece in claim) > sum(piece.lower == word for piece in used)
    other = _JOINTS[word]
    return more and sum(piece.lower == other for piece in claim) < sum(piece.lower == other for piece in used)


_RARELY = frozenset("sometimes often usually occasionally probably about some".split())
_OPTIONAL = frozenset("need needs have has required obliged necessary optional voluntary".split())
_WHEN = frozenset("once as if while whenever upon where during".split())


def _measured_after(used: Sequence[Piece]) -> bool:
    """Whether the text has something so long after, or before, something else."""
    return any(a.figure and b.lower in ("after", "before") for a, b in pairwise(used))


def loosened(match: Match, claim: Reading, texts: Evidence) -> Iterator[Mark]:
    """A mark for "may" or "can" where the frame has "must" or "will", and for "may" where it says that it is so."""
    said = {texts.pieces[k].lower for k in match.frame.members}
    firm = said & _FIRM
    own = [texts.pieces[k].lower for k in match.frame.members]
    if any(a in ("has", "have", "had") and b == "to" for a, b in pairwise(own)):
        firm, said = firm | {"have to"}, said - {"to"}
    verb, other = match.clause.verb, match.frame.verb
    for k in match.clause.members:
        piece = claim.pieces[k]
        plain = not firm and piece.lower in ("may", "might") and not said & (_FREE | _RARELY)
        if plain and verb >= 0 and other >= 0 and claim.pieces[verb].lemmas & texts.pieces[other].lemmas:
            yield mark(piece, Reason.SCOPE_WIDENED, f"the text does not say “{piece.text}”")
        if piece.part is Part.AUXILIARY and piece.lower in _MAY and firm and not said & _FREE:
            yield mark(piece, Reason.SCOPE_WIDENED, f"the text has “{min(firm)}”")


def _turned(k: int, claim: Sequence[Piece], used: Sequence[Piece]) -> bool:
    """Whether what stands beside a word stands the other way round in the text ("B after A", "A before B")."""
    before = [piece.lemmas for piece in claim[:k] if piece.lemmas and piece.part in _TELLING]
    after = [piece.lemmas for piece in claim[k + 1 :] if piece.lemmas and piece.part in _TELLING]
    places = [
        [n for n, piece in enumerate(used) if any(each & piece.lemmas for each in side)] for side in (before, after)
    ]
    return bool(places[0] and places[1]) and min(places[0]) > min(places[1])


_TELLING = (Part.NOUN, Part.VERB, Part.PARTICIPLE, Part.NAME)
