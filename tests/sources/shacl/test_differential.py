"""The compiled engine and pySHACL find the same keyed violations of a graph, with a claim and without one."""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from comparing import Case, differences
from fuzzing import random_shapes, random_triple, random_triples

from imprimatur.sources.graph.shapes import Engine, Shapes, Triple


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


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(15, 23))
def test_blame_agrees(seed: int, tmp_path: Path) -> None:
    """Both engines blame a claim for the same violations, take them alike for conflicts, and so for three claims."""
    rng = random.Random(seed)
    triples = random_triples(rng, 30)
    case = Case(tmp_path, triples, random_shapes(rng))
    engines: tuple[Engine, Engine] = ("compiled", "pyshacl")
    compiled, reference = (Shapes.load(case.graph, [tmp_path / "shapes.ttl"], engine=engine) for engine in engines)

    def found(shapes: Shapes, *claims: str) -> set[tuple[object, ...]]:
        split: list[list[Triple]] = []
        for claim in claims:
            subject, predicate, object_ = claim.split(" ", 2)
            split.append([(subject, predicate, object_)])
        return {
            (number, v.focus, v.shape, v.path, v.component, v.value, v.conflict) for number, v in shapes.joint(split)
        }

    for claims in ([random_triple(rng)], [rng.choice(triples)], [random_triple(rng) for _ in range(3)]):
        assert found(compiled, *claims) == found(reference, *claims)
