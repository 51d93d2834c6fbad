"""What the stages ask of their parts: one small protocol each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from imprimatur._dataclasses import dataclass
from imprimatur.answer import Segment
from imprimatur.claim import Claim
from imprimatur.verdict import Judgement, Label

__all__ = [
    "Case",
    "Corrector",
    "Entry",
    "Excerpt",
    "Extractor",
    "Flawed",
    "Found",
    "Judge",
    "Lexicon",
    "Listening",
    "Mark",
    "Opinion",
    "Proposal",
    "Proposed",
    "Source",
    "Together",
    "Word",
]


class Word(Protocol):
    """A token as a lexicon sees it."""

    @property
    def lower(self) -> str:
        """What to compare by."""
        ...

    @property
    def text(self) -> str:
        """As written."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """A known name: tokens ``first`` up to and without ``stop``, and what it may stand for (none: a literal's text)."""

    first: int
    stop: int
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A property that a key may mean. ``subject`` is the index of the hole that is the subject.

    ``value`` is what its other hole must be: ``entity``, ``quantity``, ``date`` or ``text``. ``tier`` is 0 for the
    property's own words, 1 for frames, 2 for synonyms: a lower tier is a closer reading.
    ``inverses`` are the properties that say the same from the other end (itself, when symmetric).
    ``turned``: in a comparison, more of what the words say is less of the value. ``starts`` are the properties of the
    date from which a span is counted that ends with the value; ``age``: it is an age. ``traits``: what holds of every
    fact of the property: it comes "first" or "last" of all that is said of the subject, is only "potential", or holds
    both ways ("mutual"). "able": by this key only what can or may be is said.
    """

    iri: str
    subject: int
    value: str
    tier: int = 0
    inverses: tuple[str, ...] = ()
    turned: bool = False
    starts: tuple[str, ...] = ()
    age: bool = False
    traits: tuple[str, ...] = ()


class Lexicon(Protocol):
    """The words of a knowledge base: its names, and what its properties and classes are called."""

    def find(self, tokens: Sequence[Word]) -> Sequence[Found]:
        """Known names among the tokens, in order, not overlapping, the longest first."""
        ...

    def candidates(self, name: str) -> tuple[str, ...]:
        """The entities that bear a name; none when no entity does."""
        ...

    def entries(self, key: str) -> Sequence[Entry]:
        """The properties that a key may mean."""
        ...

    def classes(self, noun: str) -> Sequence[str]:
        """The classes that a noun chain ("order<stream") may name."""
        ...

    def instances(self, class_iri: str) -> Sequence[str]:
        """The members of a class; none when they are too many to go through."""
        ...

    def of_kind(self, noun: str, entity: str) -> bool:
        """Whether an entity is of a class that bears the noun as its name, or as the head of its name."""
        ...

    def is_person(self, entity: str) -> bool | None:
        """Whether an entity is a person; None when its classes do not tell."""
        ...

    def general(self, noun: str, entity: str) -> bool:
        """Whether an entity's class or name says that it is what the noun says ("stream" of a river)."""
        ...


class Source(Protocol):
    """Something trusted that can judge claims.

    One whose ``immediate`` holds only looks things up in memory: who waits for nothing else asks it in place. One that
    remembers the claims of an answer can be copied (``copy.copy``): what the copy hears leaves it as it was. One whose
    ``only_refutes`` holds never supports: that it finds nothing says nothing of a claim.
    """

    name: str

    def judge(self, claim: Claim) -> Judgement:
        """What the source says of the claim; a failed check is ``unchecked``, never an exception."""
        ...


class Together(Source, Protocol):
    """A source that waits for something else, and rather asks it about several claims at once."""

    def judge_all(self, claims: Sequence[Claim]) -> Sequence[Judgement]:
        """What ``judge`` says of each claim, in order."""
        ...


@runtime_checkable
class Listening(Protocol):
    """A source that also wants to know what the answer said before a claim."""

    def hear(self, text: str, parts: Sequence[Segment]) -> None:
        """Takes the text so far, which may go on behind the claim, and its segments up to the claim's own."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a judge is asked: whether some texts bear out a claim. All of it is material, and none an instruction.

    Attributes:
        claim: the claim's words; offsets in an opinion are offsets in them.
        texts: what the claim was found supported by.
        question: what was asked, "" when that is not known.
        before: the sentence of the answer before it, "" when there is none.
    """

    claim: str
    texts: tuple[str, ...]
    question: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Words of a claim that a judge takes for not borne out: ``claim[start:end]``, and what it says of them."""

    start: int
    end: int
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a judge says of one case.

    ``label`` is ``supported``, ``contradicted``, ``not_found``, or ``unchecked`` where it could not be judged
    (``detail`` says why). ``score`` is how far the judge takes the claim for borne out, from 0 to 1.
    """

    label: Label
    score: float = 0.0
    marks: tuple[Mark, ...] = ()
    detail: str = ""


class Judge(Protocol):
    """A trained model that is asked about what sources found supported; it can only lower a verdict."""

    name: str
    fingerprint: str

    def weigh(self, cases: Sequence[Case], *, seconds: float) -> Sequence[Opinion]:
        """One opinion for each case, in order, within some seconds; what fails raises or is ``unchecked``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What an extractor reads: the words of one segment. All of it is material, and none an instruction.

    Attributes:
        text: the segment's own words; offsets in a proposal are offsets in them.
        around: what completes them, the widest first: question, heading, column, row, line over the list.
        before: the sentence of the answer before it, "" when there is none.
    """

    text: str
    around: tuple[str, ...] = ()
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A claim that an extractor takes ``text[start:end]`` of an excerpt to make.

    An extractor that writes gives ``says``; one that marks words gives their spans, and None for what is named outside
    the excerpt.

    Attributes:
        says: the claim as a sentence of its own; "" where words are only marked.
        subject: the span of what it is about.
        object: the span of the thing or value that is said of it.
        names: the IRIs of properties or classes of which it says one; none where it does not tell.
    """

    start: int
    end: int
    says: str = ""
    subject: tuple[int, int] | None = None
    object: tuple[int, int] | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposed:
    """What an extractor makes of one excerpt; ``fault`` says why it could make nothing of it."""

    claims: tuple[Proposal, ...] = ()
    fault: str = ""


class Extractor(Protocol):
    """What proposes the claims of a text; what it proposes counts only as far as it is read back."""

    name: str
    fingerprint: str

    def propose(self, excerpts: Sequence[Excerpt], *, seconds: float) -> Sequence[Proposed]:
        """What is claimed in each excerpt, in order, within some seconds; what fails raises or has a ``fault``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Flawed:
    """A segment that is not licensed, as a corrector sees it. All of it is material, and none an instruction.

    Attributes:
        text: the segment's own words.
        faults: what is wrong with it, in plain words, one for each claim that fails and for words left over.
        facts: what is known about the things that it names, and what refutes it.
        question: what was asked, "" when that is not known.
        before: the sentence of the answer before it, "" when there is none.
        refused: what was proposed before, and why it could not be taken.
    """

    text: str
    faults: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    question: str = ""
    before: str = ""
    refused: tuple[tuple[str, str], ...] = ()


class Corrector(Protocol):
    """What proposes other words for a segment that is not licensed; they count only where they are licensed.

    ``identity`` names it in reports, with a hash of all that it depends on.
    """

    identity: str

    def propose(self, flawed: Flawed, *, seconds: float) -> str:
        """The segment in other words, "" where it sees none. Raises an ``ImprimaturError`` where it cannot be asked."""
        ...
