"""The tables of an error budget: what each stage loses, how much is kept as one stage after the other is put right, and
which words were not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from imprimatur.evals.budget import RUNGS, Stage, Stood
from imprimatur.evals.metrics import Share
from imprimatur.evals.outcome import Case, Cell, Curve, Figure, Kind, Table
from imprimatur.extract.words import forms
from imprimatur.language.tokens import TokenKind, tokenise

__all__ = ["budget_tables", "constructions", "lemmas"]

_MOST_WORDS = 30
_MOST_CASES = 200
_UNREAD = (Stage.RELATION, Stage.READING, Stage.COVERAGE, Stage.BESIDE, Stage.SEVERAL)
_NOTE = (
    "A stage is what mends the claim when it alone is put right; several: more than one does, or only some together. "
    "Part in: those of several that it is one of are counted too. Reading: only the gold claims in place of all that "
    "was read do. Matching: not even these. The stages sum to all that went wrong."
)
_RUNG_NOTE = (
    "Each rung has what those above it have. What is licensed as it is counts as kept until extraction is put right, "
    "when every claim is judged as the gold gives it; then only the judge and the policy can lose it. Sentences with "
    "something that has no triple, and true claims that are withheld rightly, are left out."
)
_RIGHTLY = (
    "{count} more true claims are withheld rightly: their sentence also says what the gold calls false or not found."
)


def budget_tables(
    stood: Sequence[Stood],
) -> tuple[tuple[Table, ...], tuple[Curve, ...], tuple[Case, ...], tuple[str, ...]]:
    """The tables, the plots, the cases and the notes of what became of some claims."""
    rightly = sum(each.rightly for each in stood)
    notes = (_RIGHTLY.format(count=rightly),) if rightly else ()
    rungs, curves = _progression(stood)
    words = tuple(table for table in (_words(stood), _shapes(stood)) if table.rows)
    return (_fates(stood), _stages(stood), *_details(stood), rungs, *words), curves, _cases(stood), notes


def _counted(stood: Iterable[Stood], *, true: bool) -> list[Stood]:
    return [each for each in stood if each.true is true and not each.rightly]


def _fates(stood: Sequence[Stood]) -> Table:
    names = list(dict.fromkeys(each.set for each in stood))
    body = [_fate(name, [each for each in stood if each.set == name]) for name in names]
    if len(names) > 1:
        body.append(_fate("all", stood))
    return Table(title="Gold claims from end to end", head=("set", "true licensed", "false licensed"), rows=tuple(body))


def _fate(name: str, stood: Sequence[Stood]) -> tuple[Cell, ...]:
    return (name, *(Figure.of(_licensed(_counted(stood, true=true))) for true in (True, False)))


def _licensed(stood: Sequence[Stood]) -> Share:
    return Share(sum(each.licensed for each in stood), len(stood))


def _stages(stood: Sequence[Stood]) -> Table:
    """What each stage lost and let through."""
    lost = [each for each in _counted(stood, true=True) if each.stage is not None]
    passed = [each for each in _counted(stood, true=False) if each.stage is not None]
    true = len(_counted(stood, true=True))
    body: list[tuple[Cell, ...]] = []
    for stage in Stage:
        own = sum(each.stage is stage for each in lost)
        false = sum(each.stage is stage for each in passed)
        part = own + sum(e.stage is Stage.SEVERAL and stage in e.detail.split() for e in lost)
        if own or false or part:
            body.append((stage, own, part, false, Figure.of(Share(own, len(lost))), Figure.of(Share(own, true))))
    body.append(
        (
            "all",
            len(lost),
            len(lost),
            len(passed),
            Figure.of(Share(len(lost), len(lost))),
            Figure.of(Share(len(lost), true)),
        )
    )
    head = ("stage", "lost true", "part in", "let through false", "share of the lost", "share of the true")
    return Table(title="Error budget", head=head, rows=tuple(body), note=_NOTE)


def _details(stood: Sequence[Stood]) -> Iterator[Table]:
    lost = [each for each in _counted(stood, true=True) if each.stage is not None]
    shown = (Stage.LINKING, Stage.RELATION, Stage.READING, Stage.MATCHING, Stage.SEVERAL, Stage.VALUE, Stage.TIME)
    counts = Counter((each.stage, each.detail) for each in lost if each.stage in shown)
    order = list(Stage)
    rows = sorted(counts.items(), key=lambda pair: (order.index(pair[0][0] or Stage.UNTOLD), -pair[1], pair[0][1]))
    if rows:
        body = tuple((str(stage), detail or "-", count) for (stage, detail), count in rows)
        yield Table(title="What the stages made of it", head=("stage", "how", "lost true"), rows=body)


def _progression(stood: Sequence[Stood]) -> tuple[Table, tuple[Curve, ...]]:
    true = [each for each in _counted(stood, true=True) if not each.untold]
    false = [each for each in _counted(stood, true=False) if not each.untold]
    body: list[tuple[Cell, ...]] = []
    points: dict[str, list[tuple[float, float]]] = {"true licensed": [], "false licensed": []}
    spread: dict[str, list[tuple[float, float]]] = {"true licensed": [], "false licensed": []}
    for number, (name, _) in enumerate(RUNGS):
        cells = [Figure.of(Share(sum(e.rungs[number] for e in some), len(some))) for some in (true, false)]
        body.append((name, *cells))
        for series, cell in zip(points, cells):
            if cell.value is not None and cell.low is not None and cell.high is not None:
                points[series].append((number, cell.value))
                spread[series].append((cell.low, cell.high))
    table = Table(
        title="As one stage after the other is put right",
        head=("put right", "true licensed", "false licensed"),
        rows=tuple(body),
        note=_RUNG_NOTE,
    )
    curve = Curve(
        title=table.title,
        kind=Kind.BARS,
        across="put right",
        up="share of the claims",
        series={name: tuple(each) for name, each in points.items() if each},
        names=tuple(name for name, _ in RUNGS),
        spread={name: tuple(each) for name, each in spread.items() if each},
    )
    return table, (curve,)


def _unread(stood: Iterable[Stood]) -> Iterator[tuple[str, str]]:
    """The sentences that were lost with words that were not read, each once, with these words."""
    seen: set[tuple[str, str]] = set()
    for each in stood:
        key = (each.id.rpartition(".")[0], each.words)
        if each.true and each.stage in _UNREAD and key not in seen:
            seen.add(key)
            yield from ((each.words, left) for left in each.left)


def _words(stood: Iterable[Stood]) -> Table:
    counts: Counter[str] = Counter()
    example: dict[str, str] = {}
    for sentence, left in _unread(stood):
        for lemma in lemmas(left):
            counts[lemma] += 1
            example.setdefault(lemma, sentence)
    return _listed("Words not read", "word", counts, example)


def _shapes(stood: Iterable[Stood]) -> Table:
    counts: Counter[str] = Counter()
    example: dict[str, str] = {}
    for sentence, left in _unread(stood):
        shape = constructions(left)
        counts[shape] += 1
        example.setdefault(shape, sentence)
    return _listed("Constructions not read", "construction", counts, example)


def _listed(title: str, what: str, counts: Counter[str], example: dict[str, str]) -> Table:
    rows = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_WORDS]
    body = tuple((word, count, example[word][:120]) for word, count in rows)
    return Table(title=title, head=(what, "lost sentences", "for instance"), rows=body)


def lemmas(text: str) -> list[str]:
    """The words of open classes in some text that are no names, each once, in their dictionary form."""
    found: dict[str, None] = {}
    for number, token in enumerate(tokenise(text)):
        if token.kind is not TokenKind.WORD or (token.text[:1].isupper() and number):
            continue
        word = forms(token.lower)
        lemma = None if word.verb in ("be", "have", "do") else word.verb or word.noun or word.adj or word.adv
        if lemma and (not word.closed or word.verb) and not token.text[:1].isupper():
            found[str(lemma if isinstance(lemma, str) else token.lower)] = None
    return list(found)


def constructions(text: str) -> str:
    """Some words as a construction: function words as they are, all else by its kind."""
    made: list[str] = []
    for token in tokenise(text):
        kind = token.lower
        if token.kind is not TokenKind.WORD:
            kind = "NUMBER" if token.text[:1].isdigit() else token.text
        elif token.text[:1].isupper():
            kind = "NAME"
        else:
            word = forms(token.lower)
            if not word.closed and word.verb not in ("be", "have", "do"):
                kind = "VERB" if word.verb else "NOUN" if word.noun else "ADJ" if word.adj else "WORD"
        if not made or made[-1] != kind or kind not in ("NAME", "NOUN"):
            made.append(kind)
    return " ".join(made[:8]) + (" …" if len(made) > 8 else "")


def _cases(stood: Iterable[Stood]) -> tuple[Case, ...]:
    """What was let through, and of what was lost as many as can be shown, from all sets alike."""
    wrong = [each for each in stood if each.stage is not None]
    lost = [each for each in wrong if each.true]
    step = max(1.0, len(lost) / _MOST_CASES)
    spread = [lost[int(step * number)] for number in range(min(len(lost), _MOST_CASES))]
    ordered = [*(each for each in wrong if not each.true), *spread]
    return tuple(
        Case(
            id=f"{each.set}/{each.id}",
            kind="false licence" if not each.true else f"lost: {each.stage}",
            text=each.words,
            gold=each.fact,
            said=f"{each.stage}: {each.detail}" if each.detail else str(each.stage),
            reasons=each.reasons,
            evidence=(*each.read, *(f"not read: {left}" for left in each.left)),
            grave=not each.true,
        )
        for each in ordered
    )
