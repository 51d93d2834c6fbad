"""KGR: the five stages by the graph, by a model over a real client, in one prompt; rounds, and what ends them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from made_correction import stages_said, write_hops

from imprimatur.config import ModelConfig
from imprimatur.errors import LimitExceeded, ModelFailed
from imprimatur.models.opening import open_model
from imprimatur.oracle import Oracle
from imprimatur.retrofit.asked import CHUNK, Asking, ByModel
from imprimatur.retrofit.attribution import Mistake, lost_at
from imprimatur.retrofit.by_graph import ByGraph
from imprimatur.retrofit.kinds import Ended, Stage
from imprimatur.retrofit.pipeline import Retrofitter, Taking
from imprimatur.retrofit.single import SinglePrompt
from imprimatur.retrofit.stages import Mixed
from imprimatur.testing import ScriptedServer
from imprimatur.testing.models import ScriptedModel
from imprimatur.verdict import Label

QUESTION = "Of which region is the city in which Alex Orlov died the capital?"
DRAFT = "Alex Orlov died in Borsk. This city is the capital of Dolny."
FIRST = "Alex Orlov died in Avelo. This city is the capital of Dolny."
RIGHT = "Alex Orlov died in Avelo. This city is the capital of Marca."
ROUNDS = (
    *stages_said(
        [
            ("Alex Orlov died in Borsk.", "Alex Orlov died in Borsk.", ["Alex Orlov", "Borsk"]),
            ("This city is the capital of Dolny.", "Borsk is the capital of Dolny.", ["Borsk", "Dolny"]),
        ],
        [1, 5],
        [("wrong", "Change “Borsk” to “Avelo”."), ("right", "")],
        FIRST,
    ),
    *stages_said(
        [
            ("Alex Orlov died in Avelo.", "Alex Orlov died in Avelo.", ["Alex Orlov", "Avelo"]),
            ("This city is the capital of Dolny.", "Avelo is the capital of Dolny.", ["Avelo", "Dolny"]),
        ],
        [1, 5],
        [("right", ""), ("wrong", "Change “Dolny” to “Marca”.")],
        RIGHT,
    ),
)


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A graph in which one city leads to the next fact."""
    return Oracle.from_folder(write_hops(tmp_path_factory.mktemp("kb")))


def _by_model(oracle: Oracle, *said: str, taking: Taking = Taking.LICENSED, rounds: int = 3) -> Retrofitter:
    asking = Asking(ScriptedModel(*said))
    return Retrofitter(oracle=oracle, stages=ByModel(asking, ByGraph(oracle)), taking=taking, rounds=rounds)


def test_a_corrected_value_makes_the_next_hop_wrong(oracle: Oracle) -> None:
    """Without a model: the first round mends the first hop, the second what it made wrong, then all is licensed."""
    found = Retrofitter(oracle=oracle, stages=ByGraph(oracle))(QUESTION, DRAFT)
    assert (found.ended, found.text) == (Ended.LICENSED, RIGHT)
    assert [made.revised for made in found.rounds] == [FIRST, RIGHT]
    first, second = found.rounds[0].findings
    assert first.claim.says == "Alex Orlov died in Borsk"
    assert {entity.name for entity in first.entities} == {"Alex Orlov", "Borsk"}
    assert first.triples[0].text == "Alex Orlov: place of death: Avelo"
    assert "hops/avelo" in first.triples[0].content
    assert (first.verified.label, first.verified.suggestion) == (Label.CONTRADICTED, "Avelo")
    assert (second.verified.label, second.verified.suggestion) == (Label.SUPPORTED, "")
    assert found.rounds[1].findings[1].verified.label is Label.CONTRADICTED


def test_the_cascade_within_a_sentence(oracle: Oracle) -> None:
    """Both hops in one sentence, which is not licensed between the rounds."""
    found = Retrofitter(oracle=oracle, stages=ByGraph(oracle))(
        "", "Alex Orlov died in Borsk, which is the capital of Dolny."
    )
    assert (found.ended, found.text) == (Ended.LICENSED, "Alex Orlov died in Avelo, which is the capital of Marca.")
    assert len(found.rounds) == 2


