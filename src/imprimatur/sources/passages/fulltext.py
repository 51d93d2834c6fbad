"""Full text: an index of the terms of passages (tantivy), ranked by BM25.

The terms are made by ``terms``; tantivy only parts them at blanks, so that a query is never parsed and nothing in it
is syntax. One thread writes, in the order of the numbers: the same passages give the same scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from imprimatur.errors import ConfigError, StoreUnavailable

if TYPE_CHECKING:
    import tantivy

__all__ = ["FullText", "available", "write_full_text"]

_HEAP = 128 << 20
_TERMS, _NUMBER, _PARTED = "terms", "number", "blanks"


def available() -> bool:
    """Whether the library is installed."""
    return find_spec("tantivy") is not None


def write_full_text(folder: Path, passages: Iterable[tuple[int, str]]) -> None:
    """Writes an index of passages, given as numbers with their terms between blanks, into an empty folder.

    Raises:
        ConfigError: the library is not installed. StoreUnavailable: it cannot be written.
    """
    if not available():
        raise ConfigError("an index of passages cannot be made here", hint="pip install 'imprimatur[passages]'")
    import tantivy

    try:
        folder.mkdir(parents=True, exist_ok=True)
        writer = _opened(folder).writer(_HEAP, 1)
        for number, terms in passages:
            document = tantivy.Document()
            document.add_unsigned(_NUMBER, number)
            document.add_text(_TERMS, terms)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
    except (OSError, ValueError) as fault:
        raise StoreUnavailable(f"full text cannot be written: {str(fault)[:200]}", where=str(folder)) from fault


def _opened(folder: Path) -> tantivy.Index:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(_NUMBER, stored=False, indexed=False, fast=True)
    builder.add_text_field(_TERMS, stored=False, tokenizer_name=_PARTED, index_option="freq")
    index = tantivy.Index(builder.build(), path=str(folder))
    index.register_tokenizer(_PARTED, tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    return index


class FullText:
    """An index of passages, open for searching."""

    def __init__(self, folder: Path) -> None:
        """Opens it. Raises ConfigError without the library, StoreUnavailable where there is no index."""
        if not available():
            raise ConfigError("an index of passages cannot be read here", hint="pip install 'imprimatur[passages]'")
        try:
            if not (folder / "meta.json").is_file():
                raise ValueError("no index")
            index = _opened(folder)
            self._schema = index.schema
            self._searcher = index.searcher()
        except (OSError, ValueError) as fault:
            message = f"full text cannot be read: {str(fault)[:200]}"
            raise StoreUnavailable(message, where=str(folder), hint="build the index anew") from fault

    def __len__(self) -> int:
        """How many passages there are."""
        return self._searcher.num_docs

    def known(self, term: str) -> int:
        """How many passages have the term."""
        return self._searcher.doc_freq(_TERMS, term)

    def find(self, weights: Mapping[str, float], *, limit: int) -> dict[int, float]:
        """The numbers of the passages that have some of the terms, with their scores; the best, at most ``limit``.

        Raises:
            StoreUnavailable: the index cannot be searched.
        """
        if not weights:
            return {}
        import tantivy

        parts = []
        for term, weight in weights.items():
            query = tantivy.Query.term_query(self._schema, _TERMS, term, index_option="freq")
            parts.append((tantivy.Occur.Should, tantivy.Query.boost_query(query, weight)))
        try:
            hits = self._searcher.search(tantivy.Query.boolean_query(parts), limit=limit, count=False).hits
            numbers = self._searcher.fast_field_values(_NUMBER, [address for _, address in hits])
        except (OSError, ValueError) as fault:
            raise StoreUnavailable(f"full text cannot be searched: {str(fault)[:200]}") from fault
        found = [(float(score), int(number or 0)) for (score, _), number in zip(hits, numbers)]
        return {number: score for score, number in sorted(found, key=lambda each: (-each[0], each[1]))}
