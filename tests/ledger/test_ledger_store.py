"""The ledger: append-only, hashed, migrated, and honest about what does not fit."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_reports import report_of

from imprimatur.errors import LedgerError
from imprimatur.ledger import Ledger
from imprimatur.ledger.records import GENESIS, canonical, timestamp
from imprimatur.ledger.store import MIGRATIONS
from imprimatur.verdict import Label

_AT = datetime(2030, 1, 2, 3, 4, 5, 6, tzinfo=UTC)


def _filled(path: Path, count: int = 3) -> None:
    with Ledger.open(path) as ledger:
        for number in range(count):
            ledger.append(report_of(f"Answer {number} \ud800", Label.SUPPORTED), kb="rivers", at=_AT)


def _tamper(path: Path, statement: str) -> None:
    """Changes the file behind the triggers' back."""
    connection = sqlite3.connect(path)
    for name in ("records_no_update", "records_no_delete", "records_in_order"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_what_is_appended_is_shown(tmp_path: Path) -> None:
    """Ids count up, and the report comes back as it was."""
    report = report_of("The Elm is 3 km long.", Label.CONTRADICTED)
    with Ledger.open(tmp_path / "a" / "ledger.sqlite") as ledger:
        first = ledger.append(report, kb="rivers", at=_AT)
        second = ledger.append(report.to_dict(), kb="rivers", at=_AT)
        assert (first, second) == (1, 2)
        record = ledger.show(1)
        assert record.report() == json.loads(json.dumps(report.to_dict()))
        assert (record.at, record.kb, record.decision) == ("2030-01-02T03:04:05.000006Z", "rivers", "abstained")
        assert (record.previous, ledger.show(2).previous) == (GENESIS, record.hash)
        assert record.to_dict()["report"]["summary"] == "contradicted"


def test_list_is_newest_first_and_filtered(tmp_path: Path) -> None:
    """The newest come first, as many as asked for, of one decision if so wished."""
    path = tmp_path / "l"
    _filled(path)
    with Ledger.open(path) as ledger:
        ledger.append(report_of("x", Label.NOT_FOUND), kb="k", at=_AT)
        assert [record.id for record in ledger.list(limit=2)] == [4, 3]
        assert [record.id for record in ledger.list(decision="licensed")] == [3, 2, 1]
        assert ledger.list(decision="no such") == ()


def test_an_untouched_ledger_verifies(tmp_path: Path) -> None:
    """Every hash can be derived again, by the published rule alone."""
    path = tmp_path / "l"
    _filled(path)
    with Ledger.open(path) as ledger:
        found = ledger.verify()
        record = ledger.show(3)
    assert (found.count, found.faults, found.head) == (3, (), record.hash)
    body = "sha256:" + hashlib.sha256(record.body.encode()).hexdigest()
    envelope = {"at": record.at, "kb": record.kb, "previous": record.previous, "report": body}
    text = json.dumps(envelope, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert record.hash == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "statement", ["UPDATE records SET kb = 'x'", "DELETE FROM records WHERE id = 2", "DELETE FROM records"]
)
def test_the_file_itself_refuses_changes(tmp_path: Path, statement: str) -> None:
    """Triggers stop a change by any SQLite client."""
    path = tmp_path / "l"
    _filled(path)
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("number", [1, 3, 7])
def test_the_file_itself_refuses_inserts_out_of_order(tmp_path: Path, number: int) -> None:
    """Neither replacing a record nor leaving a gap works."""
    path = tmp_path / "l"
    _filled(path)
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="out of order"):
        connection.execute("INSERT OR REPLACE INTO records VALUES (?, '', '', '', '', '', 'h', '{}')", (number,))
    connection.close()


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE records SET kb = 'other' WHERE id = 2", "record 2 was changed"),
        ("UPDATE records SET at = 'later' WHERE id = 1", "record 1 was changed"),
        ("UPDATE records SET body = replace(body, 'Answer', 'Reply') WHERE id = 3", "record 3 was changed"),
        ("UPDATE records SET decision = 'abstained' WHERE id = 2", "record 2 was changed: its decision"),
        ("DELETE FROM records WHERE id = 2", "record 2 is missing"),
        ("DELETE FROM records WHERE id = 1", "record 1 is missing"),
        ("UPDATE records SET hash = 'sha256:0', previous = 'sha256:1' WHERE id = 2", "does not follow"),
    ],
)
def test_verify_names_what_was_tampered_with(tmp_path: Path, statement: str, fault: str) -> None:
    """Each kind of change is found and named."""
    path = tmp_path / "l"
    _filled(path)
    _tamper(path, statement)
    with Ledger.open(path) as ledger:
        assert any(fault in found for found in ledger.verify().faults)


