"""``python -m imprimatur.retrieve.query_child``: answers queries over the triples on standard input, one a line.

Runs alone, on a copy of the graph, with a limit of memory that the system enforces where it can; whoever started it
ends it when a query takes too long. First the triples as N-Triples, then a line ``END``; then for each line ``{query,
rows}`` one line ``{truth}``, ``{variables, rows}`` (terms as N-Triples) or ``{fault}``.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import IO, Any

import pyoxigraph as ox

__all__ = ["answer", "load", "main"]


def load(lines: Iterable[bytes]) -> ox.Store:
    """A store of the triples up to the line ``END``."""
    held = bytearray()
    for line in lines:
        if line == b"END\n":
            break
        held += line
    store = ox.Store()
    store.bulk_load(bytes(held), format=ox.RdfFormat.N_TRIPLES)
    return store


def answer(store: ox.Store, query: str, rows: int) -> dict[str, Any]:
    """What a query gives, at most so many rows."""
    try:
        found = store.query(query)
        if isinstance(found, ox.QueryBoolean):
            return {"truth": bool(found)}
        if not isinstance(found, ox.QuerySolutions):
            return {"fault": "only SELECT and ASK are answered"}
        names = [each.value for each in found.variables]
        listed = [[None if (term := row[name]) is None else str(term) for name in names] for row in islice(found, rows)]
        return {"variables": names, "rows": listed}
    except (SyntaxError, ValueError, RuntimeError, OSError) as fault:
        return {"fault": " ".join(str(fault).split())[:300]}


def main(args: Sequence[str], source: IO[bytes], target: IO[str]) -> int:
    """Answers until standard input ends."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (int(args[0]), int(args[0])))
    store = load(source)
    print("{}", file=target, flush=True)
    for line in source:
        asked = json.loads(line)
        print(json.dumps(answer(store, asked["query"], asked["rows"])), file=target, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin.buffer, sys.stdout))
