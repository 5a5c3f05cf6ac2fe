"""The figures of the cards on what stands around attention."""

from functools import cache
from itertools import pairwise

import numpy as np

from attnlib import silu

from ..kit.controls import Check, Choice, Slider
from ..kit.tabled import Bars, Curves, Grid, tabled
from . import interval, numbers

GATES = np.arange(-6, 7)


@tabled(
    controls={"gate": Slider("Gate", 4, -6, 6, 1)},
    drawn=Curves(
        "What is handed on of a 2",
        "gates",
        "gate",
        {"silu": "silu", "relu": "relu"},
        moves="gate",
        form=".1f",
    ),
    title="A gate that goes through silu",
    summary="A gate of {gate} makes {silu.$at:.2f} of a 2; with relu, {relu.$at}.",
    said=("{silu.$at:.2f} of 2", "with relu {relu.$at}"),
)
def swiglu(gate):
    """Return what a gate hands on of a 2: by silu, and by relu."""
    passed = 2 * silu(GATES.astype(float))
    return {
        "gates": GATES,
        "silu": passed.round(3),
        "relu": 2 * np.maximum(GATES, 0),
    }


D_MODEL, WIDTH, LAYERS, WORDS = 4096, 14_336, 32, 32_000  # Mixtral 8x7B


@tabled(
    controls={
        "experts": Choice("Experts, of as many weights in all", 8, (8, 16, 64, 256)),
        "used": Slider("Used for each token", 2, 1, 8, 1),
        "shared": Check("A shared expert as well", False),
    },
    drawn=Bars("Billions of weights", "billions", "billions", ".1f"),
    title="A mixture of experts: stored, used, and read",
    summary="{used} of {experts} experts for each token: {billions.0:.1f} billion "
    "weights are stored, {billions.1:.1f} used, {billions.2:.1f} of them in a shared "
    "expert.",
    said=(
        "{billions.1:.1f} billion used",
        "{billions.2:.1f} of them shared",
        "{billions.3:.1f} read for 64 tokens",
    ),
)
def moe(experts, used, shared):
    """Return billions of weights: stored, used for a token, and read for 64.

    Of the input table, what counts as used is a row for each token.
    A shared expert, as wide as the others, is added to them.
    """
    attention = 2 * D_MODEL**2 + 2 * D_MODEL * 1024
    expert = 3 * D_MODEL * WIDTH * 8 // experts  # as many weights in all
    used = min(used, experts)
    met = experts * (1 - (1 - used / experts) ** 64)
    layer = attention + experts * D_MODEL + 2 * D_MODEL
    rows = {"stored": WORDS, "used for a token": 1, "read for 64 tokens": 64}
    ways = zip(rows, (experts, used, met), strict=True)
    total = {
        name: (WORDS + rows[name] + 1) * D_MODEL
        + LAYERS * (layer + (n + shared) * expert)
        for name, n in ways
    }
    total["of them, shared"] = LAYERS * shared * expert
    names = ["stored", "used for a token", "of them, shared", "read for 64 tokens"]
    billions = np.round([total[name] / 1e9 for name in names], 3)
    return {"names": names, "billions": billions}


STORY = "a dog ate the food because it was hungry. "
STORY += "a dog ate the food because it was delicious."
NEW, MOST = "hungrier food", 24


def _join(pieces, pair):
    """Make one piece of each such pair of neighbors."""
    found = []
    for piece in pieces:
        if found and (found[-1], piece) == pair:
            found[-1] += piece
        else:
            found.append(piece)
    return found


@tabled(
    controls={"joins": Slider("Joins", 8, 0, MOST, 1)},
    drawn=Curves(
        "Tokens of the two sentences",
        "done",
        "joins",
        {"tokens": "counts"},
        moves="joins",
        form=",",
    ),
    title="Byte-pair encoding: joins, and what becomes of a new word",
    summary="After {joins} joins the sentences are {counts.$at} tokens, and “hungrier "
    "food” is {n_new}: {new}.",
    said=("{counts.$at} tokens", "“hungrier food” {n_new}"),
)
def bpe(joins):
    """Return the tokens of the story and of a new word, after so many joins."""
    pieces, new, counts, news = list(STORY), list(NEW), [len(STORY)], [list(NEW)]
    for _ in range(MOST):
        pairs = [pair for pair in pairwise(pieces) if pair[1][0] != " "]
        best = max(dict.fromkeys(pairs), key=pairs.count)
        pieces, new = _join(pieces, best), _join(new, best)
        counts.append(len(pieces))
        news.append(new)
    return {
        "done": np.arange(MOST + 1),
        "counts": counts,
        "new": "·".join(one.replace(" ", "␣") for one in news[joins]),
        "n_new": len(news[joins]),
    }


DEPTHS = np.arange(1, 49)


