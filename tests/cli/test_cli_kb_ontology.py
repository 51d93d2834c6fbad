"""``imprimatur kb ontology``: what an ontology allows, and which facts of a knowledge base break it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from cli_fixtures import Ran
from made_ontology import SHACL, YAML, written
from small_kb import write_kb

_BROOKS = """
base: https://example.org/brooks/
classes:
  Brook: {disjoint: [Town]}
  Town:
  Lake:
relations:
  flowsThrough: {patterns: [[Brook, Lake]]}
  mouth: {patterns: [[Town, Brook]]}
attributes:
  length: {of: [Brook], type: string}
"""


def test_shows_what_is_allowed(shell: Callable[..., Ran], tmp_path: Path) -> None:
    """Classes, relations with what they lead from and to, and what else holds of them."""
    files = written(tmp_path, "o.yaml", YAML), written(tmp_path, "s.ttl", SHACL)
    ran = shell("kb", "ontology", *map(str, files))
    assert ran.status == 0
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "5 classes, 6 relations, 7 attributes; what it does not name is refused" in lines[0]
    assert "Person (human) Agent City, Organization" in lines
    assert "works at Person Organization" in lines
    assert "height Person decimal, double one value at most; in cm" in lines
    assert any("its path has several steps" in line for line in lines)


def test_json_and_turtle(shell: Callable[..., Ran], tmp_path: Path) -> None:
    """The same as JSON, and as an ontology file that is read again."""
    path = written(tmp_path, "o.yaml", YAML)
    told = json.loads(shell("kb", "ontology", str(path), "--json").out)
    assert told["closed"] is True
    assert json.loads(shell("kb", "ontology", str(path), "--json", "--open").out)["closed"] is False
    works = next(each for each in told["properties"] if each["labels"] == ["works at"])
    assert works["patterns"] == [["https://example.org/Person", "https://example.org/Organization"]]
    again = written(tmp_path, "again.ttl", shell("kb", "ontology", str(path), "--turtle").out)
    assert json.loads(shell("kb", "ontology", str(again), "--json").out)["classes"] == told["classes"]


def test_facts_that_break_it(shell: Callable[..., Ran], tmp_path: Path) -> None:
    """Facts are counted by reason and relation, with examples; there are some, so the status is 1."""
    kb, path = write_kb(tmp_path / "kb"), written(tmp_path, "o.yaml", _BROOKS)
    before = {file.name: file.read_bytes() for file in kb.iterdir()}
    ran = shell("kb", "ontology", str(path), "--against", str(kb), "--json")
    assert ran.status == 1
    told = json.loads(ran.out)
    found = {(each["code"], each["relation"]): each["facts"] for each in told["breaks"]}
    assert found == {
        ("unknown-relation", "year of naming"): 1,
        ("wrong-source", "mouth"): 1,
        ("wrong-target", "flows through"): 3,
        ("wrong-datatype", "length"): 3,
    }
    assert (told["facts"], told["broken"]) == (15, 8)
    shown = shell("kb", "ontology", str(path), "--against", str(kb))
    assert "15 facts, 8 of them break the ontology" in shown.out
    assert "Elm Brook — mouth — Oak Brook" in shown.out
    assert {file.name: file.read_bytes() for file in kb.iterdir()} == before


def test_facts_that_keep_it(shell: Callable[..., Ran], tmp_path: Path) -> None:
    """A knowledge base keeps to its own ontology."""
    kb = write_kb(tmp_path / "kb")
    ran = shell("kb", "ontology", str(kb / "ontology.ttl"), "--against", str(kb))
    assert (ran.status, ran.out) == (0, "15 facts, 0 of them break the ontology\n")


def test_faults(shell: Callable[..., Ran], tmp_path: Path) -> None:
    """What cannot be read, and options that exclude each other, are errors with a hint."""
    path = written(tmp_path, "o.yaml", YAML)
    assert shell("kb", "ontology", str(tmp_path / "none.ttl")).status == 2
    assert shell("kb", "ontology").status == 2
    assert shell("kb", "ontology", str(path), "--turtle", "--json").status == 2
    assert shell("kb", "ontology", str(path), "--against", str(tmp_path / "nowhere")).status == 2


_STAFF = """
base: https://example.org/
classes:
  Person: {labels: [man, woman]}
  City:
  Country: {disjoint: [City]}
relations:
  mayor: {patterns: [[City, Person]]}
"""


def test_patterns_that_it_lacks(shell: Callable[..., Ran], tmp_path: Path) -> None:
    """Printed are the patterns that facts of documents would need; named as one more file they let them in."""
    path = written(tmp_path, "o.yaml", _STAFF)
    document = written(tmp_path, "a.txt", "France is a country. Ann Lee is a woman. The mayor of France is Ann Lee.\n")
    kb = tmp_path / "kb"
    assert shell("kb", "ingest", str(kb), str(document), "--ontology", str(path)).status == 0
    ran = shell("kb", "ontology", str(path), "--lacking", str(kb))
    assert ran.status == 0
    assert '- ["Country", "Person"]' in ran.out
    (told,) = json.loads(shell("kb", "ontology", str(path), "--lacking", str(kb), "--json").out)
    assert told["facts"] == 1
    more = written(tmp_path, "more.yaml", ran.out)
    again = shell("kb", "ontology", str(path), str(more), "--lacking", str(kb))
    assert (again.status, again.out) == (0, "# nothing was refused for want of a pattern\n")
    assert shell("kb", "ontology", str(path), "--lacking", str(tmp_path)).status == 2
    assert shell("kb", "ontology", str(path), "--lacking", str(kb), "--turtle").status == 2
