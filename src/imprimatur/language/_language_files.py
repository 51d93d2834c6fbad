"""Reads the files of a language's folder (see ``language.languages``), with an error that names file and line.

All files are UTF-8 text; empty lines and lines that begin with ``#`` are left out; columns are separated by tabs:

    words.tsv       term, the words for it (separated by commas), kinds of these words (separated by spaces; optional).
                    "= A B, word": the word is a contraction of the words A and B.
    rules.tsv       pattern, what to put for it (see ``Rule``).
    inflection.tsv  verb CLASS TAG, endings; "plural", "feminine" or "adjective", ending, what to put for it;
                    "adverb", ending.
    verbs.tsv       infinitive, then any of "TAG=form form", "lemma=TERM".
    nouns.tsv       kind ("noun", "noun.person", "noun.location", "adjective"), the words of that kind.
    frames.txt      the frame lexicon, as in ``resources/frames.txt``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from imprimatur._expressions import expression
from imprimatur.errors import KnowledgeBaseError
from imprimatur.language.languages import TAGS, VerbForm

__all__ = [
    "Part",
    "Put",
    "Rule",
    "WordEntry",
    "Words",
    "adjectives",
    "endings",
    "frames",
    "nouns",
    "paths",
    "rules",
    "verbs",
    "words",
]

WORDS, RULES, INFLECTION = "words.tsv", "rules.tsv", "inflection.tsv"
VERBS, NOUNS, FRAMES = "verbs.tsv", "nouns.tsv", "frames.txt"
_ALL = (WORDS, RULES, INFLECTION, VERBS, NOUNS, FRAMES)
_ENDINGS = ("plural", "feminine", "adjective", "adverb")
_KINDS = frozenset(
    "any name number year day month roman word noun adj finite plural pp ing inf prep unit ordinal hedge be marker"
    " neg".split()
)
_PUT = expression(r"\{(\d)\}(?:\+(\w+)|(th|s|ing))?\Z")


@dataclass(frozen=True, slots=True)
class WordEntry:
    """Some words (lower case) of the language, the term that they are, and what kinds of word they count as."""

    words: tuple[str, ...]
    term: str
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Words:
    """The words for terms, by their first word and the longest first, and the contractions."""

    terms: Mapping[str, tuple[WordEntry, ...]]
    contracted: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Part:
    """One word of a pattern: a word of the language, words of a kind, or words for one of some terms.

    ``gap``: any words of one clause, or none.
    """

    word: str = ""
    kind: str = ""
    terms: frozenset[str] = frozenset()
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Put:
    """One word of what is put: a term, or the ``number``-th word of the pattern, with a clitic ``joined`` to it.

    ``ending``: "th" makes an ordinal number of a Roman numeral, "s" a decade of a year, "ing" the form on "ing" of an
    infinitive. ``gap``: the words between.
    """

    term: str = ""
    number: int = 0
    joined: str = ""
    ending: str = ""
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """Words next to each other, and what the grammar has in their place.

    A pattern is made of words ("más"), kinds ("{adj}") and terms ("{=the}", "{=the|a}"); "^" before it: only where a
    sentence begins. What is put is made of terms and of the pattern's words by their numbers ("more {2} than");
    "{2}+se" joins a clitic to a verb, "{1}th" makes an ordinal number of a Roman numeral, "{1}s" a decade of a year
    and "{1}ing" the form on "ing" of an infinitive.
    "..." stands for up to eight words of one clause; what is put has as many of them as the pattern, in their order.
    """

    pattern: tuple[Part, ...]
    put: tuple[Put, ...]
    opening: bool


def paths(folder: Path) -> tuple[Path, ...]:
    """The files of a language.

    Raises:
        KnowledgeBaseError: one of them is absent.
    """
    found = tuple(folder / name for name in _ALL)
    for path in found:
        if not path.is_file():
            hint = f"a language has the files {', '.join(_ALL)}; a file may be empty"
            raise KnowledgeBaseError(f"there is no {path.name}", where=str(folder), hint=hint)
    return found


def _rows(folder: Path, name: str, columns: tuple[int, ...]) -> Iterator[tuple[str, list[str]]]:
    """The rows of a file with where they stand."""
    try:
        text = (folder / name).read_text(encoding="utf-8")
    except UnicodeDecodeError as fault:
        raise KnowledgeBaseError("not UTF-8 text", where=str(folder / name), hint="save it as UTF-8") from fault
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            where = f"{folder / name}:{number}"
            cells = [cell.strip() for cell in line.rstrip().split("\t")]
            if len(cells) not in columns:
                wanted = " or ".join(map(str, columns))
                hint = "columns are separated by single tabs"
                raise KnowledgeBaseError(f"{len(cells)} columns where {wanted} are needed", where=where, hint=hint)
            yield where, cells


def words(folder: Path) -> Words:
    """The words for terms, and the contractions."""
    rows = list(_rows(folder, WORDS, (2, 3)))
    contracted = {cells[1]: tuple(cells[0][1:].split()) for _, cells in rows if cells[0].startswith("=")}
    terms: dict[str, list[WordEntry]] = {}
    seen: dict[tuple[str, ...], str] = {}
    for where, (term, listed, *kinds) in ((where, cells) for where, cells in rows if not cells[0].startswith("=")):
        told = frozenset(kinds[0].split()) if kinds else frozenset[str]()
        _known_kinds(told, where)
        for entry in listed.split(","):
            said = tuple(x for word in entry.lower().split() for x in contracted.get(word, (word,)))
            if not said:
                continue
            if said in seen:
                hint = "a word has one term; a rule of rules.tsv may choose another one where it stands with others"
                message = f"{' '.join(said)!r} is already a word for {seen[said]!r}"
                raise KnowledgeBaseError(message, where=where, hint=hint)
            seen[said] = term
            terms.setdefault(said[0], []).append(WordEntry(said, term, told))
    longest = {first: tuple(sorted(found, key=lambda e: -len(e.words))) for first, found in terms.items()}
    return Words(longest, contracted)


def _known_kinds(kinds: frozenset[str], where: str) -> None:
    for kind in kinds - _KINDS:
        hint = f"there are {', '.join(sorted(_KINDS))}"
        raise KnowledgeBaseError(f"no such kind of word: {kind!r}", where=where, hint=hint)


def rules(folder: Path) -> tuple[Rule, ...]:
    """The rules in their order."""
    return tuple(_rule(where, *cells) for where, cells in _rows(folder, RULES, (2,)))


def _rule(where: str, pattern: str, put: str) -> Rule:
    told = pattern.split()
    opening = told[:1] == ["^"]
    parts = tuple(_part(where, word) for word in told[opening:])
    made = tuple(_put(where, word, len(parts)) for word in put.split())
    if sum(p.gap for p in parts) != sum(p.gap for p in made) or (parts and parts[-1].gap):
        hint = 'a pattern ends with a word, and "..." stands as often in what is put'
        raise KnowledgeBaseError('"..." is not matched', where=where, hint=hint)
    if not parts or not made:
        raise KnowledgeBaseError(
            "a rule needs a pattern and what to put for it", where=where, hint='as "no más\tno more"'
        )
    return Rule(parts, made, opening)


def _part(where: str, word: str) -> Part:
    if word == "...":
        return Part(gap=True)
    if not word.startswith("{"):
        return Part(word=word)
    inner = word[1:].rstrip("}")
    if inner.startswith("="):
        return Part(terms=frozenset(inner[1:].split("|")))
    _known_kinds(frozenset((inner,)), where)
    return Part(kind=inner)


def _put(where: str, word: str, most: int) -> Put:
    if word == "...":
        return Put(gap=True)
    found = _PUT.match(word)
    if found is None:
        return Put(term=word)
    if not 1 <= int(found[1]) <= most:
        raise KnowledgeBaseError(f"the pattern has no word {found[1]}", where=where, hint=f"it has {most}")
    return Put(number=int(found[1]), joined=found[2] or "", ending=found[3] or "")


def endings(folder: Path) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """What to put for the endings of plurals, feminines and adjectives, the longest first."""
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in _ENDINGS}
    for where, cells in _rows(folder, INFLECTION, (2, 3)):
        if cells[0].startswith("verb "):
            continue
        if cells[0] not in found:
            hint = f"a row begins with verb, {', '.join(_ENDINGS)}"
            raise KnowledgeBaseError(f"no such inflection: {cells[0]!r}", where=where, hint=hint)
        found[cells[0]].append((cells[1], cells[2] if len(cells) > 2 else ""))
    return {name: tuple(sorted(rows, key=lambda row: -len(row[0]))) for name, rows in found.items()}


def verbs(folder: Path) -> Mapping[str, tuple[VerbForm, ...]]:
    """What each form of each verb is; forms that a verb gives itself take the place of the regular ones."""
    regular: dict[str, list[tuple[str, list[str]]]] = {}
    for where, cells in _rows(folder, INFLECTION, (2, 3)):
        if cells[0].startswith("verb "):
            _, name, tag = _three(cells[0], where)
            regular.setdefault(name, []).append((tag, cells[1].split()))
    out: dict[str, dict[VerbForm, None]] = {}
    for where, cells in _rows(folder, VERBS, tuple(range(1, 9))):
        infinitive, given = cells[0], dict(_given(cell, where) for cell in cells[1:])
        lemma = (given.pop("lemma", None) or [infinitive])[0]
        name = next((n for n in sorted(regular, key=len, reverse=True) if infinitive.endswith(n)), "")
        stem = infinitive.removesuffix(name)
        made = {tag: [stem + ending for ending in listed] for tag, listed in regular.get(name, [])}
        for tag, forms in {"base": [infinitive], **made, **given}.items():
            for form in forms:
                known = VerbForm(lemma if tag in TAGS else infinitive, tag, lemma != infinitive and tag in TAGS)
                out.setdefault(form, {})[known] = None
    return {form: tuple(found) for form, found in out.items()}


def _three(text: str, where: str) -> tuple[str, str, str]:
    parts = text.split()
    if len(parts) != 3:
        raise KnowledgeBaseError("a row of a verb class is not complete", where=where, hint='as "verb ar past\tó aron"')
    return parts[0], parts[1], parts[2]


def _given(cell: str, where: str) -> tuple[str, list[str]]:
    tag, mark, forms = cell.partition("=")
    if not mark or not forms.split():
        raise KnowledgeBaseError(f"{cell!r} gives no form", where=where, hint='as "past=fue fueron"')
    return tag, forms.split()


def nouns(folder: Path) -> Mapping[str, str]:
    """The listed nouns with what they name: "noun" where that does not matter."""
    rows = ((cells[0], cells[1].split(",")) for _, cells in _rows(folder, NOUNS, (2,)) if cells[0] != "adjective")
    return {word.strip(): kind for kind, listed in rows for word in listed if word.strip()}


def adjectives(folder: Path) -> frozenset[str]:
    """The listed adjectives."""
    rows = (cells[1].split(",") for _, cells in _rows(folder, NOUNS, (2,)) if cells[0] == "adjective")
    return frozenset(word.strip() for listed in rows for word in listed if word.strip())


def frames(folder: Path) -> str:
    """The text of the frame lexicon."""
    return (folder / FRAMES).read_text(encoding="utf-8")
