"""The process that runs the engine: what a module in the engine's place may do there."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from imprimatur.ingest.mapping import engine_child

_TRIES = {
    "connect": "import socket; socket.create_connection(('127.0.0.1', PORT), 1)",
    "look up": "import socket; socket.getaddrinfo('example.org', 80)",
    "fetch": "import urllib.request; urllib.request.urlopen('http://127.0.0.1:PORT/', timeout=1)",
    "run": "import subprocess; subprocess.run(['true'])",
    "system": "import os; os.system('true')",
    "exec": "import os; os.execv('/bin/true', ['true'])",
    "fork": "import os; os.fork()",
    "write outside": "open('OUTSIDE/new', 'w')",
    "append outside": "open('OUTSIDE/there', 'a')",
    "write through": "open('../there', 'r+')",
    "remove outside": "import os; os.remove('OUTSIDE/there')",
    "rename from outside": "import os; os.rename('OUTSIDE/there', 'mine')",
    "link": "import os; os.symlink('OUTSIDE', 'out')",
    "memory": "bytearray(8 << 30)",
}


def _run(tmp_path: Path, body: str) -> tuple[int, str]:
    """Runs the process with a module of that body as the engine: its status, and what it printed."""
    (tmp_path / "engine" / "morph_kgc").mkdir(parents=True)
    (tmp_path / "engine" / "morph_kgc" / "__init__.py").touch()
    (tmp_path / "engine" / "morph_kgc" / "__main__.py").write_text(body, encoding="utf-8")
    (tmp_path / "work").mkdir()
    program = (
        f"import runpy, sys; sys.path.insert(0, {str(tmp_path / 'engine')!r}); sys.argv[1:] = ['{4 << 30}', '60']; "
    )
    program += f"runpy.run_path({engine_child.__file__!r}, run_name='__main__')"
    command = [sys.executable, "-I", "-c", program]
    ran = subprocess.run(command, cwd=tmp_path / "work", capture_output=True, text=True, timeout=60, check=False)
    return ran.returncode, ran.stdout


@pytest.mark.parametrize("tried", _TRIES)
def test_what_it_may_not(tried: str, tmp_path: Path) -> None:
    """Reaching out, running programs, changing anything outside and using all memory end the process."""
    (tmp_path / "there").write_text("there", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        text = _TRIES[tried].replace("PORT", str(server.getsockname()[1])).replace("OUTSIDE", str(tmp_path))
        status, said = _run(tmp_path, text)
        server.settimeout(0.01)
        with pytest.raises(TimeoutError):
            server.accept()
    assert status == 4
    assert said.strip() in ("PermissionError", "MemoryError", "URLError")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["engine", "there", "work"]
    assert (tmp_path / "there").read_text(encoding="utf-8") == "there"


def test_what_it_may(tmp_path: Path) -> None:
    """Files in its own folder, and an end of its own."""
    assert _run(tmp_path, "open('made.nq', 'w').write('x'); import os; os.rename('made.nq', 'b')") == (0, "")
    assert (tmp_path / "work" / "b").read_text(encoding="utf-8") == "x"


def test_no_engine_there(tmp_path: Path) -> None:
    """Without the module the process says so by its status."""
    command = [sys.executable, "-I", engine_child.__file__, str(4 << 30), "60"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert ran.returncode == 3
