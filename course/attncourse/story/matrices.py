"""The weights of the running example, 0, 1 and 6, set by hand.

In one step an adjective finds the noun that it describes (`find`). "It" has nothing to
ask with, and needs two: in the first it gathers what the adjective says (`gather`), and
in the second it finds the noun.
"""

import numpy as np

from attnlib import MultiHeadAttention, SelfAttention, softmax

from .words import ALIVE, EDIBLE, HAPPENS, PRONOUN, SAYS_ALIVE, SAYS_EDIBLE

# The step that the lessons build, for those that take it up again.


def attend(x, heads, w_output):
    """Let every word ask with several heads, and join the answers: lesson 6's code.

    Parameters
    ----------
    x : array, (n_tokens, d_model)
    heads : sequence of (w_query, w_key, w_value)
        (d_model, d_k), (d_model, d_k) and (d_model, d_v).
    w_output : array, (n_heads * d_v, d_model)

    Returns
    -------
    array, (n_tokens, d_model)

    Examples
    --------
    >>> from attncourse import story
    >>> x = story.embed(story.sentence("hungry"))
    >>> attend(x, story.heads().values(), story.w_output())[3].round(2)
    array([0.2 , 0.2 , 0.  , 0.  , 0.95, 0.  ])
    """
    outputs = []
    for w_query, w_key, w_value in heads:
        query, key, value = x @ w_query, x @ w_key, x @ w_value
        scores = query @ np.swapaxes(key, -1, -2)
        outputs.append(softmax(scores / key.shape[-1] ** 0.5) @ value)
    return np.concatenate(outputs, axis=-1) @ w_output


def find_weights():
    """Return W^Q, W^K, W^V of the step `find`, (6, 2) each: those of lessons 2 to 5.

    The query of a word that says "alive" looks for something alive; the key of a noun
    offers what it is; its value hands that over.

    Examples
    --------
    >>> w_query, w_key, w_value = find_weights()
    >>> w_query[SAYS_ALIVE], w_key[ALIVE]
    (array([6., 0.]), array([1., 0.]))
    """
    w_query, w_key, w_value = np.zeros((3, 6, 2))
    w_query[[SAYS_ALIVE, SAYS_EDIBLE], [0, 1]] = 6
    w_key[[ALIVE, EDIBLE], [0, 1]] = 1
    w_value[[ALIVE, EDIBLE], [0, 1]] = 1
    return w_query, w_key, w_value


def find():
    """Return the step in which an adjective finds the noun that it describes.

    d_model = 6, d_k = d_v = 2; the weights are those of `find_weights`.

    Examples
    --------
    >>> from attncourse import story
    >>> words = story.sentence("hungry")
    >>> find().trace(story.embed(words), words).weights[-1].round(2)
    array([0.95, 0.01, 0.01, 0.01, 0.01])
    """
    return SelfAttention(*find_weights())


def gather():
    """Return the step in which "it" gathers what the adjective says about a thing.

    Examples
    --------
    >>> from attncourse import story
    >>> words = story.sentence("hungry")
    >>> gather().trace(story.embed(words), words).weights[3].round(2)
    array([0.01, 0.01, 0.01, 0.01, 0.95])
    """
    w_query, w_key, w_value = np.zeros((3, 6, 2))
    w_query[PRONOUN, 0] = 6
    w_key[[SAYS_ALIVE, SAYS_EDIBLE], [0, 0]] = 1
    w_value[[SAYS_ALIVE, SAYS_EDIBLE], [0, 1]] = 1
    return SelfAttention(w_query, w_key, w_value)


def write_back(*columns):
    """Return the matrix that adds two numbers to these columns of a word: (2, 6).

    Examples
    --------
    >>> write_back(SAYS_ALIVE, SAYS_EDIBLE)
    array([[0., 0., 0., 0., 1., 0.],
           [0., 0., 0., 0., 0., 1.]])
    """
    w_output = np.zeros((2, 6))
    w_output[[0, 1], list(columns)] = 1
    return w_output


def heads():
    """Return the plain matrices of both heads by name: W^Q, W^K, W^V, each (6, 2).

    Lesson 6 has them side by side in a layer, lesson 8 one to a layer.

    Examples
    --------
    >>> w_query, w_key, w_value = heads()["gather"]
    >>> w_query[PRONOUN], w_key[SAYS_ALIVE], w_value[SAYS_EDIBLE]
    (array([6., 0.]), array([1., 0.]), array([0., 1.]))
    """
    layers = {"find": find(), "gather": gather()}
    return {name: (one.w_query, one.w_key, one.w_value) for name, one in layers.items()}


def w_output():
    """Return W^O, which says where the two heads write: (4, 6).

    Rows 0 and 1 are those of `find`, rows 2 and 3 those of `gather`.

    Examples
    --------
    >>> w_output()
    array([[1., 0., 0., 0., 0., 0.],
           [0., 1., 0., 0., 0., 0.],
           [0., 0., 0., 0., 1., 0.],
           [0., 0., 0., 0., 0., 1.]])
    """
    return np.vstack([write_back(ALIVE, EDIBLE), write_back(SAYS_ALIVE, SAYS_EDIBLE)])


def three_heads():
    """Return three heads side by side: find, gather, and "ate" looking for both nouns.

    d_model = 6, d_k = 2. What the first finds goes to the columns alive and edible,
    what the second gathers to "says alive" and "says edible". The third shows what one
    head cannot do: "ate" looks for who eats and what is eaten, and gets half of each.
    """
    w_query, w_key, w_value, w_output = np.zeros((4, 6, 6))
    for h, layer in enumerate((find(), gather(), _both())):
        columns = slice(2 * h, 2 * h + 2)
        w_query[:, columns], w_key[:, columns] = layer.w_query, layer.w_key
        w_value[:, columns] = layer.w_value
    w_output[0:2] = write_back(ALIVE, EDIBLE)
    w_output[2:4] = write_back(SAYS_ALIVE, SAYS_EDIBLE)
    w_output[4:6] = write_back(ALIVE, EDIBLE)
    return MultiHeadAttention(w_query, w_key, w_value, w_output, n_heads=3)


def _both():
    """Return the step in which "ate" looks for something alive and something edible."""
    layer = find()
    w_query = np.zeros((6, 2))
    w_query[HAPPENS] = 6
    return SelfAttention(w_query, layer.w_key, layer.w_value)
