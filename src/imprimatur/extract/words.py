"""Word forms for the grammar: closed classes by hand, open classes from morphology."""

from __future__ import annotations

from functools import lru_cache

from imprimatur.extract.syntax import Forms
from imprimatur.language.languages import Language, by_tag

__all__ = ["ABLE", "BE", "DO", "FIRST", "HAVE", "LOCATIVE", "MEASURES", "PASTS", "forms", "is_closed"]

BE = frozenset("be is are was were been being am 's 're 'm".split())
HAVE = frozenset("have has had having 've".split())
DO = frozenset("do does did".split())
MODALS = frozenset("will would can could may might shall should must 'll 'd".split())
#: Adjectives that follow a measure ("2 m long").
MEASURES = ("long", "wide", "tall", "high", "deep", "broad", "thick", "old", "heavy")
#: Ordinals that are adverbs before a verb ("S first flew in O").
FIRST = frozenset(("first", "last"))
#: Prepositions that place something in or at something; the grammar files them under one role, "loc".
LOCATIVE = frozenset("in at on within inside".split())

_CLOSED: dict[str, str] = {
    "det": "the a an this that these those each every some any no another both all several many few most",
    "poss": "its their his her my our your whose xer",
    "pron": "it they he she them him her this that these those who whom which what someone somebody something one ones "
    "both everyone everybody itself themselves himself herself none we us i you xe",
    "prep": "of in at on into onto to from by with without within inside through throughout across along near for as "
    "toward towards over under above below between among amongst against during before after since until till about "
    "around beyond beside besides past via per upon off out up down like despite including than behind beneath "
    "underneath alongside amid outside",
    "neg": "not n't never",
    "conj": "and or but nor",
    "rel": "which that who whom where when whose",
    "sub": "if unless although though because while whereas since when whether as once",
    "particle": "up out off down in over together away back apart on through around along by home forth",
    "adverb": "once also still now then again ever already thus too instead",
}
_OF: dict[str, frozenset[str]] = {}
for _name, _words in _CLOSED.items():
    for _word in _words.split():
        _OF[_word] = _OF.get(_word, frozenset()) | {_name}
for _word in BE | HAVE | DO:
    _OF[_word] = _OF.get(_word, frozenset()) | {"aux"}
for _word in MODALS:
    _OF[_word] = _OF.get(_word, frozenset()) | {"modal"}

#: Modals that say what is possible.
ABLE = frozenset("can could may might".split())

#: Verbs whose past participle looks like their base form.
_SAME = frozenset(
    "set put cut hit shed spread split run come become read let cast cost hurt shut wed rid bid burst overcome".split()
)
#: Conjunctions that dictionaries also list as nouns (of music, of money).
_NO_NOUNS = frozenset("so yet".split())
#: Pasts that are lemmas of other, rarer verbs.
PASTS = frozenset("found lay saw fell wound left felt ground bound rent".split())


def is_closed(lower: str) -> bool:
    """Whether the word belongs to a closed class (without looking at the open ones)."""
    return lower in _OF


@lru_cache(maxsize=65536)
def forms(lower: str) -> Forms:
    """What the word may be; an unknown word may be a noun (a name's part) or an adjective, never a verb."""
    closed = _OF.get(lower, frozenset())
    if closed & {"aux", "modal", "det", "poss", "neg", "conj"} and lower not in ("may", "will", "might", "like"):
        verb = "be" if lower in BE else "have" if lower in HAVE else "do" if lower in DO else None
        return Forms(closed=closed, verb=verb, verb_forms=_aux_forms(lower) if verb else frozenset())
    if closed and lower not in ("past", "like", "near", "outside", "inside", "down", "over", "home"):
        return Forms(closed=closed)
    tagged = by_tag(lower)
    return _open(lower, closed) if tagged is None else _of_language(*tagged)


def _of_language(language: Language, word: str) -> Forms:
    """The forms of a word of another language, by that language's data."""
    known = language.word(word)
    return Forms(
        noun=known.noun or None,
        plural=known.plural,
        verb=known.verb or None,
        verb_forms=known.tags,
        adj=known.adj or None,
        adv=known.adv,
    )


def _aux_forms(lower: str) -> frozenset[str]:
    if lower in ("been", "had", "done"):
        return frozenset(("pp", "past"))
    if lower in ("being", "having"):
        return frozenset(("ing",))
    if lower in ("be", "have", "do", "are", "am"):
        return frozenset(("base",))
    return frozenset(("past",)) if lower in ("was", "were", "did") else frozenset(("s",))


def _open(lower: str, closed: frozenset[str]) -> Forms:
    from imprimatur.language import morphology

    by: dict[str, list[str]] = {}
    for lemma, pos in sorted(morphology.lemmas(lower)):
        by.setdefault(pos, []).append(lemma)
    noun = None if lower in _NO_NOUNS else "person" if lower == "people" else _singular(by.get("n", []), lower)
    verb = _best([x for x in by.get("v", []) if x not in ("be", "have", "do")], lower)
    adj = _best(by.get("a", []) + by.get("s", []), lower)
    known = bool(by)
    return Forms(
        closed=closed,
        noun=morphology.normalise(noun) if noun else (None if known else lower),
        plural=bool(noun and noun != lower and lower.endswith("s")) or lower in ("people",),
        verb=morphology.normalise(verb) if verb else None,
        verb_forms=_tags(lower, verb),
        adj=morphology.normalise(adj) if adj else (None if known else lower),
        adv=bool(by.get("r")) or (not noun and lower.endswith("ly")),
    )


def _singular(lemmas: list[str], lower: str) -> str | None:
    """The singular of a noun, also where the plural is a lemma too ("waters")."""
    shorter = [x for x in lemmas if x != lower and lower.endswith("s")]
    return max(shorter, key=len) if shorter else _best(lemmas, lower)


def _best(lemmas: list[str], lower: str) -> str | None:
    """The word itself when it is a lemma, but for pasts that look like one ("found" is of "find")."""
    if not lemmas:
        return None
    other = [x for x in lemmas if x != lower]
    if lower in lemmas and not (other and lower in PASTS):
        return lower
    return max(other, key=len)


def _tags(lower: str, verb: str | None) -> frozenset[str]:
    if verb is None:
        return frozenset()
    if lower == verb:
        tags = {"base"}
        if lower in _SAME:
            tags |= {"pp", "past"}
        return frozenset(tags)
    if lower.endswith("ing"):
        return frozenset(("ing",))
    if lower.endswith("s") and not lower.endswith("ss"):
        return frozenset(("s",))
    return frozenset(("past", "pp"))
