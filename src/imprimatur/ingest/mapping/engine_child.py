"""Runs morph-kgc on ``config.ini`` in the current folder; nothing of Imprimatur is imported, nothing else may be done.

Started alone by an interpreter that has morph-kgc, with limits of memory (bytes) and time (seconds) as arguments.
Before morph-kgc is imported, a hook refuses connections, other programs, and writing anywhere but in the current
folder. Prints nothing; the exit status is 0, 3 where morph-kgc is not there, 4 where it failed.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import sys
from importlib.util import find_spec

_REFUSED = frozenset(
    (
        *("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"),
        *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty"),
        *("os.kill", "os.chmod", "os.chown", "os.link", "os.symlink", "shutil.rmtree", "urllib.Request"),
    )
)
_CHANGING = frozenset(("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate"))
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def main(memory: int, seconds: int) -> int:
    """Runs it. Whatever it raises or prints goes nowhere."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    root = os.path.realpath(os.getcwd())

    def inside(path: object) -> bool:
        text = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
        full = os.path.realpath(text)
        return bool(text) and (full.startswith(root + os.sep) or full == os.devnull)

    def hook(event: str, given: tuple[object, ...]) -> None:
        if event in _REFUSED:
            raise PermissionError(event)
        if event == "open" and isinstance(given[2], int) and given[2] & _WRITING and not isinstance(given[0], int):
            if not inside(given[0]):
                raise PermissionError(event)
        elif event in _CHANGING and not all(inside(path) for path in given if isinstance(path, str | bytes)):
            raise PermissionError(event)

    if find_spec("morph_kgc") is None:
        return 3
    sys.addaudithook(hook)
    sys.argv = ["morph_kgc", "config.ini"]
    try:
        runpy.run_module("morph_kgc", run_name="__main__")
    except SystemExit as ended:
        return 0 if not ended.code else 4
    except BaseException as fault:
        print(type(fault).__name__)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
