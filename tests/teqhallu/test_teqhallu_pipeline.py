"""The five steps over a scripted server: in order, in every ablation and scope, with reason chain and tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlglot", reason="the extra `tables` is not installed")
pytest.importorskip("openai", reason="the extra `models` is not installed")

from made_teqhallu import BROOKS, GOOD, WRONG, answered, brooks_model, checked, claim, script, verdict

from imprimatur.errors import InputError
from imprimatur.models.kept import Kept
from imprimatur.models.prompts import template
from imprimatur.teqhallu.found import Sample
from imprimatur.teqhallu.kinds import Ablation, Basis, Category, Scope, Stage, Support, lowest, of_claims
from imprimatur.teqhallu.pipeline import TeQHallu
from imprimatur.testing import Request, ScriptedServer, fail, say, say_json

_STAGES = {template(f"teqhallu-{name}").text: name for name in (
    *("initial", "initial-turn", "inspect", "existing", "store", "repair", "entries", "claims", "keyed", "select"),
    *("judge", "judge-turn"),
)}  # fmt: skip


def stages(requests: list[Request]) -> list[str]:
    """Which stages were asked for, in order."""
    return [_STAGES[request.said_by("system")] for request in requests]


def test_the_reason_chain() -> None:
    """Claim, SELECT, row, the words it was made of, verdict."""
    (found,) = checked(GOOD, brooks_model())
    assert (found.verdict, found.said, found.initial) == (Support.FULLY,) * 3
    (one,) = found.claims
    assert (one.start, one.end, one.basis, one.aligned) == (0, 24, Basis.ROWS, ("brook:elm",))
    assert one.shown.rows == (("brook:elm", 12.0),)
    (span,) = one.shown.spans
    assert BROOKS[span.start : span.end] == span.text == "Elm Brook is 12 km long and flows into Oak Brook."
    assert list(found.told()) == [
        "initial: fully supported",
        "claim: Elm Brook is 12 km long.",
        "  query: SELECT entity_id, length_km FROM brooks WHERE name = 'Elm Brook'",
        "  row: entity_id = brook:elm, length_km = 12.0",
        "  reference 1 [0:49]: Elm Brook is 12 km long and flows into Oak Brook.",
        "  verdict: fully supported (by rows)",
        "verdict: fully supported",
    ]


def test_the_audit() -> None:
    """Which sentences of the reference left no row, and of which of the response no claim was made."""
    (found,) = checked(GOOD, brooks_model())
    audit = found.audit
    assert (audit.sentences, audit.rows, audit.unmarked, audit.complete) == (4, 3, 0, False)
    assert [span.text for span in audit.unread] == ["It has been closed since March 1931."]
    assert audit.unclaimed == ("It is short.",)


def test_the_steps_are_five_beside_the_initial_prediction() -> None:
    """With tables that are there all five are asked, in order; without any there is nothing to look at."""
    seen: list[Request] = []
    first = Sample(id="a", reference=("Elm Brook is 12 km long and flows into Oak Brook.",), response=GOOD.response)
    answers = brooks_model(
        store=[
            brooks_model()["store"] | {"rows": brooks_model()["store"]["rows"][:1]},
            brooks_model()["store"] | {"tables": []},
        ]
    )
    found = checked([first, GOOD], answers, scope=Scope.GLOBAL, seen=seen)
    assert stages(seen) == [
        *("initial", "store", "select", "judge"),
        *("initial", "inspect", "existing", "store", "select", "judge"),
    ]
    assert "length_km REAL" in seen[6].said_by("user")
    assert "brook:elm" in seen[7].said_by("user")
    assert [each.verdict for each in found] == [Support.FULLY, Support.FULLY]


@pytest.mark.parametrize(
    ("ablation", "asked", "basis"),
    [
        (Ablation.FULL, ["initial", "store", "select", "judge"], Basis.ROWS),
        (Ablation.NO_INITIAL, ["store", "select", "judge"], Basis.ROWS),
        (Ablation.STRICT_IDS, ["store", "select"], Basis.ROWS),
        (Ablation.KEY_VALUE, ["initial", "entries", "keyed", "judge"], Basis.ROWS),
        (Ablation.CLAIMS, ["initial", "claims", "judge"], Basis.TEXT),
        (Ablation.DIRECT, ["initial"], None),
    ],
)
@pytest.mark.parametrize("scope", Scope)
def test_ablations(ablation: Ablation, asked: list[str], basis: Basis | None, scope: Scope) -> None:
    """Each asks for its own steps and no others, in each scope, and finds the same of a plain sample."""
    seen: list[Request] = []
    answers = brooks_model()
    if ablation is Ablation.CLAIMS:
        last = verdict(1, "supported", quote="Elm Brook is 12 km long")
        answers = brooks_model(judge={"claims": [last], "reason": "text", "verdict": "fully supported"})
    (found,) = checked(GOOD, answers, ablation=ablation, scope=scope, seen=seen)
    assert stages(seen) == asked
    assert found.verdict is Support.FULLY
    assert [each.basis for each in found.claims] == ([] if basis is None else [basis])
    prompts = [request.said_by("user") for request in seen]
    assert ('"initial"' in prompts[-1]) == (ablation in (Ablation.FULL, Ablation.CLAIMS, Ablation.KEY_VALUE))


def test_a_wrong_value_is_contradicted() -> None:
    """With the row that says otherwise, and the claim that holds beside it."""
    answers = brooks_model(
        select={
            "claims": [
                claim("Elm Brook is 15 km long.", "SELECT entity_id, length_km FROM brooks WHERE name = 'Elm Brook'"),
                claim(
                    "The mill was built in 1884.",
                    "SELECT entity_id, built FROM mills",
                    says="The mill at Arden was built in 1884.",
                ),
            ],
            "aliases": [],
        },
        judge={
            "claims": [verdict(1, "contradicted", rows=[1]), verdict(2, "supported", rows=[1])],
            "reason": "15 is wrong",
            "verdict": "contradicted",
        },
    )
    (found,) = checked(WRONG, answers)
    assert [each.verdict for each in found.claims] == [Support.CONTRADICTED, Support.FULLY]
    assert found.verdict is Support.CONTRADICTED


def test_what_left_no_row_falls_back_to_the_text() -> None:
    """A sentence that is not in the database is told to the judge, who may quote it; the basis says so."""
    seen: list[Request] = []
    sample = Sample(id="late", reference=(BROOKS,), response="The mill closed in March 1931.")
    answers = brooks_model(
        select={
            "claims": [
                claim("The mill closed in March 1931.", "SELECT closed_since FROM mills WHERE closed_since IS NOT NULL")
            ],
            "aliases": [],
        },
        judge={
            "claims": [verdict(1, "supported", quote="It has been closed since March 1931.")],
            "reason": "the text says so",
            "verdict": "fully supported",
        },
    )
    (found,) = checked(sample, answers, seen=seen)
    assert '"incomplete": ["It has been closed since March 1931."]' in seen[-1].said_by("user")
    assert (found.verdict, found.claims[0].basis) == (Support.FULLY, Basis.TEXT)
    assert found.claims[0].quote is not None
    assert found.claims[0].quote.number == 1


def test_aliases_are_kept_beside_the_rows() -> None:
    """An id that the model takes for one of the database's counts where ids are soft, and not where strict."""
    select = {
        "claims": [
            claim(
                "Elm Brook is 12 km long.",
                "SELECT entity_id, length_km FROM brooks WHERE name = 'Elm Brook'",
                entities=["river:elm-brook"],
            )
        ],
        "aliases": [
            {"alias": "river:elm-brook", "entity": "brook:elm"},
            {"alias": "river:x", "entity": "not there"},
        ],
    }
    (soft,) = checked(GOOD, brooks_model(select=select))
    assert soft.claims[0].aligned == ("river:elm-brook",)
    (strict,) = checked(GOOD, brooks_model(select=select), ablation=Ablation.STRICT_IDS)
    assert (strict.verdict, strict.claims[0].aligned) == (Support.UNSUPPORTED, ())


