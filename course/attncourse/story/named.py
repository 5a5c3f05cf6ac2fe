"""Lesson 8's own rows: the story's six columns, and one for the name of each noun.

A noun has a 1 in the column of its own name, and no other word has a number there. So
what "it" holds in that column after `find`, which hands the names over as well, can
only have come from that noun.
"""

import numpy as np

from . import layers, matrices, words

NOUNS = ("dog", "food")
COLUMNS = (*words.COLUMNS, *NOUNS)
ROWS = {**words.WORDS, "cat": words.WORDS["dog"]}  # a second animal


def embed(sentence, nouns=NOUNS):
    """Return the rows of some words: (n_tokens, 6 + n_nouns).

    Examples
    --------
    >>> embed(["dog", "hungry"])
    array([[1., 0., 0., 0., 0., 0., 1., 0.],
           [0., 0., 0., 0., 1., 0., 0., 0.]])
    """
    names = [[word == noun for noun in nouns] for word in sentence]
    return np.hstack([[ROWS[word] for word in sentence], names]).astype(float)


def tell(row):
    """Name the columns of a row that hold more than 0.05, with two digits each.

    Examples
    --------
    >>> tell(embed(["dog"])[0] / 3)
    'alive 0.33, dog 0.33'
    """
    pairs = zip(COLUMNS, row, strict=True)
    return ", ".join(f"{name} {n:.2g}" for name, n in pairs if n > 0.05)


def heads(nouns=NOUNS):
    """Return the heads of lesson 6 by name; `find` hands over the names as well.

    Returns
    -------
    dict of str to (w_query, w_key, w_value)
        W^Q and W^K (6 + n_nouns, 2); W^V the same for `gather`, and 2 + n_nouns
        columns wide for `find`.

    Examples
    --------
    >>> [w.shape for w in heads()["find"]]
    [(8, 2), (8, 2), (8, 4)]
    """
    n_nouns = len(nouns)
    found = {
        name: [np.pad(w, ((0, n_nouns), (0, 0))) for w in head]
        for name, head in matrices.heads().items()
    }
    w_names = np.eye(len(words.COLUMNS) + n_nouns)[:, len(words.COLUMNS) :]
    found["find"][2] = np.hstack([found["find"][2], w_names])
    return {name: tuple(head) for name, head in found.items()}


def w_outputs(nouns=NOUNS):
    """Return W^O of `find` and of `gather`: each writes where its W^V reads.

    Examples
    --------
    >>> [w.shape for w in w_outputs()]
    [(4, 8), (2, 8)]
    """
    return [w_value.T for *_, w_value in heads(nouns).values()]


def two_layers(x, nouns=NOUNS):
    """Let the words pass both layers, `gather` and then `find`.

    Examples
    --------
    >>> passed = two_layers(embed(words.sentence("hungry")))
    >>> passed.rows["attention 2"][3].round(2)
    array([0.95, 0.01, 0.  , 1.  , 1.  , 0.  , 0.95, 0.01])
    """
    (find, gather), (w_find, w_gather) = heads(nouns).values(), w_outputs(nouns)
    return layers.two_layers(x, weights=((*gather, w_gather), (*find, w_find)))
