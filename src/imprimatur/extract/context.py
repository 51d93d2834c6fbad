"""Short answers, list items and table cells, completed by what surrounds them.

"2,334 km" under the column "Length" in the row "Rhine" is read as "the length of the Rhine is 2,334 km"; "Length: 8
miles" under a heading likewise; and a bare answer is put into its question ("How long is it?"). The added words have no
place in the answer (their spans are negative), so they account for nothing and can be no residue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile

from imprimatur._expressions import expression
from imprimatur.answer import Answer, Kind, Segment
from imprimatur.claim import Mention
from imprimatur.extract.asked import Asked, Wanted, is_gap
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.grammar import parse
from imprimatur.extract.items import items_of
from imprimatur.extract.questions import statements
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import BE, DO, HAVE, forms
from imprimatur.language import closed_class
from imprimatur.language.tokens import tokenise
from imprimatur.protocols import Lexicon

__all__ = ["asked_items", "completed", "subjects_of"]


_UNIT = expression(r"\s*[(\[]([^()\[\]]{1,12})[)\]]\s*$")
#: Characters; a longer question is a document, and nothing is taken from it.
_LONGEST_QUESTION = 4000
#: Items; a longer line over a list is a text of its own.
_LONGEST_STEM = 24


def asked_items(question: str, lexicon: Lexicon, locale: str) -> tuple[Item, ...] | None:
    """The words of a question; None for one that is too long to be one."""
    return None if len(question) > _LONGEST_QUESTION else tuple(items_of(question, lexicon, locale=locale))


def subjects_of(items: Sequence[Item]) -> tuple[Mention, ...]:
    """The things that a question names: when there is one, the question is about it."""
    found = {i.entity.candidates: replace(i.entity, start=-1, end=-1) for i in items if i.entity is not None}
    return tuple(found.values())


def added(text: str) -> tuple[Item, ...]:
    """Words that are not in the answer."""
    return tuple(Item(-1, -1, t.text, t.lower, forms=forms(t.lower)) for t in tokenise(text))


def _outside(items: Sequence[Item]) -> tuple[Item, ...]:
    """Items of the surroundings: their words are read, their places are not."""
    return tuple(i._replace(start=-1, end=-1) for i in items)


def completed(items: tuple[Item, ...], segment: Segment, answer: Answer, discourse: Discourse) -> tuple[Item, ...]:
    """The items of a segment, put into a sentence when they are none of their own."""
    if segment.kind is Kind.TABLE_CELL and segment.column and segment.row and segment.row != segment.body:
        return _cell(items, segment, answer, discourse)
    named = _under(items, segment, answer, discourse)
    if named:
        return named
    label, value = _labelled(items)
    if label and value and discourse.subject:
        return _sentence(label, _subject(discourse), value, discourse)
    if segment.stem is not None and value_like(items):
        stemmed = _stemmed(answer.text[slice(*segment.stem)], items, discourse)
        if stemmed:
            return stemmed
    question = answer.question or ""
    if 0 < len(question) <= _LONGEST_QUESTION and len(items) <= 12 and not _verbal(items):
        asked = _asked(question, discourse, items)
        if asked:
            return asked
    return items


#: Nouns for a number of things, which say nothing of them: "a selection of the rivers".
_AMOUNT = frozenset("list selection number sample choice series set group overview few handful".split())


def value_like(items: Sequence[Item]) -> bool:
    """Whether a list item is a phrase, not a sentence."""
    return bool(items) and not parse(items).clauses


def _stemmed(stem: str, value: tuple[Item, ...], discourse: Discourse) -> tuple[Item, ...]:
    """A list item put into the line over its list: "It crosses:", "Rivers that it crosses:"."""
    lead = list(_outside(items_of(stem, discourse)))
    while lead and lead[-1].punct:
        lead.pop()
    value = tuple(i for n, i in enumerate(value) if n < len(value) - 1 or i.lower not in (".", ";", ","))
    if not lead or not value or len(lead) > _LONGEST_STEM or any(i.punct and i.lower != "," for i in lead):
        return ()
    of = next((n for n, i in enumerate(lead) if i.lower == "of"), 0)
    if of and lead[of - 1].forms.noun in _AMOUNT and not any(i.entity or i.quantity for i in lead[:of]):
        lead = lead[of + 1 :]
    read = parse(lead)
    if read.clauses and read.complete:
        return (*lead, *value)
    if read.fragments and not read.fragments[0].prep and read.fragments[0].value is None:
        return (*value, *added("are" if len(value) > 1 else "is"), *lead)
    return (*lead, *value)


def _under(items: tuple[Item, ...], segment: Segment, answer: Answer, discourse: Discourse) -> tuple[Item, ...]:
    """ "Rhine: 1,233 km" under "Length:", and "Rhine — length: 1,233 km": a name with a value of its property."""
    first = 1 if items[:1] and items[0].lower == "the" else 0
    if len(items) < first + 3 or items[first].entity is None or items[first + 1].lower not in (":", "–", "—", "-"):
        return ()
    subject, rest = items[: first + 1], items[first + 2 :]
    if rest[-1].lower == "?":
        return ()  # a guess
    label, value = _labelled(rest)
    if not label and segment.stem is not None and not any(i.lower == ":" for i in rest):
        label = _outside(items_of(answer.text[slice(*segment.stem)], discourse))
        while label and label[-1].punct:
            label = label[:-1]
        value = rest
        if len(label) > 4 or not all(map(_of_noun, label)):
            return ()
    plain = label and value and value_like(value) and not any(i.entity or i.quantity or i.punct for i in label)
    return _sentence(label, subject, value, discourse) if plain else ()


def _of_noun(item: Item) -> bool:
    """Whether a word may belong to a bare noun phrase ("the installed capacity")."""
    return bool(item.forms.noun or item.forms.adj or item.forms.verb_forms & {"pp", "ing"} or item.lower == "the")


def _subject(discourse: Discourse) -> tuple[Item, ...]:
    m = discourse.topic or discourse.subject
    assert m is not None
    return (Item(-1, -1, m.text, m.text.lower(), entity=replace(m, start=-1, end=-1)),)


def _cell(items: tuple[Item, ...], segment: Segment, answer: Answer, lexicon: Lexicon) -> tuple[Item, ...]:
    assert segment.column is not None
    assert segment.row is not None
    header = answer.text[slice(*segment.column)]
    unit = _UNIT.search(header)
    if unit is not None:
        header, items = header[: unit.start()], _with_unit(items, unit[1], lexicon)
    column = _outside(items_of(header, lexicon))
    row = _outside(items_of(answer.text[slice(*segment.row)], lexicon))
    if any(i.entity for i in column) and not any(i.entity for i in row):
        column, row = row, column
    if not any(i.entity or i.name for i in row):
        return items
    return _sentence(column, row, items, lexicon)


def _with_unit(items: tuple[Item, ...], unit: str, lexicon: Lexicon) -> tuple[Item, ...]:
    """A bare number with the unit of its column's header ("Length (m)")."""
    if len(items) != 1 or items[0].quantity is None:
        return items
    read = items_of(f"{items[0].text} {unit}", lexicon)
    whole = len(read) == 1 and read[0].quantity is not None
    return (items[0]._replace(quantity=read[0].quantity),) if whole else ()


