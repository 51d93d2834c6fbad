#!/usr/bin/env python3
"""Judge random claims over random shapes by the compiled engine and by pySHACL, and print every difference.

Each shapes graph has its own seed, counted from ``--seed``, so that a difference can be made again alone. The exit
status is 1 when there is any difference in keyed violations of G, G with the claim, or G without it, or when a focus
node that a claim changes was not said to be affected.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "sources" / "shacl"))

import comparing
from fuzzing import random_shapes
from fuzzing_composed import random_compositions
from fuzzing_queries import random_queries

_DRAWS = {"shapes": random_shapes, "queries": random_queries, "compositions": random_compositions}


def one(seed: int, claims: int, seen: Counter[str], draw: str) -> list[str]:
    """The differences of one shapes graph with its claims; counts components into ``seen``."""
    with tempfile.TemporaryDirectory() as folder:
        found = comparing.differences(Path(folder), seed, claims=claims, seen=seen, draw=_DRAWS[draw])
        return [f"seed {seed}: {each}" for each in found]


def main() -> int:
    """Run and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--shapes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--draw",
        choices=sorted(_DRAWS),
        default="shapes",
        help="shapes of all kinds, of queries, or of queries put together without regard to sense",
    )
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)  # rdflib reports each ill-typed literal
    seen: Counter[str] = Counter()
    found: list[str] = []
    begun = time.perf_counter()
    for seed in range(given.seed, given.seed + given.shapes):
        found += one(seed, -(-given.claims // given.shapes), seen, given.draw)
    for difference in found:
        print(difference)
    for name, number in sorted(seen.items()):
        print(f"{number:8} {name}")
    print(f"{len(found)} differences, {time.perf_counter() - begun:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
