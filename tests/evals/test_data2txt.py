"""The command that judges answers about records by table, text and both: its loader, its figures, on a made sample."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.errors import InputError
from imprimatur.evals.data2txt import Measured, figures, measured
from imprimatur.evals.data2txt_judging import Judged, judge
from imprimatur.evals.data2txt_rows import TYPES, Answer, Span, load

_RECORDS = {
    "1": {
        "name": "Mill Café",
        "address": "4 Weir Lane",
        "city": "Tessen",
        "hours": {"Monday": "9:0-17:0", "Tuesday": "9:0-17:0"},
        "attributes": {"WiFi": "no", "OutdoorSeating": None, "RestaurantsTakeOut": True},
        "business_stars": 4.0,
        "review_info": [{"review_stars": 5.0, "review_text": "Lovely bread and kind people."}],
    },
    "2": {
        "name": "Inn of the Orla",
        "address": "1 Bank",
        "city": "Marn",
        "hours": {"Monday": "11:0-23:0", "Tuesday": "11:0-23:0"},
        "attributes": {"WiFi": "free", "OutdoorSeating": True, "RestaurantsTakeOut": False},
        "business_stars": 3.5,
        "review_info": [],
    },
}
_CONFLICT, _BASELESS = TYPES[0], TYPES[2]
#: Source, answer, and the words that are not borne out with their type.
_ANSWERS = (
    ("1", "Mill Café is a café in Tessen. It offers takeout, and people praise its lovely bread.", ()),
    ("1", "Mill Café is in Tessen. Guests enjoy free WiFi.", (("free WiFi", _CONFLICT),)),
    ("1", "Mill Café is in Tessen. It has outdoor seating.", (("has outdoor seating", _BASELESS),)),
    ("2", "Inn of the Orla is in Marn. It has free WiFi and is open until 11 pm on Mondays.", ()),
    ("2", "Inn of the Orla is in Marn. It is open until 9 pm on Mondays.", (("until 9 pm", _CONFLICT),)),
    ("2", "Inn of the Orla is in Marn. It serves omelets and tequila.", (("omelets and tequila", _BASELESS),)),
)


def _write(folder: Path, name: str, rows: list[dict[str, object]]) -> None:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / f"data2txt_{name}.jsonl").write_text(lines, encoding="utf-8")


def _folder(folder: Path) -> Path:
    sources: list[dict[str, object]] = [{"source_id": key, "source_info": info} for key, info in _RECORDS.items()]
    _write(folder, "sources", sources)
    _write(folder, "responses", [_row(number) for number in range(len(_ANSWERS))])
    return folder


def _row(number: int) -> dict[str, object]:
    source, text, wrong = _ANSWERS[number]
    labels = [
        {"start": text.index(words), "end": text.index(words) + len(words), "text": words, "label_type": kind}
        for words, kind in wrong
    ]
    return {"id": str(number), "source_id": source, "model": "made", "response": text, "labels": labels}


def test_every_answer_is_judged_right_by_the_table(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """What is wrong is flagged, refuted where the row says otherwise, and nothing else is."""
    sources, answers = load(_folder(tmp_path))
    judged = list(judge(sources, answers, policy="annotate"))
    assert [bool(each.table) for each in judged] == [bool(wrong) for _, _, wrong in _ANSWERS]
    assert [bool(each.refuted) for each in judged] == [False, True, False, False, True, False]
    ran = shell("eval", "data2txt", str(tmp_path), "--json")
    assert ran.status == 0, ran.err
    told = json.loads(ran.out)
    assert set(told) == {"refuted by the table", "table", "text", "both, by folds", "both, by the first half"}
    assert (told["table"]["parts"]["all"]["answers"], told["table"]["parts"]["all"]["unfounded"]) == (6, 4)
    assert told["table"]["parts"]["all"]["f1"] == told["table"]["parts"]["all"]["balanced"] == 1.0
    assert told["table"]["types"][_CONFLICT]["touched"] == told["table"]["types"][_CONFLICT]["spans"] == 2


def test_the_figures_are_printed_side_by_side(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """A table for each way, one of the types of spans, and what flagging everything gives."""
    ran = shell("eval", "data2txt", str(_folder(tmp_path)))
    assert ran.status == 0, ran.err
    for words in ("refuted by the table", "second half", "balanced", *TYPES, "flagging everything: F1 0.800"):
        assert words in ran.out


def test_characters_are_counted_by_hand() -> None:
    """Half of a span found, and as much beside it: precision, recall and F1 are a half; other types are left out."""
    answer = Answer(
        id="1", source="1", model="m", text="x" * 100, spans=(Span(0, 20, _CONFLICT), Span(50, 60, _BASELESS))
    )
    rows = [Measured(answer, Judged(silent=((10, 30),), unknown=((50, 60),)), 2.0, 2.0)]
    told = figures(rows)["table"]
    assert told["types"][_CONFLICT] == {"spans": 1, "touched": 1, "precision": 0.5, "recall": 0.5, "f1": 0.5}
    assert told["types"][_BASELESS]["precision"] == pytest.approx(10 / 20)
    assert told["parts"]["all"]["span_recall"] == pytest.approx(20 / 30)


def test_no_answer_chooses_its_own_threshold() -> None:
    """The share of text that counts comes from other sources than the answer's own."""
    answers = [
        Answer(id=str(n), source=str(n), model="m", text="x", spans=(Span(0, 1, _CONFLICT),) if n % 2 else ())
        for n in range(40)
    ]
    judged = [Judged(text=((0, 1),), share=0.9 if n % 2 else 0.1) for n in range(40)]
    assert {0.1 < row.folds <= 0.9 for row in measured(answers, judged)} == {True}
    turned = [Judged(text=((0, 1),), share=0.1 if n % 2 else 0.9) for n in range(40)]
    assert {row.folds <= 0.1 or row.folds > 1 for row in measured(answers, turned)} == {True}


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("sources", '{"source_id": "1", "source_info": []}\n', "an object with a name"),
        ("sources", '{"source_id": 1, "source_info": {"name": "x"}}\n', "`source_id` must be a text"),
        ("responses", '{"id": "1", "source_id": "9", "model": "m", "response": "x", "labels": []}\n', "is not in"),
        ("responses", '{"id": "1", "source_id": "1", "model": "m", "response": "x"}\n', "`labels` must be a list"),
        (
            "responses",
            '{"id": "1", "source_id": "1", "model": "m", "response": "x", '
            '"labels": [{"start": 0, "end": 1, "text": "y"}]}\n',
            "do not cover",
        ),
        (
            "responses",
            '{"id": "1", "source_id": "1", "model": "m", "response": "x", '
            '"labels": [{"start": 0, "end": 1, "text": "x", "label_type": "Odd"}]}\n',
            "none of",
        ),
        ("responses", "", "holds no answer"),
        ("responses", "{\n", "not a line of JSON"),
    ],
)
def test_what_is_not_as_published_is_named(tmp_path: Path, file: str, content: str, said: str) -> None:
    """An error says what is wrong, and where."""
    (_folder(tmp_path) / f"data2txt_{file}.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        load(tmp_path)


def test_a_wrong_folder_is_a_usage_error(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """What is missing is named; no traceback."""
    for folder in (tmp_path, tmp_path / "none"):
        ran = shell("eval", "data2txt", str(folder))
        assert ran.status == 2
        assert str(folder) in ran.err