# -- dialogues ---------------------------------------------------------------------------------------------------------
_TURNS = (
    "A1: A table for 4 at Arden Grill, please.",
    "B1: A table for 4 is free at 19:30.",
    "A2: Good, please book it.",
)


def _dialogue() -> list[Sample]:
    return [
        Sample(id="d/1", dialogue="d", turn=1, reference=_TURNS[:1], response="A table for 4 is free at 19:30."),
        Sample(id="d/2", dialogue="d", turn=2, reference=_TURNS, response="Your table for 6 is booked at 19:30."),
    ]


def _dialogue_model() -> dict[str, object]:
    fine = {"reason": "nothing is wrong", "verdict": "fully supported", "categories": []}
    create = "CREATE TABLE IF NOT EXISTS bookings (entity_id TEXT, place TEXT, people INTEGER, at TEXT)"
    insert = "INSERT INTO bookings VALUES ('booking:1', 'Arden Grill', 4, NULL)"
    select = "SELECT entity_id, people FROM bookings"

    def stored(request: Request) -> object:
        text = request.said_by("user")
        rows = []
        if "A1: A table for 4" in text:
            rows.append({"sql": insert, "quote": "A table for 4 at Arden Grill"})
        if "B1: A table for 4" in text:
            free = "INSERT INTO bookings VALUES ('booking:1', NULL, 4, '19:30')"
            rows.append({"sql": free, "quote": "A table for 4 is free at 19:30"})
        return say_json({"tables": [create], "rows": rows, "aliases": []})

    def selected(request: Request) -> object:
        number = "6" if "for 6" in request.said_by("user") else "4"
        quote = "table for 6 is booked" if number == "6" else "A table for 4 is free"
        return say_json({"claims": [claim(quote, select, says=f"The table is for {number}.")], "aliases": []})

    def judged(request: Request) -> object:
        if "for 6" not in request.said_by("user"):
            return say_json({"claims": [verdict(1, "supported", rows=[1])]} | fine)
        wrong = [{"category": "incoherent", "quote": "table for 6"}, {"category": "irrelevant", "quote": "not there"}]
        return say_json(
            {
                "claims": [verdict(1, "contradicted", rows=[1])],
                "reason": "4, not 6",
                "categories": wrong,
                "verdict": "contradicted",
            }
        )

    there = {"inspect": {"statements": ["PRAGMA table_info(bookings)"]}, "existing": {"statements": [select]}}
    return brooks_model(initial_turn=fine, store=stored, select=selected, judge_turn=judged, **there)


