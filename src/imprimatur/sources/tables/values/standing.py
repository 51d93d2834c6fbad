"""What a record says of a row's standing: whose it is, whether it leads, what it has done, which part it is of.

Contract: every check needs one row that the sentence names or goes on about, and says nothing where a cell that it
rests on says nothing. Ties lead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.language import rounding
from imprimatur.language.rounding import Match
from imprimatur.sources.tables.values.clauses import clause_of
from imprimatur.sources.tables.values.finding import Finding, Outcome
from imprimatur.sources.tables.values.linking import Stated, link
from imprimatur.sources.tables.values.meaning import others
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.sources.tables.values.record import At, Phrase, Record
from imprimatur.sources.tables.values.subjects import Mention, Mentions

__all__ = ["Belonging", "group_sum", "membership", "standing"]

_NEARLY = frozenset("nearly almost not n't without no shy short close near".split())
_NEARLY |= frozenset("flirted flirting approaching approached threatened missed failed failing".split())
_OWNED = frozenset("their its his her whose".split())
_IS = frozenset("was is were are being".split())


def standing(record: Record, mentions: Mentions, sentence: Sentence, named: Sequence[Mention]) -> Iterator[Finding]:
    """What is wrong or right about feats, parts, leads and counts."""
    yield from _counts(record, sentence, named)
    for item in sentence.items:
        for phrase in item.means("feat")[:1]:
            yield from _feat(record, mentions, sentence, named, item, phrase)
        for phrase in item.means("part")[:1]:
            yield from _part(record, mentions, sentence, named, item, phrase)
    yield from _leads(record, mentions, sentence, named)


# -- whose it is -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Belonging:
    """That a mention's rows are said to be of another's: of which row, whether that is wrong, and what is right."""

    child: Mention
    parent: Mention
    said: At
    wrong: bool
    right: At | None

    @property
    def rows(self) -> tuple[At, ...]:
        """The child's rows."""
        return tuple(rows[0] for rows in self.child.rows)


def membership(record: Record, sentence: Sentence, named: Sequence[Mention]) -> Iterator[Belonging]:
    """What a sentence says of whose the rows are that it names."""
    for at, mention in enumerate(named):
        for other in named[at + 1 : at + 3]:
            found = _belonging(record, sentence, mention, other) or _belonging(record, sentence, other, mention)
            if found is None:
                continue
            child, parent = found
            owners = {record.owner(rows[0]) for rows in child.rows if len(rows) == 1}
            mine = next((rows[0] for rows in parent.rows if len(rows) == 1), None)
            if None in owners or mine is None or any(len(rows) != 1 for rows in child.rows):
                continue
            wrong = mine not in owners
            right = owners.pop() if len(owners) == 1 else None
            yield Belonging(child=child, parent=parent, said=mine, wrong=wrong, right=right if wrong else None)


def _belonging(record: Record, sentence: Sentence, child: Mention, parent: Mention) -> tuple[Mention, Mention] | None:
    """The two mentions, where the words between them say that the one's rows are of the other's."""
    if not (child.items and parent.items and child.rows and parent.rows and len(parent.items) == 1):
        return None
    sheet = next(iter(child.sheets)) if len(child.sheets) == 1 else ""
    above = record.sheets[sheet].parent if sheet else None
    if above is None or parent.sheets != {above[0]}:
        return None
    left, right = (child, parent) if child.first < parent.first else (parent, child)
    words = [sentence.low(index) for index in range(left.stop, right.first)]
    plain = [word for word in words if word not in ("the", "a", "host", "visiting", "duo", "of", "'", "'s")]
    if left is parent:
        agent = child.role == "agent" and "by" in words and "," not in words and any(w in _IS for w in words)
        beside = len(plain) <= 2 and all(w.isalpha() and not _is_verb(w) for w in plain) and "of" not in words
        titled = "only" in _before(sentence, parent) and any(w in _IS for w in words)
        source = parent.role == "subject" and words[-1:] == ["from"] and "," not in words
        return (child, parent) if agent or (beside and len(words) <= 3) or titled or source else None
    verbs = [i for i in sentence.items if left.stop <= i.first < right.first and i.means("belongs")]
    led = bool(verbs) and verbs[-1].stop + (sentence.low(verbs[-1].stop) == "the") == right.first
    way = "for" in words[-2:] and not any(w in ("while", ".") for w in words) and words[-1] in ("the", "for")
    only = "only" in words[-4:] and any(w in _IS for w in words)
    own = words in (["was"], ["is"], ["was", "the"], ["is", "the"]) and sentence.low(parent.stop) in ("'s", "'")
    return (child, parent) if led or way or only or own else None


