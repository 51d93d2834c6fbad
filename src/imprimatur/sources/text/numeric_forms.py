"""Grammatical forms of what a claim says with numbers: shares, times, limits, pairs. ``NUMERIC`` are the rules.

A rule takes the claim's words and pieces and gives another form that says the same, or None where it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from imprimatur.extract.words import BE
from imprimatur.language import wordnet
from imprimatur.sources.text.frames import read
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["NUMERIC"]


def _share(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "One ticket in twenty": 5% of the tickets; "three bridges out of eight": three of eight bridges."""
    for n, piece in enumerate(pieces):
        part = _count(piece)
        if part is None:
            continue
        end = n + 1
        while end < len(pieces) and pieces[end].part in (Part.NOUN, Part.ADJECTIVE):
            end += 1
        out = [each.lower for each in pieces[end : end + 2]] == ["out", "of"]
        whole = _count(pieces[end + 1 + out]) if end + 1 + out < len(pieces) else None
        if end == n + 1 or whole is None or part >= whole or not (out or pieces[end].lower == "in"):
            continue
        last = pieces[end + 1 + out]
        after = pieces[end + 2 + out] if end + 2 + out < len(pieces) else None
        if after is not None and after.part in (Part.NOUN, Part.ADJECTIVE, Part.NAME):
            continue
        noun = words[pieces[n + 1].start : pieces[end - 1].end]
        if part > 1 and not out:
            continue  # "three wins in five" may be of five matches
        if out:
            return f"{words[: piece.end]} of {last.text} {noun}{words[last.end :]}"
        share = Fraction(part * 100, whole)
        if part == 1 and whole in _PARTS:
            return f"{words[: piece.start]}a {_PARTS[whole]} of the {noun}{words[last.end :]}"
        if (share * 100).denominator == 1:
            return f"{words[: piece.start]}{float(share):g}% of the {noun}{words[last.end :]}"
    return None


#: Shares that are no whole number of hundredths of a per cent.
_PARTS = {3: "third", 6: "sixth", 7: "seventh", 9: "ninth"}


def _count(piece: Piece) -> int | None:
    """How many of something a bare whole number says; None for any other piece."""
    quantity = piece.quantity
    if quantity is None or piece.label or quantity.unit is not None or quantity.ordinal or quantity.high is not None:
        return None
    value = quantity.low.value
    return int(value) if value >= 1 and value.denominator == 1 else None


