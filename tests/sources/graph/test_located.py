"""Being in something and being located there are two things, and so are a place and a kind of place."""

from __future__ import annotations

import pytest

from imprimatur.oracle import Oracle
from imprimatur.verdict import Label

_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_NAMES = {"a": "Ann Marlow", "b": "Skerry Band", "c": "Holm", "d": "Bain County"}
_PROPERTIES = {"member": "member of", "location": "location", "county": "county"}
_FACTS = (("a", "member", "b"), ("c", "location", "d"))

ROWS = [
    ("Ann Marlow is a member of Skerry Band.", Label.SUPPORTED),
    ("Ann Marlow is in Skerry Band.", Label.SUPPORTED),
    ("Ann Marlow is located in Skerry Band.", Label.NOT_FOUND),
    ("Ann Marlow is situated in Skerry Band.", Label.NOT_FOUND),
    ("Ann Marlow lies in Skerry Band.", Label.NOT_FOUND),
    ("Holm is in Bain County.", Label.SUPPORTED),
    ("Holm is located in Bain County.", Label.SUPPORTED),
    ("Holm lies in Bain County.", Label.SUPPORTED),
    ("Holm sits in Bain County.", Label.SUPPORTED),
    ("The location of Holm is Bain County.", Label.SUPPORTED),
    ("The county of Holm is Bain County.", Label.NOT_FOUND),
    ("The continent of Holm is Bain County.", Label.NOT_FOUND),
    ("The province of Holm is Bain County.", Label.NOT_FOUND),
]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A member of a band, and a place in a county."""
    folder, space = tmp_path_factory.mktemp("kb"), "https://example.org/"
    named = {**_NAMES, **_PROPERTIES}
    lines = [f'<{space}{name}> {_LABEL} "{label}" .' for name, label in named.items()]
    lines += [f"<{space}{s}> <{space}{p}> <{space}{o}> ." for s, p, o in _FACTS]
    (folder / "graph.nt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\ngraph: {data: [graph.nt]}\n", encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.mark.parametrize(("text", "label"), ROWS)
def test_membership_is_no_place_and_a_place_no_county(oracle: Oracle, text: str, label: Label) -> None:
    """What is said is licensed where the property says it, and not where it says less."""
    (segment,) = oracle.check(text).segments
    assert segment.label is label
