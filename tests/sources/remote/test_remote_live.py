"""Verdicts of a mirror stand only as long as its server bears them out."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from made_remote import BASE, Brooks, brooks
from small_kb import DATA, SHAPES, write_kb

from imprimatur.errors import StoreUnavailable
from imprimatur.generate.answers import answer
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.verdict import Label

TRUE, WRONG, ABSENT = "Elm Brook is 12 km long.", "Elm Brook is 13 km long.", "Elm Brook flows through Corfe."
_JSON = {"Content-Type": "application/json"}
COUNTED = "There are four brooks."
_WHOLE = f"complete: ['{BASE}Brook']"
_YEW = ':yew a :Brook ; rdfs:label "Yew Brook" ; :length 99000 .'
BOTH = "Elm Brook flows through Arden. Elm Brook flows into Oak Brook."


def _labels(report: Report) -> list[str]:
    return [segment.label.value for segment in report.segments]


def test_a_mirror_judges_like_a_file_and_names_its_server(remote_world: Brooks, tmp_path: Path) -> None:
    """The same verdicts; evidence comes from the address, with a query that finds it there."""
    local = Oracle.from_folder(write_kb(tmp_path / "local"))
    oracle = remote_world.oracle()
    for text in (TRUE, WRONG, ABSENT, BOTH, "Fir Brook is a brook.", "Nothing here."):
        assert _labels(oracle.check(text)) == _labels(local.check(text)), text
    (evidence,) = oracle.check(TRUE).segments[0].claims[0].verdict.evidence
    assert evidence.origin == remote_world.url
    assert bool(remote_world.server.store.query(evidence.query))
    assert oracle.info()["sources"]["graph"]["endpoint"] == remote_world.url


@pytest.mark.parametrize(
    ("change", "text", "then"),
    [
        ("- :elm :length 12000 .", TRUE, Label.NOT_FOUND),
        ("+ :elm :length 13000 .", TRUE, Label.CONTRADICTED),
        ("- :elm :length 12000 .", WRONG, Label.NOT_FOUND),
        ("+ :elm :flowsThrough :corfe .", ABSENT, Label.SUPPORTED),
        ("- :elm :mouth :oak .", "Elm Brook flows into Oak Brook.", Label.NOT_FOUND),
    ],
)
def test_a_change_is_seen_by_the_verdict_that_rests_on_it(
    remote_lasting: Brooks, change: str, text: str, then: Label
) -> None:
    """What no longer holds is unchecked in the answer that meets it; the next is judged by the graph as it is."""
    oracle = remote_lasting.oracle()
    before = oracle.check(text).segments[0].label
    (remote_lasting.delete if change[0] == "-" else remote_lasting.insert)(change[1:])
    met = oracle.check(text)
    assert _labels(met) == ["unchecked"]
    assert (
        met.segments[0].claims[0].verdict.findings[0].detail
        == f"the graph behind {remote_lasting.url} has changed since it was read"
    )
    after = oracle.check(text)
    assert after.segments[0].label is not before
    assert after.segments[0].label in (then, Label.CONFLICTING)
    assert after.versions.knowledge_base != met.versions.knowledge_base


def test_a_change_elsewhere_is_no_matter_of_a_verdict(remote_lasting: Brooks) -> None:
    """Only what a judgement rests on is asked about, and once in an answer."""
    oracle = remote_lasting.oracle()
    assert _labels(oracle.check(BOTH)) == ["supported", "supported"]
    remote_lasting.insert(':oak :length 31000 . :corfe rdfs:label "Corfe Mullen" .')
    remote_lasting.server.asked.clear()
    report = oracle.check(f"Elm Brook flows through Arden. {BOTH} {TRUE}")
    assert _labels(report) == ["supported", "supported", "unchecked", "supported"]
    assert len(remote_lasting.server.asked) == 2


def test_what_ranges_over_many_things_rests_on_the_whole_graph(tmp_path: Path) -> None:
    """A count is not licensed by a graph that has changed anywhere, however far from what is named."""
    with brooks(tmp_path, more=_WHOLE) as world:
        oracle = world.oracle()
        assert _labels(oracle.check(COUNTED)) == ["supported"]
        world.insert(_YEW)
        assert _labels(oracle.check(COUNTED)) == ["contradicted"]


def test_a_count_may_be_as_old_as_the_operator_lets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For ``fresh`` seconds the stamp holds, and no longer: then the graph is read anew before anything is judged."""
    with brooks(tmp_path, "{url}", more=_WHOLE) as world:
        oracle = world.oracle()
        world.insert(_YEW)
        assert _labels(oracle.check(COUNTED)) == ["supported"]
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + 61)
        assert _labels(oracle.check(COUNTED)) == ["contradicted"]


