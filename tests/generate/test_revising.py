"""The conditions that revise a draft: KGR, with and without the five stages, and criticism by passages."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from made_asking import Fixed
from made_correction import stages_said, write_hops
from small_kb import write_kb

from imprimatur.errors import InputError, LimitExceeded, ModelFailed
from imprimatur.generate import AskSettings, Ended, How, ask
from imprimatur.generate.revising import RetrofitSettings
from imprimatur.models.asking import Completion
from imprimatur.oracle import Oracle
from imprimatur.policy import ABSTENTION_TEXT
from imprimatur.report_json import report_schema

QUESTION = "Where did Alex Orlov die?"
WRONG, RIGHT = "Alex Orlov died in Borsk.", "Alex Orlov died in Avelo."
STAGES = stages_said([(WRONG, WRONG, ["Alex Orlov", "Borsk"])], [1], [("wrong", "Change “Borsk” to “Avelo”.")], RIGHT)


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A graph in which one city leads to the next fact; what is not licensed is taken out."""
    return Oracle.from_folder(write_hops(tmp_path_factory.mktemp("kb")), policy="redact")


def test_kgr_is_retrofitted_and_licensed(oracle: Oracle) -> None:
    """The draft, the rounds and the report; model and all instructions are named."""
    model = Fixed(WRONG, *STAGES)
    found = ask(QUESTION, oracle, model=model, how="kgr")
    assert (found.outcome, found.text, found.draft, found.licensed) == (Ended.ANSWERED, RIGHT, WRONG, True)
    assert found.revised is not None
    assert (found.revised.ended, found.revised.process["rounds"][0]["revised"]) == ("licensed", RIGHT)
    assert found.report is not None
    named = " ".join(found.report.versions.models)
    assert all(f"prompt kgr-{name} " in named for name in ("claims", "entities", "select", "verify", "retrofit"))
    told = json.loads(json.dumps(found.to_dict()))
    assert (told["revision"]["text"], told["licensed"]) == (RIGHT, True)
    Draft202012Validator(report_schema()).validate(told["report"])


def test_kgr_withholds_what_has_no_evidence(oracle: Oracle) -> None:
    """Where the paper lets it stand, and calls it an answer, that is not checked."""
    draft = f"{RIGHT} Alex Orlov loved the sea."
    said = stages_said([(draft, draft, ["Alex Orlov"])], [1], [("unknown", "")], draft)
    found = ask(QUESTION, oracle, model=Fixed(draft, *said), how="kgr")
    assert (found.text.strip(), found.licensed, found.label) == (RIGHT, False, "partly licensed")
    written = ask(QUESTION, oracle, model=Fixed(draft, *said), how="kgr-written")
    assert (written.text, written.licensed, written.label) == (draft, False, "not checked")


def test_kgr_as_it_is_written(oracle: Oracle) -> None:
    """What the model writes in the last stage is the answer, right or wrong."""
    said = stages_said([(WRONG, WRONG, ["Alex Orlov"])], [1], [("wrong", "…")], "Alex Orlov died in Paris.")
    settings = AskSettings(retrofit=RetrofitSettings(rounds=1))
    found = ask(QUESTION, oracle, model=Fixed(WRONG, *said), how=How.KGR_WRITTEN, settings=settings)
    assert (found.outcome, found.text, found.label) == (Ended.ANSWERED, "Alex Orlov died in Paris.", "not checked")


@pytest.mark.parametrize("how", ["kgr", "kgr-written"])
def test_without_a_model_for_the_stages(oracle: Oracle, how: str) -> None:
    """The graph does them all; the model only writes the draft."""
    model = Fixed(WRONG)
    settings = AskSettings(retrofit=RetrofitSettings(form="graph"))
    found = ask(QUESTION, oracle, model=model, how=how, settings=settings)
    assert (found.text, len(model.prompts)) == (RIGHT, 1)
    assert found.licensed is (how == "kgr")


