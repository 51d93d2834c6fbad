"""Small made-up samples in the file formats of the labelled passage sets; every fact in them is invented."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["begin", "factcheck", "ragtruth", "wice"]

_RIVER = "passage 1:The Orla is 214 km long. It rises near Tessen and flows into the Bay of Marn.\n\n"
_RECORD = {
    "name": "Mill Café",
    "city": "Tessen",
    "hours": {"Monday": "9:0-17:0", "Tuesday": "9:0-17:0"},
    "attributes": {"WiFi": "no", "OutdoorSeating": None, "RestaurantsTakeOut": True, "RestaurantsReservations": False},
}
_ARTICLE = "The council of Tessen voted on Monday to close the old bridge. Repairs will cost 4 million crowns."
#: Task, source, and answers, each with the words that the source does not bear out.
_ANSWERS: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "qa": (
        {"question": "how long is the Orla", "passages": _RIVER},
        [("The Orla is 214 km long.", ""), ("The Orla is 360 km long and full of salmon.", "360 km long")],
    ),
    "summary": (
        _ARTICLE,
        [
            ("The council of Tessen voted to close the old bridge.", ""),
            (
                "The council of Tessen voted to close the bridge after two lorries met.",
                "after two lorries met",
            ),
        ],
    ),
    "data2txt": (
        _RECORD,
        [("Mill Café does not offer reservations.", ""), ("Mill Café offers free WiFi.", "offers free WiFi")],
    ),
}


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def ragtruth(folder: Path) -> Path:
    """A folder with two answers for each task, the second of them unfounded."""
    for task, (source, answers) in _ANSWERS.items():
        kind = {"qa": "QA", "summary": "Summary", "data2txt": "Data2txt"}[task]
        _write(folder / f"{task}_sources.jsonl", [{"source_id": "1", "task_type": kind, "source_info": source}])
        rows = [
            {
                "id": f"{task}-{number}",
                "source_id": "1",
                "model": "made",
                "response": text,
                "labels": [_label(text, wrong)] if wrong else [],
            }
            for number, (text, wrong) in enumerate(answers)
        ]
        _write(folder / f"{task}_responses.jsonl", rows)
    return folder


def _label(text: str, wrong: str) -> dict[str, Any]:
    start = text.index(wrong)
    return {"start": start, "end": start + len(wrong), "text": wrong, "label_type": "Evident Conflict"}


def begin(folder: Path) -> Path:
    """A folder with two replies to one message."""
    folder.mkdir(parents=True, exist_ok=True)
    knowledge = "The Orla is a river of 214 km in the north of Marn."
    rows = [
        ("made", "wow", knowledge, "tell me more", "the orla is a river of 214 km", "Fully attributable"),
        ("made", "wow", knowledge, "tell me more", "my cousin kayaks there every june", "Not fully attributable"),
    ]
    head = "model_name\tdata_source\tknowledge\tmessage\tresponse\tbegin_label"
    lines = [head, *("\t".join(row) for row in rows)]
    (folder / "begin_dev_wow.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def wice(folder: Path) -> Path:
    """A folder with one claim of each label."""
    evidence = ["(meta data) TITLE: Orla", "The Orla is 214 km long.", "It rises near Tessen."]
    claims = [
        ("The Orla is 214 km long.", "supported"),
        ("The Orla is 214 km long and was dammed by Queen Isaura.", "partially_supported"),
        ("Queen Isaura dammed eleven lakes.", "not_supported"),
    ]
    _write(folder / "claim_dev.jsonl", [{"claim": c, "label": label, "evidence": evidence} for c, label in claims])
    return folder


def factcheck(folder: Path) -> Path:
    """A folder with one claim and three pieces of evidence."""
    claim = "The Orla is 214 km long."
    pairs = [
        ("The Orla is 214 km long.", "completely-support"),
        ("The Orla is 180 km long.", "refute"),
        ("Tessen has an old bridge.", "irrelevant"),
    ]
    rows = [{"claim": claim, "evidence": evidence, "stance": stance} for evidence, stance in pairs]
    _write(folder / "subtask3_claim_evidence_stance.jsonl", rows)
    return folder
