"""Sentences judged by documents: what a document says is supported, and with any cell changed it never is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from made_documents_of_tables import FORMS, LIGHTS

from imprimatur import Oracle
from imprimatur.report_json import report_schema, report_to_dict

#: Another value for each, which another light has where words are known by the values alone; and what is said of one.
_OTHERS = {"Height": "17 m", "Year built": "1805"}
_COLOURS = {"red": "white", "green": "red", "white": "green"}
_SAID = {
    "Height": "{name} is {value} tall.",
    "Colour": "The colour of {name} is {value}.",
    "Year built": "{name} was built in {value}.",
    "Has WiFi": "{name} has {value} WiFi.",
}
_CELLS = [(name, key) for name, said in LIGHTS.items() for key in said]


def _sentence(name: str, key: str, value: str) -> str:
    value = {"yes": "", "no": "no"}.get(value, value)
    return " ".join(_SAID[key].format(name=name, value=value).split())


def _other(key: str, value: str) -> str:
    return _OTHERS.get(key) or {**_COLOURS, "yes": "no", "no": "yes"}[value]


def _oracle(folder: Path, form: str, lights: Mapping[str, Mapping[str, str]], *, complete: bool = True) -> Oracle:
    folder.mkdir(exist_ok=True)
    (folder / form).write_bytes(FORMS[form](lights).encode("utf-8"))
    config = f"version: 1\ntables: [{{file: {form}, complete: {str(complete).lower()}}}]\n"
    (folder / "imprimatur.yaml").write_text(config, encoding="utf-8")
    return Oracle.from_folder(folder)


def _label(oracle: Oracle, sentence: str) -> str:
    return oracle.check(sentence).segments[0].label.value


@pytest.mark.parametrize("form", FORMS)
def test_what_a_document_says(tmp_path: Path, form: str) -> None:
    """Each cell is supported, each other value refuted; counts, superlatives and comparisons hold."""
    oracle = _oracle(tmp_path / "kb", form, LIGHTS)
    for name, key in _CELLS:
        value = LIGHTS[name][key]
        assert _label(oracle, _sentence(name, key, value)) == "supported"
        assert _label(oracle, _sentence(name, key, _other(key, value))) == "contradicted"
    for sentence in (
        "There are three lighthouses.",
        "Holm Light is the tallest lighthouse.",
        "Two lighthouses have WiFi.",
        "Bain Light was built after Skerry Light.",
    ):
        assert _label(oracle, sentence) == "supported"


@pytest.mark.parametrize("form", FORMS)
def test_a_changed_cell_changes_the_verdict(tmp_path: Path, form: str) -> None:
    """Where another value stands in the document the old one is contradicted; where none does it is not found."""
    for name, key in _CELLS:
        value = LIGHTS[name][key]
        changed = {**LIGHTS, name: {**LIGHTS[name], key: _other(key, value)}}
        oracle = _oracle(tmp_path / "kb", form, changed)
        unknown = key == "Colour"  # a word that stands nowhere any more is not read as a value
        assert _label(oracle, _sentence(name, key, value)) == ("not_found" if unknown else "contradicted")
        assert _label(oracle, _sentence(name, key, _other(key, value))) == "supported"
        silent = {**LIGHTS, name: {**LIGHTS[name], key: "n/a"}}
        assert _label(_oracle(tmp_path / "kb", form, silent), _sentence(name, key, value)) == "not_found"


@pytest.mark.parametrize("form", FORMS)
def test_evidence_points_at_the_cells(tmp_path: Path, form: str) -> None:
    """The origin is the file and the line; the offsets of the report hold the name and the cell."""
    oracle = _oracle(tmp_path / "kb", form, LIGHTS)
    text = (tmp_path / "kb" / form).read_bytes().decode("utf-8")
    made = report_to_dict(oracle.check("Holm Light is 41.5 m tall."))
    assert not list(Draft202012Validator(report_schema()).iter_errors(made))
    (evidence,) = made["segments"][0]["claims"][0]["evidence"]
    line = next(number for number, each in enumerate(text.split("\n"), 1) if "41.5" in each)
    assert evidence["kind"] == "row"
    assert evidence["origin"] == f"{form}, line {line}"
    pointed = [text[spot["start"] : spot["end"]] for spot in evidence["spots"]]
    assert [each.strip("*") for each in pointed] == ["Holm Light", "41.5 m"]
    assert evidence["spots"][1]["line"] == line


@pytest.mark.parametrize(
    ("form", "broken"),
    [
        ("bullets.md", "## Ness Light\n\nIt stands on a rock.\n"),
        ("bullets.md", "## Ness Light ![](x.png)\n\n- Height: 3 m\n"),
        ("nested.md", "- Ness Light\n"),
        ("pipes.markdown", "| Ness Light | 50 m |\n"),
        ("page.html", "<table><tr><th>Name<th>Height<tr><td>Ness Light</table>"),
        ("keyed.txt", "\nName: Ness Light\nIt is tall.\nHeight: 50 m\n"),
    ],
)
def test_what_is_lost_ends_completeness(tmp_path: Path, form: str, broken: str) -> None:
    """Where a thing of a document may not have been read, no count or superlative is known, and reports say so."""
    folder = tmp_path / "kb"
    _oracle(folder, form, LIGHTS)
    with (folder / form).open("a", encoding="utf-8") as file:
        file.write(broken)
    oracle = Oracle.from_folder(folder)
    for sentence in ("There are three lighthouses.", "Holm Light is the tallest lighthouse."):
        report = oracle.check(sentence)
        assert report.segments[0].label.value == "not_found"
        assert any("`complete` does not hold" in warning for warning in report.warnings)
    assert _label(oracle, "Holm Light is 41.5 m tall.") == "supported"


def test_two_documents_complete_only_together(tmp_path: Path) -> None:
    """A table of two documents holds all of its kind only where both say so; trust keeps them apart."""
    names = list(LIGHTS)
    for number, part in enumerate((names[:1], names[1:])):
        (tmp_path / f"{number}.md").write_text(FORMS["bullets.md"]({n: LIGHTS[n] for n in part}), encoding="utf-8")
    config = tmp_path / "imprimatur.yaml"
    both = "version: 1\ntables: [{file: 0.md, complete: true}, {file: 1.md, complete: true}]\n"
    config.write_text(both, encoding="utf-8")
    assert _label(Oracle.from_folder(tmp_path), "There are three lighthouses.") == "supported"
    config.write_text(both.replace("1.md, complete: true", "1.md"), encoding="utf-8")
    assert _label(Oracle.from_folder(tmp_path), "There are three lighthouses.") == "not_found"
    config.write_text(both.replace("1.md,", "1.md, trust: derived,"), encoding="utf-8")
    oracle = Oracle.from_folder(tmp_path)
    (claim,) = oracle.check("Bain Light is 12 m tall.").segments[0].claims
    assert [each.trust for each in claim.verdict.evidence] == ["derived"]


def test_a_changed_document_is_read_anew(tmp_path: Path) -> None:
    """The cache is kept under the document's bytes."""
    first = _oracle(tmp_path / "kb", "bullets.md", LIGHTS)
    assert _label(first, "Bain Light is 12 m tall.") == "supported"
    changed = {**LIGHTS, "Bain Light": {**LIGHTS["Bain Light"], "Height": "13 m"}}
    assert _label(_oracle(tmp_path / "kb", "bullets.md", changed), "Bain Light is 12 m tall.") == "contradicted"


