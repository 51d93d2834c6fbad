"""schemathesis over the OpenAPI document: no 5xx, and nothing that contradicts the document (slow)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from serve_fixtures import API_TOOLS, Starting, key_file

from imprimatur.ledger import Ledger
from imprimatur.testing import ScriptedServer, say

_TEXT = "Elm Brook is 12 km long. Elm Brook is 14 km long. It flows through Bree."
#: What is sound by JSON Schema is refused where it breaks a rule that JSON Schema cannot say: an id that is not
#: printable or given twice; and whatever the model server itself does not take.
_LEFT_OUT = "positive_data_acceptance"
_NAMED = "^/kb/"
_SETTINGS = """\
[parameters]
"path.kb" = "brooks"
"header.X-Imprimatur-KB" = "brooks"
"""


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("keyed", [False, True], ids=["open", "keyed"])
def test_schemathesis(gateway: Starting, tmp_path: Path, keyed: bool) -> None:
    """Random calls, sound and unsound: each is answered as the document says, and the ledger stays whole.

    Without keys the routes are called by themselves, with keys under the name of a knowledge base.
    """
    tool = API_TOOLS / "st"
    if not tool.is_file():
        pytest.skip("`make test-slow` installs schemathesis from requirements-api.lock")
    file, (key,) = key_file(tmp_path, "policies: [redact, annotate]")
    (tmp_path / "schemathesis.toml").write_text(_SETTINGS, encoding="utf-8")
    with ScriptedServer(lambda _: say(_TEXT)) as server:
        url = gateway(server, keys=file if keyed else None, ledger=tmp_path / "ledger.sqlite")
        command = [str(tool), "--config-file", str(tmp_path / "schemathesis.toml"), "run", f"{url}/openapi.json"]
        command += ["--url", url, "--seed", "1", "--max-examples", "10", "--checks", "all"]
        command += ["--exclude-checks", _LEFT_OUT, "--phases", "examples,coverage,fuzzing", "--warnings", "off"]
        command += ["--header", f"Authorization: Bearer {key}"] if keyed else ["--exclude-path-regex", _NAMED]
        command += ["--include-path-regex", f"{_NAMED}|^/metrics"] if keyed else []
        environ = {**os.environ, "COLUMNS": "160", "NO_COLOR": "1"}
        found = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=500)
    assert found.returncode == 0, "\n".join(line[:400] for line in found.stdout.splitlines())[-12_000:]
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        checked = ledger.verify()
    assert checked.faults == ()
    assert checked.count > 100
