"""Install what files of requirements name, by their checksums, or the rooms themselves.

    .venv/bin/python tools/install.py requirements.txt ... [rooms]

uv does in seconds what takes pip a minute. It reads none of pip's settings, such as the
address of a mirror: so where uv cannot be had, or cannot install, pip does. The rooms
are this checkout: what they need, and what builds them, the files have installed.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "requirements-test.txt"  # of which uv is one
ROOMS = (
    *(".", "./attnconfig", "./attncheck", "./named_mistakes"),
    *("./course", "./sphinx-nokernel"),
)


def run(*module, **options):
    """Run a module with this Python, in the project's folder; say if it ended well."""
    command = [sys.executable, "-m", *module]
    return subprocess.run(command, cwd=ROOT, check=False, **options).returncode == 0


def has_uv():
    """Say whether uv is installed here."""
    return run("uv", "--version", capture_output=True)


def fetch_uv():
    """Install the pinned uv; say whether it worked."""
    lines = re.search(r"^uv==.*(\n    .*)*", PINS.read_text(), re.MULTILINE)[0]
    options = ("-q", "--retries", "1", "--only-binary=:all:", "--require-hashes")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "uv.txt"
        file.write_text(lines)
        return run("pip", "install", *options, "-r", str(file))


def install(files):
    """Install what the files name; say whether it worked."""
    wanted = ["--require-hashes"]
    wanted += [argument for file in files for argument in ("-r", file)]
    uv = ("uv", "pip", "install", "-q", "--python", sys.executable)
    if (has_uv() or fetch_uv()) and run(*uv, *wanted):
        return True
    print("uv could not install this: pip tries, which takes longer.", file=sys.stderr)
    return run("pip", "install", "-q", *wanted)


def install_rooms():
    """Install the packages of this checkout, to be changed in place."""
    wanted = ["-q", "--no-deps", "--no-build-isolation"]
    wanted += [argument for room in ROOMS for argument in ("-e", room)]
    if has_uv():
        return run("uv", "pip", "install", "--python", sys.executable, *wanted)
    return run("pip", "install", *wanted)


def main(names):
    """Install; return the exit code."""
    files = [name for name in names if name != "rooms"]
    done = not files or install(files)
    return not (done and ("rooms" not in names or install_rooms()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
