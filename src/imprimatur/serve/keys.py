"""The gateway's keys: who may use which knowledge base, under which policies, and what of the evidence they see.

    version: 1
    keys:
      - name: intranet                  # shows in metrics and logs
        sha256: 9f86d0…                 # of the key; the key itself stands nowhere
        knowledge_bases: [rivers]       # all by default
        policies: [strict, redact]      # besides the knowledge base's own
        evidence: none                  # full (the default) | labels | none

Invariants: only hashes are kept; a key is compared in constant time with every hash, so that the time tells nothing;
what a key may not see never reaches its reports.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from imprimatur.errors import ConfigError
from imprimatur.settings_file import Section, read

__all__ = ["ANYONE", "Holder", "Keys", "new_key"]

_HASH = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_EVIDENCE = ("full", "labels", "none")
_PREFIX = "imp-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who calls, and what it may.

    Attributes:
        knowledge_bases: the names of those that it may use; None for all.
        policies: the presets that it may ask for besides the knowledge base's own.
        evidence: what its reports show: everything, only labels and reasons, or no report at all.
    """

    name: str
    knowledge_bases: tuple[str, ...] | None = None
    policies: tuple[str, ...] = ()
    evidence: str = "full"

    def may_use(self, knowledge_base: str) -> bool:
        """Whether it may use a knowledge base."""
        return self.knowledge_bases is None or knowledge_base in self.knowledge_bases

    def shown(self, report: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """A report as it may see it; None where it may see none."""
        if self.evidence == "full":
            return report
        return _bare(report) if self.evidence == "labels" else None


#: What of a claim tells what the sources hold, left empty.
_UNTOLD: Mapping[str, Any] = {"evidence": [], "candidates": [], "clarify": None, "findings": [], "statement": None}
#: Whoever calls where no keys are asked for: on this machine only.
ANYONE = Holder(name="local")


class Keys:
    """The keys of a gateway."""

    def __init__(self, holders: Sequence[tuple[bytes, Holder]]) -> None:
        self._holders = tuple(holders)

    @classmethod
    def from_file(cls, path: Path) -> Keys:
        """The keys that a file lists.

        Raises:
            ConfigError: the file cannot be read, or says something that it must not.
        """
        part = Section(read(path, error=ConfigError, environ={}), str(path), ConfigError)
        part.version()
        entries = [_entry(each) for each in part.sections("keys")]
        part.close()
        for number, (_, holder) in enumerate(entries):
            if any(holder.name == other.name for _, other in entries[:number]):
                raise ConfigError(f"two keys are named {holder.name!r}", where=str(path), hint="give each its own name")
        return cls(entries)

    def holder(self, key: str | None) -> Holder | None:
        """Who a key belongs to; None for no key, or one that is not known."""
        given = hashlib.sha256((key or "").encode("utf-8", "replace")).hexdigest().encode()
        found: Holder | None = None
        for digest, holder in self._holders:
            if hmac.compare_digest(given, digest):
                found = holder
        return found if key else None


def new_key() -> tuple[str, str]:
    """A new key, and its hash for the file."""
    key = _PREFIX + secrets.token_urlsafe(32)
    return key, hashlib.sha256(key.encode()).hexdigest()


def _entry(part: Section) -> tuple[bytes, Holder]:
    name, digest = part.text("name") or "", part.text("sha256") or ""
    if not _NAME.fullmatch(name):
        raise part.fault("name", "a name of letters, digits, `.`, `_` and `-` is needed")
    if not _HASH.fullmatch(digest):
        raise part.fault("sha256", "is not a hash", hint="`imprimatur serve --new-key NAME` makes a key with its entry")
    bases = part.texts("knowledge_bases")
    holder = Holder(
        name=name,
        knowledge_bases=bases or None,
        policies=part.texts("policies"),
        evidence=part.choice("evidence", _EVIDENCE, "full"),
    )
    part.close()
    return digest.encode(), holder


def _bare(report: Mapping[str, Any]) -> Mapping[str, Any]:
    """A report without anything that its sources say."""
    segments = [
        {**segment, "claims": [{**claim, **_UNTOLD} for claim in segment["claims"]]} for segment in report["segments"]
    ]
    edits = [{**each, "evidence": []} for each in report["edits"]]
    return {**report, "segments": segments, "edits": edits, "warnings": []}
