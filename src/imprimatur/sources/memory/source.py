"""Memory as a source: claims that cite entries, compared with what these entries say (implements ``protocols.Source``).

The checks, in this order: a claim that cites nothing has a missing citation (where the policy asks for citations; else
the entries that share most with it stand in for them); every cited entry exists; at least one of them holds on the day
of the check; together they say it. Cited entries that the policy does not trust count as if they were not cited. A
MEMORY claim restates them; an INFERENCE follows from them and must not overclaim; a claim whose kind is not given may
be either. The text of a claim or of an entry is never anything but text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.answer import MemoryEntry
from imprimatur.claim import Claim, Prose
from imprimatur.errors import InputError
from imprimatur.evidence import Evidence
from imprimatur.sources.memory.entries import Entry, entry_of
from imprimatur.sources.memory.store import Memory
from imprimatur.sources.text.comparing import compare
from imprimatur.sources.text.comparison import Comparison, Text, TextLimits
from imprimatur.verdict import Finding, Judgement, Label, Reason

__all__ = ["MemorySource", "with_given"]

#: How many entries are suggested for, or stand in for, a missing citation.
_SUGGESTED = 3


def with_given(memory: Memory | None, given: Sequence[MemoryEntry]) -> Memory:
    """The memory of a knowledge base with the entries that came with a call.

    Raises:
        InputError: an entry is wrong, or has an id that is taken.
    """
    entries = [entry_of({"id": each.id, "text": each.text}, where="memory") for each in given]
    if memory is None:
        return Memory.of(entries)
    if not entries:
        return memory
    known = {*(each.id for each in memory), *memory.left_out}
    taken = next((each.id for each in entries if each.id in known), None)
    if taken is not None:
        raise InputError(f"the id {taken[:60]!r} is taken by an entry of the knowledge base", hint="give another id")
    return Memory.of([*memory, *entries], left_out=memory.left_out)


class MemorySource:
    """Judges claims against memory entries for one answer."""

    name = "memory"

    def __init__(self, memory: Memory, limits: TextLimits) -> None:
        self.memory = memory
        self.limits = limits

    def judge(self, claim: Claim) -> Judgement:
        """What the entries that the claim cites say of it; nothing of a claim that is not read as words."""
        if claim.prose is None:
            return Judgement(source=self.name, label=Label.NOT_FOUND, reasons=(Reason.NO_EVIDENCE,))
        if not claim.citations:
            return self._uncited(claim, claim.prose)
        cited = [entry for id_ in claim.citations if (entry := self.memory.get(id_))]
        unknown = [id_ for id_ in claim.citations if self.memory.get(id_) is None and id_ not in self.memory.left_out]
        if unknown:
            detail = f"there is no entry {', '.join(repr(id_[:60]) for id_ in unknown)}"
            return self._refused(claim, Reason.UNKNOWN_CITATION, detail)
        if not cited:
            detail = f"the policy trusts no entry of the class of {claim.citations[0][:60]!r}"
            return self._refused(claim, Reason.UNTRUSTED, detail)
        return self._cited(claim, claim.prose, cited)

    def _uncited(self, claim: Claim, prose: Prose) -> Judgement:
        found = [entry for entry, _ in self.memory.search(prose.words, most=_SUGGESTED)]
        if not self.limits.cite and found:
            return self._cited(claim, prose, found)
        detail = f"it may be meant: {', '.join(entry.id for entry in found)}" if found else "no entry is near it"
        refused = self._refused(claim, Reason.MISSING_CITATION, detail)
        return replace(refused, evidence=tuple(_evidence(entry, entry.text) for entry in found))

    def _cited(self, claim: Claim, prose: Prose, entries: Sequence[Entry]) -> Judgement:
        day = self.limits.as_of
        holding = [entry for entry in entries if day is None or entry.holds_on(day)]
        if not holding:
            return self._refused(claim, Reason.OUTDATED, "no cited entry holds on the day of the check")
        found = self._compared(claim, prose, holding)
        return self._judgement(claim, found, {entry.id: entry for entry in holding})

    def _compared(self, claim: Claim, prose: Prose, entries: Sequence[Entry]) -> Comparison:
        texts = [Text(entry.id, entry.text) for entry in entries]
        inferred = claim.kind == "inference"
        found = compare(prose, texts, self.limits, inference=inferred)
        if not (prose.tagged or inferred) and found.label is not Label.SUPPORTED:
            other = compare(prose, texts, self.limits, inference=True)
            found = other if other.label is Label.SUPPORTED and other.derivation else found
        return self._disputed(prose, texts, found) if len(texts) > 1 else found

    def _disputed(self, prose: Prose, texts: Sequence[Text], found: Comparison) -> Comparison:
        """The comparison, as conflicting where one cited entry says it and another says otherwise."""
        each = [compare(prose, [text], self.limits) for text in texts]
        labels = {one.label for one in each}
        if not {Label.SUPPORTED, Label.CONTRADICTED} <= labels:
            return found
        against = [one for one in each if one.label is Label.CONTRADICTED]
        used = tuple(u for one in each if one.label in (Label.SUPPORTED, Label.CONTRADICTED) for u in one.used)
        marks = tuple(mark for one in against for mark in one.marks)
        return Comparison(label=Label.CONFLICTING, marks=marks, used=used, coverage=found.coverage)

    def _judgement(self, claim: Claim, found: Comparison, entries: dict[str, Entry]) -> Judgement:
        reasons = tuple(dict.fromkeys(mark.reason for mark in found.marks))
        if found.label is Label.CONFLICTING:
            reasons = (Reason.SOURCE_DISAGREEMENT, *reasons)
        shown = {used.key: [u.sentence for u in found.used if u.key == used.key] for used in found.used}
        evidence = tuple(_evidence(entries[key], " … ".join(said)) for key, said in shown.items())
        if found.derivation and evidence:
            told = f"{evidence[0].content} ({'; '.join(found.derivation)})"
            evidence = (_evidence(entries[found.used[0].key], told), *evidence[1:])
        return Judgement(
            source=self.name,
            label=found.label,
            reasons=reasons or (Reason.ENTAILED,),
            evidence=evidence,
            findings=tuple(
                Finding(mark.reason, claim.start + mark.start, claim.start + mark.end, mark.detail)
                for mark in found.marks
            ),
        )

    def _refused(self, claim: Claim, reason: Reason, detail: str) -> Judgement:
        finding = Finding(reason, claim.start, claim.end, detail)
        return Judgement(source=self.name, label=Label.NOT_FOUND, reasons=(reason,), findings=(finding,))


def _evidence(entry: Entry, content: str) -> Evidence:
    return Evidence(
        source="memory", kind="entry", content=content, query=entry.id, origin=f"memory:{entry.id}", trust=entry.trust
    )
