"""Reading policies: presets, files and inline keys, with ``extends``.

The keys of a policy file, all but ``version`` optional; the rest comes from ``extends`` (``strict`` by default)::

    version: 1
    name: house rules
    extends: strict                   # a preset, or a file beside this one
    labels: {not_found: redact}       # license, annotate, redact, correct or abstain
    soft_residue: withhold            # or annotate
    abstention: {text: …, scope: rest}
    rounds: 3
    tolerance: {about: 2 %}
    trust: [curated, derived]
    wording: free                     # or literal: memory and passages support only what they say in their own words
    require_shapes: false
    waivers:
      - {label: not_found, claim: "…", person: …, reason: …, expires: 2031-01-31}

Invariants: unknown keys are errors; ``extends`` stays inside the folder, at most eight files deep, never in a circle.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

from imprimatur.config import TRUST_CLASSES, coverage
from imprimatur.errors import PolicyError, nearest
from imprimatur.policy import (
    ABOUT_LIMIT,
    ABSTENTION_MARK,
    PRESETS,
    Action,
    Policy,
    PolicySource,
    Scope,
    WaivedStatement,
    Waiver,
)
from imprimatur.settings_file import Section, expand, read
from imprimatur.verdict import Label

__all__ = ["read_policy"]

_FOLDER = Path(__file__).parent / "resources" / "policies"
_LICENSABLE = (Label.SUPPORTED, Label.NOT_A_CLAIM)
_DEPTH = 8
_START = Policy(name="strict", actions=tuple((label, Action.ABSTAIN) for label in Label))


def read_policy(source: PolicySource, *, base: Path | None, environ: Mapping[str, str] | None) -> Policy:
    """See ``imprimatur.policy.load``."""
    return _Loader(Path.cwd() if base is None else base, os.environ if environ is None else environ).load(source)


class _Loader:
    """Follows ``extends`` and remembers which files it came through."""

    def __init__(self, base: Path, environ: Mapping[str, str]) -> None:
        self.base = base
        self.environ = environ
        self.seen: list[Path] = []

    def load(self, source: PolicySource) -> Policy:
        if isinstance(source, Mapping):
            keys = expand(dict(source), self.environ, where="policy", error=PolicyError)
            return self.overlay(Section(keys, "policy", PolicyError), versioned=False)
        if isinstance(source, str) and source in PRESETS:
            return self.file(_FOLDER / f"{source}.yaml", preset=True)
        path = self.base / source
        if not _is_file(path):
            near = nearest(str(source), PRESETS)
            hint = f"did you mean {near!r}?" if near else f"give a file, or a preset: {', '.join(PRESETS)}"
            raise PolicyError("no such policy", where=str(source)[:200], hint=hint)
        return self.file(path, preset=False)

    def file(self, path: Path, *, preset: bool) -> Policy:
        if path in self.seen or len(self.seen) >= _DEPTH:
            chain = " → ".join(step.name for step in (*self.seen, path))
            raise PolicyError(f"`extends` goes in a circle or too deep: {chain}", where=str(path))
        self.seen.append(path)
        if not preset:
            self.base = path.parent
        section = Section(read(path, error=PolicyError, environ=self.environ), str(path), PolicyError)
        return self.overlay(section, versioned=True, start=_START if preset else None)

    def parent(self, section: Section) -> Policy:
        name = section.text("extends", "strict") or "strict"
        if name not in PRESETS:
            cleaned = os.path.normpath(name)
            if os.path.isabs(cleaned) or cleaned.split(os.sep)[0] == os.pardir or "\0" in name:
                raise section.fault("extends", f"{name[:100]!r} lies outside the folder", hint="put it into the folder")
            if not _is_file(self.base / cleaned):
                near = nearest(name, PRESETS)
                hint = f"did you mean {near!r}?" if near else f"presets: {', '.join(PRESETS)}"
                raise section.fault("extends", f"no preset or file is called {name[:100]!r}", hint=hint)
        return self.load(name)

    def overlay(self, section: Section, *, versioned: bool, start: Policy | None = None) -> Policy:
        """The policy of one mapping, laid over the one it extends (or over ``start``)."""
        if versioned or "version" in section.values:
            section.version()
        parent = start if start is not None else self.parent(section)
        abstention, tolerance = section.section("abstention"), section.section("tolerance")
        soft = section.choice("soft_residue", ("withhold", "annotate"), _soft(parent))
        trust = section.texts("trust") or parent.trust
        for word in trust:
            if word not in TRUST_CLASSES:
                raise section.fault("trust", f"{word[:60]!r} is not one of {', '.join(TRUST_CLASSES)}")
        made = replace(
            parent,
            name=section.text("name") or (parent.name if start or not versioned else Path(section.where).stem),
            actions=_actions(section.section("labels"), parent),
            soft_residue=soft == "withhold",
            abstention_text=_abstention(abstention, parent),
            scope=Scope(abstention.choice("scope", tuple(Scope), parent.scope)),
            rounds=section.integer("rounds", parent.rounds, low=0, high=10),
            about=tolerance.share("about", parent.about, high=ABOUT_LIMIT),
            trust=tuple(dict.fromkeys(trust)),
            coverage=coverage(section, parent.coverage),
            cite=section.choice("citations", ("required", "optional"), _citing(parent)) == "required",
            literal=section.choice("wording", ("literal", "free"), "literal" if parent.literal else "free")
            == "literal",
            require_shapes=section.flag("require_shapes", parent.require_shapes),
            waivers=(*parent.waivers, *(_waiver(entry) for entry in section.sections("waivers"))),
        )
        for part in (abstention, tolerance, section):
            part.close()
        return made


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _soft(policy: Policy) -> str:
    return "withhold" if policy.soft_residue else "annotate"


def _citing(policy: Policy) -> str:
    return "required" if policy.cite else "optional"


def _actions(section: Section, parent: Policy) -> tuple[tuple[Label, Action], ...]:
    actions = dict(parent.actions)
    for label in Label:
        action = Action(section.choice(label.value, tuple(Action), actions[label]))
        if action is Action.LICENSE and label not in _LICENSABLE:
            hint = "`annotate` lets the text pass with its label; a waiver overrides one claim in a person's name"
            raise section.fault(label.value, "is never licensed: it is not supported by evidence", hint=hint)
        actions[label] = action
    section.close()
    return tuple(actions.items())


def _abstention(section: Section, parent: Policy) -> str:
    text = section.text("text", parent.abstention_text) or parent.abstention_text
    if len(text) > 2000:
        raise section.fault("text", "longer than 2,000 characters")
    return text if ABSTENTION_MARK in text else f"{text.rstrip()} {ABSTENTION_MARK}"


def _waiver(section: Section) -> Waiver:
    label = section.choice("label", tuple(label.value for label in Label), "")
    if label in (*_LICENSABLE, Label.UNCHECKED):
        raise section.fault("label", f"{label} cannot be waived", hint="waive contradicted, not_found and the like")
    claim, statement = section.text("claim"), section.section("statement")
    if (claim is None) == (not statement.values):
        raise section.fault("claim", "give either `claim` (its text) or `statement` (its triple)")
    made = Waiver(
        label=Label(label),
        claim=claim,
        statement=_statement(statement) if claim is None else None,
        person=_needed(section, "person"),
        reason=_needed(section, "reason"),
        expires=_day(section, "expires"),
    )
    section.close()
    return made


def _statement(section: Section) -> WaivedStatement:
    made = WaivedStatement(
        subject=_needed(section, "subject"),
        predicate=_needed(section, "predicate"),
        object=_needed(section, "object"),
    )
    section.close()
    return made


def _needed(section: Section, key: str) -> str:
    value = (section.text(key) or "").strip()
    if not value:
        raise section.fault(key, "is missing", hint="a waiver names the claim, a person, a reason and its last day")
    return value


def _day(section: Section, key: str) -> date:
    value = section.take(key)
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value)
        except ValueError as fault:
            raise section.fault(key, f"{value[:40]!r} is not a day", hint="write it as 2031-01-31") from fault
    if not isinstance(value, date) or isinstance(value, datetime):
        raise section.fault(key, "expected a day", hint="write it as 2031-01-31")
    return value
