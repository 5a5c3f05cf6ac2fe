"""The figures of the cards on how far a token looks."""

import numpy as np

import attnconfig
from attncourse.toys.echoes import seeds
from attnlib import attention_weights, scaled_dot_product_attention, sliding_window_mask

from ..configuration.models import GEMMA_3_1B, GPT_OSS_20B, QWEN3_NEXT
from ..kit.controls import Choice, Slider
from ..kit.described import Line
from ..kit.panel import choice
from ..kit.tabled import Bars, Curves, Grid, tabled
from . import interval, numbers

N = 12
NUMBERS = np.arange(1, N + 1)


@tabled(
    controls={
        "left": Slider("Looks back", 2, 1, 5, 1),
        "layers": Slider("Layers", 1, 1, 6, 1),
    },
    drawn=Grid("Whom each token hears of", "paths", lit="through", header="hears of"),
    title="A sliding window, and how far word travels through layers",
    summary="The last of 12 tokens hears of {reach} before it (orange: through an "
    "earlier layer only). One layer computes {seen} scores of 78.",
    said=("Reaches back {reach}", "{seen} scores"),
)
def window(left, layers):
    """Return who hears of whom through several layers, and not in one."""
    seen = sliding_window_mask(N, window=(left, 0))
    paths = np.linalg.matrix_power(seen.astype(int), layers) > 0
    return {
        "rows": NUMBERS,
        "columns": NUMBERS,
        "paths": paths,
        "through": paths & ~seen,
        "reach": int(N - 1 - paths[-1].argmax()),
        "seen": int(seen.sum()),
    }


@tabled(
    controls={"sink": Slider("Score of the sink", 0, -4, 8, 1)},
    drawn=Bars("One row of weights", "weight", "weights", ".3f", lit="sink_at"),
    title="A learned sink, and what it leaves to the keys",
    summary="The five keys share {sum:.2f} of the row; the sink has the rest, and "
    "brings nothing.",
    said=("keys share {sum:.2f}", "sink {weights.5:.2f}"),
)
def learned_sinks(sink):
    """Return the weights of five keys beside a learned sink."""
    query, key = np.random.default_rng(14).standard_normal((2, 5, 8))
    weights = attention_weights(query, key, sinks=float(sink))[0]
    return {
        "names": [*(f"key {j + 1}" for j in range(5)), "the sink"],
        "weights": np.append(weights, 1 - weights.sum()).round(3),
        "sum": weights.sum(),
        "sink_at": 5,
    }


ORDERS = ("sinusoids", "rotary")
MEASURES = {
    "weight on ^": "on_start",
    "loss, with the last 8 keys": seeds.KINDS[1],
    "loss, with ^ as well": seeds.KINDS[2],
}


@tabled(
    controls={
        "order": Choice("Positions", "sinusoids", ORDERS),
        "measure": Choice("What is measured", "weight on ^", tuple(MEASURES)),
    },
    drawn=Bars(
        "Means of ten trainings, with a 95% interval", "mean", "means", half="halves"
    ),
    title="Does another place for the weight, or a gate, cure the sink?",
    summary="{order}, {measure}: plain {means.0:.2f}, with an empty key {means.1:.2f}, "
    "with a gate {means.2:.2f}.",
    said=("plain {means.0:.2f}", "empty key {means.1:.2f}", "gate {means.2:.2f}"),
)
def trained_sinks(order, measure):
    """Return what ten trainings of each kind came to, with their interval."""
    kinds = seeds.load()[order]
    found = [
        interval([run[MEASURES[measure]] for run in kinds[kind]])
        for kind in ("plain", "empty", "gated")
    ]
    means, halves = np.array(found).T
    return {
        "names": ["plain", "empty key", "gate"],
        "means": np.maximum(means, 0),
        "halves": halves,
    }


def _drawn(query, key, cheap, mask):
    """Return what the index says of twelve keys, and the weights that follow."""
    full = attention_weights(query, key)[0]
    at = np.sort(np.argsort(full)[-12:])
    index = np.maximum(cheap / cheap.max(), 0)
    return {
        "names": [f"key {one + 1}" for one in at],
        "index": index[at],
        "passed": (index * mask)[at],
        "full": full[at],
        "few": attention_weights(query, key, mask=mask[None])[0][at],
        "cut": float(index[mask].min()),
    }


