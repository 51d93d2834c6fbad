"""What a thing is said to be by a quality of its own ("S is red"), and all that only looks so."""

from __future__ import annotations

import pytest

from imprimatur import Oracle
from imprimatur.sources.graph.quality_wordings import apart, word_wordings

_LIGHTS = """name,height (m),colour,roof colour,door,keeper,material,shape,condition,status
Skerry Light,30,red,white,blue,Ann Marlow,wooden,round,good,open
Holm Light,41.5,dark green,red,green,Jo Tarn,stone,square,poor,closed
Bain Light,12,white,red,red,Ann Marlow,wooden,round,good,open
Ness Light,25,,white,red,Ann Marlow,brick,circular,fair,open
Unst Light,25,crimson,white,red,Jo Tarn,brick,star,fair,open
Yell Light,25,green,white,red,Jo Tarn,brick,star,fair,open
"""
_MILLS = "name,colour\nElm Mill,red and white\nOak Mill,red\nAsh Mill,white\n"
_CATS = "name,sex,colour\nTibb,female,black\nRoly,male,grey\nMoss,male,white\nFenn,female,white\n"
_CONFIG = "version: 1\ntables:\n" + "".join(
    f"  - {{file: {name}.csv, complete: true}}\n" for name in ("lights", "mills", "cats")
)
_SENTENCES = {
    "supported": """
        Skerry Light is red.
        Holm Light is dark green.
        Skerry Light is wooden.
        Skerry Light is red and round.
        Skerry Light and Bain Light are wooden.
        Skerry Light is not white.
        Holm Light isn't red.
        Oak Mill is red.
        Tibb is female.
        Roly is grey.
        Roly is not female.
        Half of the cats are white.
        Two cats are female.
    """,
    "contradicted": """
        Skerry Light is white.
        Skerry Light is not red.
        Holm Light is red.
        Bain Light is green.
        Skerry Light and Bain Light are red.
        Skerry Light is green and round.
        Tibb is male.
        Tibb is white.
        Three cats are white.
        A quarter of the cats are white.
        All cats are white.
        Half of the cats are grey.
        Skerry Light is a red mill.
        Skerry Light's keeper is wooden.
        The door of Bain Light is wooden.
        Most lights are red.
    """,
    "not_found": """
        Holm Light is green.
        Yell Light is dark green.
        Yell Light is not dark green.
        Skerry Light is blue.
        Ness Light is red.
        Ness Light is not red.
        Unst Light is red.
        Unst Light is not red.
        Skerry Light is crimson.
        Ness Light is round.
        Ness Light is not round.
        Skerry Light is not square.
        Elm Mill is red.
        Elm Mill is white.
        Oak Mill is white.
        Skerry Light is good.
        Holm Light is poor.
        Skerry Light is open.
        Skerry Light is Ann Marlow.
        Skerry Light is a red.
        Unst Light is a star.
        Skerry Light was red.
        Skerry Light will be red.
        Skerry Light used to be red.
        Skerry Light is very red.
        Skerry Light is partly red.
        Skerry Light is red at night.
        Skerry Light is red or white.
        Skerry Light is redder than Bain Light.
        Skerry Light is painted red.
        Skerry Light looks red.
        Skerry Light has red.
        The roof of Skerry Light is red.
        Skerry Light is neither white nor green.
        Half of the lights are red.
    """,
}
_EACH = [(label, line.strip()) for label, lines in _SENTENCES.items() for line in lines.strip().splitlines()]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """Lights with many columns of words, mills with several colours, cats."""
    folder = tmp_path_factory.mktemp("qualities")
    for name, text in (
        ("lights.csv", _LIGHTS),
        ("mills.csv", _MILLS),
        ("cats.csv", _CATS),
        ("imprimatur.yaml", _CONFIG),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.mark.parametrize(("label", "sentence"), _EACH, ids=[sentence for _, sentence in _EACH])
def test_a_quality_is_judged_by_its_column_alone(oracle: Oracle, label: str, sentence: str) -> None:
    """The words of other columns, of other times and of parts are none of the thing's own."""
    assert oracle.check(sentence).segments[0].label.value == label


def test_every_word_of_every_column(oracle: Oracle) -> None:
    """Of all cells, as they stand and exchanged between rows, only a row's own colour, material and shape support."""
    head, *rows = (line.split(",") for line in _LIGHTS.strip().splitlines())
    words = {cell for row in rows for cell in row[2:] if cell}
    for row in rows:
        own = {row[head.index(name)] for name in ("colour", "material", "shape")}
        for word in words:
            label = oracle.check(f"{row[0]} is {word}.").segments[0].label.value
            assert (label == "supported") is (word in own), (row[0], word, label)
            denied = oracle.check(f"{row[0]} is not {word}.").segments[0].label.value
            assert (denied == "contradicted") is (word in own), (row[0], word, denied)


@pytest.mark.parametrize(
    ("said", "held", "different"),
    [
        ("red", "white", True),
        ("red", "dark green", True),
        ("gray", "grey", False),
        ("green", "dark green", False),
        ("red", "crimson", False),
        ("round", "circular", False),
        ("male", "female", True),
        ("male", "red", False),
        ("", "red", False),
    ],
)
def test_which_words_exclude_each_other(said: str, held: str, different: bool) -> None:
    """Basic colours and sexes; nothing else is sure."""
    assert apart(said, held) is different


def test_many_values_are_no_such_words() -> None:
    """A column of free text is not spoken of by its words alone; nor are lists, codes and sentences."""
    assert not [*word_wordings([f"shade{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(60)])]
    assert not [*word_wordings(["red and white", "a very long text", "7a", ""])]
