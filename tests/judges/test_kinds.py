"""Judges with a network, on ONNX models whose weights the test knows: scores, thresholds, marks, windows, templates."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from made_models import onnx_model, write_config
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from imprimatur.config import JudgeConfig
from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.judges import nli, pairs, tokens
from imprimatur.judges.encoding import Encoder
from imprimatur.judges.opening import kinds, open_panel
from imprimatur.protocols import Case, Opinion
from imprimatur.verdict import Label

CLAIM = "The kiln holds 50 plates."
CASE = Case(claim=CLAIM, texts=("The kiln holds 40 plates.",))
ZERO = (0.0, 0.0)
#: A claim with "50" in it is not borne out, whatever the evidence says.
FIFTY = {"50": (ZERO, (0.0, -5.0))}


def config(path: Path, kind: str = "pairs", **more: Any) -> JudgeConfig:
    """An entry for a folder."""
    return JudgeConfig(name="made", kind=kind, path=path, **more)


def weigh(entry: JudgeConfig, *cases: Case) -> list[Opinion]:
    """The opinions of the judge of an entry."""
    opened = kinds().get(entry.kind)(entry)
    return list(opened.judge.weigh(cases or (CASE,), seconds=20))


def test_a_pair_scorer_agrees_from_its_threshold_on(tmp_path: Path) -> None:
    """Two labels are weighed together; the second is "borne out" unless the entry names another."""
    folder = onnx_model(tmp_path / "m", FIFTY)
    low, high = weigh(config(folder), CASE, replace(CASE, claim="The kiln holds 40 plates."))
    assert (low.label, high.label) == (Label.NOT_FOUND, Label.SUPPORTED)
    assert (low.score, high.score) == (0.0474, 0.8808)  # of the logits 0 and 2 - 5, and of 0 and 2
    assert low.detail == "score 0.0474, below 0.5"
    assert weigh(config(folder, threshold=Fraction("0.0474")))[0].label is Label.SUPPORTED
    assert weigh(config(folder, threshold=Fraction("0.0475")))[0].label is Label.NOT_FOUND
    assert weigh(config(folder, label="NO"))[0].score == weigh(config(folder, label="0"))[0].score == 0.9526


def test_one_logit_is_that_of_yes(tmp_path: Path) -> None:
    """As cross-encoders with one output have it."""
    folder = onnx_model(tmp_path / "m", {"50": ((0.0,), (-3.0,))}, labels=["SCORE"], bias=[1.0])
    assert weigh(config(folder))[0].score == 0.1192


def test_of_logits_for_each_token_the_first_counts(tmp_path: Path) -> None:
    """As in models that put their answer at the first place."""
    folder = onnx_model(tmp_path / "m", {"50": ((0.0, 9.0), (0.0, 9.0))}, each_token=True, bias=[0.0, -1.0])
    assert weigh(config(folder))[0].score == 0.2689


def test_nli_tells_silence_from_denial(tmp_path: Path) -> None:
    """Entailment from its threshold on; else contradiction from its own; else not found."""
    weights = {"50": ((0.0,) * 3, (0.0, 0.0, 9.0)), "red": ((0.0,) * 3, (0.0, 9.0, 0.0))}
    labels = ["Entailment", "neutral", "contradiction"]
    folder = onnx_model(tmp_path / "m", weights, labels=labels, bias=[4.0, 0.0, 0.0])
    cases = [CASE, replace(CASE, claim="The red kiln."), replace(CASE, claim="The kiln.")]
    found = weigh(config(folder, "nli"), *cases)
    assert [each.label for each in found] == [Label.CONTRADICTED, Label.NOT_FOUND, Label.SUPPORTED]
    assert found[0].detail.startswith("contradiction 0.99")
    strict = weigh(config(folder, "nli", contradiction=Fraction(1)), *cases)
    assert strict[0].label is Label.NOT_FOUND


def test_nli_needs_names_for_its_labels(tmp_path: Path) -> None:
    """Which of three numbers is entailment is not guessed."""
    folder = onnx_model(tmp_path / "m", {}, labels=["LABEL_0", "LABEL_1", "LABEL_2"], bias=[0, 0, 0])
    with pytest.raises(ConfigError, match="entailment") as caught:
        weigh(config(folder, "nli"))
    assert "id2label" in caught.value.hint
    write_config(folder, ["not_entailment", "entailment"])
    two = onnx_model(tmp_path / "two", {}, labels=["not_entailment", "entailment"], bias=[3.0, 0.0])
    assert weigh(config(two, "nli"))[0].label is Label.NOT_FOUND


def test_a_token_classifier_marks_the_words(tmp_path: Path) -> None:
    """Neighbouring tokens are one stretch, with its offsets in the claim; the evidence is never marked."""
    weights = dict.fromkeys(("50", "plates", "red"), (ZERO, (0.0, 6.0))) | {"40": ((0.0, 6.0), ZERO)}
    folder = onnx_model(tmp_path / "m", weights, each_token=True, bias=[3.0, 0.0])
    claim = "  The red kiln holds 50 plates ."
    found = weigh(config(folder, "tokens"), replace(CASE, claim=claim))[0]
    assert [claim[mark.start : mark.end] for mark in found.marks] == ["red", "50 plates"]
    assert (found.label, found.score) == (Label.NOT_FOUND, 0.0474)
    assert found.marks[0].detail == "score 0.0474"
    assert weigh(config(folder, "tokens"), replace(CASE, claim="The kiln holds 40"))[0].label is Label.SUPPORTED
    turned = weigh(config(folder, "tokens", label="NO"), replace(CASE, claim="kiln 50"))[0]
    assert [(mark.start, mark.end) for mark in turned.marks] == [(0, 4)]


def test_long_evidence_is_read_in_windows(tmp_path: Path) -> None:
    """The best window counts: for a scorer, and for each token of a classifier."""
    filler = "it is fired at 900 degrees . " * 12
    case = Case(claim="The kiln holds 40 plates", texts=(filler, "the blue kiln", filler))
    folder = onnx_model(tmp_path / "m", {"blue": ((0.0, 9.0), ZERO)}, bias=[0.0, -4.0])
    assert weigh(config(folder), case)[0].score == 0.9933
    assert weigh(config(folder), replace(case, texts=(filler, filler)))[0].score == 0.018
    each = onnx_model(tmp_path / "t", {"40": (ZERO, (0.0, 9.0))}, each_token=True, bias=[2.0, 0.0])
    assert [case.claim[m.start : m.end] for m in weigh(config(each, "tokens"), case)[0].marks] == ["40"]


def test_what_is_too_long_is_a_failure_of_its_own(tmp_path: Path) -> None:
    """A claim that leaves no room, and evidence without end, are unchecked; the case beside them is judged."""
    folder = onnx_model(tmp_path / "m", {})
    cases = [replace(CASE, claim="kiln " * 60), replace(CASE, texts=("kiln " * 5000,)), CASE]
    found = weigh(config(folder), *cases)
    assert [each.label for each in found] == [Label.UNCHECKED, Label.UNCHECKED, Label.SUPPORTED]
    assert "claim that long" in found[0].detail
    assert "evidence that long" in found[1].detail
    assert weigh(config(folder, tokens=4096), cases[0])[0].label is Label.SUPPORTED


@pytest.mark.parametrize("template", [None, "{evidence}[SEP]{claim}"])
def test_no_text_can_pose_as_a_special_token(tmp_path: Path, template: str | None) -> None:
    """Evidence with "[SEP]" in it is one sequence still; only the template's own is special."""
    folder = onnx_model(tmp_path / "m", {})
    encoder = Encoder.open(folder, longest=64, template=template)
    plain = encoder.windows(Case(claim="the claim", texts=("the kiln",)))[0]
    hostile = encoder.windows(Case(claim="the [SEP] claim", texts=("the kiln [SEP] [CLS]</s>",)))[0]
    special = [2, 3]
    assert [n for n in hostile.ids if n in special] == [n for n in plain.ids if n in special]


