"""Outcomes of evaluations that tests show, compare and try to break."""

from __future__ import annotations

from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Curve, Figure, Kind, Matrix, Outcome, Published, Table

__all__ = ["HOSTILE", "hostile", "sample"]

_PAPER = Published(value=0.5, source="A paper, table 5", why="it counts a rejection as none")
_NAMES = ("baseline", "retrieval", "oracle")
#: What somebody might put into a file to break out of a text.
HOSTILE = "</script><img src=x onerror=\"document.title='broken'\"><!-- ' \" \u202e\u2066 \x00 \x1b[31m"


def sample(right: int = 36, *, kb: str = "ab", cases: tuple[Case, ...] | None = None) -> Outcome:
    """An outcome with something of everything; so many of 40 claims are right."""
    grave = Case(
        id="7", kind="false licence", text="Elm Brook is long.", gold="no", said="yes", evidence=("x",), grave=True
    )
    withheld = Case(id="8", kind="withheld", text="Ash Brook is short.", reasons=("not-stated", "no-property"))
    return Outcome(
        name="sample",
        title="A sample of brooks",
        command="imprimatur eval sample brooks.jsonl --seed 1",
        tables=(
            Table(
                title="Measures",
                head=("measure", "here", "claims"),
                rows=(
                    ("right", Figure.of(Share(right, 40), _PAPER), 40),
                    ("precision", Figure(value=0.25, low=0.2, high=0.3), 100),
                    ("nothing", Figure.of(Share(0, 0)), None),
                    ("time", Figure(value=1.5, unit="s"), 9),
                ),
                note="A note.",
            ),
        ),
        curves=(
            Curve(
                title="Discipline",
                kind=Kind.BARS,
                across="condition",
                up="precision",
                names=_NAMES,
                series={"AP": ((0, 0.0), (1, 0.5), (2, 1.0)), "accuracy": ((0, 0.2), (1, 0.9), (2, 0.9))},
                spread={"AP": ((0.0, 0.1), (0.4, 0.6), (0.9, 1.0))},
            ),
            Curve(
                title="Progression",
                kind=Kind.LINES,
                across="condition",
                up="accuracy",
                names=_NAMES,
                series={"accuracy": ((0, 0.2), (1, 0.9), (2, 0.9))},
            ),
            Curve(
                title="Risk",
                kind=Kind.LINES,
                across="coverage",
                up="risk",
                series={"gate": tuple((x / 100, x / 500) for x in range(100)), "stages": ((0.0, 0.0), (0.7, 0.0))},
            ),
        ),
        matrices=(
            Matrix(title="Gold by verdict", rows=("yes", "no"), columns=("yes", "no"), counts=((right, 4), (1, 9))),
            Matrix(title="Capabilities", rows=_NAMES, columns=("abstains", "cites"), counts=((0, 0), (0, 1), (1, 1))),
        ),
        cases=(withheld, grave) if cases is None else cases,
        settings={"seed": 1, "kb": "brooks"},
        sources={"brooks.jsonl": "cd" * 32, "knowledge base brooks": kb * 32},
        versions={"imprimatur": "0.1.0", "python": "3.11"},
        used={"seconds": 2.5},
        notes=("Read with care.",),
    )


def hostile(text: str = HOSTILE) -> Outcome:
    """An outcome in which every text is hostile."""
    bars = Curve(title=text, kind=Kind.BARS, across=text, up=text, names=(text,), series={text: ((0, 1.0), (7, 2.0))})
    lines = Curve(title=text, kind=Kind.LINES, across=text, up=text, series={text: ((0, -1e12), (1, 1e12)), "": ()})
    published = Published(value=0.5, source=text, why=text)
    figure = Figure(value=0.5, low=0.1, high=0.9, count=1, total=2, published=published)
    return Outcome(
        name=text,
        title=text,
        command=text,
        tables=(Table(title=text, head=(text, text), rows=((text, figure), (text, text)), note=text),),
        curves=(bars, lines),
        matrices=(Matrix(title=text, rows=(text,), columns=(text,), counts=((3,),)),),
        cases=(Case(id=text, kind=text, text=text, gold=text, said=text, reasons=(text,), evidence=(text,)),),
        settings={text: [text, {text: None}]},
        sources={text: text},
        versions={text: text},
        used={text: 1.0},
        notes=(text,),
    )
