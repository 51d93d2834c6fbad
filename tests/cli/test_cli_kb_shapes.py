"""``imprimatur kb``: the shapes of a knowledge base, and whether its graph keeps them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from cli_fixtures import Ran
from small_kb import write_kb

Shell = Callable[..., Ran]
SHAPES = """@prefix : <https://example.org/brooks/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
:Long a sh:NodeShape ; sh:targetSubjectsOf :length ; sh:property [ sh:path :length ; sh:maxExclusive 1 ] .
:Odd a sh:NodeShape ; sh:targetSubjectsOf :nothing ; sh:strange 1 .
"""


def test_how_each_shape_runs(shell: Shell, tmp_path: Path) -> None:
    """Each shape is listed with its way and its focus nodes; JSON says the same."""
    folder = str(write_kb(tmp_path / "kb", shapes=SHAPES))
    ran = shell("kb", "info", folder, "--shapes")
    assert ran.status == 0
    assert "Odd: fallback (sh:strange is not known), 0 focus nodes" in ran.out
    listed = json.loads(shell("kb", "info", folder, "--shapes", "--json").out)["shapes"]
    assert [(each["label"], each["way"]) for each in listed] == [("Long", "compiled"), ("Odd", "fallback")]
    assert listed[0]["focus_nodes"] > 0


def test_both_engines_check_alike(shell: Shell, tmp_path: Path) -> None:
    """The whole graph: the same results by look-ups and by pySHACL."""
    folder = str(write_kb(tmp_path / "kb", shapes=SHAPES))
    found = []
    for engine in ("compiled", "pyshacl"):
        ran = shell("kb", "check", folder, "--json", "--engine", engine)
        assert ran.status == 1
        answer = json.loads(ran.out)
        found.append(sorted((row["focus"], row["component"], row["value"]) for row in answer["results"]))
        assert answer["undecided"] == []
        assert answer["not_examined"] == ["https://example.org/brooks/Odd"]
    assert found[0] == found[1] != []
    assert "sh:ValidationReport" in shell("kb", "check", folder, "--turtle").out


def test_what_could_not_be_decided_is_not_passed(shell: Shell, tmp_path: Path) -> None:
    """A comparison without outcome is listed, and the exit status says that the check is not whole."""
    query = (
        "PREFIX : <https://example.org/brooks/> SELECT $this WHERE "
        "{ $this :length ?long . BIND (STR(?long) AS ?text) FILTER (?text > 5) }"
    )
    shape = f':Odd a sh:NodeShape ; sh:targetSubjectsOf :length ; sh:sparql [ sh:select "{query}" ] .'
    folder = str(write_kb(tmp_path / "kb", shapes=SHAPES.split(":Long")[0] + shape))
    ran = shell("kb", "check", folder, "--json")
    answer = json.loads(ran.out)
    assert answer["results"] == []
    assert "have no order" in answer["undecided"][0]
    assert ran.status == 3
