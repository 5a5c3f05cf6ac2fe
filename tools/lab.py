"""Open JupyterLab in a folder; say what to type where it would not start.

.venv/bin/python tools/lab.py lessons [OPTION…]        (make lab)
"""

import os
import subprocess
import sys

AS_ROOT = """\
You are root here, as in a container, and for root JupyterLab starts only if it is told
to. To have it, in a container that publishes port 8888, type

    .venv/bin/python tools/lab.py {folder} --allow-root --ip=0.0.0.0

and open the address that it prints. Whoever has that address has root's rights."""


def is_root():
    """Tell whether this is root, of which Windows knows nothing."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def main(folder, *options):
    """Open it; end with its exit status, or with what to type."""
    if is_root() and "--allow-root" not in options:
        raise SystemExit(AS_ROOT.format(folder=folder))
    lab = [sys.executable, "-m", "jupyterlab", f"--notebook-dir={folder}"]
    raise SystemExit(subprocess.run([*lab, *options], check=False).returncode)


if __name__ == "__main__":
    main(*sys.argv[1:] or ["lessons"])
