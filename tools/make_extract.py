"""Make minilm_extract.npz: what the lesson on a real model needs of it.

    python tools/make_extract.py [folder with the weights]

The texts stand in extract_texts.json; what each array is stands in NOTICE.md beside
the extract. Nothing is drawn at random but the untrained networks, from fixed seeds.
"""

import json
import sys
from pathlib import Path

import numpy as np

from attncourse.real_model import MiniLM, load_minilm
from attncourse.real_model.extract import PATH
from attnlib import softmax
from attnlib.heads import split_heads

TEXTS = json.loads(Path(__file__).with_name("extract_texts.json").read_text("utf-8"))
ADJECTIVE_HEADS = [1, 3, 8]  # of layer 2: those that carry the adjective to 'it'
UNTRAINED_SEEDS = range(5)
UNTRAINED_SPREAD = 0.02  # of fresh weights, as in BERT


def pair_tables(model, pairs):
    """Return where each pair's 'it' looks, under each cut, and what stands where.

    Returns
    -------
    rows : array, (n_pairs, 2, 3, n_layers, n_heads, n_keys)
        The second axis is the adjective (for a, for b), the third the cut: none, the
        three heads, the other nine. Padded with zeros.
    places : array, (n_pairs, 2, 4)
        The positions of 'it', a, b and the adjective.
    """
    found, places = [], []
    for template, a, b, *adjectives in pairs:
        for adjective in adjectives:
            tokens = model.pieces.tokenize(template.format(adjective))
            first = model.pieces.pieces(adjective)[0]
            where = [tokens.index(word) for word in ("it", a, b)]
            place = [*where, len(tokens) - 1 - tokens[::-1].index(first)]
            found.append(rows_under_cuts(model, tokens, *place[::3]))
            places.append(place)
    longest = max(rows.shape[-1] for rows in found)
    padded = [np.pad(r, [(0, 0)] * 3 + [(0, longest - r.shape[-1])]) for r in found]
    shape = (len(pairs), 2)
    return np.reshape(padded, (*shape, *padded[0].shape)), np.reshape(
        places, (*shape, 4)
    )


def rows_under_cuts(model, tokens, query, key):
    """Return the row of one query in all heads, (3 cuts, n_layers, n_heads, n_keys).

    The three runs are one batch: they differ in the mask of layer 2.
    """
    n_tokens, n_heads = len(tokens), model.layers[0].attention.n_heads
    mask = np.ones((3, n_heads, n_tokens, n_tokens), bool)
    others = [h for h in range(n_heads) if h not in ADJECTIVE_HEADS]
    mask[1, ADJECTIVE_HEADS, query, key] = False
    mask[2, others, query, key] = False
    x, rows = np.repeat(model.embed(tokens)[None], 3, axis=0), []
    for i, layer in enumerate(model.layers):
        cut = mask if i == 2 else None
        rows.append(layer.attention.weights(x, mask=cut)[:, :, query])
        x = layer(x, mask=cut)
    return np.stack(rows, axis=1)


def untrained_rows(model, text):
    """Return where 'it' looks in networks that were never trained, one for each seed.

    Returns
    -------
    array, (n_seeds, n_layers, n_heads, n_keys)
    """
    rows = []
    for seed in UNTRAINED_SEEDS:
        rng, arrays = np.random.default_rng(seed), {}
        for name, array in sorted(model._arrays.items()):
            drawn = rng.normal(0, UNTRAINED_SPREAD, array.shape)
            flat = np.full(array.shape, float(name.endswith("LayerNorm.weight")))
            arrays[name] = drawn if array.ndim == 2 else flat
        trace = MiniLM(arrays, model.pieces)(text)
        rows.append(trace.weights[:, :, trace.tokens.index("it")])
    return np.array(rows)


def head_tables(model, text):
    """Measure every head on one text, one (n_layers, n_heads) array for each measure.

    Returns
    -------
    dict of str to array
        The mean weight of [CLS]; the mean share of [CLS] in the length of what a head
        writes; the mean square of q · k; the entropy in bits with and without scale.
    """
    trace, found = model(text), []
    for layer, x in zip(model.layers, trace.hidden, strict=False):
        attention = layer.attention
        query, key, value = attention._heads(x, x)
        scores = query @ key.swapaxes(-1, -2)
        weights = softmax(scores / np.sqrt(query.shape[-1]))
        columns = split_heads(attention.w_output.T, attention.n_heads)
        written = np.linalg.norm(value @ columns.swapaxes(-1, -2), axis=-1)
        lengths = weights * written[:, None, :]  # (n_heads, n_queries, n_keys)
        share = (lengths[..., 0] / lengths.sum(axis=-1)).mean(axis=-1)
        entropies = entropy(weights), entropy(softmax(scores))
        squares = (scores**2).mean(axis=(-1, -2))
        found.append([weights[..., 0].mean(axis=-1), share, squares, *entropies])
    names = ("cls_weight", "cls_share", "score_square", "entropy", "entropy_unscaled")
    return dict(zip(names, np.swapaxes(found, 0, 1), strict=True))


def entropy(weights):
    """Return the mean entropy of rows, in bits."""
    logs = np.log2(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1).mean(axis=-1)


def word_rows(model):
    """Return the rows of some words in the embedding table, (n_words, d_model)."""
    return model.words[model.pieces.ids(TEXTS["words"].split())]


def make(model):
    """Return all arrays of the extract by name, in the dtype they are stored in."""
    pairs = TEXTS["discovery"] + TEXTS["held_out"]
    traces = [model(text) for text in TEXTS["shown"]]
    rows, places = pair_tables(model, pairs)
    tables = [head_tables(model, text) for text in TEXTS["varied"]]
    order = [
        model(text, with_positions=has).embedding
        for has in (True, False)
        for text in TEXTS["order"]
    ]
    arrays = {
        "pair_rows": rows,
        "untrained_rows": untrained_rows(model, TEXTS["shown"][0]),
        **{f"attention_{i}": trace.weights for i, trace in enumerate(traces)},
        **{name: np.array([t[name] for t in tables]) for name in tables[0]},
        "order_embeddings": np.reshape(order, (2, 2, -1)),
        "word_embeddings": word_rows(model),
    }
    half = {name: array.astype(np.float16) for name, array in arrays.items()}
    half["score_square"] = arrays["score_square"].astype(np.float32)  # up to 10,000
    names = {
        "pairs": np.array(pairs),
        "pair_held_out": np.arange(len(pairs)) >= len(TEXTS["discovery"]),
        "pair_places": places.astype(np.int8),
        "texts": np.array(TEXTS["shown"]),
        "tokens": np.array([" ".join(trace.tokens) for trace in traces]),
        "words": np.array(TEXTS["words"].split()),
    }
    return {**half, **names}


def main(arguments):
    """Write the extract."""
    arrays = make(load_minilm(*arguments))
    np.savez_compressed(PATH, **arrays)
    print(f"{PATH.name}: {PATH.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
