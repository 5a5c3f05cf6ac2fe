"""One head's reading of a minimal pair, as it is and when something is changed.

A pair is a sentence with two last words, of which one fits noun a and the other noun b.
What is measured is the preference of head 3.1 where "it" asks: the weight of a less
the weight of b.
"""

from dataclasses import dataclass

import numpy as np

LAYER, HEAD = 3, 1  # the head that is tested
FEEDS = 2  # the layer in which the adjective reaches "it"
CARRIERS = [1, 3, 8]  # its heads that look from "it" to the adjective
DEPTHS = range(LAYER + 1)


@dataclass
class Sentence:
    """One of the two sentences of a pair, with what the model makes of it.

    ``rows[d]`` enters layer d, (n_tokens, d_model); ``weights`` is (n_layers, n_heads,
    n_tokens, n_tokens).
    """

    tokens: list
    it: int
    a: int
    b: int
    adjective: int
    rows: np.ndarray
    weights: np.ndarray


def read(model, template, a, b, adjective, *, pronoun="it"):
    """Run the model on one sentence; another word may stand where "it" stood."""
    text = template.replace(" it ", f" {pronoun} ").format(adjective)
    trace = model(text)
    tokens, first = trace.tokens, model.pieces.pieces(adjective)[0]
    it = model.pieces.tokenize(template.format(adjective)).index("it")
    last = len(tokens) - 1 - tokens[::-1].index(first)
    places = it, tokens.index(a), tokens.index(b), last
    return Sentence(tokens, *places, trace.hidden, trace.weights)


def preference(one, weights, query=None):
    """Return the weight of a less that of b in head 3.1."""
    row = weights[HEAD, one.it if query is None else query]
    return row[one.a] - row[one.b]


def from_depth(model, rows, depth, mask=None):
    """Return the weights of layer 3, given the rows that enter an earlier layer."""
    for i in range(depth, LAYER):
        rows = model.layers[i](rows, mask=mask if i == FEEDS else None)
    return model.layers[LAYER].attention.weights(rows)


def cuts(one):
    """Return for each cut the connections to forbid in layer 2: (head, query, key)."""
    others = [h for h in range(len(one.weights[FEEDS])) if h not in CARRIERS]
    to_adjective = {h: (h, one.it, one.adjective) for h in (*CARRIERS, *others)}
    nouns = [(h, noun, one.adjective) for h in CARRIERS for noun in (one.a, one.b)]
    return {
        **{f"cut 2.{h}": [to_adjective[h]] for h in CARRIERS},
        "cut 2.3 and 2.8": [to_adjective[3], to_adjective[8]],
        "cut the three": [to_adjective[h] for h in CARRIERS],
        "cut the other nine": [to_adjective[h] for h in others],
        "cut as much elsewhere": _strongest(one, others),
        "cut nouns to adjective": nouns,
    }


def _strongest(one, heads):
    """Choose three heads in which "it" looks hardest at anything but the adjective."""
    rows = one.weights[FEEDS][:, one.it].copy()
    rows[:, one.adjective] = 0
    best = sorted(heads, key=lambda h: -rows[h].max())[:3]
    return [(h, one.it, int(rows[h].argmax())) for h in best]


def under_cut(model, one, connections):
    """Forbid some connections; return the preference, and the weight taken away."""
    mask = np.ones(one.weights[FEEDS].shape, bool)
    mask[tuple(np.transpose(connections))] = False
    weights = from_depth(model, one.rows[FEEDS], FEEDS, mask)
    return preference(one, weights), one.weights[FEEDS][~mask].sum()


def swapped(one, other, depth):
    """Give the rows at a depth, with some words' rows from the other sentence."""
    most = min(len(one.tokens) - one.adjective, len(other.tokens) - other.adjective) - 1
    groups = {
        "it": [(one.it, other.it)],
        "adjective": [(one.adjective + i, other.adjective + i) for i in range(most)],
        "nouns": [(one.a, other.a), (one.b, other.b)],
    }
    for name, places in groups.items():
        rows = one.rows[depth].copy()
        for here, there in places:
            rows[here] = other.rows[depth][there]
        yield f"swap {name}, {depth}", rows


def measure(model, template, a, b, adjectives):
    """Return for both sentences what "it" looks at, and all preferences by name.

    Returns
    -------
    weights : array, (2, n_layers, n_heads, 3)
        From "it" to a, b and the adjective.
    found : dict of str to list of two
        The preference of head 3.1 in each sentence.
    removed : dict of str to list of two
        The weight that each cut takes away.
    """
    both = [read(model, template, a, b, one) for one in adjectives]
    weights = [o.weights[:, :, o.it][..., [o.a, o.b, o.adjective]] for o in both]
    found = {"as it is": [preference(one, one.weights[LAYER]) for one in both]}
    removed = {}
    for name in cuts(both[0]):
        pairs = [under_cut(model, one, cuts(one)[name]) for one in both]
        found[name], removed[name] = map(list, zip(*pairs, strict=True))
    for depth in DEPTHS:
        for one, other in (both, both[::-1]):
            for name, rows in swapped(one, other, depth):
                weights_now = from_depth(model, rows, depth)
                found.setdefault(name, []).append(preference(one, weights_now))
    for word in ("because", "was", "[SEP]"):
        asked = [(o, o.weights[LAYER], o.tokens.index(word)) for o in both]
        found[f"ask {word}"] = [preference(*each) for each in asked]
    the = [read(model, template, a, b, one, pronoun="the") for one in adjectives]
    found["the for it"] = [preference(one, one.weights[LAYER]) for one in the]
    return np.array(weights), found, removed