@pytest.mark.usefixtures("short_pauses")
def test_a_stopped_server_gives_an_error_and_no_verdict(remote_world: Brooks) -> None:
    """In the middle of its work, for every way to ask; and before anything is opened."""
    oracle = remote_world.oracle()
    assert _labels(oracle.check(TRUE)) == ["supported"]
    gate = oracle.gate()
    remote_world.server.down = 503
    with pytest.raises(StoreUnavailable):
        gate.feed(f"{TRUE} Oak Brook ")
    assert gate.abandon().decision.kind != "licensed"
    for ask in (lambda: oracle.check(TRUE), lambda: asyncio.run(oracle.acheck(TRUE)), remote_world.oracle):
        with pytest.raises(StoreUnavailable):
            ask()
    remote_world.server.down = 0
    assert _labels(oracle.check(TRUE)) == ["supported"]


def test_nonsense_of_the_server_licenses_nothing(remote_lasting: Brooks) -> None:
    """What cannot be read is no confirmation."""
    oracle = remote_lasting.oracle()
    changed = remote_lasting.server._changed

    def garbled(told: dict[str, dict[str, list[object]]]) -> dict[str, dict[str, list[object]]]:
        rows: list[Any] = told["results"]["bindings"]
        for row in rows:
            if "n" in row:
                row["n"]["value"] = str(len(rows))
        rows.append({"s": {"type": "uri", "value": f"{BASE}other"}})
        return told

    remote_lasting.server._changed = garbled  # type: ignore[method-assign]
    report = oracle.check(TRUE)
    assert _labels(report) == ["unchecked"]
    assert "other terms" in report.segments[0].claims[0].verdict.findings[0].detail
    remote_lasting.server._changed = changed  # type: ignore[method-assign]
    assert _labels(oracle.check(TRUE)) == ["supported"]


def test_a_difference_that_stays_is_read_once(remote_lasting: Brooks) -> None:
    """A server that tells another thing of one thing than of all makes claims unchecked, not every answer slow."""
    oracle = remote_lasting.oracle()
    whole = remote_lasting.server._changed

    def hiding(told: dict[str, dict[str, list[object]]]) -> dict[str, dict[str, list[object]]]:
        made = whole(told)
        if "VALUES ?s" in remote_lasting.server.asked[-1]:
            rows: list[Any] = made["results"]["bindings"]
            (count,) = (row["n"] for row in rows if "n" in row)
            del rows[next(at for at, row in enumerate(rows) if "n" not in row)]
            count["value"] = str(len(rows) - 1)
        return made

    remote_lasting.server._changed = hiding  # type: ignore[method-assign]
    for _ in range(4):
        assert _labels(oracle.check(TRUE)) == ["unchecked"]
    assert sum("GROUP BY" in query for query in remote_lasting.server.asked) == 2


def test_answers_under_way_keep_their_graph(remote_world: Brooks) -> None:
    """An answer is judged by one graph from its beginning to its end, while another one begins with the next."""
    oracle = remote_world.oracle()
    gate = oracle.gate()
    gate.feed(f"{TRUE} ")
    remote_world.insert(':yew a :Brook ; rdfs:label "Yew Brook" ; :length 5000 .')
    assert _labels(oracle.check("Yew Brook is 5 km long.")) == ["supported"]
    gate.feed("Yew Brook is 5 km long. ")
    gate.finish()
    assert gate.report is not None
    assert _labels(gate.report) == ["supported", "contradicted"]


def test_answers_at_once_read_a_new_graph_once(remote_world: Brooks) -> None:
    """Threads that meet a changed graph wait for one reading of it."""
    oracle = remote_world.oracle()
    remote_world.insert(":elm :flowsThrough :corfe .")
    before = sum("GROUP BY" in query for query in remote_world.server.asked)
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.extend(_labels(oracle.check(ABSENT)))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == ["supported"] * 6
    assert sum("GROUP BY" in query for query in remote_world.server.asked) == before + 1


def test_files_beside_a_server_are_one_graph_with_it(tmp_path: Path) -> None:
    """A fact of a file needs no server's word; one that both state goes with neither alone."""
    (tmp_path / "more.ttl").write_text(
        f"@prefix : <{BASE}> .\n:oak :flowsThrough :corfe .\n:elm :length 12000 .\n", encoding="utf-8"
    )
    with brooks(tmp_path, more="data: [more.ttl]\ntrust: {more.ttl: derived}") as world:
        oracle = world.oracle()
        text = f"Oak Brook flows through Corfe. {TRUE}"
        report = oracle.check(text)
        assert _labels(report) == ["supported", "supported"]
        origins = [c.verdict.evidence[0].origin for s in report.segments for c in s.claims]
        assert origins == ["more.ttl", world.url]
        world.delete(":elm :length 12000 .")
        assert "supported" not in _labels(world.oracle().check("Elm Brook is 99 km long."))
        assert _labels(world.oracle().check(text)) == ["supported", "supported"]


def test_the_trust_class_of_a_server_counts(tmp_path: Path) -> None:
    """What a model filled in licenses nothing where the policy does not say so."""
    with brooks(tmp_path, "{{url: {url}, trust: model}}") as world:
        assert _labels(world.oracle().check(TRUE)) != ["supported"]


