"""What a passage cannot bear out though it has the words."""

from __future__ import annotations

import pytest

from imprimatur.sources.passages.standing import stands


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("No, I like Mill Dog by Jem Orr.", "Mill Dog is a song written by Jem Orr."),
        ("We have a sport in which one glides on snow.", "Skiing is a sport in which one glides on snow."),
        ("Do you like that series of novels?", "Orla is a series of novels."),
        ("He was the most important painter of Tessen.", "He was one of the most important painters of Tessen."),
        ("It is the oldest mill.", "It is among the oldest mills."),
        ("There has been a bridge over the Orla.", "There is a bridge over the Orla in a story by Jem Orr."),
        ("Earth and Mars are terrestrial planets.", "The planets are Venus, Earth and Mars."),
        ("O# is a programming language.", "O is a programming language."),
        ("Tessen has won the cup once.", "Tessen has won three cups, one in 1978 and one in 1986."),
    ],
)
def test_the_writer_the_reader_and_the_only_one_are_not_borne_out(words: str, sentence: str) -> None:
    """Its words are all there, and it says something else."""
    assert not stands(words, [sentence])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("I think the Orla is long.", "The Orla is long."),
        ("Did you know that the Orla is long?", "The Orla is long."),
        ("We built the mill.", "We built the mill."),
        ("He was one of the most important painters.", "He was one of the most important painters."),
        ("It is the oldest mill.", "It is the oldest mill."),
        ("You can boil the water.", "One can boil the water."),
        ("There is a bridge in Tessen.", "There is an old bridge in Tessen."),
        ("The mill sells bread.", "The mill vends bread."),
        ("O++ is a language.", "O++ is a language."),
        ("Tessen has won the cup twice.", "Tessen has won the cup twice."),
    ],
)
def test_markers_and_what_a_passage_says_itself_stand(words: str, sentence: str) -> None:
    """A hedge changes nothing, nor does a passage in the first person."""
    assert stands(words, [sentence])
