"""``/v1/ask``: what ``imprimatur ask --json`` prints, over HTTP; keys, limits, and callers who go away."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from serve_fixtures import Starting, key_file
from small_kb import SHAPES, write_kb

from imprimatur.generate import ask
from imprimatur.generate.answers import answer
from imprimatur.ledger import Ledger
from imprimatur.oracle import Oracle
from imprimatur.policy import ABSTENTION_TEXT
from imprimatur.retrieve.gate import INSUFFICIENT_EVIDENCE
from imprimatur.serve.settings import Limits
from imprimatur.testing import Reply, ScriptedServer, fail, garbled, say

httpx2 = pytest.importorskip("httpx2", reason="the extra `serve` is not installed")
pytest.importorskip("openai", reason="the extra `models` is not installed")

_ASKED = "How long is Elm Brook?"
_TRUE = "Elm Brook is 12 km long [1]."
_FALSE = "Elm Brook is 14 km long [1]."


def _ask(url: str, question: Any = _ASKED, *, key: str = "", **more: Any) -> Any:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return httpx2.post(f"{url}/v1/ask", json={"question": question, **more}, headers=headers, timeout=30)


def _modelled(folder: Path, url: str) -> tuple[tuple[str, str], ...]:
    """A knowledge base that names a model's server."""
    made = write_kb(
        folder / "kb", shapes=SHAPES, extra=f"model: {{base_url: '{url}', name: tiny, limits: {{tries: 1}}}}\n"
    )
    return (("brooks", str(made)),)


def test_the_graph_answers(gateway: Starting, brooks: Path) -> None:
    """Without a model the reply is what the library gives, with the whole report; options are chosen from."""
    url, oracle = gateway(), Oracle.from_folder(brooks)
    found = _ask(url).json()
    assert found == answer(_ASKED, oracle).to_dict(ABSTENTION_TEXT)
    assert (found["how"], found["answer"], found["values"]) == ("graph", "Elm Brook is 12 km long.", ["12 km"])
    options = _ask(url, options=["10 km", "12 km"]).json()
    assert (options["outcome"], options["values"]) == ("answered", ["12 km"])
    silent = _ask(url, "Who painted Elm Brook?").json()
    assert (silent["answer"], silent["values"]) == (ABSTENTION_TEXT, [])


def test_context(gateway: Starting) -> None:
    """What retrieval finds is shown when it is asked for."""
    url = gateway()
    assert "context" not in _ask(url).json()
    assert "12000" in str(_ask(url, show_context=True).json()["context"]["sections"]["facts"])


def test_a_model_answers(gateway: Starting, tmp_path: Path) -> None:
    """The model that the knowledge base names writes; only what is licensed is said, and the shape is the library's."""
    from imprimatur.models.opening import open_model

    with ScriptedServer(say(f"{_TRUE} {_FALSE}")) as server:
        bases = _modelled(tmp_path, server.url)
        url = gateway(knowledge_bases=bases)
        found = _ask(url, imprimatur={"knowledge_base": "brooks"}).json()
        oracle = Oracle.from_folder(bases[0][1])
        config = oracle.knowledge.config.model
        assert config is not None
        assert found == ask(_ASKED, oracle, model=open_model(config)).to_dict()
        assert (found["how"], found["outcome"], found["answer"]) == (
            "oracle",
            "answered",
            f"{_TRUE} {ABSTENTION_TEXT}",
        )
        asked = len(server.requests)
        assert _ask(url, "Who painted the moon?").json()["answer"] == INSUFFICIENT_EVIDENCE
        assert _ask(url, how="graph").json()["how"] == "graph"
        assert len(server.requests) == asked


@pytest.mark.parametrize(
    ("body", "status", "part"),
    [
        ({"question": 7}, 400, "question"),
        ({"question": " "}, 400, "question"),
        ({"question": _ASKED, "model": "gpt"}, 400, "unknown"),
        ({"question": _ASKED, "how": "plain"}, 400, "how"),
        ({"question": _ASKED, "how": ["graph"]}, 400, "how"),
        ({"question": _ASKED, "how": "oracle"}, 404, "names no model"),
        ({"question": _ASKED, "options": "12 km"}, 400, "options"),
        ({"question": _ASKED, "options": ["x"] * 51}, 400, "at most 50"),
        ({"question": _ASKED, "queries": 1}, 400, "queries"),
        ({"question": _ASKED, "imprimatur": {"context": ["Elm Brook is 14 km long."]}}, 400, "context"),
        ({"question": _ASKED, "imprimatur": {"policy": "redact"}}, 403, "policy"),
        ({"question": _ASKED, "imprimatur": {"knowledge_base": "other"}}, 404, "knowledge base"),
    ],
)
def test_what_may_not_be_asked(gateway: Starting, body: dict[str, Any], status: int, part: str) -> None:
    """A wrong question is told what is wrong; no request names the model, the evidence, or an unchecked way."""
    response = httpx2.post(f"{gateway()}/v1/ask", json=body, timeout=30)
    assert (response.status_code, part in response.json()["error"]["message"]) == (status, True)


