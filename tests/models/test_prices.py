"""What tokens cost: prices in imprimatur.yaml and on the command line, and the costs beside the tokens."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

pytest.importorskip("openai", reason="the extra `models` is not installed")

from cli_fixtures import Ran

from imprimatur.config import Price, load_folder, price_of
from imprimatur.errors import ConfigError, InputError
from imprimatur.testing import ScriptedServer, say, say_json

Shell = Callable[..., Ran]
_PRICE = Price(input=Fraction(3, 10), output=Fraction(5, 2), currency="USD")


def _model(folder: Path, price: str, url: str = "http://127.0.0.1:9/v1") -> Path:
    text = f"version: 1\nmodel: {{base_url: '{url}', name: tiny, price: {price}}}\n"
    (folder / "imprimatur.yaml").write_text(text, encoding="utf-8")
    return folder


def test_a_price_is_read_exactly(tmp_path: Path) -> None:
    """Decimals are exact, the currency may be left out, and without a price there is none."""
    model = load_folder(_model(tmp_path, "{input: 0.30, output: 2.5, currency: USD}")).model
    assert model is not None
    assert model.price == _PRICE == price_of("0.3/2.50 USD")
    free = load_folder(_model(tmp_path, "{input: 0, output: 1}")).model
    assert free is not None
    assert free.price == price_of("0/1")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\nmodel: {name: tiny}\n", encoding="utf-8")
    none = load_folder(tmp_path).model
    assert none is not None
    assert none.price is None


@pytest.mark.parametrize(
    ("price", "told"),
    [
        ("{input: 0.3}", "output"),
        ("{input: -1, output: 1}", "input"),
        ("{input: cheap, output: 1}", "input"),
        ("{input: true, output: 1}", "input"),
        ("{input: 1, output: 1, currency: dollars}", "currency"),
        ("{input: 1, output: 1, per: 1000}", "per"),
        ("0.3/2.5", "price"),
    ],
)
def test_what_is_no_price_is_refused(tmp_path: Path, price: str, told: str) -> None:
    """The key is named."""
    with pytest.raises(ConfigError, match=f"price.*{told}|{told}.*price|{told}"):
        load_folder(_model(tmp_path, price))


@pytest.mark.parametrize("written", ["", "1", "1/", "-1/2", "1/2/3", "1,5/2", "1/2 EURO", "nan/1", "1e3/2"])
def test_what_is_no_price_on_the_command_line(written: str) -> None:
    """Two plain numbers and at most a code."""
    with pytest.raises(InputError, match="is no price"):
        price_of(written)


@pytest.mark.parametrize(
    ("prompt", "completion", "cost"),
    [
        (1_000_000, 0, "0.30 USD"),
        (0, 1_000_000, "2.50 USD"),
        (9700, 600, "0.0044 USD"),
        (0, 0, "0.00 USD"),
        (1, 0, "0.00000030 USD"),
    ],
)
def test_costs(prompt: int, completion: int, cost: str) -> None:
    """A million tokens of each cost what is said, and small costs keep two digits."""
    assert _PRICE.written(_PRICE.of(prompt, completion)) == cost


def test_a_check_tells_the_cost(shell: Shell, tmp_path: Path) -> None:
    """By the knowledge base's price, by the command line's before it, and not at all without one."""
    with ScriptedServer([say("ready").using(1000, 100), say_json({"ready": True})] * 3) as server:
        kb = str(_model(tmp_path, "{input: 1, output: 2}", server.url))
        own = json.loads(shell("model", "check", "--kb", kb, "--json").out)
        over = json.loads(shell("model", "check", "--kb", kb, "--price", "10/20 EUR", "--json").out)
        named = ("--base-url", server.url, "--model", "tiny")
        none = json.loads(shell("model", "check", *named, "--json").out)
    assert (own["tokens"], own["cost"], over["cost"]) == (1100, "0.0012", "0.012 EUR")
    assert "cost" not in none
