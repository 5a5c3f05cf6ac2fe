"""The figures of the cards on how few bits a number needs."""

from functools import cache

import numpy as np

from attnlib import scaled_dot_product_attention

from ..kit.controls import Check, Choice, Slider
from ..kit.tabled import Bars, Curves, tabled
from ..small_weights.live import e4m3
from . import interval, numbers


def bfloat16(x):
    """Round to the upper 16 bits of a float32; a tie goes to the even neighbor."""
    found = np.asarray(x, np.float32).view(np.uint32)
    found = found + 0x7FFF + (found >> 16 & 1)
    return (found & 0xFFFF0000).view(np.float32)


ONES = np.unique(np.rint(2 ** np.arange(0, 12.5, 0.5)).astype(int))
ROUNDINGS = {"float32": np.float32, "float16": np.float16, "bfloat16": bfloat16}


def _sums():
    """Return sums of ones, each rounded as it grows."""
    found = {}
    for name, to in ROUNDINGS.items():
        total, sums = to(0), [0]
        for _ in range(ONES[-1]):
            total = to(total + to(1))
            sums.append(int(total))
        found[name] = np.array(sums)[ONES]
    return found


SUMS = _sums()


@tabled(
    controls={"count": numbers("Ones added", 256, ONES)},
    drawn=Curves(
        "The sum, rounded after each",
        "ones",
        "ones added",
        {name: name for name in reversed(ROUNDINGS)},
        moves="count",
        form=",",
    ),
    title="Ones added up in three formats",
    summary="{count:,} exponentials of 1 make {bfloat16.$at:,} in bfloat16 and "
    "{float16.$at:,} in float16: in bfloat16 their weights add up to {row:.1f}.",
    said=("bfloat16 {bfloat16.$at:,}", "float16 {float16.$at:,}"),
)
def bfloat(count):
    """Return the three sums, and what the weights add up to."""
    row = count / SUMS["bfloat16"][list(ONES).index(count)]
    return {"ones": ONES, **SUMS, "row": row}


def rounded(x, bits, axis):
    """Round to steps between the least and the largest along an axis."""
    low, high = x.min(axis, keepdims=True), x.max(axis, keepdims=True)
    step = (high - low) / (2**bits - 1)
    return low + np.round((x - low) / step) * step


TURN = np.linalg.qr(np.random.default_rng(14).standard_normal((64, 64)))[0]
GROUPS = {
    "by column": lambda k, bits: rounded(k, bits, 0),
    "by token": lambda k, bits: rounded(k, bits, 1),
    "mean out": lambda k, bits: rounded(k - k.mean(0), bits, 1) + k.mean(0),
    "rotated": lambda k, bits: rounded(k @ TURN, bits, 1) @ TURN.T,
}


@tabled(
    controls={
        "bits": Slider("Bits", 4, 2, 8, 1),
        "columns": Choice(
            "Two of 64 columns are",
            "ten times",
            ("like the rest", "ten times", "ten more"),
        ),
    },
    drawn=Bars(
        "How far the output is off (5 draws)", "off by", "means", ".3f", half="half"
    ),
    title="Keys of few bits: which numbers share a scale",
    summary="With {bits} bits, {best} is best: by column {means.0:.3f}, by token "
    "{means.1:.3f}.",
    said=("{best} is best", "by column {means.0:.3f}", "by token {means.1:.3f}"),
)
def four_bits(bits, columns):
    """Return how far outputs are off, with keys rounded in groups."""
    found = []
    for query, key, value in np.random.default_rng(0).standard_normal((5, 3, 256, 64)):
        two = np.arange(64) < 2
        key = key * np.where(two, 10, 1) if columns == "ten times" else key
        key = key + 10 * two if columns == "ten more" else key
        full = scaled_dot_product_attention(query, key, value)
        kept = [keep(key, bits) for keep in GROUPS.values()]
        errors = [scaled_dot_product_attention(query, k, value) - full for k in kept]
        found.append([((e**2).mean() / (full**2).mean()) ** 0.5 for e in errors])
    means, half = interval(found)
    best = list(GROUPS)[int(means.argmin())]
    return {"names": list(GROUPS), "means": means, "half": half, "best": best}


