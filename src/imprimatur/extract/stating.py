"""Statements about the phrases that a wording links, and claims of them with the words that they account for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imprimatur.claim import (
    Aggregate,
    Attribute,
    Claim,
    Comparison,
    Mention,
    Modality,
    Predicate,
    Relation,
    Span,
    Statement,
    Superlative,
    When,
)
from imprimatur.extract.matches import Matches
from imprimatur.extract.mentions import NAMED
from imprimatur.extract.syntax import Compared, Lasting, Np, NpKind, Pooled, Ranked
from imprimatur.extract.versions import spans_of
from imprimatur.protocols import Entry
from imprimatur.values import Bound, Quantity, TextValue, Value

__all__ = ["Stating"]

#: What can be perceived is there.
_SHOWN = frozenset("see find feel hear notice observe trace detect recognize discern".split())
_TURNED = {">": "<", "<": ">", "=": "="}
#: With these verbs "over 5 km" gives the extent, not a bound.
_EXTENDING = frozenset("stretch extend spread range run".split())


class Stating(Matches):
    """What one clause says of its phrases, as claims."""

    def _statement(self, s: Np, v: Np, entry: Entry, when: When | None) -> list[Statement]:
        predicate = (Predicate(entry.iri, tier=entry.tier),)
        out: list[Statement] = []
        for subject in self.mentions(s):
            if entry.value == "entity" or (entry.value == "any" and v.kind in (*NAMED, NpKind.PRONOUN)):
                for obj in self.mentions(v):
                    out.append(Relation(subject=subject, predicates=predicate, object=obj, when=when))
                continue
            stands = self.items[v.head_item].stands
            if stands is not None:
                # When a comparison held is not known: values that have changed are not compared.
                out += self._measured(subject, stands, entry) if when is None else []
                continue
            value = self._value(v, entry.value)
            if value is not None:
                out.append(Attribute(subject=subject, predicates=predicate, value=value, when=when))
        return out

    def _measured(
        self, subject: Mention, stands: Compared | Ranked | Lasting | Pooled, entry: Entry
    ) -> list[Statement]:
        """A value that is given by another thing's, or by its rank."""
        predicates = (Predicate(entry.iri, tier=entry.tier),)
        if isinstance(stands, Lasting):
            starts = tuple(Predicate(iri) for iri in entry.starts)
            return [
                Span(subject=subject, predicates=(s,), ends=predicates, value=stands.value, age=entry.age)
                for s in starts
            ]
        if isinstance(stands, Pooled):
            pooled = Aggregate(
                subject=subject,
                members=stands.members,
                predicates=predicates,
                value=stands.value,
                mean=stands.mean,
                median=stands.median,
                within=stands.within,
            )
            return [pooled] if entry.value == "quantity" else []
        if entry.value not in ("quantity", "date"):
            return []
        if isinstance(stands, Ranked):
            return [
                Superlative(
                    subject=subject,
                    predicates=predicates,
                    within=stands.within,
                    largest=stands.largest != entry.turned,
                    rank=stands.rank,
                    among=stands.among,
                )
            ]
        sign = _TURNED[stands.sign] if entry.turned else stands.sign
        if sign == "=" and self._negated():
            sign = "<=" if entry.turned else ">="  # "not as long as" is less than that
        if stands.times is not None and entry.turned:
            return []  # "twice as short"
        other = stands.other
        return [
            Comparison(subject=subject, other=other, predicates=predicates, sign=sign, by=stands.by, times=stands.times)
        ]

    def _value(self, v: Np, kind: str) -> Value | None:
        item = self.items[v.head_item]
        if kind in ("quantity", "any") and item.quantity is not None:
            over = self.clause.verb in _EXTENDING and item.lower.startswith("over ")
            return replace(item.quantity, bound=Bound.EXACT) if over else item.quantity
        if kind in ("date", "any", "quantity") and item.date is not None:
            return (
                replace(item.date, bound=Bound.EXACT)
                if item.lower.startswith(("until", "till", "since"))
                else item.date
            )
        return TextValue(self.words(v)) if kind in ("text", "any") else None

    def _converted(self, claim: Claim, ends: tuple[Np, Np]) -> list[Claim]:
        """The claim; where a number stands beside a conversion that does not fit it, one claim of each."""
        parts = [self.items[np.head_item].spans for np in ends if np.kind is NpKind.QUANTITY and np.head_item >= 0]
        stated = [r for r in claim.readings if isinstance(r, Attribute) and isinstance(r.value, Quantity)]
        values = {r.value for r in stated if isinstance(r.value, Quantity)}
        spans = next((found for found in parts if len(found) == 2), None)
        whole = next(iter(values), None)
        if spans is None or whole is None or whole.partner is None or len(values) > 1 or stated != [*claim.readings]:
            return [claim]
        span, bracket = spans
        main = replace(whole, partner=None)
        alone = tuple(replace(r, value=main) for r in stated)
        converted = tuple(replace(r, value=whole.partner, beside=main) for r in stated)
        named = {(r.subject.start, r.subject.end) for r in stated}
        return [
            self._at(claim, span, alone, [c for c in claim.covers if c != bracket]),
            self._at(claim, bracket, converted, sorted({*named, bracket})),
        ]

    def _at(
        self, claim: Claim, span: tuple[int, int], readings: tuple[Statement, ...], covers: Sequence[tuple[int, int]]
    ) -> Claim:
        """A part of a claim with a place of its own."""
        start, end = span
        return replace(claim, start=start, end=end, text=self.text(start, end), readings=readings, covers=tuple(covers))

    def _claim(
        self,
        items: frozenset[int],
        readings: tuple[Statement, ...],
        focus: frozenset[int] | None,
        *,
        narrowed: bool = False,
        can: bool = False,
    ) -> Claim:
        shown = can or (self.clause.passive and self.clause.verb in _SHOWN)  # "can be seen in": it is there
        modal = {
            x
            for x in items
            if "modal" in self.items[x].forms.closed
            and self.items[x].lower not in ("may", "might")
            and not (shown and self.items[x].lower in ("can", "could"))
        }
        covered = sorted((items | set(self.clause.negators)) - self.loose - modal)
        if readings:
            self.used.update(covered)
            self.used |= {x for x in self.clause.items if self.items[x].lower in ("no", "neither")}  # the negation
        covers = spans_of([self.items[x] for x in covered])
        start, end = self.span(focus if focus is not None else self._place(frozenset(covered)))
        return Claim(
            start=start,
            end=end,
            text=self.text(start, end),
            covers=covers,
            readings=readings,
            negated=self._negated(),
            modality=Modality.ASSERTED,
            past=self.clause.past,
            naming=self.clause.naming,
            narrowed=narrowed,
        )

    def _place(self, covered: frozenset[int]) -> frozenset[int]:
        """The items that tell this claim from others: without a subject that it shares with an earlier predicate."""
        subj = self.clause.subj
        rest = covered - subj.items if subj is not None else covered
        if not rest or subj is None or not covered:
            return covered or self.clause.items
        between = range(max(subj.items) + 1, min(rest))
        return rest if any(x not in self.clause.items and not self.items[x].punct for x in between) else covered

    def _negated(self) -> bool:
        no = sum(
            np.det.split()[:1] in (["no"], ["neither"])
            for np in (self.clause.subj, *(c.np for c in self.clause.comps))
            if np is not None
        )
        return (len(self.clause.negators) + no) % 2 == 1
