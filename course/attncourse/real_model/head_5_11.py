"""The head of the landing page: layer 5, head 11, both counted from 0."""

import numpy as np

from attncourse.real_model.files import load_extract

LAYER, HEAD = 5, 11


def among_words(sentence: int) -> np.ndarray:
    """Return what each word gives to each word: (n_words, n_words).

    Parameters
    ----------
    sentence : int
        0 for "… because it was hungry", 1 for "… delicious".
    """
    weights = load_extract()[f"attention_{sentence}"][LAYER, HEAD]
    return weights.astype(float)[1:-1, 1:-1]  # without the two markers
