"""The report's JSON: its schema, its exact values, and that any text survives."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from made_reports import STATEMENTS, report_of

from imprimatur.claim import Statement
from imprimatur.report import SCHEMA_VERSION, Residue
from imprimatur.report_json import dumps, report_schema, report_to_dict, statement_to_dict, value_to_dict
from imprimatur.values import Number, Quantity
from imprimatur.verdict import Label, Reason

_VALIDATOR = Draft202012Validator(report_schema())


def test_the_schema_is_valid_and_of_this_version() -> None:
    """The published schema is draft 2020-12 and speaks of the version that reports carry."""
    Draft202012Validator.check_schema(report_schema())
    assert report_schema()["properties"]["schema_version"] == {"const": SCHEMA_VERSION}


def test_the_schema_knows_every_label_and_reason() -> None:
    """Neither labels nor reasons drift away from the schema."""
    kinds = report_schema()["$defs"]
    assert set(kinds["label"]["enum"]) == set(Label)
    assert set(kinds["reason"]["enum"]) == set(Reason)


@pytest.mark.parametrize("label", list(Label))
def test_reports_fit_the_schema(label: Label) -> None:
    """A report of every label validates, and its keys come in the fixed order."""
    made = report_to_dict(report_of("The Elm is 2.5 km long.", label))
    _VALIDATOR.validate(json.loads(dumps(made)))
    order = "schema_version decision summary text segments accounting edits warnings versions"
    assert list(made) == order.split()
    assert all(type(count) is int for count in made["accounting"].values())


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements_fit_the_schema(statement: Statement) -> None:
    """Every kind of statement and value validates inside a report."""
    assert list(_VALIDATOR.iter_errors(report_to_dict(report_of("x", Label.SUPPORTED, readings=(statement,))))) == []


def test_an_unknown_key_does_not_fit_the_schema() -> None:
    """The schema is closed: nothing can ride along unnoticed."""
    made = {**report_to_dict(report_of("x", Label.SUPPORTED)), "extra": 1}
    assert not _VALIDATOR.is_valid(made)


def test_values_are_exact_strings() -> None:
    """Numbers are decimals where they terminate, else fractions; BCE years carry a sign."""
    quantity = value_to_dict(STATEMENTS[2].value)  # type: ignore[union-attr]
    assert quantity["low"] == {"value": "2.5", "step": "0.1", "significant": 2}
    assert (quantity["high"]["value"], quantity["partner"]["low"]["value"]) == ("1/3", "-16.181")
    assert (quantity["unit"], quantity["bound"], quantity["other"][0]["low"]["value"]) == ("km", "range", "25")
    assert statement_to_dict(STATEMENTS[1])["when"]["at"]["first"] == "-0384-01-01"
    day = value_to_dict(STATEMENTS[3].value)  # type: ignore[union-attr]
    assert (day["first"], day["last"]) == (None, "2020-02-29")


@settings(max_examples=80)
@given(st.fractions() | st.decimals(allow_nan=False, allow_infinity=False, places=6).map(Fraction))
def test_a_written_number_is_the_same_number(value: Fraction) -> None:
    """Reading the string back gives the value, digit for digit."""
    written = value_to_dict(Quantity(low=Number(value)))["low"]["value"]
    assert Fraction(written) == value


def test_a_huge_number_is_written_in_linear_time() -> None:
    """Beyond what decimal digits allow, the string is hexadecimal and still exact."""
    value = Fraction(10**100_000 + 1, 3)
    numerator, denominator = value_to_dict(Quantity(low=Number(value)))["low"]["value"].split("/")
    assert Fraction(int(numerator, 16), int(denominator, 16)) == value


@settings(max_examples=80)
@given(st.text(alphabet=st.characters(codec=None), max_size=30))
def test_any_answer_can_be_written_as_utf8(answer: str) -> None:
    """Lone surrogates, control characters and emoji come back as they went in."""
    made = report_to_dict(report_of(answer, Label.CONTRADICTED))
    again: dict[str, Any] = json.loads(dumps(made).encode("utf-8"))
    assert again["segments"] == json.loads(json.dumps(made["segments"]))


def test_floats_that_json_lacks_are_refused() -> None:
    """NaN never reaches a reader as invalid JSON."""
    with pytest.raises(ValueError, match="JSON compliant"):
        dumps({"x": float("nan")})


def test_residue_is_kept() -> None:
    """Residue keeps its span and whether it is hard."""
    made = report_to_dict(report_of("Elm", Label.NOT_FOUND))
    residue = Residue(0, 3, True)
    assert made["segments"][0]["residue"] == [{"start": residue.start, "end": residue.end, "hard": residue.hard}]


def test_a_report_names_the_models_that_wrote_the_answer() -> None:
    """Beside those that its verdicts depend on, each once; the report is otherwise the same."""
    report = report_of("Plain.", Label.NOT_A_CLAIM)
    named = report.written_by("tiny (1)", "prompt plain (2)").written_by("tiny (1)")
    assert named.versions.models == (*report.versions.models, "tiny (1)", "prompt plain (2)")
    said, before = report_to_dict(named), report_to_dict(report)
    assert said["versions"].pop("models") == list(named.versions.models)
    before["versions"].pop("models", None)
    assert said == before
