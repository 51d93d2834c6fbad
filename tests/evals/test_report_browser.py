"""The report's page in a real headless browser: no fault, every plot drawn, sorting, light and dark, no request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from headless import CHROMIUM, Browser
from made_outcomes import HOSTILE, hostile, sample

from imprimatur.evals.pages.page import page

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")]


def _file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "report.html"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_page_works_in_a_browser(tmp_path: Path) -> None:
    """No fault is told, no request leaves, each plot has its marks, sorting and opening work, and dark differs."""
    file = _file(tmp_path, page((sample(), sample(30)), "Brooks"))
    with Browser(tmp_path / "profile") as browser:
        browser.open(file)
        plots = browser.value("[...document.querySelectorAll('svg.plot')].map(x => x.querySelectorAll('.mark').length)")
        # For each outcome: three curves, two matrices, the reasons, and figures beside published ones.
        assert len(plots) == 14
        assert plots[:7] == [6, 4, 4, 4, 6, 2, 2]
        assert all(plots)
        first = "[...document.querySelector('table.sortable').tBodies[0].rows].map(r => r.cells[0].textContent)"
        head = "document.querySelectorAll('table.sortable thead button')[1]"
        assert browser.value(first) == ["right", "precision", "nothing", "time"]
        browser.value(f"{head}.click()")
        assert browser.value(first) == ["precision", "right", "time", "nothing"]
        browser.value(f"{head}.click()")
        assert browser.value(first)[-3:] == ["time", "right", "precision"]
        assert browser.value(f"{head}.parentElement.getAttribute('aria-sort')") == "descending"
        browser.value("document.querySelector('button.opening').click()")
        assert browser.value("document.querySelectorAll('details.case[open]').length") == 2
        light = browser.value("getComputedStyle(document.body).backgroundColor")
        browser.value("document.getElementById('theme').click()")
        assert browser.value("getComputedStyle(document.body).backgroundColor") != light
        assert browser.value("document.documentElement.scrollWidth <= innerWidth")
        assert browser.faults == []
        assert browser.requests == [file.absolute().as_uri()]


def test_dark_and_print_are_followed(tmp_path: Path) -> None:
    """A reader who wants dark gets it without a click, and paper is white in both."""
    with Browser(tmp_path / "profile") as browser:
        browser.open(_file(tmp_path, page((sample(),), "Brooks")))
        ground = "getComputedStyle(document.body).backgroundColor"
        browser.show({"prefers-color-scheme": "dark"})
        assert browser.value(ground) == "rgb(20, 23, 26)"
        browser.show({"prefers-color-scheme": "dark"}, media="print")
        assert browser.value(ground) == "rgb(255, 255, 255)"
        browser.value("dispatchEvent(new Event('beforeprint'))")
        assert browser.value("document.querySelectorAll('details:not(.behind):not([open])').length") == 0
        browser.value("dispatchEvent(new Event('afterprint'))")
        assert browser.value("document.querySelectorAll('details[open]').length") == 0


@pytest.mark.parametrize("text", [HOSTILE, "x" * 1_000_000, "\u202e" * 5000, "<b>" * 2000, "&lt;\ud800"])
def test_hostile_texts_stay_texts(tmp_path: Path, text: str) -> None:
    """Whatever stands in an outcome, no element comes of it, nothing runs, and the page does not burst."""
    file = _file(tmp_path, page((hostile(text),), text))
    assert file.stat().st_size < 2_000_000
    with Browser(tmp_path / "profile") as browser:
        browser.open(file)
        assert browser.value("document.querySelectorAll('img, b, iframe, object, [onerror]').length") == 0
        assert browser.value("document.scripts.length") == 1
        assert browser.value("document.title") != "broken"
        assert browser.value("document.documentElement.scrollWidth <= innerWidth"), json.dumps(text[:40])
        assert browser.faults == []
        assert len(browser.requests) == 1


def test_a_script_that_somebody_adds_does_not_run(tmp_path: Path) -> None:
    """The page's policy lets no script run but its own."""
    added = "<script>document.title = 'broken'</script><img src=x onerror=\"document.title='broken'\">"
    text = page((sample(),), "Brooks").replace("</main>", f"{added}</main>")
    with Browser(tmp_path / "profile") as browser:
        browser.open(_file(tmp_path, text))
        assert browser.value("document.title") == "Brooks"
        assert any("Content Security Policy" in fault for fault in browser.faults)


def test_it_is_narrow_on_a_narrow_screen(tmp_path: Path) -> None:
    """On a telephone nothing is wider than the screen; what is wide scrolls in its own box."""
    with Browser(tmp_path / "profile", size="500,800") as browser:
        browser.open(_file(tmp_path, page((sample(), sample()), "Brooks")))
        assert browser.value("document.documentElement.scrollWidth <= innerWidth")
