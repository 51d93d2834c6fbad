"""Judges on torch checkpoints that are made here, with random weights or trained for a second; only from a folder.

They need the extra ``judges``; without it these tests are skipped, and the kinds are tested on ONNX models.
"""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from made_models import WORDS, write_tokenizer

from imprimatur.config import JudgeConfig
from imprimatur.errors import ConfigError
from imprimatur.judges.opening import kinds
from imprimatur.oracle import Oracle
from imprimatur.protocols import Case, Opinion
from imprimatur.verdict import Label

pytestmark = [
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("torch", "transformers")),
        reason="the extra `judges` (torch, transformers) is not installed",
    ),
    pytest.mark.filterwarnings("default"),  # those of torch and transformers are not ours
]

NAMES = ["40", "50", "900", "12"]
CASE = Case(claim="the kiln holds 40 plates", texts=("the kiln holds 40 plates",))


def bert(folder: Path, kind: str, labels: list[str], **more: Any) -> Any:
    """A tiny BERT with random weights, and its tokenizer, in a folder."""
    import torch
    import transformers

    torch.manual_seed(0)
    folder.mkdir(parents=True, exist_ok=True)
    size = write_tokenizer(folder)
    config = transformers.BertConfig(
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
        num_labels=len(labels),
        **more,
    )
    model = getattr(transformers, f"BertFor{kind}")(config).eval()
    model.save_pretrained(folder)
    return model


def weigh(folder: Path, kind: str, *cases: Case, **more: Any) -> list[Opinion]:
    """The opinions of the judge in a folder."""
    opened = kinds().get(kind)(JudgeConfig(name="made", kind=kind, path=folder, **more))
    return list(opened.judge.weigh(cases or (CASE,), seconds=60))


def test_a_trained_pair_scorer_judges_a_check(tmp_path: Path) -> None:
    """Trained on some twenty rows to compare numbers, it agrees to what has the number and lowers what has not."""
    model = bert(tmp_path / "model", "SequenceClassification", ["NO", "YES"])
    _train(model, tmp_path / "model")
    model.save_pretrained(tmp_path / "model")
    right, wrong = weigh(tmp_path / "model", "pairs", CASE, Case(claim="the kiln holds 50 plates", texts=CASE.texts))
    assert (right.label, wrong.label) == (Label.SUPPORTED, Label.NOT_FOUND)
    (tmp_path / "kiln.txt").write_text("The kiln holds 40 plates.", encoding="utf-8")
    text = "version: 1\npassages: [kiln.txt]\njudges:\n  - {kind: pairs, path: model, seconds: 60}\n"
    (tmp_path / "imprimatur.yaml").write_text(text, encoding="utf-8")
    report = Oracle.from_folder(tmp_path).check("The kiln holds 40 plates.", seconds=60)
    assert report.segments[0].label is Label.SUPPORTED
    (tmp_path / "imprimatur.yaml").write_text(text.replace("seconds: 60", "threshold: 1"), encoding="utf-8")
    assert (
        Oracle.from_folder(tmp_path).check("The kiln holds 40 plates.", seconds=60).segments[0].label is Label.NOT_FOUND
    )


def _train(model: Any, folder: Path) -> None:
    """Teaches a model that equal numbers are borne out, and others are not."""
    import torch

    from imprimatur.judges.encoding import Encoder

    encoder = Encoder.open(folder, longest=64)
    rows = [(f"the kiln holds {a} plates", f"the kiln holds {b} plates", int(a == b)) for a in NAMES for b in NAMES]
    rows += [row for row in rows if row[2]] * 2
    ids = [encoder.windows(Case(claim=claim, texts=(text,)))[0] for text, claim, _ in rows]
    given = {
        "input_ids": torch.tensor([row.ids for row in ids]),
        "token_type_ids": torch.tensor([row.types for row in ids]),
        "labels": torch.tensor([row[2] for row in rows]),
    }
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    model.train()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # more of them only wait for each other on matrices this small
    loss = model(**given).loss
    for _ in range(300):
        if loss.item() < 0.05:
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loss = model(**given).loss
    torch.set_num_threads(threads)
    model.eval()
    assert loss.item() < 0.05


def test_scores_are_those_of_the_model(tmp_path: Path) -> None:
    """The share of the second label, as the model itself gives it for the pair; alone or in a batch."""
    import torch

    from imprimatur.judges.encoding import Encoder

    model = bert(tmp_path, "SequenceClassification", ["NO", "YES"])
    encoded = Encoder.open(tmp_path, longest=64).windows(CASE)[0]
    with torch.inference_mode():
        logits = model(torch.tensor([encoded.ids]), token_type_ids=torch.tensor([encoded.types])).logits
    wanted = logits.softmax(-1)[0, 1].item()
    cases = [CASE, Case(claim="kiln", texts=("the blue kiln holds 40 plates . " * 5,)), CASE]
    alone = weigh(tmp_path, "pairs")[0]
    assert alone.score == pytest.approx(wanted, abs=1e-4)
    assert weigh(tmp_path, "pairs", *cases)[2] == alone


def test_nli_and_tokens_are_read_too(tmp_path: Path) -> None:
    """Three named labels; and a label for each token, with the marks that the threshold gives."""
    bert(tmp_path / "nli", "SequenceClassification", ["contradiction", "entailment", "neutral"])
    found = weigh(tmp_path / "nli", "nli", threshold=Fraction(0))[0]
    assert (found.label, 0 < found.score < 1) == (Label.SUPPORTED, True)
    bert(tmp_path / "tokens", "TokenClassification", ["borne out", "not borne out"])
    none = weigh(tmp_path / "tokens", "tokens", threshold=Fraction(0))[0]
    every = weigh(tmp_path / "tokens", "tokens", threshold=Fraction(1))[0]
    assert (none.label, none.marks) == (Label.SUPPORTED, ())
    assert [(mark.start, mark.end) for mark in every.marks] == [(0, len(CASE.claim))]


