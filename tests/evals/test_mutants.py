"""Small changes of true sentences: how they are made, the second opinion, and that none of them is licensed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from cli_fixtures import Ran

from imprimatur.config import load_folder, resolve
from imprimatur.evals.claims import LabelledRow, read_rows
from imprimatur.evals.mutants import judged, licensed, true_rows
from imprimatur.evals.mutations import KINDS, mutations
from imprimatur.evals.stated import Stated
from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

Shell = Callable[..., Ran]

_ROOT = Path(__file__).parent.parent
_EXAMPLES = _ROOT.parent / "examples" / "rivers-claims.jsonl"
_JUDGE = _ROOT / "golden" / "judge"
_SENTENCE = "In 1931 Ardel Bridge, 412.5 km long, was built by Otto Ruskind near the River Tarn."
_NAMES = [(_SENTENCE.index(name), _SENTENCE.index(name) + len(name)) for name in ("Ardel Bridge", "Otto Ruskind")]


@cache
def _rivers() -> Oracle:
    return Oracle.from_folder("rivers")


def _of_worlds() -> dict[str, list[LabelledRow]]:
    rows: dict[str, list[LabelledRow]] = {}
    for number, line in enumerate((_JUDGE / "true_sentences.tsv").read_text(encoding="utf-8").splitlines()):
        world, _, text = line.partition("\t")
        rows.setdefault(world, []).append(LabelledRow(id=number, text=text, gold=(Label.SUPPORTED,)))
    return rows


def test_all_kinds_are_made_once_each() -> None:
    """A sentence with names, a number, a unit and a verb is changed in every way, and never twice into the same."""
    made = list(mutations(_SENTENCE, _NAMES, ["Quill Viaduct", "Kofi Osei"], 1))
    assert {mutation.kind for mutation in made} == set(KINDS)
    texts = [mutation.text for mutation in made]
    assert len(texts) == len(set(texts)) > 1000
    assert _SENTENCE not in texts


def test_the_same_seed_gives_the_same_changes() -> None:
    """The order hangs on the seed and on nothing else."""
    first, again, other = (
        [m.text for m in islice(mutations(_SENTENCE, _NAMES, ["Quill Viaduct"], seed), 50)] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_units_are_exchanged_for_others() -> None:
    """A unit is never exchanged for another spelling of itself."""
    units = {m.added for m in mutations(_SENTENCE, _NAMES, [], 1) if m.kind == "unit"}
    assert "miles" in units
    assert not units & {"km", "kilometres", "kilometers"}


@pytest.mark.parametrize(
    ("names", "added", "held"),
    [
        (("Ardel Bridge",), "1931", True),
        (("Ardel Bridge",), "in 1932", False),
        (("Ardel Bridge",), "River Tarn", True),
        (("Ardel Bridge",), "River Onny", False),
        (("Ardel Bridge",), "the rival of River Tarn", False),
        (("Ardel Bridge",), "twice", False),
        (("No Such Bridge",), "1931", False),
    ],
)
def test_what_the_files_hold(names: tuple[str, ...], added: str, held: bool) -> None:
    """Only numbers and names that stand next to what is named are borne out, and no other word."""
    folder = _JUDGE / "worlds" / "bridges"
    assert Stated(sorted(folder.glob("*.ttl"))).holds(names, added) is held


def test_links_that_hold_both_ways() -> None:
    """A property declared symmetric links both ways, another one does not."""
    graph = load_folder(resolve("rivers")).graph
    assert graph is not None
    stated = Stated((*graph.data, *graph.ontology))
    assert stated.mutual("West Kill", "Hunter Brook")
    assert not stated.mutual("Sherrick Run", "Ohio")


@pytest.mark.parametrize("world", sorted(_of_worlds()))
def test_a_sample_of_the_worlds(world: str) -> None:
    """Nothing false is licensed of the small worlds of the tests."""
    oracle = Oracle.from_folder(_JUDGE / "worlds" / world)
    chosen = list(true_rows(_of_worlds()[world], oracle, 1))
    gate = judged(chosen, oracle, each=20, seed=1)
    assert len(chosen) > 15
    assert sum(gate.judged.values()) == 20 * len(chosen)
    assert [mutant.mutation.text for mutant in gate.leaks] == []


def test_a_sample_of_rivers() -> None:
    """Nothing false is licensed of a sample of the example sentences."""
    chosen = list(islice(true_rows(read_rows(_EXAMPLES), _rivers(), 1), 40))
    gate = judged(chosen, _rivers(), each=15, seed=1)
    assert sum(gate.judged.values()) == 600
    assert [mutant.mutation.text for mutant in gate.leaks] == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_true_example(part: int) -> None:
    """Nothing false is licensed of more than five thousand changes of the example sentences, in four parts."""
    chosen = list(true_rows(list(read_rows(_EXAMPLES))[part::4], _rivers(), 1))
    gate = judged(chosen, _rivers(), each=20, seed=1)
    assert sum(gate.judged.values()) > 1250
    assert [mutant.mutation.text for mutant in gate.leaks] == []


def test_the_command(tmp_path: Path, shell: Shell) -> None:
    """Only licensed true rows are changed; the outcome is printed as a table or as JSON, with exit status 0."""
    rows = [
        {"id": 1, "text": "Sherrick Run is classified as a 1st order tributary.", "label": "supported"},
        {"id": 2, "text": "Sherrick Run is classified as a 2nd order tributary.", "label": "contradicted"},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ran = shell("eval", "mutants", str(path), "--kb", "rivers", "--each", "30")
    assert ran.status == 0, ran.out
    assert "1 true sentences, 30 changes: 0 still entailed, 0 leaks" in ran.out
    told = json.loads(shell("eval", "mutants", str(path), "--kb", "rivers", "--each", "30", "--json").out)
    assert (told["mutants"], told["leaks"]) == (30, [])


def test_a_leak_fails(tmp_path: Path, shell: Shell) -> None:
    """A change that is licensed and not borne out by the files gives exit status 1 and is shown."""
    graph = tmp_path / "kb"
    graph.mkdir()
    (graph / "imprimatur.yaml").write_text("version: 1\ngraph: {data: [g.ttl]}\n", encoding="utf-8")
    (graph / "g.ttl").write_text(
        "@prefix : <urn:x#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':a rdfs:label "Anna Berg" ; :knows :b . :b rdfs:label "Bert Holm" ; :knows :a .\n'
        ':knows rdfs:label "knows" .\n',
        encoding="utf-8",
    )
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "text": "Anna Berg knows Bert Holm.", "label": "supported"}\n', encoding="utf-8")
    ran = shell("eval", "mutants", str(path), "--kb", str(graph), "--each", "2000")
    assert ran.status == 1
    assert "LEAK  swap  Bert Holm knows Anna Berg." in ran.out


def test_licensed_means_all_of_it() -> None:
    """A text of which a part is withheld is not licensed."""
    assert licensed(_rivers().check("Sherrick Run is classified as a 1st order tributary."))
    assert not licensed(_rivers().check("Sherrick Run is classified as a 1st order tributary. It is pink."))
