"""A language as data: how its words are the grammar's, how its words are inflected, and how it speaks of things.

The grammar of ``extract`` knows grammatical functions by *terms*, which are spelled as the English words that have
these functions ("the", "of", "not", "than"). A language other than English is a folder that gives its own words for
the terms (``words.tsv``), what to do where word order or construction differ (``rules.tsv``), how its verbs, nouns and
adjectives are inflected (``inflection.tsv``, ``verbs.tsv``, ``nouns.tsv``) and its frame lexicon (``frames.txt``).
``language.rendering`` turns a text into terms and tagged words by it.

A word that is no term keeps its own spelling, with the language's tag behind it in raised letters ("longitudᵉˢ"), so
that no rule about English words can ever take it for one. Invariants: a language is read once and never changes; one
tag belongs to one content; nothing in the code depends on which languages there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur._dataclasses import dataclass

if TYPE_CHECKING:
    from imprimatur.language._language_files import Rule, WordEntry

__all__ = ["TAGS", "Language", "OpenWord", "VerbForm", "by_tag", "language_of", "open_language", "plain"]

_FOLDER = Path(__file__).parent.parent / "resources" / "languages"
_RAISED = dict(zip("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True)) | {"q": "ᑫ"}
_LETTERS = frozenset(_RAISED.values())
#: The forms of verbs that the grammar knows ("pl": a present of the plural). Any other tag is a term that goes before
#: the infinitive ("will").
TAGS = frozenset("base s pl past pp ing".split())
_FINITE = frozenset(("s", "pl", "past"))


@dataclass(frozen=True, slots=True)
class VerbForm:
    """What a form of a verb is: its lemma, its tag, and whether the lemma is a term."""

    lemma: str
    tag: str
    term: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWord:
    """What a word that is no term may be: its lemma as noun, verb and adjective ("": not that), and the verb's tags."""

    noun: str = ""
    plural: bool = False
    verb: str = ""
    tags: frozenset[str] = frozenset()
    finite: bool = False
    adj: str = ""
    adv: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """One language: its words, rules, inflection and frames.

    ``terms`` are by their first word, the longest first; ``kinds`` say what kinds of word a term counts as;
    ``contracted`` are words that stand for several ("del"); ``clitics`` may be joined to the end of a verb's form;
    ``nouns`` say what a noun names, as WordNet's files do.
    """

    code: str
    tag: str
    digest: str
    terms: Mapping[str, tuple[WordEntry, ...]] = field(repr=False)
    kinds: Mapping[str, frozenset[str]] = field(repr=False)
    contracted: Mapping[str, tuple[str, ...]] = field(repr=False)
    rules: tuple[Rule, ...] = field(repr=False)
    verbs: Mapping[str, tuple[VerbForm, ...]] = field(repr=False)
    clitics: tuple[str, ...] = field(repr=False)
    endings: Mapping[str, tuple[tuple[str, str], ...]] = field(repr=False)
    nouns: Mapping[str, str] = field(repr=False)
    adjectives: frozenset[str] = field(repr=False)
    frames: str = field(repr=False)

    def tagged(self, word: str) -> str:
        """A word with the language's tag."""
        return word + self.tag

    def word(self, word: str) -> OpenWord:
        """What a word (lower case, without the tag) may be; an unknown one a noun or an adjective."""
        forms = self._verb_forms(word)
        noun = word in self.nouns or self.singular(word) in self.nouns
        adjective = word in self.adjectives or self.base(word) in self.adjectives
        known = bool(forms or noun or adjective)
        if not known and any(word.endswith(ending) for ending, _ in self.endings["adverb"]):
            return OpenWord(adv=True)
        own = [f for f in forms if f.tag in TAGS]
        tags = frozenset(f.tag for f in own if f.lemma == own[0].lemma)
        return OpenWord(
            noun=self.tagged(self.singular(word)) if noun or not known else "",
            plural=self.singular(word) != word and (noun or not known),
            verb=own[0].lemma if own and own[0].term else self.tagged(own[0].lemma) if own else "",
            tags=tags - {"pl"} | ({"base"} if "pl" in tags else set()),
            finite=bool(tags & _FINITE),
            adj=self.tagged(self.base(word)) if adjective or not known else "",
        )

    def knows(self, word: str) -> bool:
        """Whether the word is one of the language's listed words."""
        known = self._verb_forms(word) or word in self.nouns or word in self.adjectives
        return bool(known) or self.singular(word) in self.nouns or self.base(word) in self.adjectives

    def _verb_forms(self, word: str) -> tuple[VerbForm, ...]:
        found = self.verbs.get(word, ())
        for clitic in self.clitics if not found else ():
            stem = word.removesuffix(clitic)
            if stem and stem != word:
                found = tuple(VerbForm(f.lemma + clitic, f.tag) for f in self.verbs.get(stem, ()) if not f.term)
        return found

    def singular(self, word: str) -> str:
        """The singular of a noun, and its unmarked gender where the language says so."""
        word = _detached(word, self.endings["plural"])
        return _detached(word, self.endings["feminine"])

    def base(self, word: str) -> str:
        """The form of an adjective that stands for all of its forms."""
        return _detached(word, self.endings["adjective"])

    def kind(self, noun: str) -> str:
        """What a noun names ("noun.person"), empty when that is not known."""
        return self.nouns.get(noun, "")

    def form(self, lemma: str, tag: str) -> str:
        """A form of a verb, tagged: of several the first that the data give; the lemma where there is none."""
        found = (form for form, known in self.verbs.items() for f in known if f.lemma == lemma and f.tag == tag)
        return self.tagged(next(found, lemma))

    def plural(self, noun: str) -> str:
        """A plural of a noun, tagged, that is read as the plural of this noun."""
        found = (noun.removesuffix(put) + ending for ending, put in self.endings["plural"] if noun.endswith(put))
        return self.tagged(next((each for each in found if self.singular(each) == noun), noun))