@pytest.mark.parametrize("evidence", ["labels", "none"])
def test_keys_that_may_not_see_evidence(gateway: Starting, tmp_path: Path, evidence: str) -> None:
    """Such a key gets what was released and nothing else of what was found, drafted or proposed."""
    file, (key, full) = key_file(tmp_path, f"evidence: {evidence}", "evidence: full")
    with ScriptedServer(say(f"{_TRUE} It flows through Corfe.")) as server:
        url = gateway(knowledge_bases=_modelled(tmp_path, server.url), keys=file)
        assert _ask(url).status_code == 401
        assert "Corfe" in _ask(url, key=full).text
        for how in ("oracle", "graph"):
            reply = _ask(url, key=key, how=how)
            found = reply.json()
            assert "Elm Brook is 12 km long" in found["answer"]
            assert "12000" not in reply.text
            assert "Corfe" not in reply.text
            assert "brooks/" not in reply.text
            assert (found["report"] is None) == (evidence == "none")
        assert _ask(url, "Who painted the moon?", key=key).json()["why"] is None
        assert _ask(url, key=key, show_context=True).status_code == 403


def test_recorded_and_counted(gateway: Starting, tmp_path: Path) -> None:
    """A report is in the ledger by the time its answer goes out, and questions are counted."""
    url = gateway(ledger=tmp_path / "ledger.sqlite")
    report = _ask(url).json()["report"]
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert [record.report() for record in ledger.list()] == [report]
    told = httpx2.get(f"{url}/metrics").text
    assert 'imprimatur_questions_total{how="graph",knowledge_base="brooks",outcome="answered"} 1.0' in told


@pytest.mark.parametrize("reply", [fail(500), fail(401), say(_TRUE).cut(3), garbled()])
def test_a_model_that_fails(gateway: Starting, tmp_path: Path, reply: Reply) -> None:
    """A model that cannot be asked is an error of the server behind; nothing of it is repeated."""
    with ScriptedServer(reply) as server:
        url = gateway(knowledge_bases=_modelled(tmp_path, server.url))
        response = _ask(url)
        assert response.status_code == 502
        assert server.url not in response.text
        assert 'imprimatur_upstream_faults_total{kind="' in httpx2.get(f"{url}/metrics").text


def test_a_late_model(gateway: Starting, tmp_path: Path) -> None:
    """A model that takes too long leaves no answer, and its server is not named."""
    with ScriptedServer(say(_TRUE).late(3)) as server:
        extra = f"model: {{base_url: '{server.url}', name: tiny, limits: {{tries: 1, seconds: 1}}}}\n"
        kb = write_kb(tmp_path / "kb", shapes=SHAPES, extra=extra)
        found = _ask(gateway(knowledge_bases=(("brooks", str(kb)),)))
    assert (found.status_code, found.json()["outcome"]) == (200, "late")
    assert "tiny" not in found.text


def test_callers_who_go_away(gateway: Starting, tmp_path: Path) -> None:
    """Whoever goes away ends the question: the model's server is let go, and the place is free again."""
    file, (key,) = key_file(tmp_path, "evidence: full")
    with ScriptedServer([say(_TRUE).late(20), say(_TRUE)]) as server:
        bases = _modelled(tmp_path, server.url)
        url = gateway(knowledge_bases=bases, keys=file, limits=Limits(questions=1))
        with pytest.raises(httpx2.TimeoutException):
            httpx2.post(
                f"{url}/v1/ask", json={"question": _ASKED}, headers={"authorization": f"Bearer {key}"}, timeout=2
            )
        since = time.monotonic()
        while (found := _ask(url, key=key)).status_code == 429:
            assert time.monotonic() - since < 10
            time.sleep(0.05)
    assert found.json()["outcome"] == "answered"


def test_too_many_questions(gateway: Starting, tmp_path: Path) -> None:
    """Questions have places of their own: when these are taken, checks still go through, and health is told."""
    with ScriptedServer(say(_TRUE).late(1.5)) as server:
        url = gateway(knowledge_bases=_modelled(tmp_path, server.url), limits=Limits(questions=1))
        first = threading.Thread(target=_ask, args=(url,))
        first.start()
        while not server.requests:
            time.sleep(0.01)
        second = _ask(url)
        check = httpx2.post(f"{url}/v1/check", json={"answer": "Elm Brook is 12 km long."}, timeout=30)
        alive = httpx2.get(f"{url}/healthz", timeout=1)
        first.join()
    assert (second.status_code, second.headers["retry-after"]) == (429, "1")
    assert second.json()["error"]["code"] == "too_many_questions"
    assert (check.json()["decision"], alive.status_code) == ("licensed", 200)


def test_questions_at_once(gateway: Starting) -> None:
    """Questions that are answered at the same time get each its own answer."""
    url = gateway(limits=Limits(questions=24))
    asked = {
        "How long is Elm Brook?": "Elm Brook is 12 km long.",
        "How long is Oak Brook?": "Oak Brook is 30 km long.",
        "Which brook does Elm Brook flow into?": "Elm Brook flows into Oak Brook.",
        "Who painted Elm Brook?": ABSTENTION_TEXT,
    }
    with ThreadPoolExecutor(24) as pool:
        found = list(pool.map(lambda question: (question, _ask(url, question).json()["answer"]), list(asked) * 6))
    assert found == list(asked.items()) * 6
