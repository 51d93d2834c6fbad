"""What a text says of the yes/no facts of a record, and whether it says the same.

Contract: ``compare`` gives, for every flag and every silent key of a record that the text speaks of, where it does so
and whether it agrees: True, False, or None for a silent key (null is neither yes nor no). A key is spoken of by its own
words, near each other and in any form ("OutdoorSeating": "seating outdoors"; "TakeOut": "take-out"). A noun under a key
that groups several ("BusinessParking": "lot") counts only beside that key's noun, for by itself it may mean anything; a
quality ("Ambience": "casual") counts by itself. Polarity is that of the clause. What is said of the record ("parking is
not specified") is not compared, and neither is what the record's own texts speak of too. Nothing raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from imprimatur.language import closed_class, negation, wordnet
from imprimatur.language.morphology import lemmas
from imprimatur.language.negation import NegationKind
from imprimatur.language.tokens import Token, tokenise
from imprimatur.sources.passages.records import Fact, Flag, Path, Record, key_words

__all__ = ["Spoken", "compare"]

#: So many tokens may a key's words be spread over.
_NEAR = 4
_BREAKS = frozenset(
    ("but", "however", "although", "though", "while", "whereas", "yet", "that", "which", "who", ";", ".", ":")
)
_TOLD = "verb.communication"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A place that speaks of a key: ``text[start:end]``; ``agrees`` is None where the record is silent."""

    start: int
    end: int
    path: Path
    negated: bool
    agrees: bool | None
    said: str


def compare(text: str, record: Record) -> tuple[Spoken, ...]:
    """What a text says of a record's flags and silent keys."""
    tokens = tokenise(text)
    if not tokens:
        return ()
    denied = _denied(tokens)
    if denied is None:
        return ()
    found = []
    texts = _words_of([phrase.text for phrase in record.phrases])
    for path, value in [*((flag.path, flag) for flag in record.flags), *((path, None) for path in record.silent)]:
        for first, stop in _mentions(tokens, path, record):
            negated = any(denied[first:stop])
            agrees = None if value is None else value.value is not negated
            if not agrees and not negated and all(_forms(each.lower) & texts for each in tokens[first:stop]):
                continue
            said = _shown(path, value)
            found.append(Spoken(tokens[first].start, tokens[stop - 1].end, path, negated, agrees, said))
    return tuple(sorted(found, key=lambda each: (each.start, each.end, each.path)))


def _shown(path: Path, flag: Flag | None) -> str:
    return f"{'.'.join(path)}: {'null' if flag is None else flag.said}"


def _mentions(tokens: Sequence[Token], path: Path, record: Record) -> Iterator[tuple[int, int]]:
    """Where a key is spoken of, as token ranges that do not overlap."""
    label = _label(record.labels.get(path, ()))
    if not label:
        return
    if len(label) == 1 and not _speaks_for_itself(label[0]) and not _beside_group(tokens, path, record):
        return
    joined = "".join(record.labels[path])
    index = 0
    while index < len(tokens):
        stop = _joined(tokens, index, joined) or _spread(tokens, index, label)
        if stop:
            yield index, stop
        index = stop or index + 1