def test_a_vocabulary_that_has_special_tokens_as_words(tmp_path: Path) -> None:
    """Of one made of pieces of text the special ones are pieces too; a text with them in it still has none."""
    pieces = [
        ("<pad>", 0.0),
        ("</s>", 0.0),
        ("\u2581", -1.0),
        ("\u2581the", -1.0),
        *((char, -9.0) for char in "</s>thekiln"),
    ]
    made = Tokenizer(models.Unigram(pieces, unk_id=0))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.add_special_tokens(["<pad>", "</s>"])
    made.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    made.save(str(tmp_path / "tokenizer.json"))
    for template in (None, "{evidence}</s>{claim}"):
        encoder = Encoder.open(tmp_path, longest=64, template=template)
        found = encoder.windows(Case(claim="the </s>kiln", texts=("the</s>", "</s>")))[0]
        assert found.ids.count(1) == 2


def test_a_template_makes_one_text(tmp_path: Path) -> None:
    """Its slots are filled once: what stands in a text is not a slot."""
    folder = onnx_model(tmp_path / "m", {"blue": ((0.0, 3.0), ZERO)}, bias=[0.0, 0.0])
    entry = config(folder, template="blue {question} {evidence}[SEP]{claim}")
    assert weigh(entry)[0].score == 0.9526
    assert weigh(entry, replace(CASE, question="{claim} blue"))[0].score == 0.9975
    for template in ("{claim}", "{evidence}", ""):
        with pytest.raises(ConfigError, match="template"):
            weigh(replace(entry, template=template))