def test_a_cut_off_end_shows_in_the_head(tmp_path: Path) -> None:
    """Removing the last record leaves a chain that holds, but another head."""
    path = tmp_path / "l"
    _filled(path)
    with Ledger.open(path) as ledger:
        head = ledger.verify().head
    _tamper(path, "DELETE FROM records WHERE id = 3")
    with Ledger.open(path) as ledger:
        found = ledger.verify()
    assert (found.faults, found.head == head) == ((), False)


def test_several_writers_at_once(tmp_path: Path) -> None:
    """Concurrent appends line up in one chain."""
    path = tmp_path / "l"
    threads = [threading.Thread(target=_filled, args=(path, 10)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Ledger.open(path) as ledger:
        found = ledger.verify()
    assert (found.count, found.faults) == (40, ())


def test_wrong_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    """No file, no database, another database and a newer schema each get a clear error."""
    with pytest.raises(LedgerError, match="no ledger here"):
        Ledger.open(tmp_path / "absent", create=False)
    text = tmp_path / "text"
    text.write_text("not a database, " * 100)
    with pytest.raises(LedgerError, match="cannot be used"):
        Ledger.open(text)
    assert text.read_text().startswith("not a database")
    other = tmp_path / "other"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(LedgerError, match="not a ledger"):
        Ledger.open(other)
    newer = tmp_path / "newer"
    _filled(newer, 1)
    connection = sqlite3.connect(newer)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    with pytest.raises(LedgerError, match="newer release") as caught:
        Ledger.open(newer)
    assert "upgrade" in caught.value.hint
    with pytest.raises(LedgerError, match="cannot be made"):
        Ledger.open(text / "below" / "ledger")


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    """Reports quote answers: nobody else may read them."""
    _filled(tmp_path / "l", 1)
    assert (tmp_path / "l").stat().st_mode & 0o077 == 0


def test_only_exact_json_is_recorded(tmp_path: Path) -> None:
    """Floats, foreign objects and times without zone are refused, and nothing is written."""
    good = {"decision": "licensed", "summary": "no_claims"}
    with Ledger.open(tmp_path / "l") as ledger:
        for bad in ({**good, "x": [{"y": 0.5}]}, {**good, "x": object()}):
            with pytest.raises(LedgerError):
                ledger.append(bad, kb="k", at=_AT)
        with pytest.raises(LedgerError, match="without a zone"):
            ledger.append(good, kb="k", at=datetime(2030, 1, 1))
        assert ledger.verify().count == 0
        with pytest.raises(LedgerError, match="no record 1"):
            ledger.show(1)


def test_times_are_utc() -> None:
    """Any zone is turned into UTC."""
    zone = timezone(timedelta(hours=2))
    assert timestamp(datetime(2030, 1, 1, 1, tzinfo=zone)) == "2029-12-31T23:00:00.000000Z"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet=st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(st.dictionaries(st.text(max_size=5), _JSON, max_size=4))
def test_canonical_json_is_one_text(value: dict[str, object]) -> None:
    """The order of keys does not matter, the text is UTF-8, and what is read back is canonical again."""
    text = canonical(value)
    assert text == canonical(dict(reversed(value.items())))
    assert canonical(json.loads(text.encode("utf-8"))) == text
