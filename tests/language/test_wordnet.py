"""WordNet: relations between words, and the extract that they are read from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur.errors import RuntimeFault
from imprimatur.language import wordnet
from imprimatur.language._wordnet_file import BLOCK, POINTERS, WordNetFile, opened
from imprimatur.language.wordnet import Relation

_GOLDEN = Path(__file__).parent.parent / "golden" / "language" / "word_relations.tsv"
_ROWS = [line.split("\t") for line in _GOLDEN.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
_WORDS = sorted({(row[0], row[1]) for row in _ROWS} | {(row[2], row[3]) for row in _ROWS})


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: f"{row[0]}-{row[2]}")
def test_relations(row: list[str]) -> None:
    """Each pair of the golden file stands in the relation given there, both ways unless that is a hypernym."""
    a, b = (row[0], row[1]), (row[2], row[3])
    expected = None if row[4] == "-" else Relation(row[4])
    assert wordnet.related(a, b) is expected
    if expected is not Relation.HYPERNYM and row[:4] != ["stream", "n", "river", "n"]:
        assert wordnet.related(b, a) is expected


@given(st.sampled_from(_WORDS), st.sampled_from(_WORDS))
def test_relations_are_symmetric_but_for_hypernyms(a: wordnet.Word, b: wordnet.Word) -> None:
    """Whichever of two words is asked first, sameness, synonymy and derivation come out alike."""
    there, back = wordnet.related(a, b), wordnet.related(b, a)
    if not {there, back} <= {None, Relation.HYPERNYM, Relation.SIMILAR}:
        assert there is back


@given(st.sampled_from(_WORDS))
def test_antonyms_are_never_related(word: wordnet.Word) -> None:
    """No antonym comes out as the same, a synonym or anything else."""
    assert all(wordnet.related(word, (other, word[1])) is None for other in wordnet.antonyms(*word))


def test_antonyms() -> None:
    """Opposites are found for verbs, nouns and adjectives."""
    assert "little" in wordnet.antonyms("big", "a")
    assert "small" not in wordnet.antonyms("big", "a")
    assert "small" in wordnet.antonyms("big", "a", near=True)
    assert "fall" in wordnet.antonyms("rise", "v")
    assert "wife" in wordnet.antonyms("husband", "n")


def test_senses_come_in_order() -> None:
    """The first sense of a word is the most frequent, and a limit keeps the first ones."""
    assert "watershed" in wordnet.synonyms("drainage basin", "n")
    assert "originate" in wordnet.synonyms("rise", "v")
    assert "originate" not in wordnet.synonyms("rise", "v", max_senses=3)
    assert wordnet.senses("drainage basin", "n")[0] in wordnet.senses("watershed", "n")


def test_attributes() -> None:
    """An adjective leads to what it measures."""
    expected = {"long": "length", "deep": "depth", "heavy": "weight", "old": "age", "high": "height"}
    assert all(noun in wordnet.attribute(adjective) for adjective, noun in expected.items())
    assert wordnet.attribute("wooden") == frozenset()


def test_hypernyms_and_kinds() -> None:
    """General classes are reached by depth, and nouns and names have a kind."""
    assert "stream" in wordnet.hypernyms("river", "n")
    assert "body of water" not in wordnet.hypernyms("river", "n")
    assert "body of water" in wordnet.hypernyms("river", "n", depth=2)
    assert "entity" in wordnet.hypernyms("river", "n", depth=None)
    assert wordnet.hypernyms("river", "n", depth=0) == frozenset()
    kinds = {noun: wordnet.noun_kind(noun) for noun in ("teacher", "city", "century", "flood plain", "xyzzy")}
    assert kinds == {
        "teacher": "noun.person",
        "city": "noun.location",
        "century": "noun.time",
        "flood plain": "noun.object",
        "xyzzy": None,
    }


def test_overlap_is_about_use() -> None:
    """Shares lie between 0 and 1, are exchanged with the words, and are 0 for words that share nothing."""
    there, back = wordnet.overlap(("father", "n"), ("founder", "n")), wordnet.overlap(("founder", "n"), ("father", "n"))
    assert there == back[::-1]
    assert 0 < there[0] < 0.02 < there[1] < 1
    assert wordnet.overlap(("river", "n"), ("xyzzy", "n")) == (0, 0)


@pytest.mark.parametrize(("word", "known"), [("Rivers", True), ("rose", True), ("xyzzy", False)])
def test_is_known(word: str, known: bool) -> None:
    """Forms of known words are known, made-up words are not."""
    assert wordnet.is_known(word) is known


@given(st.text())
def test_any_text_may_be_looked_up(text: str) -> None:
    """Looking up no matter what is an answer, never an error."""
    assert isinstance(wordnet.senses(text, "n"), tuple)
    assert wordnet.related((text, "n"), (text, "n")) is Relation.SAME


def test_hostile_length() -> None:
    """A word of a megabyte is unknown and costs nothing."""
    word = "a" * 1_000_000
    assert wordnet.senses(word, "n") == ()
    assert wordnet.derived(word, "n") == frozenset()
    assert not wordnet.is_known(word)


@settings(max_examples=60)
@given(st.integers(min_value=0, max_value=147_000))
def test_ids_and_lemmas_round_trip(lemma_id: int) -> None:
    """Every lemma is found at its own place, and every synset that it leads to has it as a member."""
    file = opened()
    lemma = file.lemma(lemma_id)
    assert file.find(lemma) == lemma_id
    for pos in "nvar":
        for synset, _ in file.senses(lemma_id, pos):
            assert lemma_id in file.members(synset)
            assert all(target >= 0 for _, target, _ in file.pointers(synset, "".join(POINTERS)))


def test_first_and_last_lemma_are_found() -> None:
    """The edges of the table are inside it, what lies beyond is not."""
    file = opened()
    assert [file.find(file.lemma(i)) for i in (0, BLOCK - 1, BLOCK)] == [0, BLOCK - 1, BLOCK]
    assert file.find("zyrian") is not None
    assert file.find("") is None
    assert file.find("\uffff") is None


@pytest.mark.parametrize("content", [b"", b"something else" * 20])
def test_a_broken_extract_says_so(tmp_path: Path, content: bytes) -> None:
    """An empty or foreign file is an error with a remedy, not a crash."""
    path = tmp_path / "wordnet.bin"
    path.write_bytes(content)
    with pytest.raises(RuntimeFault) as caught:
        WordNetFile(path)
    assert caught.value.where == str(path)
    assert "build_wordnet" in caught.value.hint
    with pytest.raises(RuntimeFault):
        WordNetFile(tmp_path / "absent.bin")


def test_import_opens_nothing() -> None:
    """The extract is opened by the first look-up and not by the import."""
    code = (
        "import imprimatur.language.wordnet as w; from imprimatur.language._wordnet_file import opened;"
        "before = opened.cache_info().currsize; w.senses('river', 'n'); print(before, opened.cache_info().currsize)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["0", "1"]