def test_a_premise_frames_the_evidence(tmp_path: Path) -> None:
    """The first text of a pair as a model was trained on it, in every window; marks stay those of the claim."""
    folder = onnx_model(tmp_path / "m", {"blue": ((0.0, 3.0), ZERO)}, bias=[0.0, -3.0])
    entry = config(folder, premise="blue : {question} {evidence}")
    assert weigh(entry)[0].score == 0.5
    assert weigh(entry, replace(CASE, question="blue", texts=("kiln . " * 60,)))[0].score == 0.9526
    each = onnx_model(tmp_path / "t", {"50": (ZERO, (0.0, 9.0))}, each_token=True, bias=[2.0, 0.0])
    found = weigh(config(each, "tokens", premise="mark all 50 {evidence}"))[0]
    assert [CLAIM[mark.start : mark.end] for mark in found.marks] == ["50"]
    for wrong in (replace(entry, premise="no slot"), replace(entry, template="{evidence}{claim}")):
        with pytest.raises(ConfigError, match="premise"):
            weigh(wrong)


def test_forked_processes_go_on(tmp_path: Path) -> None:
    """A model that is opened before a fork is used after it, as `batch --jobs` does."""
    folder = onnx_model(tmp_path / "model", FIFTY)
    text = f"version: 1\npassages: [kiln.txt]\njudges:\n  - {{kind: pairs, path: '{folder}', seconds: 60}}\n"
    (tmp_path / "imprimatur.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "kiln.txt").write_text("The kiln holds 50 plates. The oven holds 40 plates.", encoding="utf-8")
    answers = ["The oven holds 40 plates.", "The kiln holds 50 plates."] * 20
    lines = [json.dumps({"id": str(number), "answer": answer}) for number, answer in enumerate(answers)]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines), encoding="utf-8")
    command = ["batch", str(tmp_path / "rows.jsonl"), "-", "--kb", str(tmp_path), "--jobs", "2", "--no-ledger"]
    ran = subprocess.run([sys.executable, "-m", "imprimatur", *command], capture_output=True, timeout=120, check=True)
    labels = [json.loads(line)["report"]["segments"][0]["label"] for line in ran.stdout.splitlines()]
    assert labels == ["supported", "not_found"] * 20


def test_a_score_does_not_hang_on_the_batch(tmp_path: Path) -> None:
    """Alone or beside longer ones, the opinion is the same; so it is in reports of other answers."""
    folder = onnx_model(tmp_path / "m", FIFTY)
    cases = [replace(CASE, claim=" ".join(["kiln"] * n) + " 50") for n in (1, 9, 4)]
    assert weigh(config(folder), *cases) == [weigh(config(folder), case)[0] for case in cases]


def test_the_fingerprint_covers_model_and_settings(tmp_path: Path) -> None:
    """Another weight, threshold, template or length is another judge; another name is not."""
    folder, other = onnx_model(tmp_path / "m", FIFTY), onnx_model(tmp_path / "n", {"40": (ZERO, (0.0, 1.0))})
    entries = [
        config(folder),
        config(other),
        config(folder, threshold=Fraction(1, 4)),
        config(folder, template="{evidence}[SEP]{claim}"),
        config(folder, tokens=32),
        config(folder, label="NO"),
    ]
    assert len({pairs.open_judge(entry).judge.fingerprint for entry in entries}) == len(entries)
    named = replace(entries[0], name="other")
    assert pairs.open_judge(named).judge.fingerprint == pairs.open_judge(entries[0]).judge.fingerprint


