"""Samples in the shapes of RAGTruth and DiaHalu, of our own invention, and a scripted model for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from imprimatur.config import ModelConfig, ModelLimits
from imprimatur.models.budget import Budget
from imprimatur.models.opening import open_model
from imprimatur.models.prompts import template
from imprimatur.teqhallu.found import Found, Sample
from imprimatur.teqhallu.kinds import Ablation, Scope
from imprimatur.teqhallu.pipeline import TeQHallu
from imprimatur.testing import Reply, Request, ScriptedServer, When, say_json, when

__all__ = ["BROOKS", "GOOD", "WRONG", "Answers", "answered", "brooks_model", "checked", "claim", "script", "verdict"]

#: What a stage answers: one value for every call, several in turn, or a function of the request.
Answers = Mapping[str, Any]

BROOKS = (
    "Elm Brook is 12 km long and flows into Oak Brook. Oak Brook is 30 km long.\n"
    "The mill at Arden was built in 1884. It has been closed since March 1931."
)
GOOD = Sample(
    id="good", reference=(BROOKS,), question="How long is Elm Brook?", response="Elm Brook is 12 km long. It is short."
)
WRONG = Sample(id="wrong", reference=(BROOKS,), response="Elm Brook is 15 km long. The mill was built in 1884.")

_CREATE = (
    "CREATE TABLE IF NOT EXISTS brooks (entity_id TEXT, name TEXT, length_km REAL, flows_into TEXT)",
    "CREATE TABLE IF NOT EXISTS mills (entity_id TEXT, place TEXT, built INTEGER, closed_since TEXT)",
)
_ROWS = (
    (
        "INSERT INTO brooks VALUES ('brook:elm', 'Elm Brook', 12, 'brook:oak')",
        "Elm Brook is 12 km long and flows into Oak Brook.",
    ),
    ("INSERT INTO brooks VALUES ('brook:oak', 'Oak Brook', 30, NULL)", "Oak Brook is 30 km long."),
    ("INSERT INTO mills VALUES ('mill:arden', 'Arden', 1884, NULL)", "The mill at Arden was built in 1884."),
)


def claim(quote: str, sql: str = "", *, says: str = "", entities: Sequence[str] = ()) -> dict[str, Any]:
    """A claim as the fourth step gives it."""
    return {"quote": quote, "says": says or quote, "entities": list(entities), "sql": sql}


def verdict(number: int, said: str, *, rows: Sequence[int] = (), quote: str = "") -> dict[str, Any]:
    """A claim's verdict as the last step gives it."""
    return {"number": number, "reason": "because", "rows": list(rows), "quote": quote, "verdict": said}


def script(answers: Answers) -> list[When]:
    """Rules that answer each stage by its instructions."""
    return [when(_stage(name), *_replies(given)) for name, given in answers.items()]


def _stage(name: str) -> Callable[[Request], bool]:
    return lambda request: template(f"teqhallu-{name}").text in request.said_by("system")


def _replies(given: Any) -> list[Any]:
    listed = given if isinstance(given, list) else [given]
    return [each if isinstance(each, str | Reply) or callable(each) else say_json(each) for each in listed]


def brooks_model(**changed: Any) -> dict[str, Any]:
    """What a model that works says of ``GOOD``, but for what is changed; underscores stand for hyphens."""
    length = "SELECT entity_id, length_km FROM brooks WHERE name = 'Elm Brook'"
    answers: dict[str, Any] = {
        "initial": {"reason": "it says so", "verdict": "fully supported"},
        "inspect": {"statements": ["PRAGMA table_info(brooks)", "PRAGMA table_info(mills)"]},
        "existing": {"statements": ["SELECT entity_id, name FROM brooks"]},
        "store": {
            "tables": list(_CREATE),
            "rows": [{"sql": sql, "quote": quote} for sql, quote in _ROWS],
            "aliases": [],
        },
        "entries": {
            "entries": [
                {"key": "Elm Brook: length", "value": "12 km", "quote": "Elm Brook is 12 km long"},
                {"key": "Oak Brook: length", "value": "30 km", "quote": "Oak Brook is 30 km long"},
                {"key": "Elm Brook: depth", "value": "3 m", "quote": "Elm Brook is 12 km long"},
            ]
        },
        "claims": {"claims": [{"quote": "Elm Brook is 12 km long.", "says": "Elm Brook is 12 km long."}]},
        "keyed": {
            "claims": [
                {
                    "quote": "Elm Brook is 12 km long.",
                    "says": "Elm Brook is 12 km long.",
                    "keys": ["Elm Brook: length"],
                }
            ]
        },
        "select": {"claims": [claim("Elm Brook is 12 km long.", length, entities=["brook:elm"])], "aliases": []},
        "judge": {"claims": [verdict(1, "supported", rows=[1])], "reason": "rows", "verdict": "fully supported"},
    }
    return answers | {name.replace("_", "-"): value for name, value in changed.items()}


def answered(server: ScriptedServer, *, tokens: int | None = None, calls: int | None = None) -> Any:
    """The model behind a scripted server, asked over HTTP."""
    limits = ModelLimits(seconds=20, tries=1)
    config = ModelConfig(base_url=server.url, name="scripted", limits=limits)
    return open_model(config, Budget(tokens=tokens, calls=calls))


def checked(
    sample: Sample | Sequence[Sample],
    answers: Answers,
    *,
    ablation: Ablation = Ablation.FULL,
    scope: Scope = Scope.PASSAGE,
    seen: list[Request] | None = None,
) -> list[Found]:
    """What is found of some samples by a scripted model over HTTP; ``seen`` gets the requests."""
    samples = [sample] if isinstance(sample, Sample) else list(sample)
    with ScriptedServer(script(answers)) as server:
        with TeQHallu(answered(server), ablation=ablation, scope=scope) as judge:
            found = [judge.check(each) for each in samples]
        if seen is not None:
            seen.extend(server.requests)
    return found