@tabled(
    controls={
        "numbers": Choice(
            "Numbers of the cheap score", 8, (2, 4, 8, 16, 32), look=choice
        ),
        "keep": Choice("Keys chosen, of 1,024", 64, (16, 64, 256)),
    },
    drawn=(
        Bars(
            "Index score (gray: not chosen)",
            "chosen",
            "passed",
            before="index",
            before_header="score",
        ),
        Bars(
            "Weight (gray: of all keys)",
            "weight",
            "few",
            before="full",
            before_header="of all keys",
        ),
    ),
    title="Choosing keys by a cheap score",
    summary="Twelve of the 1,024 keys, those that matter most to one query; chosen is "
    "what scores {cut:.2f} or more. In 8 draws the right key is among those chosen "
    "{means.0:.2f} ± {half.0:.2f} of the time, and the output is off by "
    "{means.1:.2f} ± {half.1:.2f} of its size.",
    said=("right key {means.0:.2f}", "off by {means.1:.2f}"),
)
def dsa(numbers, keep, draws=8, n=1024, d=64):
    """Return how often the right key is chosen, how far the output is off, and a draw.

    And for one query twelve keys: those with the largest weights, in the text's order.
    """
    rng, found, shown = np.random.default_rng(14), [], {}
    for _ in range(draws):
        key, value = rng.standard_normal((2, n, d))
        right = rng.integers(n, size=20)
        query = key[right] + 0.5 * rng.standard_normal((20, d))
        short = rng.standard_normal((d, d))[:, :numbers]  # a random picture of each
        cheap = (query @ short) @ (key @ short).T
        mask = cheap >= np.sort(cheap, axis=1)[:, [-keep]]
        full = scaled_dot_product_attention(query, key, value)
        few = scaled_dot_product_attention(query, key, value, mask=mask)
        error = (((few - full) ** 2).mean() / (full**2).mean()) ** 0.5
        found.append([mask[np.arange(20), right].mean(), error])
        shown = shown or _drawn(query[:1], key, cheap[0], mask[0])
    means, half = interval(found)
    return {"means": means, "half": half, **shown}


# NSA with half of its window, and 3 of the 13 blocks that it chooses by weight.
FOLD, STEP, BLOCK, BLOCKS, NEAR, BEST = 32, 16, 64, 16, 256, 3


