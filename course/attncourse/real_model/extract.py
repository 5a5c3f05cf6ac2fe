"""The extract: results of the real model that come with the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np

PATH = Path(__file__).with_name("minilm_extract.npz")


def load_extract() -> dict[str, np.ndarray]:
    """Read the committed results of all-MiniLM-L6-v2; no weights are needed.

    Returns
    -------
    dict of str to array
        What each array is stands in NOTICE.md beside the file; tools/make_extract.py
        makes them all.

    Examples
    --------
    >>> extract = load_extract()
    >>> extract["pair_weights"].shape  # pair, sentence, layer, head, key
    (60, 2, 6, 12, 3)
    """
    with np.load(PATH) as arrays:
        return {name: arrays[name] for name in arrays.files}
