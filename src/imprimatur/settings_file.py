"""Strict reading of the YAML files that people write: ``imprimatur.yaml`` and policies.

Invariants: a file of at most 1 MB; no aliases, no duplicate keys, no tags beyond plain YAML, at most 20 levels deep;
fractional numbers arrive as ``Decimal`` and never as binary floats; every key that is not asked for is an error that
names the nearest known key. Environment references, ``${NAME}`` and ``${NAME:-default}``, are expanded in string values
only, from the mapping that is passed in (``$${`` writes a plain ``${``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.errors import UsageError, nearest

__all__ = ["MAX_BYTES", "Section", "expand", "parse", "read"]

MAX_BYTES = 1_000_000
_MAX_DEPTH = 20
_REFERENCE = expression(r"\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^${}]*))?\}|\$\{")
_KINDS: Mapping[type, str] = {
    int: "a whole number",
    Decimal: "a number",
    str: "text",
    list: "a list",
    dict: "a mapping",
}
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


def parse(text: str, *, where: str, error: type[UsageError]) -> dict[str, Any]:
    """The mapping that ``text`` holds. Raises ``error`` with the line for anything else, an empty text included."""
    try:
        _refuse_bombs(text)
        loaded = yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        line = f"{where}:{mark.line + 1}" if mark else where
        raise error(f"not valid YAML: {fault.problem or fault.context}", where=line) from fault
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError) as fault:
        raise error(f"not valid YAML: {str(fault)[:200]}", where=where) from fault
    if loaded is None:
        raise error("the file is empty", where=where, hint="its first line should be `version: 1`")
    if not isinstance(loaded, dict):
        raise error(f"expected keys and values, found {_kind(loaded)}", where=where, hint="write `key: value` lines")
    return loaded


def read(path: Path, *, error: type[UsageError], environ: Mapping[str, str]) -> dict[str, Any]:
    """The mapping that the file holds, environment references expanded. Raises ``error`` naming the file."""
    where = str(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise error(f"larger than {MAX_BYTES} bytes", where=where, hint="is this the right file?")
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise error(f"not UTF-8 text (byte {fault.start})", where=where, hint="save the file as UTF-8") from fault
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise error(f"cannot be read: {reason}", where=where, hint="check the path and its permissions") from fault
    expanded: dict[str, Any] = expand(parse(text, where=where, error=error), environ, where=where, error=error)
    return expanded


def expand(value: Any, environ: Mapping[str, str], *, where: str, error: type[UsageError]) -> Any:
    """``value`` with the environment references in all its strings replaced. Raises ``error`` for an unset name."""
    if isinstance(value, str) and "${" in value:
        return _REFERENCE.sub(lambda found: _lookup(found, environ, where, error), value)
    if isinstance(value, list):
        return [expand(item, environ, where=where, error=error) for item in value]
    if isinstance(value, dict):
        return {key: expand(item, environ, where=where, error=error) for key, item in value.items()}
    return value


def _lookup(found: re.Match[str], environ: Mapping[str, str], where: str, error: type[UsageError]) -> str:
    escaped, name, default = found.groups()
    if escaped:
        return "${"
    if name is None:
        hint = "write ${NAME} or ${NAME:-default}; $${ writes a plain ${"
        raise error("an environment reference that is not closed or not named", where=where, hint=hint)
    if name in environ:
        return environ[name]
    if default is None:
        hint = f"set it, or write ${{{name}:-default}}"
        raise error(f"the environment variable {name} is not set", where=where, hint=hint)
    return str(default)


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"the truth value {str(value).lower()} (quotes make it text)"
    return _KINDS.get(type(value), f"a {type(value).__name__}")


@dataclass(slots=True)
class Section:
    """One mapping of a settings file, read key by key; ``close`` refuses what was not asked for.

    Every getter raises ``error`` with the file and the key's path (``graph.years``) for a wrong type.
    """

    values: Mapping[str, Any]
    where: str
    error: type[UsageError]
    path: str = ""
    known: set[str] = field(default_factory=set)

    def fault(self, key: str, message: str, *, hint: str = "") -> UsageError:
        """The error for one key, to be raised by the caller."""
        return self.error(f"`{self.path}{key}`: {message}", where=self.where, hint=hint)

    def take(self, key: str) -> Any:
        """The raw value, or None when the key is absent or empty."""
        self.known.add(key)
        return self.values.get(key)

    def text(self, key: str, default: str | None = None) -> str | None:
        """A text; a number is not taken for one."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.fault(key, f"expected text, found {_kind(value)}")
        return value

    def choice(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        """One word out of ``allowed``."""
        value = self.text(key, default) or ""
        if value not in allowed:
            near = nearest(value, allowed)
            hint = f"did you mean {near!r}?" if near else ""
            raise self.fault(key, f"{value[:60]!r} is not one of {', '.join(allowed)}", hint=hint)
        return value

    def flag(self, key: str, default: bool) -> bool:
        """A truth value."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.fault(key, f"expected true or false, found {_kind(value)}")
        return value

    def integer(self, key: str, default: int, *, low: int, high: int) -> int:
        """A whole number in ``low..high``."""
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.fault(key, f"expected a whole number, found {_kind(value)}")
        if not low <= value <= high:
            raise self.fault(key, f"must lie between {low} and {high}")
        return value

    def share(self, key: str, default: Fraction, *, high: Fraction) -> Fraction:
        """An exact share, ``0.02`` or ``"2 %"``, in ``0..high``."""
        value = self.take(key)
        if value is None:
            return default
        share = _share(value)
        if share is None:
            raise self.fault(key, f"expected a share such as 0.02 or '2 %', found {_kind(value)}")
        if not 0 <= share <= high or (share * 10**9).denominator != 1:
            raise self.fault(key, f"must lie between 0 and {float(high):g}, with at most nine decimals")
        return share

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a single text is a list of one."""
        value = self.take(key)
        if value is None:
            return ()
        items = value if isinstance(value, list) else [value]
        for item in items:
            if not isinstance(item, str):
                raise self.fault(key, f"expected a list of texts, found {_kind(item)} in it")
        return tuple(items)

    def section(self, key: str) -> Section:
        """A mapping below ``key``, empty when the key is absent."""
        value = self.take(key)
        if value is None:
            value = {}
        if not isinstance(value, dict):
            raise self.fault(key, f"expected a mapping, found {_kind(value)}")
        return Section(value, self.where, self.error, path=f"{self.path}{key}.")

    def sections(self, key: str) -> tuple[Section, ...]:
        """A list of mappings below ``key``."""
        value = self.take(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fault(key, "expected a list of mappings", hint="start each entry with `- `")
        paths = (f"{self.path}{key}[{index}]." for index in range(len(value)))
        return tuple(Section(item, self.where, self.error, path=path) for item, path in zip(value, paths))

    def close(self) -> None:
        """Raises for the first key that no getter asked for, naming the nearest that one did."""
        for key in self.values:
            if key not in self.known:
                near = nearest(str(key), self.known)
                hint = f"did you mean `{near}`?" if near else f"known keys: {', '.join(sorted(self.known))}"
                raise self.fault(str(key)[:60], "unknown key", hint=hint)

    def version(self) -> None:
        """Requires ``version: 1``."""
        value = self.take("version")
        if value is None:
            raise self.error("`version` is missing", where=self.where, hint="add the line `version: 1`")
        if value != 1 or isinstance(value, bool):
            message = f"`version` is {str(value)[:20]!r}, and this release reads version 1 only"
            raise self.error(message, where=self.where, hint="write `version: 1`")


def _share(value: object) -> Fraction | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal):
        return Fraction(value)
    if isinstance(value, str) and len(value) < 30:
        found = re.fullmatch(r"\s*([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*%\s*", value)
        return Fraction(found.group(1)) / 100 if found else None
    return None
