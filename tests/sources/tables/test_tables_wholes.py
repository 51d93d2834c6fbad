"""Shares, sums, means and medians of whole tables, held against a reckoning that knows nothing of the engine."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from statistics import median

import pytest

from imprimatur import Corrected, Oracle
from imprimatur.config import load_folder
from imprimatur.knowledge import open_tables
from imprimatur.sources.tables.sql_steps import Step

_MILLS = """name,height (m),run by,built,has WiFi,rating,width (ft)
Elm Mill,20,Ann Marlow,1871,yes,4.5,10
Oak Mill,12.5,Ann Marlow,1902,no,3,12
Ash Mill,31,Jo Tarn,1911,yes,,14
Fir Mill,8,Ann Marlow,1911,yes,4,11
Yew Mill,25,Bo Wick,1850,no,2,9
Bay Mill,25,Ann Marlow,1930,,5,30
"""
_MILLERS = "name,born\nAnn Marlow,1950\nJo Tarn,1962\nBo Wick,1970\n"
_CONFIG = "version: 1\ntables:\n  - {file: mills.csv, complete: true}\n  - millers.csv\n"

Row = dict[str, str]
#: Whether a row is such; None where its cell is silent.
Told = Callable[[Row], "bool | None"]

_KINDS: dict[str, Told] = {
    "mills": lambda row: True,
    "mills that were built in 1911": lambda row: row["built"] == "1911",
    "mills that are 25 m tall": lambda row: row["height (m)"] == "25",
}
_SAID: dict[str, Told] = {
    "have WiFi": lambda row: {"yes": True, "no": False}.get(row["has WiFi"]),
    "are over 20 m tall": lambda row: Fraction(row["height (m)"]) > 20,
    "are at least 20 m tall": lambda row: Fraction(row["height (m)"]) >= 20,
    "were built before 1911": lambda row: int(row["built"]) < 1911,
    "were built in 1911": lambda row: row["built"] == "1911",
    "are taller than Elm Mill": lambda row: Fraction(row["height (m)"]) > 20,
}
#: How much of something is meant by words for a share, of ``k`` in ``n``; None where it is neither right nor wrong.
_SHARES: dict[str, Callable[[int, int], bool | None]] = {
    "half of the": lambda k, n: 2 * k == n,
    "exactly half of the": lambda k, n: 2 * k == n,
    "a third of the": lambda k, n: 3 * k == n,
    "two thirds of the": lambda k, n: 3 * k == 2 * n,
    "50% of the": lambda k, n: 2 * k == n,
    "67% of the": lambda k, n: 3 * k == 2 * n,
    "33 percent of the": lambda k, n: 3 * k == n,
    "100% of the": lambda k, n: k == n,
    "more than half of the": lambda k, n: 2 * k > n,
    "less than half of the": lambda k, n: 2 * k < n,
    "at least half of the": lambda k, n: 2 * k >= n,
    "at most a third of the": lambda k, n: 3 * k <= n,
    "most of the": lambda k, n: None if k == n else 2 * k > n,
    "the majority of the": lambda k, n: None if k == n else 2 * k > n,
    "a minority of the": lambda k, n: None if k == 0 else 2 * k < n,
    "all of the": lambda k, n: k == n,
    "none of the": lambda k, n: k == 0,
    "three of the six": lambda k, n: (k, n) == (3, 6),
    "two of the three": lambda k, n: (k, n) == (2, 3),
    "one in three": lambda k, n: 3 * k == n,
    "two out of three": lambda k, n: 3 * k == 2 * n,
    "three of the": lambda k, n: k == 3,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the mills, of which all are there."""
    made = tmp_path_factory.mktemp("mills")
    for name, text in (("mills.csv", _MILLS), ("millers.csv", _MILLERS), ("imprimatur.yaml", _CONFIG)):
        (made / name).write_text(text, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def oracle(folder: Path) -> Oracle:
    """The oracle of the mills."""
    return Oracle.from_folder(folder)


def _rows() -> list[Row]:
    return list(csv.DictReader(io.StringIO(_MILLS)))


def _label(oracle: Oracle, sentence: str) -> str:
    return oracle.check(sentence).segments[0].label.value


def _right(share: str, kind: str, said: str) -> str:
    """The label that the rows come to: right however the silent ones are, wrong however they are, or not known."""
    members = [row for row in _rows() if _KINDS[kind](row)]
    each = [_SAID[said](row) for row in members]
    numbers = range(each.count(True), len(members) - each.count(False) + 1)
    found = {_SHARES[share](k, len(members)) for k in numbers}
    return "supported" if found == {True} else "contradicted" if found == {False} else "not_found"


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("share", _SHARES)
def test_a_share_is_judged_by_the_rows(oracle: Oracle, share: str, kind: str) -> None:
    """Every share of every kind, with whatever is said of it, is as the rows have it."""
    for said in _SAID:
        sentence = f"{share[0].upper()}{share[1:]} {kind} {said}."
        assert (sentence, _label(oracle, sentence)) == (sentence, _right(share, kind, said))


def _figures() -> Iterator[tuple[str, str, str, Fraction | None]]:
    """What may be said of the heights and ratings of each kind; None where a cell is silent."""
    for kind, of in _KINDS.items():
        for noun, column, unit in (
            ("height", "height (m)", " m"),
            ("rating", "rating", ""),
            ("width", "width (ft)", " ft"),
        ):
            cells = [row[column] for row in _rows() if of(row)]
            values = None if "" in cells else [Fraction(cell) for cell in cells]
            total = None if values is None else sum(values, Fraction(0))
            mean = None if total is None else total / len(cells)
            for word, figure in (("total", total), ("combined", total), ("average", mean), ("mean", mean)):
                yield kind, f"{word} {noun}", unit, figure
            yield kind, f"median {noun}", unit, None if values is None else Fraction(median(values))


@pytest.mark.parametrize(("kind", "words", "unit", "figure"), list(_figures()))
def test_a_figure_is_judged_by_the_rows(
    oracle: Oracle, kind: str, words: str, unit: str, figure: Fraction | None
) -> None:
    """The right figure, rounded, is supported; another one is refuted; of what is not all known nothing is said."""
    right = float(figure if figure is not None else 4)
    for value, good in ((right, True), (right + 1, False), (right * 1.1, False), (right / 2, False)):
        for sentence in (
            f"The {words} of the {kind} is {value:.2f}{unit}.",
            f"The {kind} have {'an' if words[0] == 'a' else 'a'} {words} of {value:.2f}{unit}.",
        ):
            expected = "not_found" if figure is None else "supported" if good else "contradicted"
            assert (sentence, _label(oracle, sentence)) == (sentence, expected)


_SENTENCES = {
    "supported": """
        Together, the mills are 121.5 m tall.
        The mills are 121.5 m tall in total.
        On average, the mills are 20.25 m tall.
        The mills are 20 m tall on average.
        The mills' average height is 20.25 m.
        The average height of all six mills is 20.25 m.
        The six mills have a total height of 121.5 m.
        The average height of the mills is about 66 ft.
        The average height of the mills is over 20 m.
        The average height of the mills is not 25 m.
        The mills that are run by Ann Marlow have an average height of 16.4 m.
        Two thirds of the mills are run by Ann Marlow.
        Most mills are run by Ann Marlow.
        Two thirds of the mills are run by a miller who was born in 1950.
        The median height of Elm Mill, Oak Mill and Ash Mill is 20 m.
        Two thirds of the mills are between 20 and 35 m tall.
    """,
    "contradicted": """
        Together, the mills are 120 m tall.
        Half of the mills are run by Ann Marlow.
        Two thirds of the mills are run by Jo Tarn.
        A third of the mills are run by a miller who was born in 1950.
        The average height of all five mills is 20.25 m.
        The average height of the mills is 20.25 km.
        The average height of the mills is under 20 m.
        The average height of the mills is not 20.25 m.
        The median height of Elm Mill, Oak Mill and Ash Mill is 21 m.
        Three of the seven mills were built before 1911.
        Three of the six mills have a height of 25 m.
        Half of the seven mills were built before 1911.
    """,
    "not_found": """
        The average rating of the mills is 3.7.
        The average height of the millers is 20.25 m.
        The average height of some mills is 20.25 m.
        The average height of the old mills is 20.25 m.
        The average height of the mills in Devon is 20.25 m.
        The average height of the other mills is 20.25 m.
        The average height of the mills and millers is 20.25 m.
        The average height of the mills was 20.25 m in 1950.
        The average height of most mills is 20.25 m.
        The average length of the mills is 20.25 m.
        The average of the mills is 20.25 m.
        Half of the millers were born before 1960.
        Half of the old mills were built before 1911.
        Half of the mills will have WiFi.
        Half of the mills used to have WiFi.
        Half of the mills in Devon were built before 1911.
        Half of the mills were not built before 1911.
        Not half of the mills were built before 1911.
        Hardly half of the mills were built before 1911.
        Nearly all mills were built before 1940.
        Almost all of the mills were built before 1940.
        Three mills have a combined height of 57.5 m.
        Half of the mills have free WiFi.
        Two of the tallest mills were built in 1911.
        All of the tallest mills were built in 1911.
        Half of the tallest mills were built in 1911.
        Elm Mill and Oak Mill are mills. Their total height is 32.5 m.
    """,
}
_EACH = [(label, line.strip()) for label, lines in _SENTENCES.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("label", "sentence"), _EACH, ids=[sentence for _, sentence in _EACH])
def test_other_ways_to_say_it(oracle: Oracle, label: str, sentence: str) -> None:
    """Words before and after, numbers of things, denials, kinds that are not all there."""
    assert oracle.check(sentence).segments[-1].label.value == label


_AFTER = "Half of the mills are over 20 m tall."


@pytest.mark.parametrize(
    ("before", "label"),
    [
        ("There are six mills.", "supported"),
        ("The mills are 20.25 m tall on average.", "supported"),
        ("Most mills are run by Ann Marlow.", "supported"),
        ("Elm Mill is 20 m tall.", "supported"),
        ("Jo Tarn was born in 1962.", "supported"),
        ("Ann Marlow runs four mills.", "not_found"),
        ("Three mills are over 20 m tall.", "not_found"),
        ("There are two mills that were built in 1911.", "not_found"),
        ("The mills that were built in 1911 are run by Jo Tarn.", "not_found"),
        ("Elm Mill and Oak Mill are mills.", "not_found"),
        ("Elm Mill is 20 m tall. Oak Mill is 12.5 m tall.", "not_found"),
        ("# Mills run by Ann Marlow\n", "not_found"),
    ],
)
def test_the_mills_may_be_some_that_were_spoken_of(oracle: Oracle, before: str, label: str) -> None:
    """After words about some of them "the mills" may be these; "the six mills" and "all mills" never are."""
    assert oracle.check(f"{before}\n{_AFTER}").segments[-1].label.value == label
    for sure in ("Half of the six mills are over 20 m tall.", "The average height of all mills is 20.25 m."):
        assert oracle.check(f"{before}\n{sure}").segments[-1].label.value == "supported"
    wrong = "Half of these mills are over 20 m tall."
    assert oracle.check(f"{before}\n{wrong}").segments[-1].label.value == "not_found"


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("How many of the mills are over 20 m tall?", "supported"),
        ("How tall are the mills that Ann Marlow runs?", "not_found"),
        ("How tall are Elm Mill and Oak Mill?", "not_found"),
    ],
)
def test_the_mills_of_a_question(oracle: Oracle, question: str, label: str) -> None:
    """A question may have spoken of some of them, too."""
    assert oracle.check(_AFTER, question=question).segments[-1].label.value == label


