"""The plots of an outcome as SVG: bars, lines, matrices, and figures beside published ones.

Colours are classes of the page's style, so that a plot follows light, dark and print. Invariants: every mark stands for
one number of the outcome and says it when it is pointed at (``title``); each plot has a name for screen readers, and
its numbers stand in a table beside it (``panels``); the same outcome gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from imprimatur.evals.outcome import Curve, Kind, Matrix, number
from imprimatur.evals.pages.markup import Markup, tag
from imprimatur.evals.pages.scale import Scale, scale_of

__all__ = ["Beside", "beside", "counted", "drawn", "grid", "is_capability", "legend"]

_WIDE = 720
_LEFT, _RIGHT = 200, 80
_COLOURS = 8
#: So many characters of a name have room beside a plot.
_LONG = 26
#: A line with more points than this has no dot at each.
_DOTS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A figure of ours (with the ends of its interval) beside a published one; all are shares."""

    name: str
    ours: float
    low: float | None
    high: float | None
    published: float


def drawn(curve: Curve) -> Markup:
    """A curve, as its kind says."""
    return _bars(curve) if curve.kind is Kind.BARS else _lines(curve)


def legend(curve: Curve) -> Markup:
    """Which colour and dash stands for which series; nothing for one series that is named like the axis."""
    if len(curve.series) < 2:
        return Markup("")
    items = []
    for place, name in enumerate(curve.series):
        line = tag("path", d="M1 6H23", class_=f"line {_style(place)}")
        sign = line if curve.kind is Kind.LINES else tag("rect", x=4, width=16, height=12, class_=_style(place))
        items.append(tag("li", tag("svg", sign, class_="key", viewBox="0 0 24 12", aria_hidden="true"), name))
    return tag("ul", *items, class_="legend")


def _style(place: int) -> str:
    return f"s{place % _COLOURS}"


def _svg(high: float, label: str, *parts: str, broad: bool = False) -> Markup:
    """A plot so high; a ``broad`` one scrolls on a narrow screen, for its words would not fit."""
    size = f"0 0 {_WIDE} {round(high)}"
    return tag("svg", *parts, class_="plot broad" if broad else "plot", viewBox=size, role="img", aria_label=label)


def _text(x: float, y: float, said: str, anchor: str = "start", kind: str | None = None) -> Markup:
    return tag("text", said, x=x, y=y, text_anchor=anchor, class_=kind)


def _fit(said: str, most: int) -> list[Markup | str]:
    """A name that may be too long for its place: cut, with the whole of it when it is pointed at."""
    return [said] if len(said) <= most else [tag("title", said), f"{said[: most - 1]}…"]


def _name(x: float, y: float, said: str, anchor: str = "end", most: int = _LONG) -> Markup:
    return tag("text", *_fit(said, most), x=x, y=y, text_anchor=anchor)


def _halves(name: str, most: int) -> tuple[str, ...]:
    """A name in one line, or in two where it is too long for one and has words to part."""
    words = name.split()
    if len(name) <= most or len(words) < 2:
        return (name,)
    at = min(range(1, len(words)), key=lambda n: max(len(" ".join(words[:n])), len(" ".join(words[n:]))))
    return " ".join(words[:at]), " ".join(words[at:])


def _tick(value: float) -> str:
    return f"{value:g}"


# -- bars -------------------------------------------------------------------------------------------------------------
def _bars(curve: Curve) -> Markup:
    """Lying bars, so that long names have room: one for each name and series."""
    row, gap = (18, 12) if len(curve.series) > 1 else (22, 8)
    group = row * max(1, len(curve.series)) + gap
    values = [y for points in (*curve.series.values(), *curve.spread.values()) for pair in points for y in pair[1:]]
    lows = [low for points in curve.spread.values() for low, _ in points]
    scale = scale_of([*values, *lows], _LEFT, _WIDE - _RIGHT)
    whole = max(values, default=0) > 1 and all(value.is_integer() for value in values)
    bottom = 10 + group * len(curve.names)
    parts = [*_upright(scale, 6, bottom)]
    for place, name in enumerate(curve.names):
        top = 10 + group * place
        lines = _halves(name, _LONG) if len(curve.series) > 1 else (name,)
        for line, part in enumerate(lines):
            middle = top + (group - gap) / 2 + 4 - 7 * (len(lines) - 1) + 14 * line
            parts.append(_name(_LEFT - 10, round(middle, 1), part))
        for index, (series, points) in enumerate(curve.series.items()):
            said = f"{series}, {name}" if len(curve.series) > 1 else name
            where = {int(x): at for at, (x, _) in enumerate(points)}
            if place in where:
                spread = curve.spread.get(series, ())
                ends = spread[where[place]] if where[place] < len(spread) else None
                bar = _Bar(said, points[where[place]][1], ends, whole=whole)
                parts += _bar(bar, scale, top + row * index, row - 4, _style(index))
    parts.append(_text((_LEFT + _WIDE - _RIGHT) / 2, bottom + 34, curve.up, "middle", "axis"))
    return _svg(bottom + 44, f"{curve.title}: {curve.up} by {curve.across}", *parts)


