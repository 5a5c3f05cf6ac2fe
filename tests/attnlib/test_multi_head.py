import numpy as np
import pytest

from attnlib import (
    MultiHeadAttention,
)
from tests.attnlib import oracle

BIASES = ("b_query", "b_key", "b_value", "b_output")


def layer_of(xp, rng, d_model=15, n_heads=3, with_bias=True):
    weights = [xp.asarray(rng.normal(size=(d_model, d_model)) / 4) for _ in range(4)]
    biases = {name: xp.asarray(rng.normal(size=d_model)) for name in BIASES}
    return MultiHeadAttention(
        *weights, n_heads=n_heads, **(biases if with_bias else {})
    )


@pytest.fixture
def layer(rng):
    """Three heads of five columns."""
    return layer_of(np, rng)


def loops(layer, x, context, **how):
    names = ("w_query", "w_key", "w_value", "w_output")
    weights = [np.asarray(getattr(layer, name)) for name in names]
    biases = [getattr(layer, name) for name in BIASES]
    biases = [None if b is None else np.asarray(b) for b in biases]
    return oracle.multi_head(x, context, *weights, layer.n_heads, biases, **how)


@pytest.mark.parametrize("with_bias", [True, False])
@pytest.mark.parametrize("n_heads", [1, 3, 5, 15])
def test_against_loops(xp, rng, n_heads, with_bias):
    layer = layer_of(xp, rng, n_heads=n_heads, with_bias=with_bias)
    x, mask = rng.normal(size=(7, 15)), rng.random((7, 7)) < 0.6
    expected = loops(layer, x, x, allowed=mask)
    got = layer(xp.asarray(x), mask=xp.asarray(mask))
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-11, atol=1e-13)


def test_cross_attention_against_loops(xp, rng):
    layer = layer_of(xp, rng)
    x, context = rng.normal(size=(7, 15)), rng.normal(size=(11, 15))
    got = layer(xp.asarray(x), xp.asarray(context), is_causal=True)
    allowed = [[j <= i for j in range(11)] for i in range(7)]
    expected = loops(layer, x, context, allowed=allowed)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-11, atol=1e-13)
    weights = layer.weights(xp.asarray(x), xp.asarray(context))
    assert weights.shape == (3, 7, 11)


def test_one_row_to_attend_to_is_enough(layer, rng):
    x, context = rng.normal(size=(7, 15)), rng.normal(size=(1, 15))
    expected = loops(layer, x, context, allowed=np.ones((7, 1), bool))
    np.testing.assert_allclose(layer(x, context), expected, rtol=1e-11, atol=1e-13)
    assert np.all(layer.weights(x, context) == 1)


def test_head_h_attends_with_its_columns(layer, rng):
    x = rng.normal(size=(7, 15))
    weights = layer.weights(x)
    query = oracle.project(x, layer.w_query, layer.b_query)
    key = oracle.project(x, layer.w_key, layer.b_key)
    for h in range(3):
        columns = slice(5 * h, 5 * (h + 1))
        head = oracle.weights([q[columns] for q in query], [k[columns] for k in key])
        np.testing.assert_allclose(weights[h], head, rtol=1e-11)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)


