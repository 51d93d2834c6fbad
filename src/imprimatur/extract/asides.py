"""What stands beside a question and asks for nothing: remarks on names and on the answer, the unit, "the name of".

Contract: each function gives the question without one such thing, and as it is when there is none.
"""

from __future__ import annotations

from imprimatur.extract.asked import added
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import turning
from imprimatur.extract.words import BE
from imprimatur.language.units import parse as unit_of

__all__ = ["named_by", "of_name", "without_asides", "without_choice", "without_remark", "without_unit"]


def of_name(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """ "The name X is derived from" as "the name of X is derived from"."""
    for n in range(1, len(items) - 1):
        if items[n].lower == "name" and items[n + 1].entity is not None and items[n - 1].lower == "the":
            return (*items[: n + 1], added("of"), *items[n + 1 :])
    return items


def without_asides(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Without a remark on a name: "X, which crosses Y, is …", "X (also known as Z) is …"."""
    for n in range(1, len(items) - 1):
        close = {",": ",", "(": ")"}.get(items[n].lower)
        end = next((k for k in range(n + 1, len(items) - 1) if items[k].lower == close), 0)
        relative = items[n].lower == "(" or items[n + 1].lower in ("which", "who", "whose")
        if items[n - 1].entity is not None and end and relative and not any(turning(i) for i in items[n:end]):
            return (*items[:n], *items[end + 1 :])
    return items


def without_unit(items: tuple[Item, ...]) -> tuple[tuple[Item, ...], str]:
    """The question without the unit in which a number is asked for: "What is the area, in hectares, of X?"."""
    for n, item in enumerate(items[:-2]):
        if item.lower != "," or items[n + 1].lower != "in":
            continue
        stop = next((k for k in range(n + 2, len(items)) if items[k].lower == ","), len(items))
        unit = " ".join(i.text for i in items[n + 2 : stop])
        if stop - n < 8 and unit_of(unit) is not None:
            return (*items[:n], *items[stop + 1 :]), unit
    return items, ""


def named_by(items: tuple[Item, ...], at: int) -> tuple[Item, ...]:
    """ "What is the name of X?" as "What is X?", "What is X's source's name?" as "What is X's source?"."""
    rest = [i.lower for i in items[at + 1 : at + 5]]
    if rest[1:] == ["the", "name", "of"] and rest[0] in BE:
        return (*items[: at + 2], *items[at + 5 :])
    if rest[:1] and rest[0] in BE and [i.lower for i in items[-2:]] == ["'s", "name"]:
        # Only of what belongs to something named: "what is X's name" asks for a name, and not for X.
        bearer = items[at + 2 : -2]
        owned = len(bearer) > 2 and bearer[0].entity is not None and bearer[1].lower == "'s"
        if owned and bearer[-1].forms.noun and all(i.entity is None for i in bearer[1:]):
            return items[:-2]
    return items


def without_choice(items: tuple[Item, ...], at: int) -> tuple[Item, ...]:
    """ "Which of these rivers" as "which rivers"."""
    n = at + 1
    if [i.lower for i in items[n : n + 3]] == ["of", "the", "following"]:
        return (*items[:n], *items[n + 3 :])
    if len(items) > n + 1 and items[n].lower == "of" and items[n + 1].lower in ("these", "those"):
        return (*items[:n], *items[n + 2 :])
    return items


def without_remark(rest: tuple[Item, ...]) -> tuple[Item, ...]:
    """Without how the answer is to be given: ", rounded to one decimal place", ", given its length in miles"."""
    at = next((n for n, i in enumerate(rest) if i.lower == ","), 0)
    remark = at and at + 1 < len(rest) and rest[at + 1].forms.verb_forms & {"pp", "ing"}
    return rest[:at] if remark else rest
