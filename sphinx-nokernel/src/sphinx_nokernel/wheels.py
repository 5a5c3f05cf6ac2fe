"""The packages that Python in the page imports, as wheels beside its worker.

`nokernel_wheels` lists them: a folder with a `pyproject.toml`, relative to the sources,
is built by its own build backend; any other entry names an installed distribution of
pure Python, which `wheel pack` turns back into a wheel. So readers run the versions
that executed the notebooks, and a build needs no network.
"""

import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.errors import ExtensionError

# The builders whose pages can run cells; e-books are HTML too, but cannot.
SITES = ("html", "dirhtml", "singlehtml")
# What an installer adds to a package.
ADDED = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"}


def build_wheel(entry, folder, source_dir):
    """Write the wheel of an entry of `nokernel_wheels`; return its path.

    Raises
    ------
    ExtensionError
        If the entry is neither a project's folder nor an installed distribution, or
        its wheel cannot be made; the message quotes the tool's output.
    """
    project = Path(source_dir, entry)
    with TemporaryDirectory() as temporary:
        if (project / "pyproject.toml").is_file():
            options = ["build", "--wheel", "--no-isolation", str(project)]
            _run([*options, "--outdir", temporary])
        else:
            _run(["wheel", "pack", str(_unpacked(entry, temporary)), "-d", temporary])
        (made,) = Path(temporary).glob("*.whl")
        return Path(shutil.copy(made, folder))


def _run(arguments):
    command = [sys.executable, "-m", *arguments]
    # The same wheel, byte for byte, at every build.
    environment = {"SOURCE_DATE_EPOCH": "315532800", **os.environ}
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment
    )
    if run.returncode:
        raise ExtensionError(f"{' '.join(arguments)}:\n{run.stdout}{run.stderr}")


def _unpacked(name, folder):
    """Copy an installed distribution as `wheel unpack` would leave it."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        raise ExtensionError(
            f"nokernel_wheels: {name!r} is neither a folder with a pyproject.toml nor "
            "an installed distribution"
        ) from None
    target = Path(folder, "unpacked")
    for path in found.files or ():
        if path.suffix == ".pyc" or path.parts[0] == ".." or path.name in ADDED:
            continue
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path.locate(), target / path)
    return target


def serve_wheels(app):
    """Write the wheels into the site, and record their paths by entry."""
    app.nokernel_wheels = {}
    if app.builder.name not in SITES:
        return
    folder = Path(app.outdir, "_static", "nokernel")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink()
    app.nokernel_wheels = {
        entry: build_wheel(entry, folder, app.srcdir)
        for entry in app.config.nokernel_wheels
    }
