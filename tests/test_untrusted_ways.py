"""Every other way to a verdict is closed to what a model made: memory, extractors, correctors, servers, documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from made_correction import Proposing, with_corrector
from made_remote import BASE as BROOKS
from made_remote import brooks
from made_retrieval import PREFIX, ScriptedWriter, WordEmbedder
from made_untrusted import BASE, DECIDED, LEAKS, RDFS, TRUSTING, TYPE, written
from serve_fixtures import serving
from small_kb import DATA, write_kb

from imprimatur.config import ExtractorConfig, load_folder
from imprimatur.errors import ConfigError, ImprimaturError, KnowledgeBaseError
from imprimatur.extractors.extraction import Opened
from imprimatur.extractors.terms import Terms
from imprimatur.ingest.ground import ground_of
from imprimatur.oracle import Oracle
from imprimatur.protocols import Excerpt, Proposed
from imprimatur.report import Report
from imprimatur.retrieve import retrieve
from imprimatur.serve.settings import Settings, Upstream
from imprimatur.sources.graph.around import Around
from imprimatur.testing import ScriptedServer, say

_SAID = "Fir Brook is 9 km long."
_NARROW = ("curated", "derived")


def _labels(report: Report) -> list[str]:
    return [segment.label.value for segment in report.segments]


def _narrowed(folder: Path) -> Sequence[Oracle]:
    """The oracles that do not trust a model: opened so, and made so of one that does."""
    wide = Oracle.from_folder(folder, policy=TRUSTING)
    return Oracle.from_folder(folder), Oracle(wide.knowledge, wide.policy.narrow(trust=_NARROW))


# Memory


def _remembering(folder: Path, *entries: dict[str, str], data: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "memory.jsonl").write_text("".join(json.dumps(each) + "\n" for each in entries), encoding="utf-8")
    graph = "graph: {data: [data.ttl], ontology: [ontology.ttl]}\n" if data else ""
    if data:
        write_kb(folder)
    (folder / "imprimatur.yaml").write_text(f"version: 1\n{graph}memory: memory.jsonl\n{data}", encoding="utf-8")
    return folder


_A = {"id": "a", "text": "The Skerry Light has 12 lamps."}
_B = {"id": "b", "text": "The Skerry Light has 13 lamps.", "trust": "model"}
_T = {"id": "t", "text": "Tank 3 holds 1,200 litres."}
_C = {"id": "c", "text": "Tank 4 holds 850 litres.", "trust": "model"}


@pytest.mark.parametrize(
    "said",
    [
        "The Skerry Light has 12 lamps. [mem:a][mem:b]",
        "The Skerry Light has 13 lamps. [mem:a][mem:b]",
        "The Skerry Light has 13 lamps. [mem:b][mem:a]",
        "The Skerry Light has 14 lamps. [mem:a][mem:b]",
        "Tank 3 and tank 4 hold 2,050 litres in total. [mem:t][mem:c]",
    ],
)
def test_an_entry_beside_others(said: str, tmp_path: Path) -> None:
    """Cited beside trusted entries, it neither disputes nor upholds nor takes away what these say."""
    without = Oracle.from_folder(_remembering(tmp_path / "bare", _A, _T))
    wanted = _labels(without.check(said.replace("[mem:b]", "").replace("[mem:c]", "")))
    for oracle in _narrowed(_remembering(tmp_path / "kb", _A, _B, _T, _C)):
        assert _labels(oracle.check(said)) == wanted
    trusting = Oracle.from_folder(tmp_path / "kb", policy=TRUSTING)
    if "12" not in said and "14" not in said:
        assert _labels(trusting.check(said)) != wanted


def test_an_entry_hides_no_contradiction(tmp_path: Path) -> None:
    """What the graph supports and an entry of people contradicts stays withheld, whatever else is cited."""
    curated = {"id": "a", "text": "Elm Brook is 13 km long."}
    made = {"id": "b", "text": "Elm Brook is 12 km long.", "trust": "model"}
    folder = _remembering(tmp_path / "kb", curated, made, data="citations: [mem]\n")
    for oracle in _narrowed(folder):
        alone = oracle.check("Elm Brook is 12 km long. [mem:a]")
        both = oracle.check("Elm Brook is 12 km long. [mem:a][mem:b]")
        assert _labels(both) == _labels(alone) != ["supported"]
        assert both.decision.kind != "licensed"


def test_entries_crowd_nothing_out(tmp_path: Path) -> None:
    """Where citations may be left out, untrusted entries take no place among those that are looked at."""
    crowd = [{"id": f"m{n}", "text": "The Skerry Light has 12 lamps, lamps.", "trust": "model"} for n in range(20)]
    optional = {"version": 1, "citations": "optional"}
    said = "The Skerry Light has 12 lamps."
    assert _labels(Oracle.from_folder(_remembering(tmp_path / "bare", _A), policy=optional).check(said)) == [
        "supported"
    ]
    crowded = Oracle.from_folder(_remembering(tmp_path / "kb", *crowd, _A), policy=optional)
    assert _labels(crowded.check(said)) == ["supported"]
    assert [each.query for each in crowded.check(said).segments[0].claims[0].verdict.evidence] == ["a"]
    found = retrieve("How many lamps does the Skerry Light have?", crowded.knowledge)
    assert {each.query for item in found.items for each in item.evidence} == {"a"}


def test_an_entry_corrects_nothing(tmp_path: Path) -> None:
    """No value of an untrusted entry is put into a text, and one that contradicts it is no contradiction."""
    correcting = {"version": 1, "extends": "correct"}
    oracle = Oracle.from_folder(_remembering(tmp_path / "kb", _A, _B), policy=correcting)
    report = oracle.check("The Skerry Light has 14 lamps. [mem:b]")
    assert (_labels(report), report.decision.kind) == (["not_found"], "abstained")
    report = oracle.check("The Skerry Light has 14 lamps. [mem:a][mem:b]")
    assert [(edit["after"], edit["evidence"]) for edit in report.to_dict()["edits"]] == [("12", ["a"])]


# What is corrected, asked, found


def test_values_of_a_model_correct_nothing(tmp_path: Path) -> None:
    """A wrong value is put right by curated facts, as without the file, and what a corrector is told is the same."""
    said = ("Fir Brook is 8 km long.", "Elm Brook is 14 km long.", "Elm Brook flows into Ash Brook.")
    triples = f"<{BASE}fir> <{BASE}length> 9000 . <{BASE}elm> <{BASE}length> 14500"
    correcting = {"version": 1, "extends": "correct"}
    plain = Oracle.from_folder(written(tmp_path / "plain", None), policy=correcting)
    oracle = Oracle.from_folder(written(tmp_path / "kb", triples), policy=correcting)
    assert [oracle.check(text).to_dict() for text in said] == [plain.check(text).to_dict() for text in said]
    told = []
    for each in (plain, oracle):
        asked = Proposing()
        with_corrector(each, asked).check("Fir Brook was named in 1850.")
        told.append([flawed.facts for flawed in asked.seen])
    assert told[0] == told[1]
    part = oracle.knowledge.part
    assert part is not None
    assert not any("9,000" in fact for fact in Around(part.graph, part.schema, most=20)((f"{BASE}fir",), "length"))


def test_queries_that_are_written_find_none_of_it(tmp_path: Path) -> None:
    """Whatever a query asks for, it is asked of trusted triples alone; so are similar facts."""
    folder = written(tmp_path, LEAKS["a value"][0])
    queries = (f"{PREFIX}SELECT ?v WHERE {{ :fir :length ?v }}", f"{PREFIX}SELECT ?s WHERE {{ ?s :length 9000 }}")
    for oracle in _narrowed(folder):
        for query in queries:
            trail = retrieve("How long is Fir Brook?", oracle.knowledge, writer=ScriptedWriter(query))
            assert not any("9000" in each.content for item in trail.items for each in item.evidence)
        trail = retrieve("length 9000 m Fir Brook", oracle.knowledge, embedder=WordEmbedder())
        assert "model" not in {each.trust for item in trail.items for each in item.evidence}
        assert not trail.failures
    trusting = Oracle.from_folder(folder, policy=TRUSTING).knowledge
    trail = retrieve("How long is Fir Brook?", trusting, writer=ScriptedWriter(queries[0]))
    rows = [each for item in trail.items for each in item.evidence if each.kind == "row"]
    assert [("9000" in each.content, each.trust) for each in rows] == [(True, "model")]


def test_extractors_are_told_trusted_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class that only a model named is no word for an extractor, also where the policy of one call trusts less."""

    class Silent:
        name, fingerprint = "silent", "0"

        def propose(self, excerpts: Sequence[Excerpt], *, seconds: float) -> list[Proposed]:
            return [Proposed() for _ in excerpts]

    told: list[Terms] = []

    def opened(config: ExtractorConfig, terms: Terms) -> Opened:
        told.append(terms)
        return Opened(Silent())

    monkeypatch.setattr("imprimatur.registry.Registry.get", lambda self, name: opened)
    cls = "http://www.w3.org/2002/07/owl#Class"
    folder = written(
        tmp_path, f"<{BASE}Weir> <{TYPE}> <{cls}> ; <{RDFS}label> 'weir' . <{BASE}w> <{TYPE}> <{BASE}Weir>"
    )
    wide = Oracle.from_folder(folder, policy=TRUSTING, extractor=ExtractorConfig(kind="silent"))
    assert "weir" in {term.label for term in told[-1].classes}
    narrow = Oracle(wide.knowledge, wide.policy.narrow(trust=_NARROW))
    assert len(told) == 2
    assert "weir" not in {term.label for term in told[-1].classes}
    assert narrow.knowledge.extraction is not wide.knowledge.extraction


