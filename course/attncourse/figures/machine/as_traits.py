"""What a machine starts from, as it is sent to the page."""

import numpy as np


def as_traits(start):
    """Return what a machine is given, as JSON can write it."""
    return {
        "beginning": start.beginning,
        "choices": list(start.choices),
        "columns": list(start.columns),
        "sentences": [list(words) for words in start.sentences],
        "positions": [_plain(one) for one in start.positions or ()],
        "rows": [_plain(x) for x in start.rows],
        "blocks": [_block(one) for one in start.blocks],
        "network": [_plain(array) for array in start.network or ()],
        "masks": start.masks,
        "read": _read(start.read) if start.read else None,
    }


def _block(one):
    matrices = {name: _plain(matrix) for name, matrix in one.matrices.items()}
    return {
        "name": one.name,
        "asks": list(one.asks),
        "gives": list(one.gives),
        **matrices,
    }


def _read(one):
    return {
        "columns": list(one.columns),
        "sentences": [list(words) for words in one.sentences],
        "rows": [_plain(rows) for rows in one.rows],
    }


def _plain(array):
    return np.asarray(array).tolist()
