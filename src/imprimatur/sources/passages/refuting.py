"""Whether a sentence of prose plainly says otherwise than a claim: what a contradiction by comparison must have.

Contract: ``plainly`` is narrow. The sentence is about the same in the same words, and what tells against the claim is a
value, a denial or a role; another word refutes nothing, for both may be so, and another name only where the comparison
says that the relation has one value by its words. A number of the claim that stands in the sentence too is not denied
by it, and neither is a claim that has the sentence's words and negators: there the comparison paired words of two
clauses. An opposite ("open", "closed") is a denial. A pronoun has no role to swap.
"""

from __future__ import annotations

from collections.abc import Sequence

from imprimatur.language import closed_class, negation, wordnet
from imprimatur.language.morphology import lemmas
from imprimatur.sources.passages.ground import Ground, Line, Term, contents, terms_of
from imprimatur.sources.passages.signs import Signs
from imprimatur.sources.text.comparison import Comparison
from imprimatur.verdict import Reason

__all__ = ["plainly"]

#: A sentence is about the same when it has at least this share of the claim's words, numbers aside, and at most one
#: content word more. In a longer sentence a value or a denial may belong to something else.
_SAME = 0.9
#: What an aligned sentence can refute by.
_REFUTING = frozenset(
    (
        *(Reason.NUMBER_NOT_IN_SOURCE, Reason.VALUE_MISMATCH, Reason.UNIT_MISMATCH),
        *(Reason.NEGATION_MISMATCH, Reason.ROLES_SWAPPED, Reason.COMPARISON_MISMATCH, Reason.UNSUPPORTED_NAME),
    )
)


def plainly(words: str, found: Comparison, signs: Signs) -> bool:
    """Whether what was found says otherwise plainly: on a value or by a denial, in the claim's own words."""
    against = [mark.reason for mark in found.marks if mark.against]
    if not against or not _REFUTING.issuperset(against):
        return False
    said = [terms_of(used.sentence) for used in found.used]
    own = terms_of(words)
    named = set(against) == {Reason.UNSUPPORTED_NAME} and signs.strange <= len(against)
    if signs.aligned < _SAME and not named and not any(_opposed(own, terms) for terms in said):
        return False
    if any(len(contents(terms)) > signs.size + 1 for terms in said):
        return False
    held = [Ground([Line(used.sentence, used.key, 0, 0)]) for used in found.used]
    return any(_refutes(reason, own, held, said) for reason in against)


def _refutes(reason: Reason, own: Sequence[Term], held: Sequence[Ground], said: Sequence[Sequence[Term]]) -> bool:
    if reason is Reason.NUMBER_NOT_IN_SOURCE:
        numbers = [term for term in own if term.value]
        return any(not line.knows(term) for line in held for term in numbers)
    if reason is Reason.NEGATION_MISMATCH:
        words = contents(own)
        paired = (_denies(own) == _denies(terms) and all(map(line.knows, words)) for line, terms in zip(held, said))
        return not any(paired)
    if reason is Reason.ROLES_SWAPPED:
        return not (own and closed_class.pronouns(own[0].lower))
    return True


def _opposed(own: Sequence[Term], said: Sequence[Term]) -> bool:
    """Whether the texts have the same content words but for one, and its opposite."""
    there = frozenset[str]().union(*(term.forms for term in said))
    left = [term for term in contents(own) if not term.forms & there]
    if len(left) != 1:
        return False
    return any(not there.isdisjoint(wordnet.antonyms(lemma, pos)) for lemma, pos in lemmas(left[0].lower))


def _denies(terms: Sequence[Term]) -> bool:
    return bool(negation.find([term.lower for term in terms]))
