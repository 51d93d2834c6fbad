"""Places hold for any text, in every form; ranks fuse as they should."""

from __future__ import annotations

import json
import re

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from made_documents import check_offsets

from imprimatur.errors import InputError
from imprimatur.sources.passages.fusion import fused, ranked
from imprimatur.sources.passages.limits import Limits
from imprimatur.sources.passages.reading import read_context, read_document
from imprimatur.sources.passages.terms import terms_of

_MARKS = st.text(alphabet="aB1 é.\n|-#>*_`[](){}<>&;:,!?\t\r'\"—…Ω漢\U0001f30a", max_size=120)
_TEXTS = st.one_of(_MARKS, st.text(max_size=80))
_SMALL = Limits(passage=40, sentence=60)
_SCORES = st.dictionaries(st.integers(0, 9), st.floats(0, 5), max_size=8)
_LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), _TEXTS)
_JSON = st.recursive(
    _LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_TEXTS, inner, max_size=4))
)
#: The number of an item of a list with nothing behind it.
_ITEM = re.compile(r"^\s*(?:\d{1,9}|\w)[.)](?:\s|$)", re.MULTILINE)


@given(_TEXTS, st.sampled_from(["a.txt", "a.md", "a.html"]))
@settings(max_examples=300)
def test_places_hold_in_every_form(text: str, name: str) -> None:
    """Whatever stands in a file, passages and sentences are where they say, and bounded; or the file is refused."""
    try:
        document = read_document(text.encode("utf-8", "replace"), id_=name, limits=_SMALL)
    except InputError:
        assume(False)
    check_offsets(document)
    assert all(len(passage.text) <= 60 for passage in document.passages)


@example("1.")
@example("1) 1")
@given(_TEXTS)
def test_a_context_keeps_its_text(text: str) -> None:
    """Every word of a given text stands in some sentence of it; the number of an item is none."""
    document = read_context(text, id_="context:1", limits=_SMALL)
    check_offsets(document)
    if document.form == "text":
        assert document.text == text
        covered = {at for each in document.passages for at in range(each.start, each.end)}
        bare = {at for found in _ITEM.finditer(text) for at in range(*found.span())}
        assert all(at in covered | bare for at, char in enumerate(text) if char.isalnum())


@given(_JSON)
def test_structured_data_holds_its_values(value: object) -> None:
    """Every plain value that says something stands in the text."""
    document = read_document(json.dumps({"key": value}).encode(), id_="a.json")
    check_offsets(document)
    if isinstance(value, str) and value.strip():
        flat = "".join(document.text.split())
        assert "".join(value.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split()) in flat


@given(st.lists(_SCORES, max_size=4), st.randoms())
def test_fusion_does_not_depend_on_order(lists: list[dict[int, float]], random: object) -> None:
    """The order of lists and of the things in them changes nothing; standing in one more list never lowers a score."""
    ranks = [ranked(scores) for scores in lists]
    turned = [ranked(dict(reversed(scores.items()))) for scores in reversed(lists)]
    assert fused(ranks) == fused(turned)
    for thing, score in fused(ranks[1:]).items():
        assert fused(ranks)[thing] >= score


@given(_SCORES)
def test_ranks_follow_scores(scores: dict[int, float]) -> None:
    """A higher score has a lower rank, equal scores share one, and the best has the first."""
    ranks = ranked(scores)
    assert ranks.keys() == scores.keys()
    for one in scores:
        for other in scores:
            assert (ranks[one] < ranks[other]) == (scores[one] > scores[other])
    assert not ranks or min(ranks.values()) == 1


@given(_TEXTS)
def test_terms_hold_no_blanks(text: str) -> None:
    """Terms can be written between blanks and lines, for full text and for the rows."""
    assert all(term and not any(char.isspace() for char in term) for term in terms_of(text))


def test_terms() -> None:
    """Inflection, case, accents, possessives and separators do not matter; closed classes are no terms."""
    assert terms_of("The Río's rivers flowed 2,330.50 km") == terms_of("RIO river flows 2330.5 km")
    assert terms_of("the of and") == []
    assert set(terms_of("outdoor seating")) < set(terms_of("OutdoorSeating"))
    assert terms_of("漢字 kana") == ["漢", "字", "kana"]
