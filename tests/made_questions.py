"""Rows of questions with short answers, as the sets publish them, about the small world of ``made_endpoint``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["ROWS", "written"]

ROWS: dict[str, list[dict[str, Any]]] = {
    "simplequestions": [
        {"s": "Q1", "p": "P20", "o": "Q10", "question": "Where did Ann Marlow die?"},
        {"s": "Q10", "p": "R20", "o": "Q2", "question": "Who died in Rome?"},
    ],
    "mintaka": [
        {"id": "a", "question": "Where did Ann Marlow die?", "answer_type": "entity", "answer": "Rome"},
        {"id": "b", "question": "How many people died?", "answer_type": "numerical", "answer": 3.0},
        {"id": "c", "question": "Did Jo Tarn die in Paris?", "answer_type": "boolean", "answer": False},
        {"id": "d", "question": "When was Jo Tarn born?", "answer_type": "date", "answer": "1952-03-11"},
        {"id": "e", "question": "What is Rome called in Italian?", "answer_type": "string", "answer": "Roma"},
    ],
    "hotpotqa": [
        {
            "qas_id": "h1",
            "question": "Where did Ann Marlow die?",
            "paragraphs": [
                {"title": "Ann Marlow", "context": "Ann Marlow was a painter. She died in Rome.", "is_supp": True},
                {"title": "added", "context": "Ann Marlow died in Paris.", "is_supp": False},
            ],
            "answer": "Rome",
            "rationale": [],
            "wikidata_entities": {"Q1": "Ann Marlow", "None": "Somebody"},
        }
    ],
    "relations": [
        {
            "input": "Ann Marlow [SEP] occupation",
            "topic_entity": {"Q1": "Ann Marlow"},
            "answer": "painter",
            "alias": ["painter", "artist"],
        },
        {
            "input": "Ann Marlow [SEP] occupation",
            "topic_entity": {"Q1": "Ann Marlow"},
            "answer": "sculptor",
            "alias": [""],
        },
        {
            "input": "Jo Tarn [SEP] place of death",
            "topic_entity": {"Q2": "Jo Tarn"},
            "template_questions": ["Where did Jo Tarn die?", "What is the place of death of Jo Tarn?"],
            "answer": "Rome",
            "alias": ["Roma"],
        },
    ],
}


def written(name: str, folder: Path) -> Path:
    """The rows of a set as a file."""
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS[name]), encoding="utf-8")
    return path