def _detached(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    """The word with its longest listed ending replaced; of a word that is all ending only where it is listed whole."""
    for ending, put in endings:
        if word.endswith(ending) and (len(word) > len(ending) + 1 or word == ending):
            return word.removesuffix(ending) + put
    return word


_BY_TAG: dict[str, Language] = {}


def by_tag(word: str) -> tuple[Language, str] | None:
    """The language of a tagged word, and the word without its tag; None for a word without one."""
    if word[-1:] not in _LETTERS:
        return None
    stem = word.rstrip("".join(_LETTERS))
    language = _BY_TAG.get(word[len(stem) :])
    return None if language is None or not stem else (language, stem)


def plain(text: str) -> str:
    """The text without the tags of its words."""
    for tag in sorted(_BY_TAG, key=len, reverse=True):
        text = text.replace(tag, "")
    return text


def language_of(locale: str) -> Language | None:
    """The language of a BCP 47 locale ("es-MX"); None where the grammar's own words are used as they are."""
    code = locale.replace("_", "-").lower().partition("-")[0]
    folder = _FOLDER / code
    return _opened(folder, code, own=False) if (folder / "words.tsv").is_file() else None


def open_language(folder: Path, locale: str) -> Language:
    """The language of a folder that comes with a knowledge base.

    Raises:
        KnowledgeBaseError: a file is absent, or a line of it is not what it should be.
    """
    return _opened(folder, locale.replace("_", "-").lower().partition("-")[0], own=True)


@cache
def _opened(folder: Path, code: str, *, own: bool) -> Language:
    import hashlib

    from imprimatur.language import _language_files as files

    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in files.paths(folder))).hexdigest()
    mark = "".join(_RAISED[c] for c in code if c in _RAISED)
    # A folder of one's own may be another one for the same language, so its tag tells its content.
    tag = mark + ("".join(_RAISED[chr(97 + int(d, 16))] for d in digest[:6]) if own else "")
    words = files.words(folder)
    rules = files.rules(folder)
    language = Language(
        code=code,
        tag=tag,
        digest=digest,
        terms=words.terms,
        kinds={e.term: e.kinds for entries in words.terms.values() for e in entries},
        contracted=words.contracted,
        rules=rules,
        verbs=files.verbs(folder),
        clitics=tuple(dict.fromkeys(part.joined for rule in rules for part in rule.put if part.joined)),
        endings=files.endings(folder),
        nouns=files.nouns(folder),
        adjectives=files.adjectives(folder),
        frames=files.frames(folder),
    )
    _BY_TAG[tag] = language
    return language