def test_statement_nodes_are_confirmed_with_their_thing(tmp_path: Path) -> None:
    """A time that stands at a node, named or blank, is asked about like a fact of the thing that it hangs on."""
    nodes = """
:flowed rdfs:label "flowed through" . :from rdfs:label "from" . :to rdfs:label "to" .
:elm :flowed [ :town :corfe ; :from "1900"^^xsd:gYear ; :to "1950"^^xsd:gYear ] .
:oak :flowed :node1 . :node1 :town :corfe ; :from "1900"^^xsd:gYear ; :to "1950"^^xsd:gYear .
:town rdfs:label "flowed through" .
"""
    with brooks(tmp_path, "{url}", data=DATA + nodes) as world:
        for name, change in (("Oak", ":node1 :to"), ("Elm", "")):
            text = f"{name} Brook flowed through Corfe in 1920."
            oracle = world.oracle()
            assert _labels(oracle.check(text)) == ["supported"], text
            if change:
                world.delete(f'{change} "1950"^^<http://www.w3.org/2001/XMLSchema#gYear> .')
            else:
                world.server.store.update(
                    f'PREFIX : <{BASE}> DELETE {{ ?n :to ?t }} INSERT {{ ?n :to "1910"^^<http://www.w3.org/2001/'
                    "XMLSchema#gYear> } WHERE { :elm :flowed ?n . ?n :to ?t }"
                )
            assert _labels(oracle.check(text)) == ["unchecked"], text


def test_blank_nodes_that_change_places_are_another_graph(tmp_path: Path) -> None:
    """The same towns and years, paired otherwise, license neither what was so before nor what is so by halves."""
    nodes = """
:flowed rdfs:label "flowed through" . :from rdfs:label "from" . :to rdfs:label "to" .
:elm :flowed [ :town :corfe ; :from "1900"^^xsd:gYear ; :to "1910"^^xsd:gYear ] ,
    [ :town :arden ; :from "1940"^^xsd:gYear ; :to "1950"^^xsd:gYear ] .
:town rdfs:label "flowed through" .
"""
    with brooks(tmp_path, "{url}", data=DATA + nodes) as world:
        oracle = world.oracle()
        early, late = "Elm Brook flowed through Corfe in 1905.", "Elm Brook flowed through Corfe in 1945."
        assert _labels(oracle.check(early)) == ["supported"]
        assert "supported" not in _labels(oracle.check(late))
        world.server.store.update(
            f"PREFIX : <{BASE}> DELETE {{ ?n :town :corfe . ?m :town :arden }} INSERT {{ ?m :town :corfe . "
            "?n :town :arden } WHERE { :elm :flowed ?n , ?m . ?n :town :corfe . ?m :town :arden }"
        )
        assert _labels(oracle.check(early)) == ["unchecked"]
        assert "supported" not in _labels(oracle.check(early))
        assert _labels(oracle.check(late)) == ["supported"]
        assert _labels(world.oracle().check(late)) == ["supported"]


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize("text", ["Yew Brook is 5 km long.", "Elm Brook glitters twice.", WRONG, ABSENT])
def test_no_verdict_at_all_comes_without_a_word_from_the_server(remote_lasting: Brooks, text: str) -> None:
    """Nor one that licenses nothing: what is not found in a mirror may be in the graph."""
    oracle = remote_lasting.oracle()
    claims = oracle.check(text).segments[0].claims
    remote_lasting.server.down = 503
    if claims:
        with pytest.raises(StoreUnavailable):
            oracle.check(text)
    else:
        assert "supported" not in _labels(oracle.check(text))


def test_what_rules_add_goes_with_what_it_follows_from(tmp_path: Path) -> None:
    """A fact that a shape's rule adds rests on the whole graph."""
    rule = "[ a sh:TripleRule ; sh:subject :fir ; sh:predicate :flowsThrough ; sh:object :corfe ]"
    with brooks(tmp_path) as world:
        rules = f"{SHAPES}:R a sh:NodeShape ; sh:targetSubjectsOf :mouth ; sh:rule {rule} .\n"
        (tmp_path / "shapes.ttl").write_text(rules, encoding="utf-8")
        oracle, text = world.oracle(), "Fir Brook flows through Corfe."
        assert _labels(oracle.check(text)) == ["supported"]
        gate = oracle.gate()
        world.delete(":elm :mouth :oak .")
        gate.feed(text)
        gate.finish()
        assert gate.report is not None
        assert _labels(gate.report) == ["unchecked"]
        assert _labels(oracle.check(text)) == ["not_found"]


def test_a_question_is_answered_by_one_graph(remote_world: Brooks) -> None:
    """From its first proposal to its last check; the next question is answered by the graph as it is then."""
    oracle = remote_world.oracle()
    assert answer("How long is Elm Brook?", oracle).text
    remote_world.delete(":elm :length 12000 .")
    remote_world.insert(":elm :length 13000 .")
    assert "13" in answer("How long is Elm Brook?", oracle).text
    now = oracle.current()
    assert now.current() is now
    remote_world.delete(":elm :length 13000 .")
    assert not answer("How long is Elm Brook?", now).text