@lru_cache(maxsize=1024)
def _label(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words that must be there: of "good for groups" what it is good for."""
    split = next((i for i, word in enumerate(words[:-1]) if i and word in closed_class.words("preposition")), None)
    if split is not None and len(words) > 2:
        words = words[split + 1 :]
    return words


@lru_cache(maxsize=1024)
def _forms(word: str) -> frozenset[str]:
    return frozenset({word, *(lemma for lemma, _ in lemmas(word))})


@lru_cache(maxsize=1024)
def _wider(word: str) -> frozenset[str]:
    """The word, its lemmas and what is of one stem with them ("reservations", "reserve")."""
    near = {other for lemma, pos in lemmas(word) for other, _ in wordnet.derived(lemma, pos)}
    return _forms(word) | near


def _says(token: Token, word: str) -> bool:
    return bool(_forms(token.lower) & _wider(word))


@lru_cache(maxsize=1024)
def _speaks_for_itself(word: str) -> bool:
    """Whether a word is rather a quality than a thing."""
    found = {pos for _, pos in lemmas(word)}
    return "a" in found and len(wordnet.senses(word, "a")) >= len(wordnet.senses(word, "n"))


def _beside_group(tokens: Sequence[Token], path: Path, record: Record) -> bool:
    """Whether the text names the group that the key belongs to; a key that stands alone needs no group."""
    above = path[:-1]
    siblings = [flag for flag in (*record.flags,) if flag.path[:-1] == above]
    silent = [each for each in record.silent if each[:-1] == above]
    grouped = above in record.labels and len(siblings) + len(silent) > 1 and _leaf_group(record, above)
    if not grouped:
        return True
    head = key_words(above[-1])[-1:]
    return any(_says(token, word) for token in tokens for word in head)


def _leaf_group(record: Record, above: Path) -> bool:
    """Whether an object holds nothing but flags and silence: then its key says what they are about."""
    others: tuple[Fact, ...] = (*record.measures, *record.phrases, *record.hours)
    inner = any(each.path[: len(above)] == above for each in others)
    deeper = any(len(flag.path) > len(above) + 1 and flag.path[: len(above)] == above for flag in record.flags)
    return not inner and not deeper


def _joined(tokens: Sequence[Token], index: int, joined: str) -> int:
    """One past the tokens that, written together without hyphens, are the key ("Wi-Fi", "take out"); 0 if none."""
    written = ""
    for stop in range(index, min(len(tokens), index + 5)):
        written += tokens[stop].lower.strip("-‐‑")
        if written == joined:
            return stop + 1
        if not joined.startswith(written):
            return 0
    return 0


def _spread(tokens: Sequence[Token], index: int, label: Sequence[str]) -> int:
    """One past the tokens from ``index`` on that hold all words of a label, in any order; 0 if they do not."""
    if not any(_says(tokens[index], word) for word in label):
        return 0
    left, reach = list(label), index
    for stop in range(index, min(len(tokens), index + len(label) + _NEAR - 1)):
        word = next((word for word in left if _says(tokens[stop], word)), None)
        if word is not None:
            left.remove(word)
            reach = stop + 1
        if not left:
            return reach
    return 0


def _denied(tokens: Sequence[Token]) -> list[bool] | None:
    """For each token whether its clause denies it; None when what is denied is that something is told."""
    lowers = [token.lower for token in tokens]
    denied = [False] * len(tokens)
    for negator in negation.find(lowers):
        if negator.kind is NegationKind.TEMPORAL:
            continue
        if any(_tells(word) for word in lowers[negator.end : negator.end + 3]):
            return None
        begin = negator.end
        if negator.kind is NegationKind.CLAUSE:
            begin = _clause_start(lowers, negator.start)
        for index in range(begin, _clause_end(lowers, negator.end)):
            denied[index] = True
    return denied


@lru_cache(maxsize=1024)
def _tells(word: str) -> bool:
    """Whether a word is a verb of telling in its most frequent use ("specify", "mention")."""
    return any(pos == "v" and wordnet.verb_kind(lemma) == _TOLD for lemma, pos in lemmas(word))


@lru_cache(maxsize=64)
def _text_words(text: str) -> frozenset[str]:
    return frozenset(form for token in tokenise(text) for form in _forms(token.lower))


def _words_of(texts: Sequence[str]) -> frozenset[str]:
    return frozenset[str]().union(*(_text_words(text) for text in texts))


def _clause_start(lowers: Sequence[str], at: int) -> int:
    while at > 0 and not _breaks(lowers, at - 1):
        at -= 1
    return at


def _clause_end(lowers: Sequence[str], at: int) -> int:
    while at < len(lowers) and not _breaks(lowers, at):
        at += 1
    return at


def _breaks(lowers: Sequence[str], at: int) -> bool:
    """Whether a clause ends at a word: "but", or "and" and a comma before a clause of their own."""
    if lowers[at] in _BREAKS:
        return True
    if lowers[at] not in ("and", ","):
        return False
    if any(_opens(word) for word in lowers[at + 1 : at + 3]):
        return True
    return lowers[at] == "," and _clause_follows(lowers, at + 1)


def _opens(word: str) -> bool:
    return word in closed_class.words("auxiliary") or word in ("it", "they", "there", "with")


def _clause_follows(lowers: Sequence[str], at: int) -> bool:
    """Whether a verb comes before the next item of a list would."""
    for word in lowers[at : at + 6]:
        if word in (",", "or", "and", "nor"):
            return False
        if word in closed_class.words("auxiliary"):
            return True
    return False
