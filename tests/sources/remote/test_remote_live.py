"""Verdicts of a mirror stand only as long as its server bears them out."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from made_remote import BASE, Brooks, brooks
from small_kb import DATA, write_kb

from imprimatur.cli.main import run
from imprimatur.errors import RuntimeFault, StoreUnavailable
from imprimatur.oracle import Oracle
from imprimatur.report import Report
from imprimatur.verdict import Label

TRUE, WRONG, ABSENT = "Elm Brook is 12 km long.", "Elm Brook is 13 km long.", "Elm Brook flows through Corfe."
_JSON = {"Content-Type": "application/json"}
COUNTED = "There are four brooks."
_WHOLE = f"complete: ['{BASE}Brook']"
_YEW = ':yew a :Brook ; rdfs:label "Yew Brook" ; :length 99000 .'
BOTH = "Elm Brook flows through Arden. Elm Brook flows into Oak Brook."


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Brooks]:
    """The brooks behind an address; what is known of the whole graph is asked for anew with each answer."""
    with brooks(tmp_path) as made:
        yield made


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[Brooks]:
    """The same, where what is known of the whole graph holds for a minute."""
    with brooks(tmp_path, "{url}") as made:
        yield made


def _labels(report: Report) -> list[str]:
    return [segment.label.value for segment in report.segments]


def test_a_mirror_judges_like_a_file_and_names_its_server(world: Brooks, tmp_path: Path) -> None:
    """The same verdicts; evidence comes from the address, with a query that finds it there."""
    local = Oracle.from_folder(write_kb(tmp_path / "local"))
    oracle = world.oracle()
    for text in (TRUE, WRONG, ABSENT, BOTH, "Fir Brook is a brook.", "Nothing here."):
        assert _labels(oracle.check(text)) == _labels(local.check(text)), text
    (evidence,) = oracle.check(TRUE).segments[0].claims[0].verdict.evidence
    assert evidence.origin == world.url
    assert bool(world.server.store.query(evidence.query))
    assert oracle.info()["sources"]["graph"]["endpoint"] == world.url


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
def test_a_change_is_seen_by_the_verdict_that_rests_on_it(lasting: Brooks, change: str, text: str, then: Label) -> None:
    """What no longer holds is unchecked in the answer that meets it; the next is judged by the graph as it is."""
    oracle = lasting.oracle()
    before = oracle.check(text).segments[0].label
    (lasting.delete if change[0] == "-" else lasting.insert)(change[1:])
    met = oracle.check(text)
    assert _labels(met) == ["unchecked"]
    assert (
        met.segments[0].claims[0].verdict.findings[0].detail
        == f"the graph behind {lasting.url} has changed since it was read"
    )
    after = oracle.check(text)
    assert after.segments[0].label is not before
    assert after.segments[0].label in (then, Label.CONFLICTING)
    assert after.versions.knowledge_base != met.versions.knowledge_base


def test_a_change_elsewhere_is_no_matter_of_a_verdict(lasting: Brooks) -> None:
    """Only what a judgement rests on is asked about, and once in an answer."""
    oracle = lasting.oracle()
    assert _labels(oracle.check(BOTH)) == ["supported", "supported"]
    lasting.insert(':oak :length 31000 . :corfe rdfs:label "Corfe Mullen" .')
    lasting.server.asked.clear()
    report = oracle.check(f"Elm Brook flows through Arden. {BOTH} {TRUE}")
    assert _labels(report) == ["supported", "supported", "unchecked", "supported"]
    assert len(lasting.server.asked) == 2


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
def test_a_stopped_server_gives_an_error_and_no_verdict(world: Brooks) -> None:
    """In the middle of its work, for every way to ask; and before anything is opened."""
    oracle = world.oracle()
    assert _labels(oracle.check(TRUE)) == ["supported"]
    gate = oracle.gate()
    world.server.down = 503
    with pytest.raises(StoreUnavailable):
        gate.feed(f"{TRUE} Oak Brook ")
    assert gate.abandon().decision.kind != "licensed"
    for ask in (lambda: oracle.check(TRUE), lambda: asyncio.run(oracle.acheck(TRUE)), world.oracle):
        with pytest.raises(StoreUnavailable):
            ask()
    world.server.down = 0
    assert _labels(oracle.check(TRUE)) == ["supported"]


def test_nonsense_of_the_server_licenses_nothing(lasting: Brooks) -> None:
    """What cannot be read is no confirmation."""
    oracle = lasting.oracle()
    changed = lasting.server._changed

    def garbled(told: dict[str, dict[str, list[object]]]) -> dict[str, dict[str, list[object]]]:
        told["results"]["bindings"].append({"s": {"type": "uri", "value": f"{BASE}other"}})
        return told

    lasting.server._changed = garbled  # type: ignore[method-assign]
    report = oracle.check(TRUE)
    assert _labels(report) == ["unchecked"]
    assert "other terms" in report.segments[0].claims[0].verdict.findings[0].detail
    lasting.server._changed = changed  # type: ignore[method-assign]
    assert _labels(oracle.check(TRUE)) == ["supported"]


def test_a_difference_that_stays_is_read_once(lasting: Brooks) -> None:
    """A server that tells another thing of one thing than of all makes claims unchecked, not every answer slow."""
    oracle = lasting.oracle()
    whole = lasting.server._changed

    def hiding(told: dict[str, dict[str, list[object]]]) -> dict[str, dict[str, list[object]]]:
        made = whole(told)
        if "VALUES ?s" in lasting.server.asked[-1]:
            made["results"]["bindings"] = made["results"]["bindings"][1:]
        return made

    lasting.server._changed = hiding  # type: ignore[method-assign]
    for _ in range(4):
        assert _labels(oracle.check(TRUE)) == ["unchecked"]
    assert sum("GROUP BY" in query for query in lasting.server.asked) == 2


def test_answers_under_way_keep_their_graph(world: Brooks) -> None:
    """An answer is judged by one graph from its beginning to its end, while another one begins with the next."""
    oracle = world.oracle()
    gate = oracle.gate()
    gate.feed(f"{TRUE} ")
    world.insert(':yew a :Brook ; rdfs:label "Yew Brook" ; :length 5000 .')
    assert _labels(oracle.check("Yew Brook is 5 km long.")) == ["supported"]
    gate.feed("Yew Brook is 5 km long. ")
    gate.finish()
    assert gate.report is not None
    assert _labels(gate.report) == ["supported", "contradicted"]


def test_answers_at_once_read_a_new_graph_once(world: Brooks) -> None:
    """Threads that meet a changed graph wait for one reading of it."""
    oracle = world.oracle()
    world.insert(":elm :flowsThrough :corfe .")
    before = sum("GROUP BY" in query for query in world.server.asked)
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.extend(_labels(oracle.check(ABSENT)))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == ["supported"] * 6
    assert sum("GROUP BY" in query for query in world.server.asked) == before + 1


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


@pytest.mark.usefixtures("short_pauses")
def test_the_command_line_ends_with_3_where_no_server_is(
    world: Brooks, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A knowledge base that cannot be reached is an error that names the address, and no verdict."""
    assert run(["check", "--kb", str(world.folder), TRUE]) == 0
    rows, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    rows.write_text("".join(json.dumps({"id": str(n), "answer": TRUE}) + "\n" for n in range(2)), encoding="utf-8")
    capsys.readouterr()
    world.server.down = 503
    assert run(["check", "--kb", str(world.folder), TRUE]) == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert "the endpoint answers with status 503" in told.err
    assert world.url in told.err
    assert run(["batch", str(rows), str(out), "--kb", str(world.folder)]) == 3
    assert not out.exists()