@pytest.mark.parametrize("fault", [ModelFailed("answered with 500"), LimitExceeded("the budget is used up")])
def test_a_fault_on_the_way_leaves_the_draft(oracle: Oracle, fault: ModelFailed) -> None:
    """It is released as far as it is licensed, or shown as not checked."""
    held = ask(QUESTION, oracle, model=Fixed(WRONG, fault), how="kgr")
    assert (held.outcome, held.text) == (Ended.WITHHELD, ABSTENTION_TEXT)
    assert held.revised is not None
    assert held.revised.why == fault.message
    shown = ask(QUESTION, oracle, model=Fixed(WRONG, fault), how="kgr-written")
    assert (shown.text, shown.label) == (WRONG, "not checked")
    kept = ask(QUESTION, oracle, model=Fixed(RIGHT, fault), how="kgr")
    assert kept.text == RIGHT


@pytest.mark.parametrize("said", ["", "I don't know.", Completion(text="", refusal="No.")])
def test_no_draft_is_not_revised(oracle: Oracle, said: str | Completion) -> None:
    """A model that gives no answer is silent, and asked nothing further."""
    model = Fixed(said)
    assert ask(QUESTION, oracle, model=model, how="kgr").outcome is Ended.SILENT
    assert len(model.prompts) == 1


def test_a_form_must_be_one(oracle: Oracle) -> None:
    """Another word is told."""
    settings = AskSettings(retrofit=RetrofitSettings(form="magic"))
    with pytest.raises(InputError, match="no form"):
        ask(QUESTION, oracle, model=Fixed(WRONG), how="kgr", settings=settings)


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The brooks, with a passage about one of them."""
    folder = tmp_path_factory.mktemp("passages")
    text = "Elm Brook is twelve kilometres long. It rises under an elm near Arden.\n"
    (folder / "brooks.txt").write_text(text, encoding="utf-8")
    return Oracle.from_folder(write_kb(folder, extra="passages: [brooks.txt]"))


def _critique(verdict: str, response: str) -> str:
    return json.dumps({"critique": "By passage 1.", "verdict": verdict, "response": response})


def test_criticism_by_passages(reading: Oracle) -> None:
    """The draft is criticised by what is found for it, written anew, and criticised again; nothing is licensed."""
    wrong, right = "Elm Brook rises under an oak.", "Elm Brook rises under an elm."
    model = Fixed(wrong, _critique("wrong", right), _critique("right", right))
    found = ask("Where does Elm Brook rise?", reading, model=model, how="critic")
    assert (found.outcome, found.text, found.draft, found.label) == (Ended.ANSWERED, right, wrong, "not checked")
    assert found.revised is not None
    assert (found.revised.ended, len(found.revised.process["rounds"])) == ("unchanged", 2)
    shown = json.loads(model.prompts[1].messages[-1].content)
    assert (shown["response"], sorted(shown)) == (wrong, ["evidence", "question", "response"])
    assert any("rises under an elm" in each["text"] for each in shown["evidence"])


def test_what_ends_criticism(reading: Oracle) -> None:
    """Nothing against it, no other words, so many rounds, a fault: the text so far."""
    wrong = "Elm Brook rises under an oak."
    for said, ended, text in (
        ((_critique("right", "…"),), "unchanged", wrong),
        ((_critique("wrong", " "),), "unchanged", wrong),
        ((_critique("wrong", "One."), _critique("wrong", "Two.")), "rounds", "Two."),
        ((_critique("wrong", "One."), ModelFailed("away")), "failed", "One."),
        (("no JSON", "none", "none"), "failed", wrong),
    ):
        settings = AskSettings(retrofit=RetrofitSettings(rounds=2))
        found = ask("Where does it rise?", reading, model=Fixed(wrong, *said), how="critic", settings=settings)
        assert found.revised is not None
        assert (found.revised.ended, found.text) == (ended, text)


def test_criticism_without_passages(oracle: Oracle) -> None:
    """A knowledge base with no text to criticise by: the critic sees no evidence, and is asked all the same."""
    model = Fixed(WRONG, _critique("unknown", WRONG))
    assert ask(QUESTION, oracle, model=model, how="critic").text == WRONG
    assert json.loads(model.prompts[1].messages[-1].content)["evidence"] == []
