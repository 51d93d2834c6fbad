"""The fence measured: the published set rebuilt to its description, and the facts with their changes."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from imprimatur.errors import InputError
from imprimatur.evals import fence_described
from imprimatur.evals.fence import Fact, FenceClaim, read_facts, run, score
from imprimatur.evals.fence_changes import changed

_PUBLISHED = Path(__file__).parents[1] / "golden" / "fence" / "published.json"


def _published() -> tuple[tuple[Fact, ...], list[FenceClaim], list[dict[str, Any]]]:
    values = json.loads(_PUBLISHED.read_text(encoding="utf-8"))
    facts = tuple(Fact(id=fact["id"], text=fact["text"], claims=()) for fact in values["facts"])
    claims = [
        FenceClaim(
            text=row["text"],
            kind=f"{'inference' if row['kind'] == 'inference' else 'memory'} {row['type']}",
            good=row["good"],
            citations=tuple(row["citations"]),
        )
        for row in values["claims"]
    ]
    return facts, claims, values["claims"]


def test_published_set() -> None:
    """8 facts and 24 claims, "one half" for "one third" among them: precision and recall are 1."""
    facts, claims, rows = _published()
    kinds = Counter(row["type"] for row in rows if not row["good"])
    assert (len(facts), len(claims), sum(row["good"] for row in rows)) == (8, 24, 10)
    assert kinds == {"wrong number": 6, "fabricated citation": 3, "overclaim": 3, "unsupported concept": 2}
    found = score(facts, claims)
    assert found.wrong == []
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_facts_are_many_and_varied() -> None:
    """At least 100 facts of eight fields, and with their changes at least 600 claims of many kinds."""
    facts = read_facts()
    claims = [claim for fact in facts for claim in fact.claims]
    claims += changed(facts)
    assert len(facts) >= 100
    assert len({fact.id.partition("-")[0] for fact in facts}) >= 8
    assert len(claims) >= 600
    assert len({claim.kind for claim in claims}) >= 40
    assert len({fact.id for fact in facts}) == len(facts)


def test_a_wrong_file_is_an_error(tmp_path: Path) -> None:
    """A line that is neither fact nor claim says where it is."""
    path = tmp_path / "facts.txt"
    path.write_text("a-01 = It is so.\n? paraphrase | So it is.\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        read_facts(path)


@pytest.mark.slow
def test_facts_and_changes() -> None:
    """Of all claims none passes that must not, and most that are true pass."""
    facts = read_facts()
    claims = [claim for fact in facts for claim in fact.claims]
    claims += changed(facts)
    found = score(facts, claims)
    assert found.recall == 1
    assert found.precision >= 0.93


def test_own_facts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of one's own is judged by itself, and a claim that must not pass and does is a failure."""
    path = tmp_path / "facts.txt"
    path.write_text(
        "own-1 = The mill had 24 looms.\n+ exact | The mill had 24 looms.\n- wrong | The mill had 42 looms.\n"
    )
    assert run(as_json=False, wrong=False, path=path) == 0
    assert "1 facts, 2 claims; flagged: precision 1.000, recall 1.000" in capsys.readouterr().out
    path.write_text("own-1 = The mill had 24 looms.\n- wrong | The mill had 24 looms.\n")
    assert run(as_json=False, wrong=True, path=path) == 1


def test_facts_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file is an error that says where."""
    with pytest.raises(InputError, match="cannot be read"):
        run(as_json=False, wrong=False, path=tmp_path / "none.txt")


def test_the_described_rules_on_the_described_set() -> None:
    """By the four rules "one half" for "one third" passes, as their author found; a made-up id does not."""
    facts, claims, rows = _published()
    memory = {fact.id: fact.text for fact in facts}
    passed = [fence_described.passes(claim, memory, Fraction(1, 2)) for claim in claims]
    through = [row for row, each in zip(rows, passed) if each and not row["good"]]
    assert [row["text"] for row in through if row["type"] == "wrong number" and "half" in row["text"]]
    assert not any(row["type"] == "fabricated citation" for row in through)


def test_what_the_described_rules_see_and_do_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another number and a made-up word are seen; exchanged roles and denials (in the same forms) are not."""
    path = tmp_path / "facts.txt"
    path.write_text(
        "own-1 = Ada Holm paid Jo Tarn 40 crowns.\n+ exact | Ada Holm paid Jo Tarn 40 crowns.\n"
        "- wrong-number | Ada Holm paid Jo Tarn 50 crowns.\n- concept | A quick brown fox is there.\n"
        "- roles | Jo Tarn paid Ada Holm 40 crowns.\n- denied | Ada Holm did not pay Jo Tarn 40 crowns.\n"
    )
    assert fence_described.run(as_json=True, path=path) == 0
    measures, kinds = json.loads(capsys.readouterr().out)["tables"]
    assert {row[0]: (row[1]["count"], row[2]["count"]) for row in kinds["rows"]} == {
        "wrong-number": (0, 0),
        "concept": (0, 0),
        "roles": (1, 0),
        "denied": (1, 0),
    }
    assert [row[3]["count"] for row in measures["rows"]] == [2, 2, 1, 0]


def test_an_overclaim_is_described_for_conclusions_alone() -> None:
    """A restatement may be "guaranteed" by the four rules, a conclusion may not; without a citation nothing passes."""
    memory = {"m1": "The pump is guaranteed to run."}
    for kind, citations, passed in (
        ("paraphrase", ("m1",), True),
        ("overclaim", ("m1",), False),
        ("paraphrase", (), False),
    ):
        claim = FenceClaim(text="The pump is guaranteed to run.", kind=kind, good=False, citations=citations)
        assert fence_described.passes(claim, memory, Fraction(1, 2)) is passed