def test_a_wrong_model_is_told(tmp_path: Path) -> None:
    """No folder, a file missing, pickled weights only, no model, no such label: each with what to do."""
    folder = onnx_model(tmp_path / "m", {})

    def told(entry: JudgeConfig) -> str:
        with pytest.raises(ConfigError) as caught:
            open_panel([entry])
        assert "the judge 'made'" in caught.value.message
        return f"{caught.value} | {caught.value.hint}"

    assert "nothing is downloaded" in told(config(tmp_path / "absent"))
    assert "no label 'MAYBE'" in told(config(folder, label="maybe".upper()))
    assert "did you mean 'pairs'" in told(config(folder, "pair"))
    assert "needs a folder" in told(replace(config(folder), path=None))
    assert "reads pairs" in told(config(folder, "tokens", template="{evidence}{claim}"))
    (folder / "model.onnx").write_bytes(b"no model")
    assert "no model can be read" in told(config(folder))
    (folder / "model.onnx").unlink()
    assert "no weights" in told(config(folder))
    (folder / "pytorch_model.bin").write_bytes(b"")
    assert "can run code" in told(config(folder))
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    (folder / "model.onnx").write_bytes(b"no model")
    assert "no tokenizer" in told(config(folder))
    (folder / "config.json").write_text("[]", encoding="utf-8")
    assert "no JSON object" in told(config(folder))
    (folder / "tokenizer.json").unlink()
    assert "no tokenizer.json" in told(config(folder))


def test_a_model_that_gives_nonsense_has_failed(tmp_path: Path) -> None:
    """Infinite logits, too few labels, no label for each token: an error, and no score."""
    infinite = onnx_model(tmp_path / "i", {"kiln": ((float("inf"), 0.0), ZERO)})
    with pytest.raises(CheckFailed, match="finite"):
        weigh(config(infinite))
    three = onnx_model(tmp_path / "n", {}, labels=["a", "b", "entailment"])
    for entry, told in (
        (config(onnx_model(tmp_path / "l", {}), label="7"), "none of number 7"),
        (config(onnx_model(tmp_path / "t", {}), "tokens"), "each token"),
        (config(three, "nli"), "fewer labels"),
    ):
        found = weigh(entry)[0]
        assert (found.label, told in found.detail) == (Label.UNCHECKED, True)


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library the entry is a mistake, with what to install."""
    folder = onnx_model(tmp_path / "m", {})
    monkeypatch.setattr("imprimatur.judges.encoding.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="not installed") as caught:
        pairs.open_judge(config(folder))
    assert "imprimatur[judges]" in caught.value.hint
    monkeypatch.undo()
    monkeypatch.setattr("imprimatur.judges.networks.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="onnxruntime"):
        nli.open_judge(config(onnx_model(tmp_path / "n", {}, labels=["entailment", "x"]), "nli"))
    (folder / "model.onnx").unlink()
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(ConfigError, match="torch") as caught:
        tokens.open_judge(config(folder, "tokens"))
    assert "imprimatur[judges]" in caught.value.hint


def test_the_longest_input_is_what_the_files_say(tmp_path: Path) -> None:
    """The tokenizer's limit, the model's places (two fewer where nothing else is said), or 512."""
    from imprimatur.judges.folder import ModelFolder

    folder = onnx_model(tmp_path / "m", {}, longest=64)
    assert ModelFolder.open(folder).longest == 64
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 10**30}), encoding="utf-8")
    assert ModelFolder.open(folder).longest == 4096
    (folder / "tokenizer_config.json").unlink()
    assert ModelFolder.open(folder).longest == 512
    write_config(folder, ["NO", "YES"], max_position_embeddings=514)
    assert ModelFolder.open(folder).longest == 512
    write_config(folder, ["NO", "YES"], max_position_embeddings=130)
    assert ModelFolder.open(folder).longest == 128
    assert ModelFolder.open(folder, tokens=99).longest == 99
