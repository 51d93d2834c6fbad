"""Whether a sentence is read whole, as far as what it states hangs on it: every word is accounted for, or is idle.

Contract: a claim counts where each word of its sentence is read by some claim, is ``idle``, or stands in a further
clause: one that begins with "and", ";" or a relative behind a name, has a finite verb of its own, shares nothing with
the claim but what it is about, and has none but ``apart`` words. What leads in ("in the film", "on paper"), what
trails ("…, they thought"), what stands in brackets or ironic quotation marks, and any mark that is not known leaves the
claim without a fact. Nothing is read anew here, and no list of lead-ins is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.claim import Claim
from imprimatur.extract.words import forms
from imprimatur.ingest.beside import meanwhile
from imprimatur.ingest.choosing import happens
from imprimatur.ingest.idle_words import apart, doing, finite, idle
from imprimatur.language.tokens import Token, TokenKind, tokenise

__all__ = ["Sheet", "sheet"]

Span = tuple[int, int]

_RELATIVES = frozenset("which who whom whose where".split())
_JOINTS = frozenset(", ; ( ) – — and but".split()) | _RELATIVES
_WHILE = frozenset(("during", "throughout"))
_BEFORE = frozenset(("before", "after"))
_ROLE = expression(r"\bas\s+(?:the\s+)?\Z")
_QUOTES = {"“": "”", '"': '"', "„": "“", "«": "»", "‘": "’"}


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words between two joints, and the joints before it."""

    first: int
    stop: int
    opened: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The words of one sentence with what accounts for them.

    Attributes:
        start: where the sentence begins; the tokens' offsets are from there.
        read: whether some claim that is read accounts for the word.
        named: whether a word stands in a name. words: those in which the ontology speaks.
        marks: a mark for which nothing accounts.
    """

    document: str
    text: str
    start: int
    tokens: tuple[Token, ...]
    read: tuple[bool, ...]
    named: tuple[bool, ...]
    pieces: tuple[_Piece, ...]
    marks: str
    words: frozenset[str] = frozenset()

    def left(self, claim: Claim, *, beside: bool = False) -> str:
        """The words for which nothing accounts and on which a claim may hang; "" where there are none.

        Args:
            beside: whether the claim was taken out of a clause that says something else ("Delft-born Jan Vos left").
        """
        if self.marks:
            return self.marks
        if self._goes_on(claim):
            return "and"
        if any(_ROLE.search(self.text[: max(0, r.subject.start - self.start)]) for r in claim.readings):
            return "as"  # "Bo Lind stars as Tom Elm, who was born in Delft"
        about = [(r.subject.start, r.subject.end) for r in claim.readings]
        own = [span for span in claim.covers if not _within(span, about)]
        further = False
        for n, piece in enumerate(self.pieces):
            unread = [k for k in range(piece.first, piece.stop) if not self._nothing(k)]
            unread = [k for k in unread if not self._meanwhile(k, claim)]
            if not unread:
                further = False
                continue
            shared = any(self._of(k, own) for k in range(piece.first, piece.stop))
            names = all(self._apart(k) and self.named[k] for k in unread)
            if (shared and not beside) or not ((further and names) or self._further(n)):
                return self._words(unread)
            further = True
        return ""

    def _goes_on(self, claim: Claim) -> bool:
        """Whether a claim has its verb behind "which …" and "and": of what stands before "which", or of what is first?

        "A was built by B which is in C and is owned by D."
        """
        relative, before = False, -1
        for n, piece in enumerate(self.pieces):
            if piece.opened & _RELATIVES:
                relative, before = True, self.pieces[n - 1].stop - 1 if n else -1
            elif not piece.opened & {"and", "or"}:
                relative = relative and piece.opened == {","}
            verb = next((k for k in range(piece.first, piece.stop) if not self.named[k]), -1)
            if not relative or piece.opened & _RELATIVES or verb != piece.first or before < 0:
                continue
            starts = {r.subject.start - self.start for r in claim.readings}
            own = self._of(verb, claim.covers) or self._says_be(verb, claim)
            other = any(self.named[k] for k in range(before)) and not self._one_name(before)
            if own and other and not any(self.tokens[piece.first].start <= at for at in starts):
                return True
        return False

    def _says_be(self, k: int, claim: Claim) -> bool:
        token = self.tokens[k]
        return any(a <= token.start + self.start and token.end + self.start <= b for a, b in claim.covers)

    def _one_name(self, before: int) -> bool:
        """Whether the name that ends with a word is the first thing that a sentence names."""
        first = before
        while first > 0 and self.named[first - 1]:
            first -= 1
        return not any(self.named[:first])

    def _nothing(self, k: int) -> bool:
        """Whether a word is accounted for, or needs not be."""
        token = self.tokens[k]
        if self.read[k] or idle(token):
            return True
        sides = (k > 0 and self.read[k - 1], k + 1 < len(self.tokens) and self.read[k + 1])
        if token.text == "-":
            return all(sides)
        return self._level(k)

    def _meanwhile(self, k: int, claim: Claim) -> bool:
        """Whether a word is of "during the Gulf War" behind what happened, which is so whatever went on."""
        at = next((n for n in range(k, max(-1, k - 8), -1) if self.tokens[n].lower in _WHILE), None)
        if at is None or not all(self.named[n] or self.tokens[n].lower == "the" for n in range(at + 1, k + 1)):
            return False
        last = next((n - 1 for n in range(at + 2, len(self.tokens)) if not self.named[n]), len(self.tokens) - 1)
        event = self.named[last] and happens(self.tokens[last].lower)
        place = self.tokens[at].start + self.start, self.tokens[at].end + self.start
        return event and meanwhile(claim, *place, self.document)

    def _level(self, k: int) -> bool:
        """Whether a word is of "above sea level" behind a number, which only says from where it is measured."""
        for n in range(max(0, k - 2), k + 1):
            words = tuple(t.lower for t in self.tokens[n : n + 3])
            if words == ("above", "sea", "level") and n and self.read[n - 1]:
                return True
        return False

    def _of(self, k: int, spans: Sequence[Span]) -> bool:
        """Whether a word of its own is one of a claim's."""
        token = self.tokens[k]
        if token.lower in _JOINTS or idle(token) or forms(token.lower).closed & {"pron", "poss"}:
            return False
        return any(a <= token.start + self.start and token.end + self.start <= b for a, b in spans)

    def _further(self, n: int) -> bool:
        """Whether a piece is a further clause."""
        piece = self.pieces[n]
        tokens = self.tokens[piece.first : piece.stop]
        led = bool(piece.opened & _BEFORE)
        if not all(self._apart(k) for k in range(piece.first + led, piece.stop)):
            return False
        if led:
            return doing(tokens[0].lower)
        verbs = [k for k, t in enumerate(tokens) if finite(t) and not self.named[piece.first + k]]
        if not verbs:
            return False
        if not piece.opened:
            return n == 0 and (self.named[0] or tokens[0].lower in ("he", "she", "it", "they") or self._article())
        if piece.opened & _RELATIVES:
            behind = self.pieces[n - 1].stop - 1 if n else -1
            return behind >= 0 and self.named[behind]
        if piece.opened & {"and", ";"}:
            return not piece.opened & {"but", "(", ")", "–", "—"}
        goes_on = n > 0 and bool(self.pieces[n - 1].opened & _RELATIVES)
        return ((piece.opened == {","} and goes_on) or piece.opened == {")"}) and verbs[0] == 0

    def _apart(self, k: int) -> bool:
        return apart(self.tokens[k], named=self.named[k], words=self.words)

    def _article(self) -> bool:
        return self.tokens[0].lower == "the" and len(self.tokens) > 1 and self.named[1]

    def _words(self, unread: Sequence[int]) -> str:
        return self.text[self.tokens[unread[0]].start : self.tokens[unread[-1]].end]


