"""The parts of a report's page: tables, plots with their numbers, cases that open, and where it all came from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from imprimatur.evals.outcome import Case, Cell, Curve, Figure, Matrix, Outcome, Table, number
from imprimatur.evals.pages.markup import Markup, clipped, headline, joined, tag
from imprimatur.evals.pages.plots import Beside, beside, counted, drawn, grid, is_capability, legend
from imprimatur.evals.pages.scale import Scale

__all__ = ["cases", "curve", "matrix", "origin", "published", "published_of", "reasons", "table"]

_MOST_CASES = 200
_FIRST_CASES = 12
_MOST_REASONS = 20
_MOST_POINTS = 500
_STRIP = Scale(0.0, 1.0, 2.0, 62.0)


# -- tables -----------------------------------------------------------------------------------------------------------
def table(shown: Table) -> Markup:
    """A table that a reader can sort by each of its columns."""
    head = [tag("th", tag("button", name or "row", type="button"), scope="col") for name in shown.head]
    rows = [tag("tr", *(_cell(cell, first=not place) for place, cell in enumerate(row))) for row in shown.rows]
    body = _grid(shown.title, tag("tr", *head), rows, kind="sortable")
    note = tag("p", shown.note, class_="note") if shown.note else ""
    return tag("div", body, note, class_="panel")


def _grid(title: str, head: str, rows: Sequence[str], kind: str | None = None) -> Markup:
    """A table in a box that scrolls by itself, also by the keyboard."""
    inner = tag("table", tag("caption", headline(title)), tag("thead", head), tag("tbody", *rows), class_=kind)
    return tag("div", inner, class_="scroll", tabindex=0, role="group", aria_label=headline(title))


def _cell(cell: Cell, *, first: bool) -> Markup:
    if isinstance(cell, Figure):
        return _figure(cell)
    said = "–" if cell is None else str(cell)
    if first:
        return tag("th", said, scope="row")
    if isinstance(cell, int):
        return tag("td", said, class_="number", data_v=cell)
    return tag("td", said, class_="nothing" if cell is None else None)


def _figure(figure: Figure) -> Markup:
    """Value, interval and counts in words, and as a strip from 0 to 1 with the published value as a tick."""
    if figure.value is None:
        return tag("td", "–", *_published_note(figure), class_="number nothing")
    parts = [*_interval(figure)]
    if figure.count is not None and figure.total is not None:
        parts.append(tag("span", f"{figure.count} of {figure.total}", class_="of"))
    parts += _published_note(figure)
    if _is_share(figure):
        parts.append(_strip(figure))
    return tag("td", *_spaced(parts), class_="number", data_v=repr(float(figure.value)))


def _spaced(parts: Iterable[Markup]) -> Iterator[str]:
    """With a space after each, at which a narrow page may break the line."""
    for part in parts:
        yield part
        yield " "


def _interval(figure: Figure) -> Iterator[Markup]:
    yield tag("span", _valued(figure), class_="value")
    if figure.low is not None and figure.high is not None:
        yield tag("span", f"[{number(figure.low)}, {number(figure.high)}]", class_="interval")


def _published_note(figure: Figure) -> Iterator[Markup]:
    if figure.published is not None:
        yield tag("span", f"published {number(figure.published.value)}", class_="paper")


def _valued(figure: Figure) -> str:
    said = "–" if figure.value is None else number(figure.value)
    return f"{said} {figure.unit}" if figure.unit else said


def _is_share(figure: Figure) -> bool:
    return not figure.unit and figure.value is not None and 0 <= figure.value <= 1


def _strip(figure: Figure) -> Markup:
    parts = [tag("path", d="M2 5H62", class_="rule")]
    if figure.low is not None and figure.high is not None:
        low, high = _STRIP.at(figure.low), _STRIP.at(figure.high)
        parts.append(tag("rect", x=low, y=3, width=max(1.0, round(high - low, 1)), height=4, rx=2, class_="range"))
    parts.append(tag("circle", cx=_STRIP.at(figure.value or 0.0), cy=5, r=3, class_="ours"))
    if figure.published is not None and 0 <= figure.published.value <= 1:
        parts.append(tag("path", d=f"M{_STRIP.at(figure.published.value)} 0V10", class_="tickmark"))
    return tag("svg", *parts, class_="strip", viewBox="0 0 64 10", preserveAspectRatio="xMinYMid", aria_hidden="true")


# -- plots ------------------------------------------------------------------------------------------------------------
def _plotted(title: str, picture: Markup, numbers: Markup, key: str = "") -> Markup:
    """A plot under its title, with its numbers for whoever wants them, or cannot see it."""
    behind = tag("details", tag("summary", "The numbers"), numbers, class_="behind")
    scrolling = tag(
        "div", picture, class_="scroll drawing", tabindex=0, role="group", aria_label=f"plot: {headline(title)}"
    )
    return tag("figure", tag("figcaption", headline(title)), key, scrolling, behind, class_="panel")


def curve(shown: Curve) -> Markup:
    """A curve with its legend and its points."""
    names = shown.names
    points = [(series, x, y) for series, each in shown.series.items() for x, y in each]
    rows = []
    for series, x, y in points[:_MOST_POINTS]:
        at = names[int(x)] if names and 0 <= int(x) < len(names) else number(x)
        cells = (tag("td", at), tag("td", number(y), class_="number"))
        rows.append(tag("tr", tag("th", series, scope="row"), *cells))
    head = tag("tr", *(tag("th", each, scope="col") for each in ("series", shown.across, shown.up)))
    left = len(points) - len(rows)
    more = tag("p", f"{left} more points stand in the outcome's file.") if left else ""
    return _plotted(shown.title, drawn(shown), joined((_grid(shown.title, head, rows), more)), legend(shown))


def matrix(shown: Matrix) -> Markup:
    """A matrix as squares, and as a table."""
    capable = is_capability(shown)
    rows = [
        tag("tr", tag("th", name, scope="row"), *(tag("td", _count(n, capable), class_="number") for n in counts))
        for name, counts in zip(shown.rows, shown.counts)
    ]
    head = tag("tr", tag("th", "row", scope="col"), *(tag("th", name, scope="col") for name in shown.columns))
    return _plotted(shown.title, grid(shown), _grid(shown.title, head, rows))


def _count(count: int, capable: bool) -> str:
    return ("yes" if count else "no") if capable else str(count)


def reasons(found: Sequence[Case]) -> Markup:
    """How many cases have each reason code; nothing where none has one."""
    counts = Counter(reason for case in found for reason in dict.fromkeys(case.reasons))
    ordered = dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_REASONS])
    if not ordered:
        return Markup("")
    rows = [tag("tr", tag("th", name, scope="row"), tag("td", str(n), class_="number")) for name, n in ordered.items()]
    head = tag("tr", tag("th", "reason", scope="col"), tag("th", "cases", scope="col"))
    return _plotted("Cases by reason", counted("cases", ordered), _grid("Cases by reason", head, rows))


# -- published figures ------------------------------------------------------------------------------------------------
def published_of(outcome: Outcome) -> list[tuple[str, Figure]]:
    """Every figure that somebody else reported too, under its row and column."""
    return [pair for each in outcome.tables for pair in _published_in(each)]


def _published_in(shown: Table) -> Iterator[tuple[str, Figure]]:
    """The published figures of a table; the column is named where several have some."""
    columns = {place for row in shown.rows for place, cell in enumerate(row) if _has_published(cell)}
    for row in shown.rows:
        name = str(row[0]) if row and not isinstance(row[0], Figure) else shown.title
        for place, cell in enumerate(row):
            if isinstance(cell, Figure) and _has_published(cell):
                yield (f"{name} · {shown.head[place]}" if len(columns) > 1 else name), cell


def _has_published(cell: Cell) -> bool:
    return isinstance(cell, Figure) and cell.published is not None


def published(outcome: Outcome) -> Markup:
    """Our figures beside published ones, drawn and in a table with the reasons; nothing where there are none."""
    found = published_of(outcome)
    if not found:
        return Markup("")
    shares = [_beside(name, figure) for name, figure in found if _is_share(figure)]
    placed = [each for each in shares if each is not None]
    names = ("figure", "here", "published", "difference", "where", "why they differ")
    head = tag("tr", *(tag("th", tag("button", name, type="button"), scope="col") for name in names))
    rows = [tag("tr", tag("th", name, scope="row"), *_beside_cells(figure)) for name, figure in found]
    title = "Beside what was published"
    listed = tag("div", _grid(title, head, rows, kind="sortable"), class_="panel wide")
    if not placed:
        return listed
    key = tag("ul", _key("ours", "here, with its 95 % interval"), _key("published", "published"), class_="legend")
    scrolling = tag("div", beside(placed), class_="scroll drawing", tabindex=0, role="group", aria_label="plot")
    return joined((tag("figure", tag("figcaption", "Here and published"), key, scrolling, class_="panel"), listed))


def _key(kind: str, said: str) -> Markup:
    sign = tag("path", d="M12 0l6 6l-6 6l-6 -6z", class_=kind)
    sign = tag("circle", cx=12, cy=6, r=4.5, class_=kind) if kind == "ours" else sign
    return tag("li", tag("svg", sign, class_="key", viewBox="0 0 24 12", aria_hidden="true"), said)


def _beside(name: str, figure: Figure) -> Beside | None:
    theirs = figure.published
    if figure.value is None or theirs is None or not 0 <= theirs.value <= 1:
        return None
    return Beside(name=name, ours=figure.value, low=figure.low, high=figure.high, published=theirs.value)


def _beside_cells(figure: Figure) -> Iterator[Markup]:
    theirs = figure.published
    assert theirs is not None
    yield tag("td", *_spaced(_interval(figure)), class_="number", data_v=figure.value)
    yield tag("td", number(theirs.value), class_="number", data_v=theirs.value)
    apart = None if figure.value is None else figure.value - theirs.value
    # What rounds to nothing is said without a sign.
    said = "–" if apart is None else number(0.0) if abs(apart) < 0.0005 else f"{apart:+.3f}".replace("-", "−")
    yield tag("td", said, class_="number", data_v=apart)
    yield tag("td", theirs.source)
    yield tag("td", theirs.why, class_="why")


# -- cases, and where it all came from --------------------------------------------------------------------------------
def cases(outcome: Outcome) -> Markup:
    """The cases, the grave ones first; each opens to what was right, what was said, and the evidence."""
    if not outcome.cases:
        return Markup("")
    ordered = sorted(outcome.cases, key=lambda case: not case.grave)
    shown = [_case(case) for case in ordered[:_MOST_CASES]]
    left = len(ordered) - len(shown)
    more = tag("p", f"{left} more stand in the outcome's file.", class_="note") if left else ""
    # The grave ones are all in sight.
    first = max(_FIRST_CASES, sum(case.grave for case in ordered))
    rest = shown[first:]
    folded = tag("details", tag("summary", f"{len(rest)} more"), *rest, more, class_="rest") if rest else more
    counts = Counter(case.kind for case in ordered)
    told = ", ".join(f"{count} × {kind}" for kind, count in counts.items())
    opening = tag("button", "Open all", type="button", class_="opening")
    return tag("div", tag("h3", "Worst cases"), tag("p", told, " ", opening, class_="note"), *shown[:first], folded)


def _case(case: Case) -> Markup:
    line = tag("span", clipped(" ".join(case.text.split()), 160), class_="line")
    verdict = clipped(" → ".join(part for part in (case.gold, case.said) if part), 80)
    short = tag("span", verdict, class_="verdict") if verdict else ""
    said = tag("summary", tag("span", case.kind, class_="kind"), tag("code", clipped(case.id, 60)), line, short)
    parts = [("text", case.text), ("right", case.gold), ("said", case.said), ("reasons", ", ".join(case.reasons))]
    listed = [part for name, value in parts if value for part in _pair(name, value)]
    if case.evidence:
        items = (tag("li", each) for each in case.evidence)
        listed += [tag("dt", "evidence"), tag("dd", tag("ul", *items))]
    return tag("details", said, tag("dl", *listed), class_="case grave" if case.grave else "case")


def _pair(name: str, value: str) -> tuple[Markup, Markup]:
    return tag("dt", name), tag("dd", value)


def origin(outcome: Outcome) -> Markup:
    """Settings and seeds, sources with their hashes, versions, and what the evaluation used."""
    used = {name: number(value) for name, value in outcome.used.items()}
    settings = {name: json.dumps(value, ensure_ascii=False) for name, value in outcome.settings.items()}
    lists = {"Settings": settings, "Sources (SHA-256)": outcome.sources, "Versions": outcome.versions, "Used": used}
    shown = [_listed(title, values) for title, values in lists.items() if values]
    if not shown:
        return Markup("")
    return tag("details", tag("summary", "Settings, sources, versions, cost"), *shown, class_="origin")


def _listed(title: str, values: Mapping[str, str]) -> Markup:
    rows = [tag("tr", tag("th", name, scope="row"), tag("td", tag("code", value))) for name, value in values.items()]
    head = tag("tr", tag("th", "name", scope="col"), tag("th", "value", scope="col"))
    return _grid(title, head, rows)
