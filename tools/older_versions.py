"""Ask older releases of well-known libraries; write the table of what changed.

    .venv/bin/python tools/older_versions.py FOLDER

installs each release into a folder of its own under FOLDER (some gigabytes, mostly
PyTorch), asks it in the environment of `make parity`, and writes the second table of
`book/who_means_what.md`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from parity import ROOT, environment

PAGE = ROOT / "book" / "who_means_what.md"
BEGIN, END = "<!-- older versions -->", "<!-- end of older versions -->"
ASKED = {  # how each is called (tests/parity/ways.py), and which releases
    "torch": ("torch_sdpa", ["2.4.1", "2.5.1"]),
    "onnxruntime": ("onnxruntime_operator", ["1.22.1", "1.23.2", "1.26.0", "1.28.0"]),
    "jax": ("jax_nn", ["0.4.31", "0.4.38"]),
    "x-transformers": ("x_transformers_attend", ["1.30.0", "1.42.0"]),
    "keras": ("keras_ops", ["3.8.0", "3.10.0"]),  # on the environment's JAX
}
WITH = {"torch": ["numpy==2.2.6"], "jax": ["jaxlib=={version}"]}
FACTS = ("mask", "grouping", "empty_row")
ASK = """
import json, sys, warnings
warnings.simplefilter("ignore")
from attncheck import ask
from tests.parity import ways
facts = {}
for how, (function, keywords) in getattr(ways, sys.argv[1])().items():
    if how in ("plain", "grouped"):
        report = ask(function, **keywords)
        refused = [p for p in report.problems if p.code == "refused"]
        told = ["grouping"] if how == "grouped" else ["mask", "grouping", "empty_row"]
        facts |= {name: "refused" if refused else report.facts[name] for name in told}
print(json.dumps(facts))
"""


def answer(folder, library, version):
    """Install one release, if it is not there, and ask it; return its facts."""
    target = folder / f"{library}-{version}"
    if not target.exists():
        more = [name.format(version=version) for name in WITH.get(library, [])]
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target", target]
        alone = [] if library == "torch" else ["--no-deps"]
        subprocess.run([*pip, *alone, f"{library}=={version}", *more], check=True)
    places = os.pathsep.join([str(target), str(ROOT)])
    done = subprocess.run(
        [environment(), "-c", ASK, ASKED[library][0]],
        env={**os.environ, "PYTHONPATH": places},
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def main():
    """Ask all releases, and write the table."""
    folder = Path(sys.argv[1])
    heads = ["release", "a mask's True", "six heads on two", "fully masked row"]
    lines = [f"| {' | '.join(heads)} |", "| --- " * len(heads) + "|"]
    for library, (_, versions) in ASKED.items():
        for version in versions:
            facts = answer(folder, library, version)
            cells = [f"{library} {version}", *(str(facts[name]) for name in FACTS)]
            lines.append(f"| {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    table = "\n".join(lines)
    page = f"{before}{BEGIN}\n\n{table}\n\n{END}{rest.partition(END)[2]}"
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
