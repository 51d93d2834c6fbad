"""What a clause says a thing to be ("A is a river"), and the years of a life beside a name ("S (1584–1654)")."""

from __future__ import annotations

from imprimatur.claim import (
    Attribute,
    Claim,
    Membership,
    Mention,
    Predicate,
)
from imprimatur.extract.keyed import Keyed
from imprimatur.extract.mentions import NAMED
from imprimatur.extract.stating import Stating
from imprimatur.extract.syntax import Np, NpKind
from imprimatur.extract.words import forms

__all__ = ["Kinds"]


class Kinds(Stating):
    """The kinds of things and the lives that one clause states."""

    def _memberships(self) -> list[Claim]:
        out = []
        for np, noun, items in self.kinds:
            for subject in self.mentions(np):
                classes = tuple(self.lexicon.classes(noun))
                head = noun if classes else noun.partition("<")[0]
                reading = Membership(subject=subject, classes=classes, noun=head)
                out.append(self._claim(items | np.items - self.before(np), (reading,), None))
        for keyed in self.keys:
            if keyed.key != "isa" or keyed.noun is None:
                continue
            out += self._kind_claims(keyed)
        return out

    def _lifespan(self) -> list[Claim]:
        """ "S (1584–1654)": S was born in the one year and died in the other."""
        comp = next((c for c in self.clause.comps if c.np is not None and c.role == "obj"), None)
        subject = self.clause.subj
        if (
            comp is None
            or comp.np is None
            or subject is None
            or subject.kind is not NpKind.ENTITY
            or self.clause.verb != "be"
        ):
            return []
        interval = self.items[comp.np.head_item].interval
        out = []
        for key, date in zip(("@birth<*", "@death<*"), interval or (), strict=False):
            predicates = [e for e in self.lexicon.entries(key) if e.value == "date" and e.subject == 0]
            readings = tuple(
                Attribute(subject=s, predicates=(Predicate(e.iri, tier=e.tier),), value=date)
                for e in predicates
                for s in self.mentions(subject)
            )
            if readings:
                out.append(self._claim(comp.np.items | subject.items - self.before(subject), readings, comp.np.items))
        return out if len(out) == 2 else []

    def _kind_claims(self, keyed: Keyed) -> list[Claim]:
        noun = keyed.noun
        assert noun is not None
        subject = keyed.holes[0]
        head = noun.head if noun.kind is NpKind.NOUN else self.items[noun.head_item].lower
        said, classes, used = self._class_named(noun, head)
        if noun.kind is not NpKind.NOUN and not classes:
            return []
        found: list[tuple[Np, Mention, bool]] = []
        for leaf in subject.leaves():
            if leaf.kind not in (*NAMED, NpKind.PRONOUN):
                continue
            for s in self.mentions(leaf):
                general = bool(s.candidates) and all(self.lexicon.general(head, c) for c in s.candidates)
                found.append((leaf, s, bool(classes) or general))
        if not any(known for _, _, known in found):
            return []
        out = []
        for leaf, s, known in found:
            if not known and forms(s.text.split()[-1].lower() if s.text else "").noun == noun.head:
                continue  # "the West Fork" is a fork by its name
            reading = Membership(subject=s, classes=classes, noun=said)
            # A member of the list that names nothing ("the Tarn bridge and …") stays unread.
            named = {id(each) for each, _, _ in found}
            unread = (self.before(each) if id(each) in named else each.items for each in subject.leaves())
            items = (keyed.items | used).difference(*unread)
            out.append(self._claim(items, (reading,), leaf.items if len(subject.leaves()) > 1 else None))
        return out

    def _class_named(self, noun: Np, head: str) -> tuple[str, tuple[str, ...], frozenset[int]]:
        """The most that names a class in a noun phrase ("bird of prey", "red wine", "wine"), and its words' items."""
        mods = [m for m, _ in reversed(noun.mods)]
        used = frozenset(x for _, x in noun.mods)
        of = noun.of
        if of is not None and of.kind is NpKind.NOUN and of.of is None and not (of.inner or of.posts or of.clauses):
            whole = "<".join([head, *mods, of.head, *(m for m, _ in reversed(of.mods))])
            if classes := tuple(self.lexicon.classes(whole)):
                return whole, classes, used | of.items | {min(of.items) - 1}
        full = "<".join([head, *mods])
        if classes := tuple(self.lexicon.classes(full)):
            return full, classes, used
        return head, tuple(self.lexicon.classes(head)), frozenset()