def _before(sentence: Sentence, mention: Mention) -> tuple[str, ...]:
    return tuple(sentence.low(index) for index in range(max(0, mention.first - 3), mention.first))


def _is_verb(word: str) -> bool:
    from imprimatur.extract.words import forms, is_closed

    return is_closed(word) or (forms(word).verb is not None and forms(word).noun is None) or word.endswith("ed")


# -- feats, parts and leads --------------------------------------------------------------------------------------------
def _row(mentions: Mentions, sentence: Sentence, named: Sequence[Mention], item: Item, sheet: str) -> At | None:
    """The one row of a sheet that some words are said of."""
    asked = Stated(form="one", numbers=(item,), values=(Phrase(kind="value", sheet=sheet),))
    owner = mentions.owner(sentence, named, asked)
    rows = owner.of(sheet) if owner is not None and not owner.unknown else ()
    return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else None


def _elsewhere(sentence: Sentence, item: Item, sheet: str) -> bool:
    return sheet in others(sentence, item)


def _denied(sentence: Sentence, item: Item) -> bool:
    start, _ = clause_of(sentence, item.first)
    return any(sentence.low(index) in _NEARLY for index in range(start, item.first))


def _word(item: Item, rows: tuple[At, ...], columns: tuple[str, ...], holds: bool) -> Finding:
    outcome = Outcome.SUPPORTED if holds else Outcome.CONTRADICTED
    return Finding(start=item.start, end=item.end, kind="word", outcome=outcome, rows=rows, columns=columns)


def _feat(
    record: Record, mentions: Mentions, sentence: Sentence, named: Sequence[Mention], item: Item, phrase: Phrase
) -> Iterator[Finding]:
    feat = record.sheets[phrase.sheet].relation.spoken.feats[phrase.name]
    before = sentence.at[item.first - 1] if item.first else None
    if _elsewhere(sentence, item, phrase.sheet) or _denied(sentence, item):
        return
    if before is not None and before.kind == "number" and not before.article:
        return
    if any(each.kind == "number" and _counted(sentence, each, phrase.sheet) is not None for each in sentence.items):
        return
    at = _row(mentions, sentence, named, item, phrase.sheet)
    has = record.sheets[phrase.sheet].has(at.row, feat) if at is not None else None
    if at is not None and has is not None:
        yield _word(item, (at,), feat.columns, has)


def _part(
    record: Record, mentions: Mentions, sentence: Sentence, named: Sequence[Mention], item: Item, phrase: Phrase
) -> Iterator[Finding]:
    if _denied(sentence, item) or _elsewhere(sentence, item, phrase.sheet) or is_group(sentence, item):
        return
    after = next((m for m in named if item.stop <= m.first <= item.stop + 1 and len(m.of(phrase.sheet)) == 1), None)
    if after is not None:  # "reserve forward X"
        rows = after.of(phrase.sheet)[0]
        at = rows[0] if len(rows) == 1 else None
    else:
        at = _row(mentions, sentence, named, item, phrase.sheet)
    if at is None:
        return
    says = record.sheets[phrase.sheet].is_part(at.row, phrase.name)
    if says is not None:
        yield _word(item, (at,), (phrase.name,), says == phrase.yes)


def is_group(sentence: Sentence, item: Item) -> bool:
    """Whether the words of a part stand for its rows ("their bench", "the Hawks bench"), not for what one row is."""
    if sentence.low(item.first) in ("off", "in", "as") or sentence.low(item.first - 1) in ("a", "an", "other", "only"):
        return False
    before = sentence.at[item.first - 1] if item.first else None
    if sentence.low(item.first - 1) in _OWNED or (before is not None and before.kind == "row"):
        return True
    led = sentence.at[item.first - 2] if item.first > 1 else None
    return sentence.low(item.first - 1) == "the" and (led is None or not led.means("belongs"))


def group_sum(
    record: Record, mentions: Mentions, sentence: Sentence, named: Sequence[Mention], stated: Stated
) -> tuple[tuple[At, ...], str, Fraction] | None:
    """The rows of a part that a number is said of ("their bench scored 40 points"), the column, and the sum."""
    groups = [i for i in sentence.items if i.stop <= stated.first and i.means("part") and is_group(sentence, i)]
    if stated.form != "one" or not groups or (stated.phrase and sentence.low(stated.phrase.stop) in ("from", "by")):
        return None
    item, phrase = groups[-1], groups[-1].means("part")[0]
    value = next((v for v in stated.values if v.sheet == phrase.sheet), None)
    children = [
        m for m in named if phrase.sheet in m.sheets and m.stop <= stated.first and m.role in ("subject", "agent")
    ]
    sheet = record.sheets[phrase.sheet]
    if value is None or children or sheet.parent is None:
        return None
    above = [m for m in named if m.stop <= item.first and sheet.parent[0] in m.sheets]
    asked = Stated(form="one", numbers=stated.numbers, values=(Phrase(kind="value", sheet=sheet.parent[0]),))
    owner = above[-1] if above else mentions.owner(sentence, [], asked)
    rows = owner.of(sheet.parent[0]) if owner is not None else ()
    if len(rows) != 1 or len(rows[0]) != 1:
        return None
    mine = [r for r in sheet.rows() if record.owner(At(sheet.name, r)) == rows[0][0]]
    mine = [r for r in mine if sheet.is_part(r, phrase.name) == phrase.yes]
    numbers = [sheet.number(row, value.name) for row in mine]
    if None in numbers:
        return None
    return tuple(At(sheet.name, r) for r in mine), value.name, sum(filter(None, numbers), Fraction(0))


