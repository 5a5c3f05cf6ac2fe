"""Make minilm_extract.npz: what the lesson on a real model needs of it.

    python tools/make_extract.py [folder with the weights]

The texts stand in extract_texts.json; what each array is stands in NOTICE.md beside
the extract. Nothing is drawn at random but the untrained networks, from fixed seeds.
"""

import json
import sys
from pathlib import Path

import numpy as np
from pair_tests import measure

from attncourse.real_model import MiniLM, load_minilm
from attncourse.real_model.files import PATH
from attnlib import softmax
from attnlib.heads import split_heads
from attnlib.multi_head import project_heads

TEXTS = json.loads(Path(__file__).with_name("extract_texts.json").read_text("utf-8"))
UNTRAINED_SEEDS = range(5)
UNTRAINED_SPREAD = 0.02  # of fresh weights, as in BERT


def pair_tables(model, pairs):
    """Return where "it" looks in each pair, and how head 3.1 prefers, by name.

    Returns
    -------
    dict of str to array
        As NOTICE.md has them.
    """
    each = [measure(model, *pair[:3], pair[3:]) for pair in pairs]
    weights, found, removed = zip(*each, strict=True)
    return {
        "pair_weights": np.array(weights),
        "preferences": np.array([list(one.values()) for one in found]).swapaxes(0, 1),
        "tests": np.array(list(found[0])),
        "cut_weight": np.array([list(one.values()) for one in removed]).mean((0, 2)),
    }


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
        writes; the mean variance of q · k within a row; the entropy in bits with and
        without scale.
    """
    trace, found = model(text), []
    for layer, x in zip(model.layers, trace.hidden, strict=False):
        attention = layer.attention
        query, key, value = project_heads(attention, x, x)
        scores = query @ key.swapaxes(-1, -2)
        weights = softmax(scores / np.sqrt(query.shape[-1]))
        columns = split_heads(attention.w_output.T, attention.n_heads)
        written = np.linalg.norm(value @ columns.swapaxes(-1, -2), axis=-1)
        lengths = weights * written[:, None, :]  # (n_heads, n_queries, n_keys)
        share = (lengths[..., 0] / lengths.sum(axis=-1)).mean(axis=-1)
        entropies = entropy(weights), entropy(softmax(scores))
        variance = scores.var(axis=-1).mean(axis=-1)
        found.append([weights[..., 0].mean(axis=-1), share, variance, *entropies])
    names = ("cls_weight", "cls_share", "score_variance", "entropy", "entropy_unscaled")
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
    groups = ("discovery", "held_out", "things")
    pairs = [pair for group in groups for pair in TEXTS[group]]
    living = set(TEXTS["living"].split())
    traces = [model(text) for text in TEXTS["shown"]]
    tables = [head_tables(model, text) for text in TEXTS["varied"]]
    means = {name: np.mean([t[name] for t in tables], axis=0) for name in tables[0]}
    arrays = {
        **pair_tables(model, pairs),
        "untrained_rows": untrained_rows(model, TEXTS["shown"][0]),
        **{f"attention_{i}": trace.weights for i, trace in enumerate(traces)},
        **means,
        "word_embeddings": word_rows(model),
        "pairs": np.array(pairs),
        "pair_group": np.array([g for g in groups for _ in TEXTS[g]]),
        "pair_one_alive": np.array(
            [(a in living) != (b in living) for _, a, b, *_ in pairs]
        ),
        "texts": np.array(TEXTS["shown"]),
        "tokens": np.array([" ".join(trace.tokens) for trace in traces]),
        "words": np.array(TEXTS["words"].split()),
    }
    return {name: _stored(array) for name, array in arrays.items()}


def _stored(array):
    """Round to float16, where nothing is as large as it can hold."""
    small = array.dtype.kind == "f" and np.abs(array).max() < 100
    return (
        array.astype(np.float16 if small else np.float32)
        if (array.dtype.kind == "f")
        else array
    )


def main(arguments):
    """Write the extract."""
    arrays = make(load_minilm(*arguments))
    np.savez_compressed(PATH, **arrays)
    print(f"{PATH.name}: {PATH.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
