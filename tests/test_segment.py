"""Segmentation: coverage of the text, cutting into chunks, golden texts, sentence ends, hostile input."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from effort import ends
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur._segment_lines import rule_columns, underline_level
from imprimatur._segment_stops import Stop, ends_sentence, stop_kind
from imprimatur.answer import Kind, Segment
from imprimatur.errors import UsageError
from imprimatur.segment import Segmenter, segment

GOLDEN = sorted((Path(__file__).parent / "golden" / "segments").glob("*.txt"))
PIECES = [
    *(
        ". ",
        "! ",
        "? ",
        "... ",
        "…",
        "。",
        "！",
        "|",
        "।",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\u2028",
        " ",
        "  ",
        "\t",
        "    ",
    ),
    *(
        "- ",
        "* ",
        "1. ",
        "2) ",
        "# ",
        "## ",
        "> ",
        "```",
        "~~~",
        "`",
        "**",
        "*",
        "_",
        "\\",
        "---",
        "===",
        ":",
        ": ",
        "：",
        "(",
    ),
    *(
        ")",
        "[1]",
        "[x] ",
        "“",
        "”",
        '"',
        "'",
        "「",
        "」",
        "Volga",
        "he",
        "The",
        "U.S.",
        "Dr.",
        "e.g.",
        "No.",
        "5",
        "1908",
    ),
    *(
        "3.5",
        "Born: x",
        "長江",
        "हिन्दी",
        "🇫🇷",
        "❤\ufe0f",
        "\u0301",
        "\u200d",
        "\ud800",
        "\0",
        ",",
        "| a | b |\n",
        "|---|---|\n",
    ),
    *("|-|-|\n", "\\|", "**Bold**\n", "a | b\n", "```py\n", "\n```\n", "\n> "),
]
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))


def bodies(text: str) -> list[str]:
    """Return the words of every segment."""
    return [text[item.body[0] : item.body[1]] for item in segment(text)]


def fed(chunks: list[str]) -> tuple[Segment, ...]:
    """Return the segments of a text that arrives in ``chunks``."""
    segmenter = Segmenter()
    parts = [segmenter.feed(chunk) for chunk in chunks]
    return tuple(item for part in parts for item in part) + segmenter.finish()


def described(text: str) -> str:
    """Return the golden form: one line per segment with kind, body and the texts it refers to."""

    def shown(span: tuple[int, int] | None) -> str:
        return repr(text[span[0] : span[1]]) if span else ""

    lines = []
    for item in segment(text):
        context = {"heading": item.heading, "stem": item.stem, "row": item.row, "column": item.column}
        told = "".join(f" {name}={shown(span)}" for name, span in context.items() if span)
        lines.append(f"{item.kind.value} {shown(item.body)}{told}")
    return "\n".join(lines) + "\n"


@ends
@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n", "\u2028"])
def test_a_table_row_that_begins_with_a_mark_ends(line_end: str) -> None:
    """A combining mark with no base in its row belongs to the line end before it, and the reader goes on."""
    text = f"a{line_end}|---|{line_end}\u0301{line_end}b"
    assert "".join(text[item.start : item.end] for item in segment(text)) == text


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_segments_cover_the_text(text: str) -> None:
    """Every character is in exactly one segment, and every span lies where it should."""
    position = 0
    for item in segment(text):
        assert item.start == position < item.end
        assert item.start <= item.body[0] <= item.body[1] <= item.end
        for span in (item.heading, item.stem, item.row, item.column):
            assert span is None or 0 <= span[0] < span[1] <= len(text)
        body = text[item.body[0] : item.body[1]]
        assert body == body.rstrip()
        position = item.end
    assert position == len(text)


@given(TEXTS, st.data())
@settings(max_examples=400, deadline=None)
def test_any_cutting_gives_the_same_segments(text: str, data: st.DataObject) -> None:
    """Fed by single characters or in random chunks, the segments are those of the whole text."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    chunks = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)])]
    whole = segment(text)
    assert fed(list(text)) == whole
    assert fed(chunks) == whole


@given(TEXTS, TEXTS)
@settings(max_examples=200, deadline=None)
def test_final_segments_never_change(text: str, more: str) -> None:
    """What a feed returned is a prefix of the segments of the text however it continues."""
    segmenter = Segmenter()
    final = segmenter.feed(text)
    assert segment(text + more)[: len(final)] == final


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_no_segment_starts_inside_a_character(text: str) -> None:
    """A combining mark, joiner or variation selector stays with the character before it."""
    for item in segment(text)[1:]:
        first, before = text[item.start], text[item.start - 1]
        extends = first in "\u200c\u200d" or unicodedata.category(first)[0] == "M"
        control = unicodedata.category(before) in ("Cc", "Zl", "Zp")  # UAX #29, GB4: nothing joins a control
        assert not extends or control


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_texts(path: Path) -> None:
    """Each golden file holds a text and, after a line of ``%``, the segments that it has."""
    text, _, expected = path.read_bytes().decode("utf-8").partition("\n%%%%\n")
    assert described(text) == expected