# Servers


def test_beside_a_server(tmp_path: Path) -> None:
    """A file of a model beside a graph behind an address has no part, before and after the graph is read anew."""
    model = f"{BROOKS}fir> <{BROOKS}length> 9000 ."
    (tmp_path / "model.nt").write_text(
        f'<{model[:-7]}"9000"^^<http://www.w3.org/2001/XMLSchema#integer> .\n', encoding="utf-8"
    )
    more = "data: [model.nt]\ntrust: {model.nt: model}"
    with brooks(tmp_path, more=more) as world:
        strict, trusting = world.oracle(), world.oracle(policy=TRUSTING)
        assert _labels(trusting.check(_SAID)) == ["supported"]
        assert _labels(strict.check(_SAID)) == ["not_found"]
        world.insert(":fir :flowsThrough :corfe .")
        for oracle in (strict, trusting):
            assert _labels(oracle.check("Fir Brook flows through Corfe.")) == ["supported"]
        narrow = trusting.policy.narrow(trust=_NARROW)
        assert _labels(strict.check(_SAID)) == ["not_found"]
        assert _labels(trusting.check(_SAID, policy=narrow)) == ["not_found"]
        assert _labels(trusting.check(_SAID)) == ["supported"]


def test_a_server_of_a_model(tmp_path: Path) -> None:
    """A whole graph behind an address that is a model's is not even read; the policy that trusts it reads it."""
    with brooks(tmp_path, "{{url: {url}, fresh: 0, trust: model}}", data=DATA) as world:
        strict = world.oracle()
        assert not world.server.asked
        assert {label for text in DECIDED for label in _labels(strict.check(text))} == {"not_found"}
        assert not world.server.asked
        assert _labels(world.oracle(policy=TRUSTING).check(DECIDED[0])) == ["supported"]