E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])  # all of FP4's sizes
FORMATS = {  # neighbors of one scale, the scale by the largest of them, sizes
    "NVFP4": (16, lambda most: e4m3(most / 6), E2M1),
    "MXFP4": (32, lambda most: 2.0 ** (np.floor(np.log2(most)) - 2), E2M1),
    "even steps": (16, lambda most: most / 7, np.arange(8)),
}
SMALL = np.array([0.1, 0.3, 0.5, 0.7, 0.9, 1.2, 1.6, 2.2])


def scaled(x, group, scale_of, sizes):
    """Round to the nearest of these sizes, with a scale for each group of neighbors."""
    parts = x.reshape(-1, group)
    scale = scale_of(abs(parts).max(axis=1, keepdims=True))
    nearest = abs(abs(parts / scale)[..., None] - sizes).argmin(axis=-1)
    return (np.sign(parts) * sizes[nearest] * scale).reshape(x.shape)


@tabled(
    controls={
        "largest": Slider("The largest neighbor", 5, 3, 23, 2),
        "form": Choice("Format", "NVFP4", tuple(FORMATS)),
    },
    drawn=(
        Bars(
            "Three bits beside the sign, and their size",
            "size",
            "values",
            names="codes",
        ),
        Bars(
            "What is kept (gray: exact)",
            "kept",
            "kept",
            before="exact",
            before_header="exact",
        ),
    ),
    title="FP4: numbers that share a scale, and the values there are",
    summary="{form}: beside {largest} the scale is {scale:.3f}, and the smallest size "
    "above 0 is {values.1:.2f}. Of the 8 numbers, {gone} become 0.",
    said=("{gone} of 8 become 0", "scale {scale:.3f}"),
)
def fp4(largest, form):
    """Return what becomes of small numbers, beside one that is so large."""
    group, scale_of, sizes = FORMATS[form]
    block = np.append(np.resize(SMALL, group - 1), largest)
    kept = scaled(block, *FORMATS[form])[: len(SMALL)]
    scale = scale_of(float(largest))
    return {
        "names": [f"{x:.1f}" for x in SMALL],
        "kept": kept,
        "exact": SMALL,
        "scale": scale,
        "codes": [f"{code:03b}" for code in range(8)],
        "values": sizes * scale,
        "gone": int((kept == 0).sum()),
    }


def from_the_least(x):
    """Round groups of 16 to even steps from their least number to their largest."""
    return rounded(x.reshape(-1, 16), 4, 1).reshape(x.shape)


def _by(how):
    return lambda x: scaled(x, *how)


WAYS = {name: _by(how) for name, how in FORMATS.items()}
WAYS["even, from the least"] = from_the_least
ROWS, OUTPUT = "the numbers", "the output of a cache"


@cache
def lost_by_format(measured, outliers):
    """Return how far off each format leaves numbers or outputs, of 20 draws, and ±."""
    rng, found = np.random.default_rng(0), []
    for _ in range(20):
        if measured == ROWS:
            x = rng.standard_normal(40_960)
            x *= np.where(rng.random(40_960) < 0.01, 10, 1) if outliers else 1
            pairs = [(way(x), x) for way in WAYS.values()]
        else:
            query, key, value = rng.standard_normal((3, 256, 64))
            key *= np.where(np.arange(64) < 2, 10, 1) if outliers else 1
            exact = scaled_dot_product_attention(query, key, value)
            kept = [(way(key), way(value)) for way in WAYS.values()]
            pairs = [(scaled_dot_product_attention(query, *k), exact) for k in kept]
        found.append([(((y - x) ** 2).mean() / (x**2).mean()) ** 0.5 for y, x in pairs])
    return interval(found)


