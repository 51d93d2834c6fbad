"""The loader of conversations in the form of LoCoMo (Maharana et al., ACL 2024): turns, observations, questions.

A file is a JSON list of ``{sample_id, conversation: {speaker_a, speaker_b, session_1_date_time, session_1: [{speaker,
dia_id, text, blip_caption?}], …}, observation?: {session_1_observation: {speaker: [[text, dia_id | [dia_id]]]}}, qa:
[{question, answer | adversarial_answer, evidence: [dia_id], category: 1 to 5}]}``. Contract: everything is read before
anything is judged; a part that is not as described is an InputError with its place; ids of turns are unique in a
conversation. Evidence that names no turn is kept, and told by ``astray``: the published file has some.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.evals.passage_sets import text_of

__all__ = ["CATEGORIES", "Asked", "Conversation", "Observation", "Turn", "load"]

#: What the published categories of questions are.
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_SESSION = expression(r"session_(\d{1,4})")
_DIA = expression(r"D\d{1,4}:\d{1,4}")
_HINT = (
    'a conversation has {"conversation": {"session_1": [{"speaker": "…", "dia_id": "D1:1", "text": "…"}]}, "qa": []}'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What somebody said; ``caption`` describes a picture that was sent with it."""

    id: str
    session: int
    speaker: str
    text: str
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A sentence about a speaker with the turns it was drawn from. A model wrote it; nobody has checked it."""

    speaker: str
    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question; ``answer`` is empty where there is none to give (adversarial ones)."""

    text: str
    answer: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One long conversation between two speakers."""

    id: str
    speakers: tuple[str, ...]
    turns: tuple[Turn, ...]
    observations: tuple[Observation, ...]
    questions: tuple[Asked, ...]

    def astray(self) -> tuple[str, ...]:
        """Evidence of observations and questions that is no turn."""
        known = {turn.id for turn in self.turns}
        cited = [id_ for each in self.observations for id_ in each.evidence]
        cited += [id_ for each in self.questions for id_ in each.evidence]
        return tuple(dict.fromkeys(id_ for id_ in cited if id_ not in known))


def load(path: Path) -> tuple[Conversation, ...]:
    """The conversations of a file, or of a folder's ``locomo10.json``. Raises InputError."""
    file = path / "locomo10.json" if path.is_dir() else path
    try:
        rows = json.loads(text_of(file))
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not JSON: {str(fault)[:200]}", where=str(file), hint=_HINT) from fault
    if not isinstance(rows, list) or not rows or not all(isinstance(row, Mapping) for row in rows):
        raise InputError("must hold a list of conversations", where=str(file), hint=_HINT)
    found = tuple(_conversation(row, f"{file}: conversation {number}") for number, row in enumerate(rows, 1))
    if len({each.id for each in found}) != len(found):
        raise InputError("a `sample_id` comes twice", where=str(file))
    return found


def _conversation(row: Mapping[str, Any], where: str) -> Conversation:
    told = row.get("conversation")
    if not isinstance(told, Mapping):
        raise InputError("has no `conversation`", where=where, hint=_HINT)
    turns = tuple(_turns(told, where))
    if not turns:
        raise InputError("has no session with a turn", where=where, hint=_HINT)
    if len({turn.id for turn in turns}) != len(turns):
        raise InputError("a `dia_id` comes twice", where=where)
    named = [str(told[key]) for key in ("speaker_a", "speaker_b") if isinstance(told.get(key), str)]
    return Conversation(
        id=str(row.get("sample_id", where.rpartition(" ")[2])),
        speakers=tuple(dict.fromkeys((*named, *(turn.speaker for turn in turns)))),
        turns=turns,
        observations=tuple(_observations(row.get("observation", {}), where)),
        questions=tuple(_questions(row.get("qa", []), where)),
    )


def _turns(told: Mapping[str, Any], where: str) -> Iterator[Turn]:
    sessions = sorted((int(match[1]), key) for key in told if (match := _SESSION.fullmatch(key)))
    for number, key in sessions:
        for row in _list(told[key], key, where):
            if not isinstance(row, Mapping):
                raise InputError(f"`{key}` must hold objects", where=where, hint=_HINT)
            yield Turn(
                id=_text(row, "dia_id", where),
                session=number,
                speaker=_text(row, "speaker", where),
                text=_text(row, "text", where),
                caption=str(row.get("blip_caption") or ""),
            )


def _observations(told: Any, where: str) -> Iterator[Observation]:
    if not isinstance(told, Mapping):
        raise InputError("`observation` must be an object of sessions", where=where)
    for key, speakers in told.items():
        if not isinstance(speakers, Mapping):
            raise InputError(f"`{key}` must be an object of speakers", where=where)
        for speaker, rows in speakers.items():
            for row in _list(rows, key, where):
                if not isinstance(row, list) or len(row) != 2 or not isinstance(row[0], str):
                    raise InputError(f"`{key}` must hold pairs of a text and its turns", where=where)
                yield Observation(speaker=str(speaker), text=row[0], evidence=_evidence(row[1]))


def _questions(told: Any, where: str) -> Iterator[Asked]:
    for row in _list(told, "qa", where):
        if not isinstance(row, Mapping) or row.get("category") not in CATEGORIES:
            raise InputError("a question must have a `category` from 1 to 5", where=where)
        answer = row.get("answer")
        yield Asked(
            text=_text(row, "question", where),
            answer="" if answer is None or row["category"] == 5 else str(answer),
            category=row["category"],
            evidence=_evidence(row.get("evidence", [])),
        )


def _evidence(value: Any) -> tuple[str, ...]:
    """The turns that are named; the published file also writes several into one text ("D8:6; D9:17")."""
    texts = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(id_ for text in texts for id_ in _DIA.findall(str(text))))


def _list(value: Any, key: str, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"`{key}` must be a list", where=where, hint=_HINT)
    return value


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise InputError(f"`{key}` must be a text", where=where, hint=_HINT)
    return value
