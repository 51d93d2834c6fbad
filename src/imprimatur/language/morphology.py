"""Surface forms to lemmas and back, and one spelling for British and American variants.

``lemmas`` follows WordNet's own way (morphy(7)): its lists of irregular forms first, then endings taken off, and only
what is a lemma of WordNet counts; a word that WordNet does not know has none. ``normalise`` gives the American
spelling of a variant, and only where WordNet says that both spellings are one word. ``inflect`` makes a form for
re-writing: irregular verbs and plurals from ``resources/wordnet/irregular.tsv``, all else by rule, for any word.

All functions take words of any length in linear time; letters outside English pass through unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from imprimatur._expressions import expression
from imprimatur.language._wordnet_file import opened, senses_of
from imprimatur.language.languages import by_tag

__all__ = ["Form", "inflect", "lemmas", "normalise"]

_LONGEST = 80
_IRREGULAR = Path(__file__).parent.parent / "resources" / "wordnet" / "irregular.tsv"

# Ending and what it is replaced by, as in morphy(7).
_DETACHMENT = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
_SHORTEST_STEM = 3  # shorter ones are symbols and abbreviations: "wa" of "was", "u" of "us"

# British spelling with the letters that it begins with, American spelling: tried in turn, kept only where WordNet knows
# both as one word.
_VARIANTS = tuple(
    (british.partition("(")[0].rstrip("$"), expression(british), american)
    for british, american in (
        ("tre(?=s?$)", "ter"),
        ("bre(?=s?$)", "ber"),
        ("tred$", "tered"),
        ("tring$", "tering"),
        ("our", "or"),
        ("is(?=(?:e[ds]?|ers?|ing|ations?|able|ational)$)", "iz"),
        ("ys(?=(?:e[ds]?|ers?|ing)$)", "yz"),
        ("ogue(?=s?$)", "og"),
        ("ence(?=s?$)", "ense"),
        ("ll(?=(?:ed|ing|ers?|or|ors)$)", "l"),
        ("l(?=(?:s|ment|ments)?$)", "ll"),
        ("ae", "e"),
        ("oe", "e"),
        ("amme(?=s?$)", "am"),
        ("wards$", "ward"),
        ("ph", "f"),
        ("ough(?=s?$)", "ow"),
        ("ould(?=s?$)", "old"),
        ("ou", "u"),
        ("que(?=s?$)", "ck"),
        ("e(?=(?:y|ys)$)", ""),
        ("aught(?=s?$)", "aft"),
        ("lful", "llful"),
    )
)
_SPELLINGS = {
    "grey": "gray", "greyer": "grayer", "greyest": "grayest", "aluminium": "aluminum", "jewellery": "jewelry",
    "pyjamas": "pajamas", "kerb": "curb", "kerbs": "curbs", "gaol": "jail", "gaols": "jails", "amongst": "among",
    "whilst": "while", "practise": "practice", "practises": "practices", "practised": "practiced",
    "practising": "practicing", "cosy": "cozy", "sceptic": "skeptic", "sceptics": "skeptics",
    "sceptical": "skeptical", "judgement": "judgment", "judgements": "judgments", "artefact": "artifact",
    "artefacts": "artifacts", "whisky": "whiskey", "tyre": "tire", "tyres": "tires", "towards": "toward",
    "ageing": "aging",     "manoeuvre": "maneuver", "manoeuvres": "maneuvers", "manoeuvred": "maneuvered",
}  # fmt: skip


class Form(StrEnum):
    """The form of a word to make."""

    PLURAL = "plural"
    THIRD_PERSON = "third_person"
    PAST = "past"
    PAST_PARTICIPLE = "past_participle"
    PRESENT_PARTICIPLE = "present_participle"


def lemmas(word: str) -> frozenset[tuple[str, str]]:
    """All (lemma, part of speech) of a surface form, part of speech one of n, v, a, r; empty for an unknown word.

    Letter case does not matter. In expressions the head is inflected: "drainage basins", "bodies of water", "rose up".
    """
    return _lemmas(word.lower()) if len(word) <= _LONGEST else frozenset()


@lru_cache(maxsize=16384)
def _lemmas(word: str) -> frozenset[tuple[str, str]]:
    found = {(lemma, pos) for pos in _DETACHMENT for lemma in _bases(word, pos)}
    if " " in word or "-" in word:
        found |= set(_expression(word))
    return frozenset(found)


def _bases(word: str, pos: str) -> Iterator[str]:
    if senses_of(word, pos):
        yield word
    irregular = _exceptions().get(f"{pos} {word}")
    if irregular is not None:
        yield from (lemma for lemma in irregular.split("\t") if senses_of(lemma, pos))
        return
    for ending, put in _DETACHMENT[pos]:
        if word.endswith(ending) and not (pos == "n" and word.endswith("ss")):
            stem = word.removesuffix(ending) + put
            if (len(stem) >= _SHORTEST_STEM or stem in ("go", "do")) and senses_of(stem, pos):
                yield stem


def _expression(word: str) -> Iterator[tuple[str, str]]:
    """Lemmas of an expression with its inflected part, the first or the last, brought to its own lemma."""
    parts = re.split("([ -])", word)
    for pos, place in (("v", 0), ("n", 0), ("n", -1)):
        for base in _bases(parts[place], pos):
            whole = "".join([base, *parts[1:]] if place == 0 else [*parts[:-1], base])
            if senses_of(whole, pos):
                yield whole, pos


def normalise(word: str) -> str:
    """The word in lower case and in its American spelling, inflection kept: "kilometres" gives "kilometers"."""
    low = word.lower()
    return _normalise(low) if len(low) <= _LONGEST else low


@lru_cache(maxsize=16384)
def _normalise(word: str) -> str:
    if word in _SPELLINGS:
        return _SPELLINGS[word]
    if " " in word or "-" in word:
        return "".join(part if part in " -" else _normalise(part) for part in re.split("([ -])", word))
    for letters, british, american in _VARIANTS:
        if letters not in word:
            continue
        variant = british.sub(american, word, count=1)
        if variant != word and _one_word(word, variant):
            return _normalise(variant)
    return word


def _one_word(a: str, b: str) -> bool:
    """Whether two spellings are forms of one lemma, or of two lemmas with the same first sense."""
    lemmas_a, lemmas_b = _lemmas(a), _lemmas(b)
    if lemmas_a & lemmas_b:
        return True
    return any(
        pos == other_pos and {s for s, _ in senses_of(lemma, pos)} & {s for s, _ in senses_of(other, pos)}
        for lemma, pos in lemmas_a
        for other, other_pos in lemmas_b
    )


def inflect(lemma: str, pos: str, form: Form) -> str:
    """A form of a lemma: plural of a noun (``n``), or a form of a verb (``v``). In expressions the head is inflected.

    "be" gives its third person singular, "is" and "was". One form is made where usage allows two, the American one. Of
    a verb of another language it is always the present.

    Raises:
        ValueError: when that part of speech has no such form.
    """
    if (form is Form.PLURAL) != (pos == "n") or pos not in ("n", "v"):
        raise ValueError(f"part of speech {pos!r} has no form {form.value!r}; give 'n' for plural, 'v' for verb forms")
    tagged = by_tag(lemma)
    if tagged is not None:
        language, word = tagged
        return language.plural(word) if pos == "n" else language.form(word, "s")
    head, rest = _head(lemma, pos)
    known = _irregular().get((head[1].lower(), pos), {}).get(form)
    return head[0] + (known or (_plural(head[1]) if pos == "n" else _verb_form(head[1], form))) + rest


def _head(lemma: str, pos: str) -> tuple[tuple[str, str], str]:
    """What stands before the head of an expression, the head, and what follows it."""
    if pos == "v":
        first, space, rest = lemma.partition(" ")
        return ("", first), space + rest
    before_of = re.search(r"[ -](?:of|in|at|to|for)[ -]", lemma)
    main = lemma[: before_of.start()] if before_of else lemma
    cut = max(main.rfind(" "), main.rfind("-")) + 1
    return (main[:cut], main[cut:]), lemma[len(main) :]


def _plural(noun: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh)$", noun):
        return noun + "es"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    if re.search(r"[a-z]man$", noun):
        return noun[:-3] + "men"
    return noun + "s"


def _verb_form(verb: str, form: Form) -> str:
    if form is Form.THIRD_PERSON:
        return verb + "es" if re.search(r"[^aeiou]o$", verb) else _sibilant_or_y(verb)
    stem = verb + verb[-1] if _doubles(verb) else verb + "k" if re.search(r"[a-z]ic$", verb) else verb
    if form is Form.PRESENT_PARTICIPLE:
        if verb.endswith("ie"):
            return verb[:-2] + "ying"
        return (verb[:-1] if re.search(r"[aeiouy].*[^eoyi]e$", verb) else stem) + "ing"
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if re.search(r"[^aeiou]y$", verb) else stem + "ed"


def _sibilant_or_y(verb: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def _doubles(verb: str) -> bool:
    """Whether the last consonant is doubled before a vowel: by the irregular forms of WordNet, else by shape."""
    if not re.search(r"(?:^|[^aeiou]|qu)[aeiou][bdfgklmnprstvz]$", verb):
        return False
    if len(re.findall("[aeiouy]+", verb.replace("qu", "q"))) == 1:
        return True
    if re.search(r"[^p]el$|[aeiou][^aeiou]+(?:al|il|ol|ul)$|focus$|(?:bias|benefit|worship)$", verb):
        return verb.endswith(("cel", "pel", "bel", "rol", "nul", "stil")) and verb not in ("cancel", "label", "libel")
    return f"v {verb}{verb[-1]}ed" in _exceptions()


@lru_cache(maxsize=1)
def _exceptions() -> dict[str, str]:
    return opened().irregular()


@lru_cache(maxsize=1)
def _irregular() -> dict[tuple[str, str], dict[Form, str]]:
    """Irregular forms to make; "-" in the file stands for a regular form."""
    found: dict[tuple[str, str], dict[Form, str]] = {}
    for line in _IRREGULAR.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pos, lemma, *forms = line.split("\t")
            kinds = (Form.PLURAL,) if pos == "n" else (Form.PAST, Form.PAST_PARTICIPLE, Form.THIRD_PERSON)
            found[lemma, pos] = {kind: form for kind, form in zip(kinds, forms) if form != "-"}
    return found