def test_a_table_that_is_not_complete_has_no_shares(folder: Path, tmp_path: Path) -> None:
    """Without `complete` no share, sum or mean is known, right or wrong; one thing still refutes "all" and "none"."""
    for name in ("mills.csv", "millers.csv"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [mills.csv, millers.csv]\n", encoding="utf-8")
    oracle = Oracle.from_folder(tmp_path)
    for share in _SHARES.keys() - {"all of the", "none of the"}:
        assert _label(oracle, f"{share[0].upper()}{share[1:]} mills were built before 1911.") == "not_found"
    assert _label(oracle, "All of the mills were built before 1911.") == "contradicted"
    assert _label(oracle, "None of the mills were built before 1911.") == "contradicted"
    assert _label(oracle, "All of the mills were built before 1940.") == "not_found"
    for words in ("average", "total", "median"):
        for value in ("20.25 m", "121.5 m", "22.5 m", "1 m"):
            assert _label(oracle, f"The {words} height of the mills is {value}.") == "not_found"


def test_many_rows_are_gone_through(tmp_path: Path) -> None:
    """A table of 3,000 rows has shares, means and numbers, and shows a query and no more than three rows."""
    names = [
        f"{a}{b}{c} Mill"
        for a in "BCDFGHKLMN"
        for b in "aeiou"
        for c in (f"{x}{y}" for x in "bdlmnr" for y in "ktpsxyzwvg")
    ]
    lines = [f"{name},{n % 40 + 1},{'yes' if n % 4 == 0 else 'no'}" for n, name in enumerate(names)]
    (tmp_path / "mills.csv").write_text("\n".join(("name,height (m),has WiFi", *lines)), encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [{file: mills.csv, complete: true}]\n", "utf-8")
    oracle = Oracle.from_folder(tmp_path)
    for sentence, label in (
        ("A quarter of the mills have WiFi.", "supported"),
        ("A third of the mills have WiFi.", "contradicted"),
        ("The average height of the mills is 20.5 m.", "supported"),
        ("The average height of the mills is 20.6 m.", "contradicted"),
        ("There are 3,000 mills.", "supported"),
        ("There are 3,001 mills.", "contradicted"),
    ):
        found = oracle.check(sentence).segments[0]
        assert (sentence, found.label.value) == (sentence, label)
        assert found.claims[0].verdict.evidence[0].query.startswith("SELECT ")
        assert len(found.claims[0].verdict.evidence) <= 4


_QUERIES = {
    "There are six mills.": ("mills: 6 rows", 'SELECT count(*) FROM "mills"', None),
    "There are five mills.": ("mills: 6 rows", 'SELECT count(*) FROM "mills"', "6"),
    "Two mills were built in 1911.": (
        "mills: 2 rows with built = 1911",
        """SELECT count(*) FROM "mills" WHERE "built" = '1911'""",
        None,
    ),
    "Half of the mills are over 20 m tall.": (
        "mills: 3 of 6 rows with height (m) from 25 up",
        'SELECT count(CASE WHEN "height (m)" >= 25 THEN 1 END), count(*) FROM "mills"',
        None,
    ),
    "A third of the mills are over 20 m tall.": (
        "mills: 3 of 6 rows with height (m) from 25 up",
        'SELECT count(CASE WHEN "height (m)" >= 25 THEN 1 END), count(*) FROM "mills"',
        "3 of 6",
    ),
    "The average height of the mills is 30.3 m.": (
        "mills: mean of height (m) = 20.25, 6 rows",
        'SELECT round(avg("height (m)"), 6) FROM "mills"',
        "20.3 m",
    ),
    "The total width of the mills built in 1911 is 25 ft.": (
        "mills: sum of width (ft) = 25.0, 2 rows with built = 1911",
        """SELECT round(sum("width (ft)"), 6) FROM "mills" WHERE "built" = '1911'""",
        None,
    ),
}


@pytest.mark.parametrize("sentence", _QUERIES)
def test_the_evidence_is_a_query_over_all_rows(oracle: Oracle, folder: Path, sentence: str) -> None:
    """One SELECT gives the figure, with some of the rows beside it; the right figure stands with it."""
    content, query, right = _QUERIES[sentence]
    tables = open_tables(load_folder(folder))
    assert tables is not None
    first, *others = oracle.check(sentence).segments[0].claims[0].verdict.evidence
    assert (first.content, first.query, first.correction) == (content, query, right)
    assert (first.source, first.kind, first.origin) == ("tables", "row", "mills.csv")
    (row,) = tables.sandbox().run(query, Step.VERIFY).rows
    assert all(str(cell) in content for cell in row)
    assert 0 < len(others) <= 3
    assert all(each.correction is None for each in others)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("There are five mills.", "There are six mills."),
        ("Three mills were built in 1911.", "Two mills were built in 1911."),
        ("The average height of the mills is 30.00 m.", "The average height of the mills is 20.25 m."),
        ("Together, the mills are 100.0 m tall.", "Together, the mills are 121.5 m tall."),
        (
            "Elm Mill and Oak Mill have a combined height of 30.0 m.",
            "Elm Mill and Oak Mill have a combined height of 32.5 m.",
        ),
        ("The five mills have a total height of 121.5 m.", "The six mills have a total height of 121.5 m."),
        ("Two mills were built in 1850.", None),
        ("At least seven mills are over 20 m tall.", "Three mills are over 20 m tall."),
        ("The average height of the mills is over 30 m.", None),
        ("A third of the mills are over 20 m tall.", None),
        ("The average rating of the mills is 3.", None),
    ],
)
def test_a_wrong_figure_is_put_right(folder: Path, wrong: str, right: str | None) -> None:
    """A number, sum, mean or median that is stated as one number is written anew; bounds and shares are withheld."""
    decision = Oracle.from_folder(folder, policy="correct").check(wrong).decision
    assert (decision.text if isinstance(decision, Corrected) else None) == right


def test_a_figure_that_no_query_gives_shows_its_rows(tmp_path: Path) -> None:
    """Where the rows that count share no few cells, the rows are shown as before."""
    names = "Elm Oak Ash Fir Yew Bay Box Haw Ivy Asp Gum Nut".split()
    lines = [f"{name} Mill,{name} Street near the old {name}" for name in names]
    (tmp_path / "mills.csv").write_text("\n".join(("name,street", *lines, "Sallow Mill,")), encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [{file: mills.csv, complete: true}]\n", "utf-8")
    found = Oracle.from_folder(tmp_path).check("There are 13 mills.").segments[0]
    assert found.label.value == "supported"
    assert found.claims[0].verdict.evidence[0].query == 'SELECT count(*) FROM "mills"'
