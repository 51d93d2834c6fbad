"""The leaves of texts: all numbers, days and times from which a conclusion may be computed.

A number without a noun counts what another one before it does ("and 80 received placebo"); "12 racks of 40 servers" are
so many servers; what is listed is counted; "every 12 hours" is twice a day. Labels, ranks and the "a" of "a day" are no
leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from imprimatur.language import units
from imprimatur.sources.text.bindings import bound_to
from imprimatur.sources.text.cues import named_by, sign_of
from imprimatur.sources.text.evidence import Evidence, with_unit
from imprimatur.sources.text.leaves import PER_WITHIN, Leaf, clock_of, day_of, per_after, wide_unit
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.values import Bound, Unit

__all__ = ["leaves_of"]

#: More numbers than this, and chance finds everything.
MOST_LEAVES = 16


def leaves_of(texts: Evidence) -> list[Leaf]:
    """The numbers, days and times of the texts, but for labels, ranks and the "a" of "a day"."""
    found: list[Leaf] = []
    nouns: dict[int, int] = {}
    for k, piece in enumerate(texts.pieces):
        if piece.one or piece.label:
            continue
        leaf = _leaf(k, piece, texts.pieces)
        if leaf is None:
            continue
        if leaf.day is None and not leaf.clock and piece.quantity is not None and piece.quantity.unit is None:
            counted = _counted(k, texts) if leaf.value >= 1 else -1
            if counted >= 0:
                nouns[k] = counted
            elif _aged(k, texts):
                leaf = replace(leaf, unit=units.parse("years"))
            elif leaf.value >= 1 or piece.quantity.low.step:
                leaf = _elliptic(leaf, _understood(k, nouns, texts), found)
                lent = with_unit(k, texts) if leaf.unit is None and leaf.noun < 0 else None
                leaf = leaf if lent is None or lent.quantity is None else replace(leaf, unit=lent.quantity.unit)
            leaf = replace(leaf, noun=counted) if counted >= 0 else leaf
        leaf = _alike(leaf, found, texts)
        found.append(leaf)
        if (often := _often(k, leaf, texts.pieces)) is not None:
            found.append(often)
        high = piece.quantity.high if piece.quantity is not None else None
        if high is not None:
            found.append(replace(leaf, value=high.value, bound=Bound.EXACT))
    totals = list(_totals(found, texts))
    each = {leaf.piece for leaf in totals}
    found = [replace(leaf, gap=True) if leaf.piece in each else leaf for leaf in found]
    found += [*_listing(texts), *totals]
    return _paired(found[:MOST_LEAVES], texts.pieces)


def _paired(leaves: Sequence[Leaf], pieces: Sequence[Piece]) -> list[Leaf]:
    """The leaves, "from X to Y" with each other as partners."""
    out = list(leaves)
    for n, (first, last) in enumerate(pairwise(leaves)):
        opens = first.piece and pieces[first.piece - 1].lower == "from"
        if opens and pieces[last.piece - 1].lower == "to" and last.piece - first.piece <= PER_WITHIN:
            out[n] = replace(_scaled(first, last, pieces), partner=last.piece)
            out[n + 1] = replace(last, partner=first.piece, later=True)
    return out


def _scaled(first: Leaf, last: Leaf, pieces: Sequence[Piece]) -> Leaf:
    """ "From 2.4 to 3.0 million euros": the first one is in millions too."""
    scales = {"thousand": 3, "million": 6, "billion": 9}
    words = pieces[last.piece].lower.split()
    scale = next((scales[word] for word in words if word in scales), 0)
    if not scale or any(word in pieces[first.piece].lower for word in scales) or first.value >= 1000:
        return first
    return replace(first, value=first.value * 10**scale, unit=last.unit)


def _totals(leaves: Sequence[Leaf], texts: Evidence) -> Iterator[Leaf]:
    """ "12 racks of 40 servers": so many servers in all."""
    for a, b in pairwise(leaves):
        if a.noun < 0 or b.piece - a.noun != 2 or b.value.denominator != 1 or a.unit is not None or b.day or b.clock:
            continue
        if texts.pieces[a.noun + 1].lower == "of" and a.noun > a.piece and not b.share and (b.unit or b.noun > b.piece):
            said = f"({a.said} x {b.said})"
            yield replace(b, said=said, value=a.value * b.value, derived=True)


def _listing(texts: Evidence) -> Iterator[Leaf]:
    """How many things are listed: "claims 1, 8 and 12", "claims 3 to 5", "Austria, Germany and Switzerland"."""
    pieces = texts.pieces
    k = 0
    while k < len(pieces):
        if not _is_item(pieces[k]):
            k += 1
            continue
        items, n = [k], k + 1
        while n + 1 < len(pieces) and pieces[n].lower in (",", "and", "to", "-", "\u2013"):
            after = n + 2 if pieces[n].text == "," and pieces[n + 1].lower == "and" else n + 1
            if after >= len(pieces) or not _is_item(pieces[after]) or pieces[after].label is not pieces[k].label:
                break
            items.append(after)
            n = after + 1
        many = _many(pieces, items)
        if many > 1 and not (n < len(pieces) and _is_item(pieces[n])):
            said = " ".join(pieces[m].text for m in range(items[0], items[-1] + 1))
            noun = k - 1 if k and pieces[k - 1].part is Part.NOUN else -1
            yield Leaf(piece=k, said=f"count of {said}", value=Fraction(many), noun=noun, derived=True)
        k = n


def _is_item(piece: Piece) -> bool:
    return piece.part is Part.NAME and (piece.label or not any(c.isdigit() for c in piece.text))


def _many(pieces: Sequence[Piece], items: Sequence[int]) -> int:
    if len(items) == 2 and pieces[items[0] + 1].lower in ("to", "-", "\u2013"):
        if not (pieces[items[0]].text.isdigit() and pieces[items[1]].text.isdigit()):
            return 0
        return int(pieces[items[1]].text) - int(pieces[items[0]].text) + 1
    return len(items)


def _alike(leaf: Leaf, found: Sequence[Leaf], texts: Evidence) -> Leaf:
    """ "Reads 480 MB a minute, version 2 read 320 MB": the second one is a minute too, for it has the same verb."""
    home = texts.frame_of(leaf.piece)
    if leaf.unit is None or home is None or home.verb < 0:
        return leaf
    for other in found:
        there = texts.frame_of(other.piece)
        if other.unit is None or there is None or there.number == home.number or there.verb < 0:
            continue
        same_verb = texts.pieces[there.verb].lemmas & texts.pieces[home.verb].lemmas
        if there.sentence == home.sentence and same_verb and other.unit.symbol.startswith(f"{leaf.unit.symbol}/"):
            return replace(leaf, unit=other.unit)
    return leaf


def _aged(k: int, texts: Evidence) -> bool:
    """Whether a number is an age ("the age of six", "aged 12")."""
    words = [piece.lower for piece in texts.pieces[max(0, k - 2) : k]]
    return words == ["age", "of"] or words[-1:] == ["aged"]


def _elliptic(leaf: Leaf, noun: int, found: Sequence[Leaf]) -> Leaf:
    """A number without a noun, which counts what another one does, and is "a week" where that one is."""
    like = next((each for each in reversed(found) if each.noun == noun), None)
    unit = like.unit if leaf.unit is None and noun >= 0 and like is not None else leaf.unit
    last = found[-1] if found and found[-1].unit is not None and not found[-1].clock else None
    near = last is not None and leaf.step and last.value / 3 < leaf.value < last.value * 3
    if unit is None and last is not None and near and leaf.step == last.step:
        unit = last.unit  # "49.83 seconds, … who needed 50.21"
    return replace(leaf, noun=noun, unit=unit)


def _understood(k: int, nouns: dict[int, int], texts: Evidence) -> int:
    """The noun that a number without one counts: the last one's of its clause, or that of the clause before.

    Behind a preposition it is that of a number behind the same one ("1,500 with four replicas and 900 with ten").
    """
    joint = texts.pieces[k - 1] if k else None
    if joint is not None and joint.part is Part.PREPOSITION:
        alike = [n for n in nouns if n and texts.pieces[n - 1].lower == joint.lower]
        if alike:
            return nouns[alike[-1]]
    home = texts.frame_of(k)
    here = [n for n in nouns if home is not None and n in home.members]
    if here:
        return nouns[here[-1]]
    before = [frame for n in nouns if (frame := texts.frame_of(n)) is not None]
    if not before:
        return -1
    last = before[-1]
    inside = [n for n in nouns if n in last.members]
    objects = [n for n in inside if last.place(n) == "obj"]
    return nouns[(objects or inside)[0]]


def _leaf(k: int, piece: Piece, pieces: Sequence[Piece]) -> Leaf | None:
    if piece.date is not None:
        if piece.date.first is None or piece.date.precision not in ("day", "month", "year"):
            return None
        return Leaf(piece=k, said=piece.text, day=piece.date.first, precision=piece.date.precision)
    if piece.quantity is not None and not piece.quantity.ordinal:
        quantity = piece.quantity
        unit = wide_unit(pieces, k)
        bound = Bound.EXACT if quantity.high is not None else quantity.bound
        return Leaf(
            piece=k,
            said=_said(pieces, k),
            value=quantity.low.value,
            unit=unit,
            bound=bound,
            sense=_sense(pieces, k),
            toward=_toward(pieces, k),
            joint=pieces[k - 1].lower if k else "",
            step=quantity.low.step if quantity.low.step < 1 else Fraction(0),
        )
    if piece.part is Part.NAME and (minutes := clock_of(piece)) is not None:
        value, unit = minutes
        return Leaf(piece=k, said=piece.text, value=value, unit=unit, clock=unit.symbol != "s")
    if (when := day_of(piece)) is not None:
        return Leaf(piece=k, said=piece.text, day=when, precision="day")
    return None


def _said(pieces: Sequence[Piece], k: int) -> str:
    n = per_after(pieces, k)
    return pieces[k].text if n < 0 else f"{pieces[k].text} {pieces[n].text}"


def _sense(pieces: Sequence[Piece], k: int) -> int:
    """Whether a number is so much more (1) or less (-1) by the words beside it; 0 for neither."""
    after = pieces[k + 1 : k + 3]
    for piece in after:
        if piece.lower == "off":
            return -1
        if sign := sign_of(piece) or (_sense_of(piece) if piece.part is Part.NOUN else 0):
            return sign
    joint = pieces[k - 1].lower if k else ""
    before = pieces[max(0, k - 4) : max(0, k - 1)] if joint in ("by", "of") else pieces[max(0, k - 1) : k]
    for piece in reversed(before):
        if (joint != "of" or piece.part is Part.NOUN) and (sign := _sense_of(piece)):
            return sign
    return 0


def _sense_of(piece: Piece) -> int:
    return int(named_by(piece, "rise")) - int(named_by(piece, "fall"))


def _toward(pieces: Sequence[Piece], k: int) -> int:
    after = pieces[k + 1].lower if k + 1 < len(pieces) else ""
    if after in ("later", "after", "afterwards", "from"):
        return 1
    return -1 if after in ("earlier", "before", "ago", "previously") else 0


def _often(k: int, leaf: Leaf, pieces: Sequence[Piece]) -> Leaf | None:
    """ "Every 12 hours": once in 12 hours."""
    if not k or pieces[k - 1].lower != "every" or leaf.unit is None or not leaf.value:
        return None
    unit = units.ratio(Unit("", (), Fraction(1)), leaf.unit)
    return (
        None
        if unit is None
        else replace(leaf, said=f"every {leaf.said}", value=1 / leaf.value, unit=unit, derived=True)
    )


def _counted(k: int, texts: Evidence) -> int:
    """The noun right behind a bare number; -1 for none."""
    frame = texts.frame_of(k)
    if frame is None:
        return -1
    behind = [h for h in bound_to(k, frame, texts.pieces, widely=True) if h > k]
    nouns = [h for h in behind if texts.pieces[h].part in (Part.NOUN, Part.NAME)]
    return nouns[0] if nouns else -1
