"""Which rows the values of a sentence belong to: the names in it by their places, pronouns by what came before.

Contract: ``Mentions`` reads one sentence after another and remembers what the last ones were about. ``owner`` gives the
mention that a value belongs to, and None where no place says. A mention in a prepositional phrase ("for the Lakers") is
asked last; one in front of a bracket owns what is in it; after "while" or a comma, a participle ("adding") goes on
about the subject, not about the object. A name that is none of the record's owns what stands after it: of that nothing
is known.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from imprimatur._dataclasses import dataclass
from imprimatur.extract.words import forms, is_closed
from imprimatur.sources.tables.values.clauses import clause_of
from imprimatur.sources.tables.values.linking import Stated
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.sources.tables.values.record import At, Record

__all__ = ["Mention", "Mentions"]

_PREPOSITIONS = frozenset("for of against over to from past versus vs at in on like than behind into".split())
_SKIPPED = frozenset("the a an host visiting duo trio of his her their its both".split())
_ONE = frozenset("he she his her him".split())
_MANY = frozenset("they their them".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Names that stand together ("X and Y"), or what a pronoun stands for (no item).

    ``rows`` has for each name the rows that it may be. ``role``: "subject", "object", "agent" (after "by"), "oblique"
    or "pronoun"; ``unknown``: a name that is none of the record's.
    """

    items: tuple[Item, ...]
    rows: tuple[tuple[At, ...], ...]
    role: str
    unknown: bool = False

    @property
    def sheets(self) -> frozenset[str]:
        """The sheets that its rows may be of."""
        return frozenset(at.sheet for rows in self.rows for at in rows)

    def of(self, sheet: str) -> tuple[tuple[At, ...], ...]:
        """Its rows of one sheet, name by name."""
        return tuple(tuple(at for at in rows if at.sheet == sheet) for rows in self.rows)

    @property
    def first(self) -> int:
        """Its first token; -1 for a pronoun's."""
        return self.items[0].first if self.items else -1

    @property
    def stop(self) -> int:
        """One past its last token."""
        return self.items[-1].stop if self.items else -1