def _labelled(items: tuple[Item, ...]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """ "Length: 8 miles" as label and value; empty when it is none."""
    colon = next((n for n, i in enumerate(items[:8]) if i.lower == ":"), None)
    if colon is None or colon == 0 or any(i.entity or i.quantity or i.date for i in items[:colon]):
        return (), ()
    if items[0].forms.closed & {"pron", "poss"} and parse(items[:colon]).clauses:
        return (), ()  # "It has two mouths: A and B"
    return items[:colon], items[colon + 1 :]


def _sentence(
    label: Sequence[Item], subject: Sequence[Item], value: tuple[Item, ...], lexicon: Lexicon
) -> tuple[Item, ...]:
    """The label as a noun ("the length of S is V") or as a verb ("S flows into V")."""
    label = tuple(i for i in label if i.lower not in ("the", "a", "its"))
    if not label:
        return value
    first, last = label[0].forms, label[-1].forms
    noun = len(label) == 1 and first.noun and lexicon.entries(f"={first.noun}<*")  # "Influences: A", but "Crosses: A"
    if (first.verb_forms & {"s"} and not noun) or label[0].lower in BE | HAVE | DO:
        return (*subject, *label, *value)
    if first.verb_forms & {"pp", "past"} and not first.noun:
        return (*subject, *added("is"), *label, *value)
    if "prep" in last.closed and len(label) > 1:
        return (*subject, *added("is the"), *label, *value)
    return (*added("the"), *label, *added("of"), *subject, *added("is"), *value)


def _asked(question: str, discourse: Discourse, value: tuple[Item, ...]) -> tuple[Item, ...]:
    """The value put into its question: "How long is it?" gives "it is VALUE long"."""
    q = _outside(items_of(question, discourse))
    value = tuple(i for i in value if i.lower not in (".", "!"))
    made = [m for asked in statements(q) if not asked.lossy and (m := _filled(asked, discourse, value))]
    return next((m for m in made if parse(m).complete), made[0] if made else ())


def _filled(asked: Asked, discourse: Discourse, value: tuple[Item, ...]) -> tuple[Item, ...]:
    """The sentence of a question with the value in its gap; empty when the value is not what is asked for."""
    at = next(n for n, i in enumerate(asked.items) if is_gap(i))
    before, after = _scoped(asked.items[:at]), _scoped(asked.items[at + 1 :])
    timed = any(i.date is not None or i.quantity is not None for i in value)
    if asked.wanted in (Wanted.TIME, Wanted.PLACE) and timed is (asked.wanted is Wanted.PLACE):
        return ()
    if value and "prep" in value[0].forms.closed and before and "prep" in before[-1].forms.closed:
        before = before[:-1]  # "On 9 November"
    if asked.wanted is Wanted.NUMBER and len(value) > 1 and value[0].quantity is not None:
        after = tuple(dropwhile(lambda i: i.forms.noun or i.forms.adj, after))  # "412 pages" says what is counted
    bare = len(value) == 1 and value[0].quantity is not None and value[0].quantity.unit is None
    if asked.unit and bare:
        value = _with_unit(value, asked.unit, discourse)
    told = _told(asked.noun, value)
    return (*before, *told, *after) if told else ()


def _told(noun: Sequence[Item], value: Sequence[Item]) -> tuple[Item, ...]:
    """The value with the nouns that a question gives it, to be read with it; empty when it cannot have them."""
    named = [i for i in value if i.forms.closed != forms("the").closed]
    if not noun:
        return tuple(value)
    if len(named) != 1 or named[0].entity is None or not all(i.forms.noun or i.forms.adj for i in noun):
        return ()
    return (*added("the"), *noun, *named)


def _scoped(items: Sequence[Item]) -> tuple[Item, ...]:
    """Without "approximate" and its like, which ask for the same value."""
    return tuple(i for i in items if i.lower not in closed_class.words("extent") or i.entity is not None)


def _verbal(items: Sequence[Item]) -> bool:
    """Whether a word may be a verb; what is counted ("412 pages") is none."""
    return any(
        i.forms.verb and not (n and i.forms.plural and items[n - 1].quantity is not None) for n, i in enumerate(items)
    )
