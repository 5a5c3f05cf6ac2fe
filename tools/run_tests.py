"""Run the checks, in the order in which failures are cheapest to learn of.

Style first. Then the book is built, and meanwhile the rooms are tested: the library,
the course, the Sphinx extension, their doctests and their JavaScript. Last comes what
needs the built book: what each notebook printed, by nbval against what is stored, and
the site in a browser. It ends with the slowest parts, and with proof that the site is
byte for byte what was built before the tests: CI publishes it as it is.

With --quick: style and the rooms alone, for before every commit. With --release: what
is marked so, and left out otherwise, each notebook run once more by nbval itself, and a
second opinion on the types.
"""

import argparse
import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
# There is a worker for each core: threads inside them would only stand in the way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The environments that tests make compile what they import, not all that they hold.
os.environ.setdefault("PIP_NO_COMPILE", "1")
# What is compiled is kept: a hundred processes import the same modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
PYTHON = sys.executable
# A file's tests stay on one core: they share a notebook's kernel, or a browser. They
# begin with those marked `long`, so that no long file is left for the end.
PYTEST = [PYTHON, "-m", "pytest", "-q", "--dist=loadfile", "--no-loadscope-reorder"]
STYLE = {
    "style": [PYTHON, "-m", "ruff", "check", "."],
    "format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "types": [PYTHON, "-m", "mypy"],
}
PYRIGHT = [PYTHON, "-m", "pyright"]
ROOMS = [
    f"tests/{room}"
    for room in (
        "attnlib",
        "attnconfig",
        "attncheck",
        "named_mistakes",
        "attncourse",
        "sphinx_nokernel",
    )
]
DOCTESTS = ["attnlib", "attnconfig", "attncheck", "named_mistakes", "course"]
DOCTESTS += ["sphinx-nokernel/src"]
BROWSER = [PYTHON, "tools/browser.py"]
BOOK = [PYTHON, "tools/build_book.py"]
# All but tests/parity, which needs PyTorch and JAX: `make parity` runs it.
BUILT = ["tests/site", "tests/book", "tests/rooms"]
USUAL = ["-m", "not release"]
NBVAL = ["--nbval", "-p", "tools.as_built"]
# Without nbval, which no test of the rooms needs: each process would import Jupyter.
ROOMS_ALONE = ["-p", "no:nbval"]
QUICK = [*ROOMS_ALONE, "-m", "not release and not slow"]
REPORT = ["--durations=15", "--durations-min=1"]


def run(name, command):
    """Run one step; stop everything if it fails."""
    print(f"\n── {name} ──", flush=True)
    if code := subprocess.run(command, cwd=ROOT, check=False).returncode:
        _stop(name, code)


@contextlib.contextmanager
def meanwhile(name, command):
    """Run one step beside others; tell what it said once they are done."""
    with tempfile.TemporaryFile("w+") as log:
        step = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        try:
            yield
        finally:
            code = step.wait()
            log.seek(0)
            print(f"\n── {name} ──\n{log.read()}", flush=True)
    if code:
        _stop(name, code)


def _stop(name, code):
    print(f"\nStopped: {name} failed.", file=sys.stderr)
    sys.exit(code)


def contents(folder):
    """Return the digest of every file below a folder, by its place there."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).digest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def check_untouched(before, folder=SITE):
    """Stop if a file of the site came, went or changed since it was built."""
    changed = sorted(name for name, _ in before.items() ^ contents(folder).items())
    if changed:
        names = ", ".join(dict.fromkeys(changed))
        print(f"\nThe tests changed the site: {names}", file=sys.stderr)
        _stop("what is tested is what is published", 1)


def main():
    """Run the steps until one fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="style and rooms alone")
    parser.add_argument("--release", action="store_true", help="what else takes long")
    options, more = parser.parse_known_args()
    if options.release:
        run("types, once more", PYRIGHT)
        run("browser", BROWSER)
        late = [*PYTEST, "-n2", "-m", "release", *ROOMS, *BUILT, *REPORT]
        run("before a release", [*late, *more])
        run("each notebook once more", [*PYTEST, "-n2", "--nbval", "book", *more])
        return
    for name, command in STYLE.items():
        run(name, command)
    if options.quick:
        run("rooms", [*PYTEST, *QUICK, "-n2", *ROOMS, *DOCTESTS, *more])
        return
    run("browser", BROWSER)
    rooms = [*PYTEST, *ROOMS_ALONE, *USUAL, "-n2", *ROOMS, *DOCTESTS, *more]
    with meanwhile("the book, while the rooms are tested", BOOK):
        run("rooms", rooms)
    built = contents(SITE)
    # One more than there are cores: whoever drives a browser often waits for it.
    last = [*PYTEST, *USUAL, "-n3", *NBVAL, *BUILT, "book", *REPORT]
    run("the built book", [*last, *more])
    check_untouched(built)


if __name__ == "__main__":
    main()
