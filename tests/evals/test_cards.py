"""Cards: how they are read, what is true of them in each world, and what the command makes of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from cli_fixtures import Ran
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.errors import InputError
from imprimatur.evals.card_published import figures
from imprimatur.evals.card_set import MADE, Card, Gold, Kind, Pair, World, read_cards, stated, truth
from imprimatur.evals.cards import JudgedCard, Settings, judged
from imprimatur.evals.epistemic import Epistemic
from imprimatur.evals.metrics import Share
from imprimatur.verdict import Label

_PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "licensing-oracle"
_published = pytest.mark.skipif(not _PUBLISHED.is_dir(), reason="the published cards are not there")

_Pairs = tuple[Pair, ...]
_ESK: dict[str, Any] = {
    "id": "1",
    "facts": ["Esk mouth Grey Sea"],
    "question": "Is Grey Sea the mouth of Esk?",
    "gold": "YES",
    "label": "E",
    "claim": {"subj": "http://x.example/resource/Esk", "pred": "p", "obj": "http://x.example/resource/Grey_Sea"},
}


def _written(folder: Path, *rows: Any) -> Path:
    path = folder / "cards.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return path


def _card(kind: Kind, gold: Gold, facts: tuple[Pair, ...] = (), denied: tuple[Pair, ...] = ()) -> Card:
    return Card(id="c", kind=kind, gold=gold, asked=("Esk", "mouth", "Sea"), facts=facts, denied=denied)


def test_a_card_is_read(tmp_path: Path) -> None:
    """Names from the IRIs, the noun from the question, facts and denials from their lines."""
    denial = "Esk DOES NOT have mouth: Red Lake (not in database)"
    (card,) = read_cards(_written(tmp_path, {**_ESK, "facts": [*_ESK["facts"], denial], "label": "C", "gold": "NO"}))
    assert card.sentence == "Grey Sea is the mouth of Esk."
    assert (card.kind, card.gold, card.mended) == (Kind.DENIED, Gold.NO, ())
    assert (card.facts, card.denied) == ((("Esk", "mouth", "Grey Sea"),), (("Esk", "mouth", "Red Lake"),))


def test_names_that_the_printing_cut_are_mended(tmp_path: Path) -> None:
    """What stands before a slash is put back, in facts too; an IRI within an IRI is unpacked."""
    nested = "http://dbpedia.org/resource/http_//dbpedia.org/resource/Corrumpa_Creek"
    cut = {
        **_ESK,
        "facts": ["Oklahoma) mouth Corrumpa Creek"],
        "question": "Is Corrumpa Creek the mouth of Oklahoma)?",
        "claim": {"subj": "http://dbpedia.org/resource/Seneca_Creek_(Mexico/Oklahoma)", "pred": "p", "obj": nested},
    }
    (card,) = read_cards(_written(tmp_path, cut))
    assert card.asked == ("Seneca Creek (Mexico/Oklahoma)", "mouth", "Corrumpa Creek")
    assert card.facts == (card.asked,)
    assert len(card.mended) == 2


@pytest.mark.parametrize(
    "row",
    [
        "no JSON",
        "[1]",
        {**_ESK, "label": "X"},
        {**_ESK, "gold": "MAYBE"},
        {**_ESK, "facts": ["Esk flows far"]},
        {**_ESK, "facts": 7},
        {**_ESK, "question": "Where is the mouth of Esk?"},
        {**_ESK, "question": None},
        {key: value for key, value in _ESK.items() if key != "claim"},
        {**_ESK, "claim": {"subj": "a"}},
    ],
)
def test_what_is_no_card_is_told_with_its_line(tmp_path: Path, row: Any) -> None:
    """Never a traceback, and never a card left out in silence."""
    path = _written(tmp_path, _ESK, row)
    with pytest.raises(InputError, match="is no card") as caught:
        read_cards(path)
    assert caught.value.where == f"{path}:2"
    assert caught.value.hint
    assert not any(word in str(caught.value) for word in ("indices", "attribute", "NoneType", "codec"))


def test_no_cards_at_all(tmp_path: Path) -> None:
    """An empty file, and one that is not there."""
    with pytest.raises(InputError, match="has no cards"):
        read_cards(_written(tmp_path, ""))
    with pytest.raises(InputError, match="cannot be read"):
        read_cards(tmp_path / "none.jsonl")


_SEA, _LAKE = ("Esk", "mouth", "Sea"), ("Esk", "mouth", "Lake")
_OTHER = ("Tay", "mouth", "Sea")


@pytest.mark.parametrize(
    ("facts", "denied", "follows"),
    [
        ((_SEA,), (), ("YES", "YES", "YES")),
        ((_LAKE,), (), ("UNKNOWN", "NO", "NO")),
        ((_LAKE, _SEA), (), ("YES", "YES", "YES")),
        ((_LAKE,), (_SEA,), ("NO", "NO", "NO")),
        ((_OTHER,), (), ("UNKNOWN", "UNKNOWN", "NO")),
        ((), (_LAKE,), ("UNKNOWN", "UNKNOWN", "NO")),
    ],
)
def test_what_follows_in_each_world(
    facts: tuple[Pair, ...], denied: tuple[Pair, ...], follows: tuple[str, ...]
) -> None:
    """Open, functional, closed: a stated value is true in each, another one refutes where there is but one."""
    card = _card(Kind.UNKNOWN, Gold.UNKNOWN)
    assert tuple(truth(card, facts, denied, world).value for world in World) == follows


_names = st.sampled_from(("Esk", "Tay", "Sea", "Lake"))
_pairs = st.lists(st.tuples(_names, st.just("mouth"), _names), max_size=4).map(tuple)


@given(_pairs, _pairs)
def test_a_stronger_world_only_adds_answers(facts: _Pairs, denied: _Pairs) -> None:
    """What is known in the open world stays so in the functional, and what is known there stays so in the closed."""
    card = _card(Kind.UNKNOWN, Gold.UNKNOWN)
    found = [truth(card, facts, denied, world) for world in World]
    for weaker, stronger in pairwise(found):
        assert weaker in (Gold.UNKNOWN, stronger)


def test_four_ways_to_count_one_verdict() -> None:
    """A denied card that is refuted: kept back at the gate, a right no, and as published a wrong answer."""
    row = JudgedCard(card=_card(Kind.DENIED, Gold.NO), label=Label.CONTRADICTED, true=Gold.NO, stated=False)
    gate, answer, counted = (Epistemic((way,)) for way in (row.gate(), row.answer(Gold.NO), row.as_published()))
    assert (gate.cvrr(), gate.far_ne(), gate.coverage()) == (Share(1, 1), Share(0, 1), Share(0, 1))
    assert (answer.cvrr(), answer.far_ne(), answer.coverage()) == (Share(1, 1), Share(0, 1), Share(1, 1))
    assert (counted.cvrr(), counted.far_ne(), counted.coverage()) == (Share(0, 1), Share(1, 1), Share(1, 1))


@pytest.mark.parametrize("graph", ["cards", "joint"])
@pytest.mark.parametrize("world", World)
def test_the_made_cards_are_judged_as_follows(world: World, graph: str) -> None:
    """Thirty cards about invented things: each verdict is what follows from the facts, in each world."""
    cards = read_cards(MADE)
    rows = judged(cards, cards, Settings(world=world, graph=graph))
    assert len(rows) == 30
    assert [(row.card.id, row.said) for row in rows] == [(row.card.id, row.true) for row in rows]
    assert not any(row.false_licence for row in rows)
    assert {row.true for row in rows if row.card.kind is Kind.ENTAILED} == {Gold.YES}


def test_the_command_prints_writes_and_tells_the_world(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """Without a folder the made cards; the table, the world in words, and an outcome that says the same."""
    out = tmp_path / "out.json"
    ran = shell("eval", "cards", "--out", str(out))
    assert ran.status == 0
    assert re.search(r"CVRR \(eq\. 3\) +15/15 1\.000", ran.out)
    assert "World: functional." in ran.out
    told = json.loads(out.read_text(encoding="utf-8"))
    assert (told["name"], told["settings"]["world"], len(told["rows"])) == ("cards", "functional", 30)
    assert list(told["sources"]) == ["cards.jsonl"]
    assert json.loads(shell("eval", "cards", "--json", "--most", "5", "--seed", "2").out)["settings"]["cards"] == 5


def test_a_false_licence_is_grave(tmp_path: Path, shell: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that licenses everything is told card by card, with exit status 1."""
    everything = (Label.SUPPORTED, (), ())
    monkeypatch.setattr("imprimatur.evals.cards._verdict", lambda oracle, card: everything)
    ran = shell("eval", "cards", str(MADE), "--graph", "joint")
    assert ran.status == 1
    assert ran.out.count("FALSE LICENCE") == 22


