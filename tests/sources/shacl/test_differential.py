"""The compiled engine and pySHACL find the same keyed violations of a graph, with a claim and without one."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from fuzzing import differences


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """rdflib reports each ill-typed literal."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(100, 112))
def test_random_claims(seed: int, tmp_path: Path) -> None:
    """No difference, and every focus node that a claim changes is among those affected."""
    assert list(differences(tmp_path, seed, claims=8, seen=Counter())) == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_many_random_claims(tmp_path: Path) -> None:
    """As before, over many shapes, which between them break every component of SHACL Core."""
    seen: Counter[str] = Counter()
    for seed in range(20_001, 20_091):
        folder = tmp_path / str(seed)
        folder.mkdir()
        assert list(differences(folder, seed, claims=20, seen=seen)) == []
    broken = {name.removesuffix("ConstraintComponent") for name in seen if not name.startswith("(")}
    assert {"Class", "Datatype", "NodeKind", "MinCount", "MaxCount", "MinExclusive", "MaxInclusive"} <= broken
    assert {"MinLength", "MaxLength", "Pattern", "LanguageIn", "UniqueLang", "Equals", "Disjoint"} <= broken
    assert {"LessThan", "Not", "And", "Or", "Xone", "Node", "QualifiedMinCount", "QualifiedMaxCount"} <= broken
    assert {"Closed", "HasValue", "In", "SPARQL"} <= broken
