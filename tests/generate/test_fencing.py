"""The fence: claims that cite what the model was shown, each held to what it cites and to nothing else."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from made_asking import Fixed
from small_kb import write_kb

from imprimatur.answer import MemoryEntry
from imprimatur.errors import ModelFailed
from imprimatur.generate import Asker, Ended, How
from imprimatur.generate.fencing import Fence
from imprimatur.oracle import Oracle
from imprimatur.policy import load
from imprimatur.tagged import TaggedClaim

ENTRIES = (MemoryEntry("m1", "Elm Brook: length: 12 km"), MemoryEntry("m2", "Elm Brook: flows through: Arden"))


@pytest.fixture(scope="module")
def brooks(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A small graph about brooks and towns."""
    return Oracle.from_folder(write_kb(tmp_path_factory.mktemp("kb")), policy="redact")


def _said(*claims: tuple[str, tuple[str, ...]], kind: str = "MEMORY") -> str:
    return json.dumps({"claims": [{"text": text, "kind": kind, "citations": list(ids)} for text, ids in claims]})


def test_a_claim_that_its_citation_says_is_answered(brooks: Oracle) -> None:
    """The model cites an item by its id; what goes out is the claim, licensed, with the prompt named."""
    model = Fixed(_said(("Elm Brook is 12 km long.", ("m1",))))
    found = Asker(brooks, model, how=How.FENCE)("How long is Elm Brook?")
    assert (found.outcome, found.text, found.licensed) == (Ended.ANSWERED, "Elm Brook is 12 km long.", True)
    assert found.trail is not None
    assert found.trail.items[0].text == "Elm Brook: length: 12,000 m"
    (prompt,) = model.prompts
    assert '"id": "m1"' in prompt.messages[1].content


@pytest.mark.parametrize(
    "said",
    [
        _said(("Elm Brook is 13 km long.", ("m1",))),
        _said(("Elm Brook is 12 km long.", ("m9",))),
        _said(("Elm Brook is definitely always 12 km long.", ("m1",)), kind="INFERENCE"),
        _said(("Elm Brook was painted by Bob.", ("m1",))),
    ],
    ids=["wrong number", "fabricated citation", "overclaim", "unsupported concept"],
)
def test_what_a_fence_rejects_is_withheld(brooks: Oracle, said: str) -> None:
    """Each kind of made-up claim of the fence's paper, although the graph itself would bear one of them out."""
    found = Asker(brooks, Fixed(said), how=How.FENCE)("How long is Elm Brook?")
    assert (found.outcome, found.text) == (Ended.WITHHELD, brooks.policy.abstention_text)


def test_one_bad_claim_does_not_take_the_good_one_away(brooks: Oracle) -> None:
    """Under a policy that redacts, the claim that stands is left."""
    said = _said(("Elm Brook is 12 km long.", ("m1",)), ("Elm Brook is 40 km long.", ("m1",)))
    found = Asker(brooks, Fixed(said), how=How.FENCE)("How long is Elm Brook?")
    assert found.outcome is Ended.ANSWERED
    assert "12 km" in found.text
    assert "40" not in found.text
    assert not found.licensed


@pytest.mark.parametrize(
    "said",
    [_said(), "no JSON at all", ModelFailed("gone"), _said(("  ", ("m1",))), _said(("Elm Brook is 12 km long.", ()))],
)
def test_no_claims_are_no_answer(brooks: Oracle, said: str | ModelFailed) -> None:
    """An empty list, what cannot be read, and a call that fails: silence with a reason."""
    found = Asker(brooks, Fixed(said), how=How.FENCE)("How long is Elm Brook?")
    assert (found.outcome, bool(found.why)) == (Ended.SILENT, True)


def test_line_breaks_make_no_second_claim(brooks: Oracle) -> None:
    """A claim over two lines is one claim with its citation, not one with and one without."""
    found = Asker(brooks, Fixed(_said(("Elm Brook is\n12 km long.", ("m1",)))), how=How.FENCE)("How long is Elm Brook?")
    assert found.text == "Elm Brook is 12 km long."


def test_the_fence_is_held_to_the_entries_alone() -> None:
    """No graph stands behind it: what no cited entry says is rejected."""
    fence = Fence(load("strict"))
    good = TaggedClaim(text="Elm Brook flows through Arden.", citations=("m2",))
    other = TaggedClaim(text="Elm Brook flows through Arden.", citations=("m1",))
    assert fence.judged((good,), ENTRIES).stands
    assert not fence.judged((other,), ENTRIES).stands


def test_several_entries_do_not_add_up_to_what_none_says() -> None:
    """The words of a claim are all in the cited lines, and no line says it."""
    fence = Fence(load("strict"))
    entries = (
        MemoryEntry("m1", "Elm Brook: stream order: 2"),
        MemoryEntry("m2", "Elm Brook: tributary of: Oak Brook"),
        MemoryEntry("m3", "Fir Brook: tributary of: Ash River"),
        MemoryEntry("m4", "Yew Brook (Ash River tributary): tributary of: Ash River"),
    )
    ids = tuple(entry.id for entry in entries)
    kinds: tuple[Literal["memory", "inference"], ...] = ("memory", "inference")
    for kind in kinds:
        wrong = TaggedClaim(text="Elm Brook is a tributary of Ash River.", kind=kind, citations=ids)
        right = TaggedClaim(text="Elm Brook is a tributary of Oak Brook.", kind=kind, citations=ids)
        assert not fence.judged((wrong,), entries).stands
        assert fence.judged((right,), entries).claims[0].citations == ("m2",)
        assert fence.judged((right,), entries).stands