@pytest.mark.parametrize(
    "entry",
    [
        "falkordb: {host: 127.0.0.1, port: 1, graph: brooks, trust: model}",
        "bolt: {url: 'bolt://127.0.0.1:1', trust: model}",
        "endpoint: {url: 'http://127.0.0.1:1/query', trust: model}",
    ],
)
def test_a_store_of_a_model_is_not_asked(entry: str, tmp_path: Path) -> None:
    """A property graph or endpoint that is a model's is not connected to, nor searched, where nobody trusts a model."""
    folder = write_kb(tmp_path)
    config = folder / "imprimatur.yaml"
    config.write_text(config.read_text(encoding="utf-8") + f"  {entry}\n", encoding="utf-8")
    strict = Oracle.from_folder(folder)
    assert strict.knowledge.left_out
    assert _labels(strict.check(DECIDED[0])) == ["supported"]
    writer = ScriptedWriter("MATCH (n) RETURN n")
    retrieve("How long is Elm Brook?", strict.knowledge, writer=writer)
    assert {request.language for request in writer.requests} == {"sparql"}
    with pytest.raises(ImprimaturError):
        Oracle.from_folder(folder, policy=TRUSTING)


def test_the_gateway(tmp_path: Path) -> None:
    """Behind the gateway a model's facts license nothing either, neither checked nor asked for."""
    folder = written(tmp_path / "kb", LEAKS["a value"][0])
    with ExitStack() as stack:
        server = stack.enter_context(ScriptedServer(lambda _: say(_SAID)))
        upstream = Upstream(base_url=server.url, key=None, seconds=5)
        url = stack.enter_context(serving(Settings(knowledge_bases=(("brooks", str(folder)),), upstream=upstream)))
        told = _post(f"{url}/v1/check", {"answer": _SAID})
        assert told["decision"] != "licensed"
        told = _post(
            f"{url}/v1/chat/completions",
            {"model": "m", "messages": [{"role": "user", "content": "How long is Fir Brook?"}]},
        )
        assert _SAID not in told["choices"][0]["message"]["content"]


