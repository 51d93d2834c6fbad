"""The builder of the WordNet extract: a small dict folder goes in and is read back."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from imprimatur.language._wordnet_file import WordNetFile

_SCRIPT = Path(__file__).parents[2] / "scripts" / "build_wordnet.py"
_FILES = {
    "data.noun": "  1 licence\n00000010 17 n 01 Stream 0 000 | flowing water\n"
    "00000020 17 n 02 river 0 big_stream 1 002 @ 00000010 n 0000 + 00000030 v 0101 | a large stream; x | y\n",
    "data.verb": "00000030 38 v 01 river 0 001 + 00000020 n 0101 01 + 02 00 | to flow\n",
    "data.adj": "00000040 00 s 02 near(p) 0 close 0 001 ! 00000050 s 0101 | nigh\n00000050 00 s 01 far 0 000 | far\n",
    "data.adv": "00000060 02 r 01 nearly 0 000 | almost\n",
    "index.noun": "stream n 1 0 1 0 00000010\nriver n 1 1 @ 1 1 00000020\nbig_stream n 1 1 @ 1 0 00000020\n",
    "index.verb": "river v 1 1 + 1 0 00000030\n",
    "index.adj": "near a 1 1 ! 1 0 00000040\nclose a 1 0 1 0 00000040\nfar a 1 0 1 0 00000050\n",
    "index.adv": "nearly r 1 0 1 0 00000060\n",
    "noun.exc": "rivera river\nrivera stream\n",
    "verb.exc": "riven_up river_up\n",
    "adj.exc": "",
    "adv.exc": "",
    "cntlist.rev": "river%1:17:00:: 1 99999\n",
}


@pytest.fixture
def build(tmp_path: Path) -> Callable[[str], bytes]:
    """The builder on a folder of three dozen words, given the lines of ``additions.tsv``."""
    for name, text in _FILES.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    script = runpy.run_path(str(_SCRIPT))

    def run(additions: str) -> bytes:
        (tmp_path / "additions.tsv").write_text(additions, encoding="utf-8")
        packed = script["build"](tmp_path, tmp_path / "additions.tsv")
        assert isinstance(packed, bytes)
        return packed

    return run


def test_what_is_built_is_read_back(build: Callable[[str], bytes], tmp_path: Path) -> None:
    """Lemmas, senses, counts, members, pointers, irregular forms and additions survive, in the same bytes each time."""
    additions = "# head\nmember\tflood\tn\triver\t1\nderived\tnear\ta\t1\tnearly\tr\t1\n"
    packed = build(additions)
    assert packed == build(additions)
    (tmp_path / "wordnet.bin").write_bytes(packed)
    file = WordNetFile(tmp_path / "wordnet.bin")
    river, flood, near = file.find("river"), file.find("flood"), file.find("near")
    assert river is not None
    assert flood is not None
    assert near is not None
    assert file.find("near(p)") is None
    assert (file.senses(river, "n"), file.senses(river, "v")) == ([(1, 32767)], [(2, 0)])
    assert [file.lemma(member) for member in file.members(1)] == ["river", "big stream", "flood"]
    assert file.senses(flood, "n") == [(1, 0)]
    assert (file.pos(0), file.pos(2), file.pos(4), file.pos(5), file.lexname(2)) == ("n", "v", "a", "r", 38)
    assert (file.pointers(1, "@"), file.pointers(1, "+")) == ([(0, 0, 0)], [(1, 2, 1)])
    assert file.pointers(3, "!+") == [(1, 4, 1), (1, 5, 1)]
    assert file.irregular() == {"n rivera": "river\tstream", "v riven up": "river up"}


def test_an_addition_that_cannot_be_read_is_refused(build: Callable[[str], bytes]) -> None:
    """A mistyped line stops the build and is shown."""
    with pytest.raises(SystemExit, match="membre"):
        build("membre\tflood\tn\triver\t1\n")