@pytest.mark.parametrize(
    ("scope", "reads"), [(Scope.PASSAGE, [1, 3]), (Scope.DIALOGUE, [1, 2]), (Scope.GLOBAL, [1, 2])]
)
def test_a_dialogue(scope: Scope, reads: list[int]) -> None:
    """Its turns are judged by the turns before; a database of the dialogue reads each turn once."""
    seen: list[Request] = []
    found = checked(_dialogue(), _dialogue_model(), scope=scope, seen=seen)
    assert [each.verdict for each in found] == [Support.FULLY, Support.CONTRADICTED]
    assert found[1].categories == ((Category.INCOHERENT, "table for 6"),)
    stores = [request.said_by("user") for request in seen if _STAGES[request.said_by("system")] == "store"]
    assert [sum(turn.split(":")[0] + ":" in text for turn in _TURNS) for text in stores] == reads


def test_another_dialogue_knows_nothing_of_the_first() -> None:
    """Per dialogue, what was said in another is no evidence; in one global database it is."""
    other = Sample(id="e/1", dialogue="e", turn=1, reference=("A1: Hello.",), response="A table for 4 is free.")
    (_, _, apart) = checked([*_dialogue(), other], _dialogue_model(), scope=Scope.DIALOGUE)
    (_, _, together) = checked([*_dialogue(), other], _dialogue_model(), scope=Scope.GLOBAL)
    assert (apart.claims[0].basis, apart.verdict) == (Basis.NONE, Support.UNSUPPORTED)
    assert (together.claims[0].basis, together.verdict) == (Basis.ROWS, Support.FULLY)


