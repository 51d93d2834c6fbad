"""Policies: presets, files, `extends`, waivers, narrowing, lint, and what must never be possible."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprimatur import policy as policies
from imprimatur.claim import Attribute, Claim, Mention, Predicate, Relation, Statement
from imprimatur.errors import PolicyError
from imprimatur.policy import ABSTENTION_MARK, PRESETS, Action, Scope, is_abstention, lint, load
from imprimatur.values import TextValue
from imprimatur.verdict import Label

_DAY = date(2030, 5, 1)
_WAIVER = {"label": "not_found", "person": "Ada Example", "reason": "seen on paper", "expires": "2030-12-31"}
_LICENSABLE = (Label.SUPPORTED, Label.NOT_A_CLAIM)


@pytest.mark.parametrize(
    ("name", "contradicted", "not_found", "soft"),
    [
        ("strict", Action.ABSTAIN, Action.ABSTAIN, True),
        ("redact", Action.REDACT, Action.REDACT, False),
        ("correct", Action.CORRECT, Action.REDACT, False),
        ("annotate", Action.ANNOTATE, Action.ANNOTATE, False),
    ],
)
def test_presets(name: str, contradicted: Action, not_found: Action, soft: bool) -> None:
    """Each preset does what its name says, and licenses only what is supported or no claim."""
    policy = load(name, environ={})
    assert policy.name == name
    assert (policy.action(Label.CONTRADICTED), policy.action(Label.NOT_FOUND)) == (contradicted, not_found)
    assert policy.soft_residue is soft
    assert [label for label, action in policy.actions if action is Action.LICENSE] == list(_LICENSABLE)
    assert tuple(label for label, _ in policy.actions) == tuple(Label)


@pytest.mark.parametrize("label", [label for label in Label if label not in _LICENSABLE])
def test_nothing_else_can_be_licensed(label: Label) -> None:
    """A policy that licenses what is not supported is refused, with the way out."""
    with pytest.raises(PolicyError, match="never licensed") as caught:
        load({"labels": {label.value: "license"}}, environ={})
    assert "waiver" in caught.value.hint


def test_a_file_extends_a_file_that_extends_a_preset(tmp_path: Path) -> None:
    """Later keys win, labels are merged one by one, and waivers add up."""
    (tmp_path / "house.yaml").write_text(
        "version: 1\nextends: redact\nlabels: {unchecked: abstain}\nrounds: 1\n"
        "waivers: [{label: not_found, claim: A, person: P, reason: R, expires: 2030-01-01}]\n"
    )
    (tmp_path / "mine.yaml").write_text(
        "version: 1\nextends: house.yaml\nlabels: {contradicted: correct}\nabstention: {text: Weiß ich nicht.}\n"
        "waivers: [{label: not_found, claim: B, person: P, reason: R, expires: '2030-01-01'}]\n"
    )
    policy = load("mine.yaml", base=tmp_path, environ={})
    actions = [policy.action(label) for label in (Label.CONTRADICTED, Label.UNCHECKED, Label.NOT_FOUND)]
    assert actions == [Action.CORRECT, Action.ABSTAIN, Action.REDACT]
    assert (policy.name, policy.rounds, [w.claim for w in policy.waivers]) == ("mine", 1, ["A", "B"])
    assert policy.abstention_text == f"Weiß ich nicht. {ABSTENTION_MARK}"


def test_extends_starts_from_the_file_that_says_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file given by an absolute or a nested path finds its neighbours."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.yaml").write_text("version: 1\nextends: b.yaml\n")
    (tmp_path / "in" / "b.yaml").write_text("version: 1\nextends: redact\nrounds: 7\n")
    assert load(tmp_path / "in" / "a.yaml", base=Path("/"), environ={}).rounds == 7
    monkeypatch.chdir(tmp_path)
    assert load("in/a.yaml", environ={}).rounds == 7


def test_extends_never_goes_in_a_circle_or_out(tmp_path: Path) -> None:
    """A circle, a way out of the folder and an absent parent are three clear errors."""
    (tmp_path / "a.yaml").write_text("version: 1\nextends: b.yaml\n")
    (tmp_path / "b.yaml").write_text("version: 1\nextends: a.yaml\n")
    with pytest.raises(PolicyError, match="circle"):
        load("a.yaml", base=tmp_path, environ={})
    with pytest.raises(PolicyError, match="outside"):
        load({"extends": "../x.yaml"}, base=tmp_path, environ={})
    with pytest.raises(PolicyError, match="no preset or file") as caught:
        load({"extends": "strct"}, base=tmp_path, environ={})
    assert "'strict'" in caught.value.hint


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"lables": {}}, "unknown key"),
        ({"labels": {"supportd": "license"}}, "unknown key"),
        ({"labels": {"not_found": "hide"}}, "is not one of"),
        ({"labels": {"not_found": True}}, "expected text"),
        ({"version": 2}, "version 1 only"),
        ({"soft_residue": "keep"}, "is not one of withhold, annotate"),
        ({"abstention": {"scope": "all"}}, "is not one of rest, answer"),
        ({"abstention": {"text": "x" * 3000}}, "longer than"),
        ({"rounds": 99}, "between 0 and 10"),
        ({"tolerance": {"about": 1000}}, "between 0 and 0.05"),
        ({"trust": ["everyone"]}, "is not one of curated"),
        ({"waivers": {}}, "list of mappings"),
        ({"waivers": [{**_WAIVER}]}, "either `claim`"),
        ({"waivers": [{**_WAIVER, "claim": "x", "person": " "}]}, "person`: is missing"),
        ({"waivers": [{**_WAIVER, "claim": "x", "expires": "soon"}]}, "is not a day"),
        ({"waivers": [{**_WAIVER, "claim": "x", "expires": None}]}, "expected a day"),
        ({"waivers": [{**_WAIVER, "claim": "x", "label": "unchecked"}]}, "cannot be waived"),
        ({"waivers": [{**_WAIVER, "claim": "x", "until": "x"}]}, "unknown key"),
        ({"waivers": [{**_WAIVER, "statement": {"subject": "s"}}]}, "predicate`: is missing"),
    ],
)
def test_wrong_policies_are_refused(keys: dict[str, Any], message: str) -> None:
    """Each mistake has its own message."""
    with pytest.raises(PolicyError, match=message):
        load(keys, environ={})


@pytest.mark.parametrize("name", ["strct", "absent.yaml", "x" * 5000, "a\0b", "."])
def test_an_unknown_policy_is_refused(name: str, tmp_path: Path) -> None:
    """A name that is neither preset nor file gets a hint."""
    with pytest.raises(PolicyError, match="no such policy") as caught:
        load(name, base=tmp_path, environ={})
    assert caught.value.hint


def _claim(*readings: Statement, negated: bool = False) -> Claim:
    return Claim(start=0, end=1, text="x", covers=(), readings=readings, negated=negated)


def test_a_waiver_by_text_covers_its_segment_and_label_only() -> None:
    """White space does not matter; another label, text or day does."""
    policy = load({"waivers": [{**_WAIVER, "claim": "The Elm  rises\nin Ohio."}]}, environ={})
    text = " The Elm rises in Ohio. "
    found = policy.waiver_for(_claim(), text, Label.NOT_FOUND, on=_DAY)
    assert found is policy.waivers[0]
    assert policy.waiver_for(_claim(), text, Label.CONTRADICTED, on=_DAY) is None
    assert policy.waiver_for(_claim(), text + "Really.", Label.NOT_FOUND, on=_DAY) is None
    assert policy.waiver_for(_claim(), text, Label.NOT_FOUND, on=date(2031, 1, 1)) is None
    assert policy.waiver_for(_claim(), text, Label.NOT_FOUND, on=date(2030, 12, 31)) is found


def test_a_waiver_by_statement_is_exact() -> None:
    """It covers the one unambiguous, affirmed reading that says the triple."""
    triple = {"subject": "ex:elm", "predicate": "ex:in", "object": "ex:ohio"}
    policy = load({"waivers": [{**_WAIVER, "statement": triple}]}, environ={})
    elm, ohio = Mention(0, 1, "Elm", ("ex:elm",)), Mention(0, 1, "Ohio", ("ex:ohio",))
    said = Relation(subject=elm, predicates=(Predicate("ex:in"),), object=ohio)
    name = Attribute(subject=elm, predicates=(Predicate("ex:in"),), value=TextValue("ex:ohio"))
    inverse = replace(said, predicates=(Predicate("ex:in", inverse=True),))
    unsure = replace(said, subject=Mention(0, 1, "Elm", ("ex:elm", "ex:elm2")))

    def covered(claim: Claim) -> bool:
        return policy.waiver_for(claim, "", Label.NOT_FOUND, on=_DAY) is not None

    assert covered(_claim(said))
    assert covered(_claim(name))
    assert not any(covered(claim) for claim in (_claim(), _claim(said, negated=True), _claim(said, said)))
    assert not any(covered(_claim(reading)) for reading in (inverse, unsure))


def test_an_expired_waiver_is_said() -> None:
    """A waiver that has run out shows in the warnings and in lint, with who gave it."""
    policy = load({"waivers": [{**_WAIVER, "claim": "x"}]}, environ={})
    assert policy.warnings(_DAY) == ()
    (warning,) = policy.warnings(date(2031, 1, 1))
    assert "Ada Example" in warning
    assert warning in lint(policy, on=date(2031, 1, 1))


def test_a_caller_only_narrows() -> None:
    """Tolerance and trust shrink for one call and never grow."""
    policy = load("strict", environ={})
    narrow = policy.narrow(about=Fraction(1, 100), trust=("curated",), require_shapes=True)
    assert (narrow.about, narrow.trust, narrow.require_shapes) == (Fraction(1, 100), ("curated",), True)
    assert narrow.narrow() == narrow
    for wider in ({"about": Fraction(1000)}, {"about": Fraction(-1)}, {"trust": ("model",)}):
        with pytest.raises(PolicyError):
            narrow.narrow(**wider)


def test_lint_names_what_looks_wrong() -> None:
    """What is allowed but odd is said; the presets but `annotate` are clean."""
    odd = {"labels": {"supported": "redact", "unchecked": "correct"}, "trust": ["curated", "model"], "rounds": 0}
    sentences = " ".join(lint(load(odd, environ={}), on=_DAY))
    assert all(part in sentences for part in ("labels.supported", "labels.unchecked", "`model`", "rounds: 0"))
    assert [name for name in PRESETS if lint(load(name, environ={}), on=_DAY)] == ["annotate"]


def test_abstention_is_detectable_in_any_language() -> None:
    """The mark is added to a text that lacks it, once."""
    for text in ("Ich weiß es nicht.", f"No. {ABSTENTION_MARK}"):
        made = load({"abstention": {"text": text, "scope": "answer"}}, environ={})
        assert made.abstention_text.count(ABSTENTION_MARK) == 1
        assert is_abstention(made.abstention_text)
        assert made.scope is Scope.ANSWER
    assert not is_abstention("I can't confirm this from the evidence I have.")


@settings(max_examples=40, deadline=None)
@given(
    labels=st.dictionaries(
        st.sampled_from([label.value for label in Label if label not in _LICENSABLE]),
        st.sampled_from(["annotate", "redact", "correct", "abstain"]),
    ),
    parent=st.sampled_from(PRESETS),
    about=st.integers(0, 50).map(lambda n: f"{n / 10} %"),
    text=st.text(min_size=1, max_size=20).filter(str.strip),
)
def test_resolved_round_trips(labels: dict[str, str], parent: str, about: str, text: str) -> None:
    """Loading what `resolved` gives makes the same policy, with the same hash."""
    keys = {"extends": parent, "labels": labels, "tolerance": {"about": about}, "abstention": {"text": text}}
    policy = load({**keys, "waivers": [{**_WAIVER, "claim": text}]}, environ={"A": ""} | {})
    again = load(policies.load(policy.resolved(), environ={}).resolved(), environ={})
    assert again == policy
    assert again.content_hash == policy.content_hash
