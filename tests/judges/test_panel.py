"""The panel of judges: the table of what opinions come to, failures and lateness, and what is kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from imprimatur.errors import CheckFailed
from imprimatur.judges.panel import Matter, Panel, Seat
from imprimatur.protocols import Case, Mark, Opinion
from imprimatur.verdict import Judgement, Label, Reason

YES = Opinion(label=Label.SUPPORTED, score=0.9)
NO = Opinion(label=Label.NOT_FOUND, score=0.1)
AGAINST = Opinion(label=Label.CONTRADICTED, score=0.0)
FAILED = Opinion(label=Label.UNCHECKED, detail="broke")


@dataclass
class Fake:
    """A judge that says what a function says, and counts."""

    says: Callable[[Case], object]
    name: str = "fake"
    fingerprint: str = "1"
    asked: list[Case] = field(default_factory=list)

    def weigh(self, cases: Sequence[Case], *, seconds: float) -> list[Opinion]:
        """What the function says of each case."""
        self.asked += cases
        return [self.says(case) for case in cases]  # type: ignore[misc]


def matter(claim: str = "The kiln is blue.", start: int = 0, source: str = "passages") -> Matter:
    """A claim with one text."""
    return Matter(start=start, end=start + len(claim), claim=claim, texts=((source, "The blue kiln."),))


def _saying(said: Opinion) -> Callable[[Case], Opinion]:
    return lambda case: said


def heard(*opinions: Opinion, notes: Sequence[int] = (), seconds: float = 5) -> Judgement:
    """What judges with such opinions come to; those of ``notes`` need not be heard."""
    seats = [
        Seat(judge=Fake(_saying(said), name=f"j{n}"), on_failure="note" if n in notes else "withhold")
        for n, said in enumerate(opinions)
    ]
    return Panel(seats).hear([matter()], seconds=seconds)[0]


@pytest.mark.parametrize(
    ("opinions", "notes", "label"),
    [
        ((YES, YES), (), Label.SUPPORTED),
        ((YES, NO), (), Label.NOT_FOUND),
        ((NO, AGAINST), (), Label.CONTRADICTED),
        ((YES, FAILED), (), Label.UNCHECKED),
        ((NO, FAILED), (), Label.UNCHECKED),
        ((AGAINST, FAILED), (), Label.CONTRADICTED),
        ((YES, FAILED), (1,), Label.SUPPORTED),
        ((NO, FAILED), (1,), Label.NOT_FOUND),
        ((FAILED,), (0,), Label.SUPPORTED),
    ],
)
def test_the_worst_opinion_counts(opinions: tuple[Opinion, ...], notes: tuple[int, ...], label: Label) -> None:
    """The table, row by row, in either order of the judges."""
    turned = tuple(len(opinions) - 1 - n for n in notes)
    assert heard(*opinions, notes=notes).label is heard(*opinions[::-1], notes=turned).label is label


def test_findings_name_judge_score_and_words() -> None:
    """A disagreement marks its words in the answer; a failure that is only noted is a finding too."""
    marked = Opinion(label=Label.NOT_FOUND, score=0.25, marks=(Mark(4, 8, "score 0.25"),))
    seats = [Seat(judge=Fake(lambda case: marked, name="a")), Seat(judge=Fake(lambda case: FAILED, name="b"))]
    seats += [Seat(judge=Fake(lambda case: NO, name="c")), Seat(judge=Fake(lambda case: YES, name="d"))]
    found = Panel(seats).hear([matter(start=100)], seconds=5)[0].findings
    assert [(each.reason, each.start, each.end, each.detail) for each in found] == [
        (Reason.JUDGE_DISAGREES, 104, 108, "the judge a: score 0.25"),
        (Reason.JUDGE_FAILED, 100, 117, "the judge b broke"),
        (Reason.JUDGE_DISAGREES, 100, 117, "the judge c: score 0.1000"),
    ]


@pytest.mark.parametrize(
    "nonsense",
    [
        "supported",
        None,
        Opinion(label=Label.AMBIGUOUS),
        Opinion(label=Label.SUPPORTED, score=float("nan")),
        Opinion(label=Label.SUPPORTED, score=1.5),
        Opinion(label=Label.SUPPORTED, score=1.0, marks=(Mark(5, 500, "x"),)),
    ],
)
def test_nonsense_is_a_failure(nonsense: object) -> None:
    """Whatever a judge returns, only an opinion can be one."""
    panel = Panel([Seat(judge=Fake(lambda case: nonsense))])
    found = panel.hear([matter()], seconds=5)[0]
    assert (found.label, found.reasons) == (Label.UNCHECKED, (Reason.JUDGE_FAILED,))


def test_a_judge_that_answers_too_little_has_failed_for_the_rest() -> None:
    """Three opinions on five claims: the first three count; six opinions on five: none does."""

    @dataclass
    class Short:
        name: str = "short"
        fingerprint: str = "1"
        count: int = 3

        def weigh(self, cases: Sequence[Case], *, seconds: float) -> list[Opinion]:
            return [YES] * self.count

    matters = [matter(f"Kiln {number}.") for number in range(5)]
    labels = [j.label for j in Panel([Seat(judge=Short(), batch=5)]).hear(matters, seconds=5)]
    assert labels == [Label.SUPPORTED] * 3 + [Label.UNCHECKED] * 2
    labels = [j.label for j in Panel([Seat(judge=Short(count=6), batch=5)]).hear(matters, seconds=5)]
    assert labels == [Label.UNCHECKED] * 5


def test_what_a_judge_raises_is_a_failure_and_tells_no_more_than_it_may() -> None:
    """An error of ours is told; of another one only the kind, for it might hold a key."""

    def ours(case: Case) -> Opinion:
        raise CheckFailed("answered with status 500")

    def others(case: Case) -> Opinion:
        raise RuntimeError("Bearer secret-key")

    found = Panel([Seat(judge=Fake(ours)), Seat(judge=Fake(others))]).hear([matter()], seconds=5)[0]
    assert found.label is Label.UNCHECKED
    details = [each.detail for each in found.findings]
    assert details == ["the judge fake answered with status 500", "the judge fake it raised RuntimeError"]


def test_a_late_judge_licenses_nothing_and_what_it_says_late_is_dropped() -> None:
    """The batch that came in time counts; the others are unchecked, also when the judge answers afterwards."""
    go = threading.Event()

    def slow(case: Case) -> Opinion:
        if "second" in case.claim:
            go.wait(20)
        return YES

    judge = Fake(slow)
    panel = Panel([Seat(judge=judge, seconds=0.3)])
    matters = [matter("The first."), matter("The second."), matter("The third.")]
    before = time.monotonic()
    labels = [each.label for each in panel.hear(matters, seconds=60)]
    assert time.monotonic() - before < 5
    assert labels == [Label.SUPPORTED, Label.UNCHECKED, Label.UNCHECKED]
    go.set()
    time.sleep(0.05)
    asked = len(judge.asked)
    assert [each.label for each in panel.hear(matters, seconds=60)] == [Label.SUPPORTED] * 3
    assert len(judge.asked) == asked + 2  # the first was kept, the late one was not


def test_no_time_left_is_late() -> None:
    """A check whose time is over asks nobody."""
    judge = Fake(lambda case: YES)
    found = Panel([Seat(judge=judge)]).hear([matter()], seconds=-1)[0]
    assert (found.label, judge.asked) == (Label.UNCHECKED, [])


def test_opinions_are_kept_by_all_that_they_depend_on() -> None:
    """The same case is asked once; another text, question, sentence before, or judge is another case."""
    judge = Fake(lambda case: YES)
    panel = Panel([Seat(judge=judge)])
    texts = (("passages", "The blue kiln."),)
    base = Matter(start=0, end=5, claim="Kiln.", texts=texts)
    others = [
        Matter(start=0, end=5, claim="Kiln.", texts=(("passages", "The red kiln."),)),
        Matter(start=0, end=5, claim="Kiln.", texts=texts, question="Which?"),
        Matter(start=0, end=5, claim="Kiln.", texts=texts, before="Which?"),
    ]
    panel.hear([base, base, *others], seconds=5)
    panel.hear([Matter(start=7, end=12, claim="Kiln.", texts=texts), *others], seconds=5)
    assert len(judge.asked) == 4


def test_failures_are_not_kept() -> None:
    """What failed once is asked again."""
    says = [FAILED, YES]
    panel = Panel([Seat(judge=Fake(lambda case: says.pop(0)))])
    assert [panel.hear([matter()], seconds=5)[0].label for _ in range(2)] == [Label.UNCHECKED, Label.SUPPORTED]


def test_a_judge_sees_its_own_sources_alone() -> None:
    """A claim that rests on none of them is not put to it, and stays as it was."""
    judge = Fake(lambda case: NO)
    panel = Panel([Seat(judge=judge, sources=("memory",))])
    mixed = Matter(start=0, end=1, claim="x", texts=(("graph", "triple"), ("memory", "entry"), ("memory", "entry")))
    found = panel.hear([matter(source="passages"), mixed], seconds=5)
    assert [each.label for each in found] == [Label.SUPPORTED, Label.NOT_FOUND]
    assert [case.texts for case in judge.asked] == [("entry",)]


def test_judges_are_asked_in_batches_and_side_by_side() -> None:
    """Each batch has the size of its seat; two judges that each wait do not wait for each other."""
    sizes: list[int] = []

    @dataclass
    class Batched:
        name: str = "batched"
        fingerprint: str = "1"

        def weigh(self, cases: Sequence[Case], *, seconds: float) -> list[Opinion]:
            sizes.append(len(cases))
            time.sleep(0.1)
            return [YES] * len(cases)

    seats = [Seat(judge=Batched(name=name), batch=4) for name in ("a", "b")]
    before = time.monotonic()
    Panel(seats).hear([matter(f"Kiln {number}.") for number in range(10)], seconds=20)
    assert sorted(sizes) == [2, 2, 4, 4, 4, 4]
    assert time.monotonic() - before < 0.55


def test_a_judge_on_this_machine_works_for_one_check_at_a_time() -> None:
    """Two checks at once do not run it twice; the one whose turn does not come in time is unchecked."""
    working: list[int] = []

    def slow(case: Case) -> Opinion:
        working.append(1)
        assert len(working) == 1
        time.sleep(0.5)
        working.pop()
        return YES

    panel = Panel([Seat(judge=Fake(slow), seconds=0.8, turn=threading.Lock())])
    found: list[Judgement] = []

    def check(claim: str) -> None:
        found.extend(panel.hear([matter(claim)], seconds=5))

    threads = [threading.Thread(target=check, args=(f"Kiln {number}.",)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each.label for each in found) == [Label.SUPPORTED, Label.UNCHECKED]
    assert [each.detail for judgement in found for each in judgement.findings] == ["the judge fake was late"]


def test_what_a_panel_is_shows_in_its_hash() -> None:
    """Another model, rule or source is another panel."""
    base = Seat(judge=Fake(lambda case: YES))
    others = [
        Seat(judge=Fake(lambda case: YES, fingerprint="2")),
        Seat(judge=Fake(lambda case: YES), on_failure="note"),
        Seat(judge=Fake(lambda case: YES), sources=("graph",)),
    ]
    hashes = {Panel([seat]).content_hash for seat in (base, *others)}
    assert len(hashes) == 4
    assert Panel([base]).models == ("fake (1)",)