@tabled(
    controls={"block": Slider("The query ends block", 16, 1, BLOCKS, 1)},
    drawn=Grid(
        "Of which blocks of 64 it reads", "cells", lit="weighted", header="reads of"
    ),
    title="NSA: folds, chosen blocks and a window",
    summary="After {tokens:,} tokens it reads {counts.0} folds, {counts.1} tokens of "
    "chosen blocks (orange: by weight) and {counts.2} of the window: {read} rows.",
    said=("{counts.0} folds", "{counts.1} chosen", "{counts.2} near"),
)
def nsa(block):
    """Return what a query at the end of a block reads: folds, blocks and a window."""
    rng = np.random.default_rng(14)
    topics = rng.standard_normal((BLOCKS, 64)).repeat(BLOCK, axis=0)
    key = (topics + rng.standard_normal(topics.shape)) / 2**0.5
    n = block * BLOCK
    starts = np.arange(0, n - FOLD + 1, STEP)
    folds = np.array([key[i : i + FOLD].mean(axis=0) for i in starts])
    weights = attention_weights(rng.standard_normal((1, 64)), folds)[0]
    seen = np.arange(BLOCKS) < block
    ranked = np.bincount(starts // BLOCK, weights, BLOCKS)
    given = np.isin(np.arange(BLOCKS), [0, block - 2, block - 1]) & seen
    ranked[given | ~seen] = 0
    best = (ranked > 0) & (ranked >= np.sort(ranked)[-BEST])
    window = seen & (np.arange(BLOCKS) >= block - NEAR // BLOCK)
    counts = [len(starts), (given | best).sum() * BLOCK, window.sum() * BLOCK]
    nothing = np.zeros(BLOCKS, bool)
    return {
        "rows": ["folded", "chosen", "window"],
        "columns": np.arange(1, BLOCKS + 1),
        "cells": np.array([seen, given | best, window]),
        "weighted": np.array([nothing, best, nothing]),
        "counts": counts,
        "read": sum(counts),
        "tokens": n,
    }


# DeepSeek V3.2's sizes: 128 heads that score rows of 576 numbers and mix 512 of them,
# and an index of 64 heads of 128.
ATTENDS, RANKS = 128 * (576 + 512), 64 * 128
LENGTHS = (1024, 2048, 2176, 2560, 4096, *(2**p for p in range(13, 21)))
# name: tokens for each row that the index ranks, or 0; tokens folded into a row, and
# after how many the next begins; rows chosen, or 0 for all; rows beside them. NSA's
# weights of folds choose 16 blocks of 64.
WAYS = {
    "all keys": (0, 1, 1, 0, 0),
    "DSA": (1, 1, 1, 2048, 0),
    "blocks": (64, 1, 1, 2048, 0),
    "CSA": (4, 4, 4, 512, 128),
    "HCA": (0, 128, 128, 0, 128),
    "NSA": (0, 32, 16, 0, 512 + 16 * 64),
}


AT = "At {tokens:,} tokens DSA costs {shares.1:.3f}, its index {index.1:.3f} of that;"


@tabled(
    controls={"tokens": numbers("Tokens", 131_072, LENGTHS)},
    drawn=Bars(
        "Share of the multiplications (gray: index)",
        "in all",
        "shares",
        ".4f",
        before="index",
        before_header="index",
        limit=1,
        more=(Line("rows ranked", "ranked", ","), Line("rows read", "read", ",")),
    ),
    title="What choosing keys costs, and what it saves",
    summary={
        "dearer": f"{AT} dearer than all keys: {{dearer}}.",
        "cheaper": f"{AT} {{best}} costs least.",
    },
    said={
        "dearer": ("Dearer than all keys: {dearer}", "DSA {shares.1:.3f}"),
        "cheaper": ("DSA {shares.1:.3f}, {best} least",),
    },
)
def choose_keys(tokens):
    """Return each way's rows, ranked and read, and multiplications beside all keys'."""
    ranked, read = [], []
    for every, fold, step, most, beside in WAYS.values():
        rows = (tokens - fold) // step + 1
        ranked.append(tokens // every if every else 0)
        read.append((min(rows, most) if most else rows) + min(tokens, beside))
    index = np.array(ranked) * RANKS / (tokens * ATTENDS)
    shares = index + np.array(read) / tokens
    dearer = [n for n, share in zip(WAYS, shares, strict=True) if share > 1]
    return {
        "names": list(WAYS),
        "ranked": ranked,
        "read": read,
        "index": index,
        "shares": shares,
        "dearer": dearer,
        "best": list(WAYS)[int(shares.argmin())],
        "case": "dearer" if dearer else "cheaper",
    }


TEXTS = 2 ** np.arange(10, 21)


@tabled(
    controls={
        "cheap": Slider("Cheap layers to each full one", 3, 0, 7, 1),
        "kept": Choice(
            "The cheap ones keep", "1,024 tokens", ("1,024 tokens", "a state")
        ),
    },
    drawn=Curves(
        "What is left of a full cache",
        "tokens",
        "tokens, by powers",
        {"left": "left"},
        log="x",
        form=".3f",
    ),
    title="Full attention every few layers, and the cache",
    summary="{cheap} : 1, at 131,072 tokens: {here:.3f} of a full cache is left.",
    said=("{here:.3f} is left",),
)
def every_few(cheap, kept):
    """Return the share of a full cache that a mixture keeps, by tokens."""
    few = np.minimum(0 if kept == "a state" else 1024, TEXTS)
    left = (cheap * few + TEXTS) / ((cheap + 1) * TEXTS)
    return {"tokens": TEXTS, "left": left, "at": 7, "here": left[7]}


SIZES = {"hidden_size": 4096, "intermediate_size": 8192, "vocab_size": 32000}
SIZES |= {"num_attention_heads": 32, "num_key_value_heads": 8}  # as good as any here
LLAMA_4 = {"num_hidden_layers": 48, "no_rope_layers": [1, 1, 1, 0] * 12}
LLAMA_4 |= {"attention_chunk_size": 8192, "num_local_experts": 16}
SMOLLM3 = {"num_hidden_layers": 36, "no_rope_layer_interval": 4}
COMMAND = {"num_hidden_layers": 32, "sliding_window": 4096, "sliding_window_pattern": 4}
FILES = {  # their lines on layers
    "Llama 4 Scout": SIZES | {"model_type": "llama4_text", **LLAMA_4},
    "SmolLM3 3B": SIZES | {"model_type": "smollm3", **SMOLLM3},
    "Command R7B": SIZES | {"model_type": "cohere2", **COMMAND},
    "Gemma 3 1B": GEMMA_3_1B,
    "gpt-oss 20B": GPT_OSS_20B,
    "Qwen3 Next 80B": QWEN3_NEXT,
}


def _sees(layer):
    """Return how many tokens a layer sees at most: None for all, 0 with a state."""
    if layer.facts is None:
        return 0
    if layer.facts.window:
        return layer.facts.window[0] + 1
    return layer.facts.chunk


@tabled(
    controls={"model": Choice("Model", "Llama 4 Scout", tuple(FILES))},
    drawn=Grid("The first twelve layers", "cells", header="in layers"),
    title="Layer by layer: how far it looks, and whether it is told positions",
    summary="{model}: {n_whole} of {n_layers} layers see the whole text, and "
    "{n_turned} have RoPE.",
    said=("{n_whole} of {n_layers} see all", "{n_turned} with RoPE"),
)
def strip(model):
    """Return what each of a model's first twelve layers sees, and if it turns rows."""
    layers = attnconfig.read(FILES[model]).layers
    told = [_sees(one) for one in layers]
    kinds = {f"{one:,} tokens" if one else "a state" for one in told if one is not None}
    near = kinds.pop() if kinds else "a part"
    whole = [one is None for one in told]
    turned = [bool(one.facts and one.facts.rotary) for one in layers]
    cells = np.array([whole, np.invert(whole), turned])
    return {
        "rows": ["the whole text", near, "RoPE"],
        "columns": NUMBERS,
        "cells": cells[:, :N],
        "n_layers": len(layers),
        "n_whole": sum(whole),
        "n_turned": sum(turned),
        "near": near,
    }