def test_a_folder_without_the_published_cards(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """What is missing, and where it is to be had."""
    ran = shell("eval", "cards", str(tmp_path))
    assert ran.status == 2
    assert "scaled_cards_1997.jsonl" in ran.err
    assert "github.com/s-emanuilov/world_mind" in ran.err


def test_the_published_folder_or_its_parent(tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """The cards are found where they lie in the repository that has them."""
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "scaled_cards_1997.jsonl").write_text(json.dumps(_ESK), encoding="utf-8")
    assert json.loads(shell("eval", "cards", str(tmp_path), "--json").out)["settings"]["cards"] == 1


def test_published_figures_stand_only_beside_the_published_cards(tmp_path: Path) -> None:
    """Not beside other cards, nor beside some of them; a metrics file that is none is told."""
    file = tmp_path / "scaled_cards_1997.jsonl"
    assert not figures(tmp_path / "mine.jsonl", 1997, "cards").paper
    assert not figures(file, 100, "cards").paper
    assert figures(file, 1997, "cards").paper["cvrr"].value == 0.5
    assert not figures(file, 1997, "cards").counts
    (tmp_path / "upstream_metrics_1997.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="metrics"):
        figures(file, 1997, "cards")


@_published
def test_the_published_cards_make_the_published_graph() -> None:
    """The facts of both sets are those of the partial graph that was derived from them, but for three cut names."""
    files = [_PUBLISHED / "cards" / f"{name}.jsonl" for name in ("scaled_cards_1997", "context_cards_800")]
    cards = [card for file in files for card in read_cards(file)]
    assert len(cards) == 2797
    assert Counter(card.kind for card in cards) == {
        Kind.ENTAILED: 700,
        Kind.DENIED: 700,
        Kind.DISTRACTOR: 697,
        Kind.UNKNOWN: 700,
    }
    graph = pyoxigraph.parse(path=_PUBLISHED / "derived_partial_kg_hasMouth.ttl", format=pyoxigraph.RdfFormat.TURTLE)
    there = {(_name(s), _name(o)) for s, p, o, _ in graph if str(p).endswith("#hasMouth>")}
    here = {(subject, value) for subject, _, value in stated(cards)}
    assert len(there) == 2709
    assert here - there == {
        ("Nippersink Creek", "Fox River / Chain O'Lakes area"),
        ("Seneca Creek (New Mexico/Oklahoma)", "Corrumpa Creek"),
        ("Tomorrow/Waupaca River", "Wolf River"),
    }
    assert there - here == {("Oklahoma)", "Corrumpa Creek"), ("Waupaca River", "Wolf River")}


def _name(term: object) -> str:
    return " ".join(str(term).strip("<>").split("/resource/", 1)[1].replace("_", " ").split())


@_published
def test_the_published_figures_come_out_in_the_open_world(shell: Callable[..., Ran]) -> None:
    """Counted as they were, within the one unknown card that is stated: CVRR .498, FAR-NE .334, coverage .501."""
    ran = shell("eval", "cards", str(_PUBLISHED / "cards"), "--world", "open", "--most", "1997", "--json")
    rows = {row[0]: row[4] for row in json.loads(ran.out)["tables"][0]["rows"]}
    for measure in ("CVRR (eq. 3)", "FAR-NE (eq. 4)", "coverage", "abstention precision (eq. 2)"):
        assert rows[measure]["value"] == pytest.approx(rows[measure]["published"]["value"], abs=0.001)
    assert ran.status == 0