@tabled(
    controls={
        "measured": Choice("What is off", OUTPUT, (ROWS, OUTPUT)),
        "outliers": Check("Some numbers are ten times as large", True),
    },
    drawn=Bars(
        "Off by, of its size (20 draws)",
        "off by",
        "means",
        ".3f",
        half="half",
    ),
    title="What four bits cost: numbers, and a cache",
    summary="NVFP4 leaves {measured} off by {means.0:.3f}, MXFP4 by {means.1:.3f}, "
    "even steps on both sides of 0 by {means.2:.3f}, from the least by {means.3:.3f}.",
    said=("NVFP4 {means.0:.3f}", "even {means.2:.3f}", "from least {means.3:.3f}"),
)
def fp4_lost(measured, outliers):
    """Return how far off each format leaves what is measured."""
    means, half = lost_by_format(measured, outliers)
    return {"names": [*WAYS], "means": means, "half": half}


def best_values(bits):
    """Values to which normal numbers are rounded with the least error."""
    normal = np.sort(np.random.default_rng(14).standard_normal(20_000))
    values = np.quantile(normal, (np.arange(2**bits) + 0.5) / 2**bits)
    for _ in range(50):  # each becomes the mean of those that are nearest to it
        between = np.searchsorted(normal, (values[1:] + values[:-1]) / 2)
        values = np.array([part.mean() for part in np.split(normal, between)])
    return values


@tabled(
    controls={
        "bits": Slider("Bits", 2, 1, 5, 1),
        "large": Choice("Two columns are larger, by", 10, (1, 3, 10, 30)),
    },
    drawn=Bars("Lost of a key's squared length", "lost", "lost", ".3f"),
    title="One list of values for every key",
    summary="With {bits} bits, TurboQuant loses {lost.2:.3f}, even steps {lost.0:.3f}.",
    said=("TurboQuant {lost.2:.3f}", "even steps {lost.0:.3f}"),
)
def turboquant(bits, large):
    """Return the share of keys' squared length that rounding loses, in three ways."""
    keys = np.random.default_rng(0).standard_normal((256, 64))
    keys[:, :2] *= large
    values, x = best_values(bits), keys @ TURN
    size = np.linalg.norm(x, axis=1, keepdims=True) / 8
    near = values[np.searchsorted((values[1:] + values[:-1]) / 2, x / size)] * size
    kept = (rounded(keys, bits, 1), rounded(x, bits, 1), near)
    lost = [
        (((one - was) ** 2).sum(axis=1) / (was**2).sum(axis=1)).mean()
        for one, was in zip(kept, (keys, x, x), strict=True)
    ]
    names = ["even steps", "turned, even", "TurboQuant"]
    return {"names": names, "lost": np.round(lost, 4)}


PARTS = (1, 2, 4, 8, 16, 32)


@tabled(
    controls={"parts": Choice("Parts of the sum", 1, PARTS)},
    drawn=Curves(
        "Scores of two words, summed in bfloat16",
        "n_parts",
        "parts, doubling",
        {"dog": "first", "it": "second"},
        moves="parts",
        form=".3f",
        even=True,
    ),
    title="Two words, and the order in which their scores are summed",
    summary="Summed in {parts} parts: “dog” {first.$at:.3f}, “it” {second.$at:.3f}. "
    "Likelier: {wins}. In exact sums “it” leads by {exact:.2f}.",
    said=("likelier: {wins}", "dog {first.$at:.3f}", "it {second.$at:.3f}"),
)
def temperature(parts):
    """Return the scores of two words, of the same products, by parts."""
    rng = np.random.default_rng(14)
    one = bfloat16(rng.standard_normal(256) / 4)
    other = rng.permutation(one)
    other[0] = bfloat16(other[0] + 0.02)  # it should win, by a little

    def total(products, n_parts):
        sums = np.float32(0)
        for part in np.split(products, n_parts):
            inner = np.float32(0)
            for x in part:
                inner = bfloat16(inner + x)
            sums = bfloat16(sums + inner)
        return float(sums)

    first, second = ([total(word, n) for n in PARTS] for word in (one, other))
    at = PARTS.index(parts)
    wins = {-1: "it", 0: "neither", 1: "dog"}[int(np.sign(first[at] - second[at]))]
    exact = float(other.sum(dtype=float) - one.sum(dtype=float))
    told = {"n_parts": PARTS, "first": first, "second": second}
    return told | {"wins": wins, "exact": exact}