def test_a_batch_is_a_loop(layer, rng):
    x, context = rng.normal(size=(2, 13, 7, 15)), rng.normal(size=(13, 11, 15))
    output = layer(x, context)
    assert output.shape == (2, 13, 7, 15)
    for i, j in np.ndindex(2, 13):
        one = layer(x[i, j], context[j])
        np.testing.assert_allclose(output[i, j], one, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("shape", [(), (7,), (7, 1), (7, 7), (2, 1, 7), (1, 7, 7)])
def test_a_mask_with_the_axes_of_x_is_shared_by_all_heads(layer, rng, shape):
    x, mask = rng.normal(size=(2, 7, 15)), np.asarray(rng.random(shape) < 0.6)
    full = np.broadcast_to(mask, (2, 7, 7))
    weights, output = layer.weights(x, mask=mask), layer(x, mask=mask)
    assert weights.shape == (2, 3, 7, 7)
    for b in range(2):
        assert not weights[b][:, ~full[b]].any()
        expected = loops(layer, x[b], x[b], allowed=full[b])
        np.testing.assert_allclose(output[b], expected, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize(
    ("batch", "shape"),
    [
        ((2,), (2, 3, 7, 7)),
        ((2,), (1, 3, 1, 7)),
        ((2,), (2, 1, 7, 1)),
        ((), (3, 7, 7)),
        ((3,), (3, 7, 7)),  # of three items, not of three heads
    ],
)
def test_one_axis_more_is_for_the_heads(xp, rng, batch, shape):
    layer = layer_of(xp, rng)
    x, mask = rng.normal(size=(*batch, 7, 15)), rng.random(shape) < 0.6
    weights = np.asarray(layer.weights(xp.asarray(x), mask=xp.asarray(mask)))
    by_item = mask[:, None] if batch == (3,) else mask
    full = np.broadcast_to(by_item, (*batch, 3, 7, 7))
    np.testing.assert_array_equal(weights == 0, ~full)


@pytest.mark.parametrize("n_kv_heads", [1, 2, 6])
@pytest.mark.parametrize("with_bias", [False, True])
def test_fewer_heads_of_keys_and_values(xp, rng, n_kv_heads, with_bias):
    """Equal to as many heads, where the columns of those that share are repeated."""
    widths = (12, 2 * n_kv_heads, 2 * n_kv_heads, 12)
    shapes = [*((12, width) for width in widths), *((width,) for width in widths)]
    arrays = [rng.normal(size=shape) for shape in shapes]

    def build(arrays, n_kv_heads, xp):
        arrays = [xp.asarray(a) for a in arrays]
        biases = dict(zip(BIASES, arrays[4:], strict=True)) if with_bias else {}
        how = {"n_heads": 6, "n_kv_heads": n_kv_heads}
        return MultiHeadAttention(*arrays[:4], **how, **biases)

    def repeat(a):
        heads = a.reshape(*a.shape[:-1], n_kv_heads, 2)
        return np.repeat(heads, 6 // n_kv_heads, axis=-2).reshape(*a.shape[:-1], 12)

    shared = build(arrays, n_kv_heads, xp)
    names = (1, 2, 5, 6)
    full = [repeat(a) if i in names else a for i, a in enumerate(arrays)]
    full = build(full, None, np)
    assert full.n_kv_heads == 6
    x, context = rng.normal(size=(2, 7, 12)), rng.normal(size=(2, 5, 12))
    mask = rng.random((2, 6, 7, 5)) < 0.7
    given = xp.asarray(x), xp.asarray(context)
    for name in ("__call__", "weights"):
        got = getattr(shared, name)(*given, mask=xp.asarray(mask))
        expected = getattr(full, name)(x, context, mask=mask)
        np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("x", "context", "output"),
    [((0, 7, 15), None, (0, 7, 15)), ((2, 0, 15), (2, 7, 15), (2, 0, 15))],
)
def test_nothing_in_nothing_out(layer, x, context, output):
    context = None if context is None else np.ones(context)
    assert layer(np.ones(x), context).shape == output


def test_random(rng):
    layer = MultiHeadAttention.random(400, 8, rng=rng)
    names = ("w_query", "w_key", "w_value", "w_output")
    for name in names:
        assert getattr(layer, name).var() == pytest.approx(1 / 400, rel=0.02)
    assert len({float(getattr(layer, name)[0, 0]) for name in names}) == 4
    assert all(getattr(layer, name) is None for name in BIASES)


def test_the_layer_prints_its_sizes(layer):
    assert repr(layer) == "MultiHeadAttention(d_model=15, n_heads=3, d_k=5, float64)"


def random(*sizes, **how):
    return MultiHeadAttention.random(*sizes, **{"rng": np.random.default_rng(0), **how})


def build(n_heads=3, w_value=(15, 15), w_key=(15, 15), n_kv_heads=None, **biases):
    weights = [np.ones(s) for s in [(15, 15), w_key, w_value, (15, 15)]]
    biases = {name: np.ones(shape) for name, shape in biases.items()}
    sizes = {"n_heads": n_heads, "n_kv_heads": n_kv_heads}
    return MultiHeadAttention(*weights, **sizes, **biases)


X = np.ones((2, 7, 15))
FIVE_AXES = np.ones((1, 2, 3, 7, 7), bool)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: build(n_heads=4), ": the columns of w_query must be divisible .* 4"),
        (lambda: build(n_heads=0), ": n_heads must be an integer of at least 1,"),
        (lambda: build(n_heads=3.0), r": n_heads must be .*, got n_heads 3.0$"),
        (lambda: build(w_value=(15, 10)), ": the columns of w_value must be"),
        (lambda: build(w_value=(15, 12)), r": w_output must have shape \(12, 15\)"),
        (lambda: build(w_key=(15, 12)), r": w_key must have shape \(15, 15\), got"),
        (lambda: build(sinks=(5,)), r": sinks must have shape \(3,\), got sinks"),
        (lambda: random(15, 4, d_k=0), ".random: d_k must be an integer of at least 1"),
        (lambda: build(w_value=(15,)), ": w_value must be a matrix .*, got"),
        (lambda: build(b_key=(5,)), r": b_key must have shape \(15,\), got b_key"),
        (lambda: build()(X[..., :14]), r": x must have rows of d_model = 15, got x"),
        (lambda: build()(X, X[..., :14]), r": context must have rows .* \(2, 7, 14\)$"),
        (lambda: build()(X[0, 0]), r": x must have shape .*, got x \(15,\)$"),
        (lambda: build()(X, X[0, 0]), r": context must have shape .*, got .* \(15,\)$"),
        (lambda: build()(X[:, :0]), r": there must be .*, got context \(2, 0, 15\)$"),
        (lambda: build()(X, np.ones((3, 7, 15))), ": batch .* must broadcast, got x"),
        (lambda: build()(X, mask=np.ones((3, 7, 7), bool)), ": mask must broadcast"),
        (lambda: build()(X, mask=np.ones((2, 2, 7, 7), bool)), ": mask must .* shape"),
        (lambda: build()(X, mask=FIVE_AXES), r": mask .* shape \(2, 3, 7, 7\), got"),
        (lambda: build()(X, mask=np.ones((7, 7), int)), r": mask must be boolean"),
        (lambda: build().weights(X[0, 0]), r".weights: x must have shape"),
        (lambda: build(n_kv_heads=2), ": n_heads must be a multiple of n_kv_heads"),
        (lambda: build(n_kv_heads=0), r": n_kv_heads must be an integer of at least 1"),
        (lambda: build(n_kv_heads=1), r": w_key must have shape \(15, 5\), got w_key"),
        (lambda: random(12, 6, n_kv_heads=4), ".random: n_heads must be a multiple"),
        (lambda: random(15, 4), ".random: d_model must be div.* got d_model 15"),
        (lambda: random(15, 3, rng=7), ".random: rng must be a"),
        (lambda: random(0, 3), ".random: d_model must be .* got d_model 0$"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=f"^MultiHeadAttention{message}"):
        call()


def test_heads_of_their_own_sizes_and_sinks(xp, rng):
    """d_k = 3, d_v = 5, for d_model = 8 and four heads, two of keys."""
    widths = ((8, 12), (8, 6), (8, 10), (20, 8))
    weights = [rng.normal(size=shape) for shape in widths]
    biases = {"b_query": 12, "b_key": 6, "b_value": 10, "b_output": 8, "sinks": 4}
    biases = {name: rng.normal(size=n) for name, n in biases.items()}
    layer = MultiHeadAttention(
        *map(xp.asarray, weights),
        **{"n_heads": 4, "n_kv_heads": 2},
        **{name: xp.asarray(b) for name, b in biases.items()},
    )
    assert (layer.d_model, layer.d_k, layer.d_v) == (8, 3, 5)
    assert "n_kv_heads=2, d_k=3, d_v=5, float64" in repr(layer)
    x = rng.normal(size=(2, 7, 8))
    names = ("b_query", "b_key", "b_value")
    query, key, value = (
        (x @ w + biases[name]).reshape(2, 7, n, -1).swapaxes(1, 2)
        for w, name, n in zip(weights, names, (4, 2, 2), strict=False)
    )
    for i in range(2):
        heads = oracle.modern_attention(
            *(a[i].tolist() for a in (query, key, value)), sinks=biases["sinks"]
        )
        beside = np.swapaxes(heads, 0, 1).reshape(7, 20)
        expected = beside @ weights[3] + biases["b_output"]
        got = np.asarray(layer(xp.asarray(x)))[i]
        np.testing.assert_allclose(got, expected, rtol=1e-10)
    shares = np.asarray(layer.weights(xp.asarray(x)))
    again = shares @ np.repeat(value, 2, axis=1)
    np.testing.assert_allclose(again[1], heads, rtol=1e-10)


def test_random_weights_of_heads_of_their_own_sizes(rng):
    """Gemma 2 9B has 16 heads of 256 columns, and 3,584 between the layers."""
    layer = MultiHeadAttention.random(35, 4, n_kv_heads=2, d_k=16, d_v=11, rng=rng)
    shapes = [w.shape for w in (layer.w_query, layer.w_key, layer.w_value)]
    assert shapes == [(35, 64), (35, 32), (35, 22)]
    assert layer.w_output.shape == (44, 35)
    assert layer(np.ones((3, 35))).shape == (3, 35)
    plain = MultiHeadAttention.random(12, 6, n_kv_heads=2, rng=rng)
    assert repr(plain) == (
        "MultiHeadAttention(d_model=12, n_heads=6, n_kv_heads=2, d_k=2, float64)"
    )
    assert plain.w_key.shape == plain.w_value.shape == (12, 4)
