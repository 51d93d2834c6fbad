"""Short answers, list items and table cells, completed by what surrounds them.

"2,334 km" under the column "Length" in the row "Rhine" is read as "the length of the Rhine is 2,334 km"; "Length: 8
miles" under a heading likewise; and a bare answer is put into its question ("How long is it?"). The added words have no
place in the answer (their spans are negative), so they account for nothing and can be no residue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur._expressions import expression
from imprimatur.answer import Answer, Kind, Segment
from imprimatur.claim import Mention
from imprimatur.extract.discourse import Discourse
from imprimatur.extract.grammar import parse
from imprimatur.extract.items import items_of
from imprimatur.extract.syntax import Forms, Item
from imprimatur.extract.words import BE, DO, HAVE, forms
from imprimatur.language.tokens import tokenise
from imprimatur.protocols import Lexicon

__all__ = ["completed", "subjects_of"]


_UNIT = expression(r"\s*[(\[]([^()\[\]]{1,12})[)\]]\s*$")
#: Characters; a longer question is a document, and nothing is taken from it.
_LONGEST_QUESTION = 4000
#: Items; a longer line over a list is a text of its own.
_LONGEST_STEM = 24


def subjects_of(question: str, lexicon: Lexicon, locale: str) -> tuple[Mention, ...]:
    """The things that a question names: when there is one, the question is about it."""
    if len(question) > _LONGEST_QUESTION:
        return ()
    items = items_of(question, lexicon, locale=locale)
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
    q = [i for i in _outside(items_of(question, discourse)) if i.lower not in ("?", "!", ".")]
    if len(q) < 3:
        return ()
    value = tuple(i for i in value if i.lower not in (".", "!"))
    head = q[0].lower
    if head == "how" and q[1].forms.adj and q[2].lower in BE:
        return (*q[3:], q[2], *value, q[1])
    if head in ("what", "which") and q[1].lower not in BE | DO:
        return _which(q, value)
    if head in ("what", "which") and q[1].lower in BE:
        return (*q[2:], q[1], *value)
    if head in ("what", "who", "whom") and q[1].lower in DO:
        return _moved(q[1], q[2:], value)
    if head in ("when", "where") and len(q) > 2:
        if any(i.date is not None or i.quantity is not None for i in value) is (head == "where"):
            return ()
        placed = bool(value) and "prep" in value[0].forms.closed  # "On 9 November"
        return _moved(q[1], q[2:], value if placed else (*added("in"), *value))
    if head == "how" and q[1].lower == "many":
        return _counted(q[2:], value)
    if head == "how" and q[1].lower == "much" and q[2].lower in DO:
        return _moved(q[2], q[3:], value)
    if head == "who" and len(q) > 2:
        return (*value, *q[1:])
    return ()


def _verbal(items: Sequence[Item]) -> bool:
    """Whether a word may be a verb; what is counted ("412 pages") is none."""
    return any(
        i.forms.verb and not (n and i.forms.plural and items[n - 1].quantity is not None) for n, i in enumerate(items)
    )


def _counted(q: list[Item], value: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "How many pages does S have?" gives "S has VALUE pages", with the noun of the answer where it has one."""
    aux = next((n for n, i in enumerate(q) if i.lower in DO), 0)
    noun, rest = q[:aux], q[aux + 1 :]
    if not aux or not value or value[0].quantity is None or not all(i.forms.noun or i.forms.adj for i in noun):
        return ()
    return _moved(q[aux], rest, value if len(value) > 1 else (*value, *noun))


def _which(q: list[Item], value: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "Which river does S cross?" gives "S crosses the river VALUE"; "Which bridge crosses O?" likewise."""
    verb = next((n for n, i in enumerate(q) if n > 1 and (i.lower in DO | BE or i.forms.verb_forms & {"s", "past"})), 0)
    noun, named = q[1:verb], [i for i in value if i.forms.closed != forms("the").closed]
    if not noun or len(named) != 1 or named[0].entity is None or not all(i.forms.noun or i.forms.adj for i in noun):
        return ()
    told = (*added("the"), *noun, *named)
    if q[verb].lower in DO:
        return _moved(q[verb], q[verb + 1 :], told)
    return (*told, *q[verb:]) if q[verb].lower not in BE or "prep" in q[verb + 1].forms.closed else ()


def _moved(aux: Item, rest: list[Item], tail: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "was X opened" with its auxiliary moved behind the subject."""
    stop = next((n + 1 for n, i in enumerate(rest) if i.entity or i.name or "pron" in i.forms.closed), 0)
    if not stop:
        return ()
    if aux.lower in DO:
        verb = rest[stop] if stop < len(rest) else None
        if verb is None or not verb.forms.verb:
            return ()
        tags = frozenset(("past", "s"))
        past = verb._replace(forms=Forms(verb=verb.forms.verb, verb_forms=tags))
        return (*rest[:stop], past, *rest[stop + 1 :], *tail)
    return (*rest[:stop], aux, *rest[stop:], *tail)
