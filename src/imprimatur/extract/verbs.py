"""Verb groups, a main verb with its auxiliaries, negators and adverbs: a part of the grammar (``extract.grammar``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from imprimatur.extract.phrases import Phrases
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import BE, DO, FIRST, HAVE, PASTS

__all__ = ["VerbGroup", "Verbs"]


class VerbGroup(NamedTuple):
    """A verb group: the main verb with its auxiliaries.

    A perfect that is denied is ``past``: "has never worked" denies that it ever was so, not that it is so now.
    """

    verb: str
    end: int
    item: int
    passive: bool = False
    negators: tuple[int, ...] = ()
    adverbs: tuple[int, ...] = ()
    modal: str = ""
    past: bool = False
    copula: bool = False
    form: str = ""


class Verbs(Phrases):
    """Verb groups over items."""

    def __init__(self, items: Sequence[Item], budget: int) -> None:
        super().__init__(items, budget)
        self._verb_memo: dict[int, list[VerbGroup]] = {}

    def verbs(self, i: int) -> list[VerbGroup]:
        """The verb groups that start at item ``i``."""
        if i not in self._verb_memo:
            self._verb_memo[i] = list(reversed(list(self._verbs(i))))
        return self._verb_memo[i]

    def _verbs(self, i: int) -> Iterator[VerbGroup]:
        k, aux, modal = i, "", ""
        neg: list[int] = []
        adv: list[int] = []
        past = perfect = False
        while k < self.n:
            it = self.items[k]
            if "neg" in it.forms.closed:
                (adv if self.word(k + 1, "only") else neg).append(k)
            elif "modal" in it.forms.closed and not aux and not modal:
                modal = it.lower
            elif it.lower in BE | HAVE | DO and not it.hole:
                yield from self._bare(k, it, (aux, modal, past, tuple(neg), tuple(adv)))
                perfect = perfect or it.lower in HAVE
                aux = "be" if it.lower in BE else "have" if it.lower in HAVE else "do"
                past = past or "past" in it.forms.verb_forms
            elif it.forms.verb and it.lower == "used" and self.word(k + 1, "to") and not aux:
                yield from self._used_to(k, (modal, tuple(neg), tuple(adv)))
                return
            elif it.forms.verb == "get" and not aux and k + 1 < self.n and "pp" in self.items[k + 1].forms.verb_forms:
                aux, past = "be", "past" in it.forms.verb_forms
            elif "adverb" in it.forms.closed and k > i:
                adv.append(k)
            elif it.forms.adv and not it.forms.closed and not it.entity and (k > i or self._adverb_first(k)):
                if it.forms.verb and self._fits(it, aux, modal):
                    yield self._group(k, it, (aux, modal, past or (perfect and bool(neg)), tuple(neg), tuple(adv)))
                adv.append(k)
            elif it.forms.verb and not it.entity and not it.hole and self._fits(it, aux, modal):
                yield self._group(k, it, (aux, modal, past or (perfect and bool(neg)), tuple(neg), tuple(adv)))
                return
            else:
                return
            k += 1

    def _adverb_first(self, k: int) -> bool:
        """Whether a word at the start of a verb group is an adverb: by its ending, or "first" before a verb."""
        lower = self.items[k].lower
        after = self.items[k + 1] if lower in FIRST and k + 1 < self.n else None
        before = after is not None and "aux" not in after.forms.closed and after.forms.verb_forms & {"past", "s"}
        return bool(before) or lower.endswith("ly")

    def _bare(
        self, k: int, it: Item, state: tuple[str, str, bool, tuple[int, ...], tuple[int, ...]]
    ) -> Iterator[VerbGroup]:
        """ "be", "have" and "do" as main verbs, with the negators and adverbs that follow."""
        aux, modal, past, neg, adv = state
        verb = "be" if it.lower in BE else "have" if it.lower in HAVE else "do"
        if aux == "be" or (it.lower in ("been", "being") and not aux):
            return
        end, negs, advs = k + 1, list(neg), list(adv)
        while end < self.n and (
            "neg" in self.items[end].forms.closed or self.adverb(end) or (verb == "be" and self.word(end, ":"))
        ):
            if not self.items[end].punct:
                (negs if "neg" in self.items[end].forms.closed else advs).append(end)
            end += 1
        yield VerbGroup(
            verb,
            end,
            k,
            negators=tuple(negs),
            adverbs=tuple(advs),
            modal=modal,
            past=past or "past" in it.forms.verb_forms or (aux == "have" and bool(negs)),
            copula=verb == "be",
        )

    @staticmethod
    def _fits(it: Item, aux: str, modal: str) -> bool:
        tags = it.forms.verb_forms
        if it.lower in PASTS and _takes_base(aux, modal):
            return True
        if aux == "be":
            return bool(tags & {"pp", "ing"})
        if aux == "have":
            return "pp" in tags
        if aux == "do" or modal:
            return "base" in tags
        return bool(tags)

    @staticmethod
    def _group(k: int, it: Item, state: tuple[str, str, bool, tuple[int, ...], tuple[int, ...]]) -> VerbGroup:
        aux, modal, past, neg, adv = state
        tags = it.forms.verb_forms
        form = "ing" if tags == {"ing"} else "pp" if "pp" in tags else "s" if "s" in tags else "base"
        if tags == {"past"}:
            form = "past"
        return VerbGroup(
            it.lower if it.lower in PASTS and _takes_base(aux, modal) else it.forms.verb or "",
            k + 1,
            k,
            passive=aux == "be" and "pp" in tags,
            negators=neg,
            adverbs=adv,
            modal=modal,
            past=past or (not aux and "past" in tags),
            form=form if not aux else "",
        )

    def _used_to(self, k: int, state: tuple[str, tuple[int, ...], tuple[int, ...]]) -> Iterator[VerbGroup]:
        """ "Used to live": the verb after it, with "used" as an adverb that a wording must have as well."""
        modal, neg, adv = state
        for verb in self.verbs(k + 2):
            if verb.form in ("base", "") or verb.copula or verb.verb in ("be", "have"):
                yield verb._replace(
                    negators=(*neg, *verb.negators),
                    adverbs=(*adv, k, *verb.adverbs),
                    modal=modal,
                    past=True,
                    form="",
                )

    def adverb(self, k: int) -> bool:
        it = self.items[k]
        if "adverb" in it.forms.closed:
            return True
        plain = it.forms.adv and not it.forms.closed and not it.forms.noun
        return plain and not (it.entity or it.hole or it.quantity or it.name)


def _takes_base(aux: str, modal: str) -> bool:
    """Whether a verb stands in its base form: "did found", "would found"; not "can be found", "will have found"."""
    return aux == "do" or (bool(modal) and not aux)
