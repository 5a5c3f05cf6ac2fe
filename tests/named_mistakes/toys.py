"""Small exercises on arrays, each with a mistake or two, to try the checker on."""

import numpy as np

from named_mistakes import Exercise, Truth
from named_mistakes import check as check_exercise
from named_mistakes.cases import case, normal, sizes
from named_mistakes.table import read

SEEDS = (0, 1)
EXERCISES = {}


def check(name, answer, *, seed=None):
    """Check an answer to the toy of this name."""
    return check_exercise(EXERCISES[name], answer, seed=seed)


def assert_found(name, code, answer):
    """The mistake is named on each of several draws, and no wrong guess beside it."""
    for seed in SEEDS:
        report = check(name, answer, seed=seed)
        found = {finding.code for finding in report.findings}
        assert not report.passed
        assert code in found
        assert not (found - {code}) & {"wrong-numbers", "no-batch"}


def assert_passes(name, answer):
    for seed in SEEDS:
        report = check(name, answer, seed=seed)
        assert report.passed, report
        assert report.findings == ()


def changed_result(reference, change):
    """A right answer whose result is changed at the end: each array, if several."""

    def answer(*inputs):
        result = reference(*inputs)
        if isinstance(result, tuple):
            return tuple(map(change, result))
        return change(np.asarray(result))

    return answer


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def toy(name, reference, inputs, table="", steps=None, returns="output", **more):
    """Keep an exercise; `inputs` draws for three sizes and the axes of a batch."""

    def draw(rng):
        n, m, d, b = sizes(rng, 4)
        some = {
            "a matrix": ((n, m, d), ()),
            "n_queries = n_keys": ((m, m, d), ()),
            "all sizes equal": ((d, d, d), ()),
            "a batch": ((n, m, d), (b,)),
            "a batch of squares": ((3, 3, 3), (3,)),
            "two axes of batches": ((n, m, d), (2, b)),
        }
        return [case(label, **inputs(rng, *at)) for label, at in some.items()]

    mistakes = read(table, globals(), steps)
    EXERCISES[name] = Exercise(
        name,
        reference,
        draw,
        steps or {},
        mistakes,
        returns=tuple(returns.split()),
        **more,
    )


def of_shapes(**shapes):
    """Draw an array for each name: "nd" has n rows of d numbers, "-nd" no batch."""

    def inputs(rng, size, lead):
        size = dict(zip("nmd", size, strict=True))
        return {
            name: normal(
                rng,
                *(() if shape[0] == "-" else lead),
                *(size[axis] for axis in shape.strip("-")),
            )
            for name, shape in shapes.items()
        }

    return inputs


toy(
    "softmax",
    softmax,
    of_shapes(x="nm"),
    """
weights | sign-flipped | the sign of the scores
    turning the sign of the scores = softmax(-x)
""",
    {"weights": lambda s: softmax(s.x)},
    "weights",
)
toy("project", lambda x, w: x @ w, of_shapes(x="nd", w="-dm"))
toy(
    "weighted_sum",
    lambda weights, value: weights @ value,
    of_shapes(weights="nm", value="md"),
)
toy(
    "score_matrix", lambda a, b: a @ b.mT, of_shapes(a="-nd", b="-nd"), returns="matrix"
)
toy(
    "scores",
    lambda query, key: query @ key.mT,
    of_shapes(query="nd", key="md"),
    """
scores | reshaped-instead-of-transposed | how rows become columns
    a reshape in place of a transpose =
        query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])

scores | key-not-transposed | how rows become columns
    multiplying the keys as they are = query @ key
""",
    {"scores": lambda s: s.query @ s.key.mT},
    "scores",
)
toy(
    "attention",
    lambda query, key, value: (
        softmax(query @ key.mT / np.sqrt(query.shape[-1])) @ value
    ),
    of_shapes(query="nd", key="md", value="md"),
    """
scores | key-not-transposed | how rows become columns
    multiplying the keys as they are = query @ key

scaled | missing-scale | what the scores are divided by
    leaving the scores unscaled = scores

weights | sign-flipped | the sign of the scores
    turning the sign of the scores = softmax(-scaled)

output | weights-transposed | which weight belongs to which query
    weights with a row for each key = weights.mT @ value
""",
    {
        "scores": lambda s: s.query @ s.key.mT,
        "scaled": lambda s: s.scores / np.sqrt(s.query.shape[-1]),
        "weights": lambda s: softmax(s.scaled),
        "output": lambda s: s.weights @ s.value,
    },
)


def _scores_and_size(rng, size, lead):
    return {"scores": normal(rng, *lead, *size[:2]), "d_k": size[2]}


def _rows_and_heads(rng, size, lead):
    n_heads = int(rng.integers(2, 6))
    return {"x": normal(rng, *lead, size[0], size[1] * n_heads), "n_heads": n_heads}


def _ids_and_table(rng, size, lead):
    ids = rng.integers(0, size[1], (*lead, size[0] + 1))
    return {"ids": ids, "table": normal(rng, size[1], size[2])}


def _sizes_alone(_rng, size, _lead):
    return {"n_positions": size[0], "d_model": 4 * size[1]}


def _sizes_of_a_mask(_rng, size, _lead):
    return {"n_queries": size[0], "n_keys": size[1]}


def mask(n_queries, n_keys):
    return np.arange(n_keys) <= np.arange(n_queries)[:, None]


def split(x, n_heads):
    return np.swapaxes(x.reshape(*x.shape[:-1], n_heads, -1), -2, -3)


def standardized(x):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)


def encoding(n_positions, d_model):
    angle = np.arange(1, n_positions + 1)[:, None] / 10 ** np.linspace(0, 1, d_model)
    return np.sin(angle)


def outside(output, value):
    low, high = value.min(-2, keepdims=True), value.max(-2, keepdims=True)
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)


toy("scale_scores", lambda scores, d_k: scores / np.sqrt(d_k), _scores_and_size)
toy("split_heads", split, _rows_and_heads, returns="heads")
toy("look_up", lambda ids, table: table[ids], _ids_and_table, returns="rows")
toy("encoding", encoding, _sizes_alone, returns="encoding", has_pairs=True)
toy("standardized", standardized, of_shapes(x="nm"))
toy("outside_range", outside, of_shapes(output="nd", value="md"), returns="excess")
toy("mask", mask, _sizes_of_a_mask, returns="mask", truth=Truth())
toy(
    "three_sums",
    lambda x: (x.sum(axis=-1), x.sum(axis=-2), (x**2).sum(axis=-1)),
    of_shapes(x="nm"),
    returns="rows columns squares",
)
