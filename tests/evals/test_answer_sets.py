"""Loaders of questions with short answers: what they take, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_questions import ROWS, written

from imprimatur.errors import InputError
from imprimatur.evals.answer_sets import PARTS, SETS, Fact, QuestionRow, in_own_words, load, part_of

_PUBLISHED = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "kgqa"
#: The files of each set there, and how many questions a full reading gives.
_FULL = {
    "simplequestions": ("simplequestions_wikidata_test_answerable.jsonl", 5622),
    "mintaka": ("mintaka_test_en_subset.jsonl", 2912),
    "hotpotqa": ("hotpotqa_adv_dev_308.jsonl", 308),
    "relations": ("tog_trex_first1500.jsonl", 1500),
}


def _load(name: str, tmp_path: Path) -> tuple[QuestionRow, ...]:
    return load(name, [written(name, tmp_path)])


def test_simple_questions_ask_for_either_end_of_a_fact(tmp_path: Path) -> None:
    """P… asks for the value, R… for what has the thing as its value; the answer is an id."""
    forward, back = _load("simplequestions", tmp_path)
    assert (forward.fact, forward.sought, forward.source) == (Fact("Q1", "P20", "Q10"), "Q10", "Q1")
    assert (back.fact, back.sought, back.source) == (Fact("Q2", "P20", "Q10"), "Q2", "Q10")
    assert forward.right == back.right == ()


def test_mintaka_has_answers_of_types(tmp_path: Path) -> None:
    """A boolean may be said in two ways, a number is written as it is."""
    found = {row.kind: row.right for row in _load("mintaka", tmp_path)}
    assert found == {
        "entity": ("Rome",),
        "numerical": ("3",),
        "boolean": ("No", "False"),
        "date": ("1952-03-11",),
        "string": ("Roma",),
    }


def test_hotpotqa_has_paragraphs_and_things(tmp_path: Path) -> None:
    """Paragraphs become passages; names for which nothing was found are no things."""
    (row,) = _load("hotpotqa", tmp_path)
    assert [(each.title, each.needed) for each in row.passages] == [("Ann Marlow", True), ("added", False)]
    assert (row.things, row.kind, row.right) == ({"Q1": "Ann Marlow"}, "span", ("Rome",))


def test_rows_of_one_relation_are_one_question(tmp_path: Path) -> None:
    """All their answers are right; a template asks where there is one."""
    first, second = _load("relations", tmp_path)
    assert (first.text, first.right) == ("What is the occupation of Ann Marlow?", ("painter", "artist", "sculptor"))
    assert (second.text, second.right, second.kind) == ("Where did Jo Tarn die?", ("Rome", "Roma"), "place of death")
    assert in_own_words(second).text == "What is the place of death of Jo Tarn?"


def test_things_without_an_id_are_not_one_thing(tmp_path: Path) -> None:
    """They are published under one id, and would have each other's names and facts."""
    path = tmp_path / "rows.jsonl"
    row = {"topic_entity": {"UnknownQID": ""}, "answer": "Rome"}
    lines = [{**row, "input": f"{name} [SEP] place of death"} for name in ("Ann Marlow", "Jo Tarn")]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = load("relations", [path])
    assert len({each.source for each in found}) == 2
    assert [list(each.things.values()) for each in found] == [["Ann Marlow"], ["Jo Tarn"]]


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("simplequestions", {"s": "10"}, "`s` must be an id"),
        ("simplequestions", {"p": "X20"}, "P… or R…"),
        ("simplequestions", {"question": " "}, "`question` must be a text"),
        ("mintaka", {"answer_type": "colour"}, "must be one of"),
        ("mintaka", {"answer_type": "boolean", "answer": "yes"}, "not of the type boolean"),
        ("mintaka", {"answer_type": "numerical", "answer": True}, "not of the type numerical"),
        ("mintaka", {"answer": ""}, "is empty"),
        ("hotpotqa", {"paragraphs": []}, "not empty"),
        ("hotpotqa", {"paragraphs": [{"title": "x", "context": "y"}]}, "`is_supp`"),
        ("hotpotqa", {"wikidata_entities": ["Q1"]}, "object of ids and labels"),
        ("hotpotqa", {"answer": None}, "`answer` must be a text"),
        ("relations", {"input": "Ann Marlow"}, "not a row of a relation"),
        ("relations", {"topic_entity": {}}, "not a row of a relation"),
    ],
)
def test_a_row_that_is_not_as_published_is_named(tmp_path: Path, name: str, change: dict[str, Any], told: str) -> None:
    """The file and the line are in the message."""
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROWS[name][0] | change) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=told) as caught:
        load(name, [path])
    assert str(caught.value).startswith(f"{path}:1")


def test_other_faults_are_told(tmp_path: Path) -> None:
    """An unknown set, an absent file, an empty one, an id that comes twice."""
    with pytest.raises(InputError) as caught:
        load("mintka", [])
    assert caught.value.hint == "did you mean 'mintaka'?"
    with pytest.raises(InputError, match="cannot be read"):
        load("mintaka", [tmp_path / "none.jsonl"])
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no question"):
        load("hotpotqa", [tmp_path / "empty.jsonl"])
    path = written("mintaka", tmp_path)
    with pytest.raises(InputError, match="comes twice"):
        load("mintaka", [path, path])