def test_the_name_of_a_table(tmp_path: Path) -> None:
    """`table` says what the things of documents are where no heading does."""
    for name in ("Skerry Light", "Holm Light"):
        text = f"# {name}\n" + "".join(
            f"- {k}: {v}\n" for k, v in LIGHTS[name].items() if name[0] == "S" or k != "Colour"
        )
        (tmp_path / f"{name[0]}.md").write_text(text, encoding="utf-8")
    entries = ", ".join(f"{{file: {name}.md, table: lighthouses, complete: true}}" for name in "SH")
    (tmp_path / "imprimatur.yaml").write_text(f"version: 1\ntables: [{entries}]\n", encoding="utf-8")
    oracle = Oracle.from_folder(tmp_path)
    assert _label(oracle, "There are two lighthouses.") == "supported"
    assert _label(oracle, "Holm Light is the tallest lighthouse.") == "supported"
    assert _label(oracle, "Holm Light is a lighthouse.") == "supported"


_HEAD = "# Lights\n## Skerry Light\n"
_PAGE = "<h1>Lights</h1><table><tr><th>name<th>height<tr><td>Skerry Light<td>{}</table>"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(
            ("a.md", _HEAD + f"- Height: {cell}\n")
            for cell in ("30 m?", "not 30 m", "30 m or 31 m", "up to 30 m", "~30 m")
        ),
        ("a.md", _HEAD + "- Height: 30 m\n\n  No, that was long ago.\n"),
        ("a.md", _HEAD + "- Height: 30 m\n  - Until: 1950\n"),
        ("a.md", _HEAD + "- Height: 30 m\n  - that is wrong\n"),
        ("a.md", _HEAD + "- Height: 30 m\n\n  > wrong\n"),
        ("a.md", _HEAD + "- Height: 30 m\n  or more\n"),
        ("a.md", _HEAD + "- Height (planned): 30 m\n"),
        ("a.md", _HEAD + "- Height: <del>30 m\n"),
        ("a.md", _HEAD + "- Height: 30 m</del>\n"),
        ("a.md", "# Lights\n## Not Skerry Light\n- Height: 30 m\n"),
        ("a.md", "# Lights\n## Skerry Light\n### Old tower\n- Height: 30 m\n"),
        ("a.md", "# Lights\n## Skerry Light\n## ![](holm.png)\n- Height: 30 m\n"),
        ("a.md", "# Lights\n## Skerry Light\n- Height: 31 m\n## Skerry Light\n- Height: 30 m\n"),
        ("a.md", "# Lights\n- Skerry Light\n  - Length: 3 m\n  - Holm Light\n    - Height: 30 m\n"),
        *(
            ("a.md", f"# Lights\n## Skerry Light\n<{tag}>\n\n- Height: 30 m\n\n</{tag.split()[0]}>\n")
            for tag in ("del", "s", "blockquote", "template", "div hidden", "div style='display:none'", "pre", "svg")
        ),
        ("a.md", "# Lights\n## Skerry Light\n<del>\n\nSome words.\n\n## Skerry Light\n\n- Height: 30 m\n"),
        *(
            ("a.html", _PAGE.format(cell))
            for cell in (
                "<span style='font-size:0'>3</span>0 m",
                "<span style='opacity: 0'>30 m</span>",
                "<span style='text-decoration: line-through'>30 m</span>",
                "<span style='position:absolute;left:-999px'>30 m</span>",
                "30 m<sup>?</sup>",
                "<strike>30 m</strike>",
                "<code hidden>30 m</code>",
                "30 m<br>31 m",
                "<input value='30 m'>",
                "<math>30 m</math>",
            )
        ),
        *(("a.html", f"<{tag}>{_PAGE.format('30 m')}</{tag}>") for tag in ("del", "blockquote", "s", "template")),
        ("a.html", "<h1>Lights</h1><pre><h2>Skerry Light</h2><ul><li>Height: 30 m</ul></pre>"),
        ("a.html", "<h1>Lights</h1><h2>Skerry Light</h2><ul><li>Height: 30 m<ul><li>Until: 1950</ul></ul>"),
        ("a.txt", "Skerry Light\nHeight: 30 m\nThis is wrong.\n"),
        *(
            ("a.md", _HEAD + f"{line}\n\n- Height: 30 m\n- Colour: red\n")
            for line in (
                "Its neighbour:",
                "**Holm Light**",
                "Holm Light:",
                "Of old",
                "It is near a light of this kind:",
            )
        ),
        ("a.md", _HEAD + "Holm Light:\n\n- Colour: red\n\nWords.\n\n- Height: 30 m\n"),
        ("a.md", _HEAD + "Holm Light:\n\nHeight: 30 m\nColour: red\n"),
        ("a.md", _HEAD + "Holm Light:\nHeight: 30 m\nColour: red\n"),
        ("a.md", _HEAD + "- Colour: red\n- **Holm Light**\n- Height: 30 m\n"),
        ("a.md", _HEAD + "- Holm Light:\n- Height: 30 m\n"),
        ("a.txt", "Name: Skerry Light\nColour: red\nHolm Light:\nHeight: 30 m\n"),
        ("a.html", "<h1>Skerry Light</h1><ul><li>Holm Light<li>Height: 30 m</ul>"),
        ("a.html", "<h1>Skerry Light</h1><dl><dt>Holm Light<dd><dt>Height<dd>30 m</dl>"),
        ("a.md", _HEAD + "Holm Light:\n\n| Property | Value |\n|-|-|\n| Height | 30 m |\n"),
        ("a.html", "<h1>Lights</h1><h2>Skerry Light</h2><p>Holm Light:</p><ul><li>Height: 30 m</ul>"),
        ("a.html", "<h1>Lights</h1><h2>Skerry Light</h2><b>Holm Light</b><dl><dt>Height<dd>30 m</dl>"),
        ("a.html", "<h1>Lights</h1><h2>Skerry Light</h2>Of old<table><tr><th>Height<td>30 m</table>"),
        ("a.txt", "Skerry Light\n===\n\nHolm Light:\n\nHeight: 30 m\nColour: red\n"),
        ("a.txt", "Name: Skerry Light\nHeight: 30 m\n# Height: 31 m\n"),
        ("a.txt", "> Name: Skerry Light\n> Height: 30 m\n"),
        ("a.txt", "Name: Skerry Light\nHeight: 30 m\nHeight: 31 m\n"),
        ("a.md", "---\nname: Skerry Light\nheight: 30 m\nheight: 31 m\n---\n"),
        ("a.md", "---\nname: Skerry Light\nheight: 30 m\n  or more\n---\n"),
        ("a.md", "---\nname: Skerry Light\n# height: 30 m\n---\n"),
    ],
)
def test_what_is_taken_back_is_not_licensed(tmp_path: Path, name: str, text: str) -> None:
    """A value that its document doubts, strikes out, hides, quotes, qualifies or says of another is never support."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text(f"version: 1\ntables: [{name}]\n", encoding="utf-8")
    assert _label(Oracle.from_folder(tmp_path), "Skerry Light is 30 m tall.") != "supported"
