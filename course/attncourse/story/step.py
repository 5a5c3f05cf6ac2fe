"""The step that the lessons build, for those that take it up again."""

import numpy as np

from attnlib import softmax


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