def _post(url: str, body: dict[str, Any]) -> Any:
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=20) as response:
        return json.loads(response.read())


# Where facts of a model lie


def test_the_store_is_no_document(tmp_path: Path) -> None:
    """What waits for review is no passage, even where the whole folder is read for passages."""
    pytest.importorskip("tantivy")
    folder = tmp_path / "kb"
    (folder / "facts" / ".answers").mkdir(parents=True)
    said = "The keeper of the Point Light is Jo Tarn."
    for name in (
        "review.jsonl",
        "stored.jsonl",
        "model.nq",
        "state.json",
        "notes.txt",
        ".answers/0.jsonl",
        ".answers/0.txt",
    ):
        (folder / "facts" / name).write_text(json.dumps({"sentence": said}) + "\n", encoding="utf-8")
    (folder / "guide.md").write_text("# Lights\n\nThe Holm Light was built in 1851.\n", encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\npassages: ['.']\n", encoding="utf-8")
    oracle = Oracle.from_folder(folder, cache_dir=tmp_path / "cache")
    assert _labels(oracle.check(said)) == ["not_found"]
    assert _labels(oracle.check("The Holm Light was built in 1851.")) == ["supported"]
    (folder / "imprimatur.yaml").write_text("version: 1\npassages: [facts/state.json]\n", encoding="utf-8")
    with pytest.raises(KnowledgeBaseError, match="store of facts"):
        Oracle.from_folder(folder, cache_dir=tmp_path / "cache")


@pytest.mark.parametrize(
    ("trust", "why"), [("curated", "model.nq cannot be curated"), ("derived", "model.nq cannot be derived")]
)
def test_the_store_cannot_be_promoted(trust: str, why: str, tmp_path: Path) -> None:
    """The file of a model's facts is a model's where no class is given, and no configuration makes it more."""
    folder = written(tmp_path, None)
    (folder / "facts").mkdir()
    length = f'<{BASE}fir> <{BASE}length> "9000"^^<http://www.w3.org/2001/XMLSchema#integer>'
    (folder / "facts" / "model.nq").write_text(f"{length} <model:small?2026-01-01> .\n", encoding="utf-8")
    config = folder / "imprimatur.yaml"
    told = config.read_text(encoding="utf-8").replace("[data.ttl]", "[data.ttl, facts/model.nq]")
    config.write_text(told, encoding="utf-8")
    assert _labels(Oracle.from_folder(folder).check(_SAID)) == ["not_found"]
    assert _labels(Oracle.from_folder(folder, policy=TRUSTING).check(_SAID)) == ["supported"]
    config.write_text(f"{told}\n  trust: {{facts/model.nq: {trust}}}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=why):
        Oracle.from_folder(folder)


@pytest.mark.parametrize("kind", ["a name", "a namesake", "a kind", "words of a property"])
def test_documents_are_not_read_by_it(kind: str, tmp_path: Path) -> None:
    """Names, kinds and words of a model link nothing when facts are read from documents, which are trusted more."""
    grounds = [
        ground_of(load_folder(folder), None, folder).graph
        for folder in (written(tmp_path / "kb", LEAKS[kind][0]), written(tmp_path / "plain", None))
    ]
    assert len(grounds[0]) == len(grounds[1])


# What people and a model both say


@pytest.mark.parametrize("policy", [None, TRUSTING], ids=["strict", "trusting"])
def test_what_people_say_too(policy: Any, tmp_path: Path) -> None:
    """A fact that a model repeats is as trusted as those who said it first."""
    oracle = Oracle.from_folder(written(tmp_path, f"<{BASE}elm> <{BASE}length> 12000"), policy=policy)
    report = oracle.check("Elm Brook is 12 km long.")
    assert report.decision.kind == "licensed"
    assert [each.trust for each in report.segments[0].claims[0].verdict.evidence] == ["curated"]


def test_nothing_that_is_left_out_is_in_it(tmp_path: Path) -> None:
    """The triples, names and words of a narrowed knowledge base are those of one without the file; so is its hash."""
    made = _narrowed(written(tmp_path / "kb", LEAKS["a namesake"][0]))
    plain = Oracle.from_folder(written(tmp_path / "plain", None)).knowledge
    for oracle in made:
        found = oracle.knowledge
        assert (found.content_hash, found.left_out) == (plain.content_hash, ("model.ttl",))
        assert found.part is not None
        assert plain.part is not None
        assert len(found.part.graph) == len(plain.part.graph)
        assert found.part.graph.id(f"{BASE}new") is None