# -- what it costs -----------------------------------------------------------------------------------------------------
def test_tokens_are_accounted_for_by_stage() -> None:
    """As the server tells them; a stage that asks twice counts twice."""
    usage = {name: say_json(value).using(100, 7) for name, value in brooks_model().items()}
    twice = [say("Of course! Here it is.").using(100, 7), usage["select"]]
    (found,) = checked(GOOD, usage | {"select": twice})
    used = {stage: (each.calls, each.prompt, each.completion) for stage, each in found.used.items()}
    assert used == {
        Stage.INITIAL: (1, 100, 7),
        Stage.STORE: (1, 100, 7),
        Stage.SELECT: (2, 200, 14),
        Stage.JUDGE: (1, 100, 7),
    }


def test_a_budget_that_is_used_up_leaves_the_rest_unchecked() -> None:
    """Calls and tokens alike; what was asked before stays."""
    with ScriptedServer(script(brooks_model())) as server:
        with TeQHallu(answered(server, calls=6)) as judge:
            found = [judge.check(GOOD), judge.check(GOOD)]
        with TeQHallu(answered(server, tokens=50)) as judge:
            poor = judge.check(GOOD)
        assert len(server.requests) == 6
    assert [each.verdict for each in found] == [Support.FULLY, Support.UNCHECKED]
    assert "budget" in found[1].fault
    assert found[1].initial is Support.FULLY
    assert (poor.verdict, poor.initial) == (Support.UNCHECKED, None)


def test_answers_are_kept_by_content(tmp_path: Path) -> None:
    """The same sample is asked once, from one run to the next; another model's file is refused."""
    file = tmp_path / "kept.jsonl"
    with ScriptedServer(script(brooks_model())) as server:
        for _ in range(2):
            with TeQHallu(Kept(answered(server), file)) as judge:
                found = judge.check(GOOD)
                assert found.verdict is Support.FULLY
        assert len(server.requests) == 4
        assert sum(each.kept for each in found.used.values()) == 4
    with ScriptedServer() as other, pytest.raises(InputError, match="has answers of"):
        Kept(answered(other), file)


def test_what_failed_is_not_kept(tmp_path: Path) -> None:
    """An answer that was cut off is asked again."""
    file = tmp_path / "kept.jsonl"
    answers = brooks_model()
    answers["initial"] = [say('{"reason": "it', finish="length"), say_json(answers["initial"])]
    with ScriptedServer(script(answers)) as server, TeQHallu(Kept(answered(server), file)) as judge:
        assert judge.check(GOOD).verdict is Support.UNCHECKED
        assert judge.check(GOOD).verdict is Support.FULLY


# -- the table of verdicts ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("claims", "whole"),
    [
        ([], Support.UNCHECKED),
        ([Support.FULLY, Support.FULLY], Support.FULLY),
        ([Support.FULLY, Support.UNSUPPORTED], Support.PARTIALLY),
        ([Support.UNSUPPORTED], Support.UNSUPPORTED),
        ([Support.FULLY, Support.UNCHECKED], Support.UNCHECKED),
        ([Support.UNCHECKED, Support.CONTRADICTED], Support.CONTRADICTED),
    ],
)
def test_claims_make_a_response(claims: list[Support], whole: Support) -> None:
    """The worst decides, but that some support beside none is partial."""
    assert of_claims(claims) is whole


def test_the_worse_of_two_holds() -> None:
    """In both orders, for every pair."""
    order = [Support.FULLY, Support.PARTIALLY, Support.UNSUPPORTED, Support.UNCHECKED, Support.CONTRADICTED]
    for at, one in enumerate(order):
        for other in order[: at + 1]:
            assert lowest(one, other) is lowest(other, one) is one


def test_a_turn_that_failed_is_read_with_the_next() -> None:
    """The database of the dialogue is made anew, from all turns before."""
    answers = _dialogue_model()
    first = answers["select"]
    answers["select"] = [fail(500), first]
    seen: list[Request] = []
    found = checked(_dialogue(), answers, scope=Scope.DIALOGUE, seen=seen)
    assert [each.verdict for each in found] == [Support.UNCHECKED, Support.CONTRADICTED]
    stores = [request.said_by("user") for request in seen if _STAGES[request.said_by("system")] == "store"]
    assert [sum(turn in text for turn in _TURNS) for text in stores] == [1, 3]
