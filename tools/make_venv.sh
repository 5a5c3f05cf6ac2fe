#!/bin/sh
# Make a virtual environment with the first suitable Python: $PYTHON, or one on PATH.
set -eu
usable() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' \
        2>/dev/null
}
for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if usable "$python"; then
        echo "Making $1 with $("$python" --version)"
        exec "$python" -m venv "$1"
    fi
done
cat >&2 <<TXT
No usable Python found (tried: ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}).
This needs a Python from 3.11 to 3.14 with its venv module: for later ones the pinned
packages have no ready-made files (wheels) yet. On Debian and Ubuntu:
    apt install python3 python3-venv
If it is elsewhere, name it: make book PYTHON=/path/to/python3
TXT
exit 1
