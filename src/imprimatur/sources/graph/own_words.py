"""A property's own words in the sentences that they allow, as keys.

``own_keys`` puts a label into them ("S flows into O", "the length of S is O", "S is influenced by O") and has the
grammar of the texts parse each; ``happened`` does so for what happened at a date. No property is named here.
Invariant: a label with a word that its keys would lose, and that turns what is said ("not employed by"), has no keys.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from imprimatur.extract.wording import WordingKey, wording_keys
from imprimatur.extract.words import ABLE, BE, DO, HAVE, forms
from imprimatur.language import closed_class, morphology
from imprimatur.language.tokens import tokenise

__all__ = ["PERSONS", "TIME_NOUNS", "chain_of", "happened", "own_keys", "turns"]

#: "Without" stays in keys, like every preposition.
_TURNING = (closed_class.words("negator") | {"few", "half"}) - {"without"}

#: Nouns of persons that WordNet files under no kind or another one.
PERSONS = frozenset("person people human".split())
TIME_NOUNS = frozenset("year date day time decade century".split())


_PARTITIVE = frozenset("part member component element piece branch subset".split())


def turns(label: str) -> bool:
    """Whether a label has a word that keys lose and that turns what is said: a negator, "few", or "half"."""
    words = [token.lower for token in tokenise(label)]
    # "House no" has a number and no negator; "half-life" keeps its half.
    pairs = itertools.pairwise([*words, ""])
    return any(a in _TURNING and (a, b) != ("no", "") and (a, b) != ("half", "-") for a, b in pairs)


def own_keys(label: str) -> frozenset[WordingKey]:
    """The keys of a label in the sentences that it allows."""
    if turns(label):
        return frozenset()
    return frozenset(k for sentence in _sentences(label) for k in wording_keys(sentence) if k.key not in _EMPTY)


#: Keys that would make any sentence about two things a statement of the property.
_EMPTY = frozenset(("be|loc=*|subj=*", "@*", "@@*", "=*", "be|of=*|subj=*"))


def _sentences(label: str) -> Iterator[str]:
    text = re.sub(r"\s+", " ", label).strip().rstrip(".:")
    words = [w.lower() for w in text.split()]
    if not words or len(words) > 12:
        return
    first, last = forms(words[0]), forms(words[-1])
    if words[0] in ABLE and len(words) > 1:
        yield f"S {text} O"  # "may cause", "can be replaced by"
        return
    if words[0] in _PARTITIVE and words[1:2] == ["of"]:
        yield f"S is {text} O"
        yield f"S is {text} of O"
        return
    told = forms(words[1]) if len(words) > 1 else None
    if first.adv and told is not None and told.verb_forms & {"past", "s"} and not told.noun:
        yield f"S {text} O"  # "first flew in"
    finite = _finite(words)
    if finite:
        yield f"S {text} O"
        if last.adj and words[0] in BE:
            yield f"S {' '.join(words[:-1])} O {words[-1]}"
        yield from _split_verb(words)
    if "prep" in first.closed:
        yield f"S is {text} O"
    if "prep" in last.closed:
        yield f"S is {text} O"
        if first.noun or first.adj:
            yield f"S is the {text} O"
    elif not finite or first.noun:
        yield f"the {text} of S is O"
    yield from _with_verb(text, words)
    yield from _of_participle(words)


def _finite(words: list[str]) -> bool:
    """Whether a label begins with a finite verb ("flows into", "has part", "won")."""
    first = forms(words[0])
    if words[0] in BE | HAVE | DO or "s" in first.verb_forms:
        return True
    if "past" not in first.verb_forms:
        return False
    alone = len(words) == 1
    return (not first.noun and (not first.adj or alone)) or (alone and first.verb != words[0] and not first.adv)


def _with_verb(text: str, words: list[str]) -> Iterator[str]:
    """The sentences that a verb in a label allows in another form: "influenced by", "crossing", "flow into"."""
    first, last = forms(words[0]), forms(words[-1])
    if first.verb_forms & {"pp", "ing"} and words[0] not in HAVE | DO:
        yield f"S is {text} O"
    if first.verb and (
        ("ing" in first.verb_forms and words[0] not in HAVE | DO) or ("base" in first.verb_forms and not first.noun)
    ):
        yield f"S {morphology.inflect(first.verb, 'v', morphology.Form.THIRD_PERSON)} {' '.join(words[1:])} O"
    if len(words) > 1 and first.noun and first.plural and last.verb_forms & {"past", "base"}:
        yield f"S {text} O"
        yield f"{text} O for S"
        yield f"{' '.join(words[:-1])} of S {words[-1]} O"


#: Verbs whose subject is the one that has: of "award received" and "goals scored" the subject receives and scores.
_HAVING = frozenset("hold receive win earn own possess obtain get have gain speak play use score sell attend".split())


_WITH_AGENT = frozenset("at for under with".split())


def _of_participle(words: list[str]) -> Iterator[str]:
    """ "Award received": S received O, the award of S is O; "studied at": S studied at O."""
    first, last = forms(words[0]), forms(words[-1])
    if len(words) == 2 and "past" in first.verb_forms and first.adj and words[1] in _WITH_AGENT:
        yield f"S {' '.join(words)} O"
    if len(words) < 2 or last.verb not in _HAVING or "pp" not in last.verb_forms or not first.noun:
        return
    noun = " ".join(words[:-1])
    yield f"S {morphology.inflect(last.verb, 'v', morphology.Form.PAST)} O"
    yield f"S {morphology.inflect(last.verb, 'v', morphology.Form.PAST)} the {noun} of O"
    if first.plural:
        yield f"S {morphology.inflect(last.verb, 'v', morphology.Form.PAST)} Q {noun}"
    if last.verb not in ("hold", "sell"):  # an office that is held is no place in a team; what is sold is gone
        yield f"the {noun} of S is O"


def _split_verb(words: list[str]) -> Iterator[str]:
    """ "drew visitors": a number may stand before the noun."""
    if len(words) == 2 and forms(words[1]).plural and words[0] not in BE:
        yield f"S {words[0]} Q {words[1]}"


def chain_of(key: str) -> tuple[str, ...] | None:
    """The noun chain of a key of the form ``=a<b<*``, None for any other."""
    if not key.startswith("=") or not key.endswith("<*") or any(c in key[:-2] for c in "*#[%~"):
        return None
    return tuple(key[1:-2].split("<"))


def happened(label: str) -> Iterator[WordingKey]:
    """ "opened", "date opened", "came into force", of a date: "S was opened in O", "S opened in O"."""
    if turns(label):
        return
    words = label.lower().split()
    if len(words) > 1 and words[0] in TIME_NOUNS:
        words = words[1:]
    if len(words) == 1 and forms(words[0]).verb_forms & {"pp"}:
        yield from wording_keys(f"S was {words[0]} in O")
        yield from wording_keys(f"S {words[0]} in O")
    elif len(words) > 1 and forms(words[0]).verb_forms & {"past"} and not forms(words[0]).noun:
        yield from wording_keys(f"S {' '.join(words)} in O")
    elif len(words) == 2 and words[0] == "first" and forms(words[1]).verb_forms & {"pp"}:
        yield from wording_keys(f"S was {' '.join(words)} in O")
