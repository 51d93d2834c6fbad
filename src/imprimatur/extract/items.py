"""Items: the words of a segment with names, quantities and dates folded in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.claim import Mention
from imprimatur.extract.folding import folded, item_of, quoted, unknown_name
from imprimatur.extract.kind_words import with_kind_words
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import forms
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.protocols import Lexicon

__all__ = ["items_of"]


_MARKUP = frozenset("* _ ` # ~ | >".split())


def items_of(text: str, names: Lexicon, *, offset: int = 0, locale: str = "en") -> tuple[Item, ...]:
    """The items of ``text``; spans are shifted by ``offset`` so that they point into the whole answer."""
    tokens = [t for t in tokenise(text) if t.text not in _MARKUP]
    if not tokens:
        return ()
    spans = folded(text, tokens, names, locale)
    read = with_kind_words(_excepted(_concluded(_compared(_joined(text, tokens, spans)))), names)
    return tuple(_shift(item, offset) for item in read)


def _joined(text: str, tokens: Sequence[Token], spans: dict[int, tuple[int, Item]]) -> list[Item]:
    """The items in order: what is folded, capitalised names that nobody knows, and every other word by itself."""
    quotes = quoted(tokens, spans)
    out: list[Item] = []
    i = 0
    while i < len(tokens):
        if i in quotes:
            i += 1
            continue
        if i in spans:
            i, item = spans[i]
            out.append(item)
            continue
        token = tokens[i]
        stop = unknown_name(tokens, i, spans)
        if stop > i:
            start, end = token.start, tokens[stop - 1].end
            out.append(item_of(text, start, end, name=Mention(start, end, text[start:end])))
            i = stop
            continue
        word = forms(token.lower if token.kind is TokenKind.WORD else "")
        punct = token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL)
        out.append(Item(token.start, token.end, token.text, token.lower, forms=word, punct=punct))
        i += 1
    return out


def _excepted(items: list[Item]) -> list[Item]:
    """ "But for A": what is said holds except for A, so "but" joins nothing here."""
    for n, item in enumerate(items[:-1]):
        if item.lower == "but" and items[n + 1].lower == "for":
            items[n] = item._replace(lower="except", forms=forms("except"))
    return items


def _concluded(items: list[Item]) -> list[Item]:
    """ ", so it …": where a clause follows, "so" joins clauses as "yet" does; elsewhere it is no conjunction."""
    for n, item in enumerate(items[1:-1], 1):
        if item.lower != "so" or items[n - 1].lower != ",":
            continue
        after = items[n + 1]
        subject = after.entity or after.name or after.forms.closed & {"pron", "poss"} or after.lower == "the"
        told = any(i.forms.verb_forms & {"s", "past", "base"} for i in items[n + 2 :])
        if told and subject and after.lower != "that":
            items[n] = item._replace(lower="yet", forms=forms("yet"))
    return items


def _compared(items: list[Item]) -> list[Item]:
    """ "12 m longer than": a comparative before "than" is no noun, and the number before it is a difference."""
    for n, item in enumerate(items):
        if n and items[n - 1].quantity is not None and _comparative(item):
            items[n] = item._replace(forms=item.forms._replace(adj=item.lower))  # "5 m longer" is not "5 m long"
    for n, item in enumerate(items[:-1]):
        if not item.lower.endswith("er") or item.entity is not None or item.name is not None:
            continue
        if items[n + 1].lower == "than" or items[n + 1].lower.startswith("than "):
            f = item.forms
            items[n] = item._replace(forms=f._replace(noun="", verb="", verb_forms=frozenset()))
            if n and items[n - 1].quantity is not None and items[n + 1].quantity is None:
                items[n - 1] = items[n - 1]._replace(quantity=None, difference=items[n - 1].quantity)
    return items


def _comparative(item: Item) -> bool:
    """Whether a word is the comparative of an adjective by its form."""
    adj = item.forms.adj
    return bool(adj) and adj != item.lower and item.lower.endswith("er") and item.entity is None and item.name is None


def _shift(item: Item, offset: int) -> Item:
    if not offset:
        return item

    def moved(m: Mention | None) -> Mention | None:
        return replace(m, start=m.start + offset, end=m.end + offset) if m else None

    return item._replace(
        start=item.start + offset,
        end=item.end + offset,
        entity=moved(item.entity),
        name=moved(item.name),
        spans=tuple((a + offset, b + offset) for a, b in item.spans),
    )
