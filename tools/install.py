"""Install what files of requirements name, into the environment that runs this.

    .venv/bin/python tools/install.py requirements.txt ...

uv does in seconds what takes pip a minute. It reads none of pip's settings, such as the
address of a mirror: so where uv cannot be had, or cannot install, pip does.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = "requirements-test.txt"  # of which uv is one


def run(*module, **options):
    """Run a module with this Python, in the project's folder; say if it ended well."""
    command = [sys.executable, "-m", *module]
    return subprocess.run(command, cwd=ROOT, check=False, **options).returncode == 0


def have_uv():
    """Say whether there is a uv; if not, try to get one."""
    options = ("-q", "--retries", "1", "--only-binary=:all:", "-c", PINS)
    return run("uv", "--version", capture_output=True) or run(
        "pip", "install", *options, "uv"
    )


def install(files):
    """Install what the files name; say whether it worked."""
    wanted = [argument for file in files for argument in ("-r", file)]
    where = ("--python", sys.executable)
    if have_uv() and run("uv", "pip", "install", "-q", *where, *wanted):
        return True
    print("uv could not install this: pip tries, which takes longer.", file=sys.stderr)
    return run("pip", "install", "-q", *wanted)


if __name__ == "__main__":
    sys.exit(not install(sys.argv[1:]))