def _parted(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "38 out of 50 testers": 38 of 50 testers."""
    for piece in pieces:
        at = words.find(" out of ", piece.start, piece.end) if piece.quantity is not None else -1
        if at >= 0:
            return f"{words[:at]} of {words[at + len(' out of ') :]}"
    return None


def _own_year(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "By the end of 2025, a year in which sales rose": by the end of 2025; in 2025 sales rose."""
    for n, piece in enumerate(pieces[:-4]):
        date = piece.date
        if date is None or date.first is None or pieces[n + 1].text != ",":
            continue
        year = next((k for k in (n + 2, n + 3) if pieces[k].lower in ("a year", "year")), -1)
        rest = [each.lower for each in pieces[year + 1 : year + 3]]
        if year < 0 or not rest or not (rest[0] == "when" or rest == ["in", "which"]):
            continue
        begin = pieces[year + (2 if rest[0] == "when" else 3)].start
        return f"{words[: piece.end]}. In {date.first[0]} {words[begin:]}"
    return None


#: How many of the smaller unit a time has, and its name.
_SMALLER = {"hour": (60, "minute"), "day": (24, "hour"), "year": (12, "month"), "minute": (60, "second")}


_OFTEN = {"once": 1, "twice": 2}


def _interval(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "Three times an hour": every 20 minutes."""
    spoken = words.split()
    for n, word in enumerate(spoken[:-2]):
        times = spoken[n + 1].lower() == "times"
        many = _OFTEN.get(word.lower()) or (_spoken_count(word) if times else None)
        end = n + 2 + times
        if many is None or end >= len(spoken) or spoken[end - 1].lower() not in ("a", "an", "per", "each", "every"):
            continue
        unit = spoken[end].lower()
        name = unit.rstrip(".,;:")
        parts, smaller = _SMALLER.get(name, (0, ""))
        if parts and parts % many == 0:
            told = f"every {name}" if many == 1 else f"every {parts // many} {smaller}s"
            return " ".join([*spoken[:n], told + unit[len(name) :], *spoken[end + 1 :]])
    return None


def _spoken_count(word: str) -> int | None:
    pieces = read(word).pieces
    return _count(pieces[0]) if len(pieces) == 1 else None


def _opening(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "The shop opens at 9:00 and closes at 17:00": is open from 9:00 to 17:00."""
    for n in range(len(pieces) - 6):
        run = [piece.lower for piece in pieces[n : n + 6]]
        if (
            run[:2] in (["opens", "at"], ["open", "at"])
            and run[3] == "and"
            and run[4:]
            in (
                ["closes", "at"],
                ["close", "at"],
            )
        ):
            first, last = pieces[n + 2], pieces[n + 6]
            return f"{words[: pieces[n].start]}is open from {words[first.start : first.end]} to {words[last.start :]}"
    return None


_LIMITING = {
    **dict.fromkeys(["most", "maximum", "limit"], "at most"),
    **dict.fromkeys(["least", "minimum"], "at least"),
}


def _limit(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "23 kilos is the most a bag may weigh": a bag may weigh at most 23 kilos."""
    for n in range(1, len(pieces) - 4):
        bound = _LIMITING.get(pieces[n + 2].lower)
        if not pieces[n - 1].figure or pieces[n].lower not in BE or pieces[n + 1].lower != "the" or bound is None:
            continue
        start = n + 4 if pieces[n + 3].lower in ("that", "which") else n + 3
        end = next((k for k in range(start, len(pieces)) if pieces[k].part is Part.MARK), len(pieces))
        if n > 1 and pieces[n - 2].part is not Part.MARK:
            continue
        if not any(piece.part in (Part.AUXILIARY, Part.VERB) for piece in pieces[start:end]):
            continue
        figure = words[pieces[n - 1].start : pieces[n - 1].end]
        told = words[pieces[start].start : pieces[end - 1].end]
        return f"{words[: pieces[n - 1].start]}{told} {bound} {figure}{words[pieces[end - 1].end :]}"
    return None


_LIMIT_WORDS = {"limit": "at most", "maximum": "at most", "minimum": "at least"}


def _measure(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "The weight limit for bags is 23 kg", "the maximum weight of bags is …": bags may weigh at most 23 kg."""
    if len(pieces) < 6 or pieces[0].lower != "the" or pieces[3].lower not in ("for", "of"):
        return None
    kinds = [pieces[n].lower for n in (1, 2)]
    bound = next((_LIMIT_WORDS[kind] for kind in kinds if kind in _LIMIT_WORDS), None)
    noun = next((kind for kind in kinds if kind not in _LIMIT_WORDS), "")
    verb = next((n for n in range(4, len(pieces) - 1) if pieces[n].lower in ("is", "was")), 0)
    if bound is None or not verb or not pieces[verb + 1].figure:
        return None
    does = min((v for v, pos in wordnet.derived(noun, "n") if pos == "v" and v[:4] == noun[:4]), key=len, default=None)
    if does is None:
        return None
    modal = "may" if bound == "at most" else "must"
    return f"{words[pieces[4].start : pieces[verb - 1].end]} {modal} {does} {bound} {words[pieces[verb + 1].start :]}"


def _respective(words: str, pieces: Sequence[Piece]) -> str | None:
    """ "A and B hold 3 and 5 litres, respectively": A holds 3 litres and B holds 5 litres."""
    last = next((n for n, piece in enumerate(pieces) if piece.lower == "respectively"), 0)
    joints = [n for n, piece in enumerate(pieces[:last]) if piece.lower == "and"]
    if len(joints) != 2:
        return None
    a, b = joints
    verb = next((n for n in range(a + 1, b) if pieces[n].part in (Part.VERB, Part.AUXILIARY)), 0)
    end = last - 1 if pieces[last - 1].text == "," else last
    values = [n for n in range(verb + 1, end) if pieces[n].figure]
    if not verb or len(values) != 2 or not values[0] < b < values[1]:
        return None
    first, second = words[: pieces[a - 1].end], words[pieces[a + 1].start : pieces[verb - 1].end]
    link = words[pieces[verb].start : pieces[values[0]].start].rstrip()
    one, two = words[pieces[values[0]].start : pieces[b - 1].end], words[pieces[b + 1].start : pieces[end - 1].end]
    if values[0] == b - 1:  # what is counted or measured is said once
        one += _unit_lent(*(pieces[n] for n in values)) + words[pieces[values[1]].end : pieces[end - 1].end]
    return f"{first} {link} {one} and {second} {link} {two}."


def _unit_lent(first: Piece, second: Piece) -> str:
    """The unit of the second number as it is written, for a first one without any ("1,200 and 850 litres")."""
    a, b = first.quantity, second.quantity
    head, _, unit = second.text.partition(" ")
    lent = a is not None and b is not None and a.unit is None and b.unit is not None and head
    return f" {unit}" if lent else ""


NUMERIC: tuple[Callable[[str, Sequence[Piece]], str | None], ...] = (
    _share,
    _parted,
    _own_year,
    _interval,
    _opening,
    _limit,
    _measure,
    _respective,
)