@tabled(
    controls={"layers": Slider("Layers", 48, 4, 48, 4)},
    drawn=Curves(
        "Length of what the layers make (50 draws)",
        "depths",
        "layers",
        {"sum": "sum", "mean": "mean"},
        moves="layers",
    ),
    title="A sum over layers, and its length",
    summary="After {layers} layers the sum has the length {sum.$at:.2f}, the mean "
    "{mean.$at:.2f}; the last layer is {part:.2f} of the sum.",
    said=("sum {sum.$at:.2f}", "mean {mean.$at:.2f}", "last layer {part:.2f}"),
)
def depth(layers):
    """Return the length of a sum of rows of length 1, and of their mean (50 draws)."""
    added = np.random.default_rng(14).standard_normal((50, 48, 128))
    added /= np.linalg.norm(added, axis=-1, keepdims=True)
    length = np.linalg.norm(added.cumsum(axis=1), axis=-1).mean(axis=0)
    few = np.arange(3, 48, 4)  # after 4, 8, …, 48 layers
    return {
        "depths": DEPTHS[few],
        "sum": length[few].round(3),
        "mean": (length / DEPTHS)[few].round(3),
        "part": 1 / length[layers - 1],
    }


STREAMS, PLACES = 4, np.arange(0, 61, 5)


def _mixes(bound, rng, shape):
    """Draw matrices that mix streams: near the identity, or bound (Sinkhorn)."""
    mix = np.eye(STREAMS) + 0.1 * rng.standard_normal((*shape, STREAMS, STREAMS))
    for axis in (-2, -1) * 20 if bound else ():  # all columns, all rows: sum 1
        mix = abs(mix) / abs(mix).sum(axis=axis, keepdims=True)
    return mix


@cache
def gains(bound):
    """Return how much mixing lengthens streams, by `PLACES`, and what differs in them.

    Each as means over 200 draws, with half of the interval.
    """
    mixes = _mixes(bound, np.random.default_rng(14), (200, PLACES[-1]))
    product, found = np.eye(STREAMS)[None].repeat(200, axis=0), []
    for place in range(PLACES[-1] + 1):
        product = mixes[:, place - 1] @ product if place else product
        if place in PLACES:
            apart = product - product.mean(axis=1, keepdims=True)
            norms = (np.linalg.norm(x, 2, axis=(1, 2)) for x in (product, apart))
            found.append([*norms])
    return interval(np.array(found).transpose(2, 1, 0))


@tabled(
    controls={
        "kind": Choice("Weights", "mHC", ("HC", "mHC")),
        "places": Slider("Places passed", 60, 0, 60, 5),
    },
    drawn=(
        Grid("What each row takes of each column", "weights", form=".2f"),
        Curves(
            "How long streams can become (200 draws)",
            "places_passed",
            "places passed",
            {"HC": "free", "mHC": "bound", "difference": "apart"},
            moves="places",
            form=".1f",
        ),
    ),
    title="Four streams: how a layer reads, mixes and writes them",
    summary="{kind}, after {places} places: streams can be {longer:.2f} times as long, "
    "and what differs between them {left:.2f} times.",
    said=("{longer:.2f} times as long", "differences {left:.2f}"),
)
def streams(kind, places):
    """Return one place's weights, and what so many places have made of the streams."""
    bound, rng = kind == "mHC", np.random.default_rng(places)
    read, write = rng.standard_normal((2, STREAMS))
    gate = 1 / (1 + np.exp(-np.array([read, write])))
    read, write = (
        (gate[0], 2 * gate[1]) if bound else (0.25 + read / 10, 1 + write / 10)
    )
    mix = np.column_stack([_mixes(bound, rng, ()), write])
    longer, apart = gains(bound)[0]
    at = PLACES.tolist().index(places)
    return {
        "rows": ["the layer", *(f"stream {i}" for i in range(1, STREAMS + 1))],
        "columns": [*map(str, range(1, STREAMS + 1)), "layer"],
        "weights": np.vstack([[*read, 0], mix]).round(2) + 0,
        "places_passed": PLACES,
        "free": gains(False)[0][0],
        "bound": gains(True)[0][0],
        "apart": apart,
        "longer": longer[at],
        "left": apart[at],
    }


PAIRS = 99_092**2  # of tokens, in Engram's file
SIZES = tuple(10**6 * 2**n for n in range(7))


@tabled(
    controls={"rows": numbers("Rows of each table", 16 * 10**6, SIZES)},
    drawn=(
        Curves(
            "Billions of numbers stored",
            "sizes",
            "rows, doubling",
            {"stored": "stored"},
            moves="rows",
            form=".0f",
            even=True,
        ),
        Curves(
            "Pairs of tokens that share a row",
            "sizes",
            "rows, doubling",
            {"pairs": "shared"},
            moves="rows",
            form=",",
            even=True,
        ),
    ),
    title="Tables that grow, and what a token reads of them",
    summary="{rows:,} rows in each of 48 tables: {stored.$at:.0f} billion numbers are "
    "stored, {read:,} read for a token; {shared.$at:,} pairs of tokens share a row.",
    said=("{stored.$at:.0f} billion stored", "{shared.$at:,} pairs share a row"),
)
def engram(rows):
    """Return what tables of so many rows hold, and how many pairs share a row."""
    n_tables = 2 * 3 * 8  # two layers, three lengths, eight hashes
    sizes = np.array(SIZES)
    return {
        "sizes": SIZES,
        "stored": (n_tables * sizes * 256 / 1e9).round(1),
        "shared": np.rint(PAIRS / sizes).astype(int),
        "read": n_tables * 256,
    }
