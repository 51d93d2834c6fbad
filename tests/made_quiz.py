"""A made record: a quiz between two schools, with a description of how it is spoken of, and a true text about it."""

from __future__ import annotations

from pathlib import Path

from imprimatur.sources.tables.opening import open_relations
from imprimatur.sources.tables.values.record import Record

__all__ = ["TRUE", "quiz"]

_FILES = {
    "matches.csv": "date,hall\n2024-03-09,Guild Hall\n",
    "schools.csv": (
        "name,town,points,round one,round two,won,lost,accuracy\n"
        "Ashby School,Ashby,62,35,27,7,2,71\n"
        "Corden School,Corden,48,20,28,4,5,55\n"
    ),
    "pupils.csv": (
        "name,school,points,right,tried,buzzes,reserve\n"
        "Mara Lind,Ashby School,31,11,15,12,no\n"
        "Tom Reed,Ashby School,19,7,11,4,no\n"
        "Eva Holt,Ashby School,12,3,6,2,yes\n"
        "Ina Voss,Corden School,28,9,20,10,no\n"
        "Karl Benn,Corden School,14,5,9,3,no\n"
        "Ola Frey,Corden School,6,2,5,1,yes\n"
    ),
    "words.yaml": """
version: 1
tables:
  matches: {is: match, title: hall}
  schools:
    is: school
    names: [town]
    columns:
      points: {kind: number}
      round one: {kind: number}
      round two: {kind: number}
      accuracy: {kind: number, unit: "%"}
    spoken:
      values:
        points: {main: true}
        record: {pair: [won, lost], bare: true}
        round one: {words: [points], when: [first round]}
        round two: {words: [points], when: [second round]}
        accuracy: {words: [accuracy, of its answers right]}
      ahead: {points: [beat, outscored, outscoring]}
      behind: {points: [lost to]}
      gaps: {points: [win]}
      elsewhere: [season, last year]
  pupils:
    is: pupil
    columns:
      school: {refers: schools.name}
      points: {kind: number}
      buzzes: {kind: number}
      reserve: {kind: flag}
    spoken:
      values:
        answers: {pair: [right, tried], words: [answers]}
      feats:
        double ten: {of: [points, buzzes], at_least: 10, count: 2}
      levels:
        two digits: {of: [points], at_least: 10}
      parts:
        reserve: [from the bench, as a reserve, bench]
      belongs: [led, paced]
      elsewhere: [season, last year]
""",
}

#: What every number, name and day of it says is so.
TRUE = (
    "Ashby School (7-2) beat Corden School (4-5), 62-48, on Saturday. "
    "Ashby outscored Corden 35-20 in the first round. "
    "It was a 14-point win. "
    "Mara Lind led Ashby with 31 points and 12 buzzes on 11-of-15 answers, a double ten. "
    "Tom Reed added 19 points, while Eva Holt had 12 points and two buzzes from the bench. "
    "Ashby had three pupils in two digits. "
    "Corden was led by Ina Voss, who had a team-high 28 points (9-20 answers) and 10 buzzes. "
    "Karl Benn scored 14 points for Corden. "
    "He also had three buzzes. "
    "Ola Frey had six points and a buzz. "
    "Ashby got 71 percent of its answers right, while Corden finished at 55 percent accuracy. "
    "The Corden bench had 6 points."
)


def quiz(folder: Path) -> Record:
    """The record, read from files in a folder."""
    for name, text in _FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    tables = [folder / name for name in _FILES if name.endswith(".csv")]
    return Record(open_relations(tables, [folder / "words.yaml"]))
