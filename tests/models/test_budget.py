"""Budgets: calls and tokens, over several questions and threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from imprimatur.answer import Message
from imprimatur.config import ModelConfig, ModelLimits
from imprimatur.errors import ConfigError, LimitExceeded, ModelFailed
from imprimatur.models.asking import Completion, Prompt, Usage
from imprimatur.models.budget import Budget, Budgeted
from imprimatur.models.opening import open_model
from imprimatur.testing import ScriptedServer, say
from imprimatur.testing.models import ScriptedModel as Told

PROMPT = Prompt(messages=(Message("user", "x" * 40),))


def said(tokens: int) -> Completion:
    """An answer for which the server counts so many tokens, ten of them for the prompt."""
    return Completion(text="Yes.", usage=Usage(10, tokens - 10))


def test_calls_are_counted() -> None:
    """The one that is too many is not made; failed ones count too."""
    told = Told("one", ModelFailed("status 500"), "three")
    model = Budgeted(told, Budget(calls=2))
    model.complete(PROMPT)
    with pytest.raises(ModelFailed):
        model.complete(PROMPT)
    with pytest.raises(LimitExceeded, match="budget of 2 calls") as caught:
        model.complete(PROMPT)
    assert (len(told.prompts), "limits.calls" in caught.value.hint) == (2, True)


def test_tokens_are_counted_and_cap_the_answer() -> None:
    """As the server counts them; the longest answer is what is left."""
    told = Told(said(60), said(30), "never")
    budget = Budget(tokens=100)
    model = Budgeted(told, budget, answer_tokens=80)
    model.complete(PROMPT)
    model.complete(PROMPT)
    assert ([prompt.tokens for prompt in told.prompts], budget.used_tokens) == ([80, 30], 90)
    with pytest.raises(LimitExceeded, match="100 tokens"):
        model.complete(PROMPT)


def test_length_stands_for_tokens_where_they_are_not_told() -> None:
    """Prompt and answer, a token for four characters."""
    budget = Budget(tokens=1000)
    Budgeted(Told("y" * 20), budget).complete(PROMPT)
    assert budget.used_tokens == 15


def test_streams_are_charged() -> None:
    """Whole ones as told, those that are given up as far as they came."""
    budget = Budget(tokens=1000, calls=2)
    model = Budgeted(Told(said(50), "y" * 80), budget)
    stream = model.stream(PROMPT)
    assert ("".join(stream), budget.used_tokens) == ("Yes.", 50)
    stream = model.stream(PROMPT)
    texts = iter(stream)
    assert [next(texts) for _ in range(8)] == ["y"] * 8
    stream.close()
    assert budget.used_tokens == 50 + 10 + 2
    with pytest.raises(LimitExceeded):
        list(model.stream(PROMPT))


def test_threads_share_a_budget() -> None:
    """Of forty calls at once, exactly those are made for which there is a budget."""
    told = Told(*["Yes."] * 40)
    model = Budgeted(told, Budget(calls=25))

    def asked(_: int) -> bool:
        try:
            model.complete(PROMPT)
        except LimitExceeded:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(asked, range(40))) == 25


def test_a_configuration_s_limits_are_the_budget() -> None:
    """Opened with ``limits``, or with a budget that the caller shares."""
    with ScriptedServer(say("Yes.").using(5, 5)) as server:
        config = ModelConfig(base_url=server.url, name="tiny", limits=ModelLimits(calls=1, answer_tokens=9))
        model = open_model(config)
        model.complete(PROMPT)
        with pytest.raises(LimitExceeded):
            model.complete(PROMPT)
        shared = Budget(tokens=30)
        assert open_model(config, shared).complete(PROMPT).text == "Yes."
    assert (shared.used_tokens, server.requests[0].body["max_tokens"]) == (10, 9)


def test_no_model_is_a_mistake() -> None:
    """The hint says what to give."""
    with pytest.raises(ConfigError, match="no model is configured") as caught:
        open_model(ModelConfig())
    assert "base_url" in caught.value.hint
