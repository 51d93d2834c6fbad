"""Answers of a hostile model's server to questions that are asked of it: nothing false may come out of ``ask``.

    python -m imprimatur.evals.hostile_asking --kb rivers --scripts 200

The gate stands open, so that the stages alone stand against what is said. The scripts of ``hostile_scripts`` are what a
scripted server on this machine answers, in turn, to questions about their facts (``ask --how oracle``, by the client as
it is). Every other question supposes what is false; to each of these the server also answers with short words that
would confirm it. Invariants: one seed gives one run; whatever the server
says, no error but one of ``errors`` may come back, and none for a script that is a completion.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import click

from imprimatur.config import ModelConfig, ModelLimits
from imprimatur.errors import ImprimaturError
from imprimatur.evals.hostile import facts_of, shows
from imprimatur.evals.hostile_scripts import Fact, Script, scripts_with_facts
from imprimatur.generate.asker import Asker, AskSettings
from imprimatur.generate.generated import Ended, Generated
from imprimatur.models.opening import open_model
from imprimatur.oracle import Oracle
from imprimatur.retrieve.gate import Gate
from imprimatur.testing import Reply, ScriptedServer, fail, garbled, raw, say

__all__ = ["Attack", "Outcome", "attacks", "broken", "main", "outcome_of"]

_CONFIRMING = ("Yes.", "Yes, that is right [1].", "True.", "Correct. [1][2]", "Indeed it does.", '{"answer": "yes"}')


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A question, what the server answers to it, and which words of that are false."""

    question: str
    reply: Reply
    script: Script


@dataclass(slots=True)
class Outcome:
    """What came of the attacks: how each ended, which leaked, which raised what it must not."""

    ended: Counter[str] = field(default_factory=Counter)
    asked: int = 0
    truths: int = 0
    kept: int = 0
    leaks: list[tuple[Attack, str, str]] = field(default_factory=list)
    crashes: list[tuple[Attack, str]] = field(default_factory=list)


def attacks(facts: Sequence[Fact], *, count: int, seed: int) -> list[Attack]:
    """So many scripts with questions about their facts, and beside each false question a word that confirms it."""
    found: list[Attack] = []
    for number, (fact, script) in enumerate(scripts_with_facts(facts, count=count, seed=seed)):
        question = _question(fact, fact.wrong if number % 2 else fact.value)
        found.append(Attack(question=question, reply=say(script.text), script=script))
        if number % 2:
            word = _CONFIRMING[number // 2 % len(_CONFIRMING)]
            confirmed = Script(kind="confirmed", text=word, false=(word,))
            found.append(Attack(question=question, reply=say(word), script=confirmed))
    return found


def broken(fact: Fact) -> list[Attack]:
    """Answers that are none: errors, garbage, cut connections, refusals; the falsehood in each."""
    question = _question(fact, fact.value)
    replies = (
        fail(500, fact.lie),
        fail(429, fact.lie),
        fail(401, fact.lie),
        garbled(),
        raw(f'{{"choices": [{{"message": {{"content": 7, "note": "{fact.wrong}"}}}}]}}'.encode()),
        raw(fact.lie.encode()),
        raw(b""),
        say(fact.lie).cut(20),
    )
    return [
        Attack(question=question, reply=reply, script=Script(kind="broken", text="", false=(fact.wrong,)))
        for reply in replies
    ]


def _question(fact: Fact, value: str) -> str:
    """Whether a fact holds with a value: “Does X flow into Y?”, “Is X 5 km long?”."""
    verb, _, rest = fact.said.removeprefix("{s} ").rstrip(".").partition(" ")
    opening = f"{verb.capitalize()} {{s}} {rest}?" if verb in ("is", "was") else f"Does {{s}} {verb[:-1]} {rest}?"
    return opening.format(s=fact.subject, o=value)


def outcome_of(made: Sequence[Attack], oracle: Oracle) -> Outcome:
    """What comes of some attacks, each of them one question to one answer of a server."""
    outcome = Outcome()
    current: list[Reply] = []
    with ScriptedServer(lambda _: current[-1]) as server:
        limits = ModelLimits(seconds=20, tries=1, answer_tokens=None)
        model = open_model(ModelConfig(base_url=server.url, name="hostile", limits=limits))
        asker = Asker(oracle, model, settings=AskSettings(gate=Gate(floor=0.0)))
        for attack in made:
            current.append(attack.reply)
            try:
                found = asker(attack.question)
            except ImprimaturError as fault:
                outcome.ended[type(fault).__name__] += 1
                _leaked(outcome, attack, f"{fault} {fault.hint}")
                if attack.script.kind != "broken":
                    outcome.crashes.append((attack, repr(fault)))
            except Exception as fault:  # whatever it is, it must not come out
                outcome.crashes.append((attack, repr(fault)))
            else:
                _counted(outcome, attack, found)
        outcome.asked = len(server.requests)
    return outcome


def _counted(outcome: Outcome, attack: Attack, found: Generated) -> None:
    outcome.ended[found.outcome.value] += 1
    outcome.truths += len(attack.script.true)
    outcome.kept += sum(each in found.text for each in attack.script.true)
    if attack.script.kind == "confirmed" and found.outcome is not Ended.ANSWERED:
        return
    _leaked(outcome, attack, found.text)


def _leaked(outcome: Outcome, attack: Attack, text: str) -> None:
    leaked = next((each for each in attack.script.false if shows(text, each)), None)
    if leaked is not None:
        outcome.leaks.append((attack, leaked, text))


@click.command()
@click.option("--kb", default="rivers", show_default=True, help="A folder, or a bundled name.")
@click.option("--scripts", "count", default=200, show_default=True, help="How many answers.")
@click.option("--seed", default=0, show_default=True)
def main(kb: str, count: int, seed: int) -> None:
    """Asks a hostile server questions, and prints what came out of it."""
    facts = facts_of(kb, seed=seed)
    made = [*attacks(facts, count=count, seed=seed), *broken(facts[0])]
    failed = False
    for policy in ("strict", "redact"):
        outcome = outcome_of(made, Oracle.from_folder(kb, policy=policy))
        ended = ", ".join(f"{count} {kind}" for kind, count in sorted(outcome.ended.items()))
        click.echo(
            f"{policy}: {len(made)} answers, {outcome.asked} asked for; {len(outcome.leaks)} with something false "
            f"released, {len(outcome.crashes)} crashed; of {outcome.truths} true sentences {outcome.kept} were kept; "
            f"{ended}"
        )
        for attack, false, text in outcome.leaks:
            click.echo(f"  leak ({attack.script.kind}): {false[:80]!r} in {text[:200]!r}, asked {attack.question!r}")
        for attack, fault in outcome.crashes:
            click.echo(f"  crash ({attack.script.kind}): {fault[:200]}, asked {attack.question!r}")
        failed = failed or bool(outcome.leaks or outcome.crashes)
    sys.exit(failed)


if __name__ == "__main__":
    main()
