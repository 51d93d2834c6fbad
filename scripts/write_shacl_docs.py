"""Write docs/reference/shacl.md from what the shapes compiler says of an example of each feature.

Usage: ``python scripts/write_shacl_docs.py docs/reference/shacl.md``. ``tests/sources/shacl/test_matrix.py`` fails when
the file is not what this prints.
"""

from __future__ import annotations

import sys
from pathlib import Path

from imprimatur.sources.shacl.matrix import markdown

_HEAD = """\
# SHACL: what runs how

Made by `scripts/write_shacl_docs.py` from the shapes compiler itself; a test keeps it current. `imprimatur kb info DIR
--shapes` says the same of your own shapes.

- **compiled**: the shape is read once and turned into look-ups on the graph's index. A claim is checked only at the
  focus nodes that it can change, in microseconds.
- **fallback**: pySHACL judges the shape, at the focus nodes that the claim can change where these are known, else at
  all its targets.

One feature that is not compiled makes the whole shape with the target fall back, and with `sh:expression` or `sh:js`
in the files all shapes do. Nothing is passed over.

What rules (`sh:rule`: triple rules and SPARQL rules) add is part of the graph: they run when it is loaded, each triple
keeps its rule as origin and the trust class `derived` (or that of less trusted facts it needs), and `imprimatur kb
info` counts them. A claim is judged with all that follows from it by rules. Rules of other kinds are an error.
"""
_TAIL = """
## Where this differs from pySHACL

Violations are the same, keyed by focus node, shape, path, component and value (a differential test runs thousands of
random claims through both), except where pySHACL 0.40 departs from W3C SHACL or compares by accident:

- Values that have no order (a date and a number, texts in a language, IRIs) break `sh:lessThan` and ranges, as W3C
  SHACL says; pySHACL orders them by the name of their datatype or as texts, and fails on blank nodes.
- `xsd:gYear` and `xsd:gYearMonth` are compared, also before our era and with dates, by the time they span; pySHACL
  finds every `xsd:gYear` outside every range.
- The inverse of a sequence path is walked from its end; pySHACL walks the parts in the order written.
- `sh:uniqueLang "1"^^xsd:boolean` is not the term `true` and checks nothing.
- `sh:flags` knows `s` and `x` as well as `i` and `m`.
- Language ranges match longer tags at every subtag (`en-GB` matches `en-GB-oed`).
- An empty text as focus node of a query with a repeated path is a node like any other; rdflib takes it for unbound.
- In a custom constraint component `$value` is bound whatever the value is; pySHACL leaves it unbound for 0, `false` and
  the empty text.
- Equal results are reported once.
- Recursive shapes (W3C SHACL 3.4.3 leaves them open) are judged as deeply as the data go; pySHACL takes for kept what
  lies some levels down.
- Nested shapes are judged at any depth; pySHACL fails beyond 15.

Sub-queries and groups follow rdflib where it departs from SPARQL 1.1: GROUP BY that finds no group gives one solution
that binds nothing, and a path that may be empty leads twice to a node that it also leads back to. Where rdflib lets a
variable from outside into a sub-query, so that the outcome is another than SPARQL's, the shape falls back.

## Queries that count

A query with GROUP BY and HAVING, or with aggregates in a sub-query, is run on the index like any other. Where a triple
of the query is joined to `$this`, only those focus nodes are examined that it leads to; where it is not (a count over
the whole graph), all targets are. A violation refutes a claim when further triples cannot mend it: too many values, too
great a maximum or too small a minimum. A sum, an average, an equation or too few values may be mended, so the claim is
only not supported (`constraint-incomplete`).

## Recursive shapes

A shape that refers to itself is compiled like any other, and `imprimatur kb info DIR --shapes` says that it is
recursive. Where judging a node comes back to the same shape at the same node (data that go in a circle), the outcome
would rest on itself: there nothing is assumed. A claim that touches such a focus node is `unchecked` with the shape
named, unless something breaks a shape for certain, and `imprimatur kb check` lists the node as `undecided`.

## Comparisons without an outcome

In plain SPARQL a comparison that cannot be made (`"1815-06-18"^^xsd:date < "long ago"`) drops the solution, and a
shape that looks for violations seems to be kept. Here a claim that brings in such a comparison is `unchecked`, and
`imprimatur kb check` lists it as `undecided`. The same goes for a sum or average over what is no number, and for the
greatest of values that have no order.

## Limits

Everything is bounded. A claim may touch 20,000 focus nodes and take the time that the knowledge base gives its shapes;
a pattern whose worst case is too long for backtracking is run as an automaton that reads each character once, and one
that cannot be (back-references, look-around) is not run on a long text. What pySHACL judges runs in a process of its
own, which is killed when the time is over or 2 GiB are used (where the system cannot fork processes, it is not judged).
What reaches a limit is `unchecked`, with the shape named.
"""


def page() -> str:
    """The whole page."""
    return _HEAD + markdown() + _TAIL


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