def _leads(record: Record, mentions: Mentions, sentence: Sentence, named: Sequence[Mention]) -> Iterator[Finding]:
    """ "Led the team with 20 points", "a team-high 20 points": nobody of the same parent (or at all) has more."""
    values = [each for each in link(record, sentence) if each.form == "one" and each.values]
    for item in sentence.items:
        if item.means("belongs"):
            whole = False
        elif item.means("noun") and sentence.low(item.stop) == "-" and sentence.low(item.stop + 1) in ("high", "best"):
            whole = not any(_is_parent(record, phrase.sheet) for phrase in item.means("noun"))
        else:
            continue
        start, stop = clause_of(sentence, item.first)
        stated = next((each for each in values if each.first >= item.stop), None)
        if sentence.low(item.first - 1) == "-" and sentence.low(item.first - 2) == "co":
            continue
        if stated is None or any(start <= each.first < item.first for each in values):
            continue
        for value in stated.values:
            sheet = record.sheets[value.sheet]
            at = _row(mentions, sentence, named, stated.numbers[0], value.sheet)
            if at is None or sheet.parent is None or sheet.values[value.name].pair:
                continue
            parts = [p for i in sentence.items if item.stop <= i.first < stop for p in i.means("part")]
            rows = list(sheet.rows()) if whole else sheet.mates(at.row)
            rows = [r for r in rows if all(sheet.is_part(r, p.name) in (p.yes, None) for p in parts)]
            numbers = [number for row in rows if (number := sheet.number(row, value.name)) is not None]
            mine = sheet.number(at.row, value.name)
            if mine is not None and numbers:
                yield _word(item, (at,), (value.name,), mine >= max(numbers))


def _counts(record: Record, sentence: Sentence, named: Sequence[Mention]) -> Iterator[Finding]:
    """ "Six players in double figures": how many of a parent's rows (or of all) have done it."""
    for item in sentence.items:
        _, stop = clause_of(sentence, item.first)
        feats = [p for i in sentence.items if item.stop <= i.first < stop for p in i.means("feat")]
        if item.kind != "number" or item.article or item.quantity is None or item.quantity.ordinal or not feats:
            continue
        sheet = record.sheets[feats[0].sheet]
        if _counted(sentence, item, sheet.name) is None or _elsewhere(sentence, item, sheet.name):
            continue
        above = sheet.parent[0] if sheet.parent is not None else ""
        owner = next((m for m in reversed(named) if above in m.sheets and len(m.rows) == 1 == len(m.rows[0])), None)
        if owner is None and above:
            continue
        rows = [r for r in sheet.rows() if owner is None or record.owner(At(sheet.name, r)) == owner.rows[0][0]]
        done = [sheet.has(row, sheet.relation.spoken.feats[feats[0].name]) for row in rows]
        if None in done:
            continue
        fits = rounding.matches(item.quantity, Fraction(done.count(True)), None) is Match.YES
        yield Finding(
            start=item.start,
            end=item.end,
            kind="number",
            outcome=Outcome.SUPPORTED if fits else Outcome.CONTRADICTED,
            rows=tuple(At(sheet.name, row) for row, did in zip(rows, done, strict=True) if did),
            columns=sheet.relation.spoken.feats[feats[0].name].columns,
            right="" if fits else str(done.count(True)),
        )


def _counted(sentence: Sentence, item: Item, sheet: str) -> Item | None:
    """The noun of a sheet's rows that a number counts."""
    if sentence.low(item.stop) in ("other", "more", "fewer"):
        return None
    nouns = [i for i in sentence.items if item.stop <= i.first <= item.stop + 1]
    return next((i for i in nouns if any(p.sheet == sheet for p in i.means("noun"))), None)


def _is_parent(record: Record, sheet: str) -> bool:
    return any(each.parent is not None and each.parent[0] == sheet for each in record.sheets.values())
