"""Run every check, in the order in which failures are cheapest to learn of.

Style first, then the book is built, then one pytest run of everything: the library,
its doctests, each notebook cell by cell against its stored output, the JavaScript,
and the built site in a browser. It ends with the slowest parts.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
# All but tests/parity, which needs PyTorch and JAX: `make parity` runs it.
PARTS = ("unit", "attncourse", "book", "site")
TESTS = [f"tests/{part}" for part in PARTS]
EVERYTHING = ["--nbval", "attnlib", "course", "book", *TESTS]
STEPS = {
    "style": [PYTHON, "-m", "ruff", "check", "."],
    "format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "browser": [PYTHON, "tools/browser.py"],
    "book": [PYTHON, "tools/build_book.py"],
    "tests": [PYTHON, "-m", "pytest", *EVERYTHING, "--durations=15", *sys.argv[1:]],
}


def main():
    """Run the steps until one fails; return its exit code."""
    for name, command in STEPS.items():
        print(f"\n── {name} ──", flush=True)
        if code := subprocess.run(command, cwd=ROOT, check=False).returncode:
            print(f"\nStopped: {name} failed.", file=sys.stderr)
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