def test_halves_hang_on_what_a_question_is_about(tmp_path: Path) -> None:
    """Questions of one source are in one half, and both halves have about as many."""
    rows = [QuestionRow(id=str(n), text="?", source=str(n // 2)) for n in range(2000)]
    halves = [part_of(row) for row in rows]
    assert halves[::2] == halves[1::2]
    assert 900 < halves.count(PARTS[0]) < 1100


@pytest.mark.parametrize("name", sorted(SETS))
def test_the_published_files_are_read(name: str) -> None:
    """Where the published files are at hand: all rows, each with an answer or the id of one."""
    file, count = _FULL[name]
    path = _PUBLISHED / file
    if not path.exists():
        pytest.skip(f"the files of {name} may not be redistributed: put them into {_PUBLISHED}")
    rows = load(name, [path])
    assert len(rows) == count
    assert all(row.text and (row.right or row.sought) for row in rows)


_PUBLISHED_ROWS: dict[str, Any] = {
    "mintaka.json": [
        {
            "id": "a9011ddf",
            "question": "What is the seventh tallest mountain in North America?",
            "translations": {"de": "Wie heißt der siebthöchste Berg Nordamerikas?"},
            "questionEntity": [
                {"name": "Q49", "entityType": "entity", "label": "North America", "mention": "North America"},
                {"name": 7, "entityType": "ordinal", "mention": "seventh", "span": [12, 19]},
            ],
            "answer": {
                "answerType": "entity",
                "answer": [{"name": "Q1153188", "label": {"en": "Mount Lucania", "de": "Mount Lucania"}}],
                "mention": "Mt. Lucania",
            },
            "category": "geography",
            "complexityType": "ordinal",
        },
        {"id": "b", "question": "How many?", "answer": {"answerType": "numerical", "answer": [4], "mention": "four"}},
        {"id": "c", "question": "Is it?", "answer": {"answerType": "boolean", "answer": [True], "mention": "Yes"}},
        {"id": "d", "question": "Who?", "answer": {"answerType": "entity", "answer": None, "mention": "nobody"}},
    ],
    "hotpot.json": [
        {
            "_id": "5a8b",
            "question": "Where did Ann Marlow die?",
            "answer": "Rome",
            "type": "bridge",
            "level": "hard",
            "supporting_facts": [["Ann Marlow", 1]],
            "context": [["Ann Marlow", ["Ann Marlow was a painter.", " She died in Rome."]], ["Paris", ["A city."]]],
        }
    ],
    "hub.jsonl": {
        "id": "5a8b",
        "question": "Where did Ann Marlow die?",
        "answer": "Rome",
        "supporting_facts": {"title": ["Ann Marlow"], "sent_id": [1]},
        "context": {"title": ["Ann Marlow", "Paris"], "sentences": [["She died in Rome."], ["A city."]]},
    },
    "mintaka.jsonl": {
        "id": "a",
        "lang": "en",
        "question": "Who?",
        "answerText": "Mt. Lucania",
        "questionEntity": [{"name": "Q49", "entityType": "entity", "label": "North America"}],
        "answerEntity": [{"name": "Q1153188", "label": "Mount Lucania"}],
    },
}


def _as_published(name: str, folder: Path) -> Path:
    path = folder / name
    path.write_text(json.dumps(_PUBLISHED_ROWS[name]) + "\n", encoding="utf-8")
    return path


def test_mintaka_as_published(tmp_path: Path) -> None:
    """The list of the repository: labels and the mention are right; what nobody could answer is left out."""
    found = load("mintaka", [_as_published("mintaka.json", tmp_path)])
    assert [(row.id, row.kind, row.right) for row in found] == [
        ("a9011ddf", "entity", ("Mount Lucania", "Mt. Lucania")),
        ("b", "numerical", ("4",)),
        ("c", "boolean", ("Yes", "True")),
    ]
    assert found[0].things == {"Q49": "North America"}


def test_mintaka_from_the_hub(tmp_path: Path) -> None:
    """Rows with `answerText` and `answerEntity` have the same answers."""
    (row,) = load("mintaka", [_as_published("mintaka.jsonl", tmp_path)])
    assert (row.right, row.things) == (("Mount Lucania", "Mt. Lucania"), {"Q49": "North America"})


@pytest.mark.parametrize("name", ["hotpot.json", "hub.jsonl"])
def test_hotpotqa_as_published(tmp_path: Path, name: str) -> None:
    """Sentences become paragraphs; those with a supporting fact are needed."""
    (row,) = load("hotpotqa", [_as_published(name, tmp_path)])
    assert (row.id, row.right, row.kind) == ("5a8b", ("Rome",), "span")
    assert [(each.title, each.needed) for each in row.passages] == [("Ann Marlow", True), ("Paris", False)]
    assert row.passages[0].text.endswith("She died in Rome.")


def test_simple_questions_as_published(tmp_path: Path) -> None:
    """Lines of four columns; a line of three is refused with its number."""
    path = tmp_path / "annotated_wd_data_test_answerable.txt"
    path.write_text("Q1\tP20\tQ10\tWhere did Ann Marlow die?\nQ10\tR20\tQ2\tWho died in Rome?\n", encoding="utf-8")
    assert [row.sought for row in load("simplequestions", [path])] == ["Q10", "Q2"]
    path.write_text("Q1\tP20\tQ10\n", encoding="utf-8")
    with pytest.raises(InputError, match="3 columns") as raised:
        load("simplequestions", [path])
    assert str(raised.value.where).endswith(":1")


@pytest.mark.parametrize(
    ("name", "rows", "what"),
    [
        ("hotpotqa", {"a": 1}, "a list of objects"),
        ("hotpotqa", [{"_id": "1", "context": "text"}], "neither `paragraphs`"),
        ("hotpotqa", [{"_id": "1", "context": [["a"]], "supporting_facts": []}], "not as published"),
        (
            "mintaka",
            [{"id": "1", "question": "?", "answer": {"answerType": "entity", "answer": []}}],
            "a list `answer`",
        ),
    ],
)
def test_wrong_published_rows_are_refused(tmp_path: Path, name: str, rows: Any, what: str) -> None:
    """What has another form is an error with its place."""
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(InputError, match=what):
        load(name, [path])