@dataclass(frozen=True, slots=True)
class _Bar:
    said: str
    value: float
    ends: tuple[float, float] | None
    whole: bool

    def __str__(self) -> str:
        return f"{self.value:.0f}" if self.whole else number(self.value)


def _bar(bar: _Bar, scale: Scale, top: float, high: float, style: str) -> Iterator[Markup]:
    zero, at = scale.at(0.0), scale.at(bar.value)
    left, wide = min(zero, at), max(abs(at - zero), 1.5)
    told = f"{bar.said}: {bar}"
    if bar.ends is not None:
        told += f" [{number(bar.ends[0])}, {number(bar.ends[1])}]"
    yield tag(
        "rect", tag("title", told), x=left, y=top, width=round(wide, 1), height=high, rx=2, class_=f"mark {style}"
    )
    end = max(at, zero)
    if bar.ends is not None:
        low, high_, middle = scale.at(bar.ends[0]), scale.at(bar.ends[1]), round(top + high / 2, 1)
        yield tag("path", d=f"M{low} {middle}H{high_}M{low} {middle - 3}v6M{high_} {middle - 3}v6", class_="whisker")
        end = max(end, high_)
    yield _text(round(end + 6, 1), round(top + high / 2 + 4, 1), str(bar), kind="value")


def _upright(scale: Scale, top: float, bottom: float) -> Iterator[Markup]:
    """The lines of a lying plot, with their values below."""
    for value in scale.ticks():
        x = scale.at(value)
        yield tag("path", d=f"M{x} {top}V{round(bottom, 1)}", class_="zero" if value == 0 else "rule")
        yield _text(x, round(bottom + 16, 1), _tick(value), "middle", "tick")


# -- lines ------------------------------------------------------------------------------------------------------------
def _lines(curve: Curve) -> Markup:
    left, right, top, bottom = 64, 24, 12, 312
    points = [point for each in curve.series.values() for point in each]
    if curve.names:
        across = Scale(-0.5, max(len(curve.names) - 0.5, 0.5), left, _WIDE - right)
    else:
        across = scale_of((x for x, _ in points), left, _WIDE - right)
    ends = [y for each in curve.spread.values() for pair in each for y in pair]
    up = scale_of([*(y for _, y in points), *ends], bottom, top, zero=False)
    parts = [*_frame(across, up, curve)]
    for place, (name, each) in enumerate(curve.series.items()):
        parts += _series(curve, name, [(across.at(x), up.at(y)) for x, y in each], place, up)
    parts.append(_text((left + _WIDE - right) / 2, bottom + 46, curve.across, "middle", "axis"))
    middle = (top + bottom) / 2
    turned = f"rotate(-90 16 {middle})"
    parts.append(tag("text", curve.up, x=16, y=middle, text_anchor="middle", transform=turned, class_="axis"))
    return _svg(bottom + 56, f"{curve.title}: {curve.up} by {curve.across}", *parts, broad=bool(curve.names))


def _frame(across: Scale, up: Scale, curve: Curve) -> Iterator[Markup]:
    left, right, bottom = across.start, across.stop, up.start
    for value in up.ticks():
        y = up.at(value)
        yield tag("path", d=f"M{left} {y}H{right}", class_="zero" if value == 0 else "rule")
        yield _text(left - 8, y + 4, _tick(value), "end", "tick")
    if curve.names:
        room = max(6, int((right - left) / max(1, len(curve.names)) / 7))
        for place, name in enumerate(curve.names):
            for line, part in enumerate(_halves(name, room)):
                yield _name(across.at(place), bottom + 16 + 14 * line, part, "middle", room)
        return
    for value in across.ticks():
        yield _text(across.at(value), bottom + 18, _tick(value), "middle", "tick")


def _series(
    curve: Curve, name: str, places: Sequence[tuple[float, float]], number_: int, up: Scale
) -> Iterator[Markup]:
    style = _style(number_)
    path = "M" + "L".join(f"{x} {y}" for x, y in places) if places else ""
    if path:
        yield tag("path", tag("title", name), d=path, class_=f"mark line {style}")
    spread = curve.spread.get(name, ())
    for (x, _), (low, high) in zip(places, spread):
        yield tag("path", d=f"M{x} {up.at(low)}V{up.at(high)}", class_="whisker")
    if len(places) <= _DOTS:
        for (x, y), (across, value) in zip(places, curve.series[name]):
            at = curve.names[int(across)] if curve.names and 0 <= int(across) < len(curve.names) else number(across)
            told = tag("title", f"{name}: {at}, {number(value)}")
            yield tag("circle", told, cx=x, cy=y, r=3.5, class_=f"mark dot {style}")


