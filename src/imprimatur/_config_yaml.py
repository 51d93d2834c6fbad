"""YAML by PyYAML, with exact numbers, unique keys, no aliases and no deep nesting (see ``settings_file``).

Invariant: PyYAML is imported here only, and only for a file that is not plain (``_config_plain``).
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

import yaml

__all__ = ["MalformedYaml", "load"]

_MAX_DEPTH = 20
_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _refusal(problem: str, place: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=place.start_mark)


class _Loader(_BASE):  # type: ignore[misc]
    """Safe loading with exact numbers and unique keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _refusal("a key must be plain text", key)
            if key.value in seen:
                raise _refusal(f"the key {key.value!r} is given twice", key)
            seen.add(key.value)
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        return made


def _exact(loader: _Loader, node: yaml.ScalarNode) -> Decimal:
    text = str(loader.construct_scalar(node)).replace("_", "")
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or abs(value.adjusted()) > 30:
        raise _refusal(f"{text[:40]!r} is not a number that can be kept exactly", node)
    return value


_Loader.add_constructor("tag:yaml.org,2002:float", _exact)


def _refuse_bombs(text: str) -> None:
    """Walks the events without building anything: aliases and deep nesting end here."""
    depth = 0
    for event in yaml.parse(text, Loader=_BASE):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _refusal("anchors and aliases (& and *) are not allowed", event)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MAX_DEPTH:
            raise _refusal(f"nested more than {_MAX_DEPTH} levels deep", event)


class MalformedYaml(Exception):
    """The text is no YAML, or none that is read here; ``line`` counts from 1, and is None where it is not known."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


def load(text: str) -> object:
    """What the text holds. Raises MalformedYaml."""
    try:
        _refuse_bombs(text)
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        raise MalformedYaml(str(fault.problem or fault.context), mark.line + 1 if mark else None) from fault
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError) as fault:
        raise MalformedYaml(str(fault)[:200]) from fault
