"""Lines of shares as a picture: plain SVG, without any library, the same bytes for the same lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Line", "drawn"]

_WIDE, _HIGH, _EDGE = 560, 340, 60
#: Colours that are told apart without seeing red from green, and dashes for who sees none.
_STYLES = (("#0072b2", ""), ("#d55e00", "6 3"), ("#009e73", "2 2"), ("#cc79a7", "8 2 2 2"))
_TICKS = 5
_LEAST = 0.02


@dataclass(frozen=True, slots=True)
class Line:
    """A name and its points, from left to right; both coordinates are shares."""

    name: str
    points: Sequence[tuple[float, float]]


def drawn(lines: Sequence[Line], *, across: str, up: str) -> str:
    """The picture: both axes from 0, the upper one as high as the highest point, a legend in the corner."""
    top = max([_LEAST, *(y for line in lines for _, y in line.points)])
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" font-family="sans-serif" '
            f'font-size="12" role="img" aria-label="{escape(up)} by {escape(across)}">',
            f'<rect width="{_WIDE}" height="{_HIGH}" fill="white"/>',
            *_axes(top, across, up),
            *(part for number, line in enumerate(lines) for part in _line(line, number, top)),
            "</svg>\n",
        )
    )


def _place(x: float, y: float, top: float) -> tuple[float, float]:
    wide, high = _WIDE - 2 * _EDGE, _HIGH - 2 * _EDGE
    return round(_EDGE + x * wide, 1), round(_HIGH - _EDGE - y / top * high, 1)


def _axes(top: float, across: str, up: str) -> Iterator[str]:
    (left, bottom), (right, upper) = _place(0, 0, top), _place(1, top, top)
    for step in range(_TICKS + 1):
        x, y = _place(step / _TICKS, step / _TICKS * top, top)
        yield f'<path d="M{left} {y}H{right}" stroke="#ddd"/>'
        yield f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{step / _TICKS * top:.3f}</text>'
        yield f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{step / _TICKS:.1f}</text>'
    yield f'<path d="M{left} {upper}V{bottom}H{right}" fill="none" stroke="black"/>'
    yield f'<text x="{(left + right) / 2}" y="{bottom + 36}" text-anchor="middle">{escape(across)}</text>'
    middle = (upper + bottom) / 2
    turned = f'transform="rotate(-90 14 {middle})"'
    yield f'<text x="14" y="{middle}" text-anchor="middle" {turned}>{escape(up)}</text>'


def _line(line: Line, number: int, top: float) -> Iterator[str]:
    colour, dash = _STYLES[number % len(_STYLES)]
    style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
    points = " ".join(f"{x},{y}" for x, y in (_place(*point, top) for point in line.points))
    x, y = _place(0.02, top, top)
    y += 18 * number - 8
    yield f'<polyline points="{points}" {style}/>'
    yield f'<path d="M{x} {y}h24" {style}/>'
    yield f'<text x="{x + 30}" y="{y + 4}">{escape(line.name)}</text>'
