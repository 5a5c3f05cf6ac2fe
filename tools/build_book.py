"""Build the site into _build/html: execute every lesson, warnings are errors.

If nothing has changed since the last build that succeeded, that one stands. Otherwise
Sphinx reads and writes all pages: a page shows more of the others than Sphinx keeps
track of, and the site must not depend on what was built before. The executed notebooks
alone are kept, in a cache that knows when a notebook changes, not when what it imports
does; so beside it lies a fingerprint of all that lessons import, and both go when that
differs.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from attncourse.real_model.files import find_folder

ROOT = Path(__file__).resolve().parent.parent
EXECUTIONS = ".jupyter_cache"
CACHES = (".doctrees", EXECUTIONS, "jupyter_execute", "html")
# Settings that change what is published: a build with one replaces a build without it.
SETTINGS = (
    "SOLUTIONS",
    "SITE_ADDRESS",
    "SITE_CONTACT",
    "ATTENTION_REPOSITORY",
    "ATTENTION_BRANCH",
    "ATTENTION_COLAB",
    "LIVE_PYODIDE",
    "ATTNLIB_MINILM",
)
JUPYTER_BOOK = f"""import sys
sys.path.append({str(ROOT / "tools")!r})
import kernels
kernels.share()
from jupyter_book.cli.main import main
main()"""
# What executed cells depend on, beside their own notebook; and all else on a page.
IMPORTED = (
    "attnlib/**/*.*",
    "attncheck/**/*.*",
    "attnconfig/**/*.*",
    "named_mistakes/**/*.*",
    "course/**/*.*",
    "requirements*.txt",
)
WRITTEN = (
    "course/attncourse/site/**/*.*",  # which lessons do not import
    "sphinx-nokernel/src/**/*.*",
    "package-lock.json",
    "_config.yml",
    "_toc.yml",
    "book/**/*.*",
    "*.md",
    "LICENSE",
    "pyproject.toml",
    "tools/build_book.py",
)


def files(root, patterns):
    """Return the files that match one of these patterns."""
    found = {path for pattern in patterns for path in root.glob(pattern)}
    return {path for path in found if path.is_file() and path.suffix != ".pyc"}


def fingerprint(root, paths):
    """Hash paths and contents of files, the settings, and if the model is here."""
    digest = hashlib.sha256(sys.version.encode())
    settings = {name: os.environ.get(name) for name in SETTINGS}
    digest.update(repr((settings, _has_model())).encode())
    for path in sorted(paths):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _has_model():
    try:
        return bool(find_folder())
    except FileNotFoundError:
        return False


class Build:
    """The site of a folder, and what is known of its last build."""

    def __init__(self, root=ROOT):
        self.root, self.folder = root, root / "_build"
        self.site = self.folder / "html"
        imported, written = files(root, IMPORTED), files(root, WRITTEN)
        self.imported = fingerprint(root, imported - written)
        self.state = fingerprint(root, imported | written)
        self._done = self.folder / "fingerprint"  # of the last build, if it succeeded
        self._executed = self.folder / "executed"  # and of what is in the cache

    def stands(self):
        """Say whether the site is what a build would make."""
        return self._done.exists() and self._done.read_text() == self._signature()

    def executed_this(self):
        """Say whether what is executed was so with all that lessons import now."""
        return self._executed.exists() and self._executed.read_text() == self.imported

    def clear(self):
        """Leave nothing of earlier builds but what these inputs executed."""
        kept = EXECUTIONS if self.executed_this() else None
        self._done.unlink(missing_ok=True)
        for cache in CACHES:
            if cache != kept:
                shutil.rmtree(self.folder / cache, ignore_errors=True)
        self.folder.mkdir(exist_ok=True)
        self._executed.write_text(self.imported)

    def run(self):
        """Run Jupyter Book; return its exit code."""
        command = [sys.executable, "-c", JUPYTER_BOOK, "build", self.root]
        flags = ["-W", "-n", "--keep-going"]
        return subprocess.run([*command, *flags], check=False).returncode

    def note(self):
        """Note that this build succeeded."""
        self._done.write_text(self._signature())

    def _signature(self):
        return f"{self.state} {fingerprint(self.site, files(self.site, ['**/*']))}"


def main(root=ROOT):
    """Build; return the exit code."""
    build = Build(root)
    if build.stands():
        print("Nothing has changed since the last build.")
    else:
        build.clear()
        if code := build.run():
            print("The book was not built: see above.", file=sys.stderr)
            return code
        build.note()
    print(f"\nOpen this page in a browser:\n    {build.site / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