class Mentions:
    """The mentions of a text, sentence by sentence."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._seen: dict[At, int] = {}
        self._focus: dict[str, tuple[int, Mention]] = {}
        self._count = 0
        self._last: Mention | None = None

    def __copy__(self) -> Mentions:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._seen, made._focus = dict(self._seen), dict(self._focus)
        return made

    def read(self, sentence: Sentence) -> tuple[Mention, ...]:
        """The mentions of the next sentence, in order."""
        self._count += 1
        found: list[Mention] = []
        for group in _groups(sentence):
            rows = tuple(self._resolved(item) for item in group if item.kind == "row")
            role = _role(sentence, group, found)
            unknown = any(item.kind == "unknown" for item in group)
            found.append(Mention(items=tuple(group), rows=() if unknown else rows, role=role, unknown=unknown))
        return tuple(found)

    def done(self, mentions: Iterable[Mention]) -> None:
        """Remembers what a sentence was about, when all of it has been asked; last of all, whose values it stated."""
        for weak in (True, False):
            for mention in mentions:
                if mention.unknown or (mention.role == "oblique") != weak:
                    continue
                for sheet in mention.sheets:
                    known = self._focus.get(sheet)
                    if weak and known is not None:
                        continue
                    if not weak and mention.role == "object" and known is not None and known[0] == self._count:
                        continue
                    self._focus[sheet] = (self._count, mention)
        if self._last is not None and self._last.items:
            for sheet in self._last.sheets:
                self._focus[sheet] = (self._count, self._last)
        self._last = None

    def spoke(self, mention: Mention) -> None:
        """Remembers whose values were stated last."""
        self._last = mention

    def _resolved(self, item: Item) -> tuple[At, ...]:
        """The rows that a name may be: those that were named in full before, the last one first."""
        rows = item.rows
        if len({at.sheet for at in rows}) == 1 and len(rows) > 1:
            known = sorted((at for at in rows if at in self._seen), key=lambda at: -self._seen[at])
            rows = tuple(known[:1]) or rows
        if len(rows) == 1:
            self._seen[rows[0]] = self._count * 1000 + item.first
        return rows

    def owner(self, sentence: Sentence, mentions: Sequence[Mention], stated: Stated) -> Mention | None:
        """The mention that a value belongs to."""
        sheets = {phrase.sheet for phrase in stated.values}
        mine = [each for each in mentions if each.unknown or each.sheets & sheets]
        one = _pronoun(sentence, mine, stated)
        children = {sheet for sheet in sheets if self._record.sheets[sheet].parent is not None}
        if one and children and children != sheets:
            mine = [each for each in mine if each.unknown or each.sheets & children]
            sheets = children
        before = [each for each in mine if each.stop <= stated.first]
        if stated.bracket and (direct := self._bracket_owner(sentence, before, stated)) is not None:
            return direct
        after = _after(sentence, mine, stated)
        if after is not None:
            return after
        strong = [each for each in before if each.role != "oblique" and not self._passes(sentence, each)]
        start, _ = clause_of(sentence, stated.first)
        if (named := _former(sentence, before, stated)) is not None:
            return named
        if not strong and (subject := _cataphor(sentence, mine, stated)) is not None:
            return subject
        if not strong and before and not before[-1].unknown and _resumed(sentence, before[-1].stop, stated.first):
            return before[-1]
        strong = _in_reach(sentence, strong, stated)
        if strong:
            last = strong[-1]
            if self._is_partial(strong, before, mentions, stated, sentence):
                return None
            if last.role == "object" and not self._is_child(last):
                last = next((m for m in reversed(strong) if self._is_child(m) and m.role == "subject"), last)
            if last.role == "object" and _resumes(sentence, start, last.stop, stated.first):
                subjects = [each for each in strong if each.role in ("subject", "agent")]
                last = subjects[-1] if subjects else last
                if not subjects and (earlier := self._earlier(sentence, sheets)) is not None:
                    return earlier
            return last
        if self._is_partial((), before, mentions, stated, sentence) or (not one and self._has_other(mentions, stated)):
            return None
        return self._earlier(sentence, sheets) or (before[-1] if before else None)

    def _several(self, sheets: set[str]) -> bool:
        """Whether the last sentence was about several rows of one of some sheets."""
        return any(len(self._focus[each][1].rows) > 1 and self._focus[each][0] == self._count - 1 for each in sheets)

    def _has_other(self, mentions: Sequence[Mention], stated: Stated) -> bool:
        """Whether a parent is the subject of a value that only children have: "the Hawks went 37-for-42"."""
        if not stated.values or any(self._record.sheets[p.sheet].parent is None for p in stated.values):
            return False
        parents = {above[0] for p in stated.values if (above := self._record.sheets[p.sheet].parent) is not None}
        return any(each.role == "subject" and each.sheets & parents and each.stop <= stated.first for each in mentions)

    def _is_child(self, mention: Mention) -> bool:
        return any(self._record.sheets[sheet].parent is not None for sheet in mention.sheets)

    def _is_partial(
        self,
        strong: Sequence[Mention],
        before: Sequence[Mention],
        mentions: Sequence[Mention],
        stated: Stated,
        sentence: Sentence,
    ) -> bool:
        """Whether a value of parents alone ("in the first half") is said of a child: nothing holds its part."""
        if any(self._record.sheets[phrase.sheet].parent is not None for phrase in stated.values):
            return False
        words = {w for p in stated.values if p.name for w in self._record.sheets[p.sheet].values[p.name].words}
        last = strong[-1].stop if strong else -1
        for each in mentions:
            if (
                last < each.stop <= stated.first
                and each.role != "oblique"
                and self._is_child(each)
                and each not in before
            ):
                values = [v for s in each.sheets for v in self._record.sheets[s].values.values()]
                return any(words & set(value.words) for value in values)
        return False

    def earlier(self, sheets: set[str], sentence: Sentence) -> tuple[tuple[tuple[At, ...], ...], ...]:
        """The rows that the last sentences were about, if any."""
        known = self._earlier(sentence, sheets)
        return (known.rows,) if known is not None else ()

    @staticmethod
    def _bracket_owner(sentence: Sentence, before: Sequence[Mention], stated: Stated) -> Mention | None:
        """The mention right before the bracket that the value stands in."""
        opened = max(i for i in range(stated.first) if sentence.tokens[i].text == "(")
        return next((each for each in before if each.stop == opened), None)

    def _passes(self, sentence: Sentence, mention: Mention) -> bool:
        """Whether a name only describes something, owns something, or is what someone leads."""
        child = any(self._record.sheets[sheet].parent is not None for sheet in mention.sheets)
        return _passes(sentence, mention, child=child)

    def _earlier(self, sentence: Sentence, sheets: set[str]) -> Mention | None:
        """What the last sentences were about: of the sheet that a pronoun fits, else the latest."""
        known = [(self._focus[sheet][0], sheet) for sheet in sheets if sheet in self._focus]
        if not known:
            return None
        words = {token.lower for token in sentence.tokens}
        children = {sheet for _, sheet in known if self._record.sheets[sheet].parent is not None}
        if words & _ONE and children:
            known = [each for each in known if each[1] in children]
        elif words & _MANY and len(children) < len(known) and not self._several(children):
            known = [each for each in known if each[1] not in children]
        last, sheet = max(known)
        rows = self._focus[sheet][1].of(sheet)
        others = [self._focus[each][1].of(each) for count, each in known if each != sheet and count >= last - 1]
        if len(rows) == 1 and not words & (_ONE | _MANY):
            rows = ((*rows[0], *(at for other in others if len(other) == 1 for at in other[0])),)
        return Mention(items=(), rows=rows, role="pronoun")


def _groups(sentence: Sentence) -> Iterator[list[Item]]:
    """Names that are joined by "and" (and commas before it), else one by one."""
    named = [item for item in sentence.items if item.kind in ("row", "unknown")]
    at = 0
    while at < len(named):
        group = [named[at]]
        while at + len(group) < len(named) and _joined(sentence, group[-1], named[at + len(group)]):
            group.append(named[at + len(group)])
        if len(group) > 1 and not any(_and_between(sentence, a, b) for a, b in itertools.pairwise(group)):
            group = group[:1]
        yield group
        at += len(group)


def _joined(sentence: Sentence, left: Item, right: Item) -> bool:
    between = [token.lower for token in sentence.tokens[left.stop : right.first] if token.lower not in ("the", "both")]
    same = {at.sheet for at in left.rows} == {at.sheet for at in right.rows} and left.kind == right.kind == "row"
    return same and between in (["and"], ["&"], [","], [",", "and"])


def _and_between(sentence: Sentence, left: Item, right: Item) -> bool:
    return any(token.lower in ("and", "&") for token in sentence.tokens[left.stop : right.first])


def _role(sentence: Sentence, group: Sequence[Item], before: Sequence[Mention]) -> str:
    first, stop = group[0].first, group[-1].stop
    index = first - 1
    while index >= 0 and sentence.low(index) in _SKIPPED and not (sentence.low(index) == "of" and index != first - 1):
        if sentence.low(index) == "of" and sentence.low(index - 1) not in ("duo", "trio"):
            break
        index -= 1
    word = sentence.low(index)
    after = stop + (sentence.low(stop) == ",")
    relative = sentence.low(after) in ("who", "which")
    if word == "by":
        return "agent"
    topic = index == 0 and sentence.low(stop) == ","
    if word in _PREPOSITIONS and not relative and not topic:
        return "oblique"
    start, _ = clause_of(sentence, first)
    sheets = {at.sheet for item in group for at in item.rows}
    earlier = [m for m in before if m.first >= start and m.role == "subject" and m.sheets & sheets]
    verbal = index >= start and not is_closed(word) and forms(word).verb is not None and word.isalpha()
    finite = bool({"past", "s", "ing"} & forms(word).verb_forms) and index > start
    return "object" if verbal and (earlier or finite or word.endswith("ing")) else "subject"


def _passes(sentence: Sentence, mention: Mention, *, child: bool) -> bool:
    """ "The only other Laker to", "paced the Lakers", "the Lakers star center"."""
    first = mention.first - (sentence.low(mention.first - 1) == "the")
    led = (
        first > 0
        and not child
        and not mention.unknown
        and (item := sentence.at[first - 1]) is not None
        and bool(item.means("belongs"))
    )
    only = sentence.low(mention.first - 1) in ("other", "only")
    possessive = sentence.low(mention.stop) in ("'s", "'")
    owns = (mention.unknown and (mention.role != "subject" or possessive)) or (possessive and mention.role == "object")
    return led or only or owns or _describes(sentence, mention)


def _describes(sentence: Sentence, mention: Mention) -> bool:
    """Whether a noun follows a name at once ("the Kings star center"): the name is not what is spoken of."""
    word = sentence.low(mention.stop)
    known = forms(word)
    if sentence.low(mention.stop + 1) == "-" and word.isalpha():
        return "past" not in forms(sentence.low(mention.stop + 2)).verb_forms
    item = sentence.at[mention.stop] if mention.stop < len(sentence.at) else None
    if item is not None:
        return bool(item.means("part") or item.means("noun"))
    told = known.closed or known.adv or {"past", "s"} & known.verb_forms or not word.isalpha() or not word.islower()
    return not told and (known.noun is not None or known.adj is not None)


def _former(sentence: Sentence, before: Sequence[Mention], stated: Stated) -> Mention | None:
    """ "The former" and "the latter" of the last two names."""
    before = [each for each in before if each.rows]
    for index in range(stated.first - 1, max((each.stop for each in before), default=0) - 1, -1):
        word = sentence.low(index)
        if word in ("former", "latter"):
            pairs = [(each, each) for each in before if len(each.rows) > 1] or list(
                zip(before[-2:], before[-1:], strict=False)
            )
            if not pairs:
                return None
            first, last = pairs[-1]
            mention, place = (first, 0) if word == "former" else (last, -1)
            return replace(mention, items=(mention.items[place],), rows=(mention.rows[place],))
    return None


def _pronoun(sentence: Sentence, mentions: Sequence[Mention], stated: Stated) -> bool:
    """Whether a singular pronoun stands between the last mention and a value."""
    last = max((each.stop for each in mentions if each.stop <= stated.first), default=0)
    return any(sentence.low(index) in ("he", "she") for index in range(last, stated.first))


def _resumed(sentence: Sentence, stop: int, number: int) -> bool:
    """Whether "they" or "it" stands between a mention and a value."""
    return any(sentence.low(index) in ("they", "it") for index in range(stop, number))


def _cataphor(sentence: Sentence, mentions: Sequence[Mention], stated: Stated) -> Mention | None:
    """The subject that a phrase at the head of a sentence is said of: "Coming off the bench, X had"."""
    start, stop = clause_of(sentence, stated.first)
    if start > 0 or not (sentence.low(0).endswith("ing") and forms(sentence.low(0)).verb is not None):
        return None
    return next((each for each in mentions if each.first == stop + 1 and not each.unknown), None)


def _in_reach(sentence: Sentence, strong: list[Mention], stated: Stated) -> list[Mention]:
    """The mentions without owners ("Atlanta's top scorer") that stand behind a subject, and whose phrase has ended."""

    def ended(mention: Mention) -> bool:
        between = range(mention.stop, stated.first)
        return sentence.low(mention.stop) in ("'s", "'") and any(
            sentence.low(i) in (",", "with", "as") for i in between
        )

    subjects = [each for each in strong if each.role == "subject" and sentence.low(each.stop) not in ("'s", "'")]
    return [each for each in strong if not (subjects and each.role != "agent" and ended(each))]


def _after(sentence: Sentence, mentions: Sequence[Mention], stated: Stated) -> Mention | None:
    """ "20 points from X": the mention right after the value's words, where "from" or "by" stands between."""
    if stated.phrase is None or stated.phrase.first < stated.first:
        return None
    for end in (stated.phrase.stop, stated.phrase.stop + 1):
        for each in mentions:
            if end < each.first <= end + 3 and sentence.low(end) in ("from", "by"):
                return each
    return None


def _resumes(sentence: Sentence, start: int, stop: int, number: int) -> bool:
    """Whether between an object and a number a participle goes on about the subject."""
    for index in range(max(start, stop), number):
        word = sentence.low(index)
        if (
            word.endswith("ing")
            and forms(word).verb is not None
            and sentence.low(index - 1) in (",", "while", "and", "as")
        ):
            return True
    return False
