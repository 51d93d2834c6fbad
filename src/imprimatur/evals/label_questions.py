"""Questions in the words of a property: what asks a thing for the value of "length", "flows into", "instance of".

Contract: only the form of the label decides, as English grammar has it; no property is known here. A question that is
no English for some label is at worst not understood: what it asks for stays the same.
"""

from __future__ import annotations

from imprimatur.extract.words import forms

__all__ = ["asked_by_noun", "asked_by_verb", "question_of"]


def question_of(label: str, thing: str) -> str:
    """What asks a thing for the value of a property.

    "What does X cross?" (crosses), "What is X an instance of?", "What is X named after?", "Which region is X located
    in?" (located in the region), else "What is the length of X?".
    """
    words = label.split()
    first, last = forms(words[0].lower()), forms(words[-1].lower())
    said = asked_by_verb(label, thing, alone=True)
    if said:
        return said
    participle = "pp" in first.verb_forms and not first.closed and len(words) > 1
    if participle and "prep" in forms(words[1].lower()).closed:
        if len(words) == 2:
            return f"What is {thing} {label}?"
        noun = words[2:] if words[2].lower() not in ("the", "a", "an") else words[3:]
        if noun and last.noun:
            return f"Which {' '.join(noun)} is {thing} {words[0]} {words[1]}?"
    if len(words) > 1 and "prep" in last.closed and forms(words[-2].lower()).noun:
        return f"What is {thing} {'an' if label[0].lower() in 'aeiou' else 'a'} {label}?"
    return f"What is the {label} of {thing}?"


def asked_by_verb(label: str, thing: str, *, alone: bool = False) -> str:
    """ "What does X flow into?" (flows into); empty where the label does not begin with a verb in its third person.

    Args:
        alone: whether the verb may be all of the label.
    """
    verb, _, rest = label.partition(" ")
    first = forms(verb.lower())
    if not (rest or alone) or not first.verb or "s" not in first.verb_forms or first.closed:
        return ""
    return f"What does {thing} {first.verb}{' ' if rest else ''}{rest}?"


def asked_by_noun(label: str, thing: str) -> str:
    """ "What is the length of X?"; empty where the label is no noun phrase."""
    first, last = forms(label.partition(" ")[0].lower()), forms(label.rpartition(" ")[2].lower())
    nominal = last.noun and not first.closed and (first.noun or first.adj) and "pp" not in first.verb_forms
    return f"What is the {label} of {thing}?" if nominal else ""
