"""What a model made changes nothing in any report, unless the policy trusts it: not by names, kinds or vocabulary."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from made_untrusted import BASE, DECIDED, LEAKS, TRUSTING, written
from small_kb import SHAPES

from imprimatur.generate.answers import answer
from imprimatur.oracle import Oracle
from imprimatur.policy import load
from imprimatur.report_json import dumps
from imprimatur.retrieve import retrieve
from imprimatur.retrieve.trail import Section


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The oracle without any file of a model."""
    return Oracle.from_folder(written(tmp_path_factory.mktemp("plain"), None))


def _reports(oracle: Oracle, texts: tuple[str, ...]) -> list[str]:
    return [dumps(oracle.check(text).to_dict(), sort_keys=True) for text in texts]


def _labels(oracle: Oracle, texts: tuple[str, ...]) -> list[str]:
    return [oracle.check(text).segments[0].label.value for text in texts]


@pytest.mark.parametrize("kind", LEAKS)
def test_what_a_model_says_changes_no_report(kind: str, plain: Oracle, tmp_path: Path) -> None:
    """With a file of a model, every report is byte for byte what it is without that file."""
    triples, texts = LEAKS[kind]
    oracle = Oracle.from_folder(written(tmp_path, triples))
    assert _reports(oracle, (*texts, *DECIDED)) == _reports(plain, (*texts, *DECIDED))


@pytest.mark.parametrize("kind", LEAKS)
def test_it_would_change_something(kind: str, plain: Oracle, tmp_path: Path) -> None:
    """Each of those files does change a verdict where the policy trusts a model, so that the test above can fail."""
    triples, texts = LEAKS[kind]
    oracle = Oracle.from_folder(written(tmp_path, triples), policy=TRUSTING)
    assert _labels(oracle, texts) != _labels(plain, texts)


def test_a_call_may_trust_less(plain: Oracle, tmp_path: Path) -> None:
    """A policy of one call that trusts less gives the same report, streamed and as claims too; none can trust more."""
    triples, texts = LEAKS["a value"]
    folder = written(tmp_path, triples)
    trusting, strict = Oracle.from_folder(folder, policy=TRUSTING), Oracle.from_folder(folder)
    narrow = trusting.policy.narrow(trust=("curated", "derived"))
    wanted = plain.check(texts[0]).segments
    assert trusting.check(texts[0]).decision.kind == "licensed"
    assert trusting.check(texts[0], policy=narrow).segments == wanted
    assert asyncio.run(trusting.acheck(texts[0], policy=narrow)).segments == wanted
    gate = trusting.gate(policy=narrow)
    gate.feed(texts[0])
    gate.finish()
    assert gate.report is not None
    assert gate.report.segments == wanted
    assert strict.check(texts[0], policy=load(TRUSTING)).segments == wanted


def test_sources_of_text_and_tables(tmp_path: Path) -> None:
    """A table that a model made, and an entry of a memory, license and refute nothing either."""
    folder = written(tmp_path, None)
    (folder / "lights.csv").write_text("light,height (m)\nHolm Light,41\n", encoding="utf-8")
    (folder / "memory.jsonl").write_text(
        json.dumps({"id": "m", "text": "The Skerry Light has 12 lamps.", "trust": "model"}) + "\n", encoding="utf-8"
    )
    config = folder / "imprimatur.yaml"
    told = config.read_text(encoding="utf-8")
    heights = ("The height of Holm Light is 41 m.", "The height of Holm Light is 42 m.")
    texts = (*heights, "The Skerry Light has 12 lamps. [mem:m]", "The Skerry Light has 13 lamps. [mem:m]")
    wanted = ["supported", "contradicted", "not_found", "not_found"]
    for trust, labels in (("curated", wanted), ("model", ["not_found"] * 4)):
        table = f"tables: [{{file: lights.csv, trust: {trust}, complete: true, values: true, statements: true}}]\n"
        config.write_text(f"{told}{table}memory: memory.jsonl\n", encoding="utf-8")
        oracle = Oracle.from_folder(folder)
        assert _labels(oracle, texts) == labels
        found = retrieve("How many lamps does the Skerry Light have?", oracle.knowledge).section(Section.ENTRIES)
        assert found == ()


@pytest.mark.parametrize("question", ["How long is Fir Brook?", "Which brook is 9 km long?"])
def test_asking(question: str, plain: Oracle, tmp_path: Path) -> None:
    """What a model made is no answer and no evidence of a trail, so that the gate refuses as if it were not there."""
    folder = written(tmp_path, LEAKS["a value"][0])
    oracle = Oracle.from_folder(folder)
    assert answer(question, oracle).text == answer(question, plain).text
    assert retrieve(question, oracle.knowledge).to_dict() == retrieve(question, plain.knowledge).to_dict()
    trusting = Oracle.from_folder(folder, policy=TRUSTING)
    assert "model" in json.dumps(retrieve(question, trusting.knowledge).to_dict())


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    """The files that the policy does not trust are named where a knowledge base is described."""
    folder = written(tmp_path, LEAKS["a value"][0])
    assert Oracle.from_folder(folder).info()["not trusted by the policy"] == ["model.ttl"]
    assert "not trusted by the policy" not in Oracle.from_folder(folder, policy=TRUSTING).info()


def test_a_rule_over_what_a_model_made(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What a rule derives from a model's fact is not there without it, and is the model's where it is trusted."""
    rule = SHAPES + (
        ":Rule a sh:NodeShape ; sh:targetSubjectsOf :mouth ; sh:rule [ a sh:TripleRule ; sh:subject sh:this ;"
        " sh:predicate :visits ; sh:object [ sh:path ( :mouth :flowsThrough ) ] ] .\n"
    )
    triples = f"<{BASE}fir> <{BASE}mouth> <{BASE}oak>"
    without = Oracle.from_folder(written(tmp_path_factory.mktemp("rules"), None, shapes=rule))
    folder = written(tmp_path, triples, shapes=rule)
    texts = ("Elm Brook visits Bree.", "Fir Brook visits Bree.")
    assert _reports(Oracle.from_folder(folder), texts) == _reports(without, texts)
    report = Oracle.from_folder(folder, policy=TRUSTING).check(texts[1])
    found = [each for claim in report.segments[0].claims for each in claim.verdict.evidence]
    assert [each.trust for each in found] in (["model"], [])


def test_the_least_trusted_fact_is_shown(tmp_path: Path) -> None:
    """Of many facts that a count rests on, one that a model made is among those that are shown."""
    folder = written(tmp_path, LEAKS["one more of a whole kind"][0])
    report = Oracle.from_folder(folder, policy=TRUSTING).check("There are 15 gates.")
    found = [each.trust for claim in report.segments[0].claims for each in claim.verdict.evidence]
    assert report.decision.kind == "licensed"
    assert found.count("model") == 1
    assert len(found) == 12
