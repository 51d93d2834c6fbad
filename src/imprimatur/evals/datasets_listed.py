"""The data sets that can be evaluated on: what each is, what may be done with it, and the loader that reads it.

Licences and origins are as the sets' own repositories state them. ``tested`` says on what the loader was tried: on the
published files, or on made rows of the published form alone. ``leaks`` are what a measurement can go wrong by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur.evals import datasets_rows as rows
from imprimatur.evals.card_set import MADE as CARDS
from imprimatur.evals.datasets_rows import Shown
from imprimatur.evals.factbench import SAMPLE as FACTBENCH
from imprimatur.evals.fence import FACTS as FENCE
from imprimatur.evals.gold_sets import SAMPLE as TEXT2KG
from imprimatur.evals.tabfact import SAMPLE as TABFACT

__all__ = ["LISTED", "DataSet", "Hub"]

_FILES, _MADE = "the published files", "made rows only"
_DEV = "dev: rules were worked on with it"
_HALVES = "dev: the first half by hash; held out: the second"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """Where the Hugging Face hub has the rows: repository, configuration, split, and the file that the loader reads."""

    repository: str
    config: str
    split: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """One data set.

    Attributes:
        size: how many rows were published, in words. files: what a folder must hold.
        command: the evaluation that uses it. use: what it may be used for here.
        shipped: what comes with the package (a file or folder); None for nothing.
        hub: where the `datasets` library finds its rows; None where no form of it there is read.
    """

    name: str
    title: str
    licence: str
    home: str
    citation: str
    size: str
    files: str
    command: str
    read: Callable[[Path], Iterator[Shown]]
    use: str = _DEV
    tested: str = _FILES
    leaks: tuple[str, ...] = ()
    shipped: Path | None = None
    hub: Hub | None = None


_ORACLE = "https://github.com/s-emanuilov/world_mind"
_ORACLE_PAPER = "Ackermann, Emanuilov: Licensing Oracle, 2025"
_RAGTRUTH_LEAK = "A claim “no WiFi” from a null attribute is labelled unfounded (due_to_null)."

_CLAIMS = (
    DataSet(
        name="rivers",
        title="River claims",
        licence="CC BY-SA 4.0",
        home=_ORACLE,
        citation=_ORACLE_PAPER,
        size="27,129 claims in the dev part",
        files="claims.dev.jsonl, claims.heldout.jsonl",
        command="eval claims",
        read=rows.claims,
        leaks=("Facts and claims come from the same questions: “true” means keyed so, not checked against the world.",),
    ),
    DataSet(
        name="river-questions",
        title="River questions",
        licence="CC BY-SA 4.0",
        home=_ORACLE,
        citation=_ORACLE_PAPER,
        size="17,726 rows, 17,494 questions",
        files="river_qa_dataset.csv",
        command="eval questions",
        read=rows.river_questions,
        leaks=("The right answer is the first in 14,151 rows: a choice must be shuffled.", "32 rows come twice."),
    ),
    DataSet(
        name="cards",
        title="Context cards",
        licence="none stated (from DBpedia, CC BY-SA)",
        home=_ORACLE,
        citation=_ORACLE_PAPER,
        size="800 and 1,997 cards",
        files="context_cards_800.jsonl, scaled_cards_1997.jsonl",
        command="eval cards",
        read=rows.cards,
        leaks=("D and U cards are made alike and have different gold; only a world assumption tells them apart.",),
        shipped=CARDS,
    ),
    *(
        DataSet(
            name=name,
            title=f"Prompt suite: {name}",
            licence="none stated (from DBpedia, CC BY-SA)",
            home=_ORACLE,
            citation=_ORACLE_PAPER,
            size=size,
            files=f"prompt_suite.{name}.json",
            command="eval suites",
            read=rows.suite(name),
            leaks=("The graphs that the suites were made for are not public.",),
        )
        for name, size in (("philosophers", "15 prompts"), ("battles", "30 prompts"))
    ),
    DataSet(
        name="fence",
        title="Fence: claims that cite facts",
        licence="Apache-2.0 (this package)",
        home="this package",
        citation="",
        size="146 facts, 667 claims by hand",
        files="a .txt file of facts with claims",
        command="eval fence",
        read=rows.fence,
        shipped=FENCE,
    ),
    DataSet(
        name="memories",
        title="LoCoMo: long conversations",
        licence="CC BY-NC 4.0",
        home="https://github.com/snap-research/locomo",
        citation="Maharana et al., ACL 2024",
        size="10 conversations",
        files="locomo10.json",
        command="eval memories",
        read=rows.turns,
        use="never seen",
        tested=_MADE,
        leaks=("Observations were written by a model and checked by nobody.", "Some evidence names no turn."),
    ),
)

_PASSAGES = (
    DataSet(
        name="ragtruth",
        title="RAGTruth",
        licence="MIT; texts: Yelp, MS MARCO, CNN/DailyMail",
        home="https://github.com/ParticleMedia/RAGTruth",
        citation="Niu et al., ACL 2024",
        size="2,700 responses in the test part",
        files="response.jsonl and source_info.jsonl, or TASK_sources.jsonl and TASK_responses.jsonl",
        command="eval ragtruth",
        read=rows.passages("ragtruth"),
        use="dev: weights were made of one half of the test part, by source",
        leaks=(_RAGTRUTH_LEAK, "implicit_true spans are true in the world and absent from the source."),
    ),
    DataSet(
        name="diahalu",
        title="DiaHalu",
        licence="none stated in its README",
        home="https://github.com/ECNU-ICALK/DiaHalu",
        citation="Chen et al., Findings of EMNLP 2024",
        size="1,103 dialogues",
        files="DiaHalu_V2.xlsx, or the same as .csv or .jsonl",
        command="eval diahalu",
        read=rows.dialogues,
        use="never seen",
        tested=_MADE,
        leaks=("The label is of the dialogue, not of its turns.",),
    ),
    DataSet(
        name="begin",
        title="BEGIN, Wizard of Wikipedia part",
        licence="CC BY 4.0",
        home="https://github.com/google/BEGIN-dataset",
        citation="Dziri et al., TACL 2022",
        size="dev 430, test 3,607",
        files="begin_dev_wow.tsv, begin_test_wow.tsv",
        command="eval begin",
        read=rows.passages("begin"),
        use="dev: the dev part; the test part was only counted",
        leaks=("228 passages are in both parts.",),
    ),
    DataSet(
        name="wice",
        title="WiCE",
        licence="ODC-By 1.0; texts CC BY-SA and Common Crawl's terms",
        home="https://github.com/ryokamoi/wice",
        citation="Kamoi et al., EMNLP 2023",
        size="dev 349, test 358",
        files="claim_dev.jsonl, claim_test.jsonl",
        command="eval wice",
        read=rows.passages("wice"),
        use="dev: the dev part; the test part was only counted",
    ),
    DataSet(
        name="factcheck",
        title="Factcheck-Bench, stances",
        licence="Apache-2.0",
        home="https://github.com/yuxiaw/Factcheck-GPT",
        citation="Wang et al., 2024",
        size="3,305 pairs",
        files="subtask3_claim_evidence_stance.jsonl",
        command="eval passages factcheck",
        read=rows.passages("factcheck"),
        leaks=("Evidence is scraped from the web, cut anywhere.",),
    ),
    DataSet(
        name="refchecker",
        title="RefChecker, human annotations",
        licence="CC BY 4.0",
        home="https://github.com/amazon-science/RefChecker",
        citation="Hu et al., 2024",
        size="2,100 responses, 10,733 triples",
        files="human_annotations.jsonl",
        command="none: reference passages are not published with it",
        read=rows.checked_claims,
    ),
)

_QUESTIONS = (
    DataSet(
        name="simplequestions",
        title="SimpleQuestions on Wikidata",
        licence="CC BY 3.0",
        home="https://github.com/askplatypus/wikidata-simplequestions",
        citation="Bordes et al., 2015; Diefenbach et al., ISWC 2017",
        size="5,622 answerable in the test part",
        files="annotated_wd_data_*.txt, or JSON lines",
        command="eval simplequestions",
        read=rows.questions("simplequestions", "annotated_wd_data_*.txt", "simplequestions*.jsonl"),
        leaks=("Answers are ids: what has no label cannot be scored.",),
    ),
    DataSet(
        name="mintaka",
        title="Mintaka",
        licence="CC BY 4.0",
        home="https://github.com/amazon-science/mintaka",
        citation="Sen et al., COLING 2022",
        size="train 14,000, dev 2,000, test 4,000",
        files="mintaka_test.json, or JSON lines",
        command="eval mintaka",
        read=rows.questions("mintaka", "mintaka*.json", "mintaka*.jsonl"),
        tested="a subset as JSON lines; the published form on made rows only",
        hub=Hub(repository="AmazonScience/mintaka", config="en", split="test", file="mintaka.jsonl"),
    ),
    DataSet(
        name="hotpotqa",
        title="HotpotQA",
        licence="CC BY-SA 4.0",
        home="https://hotpotqa.github.io",
        citation="Yang et al., EMNLP 2018",
        size="dev 7,405; 308 in the adversarial subset",
        files="hotpot_dev_distractor_v1.json, or JSON lines",
        command="eval hotpotqa",
        read=rows.questions("hotpotqa", "hotpot*.json", "hotpot*.jsonl"),
        tested="the adversarial subset; the published form on made rows only",
        leaks=("In the adversarial subset paragraphs were added that are false on purpose.",),
        hub=Hub(repository="hotpotqa/hotpot_qa", config="distractor", split="validation", file="hotpot.jsonl"),
    ),
    DataSet(
        name="relations",
        title="T-REx and zero-shot relation extraction",
        licence="T-REx CC BY-SA 4.0; KILT MIT; the files' repository states none",
        home="https://github.com/GasolSun36/ToG",
        citation="Sun et al., ICLR 2024",
        size="5,000 and 3,724 rows",
        files="tog_*.jsonl",
        command="eval kgqa relations",
        read=rows.questions("relations", "tog_*.jsonl"),
        use=_HALVES,
    ),
)

_FACTS = (
    DataSet(
        name="factbench",
        title="FactBench",
        licence="MIT; facts from DBpedia (CC BY-SA 3.0) and Freebase (CC BY)",
        home="https://github.com/DeFacto/FactBench",
        citation="Gerber et al., Journal of Web Semantics 2015",
        size="train and test: 750 correct and 4,500 wrong each",
        files="facts_train.jsonl, facts_test.jsonl, or the folders train and test of Turtle files",
        command="eval factbench",
        read=rows.facts,
        use="dev: the train part; the test part was never seen",
        leaks=(
            "Wrong facts are linked by a property of their own.",
            "Membership in a graph of the correct facts is the answer: a share is withheld.",
            "A corrupted property may be the right one.",
            "Only correct facts have days.",
        ),
        shipped=FACTBENCH,
    ),
    DataSet(
        name="factkg",
        title="FactKG",
        licence="none stated in its README; claims from WebNLG and DBpedia",
        home="https://github.com/jiho283/FactKG",
        citation="Kim et al., ACL 2023",
        size="108,000 claims; test 9,041",
        files="factkg_train.pickle, factkg_dev.pickle, factkg_test.pickle",
        command="eval factkg",
        read=rows.kg_claims,
        use="never seen",
        tested=_MADE,
        leaks=("The test part gives no evidence; a graph can be made of train and dev alone.",),
    ),
    DataSet(
        name="tabfact",
        title="TabFact, small test set",
        licence="MIT; tables CC BY-SA",
        home="https://github.com/wenhuchen/Table-Fact-Checking",
        citation="Chen et al., ICLR 2020",
        size="1,998 statements, 298 tables",
        files="statements.jsonl, tables.jsonl",
        command="eval tabfact",
        read=rows.statements,
        use=_HALVES,
        leaks=("Statements are in small letters and lemmatised; some have lost a word ([UNK]) and are left out.",),
        shipped=TABFACT,
    ),
    DataSet(
        name="text2kg",
        title="Text2KGBench",
        licence="CC BY-SA 4.0",
        home="https://github.com/cenguix/Text2KGBench",
        citation="Mihindukulasooriya et al., ISWC 2023",
        size="29 ontologies, 6,076 sentences",
        files="*_ground_truth.jsonl",
        command="eval extraction",
        read=rows.sentences,
        leaks=("The triples of a sentence are not all that it says: a precision is a lower bound.",),
        shipped=TEXT2KG.parent,
    ),
    DataSet(
        name="quintd",
        title="Quintd-1",
        licence="MIT; inputs: Wikidata CC0, OWID CC BY 4.0, OpenWeather",
        home="https://github.com/kasnerz/quintd",
        citation="Kasner, Dušek, ACL 2024",
        size="2,000 texts, 5,500 human spans",
        files="annotated.jsonl, sources.jsonl",
        command="eval quintd",
        read=rows.spans,
        use=_HALVES,
    ),
    DataSet(
        name="basketball",
        title="Shared task on evaluating accuracy",
        licence="CC0 1.0",
        home="https://github.com/ehudreiter/accuracySharedTask",
        citation="Thomson, Reiter, INLG 2021",
        size="60 texts, 1,214 mistakes",
        files="games.csv, gsml.csv, shared_task.jsonl",
        command="eval basketball",
        read=rows.games,
        use=_HALVES,
        leaks=("Some mistakes need data outside of the box score.",),
    ),
)

#: By name.
LISTED: dict[str, DataSet] = {each.name: each for each in (*_CLAIMS, *_PASSAGES, *_QUESTIONS, *_FACTS)}
