"""Languages as data: what a folder's files say of words, errors that name the line, and no code that knows one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import imprimatur
from imprimatur.errors import KnowledgeBaseError
from imprimatur.extract.frames import frames
from imprimatur.extract.wording import wording_keys
from imprimatur.extract.words import forms
from imprimatur.language.languages import Language, by_tag, language_of, open_language, plain
from imprimatur.language.morphology import Form, inflect
from imprimatur.language.wordnet import noun_kind

ROOT = Path(imprimatur.__file__).parent
CODES = sorted(path.name for path in (ROOT / "resources" / "languages").iterdir() if path.is_dir())
FILES = ("words.tsv", "rules.tsv", "inflection.tsv", "verbs.tsv", "nouns.tsv", "frames.txt")


def spanish() -> Language:
    """The Spanish that comes with the package."""
    found = language_of("es-MX")
    assert found is not None
    return found


def folder(tmp_path: Path, **files: str) -> Path:
    """A language's folder; files that are not given are empty."""
    for name in FILES:
        (tmp_path / name).write_text(files.get(name.partition(".")[0], ""), encoding="utf-8")
    return tmp_path


def test_a_locale_chooses_the_language() -> None:
    """The region does not matter; a language without a folder is none."""
    assert language_of("es") is language_of("es_AR") is spanish()
    assert language_of("en-GB") is None
    assert language_of("de") is None


@pytest.mark.parametrize(
    ("word", "noun", "verb", "tags", "adj"),
    [
        ("ríos", "ríoᵉˢ", "", set(), ""),
        ("ciudades", "ciudadᵉˢ", "", set(), ""),
        ("autora", "autorᵉˢ", "", set(), ""),
        ("desemboca", "", "desembocarᵉˢ", {"s"}, ""),
        ("nacen", "", "nacerᵉˢ", {"base"}, ""),
        ("midió", "", "medirᵉˢ", {"past"}, ""),
        ("escritas", "", "escribirᵉˢ", {"pp"}, ""),
        ("construyendo", "", "construirᵉˢ", {"ing"}, ""),
        ("encuentrase", "", "encontrarseᵉˢ", {"s"}, ""),
        ("murió", "", "die", {"past"}, ""),
        ("navegables", "", "", set(), "navegableᵉˢ"),
        ("caudalosas", "caudalosaᵉˢ", "", set(), "caudalosoᵉˢ"),
    ],
)
def test_forms(word: str, noun: str, verb: str, tags: set[str], adj: str) -> None:
    """A form has the lemma and the tags that the data give it; an unknown word is a noun or an adjective."""
    found = forms(spanish().tagged(word))
    assert (found.noun or "", found.verb or "", set(found.verb_forms), found.adj or "") == (noun, verb, tags, adj)


def test_forms_to_write() -> None:
    """Presents and plurals are made by the data, and read back."""
    tagged = spanish().tagged
    assert inflect(tagged("medir"), "v", Form.THIRD_PERSON) == tagged("mide")
    assert inflect(tagged("habitante"), "n", Form.PLURAL) == tagged("habitantes")
    assert forms(inflect(tagged("ciudad"), "n", Form.PLURAL)).noun == tagged("ciudad")
    assert noun_kind(tagged("escritor")) == "noun.person"


def test_a_tag_is_no_part_of_the_word() -> None:
    """A tagged word is known by its tag, and shown without it."""
    assert by_tag("ríoᵉˢ") == (spanish(), "río")
    assert by_tag("river") is None
    assert by_tag("ᵉˢ") is None
    assert plain("el ríoᵉˢ largo") == "el río largo"


def test_the_frame_lexicon_is_readable() -> None:
    """Every line gives a key, every relation has a head, and no line stands twice in a frame."""
    told = frames(spanish())
    lines = [((f.kind, f.name), line) for f in told for line in (*f.heads, *f.lines, *f.measures)]
    assert [each for each in lines if not wording_keys(each[1])] == []
    assert [f.name for f in told if f.kind == "relation" and not f.heads] == []
    assert [f.name for f in told if f.kind != "relation" and not f.nouns] == []
    assert len(lines) == len(set(lines)) > 200
    empty = {"be|loc=*|subj=*", "=*", "be|of=*|subj=*"}
    assert [f.name for f in told if {key.key for key in f.keys()} & empty] == []


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"words": "the\n"}, "words.tsv:1: 1 columns where 2 or 3 are needed"),
        ({"words": "the\tla\na\tla\n"}, "words.tsv:2: 'la' is already a word for 'the'"),
        ({"words": "the\tla\tarticle\n"}, "words.tsv:1: no such kind of word: 'article'"),
        ({"rules": "# a comment\nno {verb}\tnot {1}\n"}, "rules.tsv:2: no such kind of word: 'verb'"),
        ({"rules": "no {finite}\tnot {3}\n"}, "rules.tsv:1: the pattern has no word 3"),
        ({"rules": "no ... {finite}\tnot {3}\n"}, 'rules.tsv:1: "..." is not matched'),
        ({"inflection": "verb ar\ta\n"}, "inflection.tsv:1: a row of a verb class is not complete"),
        ({"inflection": "dual\ta\n"}, "inflection.tsv:1: no such inflection: 'dual'"),
        ({"verbs": "ser\tpast\n"}, "verbs.tsv:1: 'past' gives no form"),
    ],
)
def test_a_fault_names_its_line(tmp_path: Path, files: dict[str, str], said: str) -> None:
    """What cannot be read is an error with file, line and a hint."""
    with pytest.raises(KnowledgeBaseError) as caught:
        open_language(folder(tmp_path, **files), "xx")
    assert str(caught.value).endswith(said)
    assert caught.value.hint


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    """A folder without one of the files is no language; nor is a file that is no text."""
    (folder(tmp_path) / "rules.tsv").unlink()
    with pytest.raises(KnowledgeBaseError, match=r"there is no rules\.tsv"):
        open_language(tmp_path, "xx")
    (tmp_path / "rules.tsv").write_bytes(b"\xff\xfe\tx")
    with pytest.raises(KnowledgeBaseError, match="not UTF-8 text"):
        open_language(tmp_path, "xx")


def test_own_folders_have_own_tags(tmp_path: Path) -> None:
    """Two folders for one language in one process are kept apart by their content."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = open_language(folder(tmp_path / "a", words="the\tla\n"), "eo")
    other = open_language(folder(tmp_path / "b", words="the\tlo\n"), "eo")
    assert one.tag != other.tag
    assert by_tag(one.tagged("urbo")) == (one, "urbo")


def test_no_code_knows_a_language() -> None:
    """Nothing in the reader is compared with the name of a language that is data, and none is named in it."""
    assert CODES == ["es"]
    for room in ("extract", "language"):
        for path in (ROOT / room).glob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Compare):
                    compared = [c.value for c in (node.left, *node.comparators) if isinstance(c, ast.Constant)]
                    assert not set(compared) & {*CODES, "spanish"}, path
            assert "spanish" not in path.read_text(encoding="utf-8").lower(), path
