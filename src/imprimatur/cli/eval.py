"""``imprimatur eval``: measure verdicts against labelled claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imprimatur.cli.ask_model import HOWS
from imprimatur.cli.eval_calibrate import calibrate, calibrate_gate
from imprimatur.cli.eval_cards import cards, published, suites
from imprimatur.cli.eval_conditions import conditions
from imprimatur.cli.eval_domains import domains, mine, philosophers, rivers
from imprimatur.cli.eval_extraction import extraction
from imprimatur.cli.eval_figures import figures
from imprimatur.cli.eval_ingest import ingest
from imprimatur.cli.eval_options import bare_option, keep_option, out_option, running_options
from imprimatur.cli.eval_report import compare, report
from imprimatur.cli.eval_retrofit import retrofit, revising_options
from imprimatur.cli.eval_sets import by_name
from imprimatur.cli.eval_tables import basketball, data2txt, quintd, tabfact
from imprimatur.cli.model_options import ModelOptions, model_options, price_option

__all__ = ["command"]


@click.group()
def command() -> None:
    """Measure verdicts against labelled claims."""


@command.command()
@click.argument("rows", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@bare_option
@running_options
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the measures as JSON.")
def claims(*, rows: Path, kb: str, jobs: int, keep: Path | None, **given: Any) -> int:
    """Judge the rows {id, text | answer, label} of a JSON-lines file and compare; `label` is one label or a list.

    Where the policy trusts facts that a model made, it is printed how many verdicts rest on one.
    """
    from imprimatur.evals.claims import run
    from imprimatur.evals.running import Running

    return run(rows, kb, running=Running(jobs=jobs, keep=keep), **given)


@command.command()
@click.argument("rows", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option("--most", default=500, show_default=True, help="How many licensed sentences are changed.")
@click.option("--each", default=20, show_default=True, help="How many changes of one sentence are judged.")
@click.option("--seed", default=1, show_default=True, help="What the choice hangs on.")
@running_options
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def mutants(*, rows: Path, kb: str, **settings: Any) -> int:
    """Change the true sentences of a JSON-lines file a little; nothing that the graph does not bear out may pass.

    The rows are those of `eval claims`; those labelled `supported` that are licensed are changed.
    """
    from imprimatur.evals.mutants import Settings, run

    return run(rows, kb, Settings(**settings))


@command.command()
@click.argument("rows", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option("--most", default=500, show_default=True, help="How many sentences are changed.")
@click.option("--seed", default=1, show_default=True, help="What the choice hangs on.")
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def restoring(*, rows: Path, kb: str, most: int, seed: int, as_json: bool, out: Path | None) -> int:
    """Put wrong values into the true sentences of a JSON-lines file; `correct` must put the right ones back.

    The rows are those of `eval claims`; those labelled `supported` that are licensed are changed.
    """
    from imprimatur.evals.restoring import run

    status: int = run(rows, kb, most=most, seed=seed, as_json=as_json, out=out)
    return status


@command.command()
@click.argument("rows", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def repairs(*, rows: Path, kb: str, as_json: bool, out: Path | None) -> int:
    """Correct texts of which the wrong spans are known; nothing else may change.

    A row is {id, text, wrong: [[start, end], ...]}, a true text with a false twin {id, text, twin: {text}}, or an
    annotated answer {id, answer, segments: [{claims: [{start, end, gold}]}]}.
    """
    from imprimatur.evals.repairing import run

    return run(rows, kb, as_json=as_json, out=out)


@command.command()
@click.argument("name", metavar="SET", type=click.Choice(("ragtruth", "begin", "wice", "factcheck")))
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--policy", default="annotate", show_default=True, help="A preset or a file.")
@click.option("--jobs", type=click.IntRange(1, 256), help="How many processes judge; all cores by default.")
@keep_option
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def passages(*, name: str, folder: Path, **settings: Any) -> int:
    """Judge a set of texts that are labelled against passages, beside plain baselines.

    SET is ragtruth, begin, wice or factcheck; FOLDER holds its files as they were published.
    """
    from imprimatur.evals.passages import Settings, run

    return run(name, folder, Settings(**settings))


@command.command()
@click.argument("rows", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--part", metavar="NAME", help="Only the rows whose `part` is this.")
@click.option("--policy", help="A preset or a file; the default policy else.")
@click.option("--withheld", "show", is_flag=True, help="Also print the true claims that are withheld.")
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def changes(*, rows: Path, **settings: Any) -> int:
    """Judge sentences changed in one small point against the texts that they were made from.

    A row is {id, text, true: [claim], false: [{kind, claim}], part?}. Each claim is judged with the text as a cited
    memory entry and as a passage. Printed by kind: how many false claims are licensed, with 95 % intervals; and how
    many true ones are. Exit status 1 when a false one is.
    """
    from imprimatur.evals.changes import Settings, run

    return run(rows, Settings(**settings))


@command.command()
@click.option("--facts", metavar="FILE", type=click.Path(path_type=Path), help="Facts and claims of your own.")
@click.option("--wrong", is_flag=True, help="Also print the claims that are judged wrong.")
@click.option("--described", is_flag=True, help="Judge by the four rules of the published description too.")
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the measures as JSON.")
def fence(*, facts: Path | None, wrong: bool, described: bool, as_json: bool, out: Path | None) -> int:
    """Judge claims about invented facts, most of them false in one small point, against these facts as memory.

    Nothing that a cited entry does not say, and that does not follow from it, may pass; the kinds of claims are
    reported one by one. A FILE has lines "id = text" and, below each, "+ kind | claim" or "- kind | claim".
    """
    from imprimatur.evals import fence_described
    from imprimatur.evals.fence import run

    if described:
        return fence_described.run(as_json=as_json, path=facts, out=out)
    status: int = run(wrong=wrong, as_json=as_json, path=facts, out=out)
    return status


@command.command()
@click.argument("name", metavar="SET", type=click.Choice(("rivers", "relations", "chains")))
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--kb", default="rivers", show_default=True, metavar="DIR", help="The knowledge base that is asked.")
@click.option("--most", default=500, show_default=True, help="How many questions are asked.")
@click.option("--unsupported", "made", default=300, show_default=True, help="How many without support are made.")
@click.option("--hops", type=click.IntRange(1, 3), default=2, show_default=True, help="How far relations are followed.")
@click.option("--embed", metavar="MODEL", help="`minilm`, or a folder with an embedding model; none by default.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Write the questions for calibrate-gate.")
@out_option("--outcome")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def retrieval(*, name: str, files: tuple[Path, ...], embed: str | None, **settings: Any) -> int:
    """Measure whether the evidence for questions is found, by which path, and what the gate lets through.

    SET is rivers (FILES: the river questions, and the table of facts that names their ids), relations (one FILE of rows
    {input: "THING [SEP] RELATION", topic_entity, answer}, asked of a knowledge base made of the rows), or chains
    (questions over two relations, made from the graph). Recall is printed for each path and for all fused; the gate is
    measured beside made questions that nothing supports.
    """
    from imprimatur.cli.passages import open_model
    from imprimatur.evals.retrieving import Settings, run

    status: int = run(name, files, Settings(embedder=open_model(embed), **settings))
    return status


@command.command()
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option("--most", default=150, show_default=True, help="How many questions are asked.")
@click.option("--seed", default=1, show_default=True, help="What the choice hangs on.")
@click.option("--refused", is_flag=True, help="Also print the questions that are refused.")
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the shares as JSON.")
def hops(*, kb: str, most: int, seed: int, refused: bool, as_json: bool, out: Path | None) -> int:
    """Ask questions over two and three facts, made from the graph, and compare the answers with its values."""
    from imprimatur.evals.hops import run

    status: int = run(kb, most=most, seed=seed, refused=refused, as_json=as_json, out=out)
    return status


@command.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--kb", required=True, metavar="DIR", help="The knowledge base: a folder, or a bundled name.")
@click.option("--most", default=500, show_default=True, help="How many questions are asked.")
@click.option("--seed", default=1, show_default=True, help="What the choice hangs on.")
@click.option("--refused", is_flag=True, help="Also print the questions that are refused.")
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the shares as JSON.")
def questions(*, file: Path, kb: str, **settings: Any) -> int:
    """Ask the questions of a CSV file whose facts are in the graph, openly and as a choice of five answers.

    Its columns are river_name, question_id, question, answer_1 to answer_5 and correct_answer_index (0 to 4).
    """
    from imprimatur.evals.questions import Settings, run

    return run(file, kb, Settings(**settings))


@command.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--kb", metavar="DIR", help="The knowledge base of labelled rows: a folder, or a bundled name.")
@click.option("--extractor", "named", multiple=True, metavar="KIND", help="reader (the default), llm, gliner=FOLDER.")
@click.option("--most", type=click.IntRange(1), help="How many rows of each file are judged; all by default.")
@click.option("--record", type=click.Path(path_type=Path), metavar="FILE", help="Keep the answers of the model here.")
@click.option("--replay", type=click.Path(path_type=Path), metavar="FILE", help="Answers that were kept, and no model.")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def extractors(*, files: tuple[Path, ...], named: tuple[str, ...], as_json: bool, **settings: Any) -> int:
    """Measure each extractor on the same sets: triples right and wrong, false licences, failures, speed.

    A FILE has the rows of `eval claims`, judged against --kb, or rows {id, sent, triples: [{sub, rel, obj}]}, judged
    against a graph of their own triples. --extractor can be given several times.
    """
    from imprimatur.evals.extractors import Settings, run

    status: int = run(files, Settings(extractors=named or ("reader",), **settings), as_json=as_json)
    return status


@command.command()
@click.argument("asked", metavar="SET", type=click.Choice(("simplequestions", "mintaka", "hotpotqa", "relations")))
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--kb", metavar="DIR", help="The knowledge base that is asked; one made of the rows by default.")
@click.option(
    "--facts", multiple=True, metavar="FILE", type=click.Path(path_type=Path), help="More labels and facts; repeatable."
)
@click.option(
    "--paragraphs",
    type=click.Choice(("none", "needed", "all")),
    default="none",
    show_default=True,
    help="Which paragraphs of hotpotqa are evidence too; some of the others are false on purpose.",
)
@click.option("--endpoint", metavar="URL", help="A SPARQL endpoint like Wikidata's, from which facts are fetched.")
@click.option("--cache", metavar="DIR", type=click.Path(path_type=Path), help="Keep the endpoint's answers here.")
@click.option("--agent", metavar="NAME", help="Who the endpoint is told asks; say how you can be reached.")
@click.option("--pause", default=0.2, show_default=True, help="The least seconds between two requests.")
@click.option("--language", "languages", multiple=True, metavar="TAG", help="Of labels, the best first: en, mul.")
@click.option(
    "--how",
    "hows",
    multiple=True,
    type=click.Choice((*HOWS, "recorded")),
    help="A way to ask; repeatable, graph by default.",
)
@click.option("--answers", metavar="FILE", type=click.Path(path_type=Path), help="Rows {id, answer} for `recorded`.")
@click.option("--part", type=click.Choice(("all", "dev", "heldout")), default="all", help="A half of the questions.")
@click.option("--most", type=click.IntRange(1), help="How many questions are asked; all by default.")
@click.option("--plainly", is_flag=True, help="Ask for relations in their own words, and not by templates.")
@click.option(
    "--withhold", "withheld", type=click.IntRange(0, 100), default=0, help="Leave out so many % of the facts."
)
@click.option("--tokens", type=click.IntRange(1, 100_000), help="The longest answer.")
@click.option("--items", type=click.IntRange(1, 100), help="How many items of evidence are shown at most.")
@click.option("--record", metavar="FILE", type=click.Path(path_type=Path), help="Append the model's answers to a file.")
@click.option("--replay", metavar="FILE", type=click.Path(path_type=Path), help="Take the model's answers from a file.")
@click.option("--policy", help="A preset (strict, redact, correct, annotate) or a file.")
@click.option(
    "--draw", "seed_of_questions", default=1, show_default=True, help="What the choice of questions hangs on."
)
@click.option("--list", "list_all", is_flag=True, help="Print every answer, and not the wrong ones alone.")
@revising_options
@price_option
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print the figures and answers as JSON.")
def kgqa(*, asked: str, files: tuple[Path, ...], model: ModelOptions, **given: Any) -> int:
    """Ask questions with short answers, and print exact match, F1, abstentions and wrong answers with intervals.

    SET is simplequestions (rows {s, p, o, question}, ids of Wikidata), mintaka ({id, question, answer_type, answer}),
    hotpotqa ({qas_id, question, paragraphs, answer, wikidata_entities}) or relations (T-REx and zero-shot relation
    extraction: {input: "THING [SEP] RELATION", topic_entity, answer, alias?, template_questions?}). The knowledge base
    is made of the rows, fetched from an endpoint, or one of your own. Exit status 1 when a licensed answer is wrong.
    """
    from imprimatur.cli.eval_kgqa import run

    return run(asked, files, model, **given)


@command.command("risk-coverage")
@click.argument("name", metavar="SET", type=click.Choice(("rivers", "relations", "made", "posed")))
@click.argument("files", metavar="[FILE]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--kb", default="rivers", show_default=True, metavar="DIR", help="The knowledge base that is asked.")
@click.option("--most", default=500, show_default=True, help="How many questions are asked.")
@click.option("--unsupported", "made", default=300, show_default=True, help="How many without support are made.")
@click.option("--seed", default=1, show_default=True, help="What the choice hangs on.")
@click.option("--embed", metavar="MODEL", help="`minilm`, or a folder with an embedding model; none by default.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Draw the curves into this SVG file.")
@out_option("--outcome")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def risk_coverage(*, name: str, files: tuple[Path, ...], embed: str | None, **given: Any) -> int:
    """Measure how many questions are answered at which risk, by the gate alone and with the five stages.

    The sets are those of `eval conditions`. The gate alone says the fact that fits best; with the stages, what they
    license is said. No model is asked.
    """
    from imprimatur.cli.passages import open_model
    from imprimatur.evals.risk_coverage import Settings, run

    return run(name, files, Settings(embedder=open_model(embed), **given))


@command.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--ablation",
    "ablations",
    multiple=True,
    type=click.Choice(("full", "direct", "claims", "key-value", "strict-ids", "no-initial", "all")),
    help="What of the method is run; repeatable. The default is full.",
)
@click.option(
    "--scope",
    type=click.Choice(("passage", "dialogue", "global")),
    default="passage",
    show_default=True,
    help="What shares a database: one sample, one dialogue, or all.",
)
@click.option("--task", "tasks", multiple=True, metavar="NAME", help="Only this task (a part of its name); repeatable.")
@click.option("--most", type=click.IntRange(1), help="How many responses or dialogues of each task; all by default.")
@click.option("--tokens", type=click.IntRange(1, 100_000), default=4000, show_default=True, help="The longest answer.")
@click.option("--calls", type=click.IntRange(1), help="How many calls there may be in all.")
@click.option("--keep", metavar="FILE", type=click.Path(path_type=Path), help="Keep answers here, and ask only once.")
@click.option("--replay", metavar="FILE", type=click.Path(path_type=Path), help="Answers that were kept, and no model.")
@click.option("--chains", is_flag=True, help="Also print the reason chain of every response.")
@price_option
@model_options
@out_option()
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def teqhallu(*, file: Path, model: ModelOptions, **given: Any) -> int:
    """Measure TeQHallu: a model makes a database of the reference by SQL, and checks the response by SELECTs.

    FILE is a folder with RAGTruth's files, DiaHalu's JSON lines or CSV, or rows {id, response, reference, hallucinated,
    question?, task?}. Printed for each ablation: precision, recall and F1 of finding hallucinated responses, tokens for
    each sample, and how complete the databases are. What the model says licenses nothing.
    """
    from imprimatur.cli.eval_teqhallu import run

    return run(file, model, **given)


for each in (
    basketball,
    calibrate,
    calibrate_gate,
    compare,
    conditions,
    data2txt,
    ingest,
    quintd,
    report,
    retrofit,
    tabfact,
):
    command.add_command(each)
for each in (cards, domains, extraction, figures, mine, philosophers, published, rivers, suites):
    command.add_command(each)
for each in by_name(passages, kgqa, teqhallu):
    command.add_command(each)
