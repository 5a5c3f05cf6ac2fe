"""Shut this process in before it runs what a stranger wrote.

Several walls, each of which is put up where the system lets it, and named if it stands:
limits of time, memory and written bytes; no further process; on Linux an empty network
and an empty file system of its own; everywhere an audit hook that refuses files,
sockets, processes and imports. The hook alone is no wall: who knows CPython well gets
around it. On Linux the kernel's walls stand behind it.
"""

import contextlib
import ctypes
import os
import sys
from pathlib import Path
from typing import Any

from named_mistakes.limit import is_library

try:
    import resource
except ImportError:  # on Windows, where one hands in but does not grade
    resource = None  # type: ignore[assignment]

NEW_USER, NEW_NETWORK, NEW_IPC = 0x10000000, 0x40000000, 0x08000000
NO_NEW_PRIVILEGES = 38
CAPABILITIES = 0x20080522  # the version of the structure that follows
WRITTEN = 32 * 2**20  # bytes

REFUSED = (
    *("open", "os.", "socket.", "subprocess.", "shutil.", "ctypes.", "pty.", "mmap."),
    *("signal.", "fcntl.", "resource.", "tempfile.", "glob.", "pathlib.", "urllib."),
    *("http.", "ftplib.", "smtplib.", "sqlite3.", "webbrowser.", "_thread.", "import"),
    *("sys.addaudithook", "gc.", "marshal.", "pickle.", "cpython.", "syslog."),
)


def shut_in(folder: str, seconds: int, memory: int) -> list[str]:
    """Put up what walls there are; return their names.

    Parameters
    ----------
    folder : str
        An empty folder: all of the file system that is left, where the system can do
        that.
    seconds : int
        Of this process's own time.
    memory : int
        Bytes of address space.
    """
    os.chdir(folder)  # while all that is above it can still be passed
    library = ctypes.CDLL(None, use_errno=True)
    walls = [*_limits(seconds, memory), *_nobody()]
    if sys.platform == "linux":
        walls += _namespaces(library)
    walls.append("audit hook")
    sys.addaudithook(_refuse)
    return walls


def _limits(seconds: int, memory: int) -> list[str]:
    wanted = {
        "CPU": ("time", seconds),
        "AS": ("memory", memory),
        "FSIZE": ("written bytes", WRITTEN),
        "NPROC": ("processes", 0),
        "CORE": ("core dumps", 0),
    }
    walls: list[str] = []
    if resource is None:
        return walls
    for name, (wall, most) in wanted.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
            walls.append(wall)
    return walls


def _nobody() -> list[str]:
    """Stop being root: it is bound by no limit on processes."""
    if os.getuid() != 0:
        return []
    own = 61_000 + os.getpid() % 4_000  # so that two do not share a limit
    os.setgroups([])
    os.setresgid(own, own, own)
    os.setresuid(own, own, own)
    return ["not root"]


def _namespaces(library: Any) -> list[str]:
    walls = []
    if library.unshare(NEW_USER | NEW_NETWORK | NEW_IPC) == 0:
        walls.append("no network")
        with contextlib.suppress(OSError):
            os.chroot(".")
            walls.append("no files")
    library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITIES, 0)
    library.capset(header, (ctypes.c_uint32 * 6)())
    return walls


tried: list[str] = []  # what was refused, for the page


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if not event.startswith(REFUSED):
        return
    first = arguments[0] if arguments else ""
    what = f"{event} {first}".strip()[:120]
    if not (event == "open" and _is_installed(first)) and len(tried) < 200:
        tried.append(what)
    raise PermissionError(f"not while it is graded: {what}")


def _is_installed(path: Any) -> bool:
    """Tell a traceback's own look at an installed module from an answer's."""
    return isinstance(path, str | Path) and is_library(str(path))
