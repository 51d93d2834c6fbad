"""The same claim in other grammatical forms: ``rewordings``, ``unfolded``.

Where a comparison finds a claim not supported, it is tried again in each of these forms. A form is made by one rule of
grammar that keeps what is said, whatever the words are about: "it was Ann who won" is "Ann won", "one ticket in twenty"
is "5% of the tickets", "three times an hour" is "every 20 minutes". Invariant: a rule adds no name and no noun, no
verb but the one in a noun ("buyer"), and no number but one that the claim's own numbers come to; so a claim that is
false stays false in every form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from imprimatur.extract.words import BE
from imprimatur.language import wordnet
from imprimatur.language.morphology import Form, inflect
from imprimatur.sources.text.frames import read
from imprimatur.sources.text.pieces import Part, Piece

__all__ = ["rewordings", "unfolded"]

#: So many forms of one claim are tried, those of forms included.
_MOST = 8

_NOMINAL = (Part.NOUN, Part.NAME, Part.ADJECTIVE, Part.NUMBER, Part.DATE)
_VERBAL = (Part.VERB, Part.AUXILIARY, Part.PARTICIPLE)


def unfolded(words: str, locale: str = "en") -> str:
    """The claim with what hides who did what brought to plain clauses: "it was Ann who", "Ann, the buyer of it"."""
    for rule in (_cleft, _doer):
        form = rule(words, read(words, locale).pieces)
        words = words if form is None else form
    return words


def rewordings(words: str, locale: str = "en") -> Iterator[str]:
    """The other forms of a claim, the nearest first, each once."""
    seen = [words]
    for form in seen:
        pieces = read(form, locale).pieces
        for rule in _RULES:
            other = rule(form, pieces)
            if other is not None and other not in seen:
                seen.append(other)
                yield other
            if len(seen) > _MOST:
                return


def _begun(words: str, pieces: Sequence[Piece], end: int) -> str:
    """The claim up to a place, as it stands within a sentence."""
    told = words[:end]
    named = not pieces or pieces[0].part is Part.NAME or not pieces[0].first
    return told if named else told[:1].lower() + told[1:]


def _cleft(words: str, pieces: Sequence[Piece]) -> str | None:
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
        if (share * 100).denominator == 1:
            return f"{words[: piece.start]}{float(share):g}% of the {noun}{words[last.end :]}"
    return None


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


def _doer(words: str, pieces: Sequence[Piece]) -> str | None:
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
    noun = words[pieces[b - 1].end : pieces[b - 1].end] if values[0] == b - 1 else ""
    rest = words[pieces[values[1]].end : pieces[end - 1].end] if values[0] == b - 1 else noun
    unit = pieces[values[1]].quantity.unit if pieces[values[1]].quantity is not None else None
    shared = _unit_text(pieces[values[1]]) if unit is not None and pieces[values[0]].quantity.unit is None else ""  # type: ignore[union-attr]
    first, second = words[: pieces[a - 1].end], words[pieces[a + 1].start : pieces[verb - 1].end]
    link = words[pieces[verb].start : pieces[values[0]].start].rstrip()
    one = f"{words[pieces[values[0]].start : pieces[b - 1].end]}{shared}{rest}"
    two = words[pieces[b + 1].start : pieces[end - 1].end]
    return f"{first} {link} {one} and {second} {link} {two}."


def _unit_text(piece: Piece) -> str:
    """The words behind the digits of a number ("850 litres": " litres")."""
    head, _, unit = piece.text.partition(" ")
    return f" {unit}" if unit and head else ""


_RULES: tuple[Callable[[str, Sequence[Piece]], str | None], ...] = (
    _cleft,
    _share,
    _parted,
    _own_year,
    _interval,
    _opening,
    _doer,
    _alone,
    _having,
    _cause,
    _relative,
    _limit,
    _measure,
    _bought,
    _paid,
    _unless,
    _fronted,
    _need,
    _respective,
)
