"""Load the model: from its files, or in the page from the site."""

import os
import sys
from typing import Any

import numpy as np

from attncheck.safetensors import read_safetensors
from attncourse.real_model.files import (
    VOCABULARY,
    VOCABULARY_SHA256,
    WEIGHTS,
    WEIGHTS_SHA256,
    check_sha256,
    find_folder,
)
from attncourse.real_model.minilm import N_HEADS, MiniLM
from attncourse.real_model.page.quantize import round_arrays
from attncourse.real_model.page.read import read_page_model
from attncourse.real_model.wordpiece import WordPiece


def load_minilm(
    folder: str | os.PathLike[str] | None = None,
    *,
    dtype: Any = np.float32,
    sha256: str | tuple[str, str] | None = (WEIGHTS_SHA256, VOCABULARY_SHA256),
    n_heads: int = N_HEADS,
    page_sized: bool = False,
) -> MiniLM:
    """Load the model from the folder that `find_folder` finds.

    Parameters
    ----------
    folder : path, optional
    dtype : dtype
    sha256 : two str, or one, optional
        What the weights and the vocabulary must hash to, or the weights alone; None
        for weights of your own.
    n_heads : int
    page_sized : bool
        Round the weights to the values that they have in the page: int8 with a scale
        for each group of 32. In the page's own Python they come from the site.

    Raises
    ------
    FileNotFoundError
        If there are no weights.
    ValueError
        If a file is not the published one.
    """
    if page_sized and folder is None and sys.platform == "emscripten":
        return read_page_model(dtype=dtype)
    place = find_folder(folder)
    expected = (sha256,) if isinstance(sha256, str) else sha256 or ()
    for name, one in zip((WEIGHTS, VOCABULARY), expected, strict=False):
        check_sha256(place / name, one)
    arrays = read_safetensors(place / WEIGHTS)
    arrays = round_arrays(arrays) if page_sized else arrays
    pieces = WordPiece.from_file(place / VOCABULARY)
    return MiniLM(arrays, pieces, n_heads=n_heads, dtype=dtype)
