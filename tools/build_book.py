"""Build the site into _build/html: execute every lesson, warnings are errors.

Executed notebooks are kept in a cache, so that a second build is quick. The cache
knows when a notebook changes, not when what it imports does; so a fingerprint of all
that lessons depend on is kept beside it, and both go when it differs. A build that
fails leaves what it executed, and nothing else that a later one would take over: Sphinx
tells a warning only when it reads the page.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
FINGERPRINT = BUILD / "fingerprint"  # of the last build, if it succeeded
EXECUTED = BUILD / "executed"  # the same of what is in the cache of executed notebooks
EXECUTIONS = ".jupyter_cache"
CACHES = (".doctrees", EXECUTIONS, "jupyter_execute", "html")
# Settings that change what is published: a build with one replaces a build without it.
SETTINGS = ("SOLUTIONS", "SITE_ADDRESS", "ATTENTION_REPOSITORY", "ATTENTION_BRANCH")
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"  # on any system
INPUTS = (
    "attnlib/**/*.*",
    "course/**/*.*",
    "sphinx-nokernel/src/**/*.*",
    "requirements*.txt",
    "package-lock.json",
    "_config.yml",
    "_toc.yml",
)


def fingerprint(root=ROOT):
    """Hash the path and content of every file that executed pages depend on."""
    digest = hashlib.sha256(sys.version.encode())
    settings = {name: os.environ.get(name) for name in SETTINGS}
    digest.update(repr(settings).encode())
    for pattern in INPUTS:
        for path in sorted(root.glob(pattern)):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(str(path.relative_to(root)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def forget_stale_pages(now):
    """Empty the caches unless a build from exactly these inputs succeeded.

    What one from these inputs executed is kept even if it failed.
    """
    if not _says(FINGERPRINT, now):
        kept = EXECUTIONS if _says(EXECUTED, now) else None
        for cache in CACHES:
            if cache != kept:
                shutil.rmtree(BUILD / cache, ignore_errors=True)


def _says(note, state):
    return note.exists() and note.read_text() == state


def begin(now):
    """Note what is being executed; until it succeeds, no build has."""
    BUILD.mkdir(exist_ok=True)
    FINGERPRINT.unlink(missing_ok=True)
    EXECUTED.write_text(now)


def main():
    """Build; return the exit code."""
    now = fingerprint()
    forget_stale_pages(now)
    begin(now)
    command = [sys.executable, "-c", JUPYTER_BOOK, "build", ROOT]
    flags = ["-W", "-n", "--keep-going"]
    code = subprocess.run([*command, *flags], check=False).returncode
    if code:
        print("The book was not built; what went wrong stands above.", file=sys.stderr)
        return code
    FINGERPRINT.write_text(now)
    print(f"\nOpen this page in a browser:\n    {BUILD / 'html' / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
