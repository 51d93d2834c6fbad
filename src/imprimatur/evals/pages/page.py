"""A report: one HTML file for several outcomes, which asks for nothing else and lets nothing else be asked for.

Invariants: every number of the page stands in one of the outcomes; style and script are this package's own, the only
ones that the page's policy lets run (by their hashes), and no address can be fetched; the same outcomes give the same
bytes, so no time of day is in it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

from imprimatur.evals.outcome import Figure, Outcome, number
from imprimatur.evals.pages import panels
from imprimatur.evals.pages.markup import Markup, headline, joined, raw, tag

__all__ = ["page"]

_FOLDER = Path(__file__).parents[2] / "resources" / "pages"


def page(outcomes: Sequence[Outcome], title: str) -> str:
    """The whole page."""
    style, script = _file("report.css"), _file("report.js")
    grants = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
    policy = tag("meta", http_equiv="Content-Security-Policy", content=f"{grants}base-uri 'none'; form-action 'none'")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        policy,
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", headline(title)),
        tag("style", raw(style)),
    )
    sections = [_section(outcome, place) for place, outcome in enumerate(outcomes)]
    skip = tag("a", "To the figures", href="#figures", class_="skip")
    main = tag("main", _overview(outcomes), *sections, id="figures")
    body = tag("body", skip, _top(outcomes, title), tag("div", _contents(outcomes), main, class_="sheet"), _foot())
    return f"<!doctype html>\n{tag('html', head, joined((body, tag('script', raw(script)))), lang='en')}\n"


def _file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _grave(outcomes: Sequence[Outcome]) -> int:
    return sum(case.grave for outcome in outcomes for case in outcome.cases)


def _top(outcomes: Sequence[Outcome], title: str) -> Markup:
    grave = _grave(outcomes)
    said = f"{grave} grave {'case' if grave == 1 else 'cases'}" if grave else "No grave case"
    versions = sorted({outcome.versions["imprimatur"] for outcome in outcomes if "imprimatur" in outcome.versions})
    about = [f"{len(outcomes)} {'evaluation' if len(outcomes) == 1 else 'evaluations'}"]
    about += [f"Imprimatur {', '.join(versions)}"] if versions else []
    seal = tag(
        "svg",
        tag("circle", cx=24, cy=24, r=22),
        tag("circle", cx=24, cy=24, r=17.5),
        tag("path", d="M15.5 24.5l6 6L33 18.5"),
        class_="seal",
        viewBox="0 0 48 48",
        aria_hidden="true",
    )
    state = tag("p", said, class_="state bad" if grave else "state good")
    words = tag("div", tag("h1", headline(title)), tag("p", " · ".join(about), class_="about"))
    toggle = tag("button", "Light or dark", type="button", id="theme", hidden=True)
    return tag("header", seal, words, tag("div", state, toggle, class_="side"), class_="top")


def _contents(outcomes: Sequence[Outcome]) -> Markup:
    items = [tag("li", tag("a", headline(outcome.title), href=f"#e{place}")) for place, outcome in enumerate(outcomes)]
    return tag("nav", tag("ol", *items), aria_label="Evaluations")


def _overview(outcomes: Sequence[Outcome]) -> Markup:
    """A card for each evaluation; one alone needs none."""
    if len(outcomes) < 2:
        return Markup("")
    return tag("div", *(_card(outcome, place) for place, outcome in enumerate(outcomes)), class_="cards")


def _card(outcome: Outcome, place: int) -> Markup:
    grave = _grave((outcome,))
    state = f"{grave} grave" if grave else "no grave case"
    parts = [tag("h2", tag("a", headline(outcome.title), href=f"#e{place}"))]
    first = _first(outcome)
    if first is not None:
        name, figure = first
        said = f"{number(figure.value or 0.0)} {figure.unit}".rstrip()
        parts += [tag("p", said, class_="big"), tag("p", headline(name), class_="what")]
    parts.append(tag("p", state, class_="state bad" if grave else "state good"))
    return tag("article", *parts, class_="card")


def _first(outcome: Outcome) -> tuple[str, Figure] | None:
    """The first figure that has an interval, else the first of all, with its name."""
    found = []
    for table in outcome.tables:
        for row in table.rows:
            for head, cell in zip(table.head, row):
                if isinstance(cell, Figure) and cell.value is not None:
                    name = row[0] if isinstance(row[0], str) else table.title
                    found.append((f"{name}, {head}".strip(", "), cell))
    return next((pair for pair in found if pair[1].low is not None), found[0] if found else None)


def _section(outcome: Outcome, place: int) -> Markup:
    command = outcome.command or f"imprimatur eval {outcome.name}"
    notes = tag("div", *(tag("p", note) for note in outcome.notes), class_="notes") if outcome.notes else ""
    plots = [*map(panels.curve, outcome.curves), *map(panels.matrix, outcome.matrices), panels.reasons(outcome.cases)]
    shown = [each for each in plots if each]
    return tag(
        "section",
        tag("h2", headline(outcome.title)),
        tag("p", tag("code", command), class_="command"),
        notes,
        *map(panels.table, outcome.tables),
        tag("div", *shown, class_="plots") if shown else "",
        panels.published(outcome),
        panels.cases(outcome),
        panels.origin(outcome),
        id=f"e{place}",
        aria_label=headline(outcome.title),
    )


def _foot() -> Markup:
    said = "Made by imprimatur eval report. Intervals are at 95 %. What was published elsewhere is marked as such."
    return tag("footer", tag("p", said))
