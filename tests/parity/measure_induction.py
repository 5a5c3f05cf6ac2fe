"""Look for induction heads in a pretrained decoder, cut them, and store what is found:

    PYTHONPATH=course .venv/parity/bin/python -m tests.parity.measure_induction

Half of the texts choose the heads; all that is stored is about the other half.
"""

import json

import numpy as np

from attncourse.real_model import induction
from tests.parity import smollm2

RUN, N_TEXTS, AT_ONCE = 25, 50, 10
N_CUT, N_CONTROLS = 10, 4
AGAIN = np.arange(RUN, 2 * RUN - 1)  # places whose next token has stood there before


def texts(seed, n=N_TEXTS):
    """Draw texts in which a run of random tokens stands twice."""
    rng = np.random.default_rng(seed)
    run = rng.integers(smollm2.N_SPECIAL, smollm2.N_TOKENS, (n, RUN))
    return np.hstack([run, run])


def looks(weights, ids):
    """Return each head's mean weight on what came after the token the first time.

    Returns
    -------
    array, (n_texts, n_layers, n_heads)
    """
    found = np.zeros((len(ids), smollm2.N_LAYERS, smollm2.N_HEADS))
    for first in range(0, len(ids), AT_ONCE):
        some = found[first : first + AT_ONCE]

        def see(layer, weights, some=some):
            some[:, layer] = weights[:, :, AGAIN, AGAIN - RUN + 1].mean(axis=-1)

        smollm2.forward(weights, ids[first : first + AT_ONCE], see=see)
    return found


def right(weights, ids, cut=()):
    """Return, for each text, the share of the second run that is predicted."""
    found = []
    for some in np.array_split(ids, max(1, len(ids) // AT_ONCE)):
        says = smollm2.forward(weights, some, cut)[:, AGAIN].argmax(axis=-1)
        found += (says == some[:, AGAIN + 1]).mean(axis=-1).tolist()
    return found


def others(found, rng):
    """Draw as many other heads from each of the same layers."""
    layers = [layer for layer, _ in found]
    drawn = []
    for layer in dict.fromkeys(layers):
        left = [head for head in range(smollm2.N_HEADS) if (layer, head) not in found]
        chosen = rng.permutation(left)[: layers.count(layer)]
        drawn += [(layer, int(head)) for head in chosen]
    return drawn


def measure():
    """Return all that is stored."""
    weights, fresh = smollm2.load(), texts(1)
    order = looks(weights, texts(0)).mean(axis=0).ravel().argsort()[::-1]
    found = [divmod(int(one), smollm2.N_HEADS) for one in order[:N_CUT]]
    onto, rng = looks(weights, fresh), np.random.default_rng(2)
    controls = [right(weights, fresh, others(found, rng)) for _ in range(N_CONTROLS)]
    return {
        "heads": found,
        "on_next": [np.round(onto[:, *head], 3).tolist() for head in found],
        "above_03": int((onto.mean(axis=0) > 0.3).sum()),
        "right": np.round(right(weights, fresh), 3).tolist(),
        "without_found": np.round(right(weights, fresh, found), 3).tolist(),
        "without_others": np.round(np.mean(controls, axis=0), 3).tolist(),
        "controls": np.round(np.mean(controls, axis=1), 3).tolist(),
    }


if __name__ == "__main__":
    stored = json.dumps(measure()).replace('], "', '],\n "')
    induction.STORED.write_text(stored + "\n", encoding="utf-8")
