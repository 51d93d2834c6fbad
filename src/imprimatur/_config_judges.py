"""The entries under ``judges:`` in imprimatur.yaml: which trained judges are asked, and what a failure of one means.

    judges:
      - kind: pairs                 # tokens, pairs, nli, llm, teqhallu, or a kind that another package provides
        name: minicheck             # what reports call it; by default its folder's name, or the model's
        path: models/minicheck      # a folder with the model's files, in the knowledge base's folder or anywhere else
        threshold: 0.5              # from this score on, it agrees; or a file of `imprimatur eval calibrate`
        seconds: 10                 # how long it may take for one answer
        on_failure: withhold        # or note: a missing, failed or late opinion leaves the verdict, with a finding
        sources: [memory, passages] # whose evidence it is shown; also graph
        batch: 8                    # how many cases are put to it at once
        tokens: 512                 # the longest input; by default what the model's own files say
        label: SUPPORTED            # pairs: the label for "borne out"; tokens: that for "not borne out"
        contradiction: 0.5          # nli: from this share on, the texts say otherwise
        template: "{evidence}</s>{claim}"   # one text instead of a pair; also {question}
        premise: "{question} {evidence}"    # the first text of a pair; by default the evidence
        answers: [3, 209]           # a model that writes its answer: the tokens for "no" and "yes"
      - kind: llm
        base_url: http://localhost:8000/v1
        model: qwen3
        key_env: KEY                # the environment variable with the server's key; or key_file
        fixed: true                 # temperature 0 and a seed; false for models that refuse them

Invariants: nothing here is opened or reached; a key never shows in what is printed of a configuration.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from imprimatur._config_models import Key, read_address, read_key
from imprimatur._dataclasses import dataclass
from imprimatur.settings_file import Section

__all__ = ["FAILURES", "JUDGED_SOURCES", "JudgeConfig", "read_judges"]

FAILURES = ("withhold", "note")
JUDGED_SOURCES = ("memory", "passages", "graph")
_TEXT = ("memory", "passages")
_HALF = Fraction(1, 2)
_NAME = re.compile(r"[\w.@:/ -]{1,80}")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeConfig:
    """One judge. ``batch`` and ``tokens`` are None where the kind of judge decides; shares lie between 0 and 1.

    ``calibrated`` is the fingerprint of the judge for which the threshold was calibrated; "" where it was not.
    """

    name: str
    kind: str
    where: str = ""
    path: Path | None = None
    base_url: str | None = None
    model: str | None = None
    key: Key | None = None
    threshold: Fraction = _HALF
    calibrated: str = ""
    contradiction: Fraction = _HALF
    seconds: int = 10
    on_failure: str = FAILURES[0]
    sources: tuple[str, ...] = _TEXT
    batch: int | None = None
    tokens: int | None = None
    label: str | None = None
    template: str | None = None
    premise: str | None = None
    fixed: bool = True
    answers: tuple[int, ...] = ()


def read_judges(top: Section, folder: Path, environ: Mapping[str, str]) -> tuple[JudgeConfig, ...]:
    """The entries under ``judges``. Raises the section's error for whatever is wrong with one."""
    made: list[JudgeConfig] = []
    for part in top.sections("judges"):
        judge = _judge(part, folder, environ)
        if any(judge.name == other.name for other in made):
            raise part.fault("name", f"two judges are called {judge.name!r}", hint="give each a `name` of its own")
        made.append(judge)
    return tuple(made)


def _judge(part: Section, folder: Path, environ: Mapping[str, str]) -> JudgeConfig:
    kind = part.text("kind")
    if not kind:
        raise part.fault("kind", "is missing", hint="tokens, pairs, nli, llm or teqhallu")
    path, base_url, model = part.text("path"), read_address(part, "base_url"), part.text("model")
    if (path is None) is (base_url is None):
        hint = "a folder with the model's files under `path`, or a server's under `base_url`; nothing is downloaded"
        raise part.fault("path", "a judge needs a `path` or a `base_url`, and only one of them", hint=hint)
    threshold, calibrated = _threshold(part, folder)
    made = JudgeConfig(
        name=_name(part, path, model or kind),
        kind=kind,
        where=f"{part.where}: {part.path.rstrip('.')}",
        path=None if path is None else folder / Path(path).expanduser(),
        base_url=base_url,
        model=model,
        key=read_key(part, folder, environ),
        threshold=threshold,
        calibrated=calibrated,
        contradiction=part.share("contradiction", _HALF, high=Fraction(1)),
        seconds=part.integer("seconds", 10, low=1, high=600),
        on_failure=part.choice("on_failure", FAILURES, FAILURES[0]),
        sources=_sources(part),
        batch=_size(part, "batch", 256),
        tokens=_size(part, "tokens", 1 << 20),
        label=_label(part),
        template=part.text("template"),
        premise=part.text("premise"),
        fixed=part.flag("fixed", True),
        answers=_answers(part),
    )
    part.close()
    return made


def _threshold(part: Section, folder: Path) -> tuple[Fraction, str]:
    """The threshold, and the judge that it was calibrated for where it stands in a file."""
    value = part.values.get("threshold")
    if not (isinstance(value, str) and value.endswith(".json")):
        return part.share("threshold", _HALF, high=Fraction(1)), ""
    part.known.add("threshold")
    try:
        found = json.loads((folder / Path(value).expanduser()).read_bytes(), parse_float=Decimal)
        threshold, judge = Fraction(found["threshold"]), str(found["judge"]["fingerprint"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as fault:
        hint = "`imprimatur eval calibrate --judge` writes it"
        raise part.fault("threshold", f"{value[:100]!r} is no file of a calibration", hint=hint) from fault
    if not 0 <= threshold <= 1:
        raise part.fault("threshold", f"that in {value[:100]!r} does not lie between 0 and 1")
    return threshold, judge


def _name(part: Section, path: str | None, otherwise: str) -> str:
    name = part.text("name") or (Path(path).name if path else "") or otherwise
    if not _NAME.fullmatch(name):
        raise part.fault("name", f"{name[:40]!r} is no name", hint="letters, digits, spaces and . @ : / - _")
    return name


def _sources(part: Section) -> tuple[str, ...]:
    named = part.texts("sources") or _TEXT
    for each in named:
        if each not in JUDGED_SOURCES:
            raise part.fault("sources", f"{each[:40]!r} is no source", hint=f"choose among {', '.join(JUDGED_SOURCES)}")
    return tuple(dict.fromkeys(named))


def _size(part: Section, key: str, high: int) -> int | None:
    part.known.add(key)
    return part.integer(key, 1, low=1, high=high) if part.values.get(key) is not None else None


def _label(part: Section) -> str | None:
    value = part.take("label")
    number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if number else part.text("label")


def _answers(part: Section) -> tuple[int, ...]:
    value = part.take("answers")
    if value is None:
        return ()
    numbers = value if isinstance(value, list) else []
    if len(numbers) != 2 or not all(isinstance(each, int) and not isinstance(each, bool) for each in numbers):
        raise part.fault("answers", "expected two token numbers: for no and for yes", hint="for instance [3, 209]")
    return tuple(numbers)
