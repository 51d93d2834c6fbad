"""Policies: what happens to a claim of each label, how far a check may go, and who overrode what (DESIGN section 4).

Invariants: only ``supported`` and ``not_a_claim`` can be licensed, so no policy licenses what is not supported; the
abstention text always carries ``ABSTENTION_MARK``; ``narrow`` only narrows; a waiver names a person, a reason and its
last day, and never covers ``unchecked``. A policy is read by ``load`` and written back by ``resolved``: loading what
``resolved`` gives makes the same policy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import field, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from imprimatur._dataclasses import dataclass
from imprimatur.claim import Attribute, Claim, Relation
from imprimatur.config import LEAST_COVERAGE, KnowledgeBaseConfig
from imprimatur.errors import PolicyError
from imprimatur.values import TextValue
from imprimatur.verdict import Label

__all__ = [
    "ABOUT_LIMIT",
    "ABSTENTION_MARK",
    "ABSTENTION_TEXT",
    "PRESETS",
    "Action",
    "Policy",
    "PolicySource",
    "Scope",
    "WaivedStatement",
    "Waiver",
    "is_abstention",
    "lint",
    "load",
    "policy_of",
]

#: Stands in every abstention text, in whatever language the rest is.
ABSTENTION_MARK = "[imprimatur:abstained]"
ABSTENTION_TEXT = f"I can't confirm this from the evidence I have. {ABSTENTION_MARK}"
PRESETS = ("annotate", "correct", "redact", "strict")
#: The widest share by which a value called "about" may be off.
ABOUT_LIMIT = Fraction(1, 20)

PolicySource = str | Path | Mapping[str, Any]


class Action(StrEnum):
    """What happens to a claim."""

    LICENSE = "license"
    ANNOTATE = "annotate"
    REDACT = "redact"
    CORRECT = "correct"
    ABSTAIN = "abstain"


class Scope(StrEnum):
    """What the abstention text replaces: all from the first failed segment on, or the whole answer."""

    REST = "rest"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaivedStatement:
    """A statement as a triple of full IRIs; ``object`` is an IRI or the exact words of a text value."""

    subject: str
    predicate: str
    object: str

    def matches(self, claim: Claim) -> bool:
        """Whether the claim's one reading says exactly this. Negated and ambiguous claims never match."""
        if claim.negated or len(claim.readings) != 1:
            return False
        reading = claim.readings[0]
        if not isinstance(reading, Relation | Attribute) or reading.when is not None:
            return False
        if reading.subject.candidates != (self.subject,) or len(reading.predicates) != 1:
            return False
        predicate = reading.predicates[0]
        if predicate.iri != self.predicate or predicate.inverse:
            return False
        if isinstance(reading, Relation):
            return reading.object.candidates == (self.object,)
        return isinstance(reading.value, TextValue) and reading.value.text == self.object


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A label that a named person overrides for one claim, up to and including the day ``expires``.

    ``claim`` is the full text of the claim's segment (white space does not matter); ``statement`` its structured form.
    Exactly one of the two is given.
    """

    label: Label
    person: str
    reason: str
    expires: date
    claim: str | None = None
    statement: WaivedStatement | None = None

    def active(self, on: date) -> bool:
        """Whether it still counts on that day."""
        return on <= self.expires

    def covers(self, claim: Claim, segment_text: str, label: Label) -> bool:
        """Whether it is about this claim, which stands in that segment and was judged so."""
        if label is not self.label:
            return False
        if self.statement is not None:
            return self.statement.matches(claim)
        return self.claim is not None and " ".join(self.claim.split()) == " ".join(segment_text.split())

    def describe(self) -> str:
        """One line for warnings and reports."""
        what = self.claim if self.claim is not None else self.statement
        return f"waiver by {self.person} until {self.expires.isoformat()} ({self.label.value}: {what}; {self.reason})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What happens to the answer.

    Attributes:
        actions: the action for each label, in the order of ``Label``; ask through ``action``.
        soft_residue: whether soft residue withholds its segment (else it is only annotated).
        scope: what the abstention text replaces.
        rounds: how often a changed text is checked again at most.
        about: the share by which a value called "about" may be off; the knowledge base's own caps it.
        trust: the trust classes that may license.
        coverage: the share of a claim's content words that text evidence must have at least; the knowledge base's own
            is a floor.
        cite: whether a claim that memory is to support must cite its entries; else they are searched for.
        literal: whether what memory and passages are to support must be said in their own words.
        require_shapes: no licence while a shape matched no focus node.
        waivers: overrides by named persons.
    """

    name: str
    actions: tuple[tuple[Label, Action], ...]
    soft_residue: bool = True
    abstention_text: str = ABSTENTION_TEXT
    scope: Scope = Scope.REST
    rounds: int = 3
    about: Fraction = ABOUT_LIMIT
    trust: tuple[str, ...] = ("curated", "derived")
    coverage: Fraction = LEAST_COVERAGE
    cite: bool = True
    literal: bool = False
    require_shapes: bool = False
    waivers: tuple[Waiver, ...] = field(default=())

    def action(self, label: Label) -> Action:
        """What happens to a claim or segment of that label."""
        return next(action for known, action in self.actions if known is label)

    def waiver_for(self, claim: Claim, segment_text: str, label: Label, *, on: date) -> Waiver | None:
        """The waiver that overrides this verdict on that day, or None."""
        return next((w for w in self.waivers if w.active(on) and w.covers(claim, segment_text, label)), None)

    def warnings(self, on: date) -> tuple[str, ...]:
        """What every report under this policy must say: the waivers that have run out."""
        return tuple(f"ignored, because it has run out: {w.describe()}" for w in self.waivers if not w.active(on))

    def narrow(
        self,
        *,
        about: Fraction | None = None,
        trust: tuple[str, ...] | None = None,
        coverage: Fraction | None = None,
        cite: bool = False,
        literal: bool = False,
        require_shapes: bool = False,
    ) -> Policy:
        """This policy with less leeway, for one call. Raises PolicyError for anything that would widen it."""
        if about is not None and not 0 <= about <= self.about:
            raise PolicyError(f"a tolerance of {about} is wider than the policy's {self.about}", hint="only narrow it")
        if trust is not None and not set(trust) <= set(self.trust):
            hint = f"the policy trusts {', '.join(self.trust)}"
            raise PolicyError(f"trust in {', '.join(trust)} is wider than the policy's", hint=hint)
        if coverage is not None and not self.coverage <= coverage <= 1:
            message = f"a coverage of {coverage} is less than the policy's {self.coverage}"
            raise PolicyError(message, hint="only raise it, to 1 at most")
        return replace(
            self,
            about=self.about if about is None else about,
            coverage=self.coverage if coverage is None else coverage,
            cite=self.cite or cite,
            literal=self.literal or literal,
            trust=self.trust if trust is None else trust,
            require_shapes=self.require_shapes or require_shapes,
        )

    def resolved(self) -> dict[str, Any]:
        """The policy as the keys of a policy file, nothing left to a default; ``load`` takes it back."""
        return {
            "version": 1,
            "name": self.name,
            "labels": {label.value: action.value for label, action in self.actions},
            "soft_residue": "withhold" if self.soft_residue else "annotate",
            "abstention": {"text": self.abstention_text, "scope": self.scope.value},
            "rounds": self.rounds,
            "tolerance": {"about": _percent(self.about)},
            "trust": list(self.trust),
            "coverage": _percent(self.coverage),
            "citations": "required" if self.cite else "optional",
            "wording": "literal" if self.literal else "free",
            "require_shapes": self.require_shapes,
            "waivers": [_waiver_keys(waiver) for waiver in self.waivers],
        }

    @property
    def content_hash(self) -> str:
        """``sha256:`` and the hash of the resolved policy: a cache key, and what reports name."""
        return _content_hash(self)