def test_golden_texts_are_there() -> None:
    """The golden suite did not shrink unnoticed."""
    assert len(GOLDEN) == 12


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Smith met Dr. Jones on Wall St. in Mt. Vernon, e.g. Saul Kripke vs. Hilary Putnam.",
        "W. V. O. Quine knew J. L. Austin.",
        "It is 3.5 km (approx. 2.2 mi), see Fig. 3 and No. 5 of vol. 2.",
        "He was born on Jan. 5, 1908, ca. Noon.",
        "See https://example.org/a.b?c=1!d and file.tar.gz, v1.2.3 of Node.js.",
        "The so-called ... Volga is long.",
        "Am 5. Mai kam er an.",
        "Run `a. B` and ``x ` y. Z`` now.",
        'Bob said "Alice works at Acme. Alice lives in Paris." yesterday.',
        "The Volga (see the map. It is old) is long.",
        "Use <b>Bold. Text</b>".replace(". ", "."),
        "彼は「はい。」と言った。",
        "Apple Inc. CEO Tim Cook spoke.",
        "A hard-wrapped line of\nEurope: the Volga.",
        "It has\ntwo parts, a and b.",
        "Escaped \\`a and b.",
        "He was born in\n1908.",
    ],
)
def test_one_sentence(text: str) -> None:
    """A full stop, colon or line break inside a sentence does not end it."""
    assert bodies(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is long. It is old.", ["It is long.", "It is old."]),
        ("Really?! Yes!!! Well... Then", ["Really?!", "Yes!!!", "Well...", "Then"]),
        ("He lives in the U.S. The area is big.", ["He lives in the U.S.", "The area is big."]),
        ('It is the "bread valley." It feeds.', ['It is the "bread valley."', "It feeds."]),
        ("Long. (There may be others!) End", ["Long.", "(There may be others!)", "End"]),
        ("Long.[1][2] Old. [m3] End.", ["Long.[1][2]", "Old. [m3]", "End."]),
        ("Long.[1](https://a.b/c) End.", ["Long.[1](https://a.b/c)", "End."]),
        ("No. He did not.", ["No.", "He did not."]),
        ("It opened in 1908. 25 came.", ["It opened in 1908.", "25 came."]),
        ("长江长。它流！真的？是", ["长江长。", "它流！", "真的？", "是"]),
        ("**长江。**全长", ["**长江。**", "全长"]),
        ("वोल्गा लंबी है। यह नदी है।", ["वोल्गा लंबी है।", "यह नदी है।"]),
        ("هل هو طويل؟ نعم.", ["هل هو طويل؟", "نعم."]),
        ("Long. 🙂", ["Long. 🙂"]),
        ("Born: 1908\nDied: 2000", ["Born: 1908", "Died: 2000"]),
        ("**Born:** 1908  \n**Died**: 2000", ["**Born:** 1908", "**Died**: 2000"]),
        ("Area: 5 sq. mi.\nPopulation: 3", ["Area: 5 sq. mi.", "Population: 3"]),
        ("生年：1908\n没年：2000", ["生年：1908", "没年：2000"]),
        ("Willard Quine\nBorn: 1908", ["Willard Quine", "Born: 1908"]),
        ("Long.\r\n\r\nOld.\r\nNew.", ["Long.", "Old.", "New."]),
        ("Cafe\u0301. E\u0301tat.", ["Cafe\u0301.", "E\u0301tat."]),
        ("“One. Two,” he said. Three.", ["“One. Two,” he said.", "Three."]),
        ("I saw **it. Then** left.", ["I saw **it.", "Then** left."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    """Sentences end at stops of any script, with the quotes, brackets and citations after them."""
    assert bodies(text) == expected


@pytest.mark.parametrize("text", [" ", "\n\n", "---", "...", "🙂", "| | |", "\0", "\ud800", "- ", "#", ">"])
def test_text_without_words_is_one_empty_sentence(text: str) -> None:
    """White space, markup and symbols alone make one sentence without a body."""
    (only,) = segment(text)
    assert (only.start, only.end, only.kind) == (0, len(text), Kind.SENTENCE)
    assert only.body[0] == only.body[1]


def test_empty_text_has_no_segments() -> None:
    """There is nothing to cover."""
    assert segment("") == ()


def test_sentence_is_final_at_the_next_word() -> None:
    """A sentence is held only until the next one has begun."""
    segmenter = Segmenter()
    assert segmenter.feed("The Volga is long. ") == ()
    assert [item.end for item in segmenter.feed("I")] == [19]


def test_table_header_is_held_until_the_rule_is_known() -> None:
    """A line with pipes is a header or running text, and nothing of it is final before that is known."""
    segmenter = Segmenter()
    assert segmenter.feed("| a. B | c |\n") == ()
    assert segmenter.feed("|---|---|\n| x") != ()
    assert [item.kind for item in fed(["| a. B | c |\n", "|---|\nEnd"])] == [Kind.SENTENCE] * 3


def test_unclosed_fence_is_code_to_the_end() -> None:
    """Nothing after an unclosed fence is judged as prose."""
    assert [item.kind for item in segment("Hi.\n```py\nx = 1\n\nThe Volga is long.")] == [Kind.SENTENCE, Kind.CODE]


def test_bold_sentence_is_not_a_heading() -> None:
    """A claim does not escape into a heading by being bold."""
    assert [item.kind for item in segment("**The Volga is long.**\nYes")] == [Kind.SENTENCE, Kind.SENTENCE]


def test_finished_text_takes_no_more() -> None:
    """Feeding after the end is the caller's mistake and says so; finishing twice gives nothing."""
    segmenter = Segmenter()
    segmenter.feed("Yes.")
    assert len(segmenter.finish()) == 1
    assert segmenter.finish() == ()
    with pytest.raises(UsageError, match="finished"):
        segmenter.feed("No.")


@pytest.mark.parametrize(
    "unit", ["(", ".", "|", "*", "\n", "a.", "A. ", "a|", "- \n", "a\n", ">", '"', "。", "\0\ud800.", "`", "[1]", "\\"]
)
@ends
def test_hostile_input_takes_linear_time(unit: str) -> None:
    """A long run of anything is segmented at once, whole and (its start) by characters."""
    text = unit * (200_000 // len(unit))
    assert segment(text)[-1].end == len(text)
    start = text[:10_000]
    assert fed(list(start)) == segment(start)


@pytest.mark.parametrize(
    ("before", "run", "kind"),
    [
        ("by Dr", ".", Stop.NEVER),
        ("W", ".", Stop.OPENER),
        ("the U.S", ".", Stop.OPENER),
        ("in 1908", ".", Stop.PLAIN),
        ("am 5", ".", Stop.ORDINAL),
        ("5", ".", Stop.NEVER),
        ("see p", ".", Stop.NUMBERED),
        ("went ", "...", Stop.NEVER),
        ("went", "...", Stop.PLAIN),
        ("真", "。", Stop.HARD),
        ("e.g", "?", Stop.PLAIN),
    ],
)
def test_stop_kinds(before: str, run: str, kind: Stop) -> None:
    """What a stop can do follows from the word before it."""
    assert stop_kind(before, run) is kind


@pytest.mark.parametrize(
    ("kind", "first", "word", "ends"),
    [
        (Stop.PLAIN, "T", "", True),
        (Stop.PLAIN, "t", "", False),
        (Stop.PLAIN, ",", "", False),
        (Stop.HARD, "t", "", True),
        (Stop.OPENER, "T", "The", True),
        (Stop.OPENER, "Q", "Quine", False),
        (Stop.NUMBERED, "5", "", False),
        (Stop.NUMBERED, "H", "", True),
        (Stop.ORDINAL, "M", "Mai", False),
        (Stop.ORDINAL, "T", "Then", True),
        (Stop.NEVER, "T", "", False),
    ],
)
def test_sentence_ends(kind: Stop, first: str, word: str, ends: bool) -> None:
    """Whether a stop ends the sentence follows from what comes after it."""
    assert ends_sentence(kind, first, word) is ends


@pytest.mark.parametrize(
    ("text", "columns"), [("|---|:-:|", 2), ("--|--", 2), ("|-|", 1), ("---", 0), ("|--", 1), ("| |-|", 0), ("|=|", 0)]
)
def test_rule_columns(text: str, columns: int) -> None:
    """The line under a table header gives the number of columns."""
    assert rule_columns(text) == columns


def test_underline_level() -> None:
    """Setext underlines are whole lines of one sign."""
    assert [underline_level(text) for text in ("===", "--- ", "-=-", "-", "***")] == [1, 2, 0, 0, 0]