@pytest.mark.parametrize("taking", list(Taking))
def test_the_five_stages_over_a_server(oracle: Oracle, taking: Taking) -> None:
    """The worked example in form: ten requests in two rounds, each with its own material, and a text that agrees."""
    with ScriptedServer([*ROUNDS, *stages_said([], [], [], RIGHT)]) as server:
        asking = Asking(open_model(ModelConfig(base_url=server.url, name="tiny")))
        retrofitter = Retrofitter(oracle=oracle, stages=ByModel(asking, ByGraph(oracle)), taking=taking, rounds=2)
        found = retrofitter(QUESTION, DRAFT)
        asked = [json.loads(request.said_by("user")) for request in server.requests]
    assert found.text == RIGHT
    assert found.ended is (Ended.LICENSED if taking is Taking.LICENSED else Ended.ROUNDS)
    assert [sorted(each) for each in asked[:5]] == [
        ["question", "response"],
        ["claims"],
        ["claims", "triples"],
        ["claims", "question"],
        ["question", "response", "verified"],
    ]
    assert asked[2]["triples"][0] == {"number": 1, "triple": "Alex Orlov: place of death: Avelo"}
    assert asked[3]["claims"][0]["triples"][0] == "Alex Orlov: place of death: Avelo"
    assert asked[4]["verified"][0] == {
        "claim": "Alex Orlov died in Borsk.",
        "verdict": "wrong",
        "suggestion": "Change “Borsk” to “Avelo”.",
    }
    assert asked[5]["response"] == FIRST


def test_the_whole_process_in_one_prompt(oracle: Oracle) -> None:
    """Two requests a round, the second of which has all that was said before it."""
    claims = {
        "claims": [
            {
                "quote": "Alex Orlov died in Borsk.",
                "says": "Alex Orlov died in Borsk.",
                "entities": ["Alex Orlov", "Borsk"],
            }
        ]
    }
    told = [{"claim": 1, "reason": "…", "verdict": "wrong", "suggestion": "Change “Borsk” to “Avelo”."}]
    rest = {"critical": [1], "verified": told, "response": "Alex Orlov died in Avelo."}
    with ScriptedServer([json.dumps(claims), json.dumps(rest)]) as server:
        asking = Asking(open_model(ModelConfig(base_url=server.url, name="tiny")))
        found = Retrofitter(oracle=oracle, stages=SinglePrompt(asking, ByGraph(oracle)))(
            QUESTION, "Alex Orlov died in Borsk."
        )
        first, second = server.requests
    assert (found.ended, found.text) == (Ended.LICENSED, "Alex Orlov died in Avelo.")
    assert [message["role"] for message in second.messages] == ["system", "user", "assistant", "user"]
    assert second.messages[:2] == first.messages
    assert [each.text for each in found.rounds[0].findings[0].triples] == ["Alex Orlov: place of death: Avelo"]


def test_stages_may_be_mixed(oracle: Oracle) -> None:
    """The graph does some, the model the others; only these are asked for."""
    graph = ByGraph(oracle)
    model = ScriptedModel(json.dumps({"response": FIRST}), json.dumps({"response": RIGHT}))
    by_graph = frozenset(Stage) - {Stage.RETROFITTING}
    stages = Mixed(graph, ByModel(Asking(model), graph), by_graph)
    found = Retrofitter(oracle=oracle, stages=stages)(QUESTION, DRAFT)
    assert (found.ended, found.text, len(model.prompts)) == (Ended.LICENSED, RIGHT, 2)


def test_triples_are_shown_in_chunks(tmp_path: Path) -> None:
    """A thing with more facts than fit is shown piece by piece, and the critical ones of all pieces are kept."""
    folder = write_hops(tmp_path)
    mayors = "".join(f':town{n} a :City ; rdfs:label "Town {n}" ; :mayor :rita .\n' for n in range(2 * CHUNK))
    with (folder / "hops.ttl").open("a", encoding="utf-8") as file:
        file.write(mayors)
    oracle = Oracle.from_folder(folder)
    says = ("Rita Conti was born in 1951.", "Rita Conti was born in 1951.", ["Rita Conti"])
    claims, entities, _, verified, response = stages_said(
        [says], [], [("wrong", "Change “1951” to “1950”.")], "Rita Conti was born in 1950."
    )
    chunks = [json.dumps({"critical": [1]}), json.dumps({"critical": [2, 3]}), json.dumps({"critical": []})]
    model = ScriptedModel(claims, entities, *chunks, verified, response)
    stages = ByModel(Asking(model), ByGraph(oracle))
    found = Retrofitter(oracle=oracle, stages=stages)("", "Rita Conti was born in 1951.")
    assert (found.ended, found.text, len(model.prompts)) == (Ended.LICENSED, "Rita Conti was born in 1950.", 7)
    assert len(found.rounds[0].findings[0].triples) == 3
    assert found.rounds[0].findings[0].triples[0].text == "Rita Conti: year of birth: 1950"


def test_without_evidence_a_claim_stands_only_as_it_is_written(oracle: Oracle) -> None:
    """The paper keeps it; where only what is licensed is taken, an added sentence is not."""
    added = f"{RIGHT} Alex Orlov loved the sea."
    said = stages_said([], [], [], added)
    said = [said[0], said[4]]  # without claims neither entities nor triples nor verdicts are asked for
    written = _by_model(oracle, *said, taking=Taking.WRITTEN, rounds=1)(QUESTION, DRAFT)
    assert written.text == added
    licensed = _by_model(oracle, *said, rounds=1)(QUESTION, DRAFT)
    assert "sea" not in licensed.text
    assert ("Alex Orlov loved the sea.", "it is no sentence of the response") in licensed.rounds[0].refused