@lru_cache(maxsize=64)
def _content_hash(policy: Policy) -> str:
    canonical = json.dumps(policy.resolved(), sort_keys=True, separators=(",", ":"), default=str)
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"


def load(source: PolicySource, *, base: Path | None = None, environ: Mapping[str, str] | None = None) -> Policy:
    """The policy that ``source`` names or is.

    Args:
        source: a preset's name, a file, or a policy's keys (an ``extends`` in it is followed).
        base: the folder that relative file names start from; the current one by default.
        environ: what ``${NAME}`` in the file refers to; the process's environment by default.

    Raises:
        PolicyError: no such preset or file, or a key or value that is not allowed.
    """
    from imprimatur.policy_file import read_policy

    return read_policy(source, base=base, environ=environ)


def policy_of(policy: PolicySource | Policy | None, config: KnowledgeBaseConfig) -> Policy:
    """The policy of a call, or else of its knowledge base, which may require shapes besides.

    Raises:
        PolicyError: the policy is wrong.
    """
    if isinstance(policy, Policy):
        return policy
    found = load(config.policy if policy is None else policy, base=config.folder)
    return replace(found, require_shapes=found.require_shapes or config.require_shapes)


def is_abstention(text: str) -> bool:
    """Whether the text is, or ends in, an abstention, under any policy."""
    return ABSTENTION_MARK in text


def lint(policy: Policy, *, on: date) -> tuple[str, ...]:
    """What is allowed but looks wrong, one sentence each."""
    found = list(policy.warnings(on))
    for label in (Label.SUPPORTED, Label.NOT_A_CLAIM):
        if policy.action(label) in (Action.REDACT, Action.CORRECT, Action.ABSTAIN):
            found.append(f"`labels.{label.value}: {policy.action(label).value}` withholds what is in order")
    for label in (Label.NOT_FOUND, Label.AMBIGUOUS, Label.UNCHECKED):
        if policy.action(label) is Action.CORRECT:
            where = "which only a model may propose (`correct:` in imprimatur.yaml)"
            found.append(f"`labels.{label.value}: correct` has no right value to put in, {where}; else it is taken out")
    if policy.action(Label.CONTRADICTED) is Action.ANNOTATE:
        found.append("`labels.contradicted: annotate` shows readers what the evidence refutes")
    if "model" in policy.trust:
        found.append("`trust` holds `model`: facts that a model made may license what a model says")
    if policy.rounds == 0 and Action.CORRECT in dict(policy.actions).values():
        found.append("`rounds: 0` never checks a corrected text again, so every correction is withheld")
    return tuple(found)


def _percent(share: Fraction) -> Any:
    from decimal import Decimal

    return format(Decimal((share * 10**11).__floor__()).scaleb(-9).normalize(), "f") + " %"


def _waiver_keys(waiver: Waiver) -> dict[str, Any]:
    keys: dict[str, Any] = {"label": waiver.label.value}
    if waiver.claim is not None:
        keys["claim"] = waiver.claim
    if waiver.statement is not None:
        statement = waiver.statement
        keys["statement"] = {name: getattr(statement, name) for name in ("subject", "predicate", "object")}
    return {**keys, "person": waiver.person, "reason": waiver.reason, "expires": waiver.expires.isoformat()}