@pytest.mark.usefixtures("short_pauses")
def test_a_row_of_a_batch_has_the_error(world: Brooks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that stops after the first row leaves the others without a verdict."""
    rows, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    rows.write_text("".join(json.dumps({"id": str(n), "answer": TRUE}) + "\n" for n in range(3)), encoding="utf-8")
    check, done = Oracle.check, iter((0, 503, 503))

    def stopping(oracle: Oracle, *given: object, **more: object) -> Report:
        world.server.down = next(done)
        return check(oracle, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Oracle, "check", stopping)
    assert run(["batch", str(rows), str(out), "--kb", str(world.folder)]) == 3
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [sorted(line) for line in lines] == [["id", "report"], ["error", "id"], ["error", "id"]]
    assert "status 503" in lines[1]["error"]


def test_a_compiled_mirror_is_used_while_the_stamp_is_the_same(world: Brooks, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is asked at every opening; everything is read again only where something has changed."""

    def readings() -> int:
        return sum("GROUP BY" in query for query in world.server.asked)

    first = world.oracle().knowledge.content_hash
    assert readings() == 1
    assert world.oracle().knowledge.content_hash == first
    assert readings() == 1
    world.insert(":elm :length 13000 .")
    world.delete(":elm :length 12000 .")
    assert world.oracle().knowledge.content_hash != first
    assert readings() == 2


def test_a_graph_that_never_rests_is_an_error(world: Brooks) -> None:
    """A mirror is one state of the graph, or there is none."""
    numbers = iter(range(100))
    changed = world.server._changed

    def restless(told: dict[str, dict[str, list[object]]]) -> dict[str, dict[str, list[object]]]:
        if "GROUP BY" in world.server.asked[-1]:
            world.insert(f":elm :length {next(numbers)} .")
        return changed(told)

    world.server._changed = restless  # type: ignore[method-assign]
    with pytest.raises(RuntimeFault):
        world.oracle()


def test_progress_is_told_while_all_is_read(world: Brooks) -> None:
    """Whoever opens a large graph can show how far it is."""
    told: list[str] = []
    world.oracle(progress=told.append)
    assert told == [f"{world.url}: 0 triples"]


def test_shapes_are_held_against_the_graph_behind_an_address(world: Brooks, capsys: pytest.CaptureFixture[str]) -> None:
    """`kb check` finds the same violations there, with either engine."""
    told = []
    for engine in ("compiled", "pyshacl"):
        assert run(["kb", "check", str(world.folder), "--engine", engine]) == 1
        told.append(capsys.readouterr().out)
    assert "Ash Brook" in told[0] or f"{BASE}ash" in told[0]
    assert told[0].count(f"{BASE}ash") == told[1].count(f"{BASE}ash")


def test_a_gateway_tells_an_error_where_the_graph_cannot_be_reached(world: Brooks) -> None:
    """Over HTTP it is the fault of a server behind, and no report."""
    from serve_fixtures import serving

    from imprimatur.serve.settings import Settings

    def posted(url: str) -> tuple[int, dict[str, object]]:
        sent = Request(f"{url}/v1/check", data=json.dumps({"answer": TRUE}).encode(), headers=_JSON)
        try:
            with urlopen(sent, timeout=20) as answer:
                return answer.status, json.loads(answer.read())
        except HTTPError as fault:
            return fault.code, json.loads(fault.read())

    with serving(Settings(knowledge_bases=(("brooks", str(world.folder)),))) as url:
        assert '"decision": "licensed"' in json.dumps(posted(url)[1])
        world.server.down = 503
        status, told = posted(url)
        assert (status, list(told)) == (502, ["error"])
        world.server.down = 0
        world.delete(":elm :length 12000 .")
        assert '"decision": "licensed"' not in json.dumps(posted(url)[1])