def test_what_was_right_is_not_changed(oracle: Oracle) -> None:
    """A sentence that was licensed keeps its words, whatever the model writes for it."""
    draft = "Rita Conti was born in 1950. Alex Orlov died in Borsk."
    said = stages_said([], [], [], "Ivan Petrov was born in 1961. Alex Orlov died in Avelo.")
    found = _by_model(oracle, said[0], said[4], rounds=1)("", draft)
    assert found.text == "Rita Conti was born in 1950. Alex Orlov died in Avelo."
    assert found.rounds[0].refused == (("Ivan Petrov was born in 1961.", "what stood there was right"),)


def _nothing(text: str) -> Sequence[str]:
    said = stages_said([], [], [], text)
    return said[0], said[4]


def test_what_ends_it(oracle: Oracle) -> None:
    """Nothing changes, a text comes twice, so many rounds, a fault, a budget: the text of the round before stands."""
    assert _by_model(oracle, *_nothing(DRAFT))("", DRAFT).ended is Ended.UNCHANGED
    back = _by_model(oracle, *_nothing("A."), *_nothing("B."), *_nothing("A."), taking=Taking.WRITTEN, rounds=9)
    assert (back("", "Z.").ended, back.rounds) == (Ended.CIRCLE, 9)
    several = _by_model(oracle, *_nothing("A."), *_nothing("B."), taking=Taking.WRITTEN, rounds=2)("", "Z.")
    assert (several.ended, several.text, len(several.rounds)) == (Ended.ROUNDS, "B.", 2)
    for fault, ended in ((ModelFailed("x"), Ended.FAILED), (LimitExceeded("y"), Ended.LATE)):
        model = ScriptedModel(*_nothing("A."), fault)
        stages = ByModel(Asking(model), ByGraph(oracle))
        found = Retrofitter(oracle=oracle, stages=stages, taking=Taking.WRITTEN)("", "Z.")
        assert (found.ended, found.text, found.why) == (ended, "A.", fault.message)
    late = Retrofitter(oracle=oracle, stages=ByGraph(oracle), seconds=0)("", DRAFT)
    assert (late.ended, late.text) == (Ended.LATE, DRAFT)
    assert Retrofitter(oracle=oracle, stages=ByGraph(oracle))("", "x" * 30_000).ended is Ended.FAILED


def test_a_round_that_was_not_gone_through(oracle: Oracle) -> None:
    """What the stages found before the fault stands in it, so that the stage that failed is known."""
    claims, entities, *_ = ROUNDS
    model = ScriptedModel(claims, entities, ModelFailed("away"))
    found = Retrofitter(oracle=oracle, stages=ByModel(Asking(model), ByGraph(oracle)))(QUESTION, DRAFT)
    assert (found.ended, found.text, found.rounds[0].fault) == (Ended.FAILED, DRAFT, "away")
    first = found.rounds[0].findings[0]
    assert ([entity.name for entity in first.entities], first.triples) == (["Alex Orlov", "Borsk"], ())
    mistake = Mistake(start=19, end=24, wrong="Borsk", right=("Avelo",), entities=("Alex Orlov",), fact="hops/death")
    assert lost_at(mistake, found) is Stage.SELECTION
    assert found.to_dict()["rounds"][0]["fault"] == "away"


def test_refusals_are_told_in_the_next_round(oracle: Oracle) -> None:
    """What could not be taken goes back with the reason; a model that mends it then is taken."""
    draft = "Alex Orlov died in Borsk, and Ivan Petrov was born in 1961."
    bad, good = "Alex Orlov did not die in Borsk, and Ivan Petrov was born in 1961.", draft.replace("Borsk", "Avelo")
    model = ScriptedModel(*_nothing(bad), *_nothing(good))
    found = Retrofitter(oracle=oracle, stages=ByModel(Asking(model), ByGraph(oracle)))("", draft)
    assert (found.ended, found.text) == (Ended.LICENSED, good)
    told = json.loads(model.prompts[-1].messages[-1].content)
    assert told["refused"][0]["sentence"] == bad


def test_the_process_as_json(oracle: Oracle) -> None:
    """Question, draft, each round with claims, entities, triples, verdicts and suggestions."""
    told = json.loads(json.dumps(Retrofitter(oracle=oracle, stages=ByGraph(oracle))(QUESTION, DRAFT).to_dict()))
    assert (told["ended"], told["text"], len(told["rounds"])) == ("licensed", RIGHT, 2)
    assert told["rounds"][0]["claims"][0]["suggestion"] == "Avelo"