def sheet(
    document: str, span: Span, read: Sequence[Span], names: Sequence[Span], words: frozenset[str] = frozenset()
) -> Sheet:
    """The words of a sentence, by what claims account for and by what is written as a name; spans of the document."""
    start, text = span[0], document[slice(*span)]
    tokens = tuple(tokenise(text))
    named = tuple(any(a <= t.start + start and t.end + start <= b for a, b in names) for t in tokens)
    told = tuple(any(a <= t.start + start and t.end + start <= b for a, b in read) for t in tokens)
    shown = _noted(tokens, _quoted(text, tokens, told, [(a - start, b - start) for a, b in names]))
    pieces = tuple(_cut(tokens, named))
    return Sheet(document, text, start, tokens, shown, named, pieces, _marks(tokens, shown), words)


def _cut(tokens: Sequence[Token], named: Sequence[bool]) -> Iterator[_Piece]:
    """The stretches between joints."""
    first, opened, met = 0, frozenset[str](), set[str]()
    for k, token in enumerate(tokens):
        if not _joint(tokens, k, named):
            if met:
                first, opened, met = k, frozenset(met), set()
            continue
        if not met and k > first:
            yield _Piece(first, k, opened)
        met.add(token.lower)
    if not met and first < len(tokens):
        yield _Piece(first, len(tokens), opened)


def _joint(tokens: Sequence[Token], k: int, named: Sequence[bool]) -> bool:
    if named[k]:
        return False
    lower = tokens[k].lower
    if lower in _BEFORE:
        return k + 1 < len(tokens) and "ing" in forms(tokens[k + 1].lower).verb_forms
    return lower in _JOINTS


def _noted(tokens: Sequence[Token], read: list[bool]) -> tuple[bool, ...]:
    """What is read, and the numbers of notes ("[1]"), which are nothing to read."""
    for k in range(len(tokens) - 2):
        if tokens[k].text == "[" and tokens[k + 2].text == "]" and tokens[k + 1].text.isdigit():
            read[k : k + 3] = [True] * 3
    return tuple(read)


def _quoted(text: str, tokens: Sequence[Token], read: Sequence[bool], names: Sequence[Span]) -> list[bool]:
    """What is read, quotation marks included that hold one name and nothing else."""
    out = [r and t.text not in _QUOTES and t.text not in _QUOTES.values() for t, r in zip(tokens, read, strict=True)]
    for a, b in names:
        before = next((k for k, t in enumerate(tokens) if t.end == a), None)
        after = next((k for k, t in enumerate(tokens) if t.start == b), None)
        if before is not None and after is not None and _QUOTES.get(tokens[before].text) == tokens[after].text:
            out[before] = out[after] = True
    for k, token in enumerate(tokens):
        if token.text in ("'", "’") and read[k] and k and text[token.start - 1].isalpha():
            out[k] = True  # of a genitive
    return out


def _marks(tokens: Sequence[Token], read: Sequence[bool]) -> str:
    """A mark for which nothing accounts: a question, a trailing off, a bound, an ironic quotation."""
    for before, token in pairwise(tokens):
        if before.text == token.text == ".":
            return ".."  # it trails off
    for token, told in zip(tokens, read, strict=True):
        known = idle(token) or token.text in ("-", "/", "–", "—")
        if not told and not known and token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL):
            return token.text
    return ""


def _within(span: Span, outer: Sequence[Span]) -> bool:
    return any(a <= span[0] and span[1] <= b for a, b in outer)