# -- matrices ---------------------------------------------------------------------------------------------------------
def is_capability(matrix: Matrix) -> bool:
    """Whether it says who can do what: nothing but 0 and 1, under names that are no verdicts of its rows."""
    small = all(count in (0, 1) for row in matrix.counts for count in row)
    return small and not {part for row in matrix.rows for part in row.split("|")} & set(matrix.columns)


def grid(matrix: Matrix) -> Markup:
    """A matrix: the darker, the more of its row; where rows are named like columns, what is right differs in colour."""
    wide = min(110.0, (_WIDE - _LEFT - 10) / max(1, len(matrix.columns)))
    long = max((len(name) for name in matrix.columns), default=0) > wide / 7.5
    top = 14 + min(max((len(name) for name in matrix.columns), default=0), 24) * 3.2 if long else 28
    capable = is_capability(matrix)
    gold = any(column in name.split("|") for name in matrix.rows for column in matrix.columns)
    parts: list[str] = []
    for place, name in enumerate(matrix.columns):
        x, y = round(_LEFT + wide * (place + 0.5), 1), round(top - 10, 1)
        if long:
            turned = f"rotate(-28 {x} {y})"
            parts.append(tag("text", *_fit(name, 24), x=x - 8, y=y, transform=turned, class_="tick"))
        else:
            parts.append(_text(x, y, name, "middle", "tick"))
    for line, (name, counts) in enumerate(zip(matrix.rows, matrix.counts)):
        y = top + 38 * line
        parts.append(_name(_LEFT - 10, round(y + 23, 1), name))
        for place, count in enumerate(counts):
            right = matrix.columns[place] in name.split("|")
            kind = "good" if right or capable else "bad" if gold else "plain"
            cell = _Square(round(_LEFT + wide * place, 1), round(y, 1), round(wide - 3, 1), name, matrix.columns[place])
            parts += _square(cell, count, count / max(1, sum(counts)), kind if count else "none", capable=capable)
    return _svg(top + 38 * len(matrix.rows) + 8, matrix.title, *parts, broad=True)


@dataclass(frozen=True, slots=True)
class _Square:
    x: float
    y: float
    wide: float
    row: str
    column: str


def _square(cell: _Square, count: int, share: float, kind: str, *, capable: bool) -> Iterator[Markup]:
    said = ("✓" if count else "–") if capable else str(count)
    told = ("yes" if count else "no") if capable else str(count)
    shade = round(0.5 if capable and count else 0.06 if not count else 0.12 + 0.43 * share, 3)
    yield tag(
        "rect",
        tag("title", f"{cell.row}, {cell.column}: {told}"),
        x=cell.x,
        y=cell.y,
        width=cell.wide,
        height=35,
        rx=4,
        fill_opacity=shade,
        class_=f"mark cell {kind}",
    )
    yield _text(cell.x + round(cell.wide / 2, 1), cell.y + 22, said, "middle", "count" if count else "count faint")


# -- counts, and figures beside published ones ------------------------------------------------------------------------
def counted(title: str, counts: Mapping[str, int]) -> Markup:
    """How often each thing is there, the most frequent first as it is given."""
    points = tuple((float(place), float(count)) for place, count in enumerate(counts.values()))
    return _bars(
        Curve(title=title, kind=Kind.BARS, across="reason", up="cases", series={title: points}, names=tuple(counts))
    )


def beside(figures: Sequence[Beside]) -> Markup:
    """Each figure of ours as a dot with its interval, and what was published of the same as a diamond."""
    scale = Scale(0.0, 1.0, _LEFT + 60, _WIDE - 24)
    bottom = 10 + 26 * len(figures)
    parts = [*_upright(scale, 6, bottom)]
    for place, each in enumerate(figures):
        y = 22 + 26 * place
        ours, theirs = scale.at(each.ours), scale.at(each.published)
        parts.append(_name(_LEFT + 50, y + 4, each.name, most=34))
        parts.append(tag("path", d=f"M{min(ours, theirs)} {y}H{max(ours, theirs)}", class_="apart"))
        if each.low is not None and each.high is not None:
            parts.append(tag("path", d=f"M{scale.at(each.low)} {y}H{scale.at(each.high)}", class_="range"))
        diamond = f"M{theirs} {y - 6}l6 6l-6 6l-6 -6z"
        told = tag("title", f"{each.name}, published: {number(each.published)}")
        parts.append(tag("path", told, d=diamond, class_="mark published"))
        told = tag("title", f"{each.name}, ours: {number(each.ours)}")
        parts.append(tag("circle", told, cx=ours, cy=y, r=4.5, class_="mark ours"))
    return _svg(bottom + 26, "Figures beside published ones", *parts, broad=True)