def test_a_modern_bert_is_read(tmp_path: Path) -> None:
    """The architecture of the token classifiers that are most in use, without types of tokens."""
    import transformers

    size = write_tokenizer(tmp_path)
    config = transformers.ModernBertConfig(
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=64,
        pad_token_id=0,
        num_labels=2,
    )
    transformers.ModernBertForTokenClassification(config).save_pretrained(tmp_path)
    found = weigh(tmp_path, "tokens", CASE, Case(claim="kiln", texts=CASE.texts))
    assert all(0 <= each.score <= 1 for each in found)


def test_a_model_that_writes_its_answer(tmp_path: Path) -> None:
    """Of an encoder with a decoder the first word counts: the share of one token beside another."""
    import torch
    import transformers

    torch.manual_seed(0)
    size = write_tokenizer(tmp_path, [*WORDS, "predict"])
    config = transformers.T5Config(
        vocab_size=size,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        decoder_start_token_id=0,
        pad_token_id=0,
    )
    model = transformers.T5ForConditionalGeneration(config).eval()
    model.save_pretrained(tmp_path)
    template = "predict : {evidence}[SEP]{claim}"
    found = weigh(tmp_path, "pairs", template=template, answers=(7, 9))[0]
    from imprimatur.judges.encoding import Encoder

    ids = Encoder.open(tmp_path, longest=64, template=template).windows(CASE)[0].ids
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([ids]), decoder_input_ids=torch.tensor([[0]])).logits[0, 0, [7, 9]]
    assert found.score == pytest.approx(logits.softmax(-1)[1].item(), abs=1e-4)


def test_nothing_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every connection refused a model is opened and asked, and the process may look at a hub afterwards."""
    from huggingface_hub import constants

    def refused(*args: object) -> None:
        raise AssertionError("a connection was made")

    bert(tmp_path, "SequenceClassification", ["NO", "YES"])
    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    assert weigh(tmp_path, "pairs")[0].label in (Label.SUPPORTED, Label.NOT_FOUND)
    assert constants.HF_HUB_OFFLINE is False


def test_weights_that_are_missing_are_not_made_up(tmp_path: Path) -> None:
    """A model without the head of its kind would judge by chance: it is refused."""
    import transformers

    size = write_tokenizer(tmp_path)
    config = transformers.BertConfig(
        vocab_size=size, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64
    )
    transformers.BertModel(config).save_pretrained(tmp_path)
    with pytest.raises(ConfigError, match="lacks 2 of the model's weights, for instance classifier"):
        weigh(tmp_path, "pairs")


def test_no_code_of_a_folder_is_run(tmp_path: Path) -> None:
    """A folder that brings code for its model is refused, and the code is not."""
    bert(tmp_path, "SequenceClassification", ["NO", "YES"])
    config = (tmp_path / "config.json").read_text(encoding="utf-8")
    told = '"model_type": "own", "auto_map": {"AutoModelForSequenceClassification": "own.Own", "AutoConfig": "own.C"}'
    (tmp_path / "config.json").write_text(config.replace('"model_type": "bert"', told), encoding="utf-8")
    (tmp_path / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="no model can be read"):
        weigh(tmp_path, "pairs")
    assert not (tmp_path / "ran").exists()


def test_a_forked_process_does_not_hang(tmp_path: Path) -> None:
    """A process that was forked after torch had worked with threads goes on with one; it has none of the others."""
    bert(tmp_path, "SequenceClassification", ["NO", "YES"])
    code = f"""
import os, sys, torch
from pathlib import Path
from imprimatur.config import JudgeConfig
from imprimatur.judges.pairs import open_judge
from imprimatur.protocols import Case
judge = open_judge(JudgeConfig(name="made", kind="pairs", path=Path({str(tmp_path)!r}))).judge
case = Case(claim="the kiln", texts=("the kiln",))
large = torch.rand(2000, 2000)
large @ large, large.exp(), judge.weigh([case], seconds=60)
child = os.fork()
if child == 0:
    judge.weigh([case], seconds=60)
    large @ large, large.exp()
    os._exit(7)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 7


def test_the_same_model_in_onnx_gives_the_same_scores(tmp_path: Path) -> None:
    """An exported checkpoint is taken in place of the torch one, and its opinions are the same."""
    import torch

    pytest.importorskip("onnx", reason="torch exports models only where onnx is installed")
    model = bert(tmp_path, "SequenceClassification", ["contradiction", "entailment", "neutral"])
    cases = [CASE, Case(claim="it is red", texts=("the blue kiln is fired at 900 degrees .",))]
    before = weigh(tmp_path, "nli", *cases)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    given = {name: torch.ones(2, 5, dtype=torch.int64) for name in names}
    torch.onnx.export(
        model,
        (),
        str(tmp_path / "model.onnx"),
        kwargs=given,
        input_names=names,
        output_names=["logits"],
        dynamic_axes={**{name: {0: "rows", 1: "tokens"} for name in names}, "logits": {0: "rows"}},
        dynamo=False,
    )
    (tmp_path / "model.safetensors").unlink()
    after = weigh(tmp_path, "nli", *cases)
    assert [each.label for each in after] == [each.label for each in before]
    assert [each.score for each in after] == pytest.approx([each.score for each in before], abs=2e-4)
