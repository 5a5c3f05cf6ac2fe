"""Rules of dtypes, libraries and batches, held for every public function at once."""

import dataclasses
import itertools

import array_api_strict
import numpy as np
import pytest

import attnlib
from attnlib import (
    Decoder,
    DecoderLayer,
    Embedding,
    Encoder,
    EncoderLayer,
    KVCache,
    MultiHeadAttention,
    SelfAttention,
    apply_rotary,
    attention_vjp,
    attention_weights,
    blockwise_attention,
    cosine_similarity,
    cross_entropy,
    dot_product_scores,
    feed_forward,
    gelu,
    layer_norm,
    project,
    relu,
    rms_norm,
    rotary_embedding,
    scale_scores,
    scaled_dot_product_attention,
    softmax,
    softmax_vjp,
)

QUERY, KEY, VALUE = (2, 3, 6), (2, 7, 6), (2, 7, 11)
SQUARE, ROW = (6, 6), (6,)
MULTI = (SQUARE,) * 4
MULTI_BIAS = (*MULTI, *(ROW,) * 4)
FEED = (SQUARE, ROW, SQUARE, ROW)
LAYER = (*MULTI, *FEED, *(ROW,) * 4)
DECODER = (*MULTI, *FEED, ROW, ROW)
TARGETS = [[0, 1, 2], [3, 4, 5]]
BIASES = ("b_query", "b_key", "b_value", "b_output")


def multi_head(arrays):
    biases = dict(zip(BIASES, arrays[4:], strict=False))
    return MultiHeadAttention(*arrays[:4], n_heads=2, **biases)


def decoder_layer(arrays):
    """Rotary, so with an even d_k, and an activation without a kink."""
    attention = MultiHeadAttention(*arrays[:4], n_heads=3)
    rest = {"activation": gelu, "rotary_base": 100.0}
    return DecoderLayer(attention, *arrays[4:], **rest)


def encoder_layer(arrays, **options):
    return EncoderLayer(multi_head(arrays[:4]), *arrays[4:], **options)


# name: the shapes it takes, and how to call it with arrays of those shapes
CASES = {
    "Embedding": ([(7, 6)], lambda t: Embedding(t)([[1, 2]])),
    "one_hot": ([(7, 6)], lambda t: Embedding(t).one_hot([[1, 2]])),
    "cosine_similarity": ([QUERY, ROW], cosine_similarity),
    "dot_product_scores": ([QUERY, KEY], dot_product_scores),
    "scale_scores": ([QUERY], lambda s: scale_scores(s, 7)),
    "softmax": ([QUERY], softmax),
    "softmax by axis": ([QUERY], lambda x: softmax(x, axis=0)),
    "attention_weights": ([QUERY, KEY], attention_weights),
    "attention_weights, scale": (
        [QUERY, KEY],
        lambda q, k: attention_weights(q, k, scale=np.float64(0.3)),
    ),
    "attention": ([QUERY, KEY, VALUE], scaled_dot_product_attention),
    "attention, causal": (
        [QUERY, KEY, VALUE],
        lambda *a: scaled_dot_product_attention(*a, is_causal=True),
    ),
    "attention, mask": (
        [QUERY, KEY, VALUE],
        lambda *a: scaled_dot_product_attention(*a, mask=[True] * 5 + [False] * 2),
    ),
    "attention, float mask": (
        [QUERY, KEY, VALUE],
        lambda *a: scaled_dot_product_attention(*a, mask=np.linspace(-1, 1, 7)),
    ),
    "project, with a bias": ([QUERY, SQUARE, ROW], project),
    "SelfAttention": ([QUERY, *(SQUARE,) * 3], lambda x, *w: SelfAttention(*w)(x)),
    "project": (
        [QUERY, *(SQUARE,) * 3],
        lambda x, *w: SelfAttention(*w).project(x)[2],
    ),
    "trace": (
        [QUERY, *(SQUARE,) * 3],
        lambda x, *w: SelfAttention(*w).trace(x).weights,
    ),
    "MultiHeadAttention": ([QUERY, *MULTI_BIAS], lambda x, *w: multi_head(w)(x)),
    "cross-attention": ([QUERY, KEY, *MULTI], lambda x, c, *w: multi_head(w)(x, c)),
    "weights": ([QUERY, *MULTI], lambda x, *w: multi_head(w).weights(x)),
    "layer_norm": ([QUERY, ROW, ROW], layer_norm),
    "relu": ([QUERY], relu),
    "gelu": ([QUERY], gelu),
    "feed_forward": ([QUERY, *FEED], feed_forward),
    "feed_forward, gelu": (
        [QUERY, *FEED],
        lambda *a: feed_forward(*a, activation=gelu),
    ),
    "EncoderLayer": ([QUERY, *LAYER], lambda x, *w: encoder_layer(w)(x)),
    "EncoderLayer, pre-norm": (
        [QUERY, *LAYER],
        lambda x, *w: encoder_layer(w, norm_first=True, activation=gelu)(x),
    ),
    "Encoder": ([QUERY, *LAYER], lambda x, *w: Encoder([encoder_layer(w)] * 2)(x)),
    "blockwise_attention": (
        [QUERY, KEY, VALUE],
        lambda *a: blockwise_attention(*a, block_size=2, window=(2, 0)),
    ),
    "blockwise_attention, causal, float mask": (
        [QUERY, KEY, VALUE],
        lambda *a: blockwise_attention(
            *a, block_size=2, is_causal=True, mask=np.linspace(-1, 1, 7)
        ),
    ),
    "softmax_vjp": ([QUERY, QUERY], softmax_vjp),
    "attention_vjp": ([QUERY, KEY, VALUE, (2, 3, 11)], lambda *a: attention_vjp(*a)[1]),
    "rotary_embedding": ([QUERY], rotary_embedding),
    "apply_rotary": ([QUERY, (3, 2), (3, 2)], apply_rotary),
    "rms_norm": ([QUERY, ROW], rms_norm),
    "KVCache": ([QUERY, QUERY], lambda *a: KVCache().append(*a)[0]),
    "DecoderLayer": ([QUERY, *DECODER], lambda x, *w: decoder_layer(w)(x)),
    "Decoder": (
        [SQUARE, *DECODER, SQUARE],
        lambda t, *w: Decoder(Embedding(t), [decoder_layer(w[:-1])], positions=w[-1])(
            [[1, 2, 1]] * 2
        ),
    ),
    "cross_entropy": ([QUERY], lambda x: cross_entropy(x, TARGETS)),
}
each_function = pytest.mark.parametrize("name", CASES)


def inputs(name, dtype=np.float64):
    rng = np.random.default_rng(len(name))
    shapes, function = CASES[name]
    return [rng.normal(size=shape).astype(dtype) for shape in shapes], function


@each_function
def test_floats_keep_their_dtype(name):
    for dtype in (np.float16, np.float32, np.float64, np.longdouble):
        arrays, function = inputs(name, dtype)
        assert function(*arrays).dtype == dtype


@each_function
def test_float16_is_the_float32_result_rounded(name):
    arrays, function = inputs(name, np.float16)
    wide = function(*(a.astype(np.float32) for a in arrays))
    np.testing.assert_array_equal(function(*arrays), wide.astype(np.float16))


@each_function
def test_float32_is_close_to_float64(name):
    arrays, function = inputs(name)
    narrow = function(*(a.astype(np.float32) for a in arrays))
    np.testing.assert_allclose(narrow, function(*arrays), rtol=1e-3, atol=1e-4)


@each_function
def test_integers_become_the_default_float(name):
    floats, function = inputs(name)
    for dtype in (np.int64, np.int8, np.uint16):
        arrays = [(np.abs(a) * 2 + 1).astype(dtype) for a in floats]
        got = function(*arrays)
        assert got.dtype == np.float64
        expected = function(*(a.astype(float) for a in arrays))
        np.testing.assert_array_equal(got, expected)


@each_function
def test_mixed_floats_promote(name):
    arrays, function = inputs(name)
    for i in range(len(arrays)):
        mixed = [a.astype(np.float32) for a in arrays]
        mixed[i] = mixed[i].astype(np.float64)
        assert function(*mixed).dtype == np.float64


@each_function
def test_integers_beside_floats_take_their_dtype(name):
    arrays, function = inputs(name, np.float32)
    for i in range(1, len(arrays)):
        mixed = [*arrays[:i], arrays[i].astype(int), *arrays[i + 1 :]]
        assert function(*mixed).dtype == np.float32


@each_function
def test_what_is_not_a_real_number_is_refused(name):
    arrays, function = inputs(name)
    message = r"^[\w.]+: \w+ must hold real numbers, got d"
    for i, dtype in itertools.product(range(len(arrays)), (bool, complex, "U1", "O")):
        bad = [*arrays[:i], np.zeros(arrays[i].shape, dtype), *arrays[i + 1 :]]
        with pytest.raises(ValueError, match=message):
            function(*bad)


@each_function
def test_lists_are_as_good_as_arrays(name):
    arrays, function = inputs(name)
    got = function(*(a.tolist() for a in arrays))
    np.testing.assert_array_equal(got, function(*arrays))


@each_function
def test_nan_shows_in_the_output(name):
    if name in ("Embedding", "one_hot"):
        return  # they copy rows and numbers of rows, and compute nothing
    arrays, function = inputs(name)
    arrays[0][(1, 2, 3)[-arrays[0].ndim :]] = np.nan
    assert np.isnan(function(*arrays)).any()


@each_function
def test_inputs_are_left_as_they_were(name):
    arrays, function = inputs(name)
    before = [a.copy() for a in arrays]
    for a in arrays:
        a.flags.writeable = False
    function(*arrays)
    for a, b in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(a, b)


# Of the others the batch is not the first axis of what is given, or not of that alone.
WHOLE = ("softmax by axis", "cross_entropy")
BATCHES = [n for n, (s, _) in CASES.items() if len(s[0]) == 3 and n not in WHOLE]


@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_is_a_loop_and_may_be_empty(name):
    arrays, function = inputs(name)
    whole = function(*arrays)
    for i in range(2):
        alone = function(*(a[i] if a.ndim == 3 else a for a in arrays))
        np.testing.assert_allclose(whole[i], alone, rtol=1e-10, atol=1e-13)
    empty = function(*(a[:0] if a.ndim == 3 else a for a in arrays))
    assert empty.shape == (0, *whole.shape[1:])


@each_function
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_array_api_standard_suffices(name, dtype):
    arrays, function = inputs(name, dtype)
    got = function(*(array_api_strict.asarray(a) for a in arrays))
    assert isinstance(got, type(array_api_strict.asarray(0)))
    assert got.dtype == getattr(array_api_strict, dtype)
    tolerance = {"rtol": 1e-3, "atol": 1e-4} if dtype == "float32" else {"rtol": 1e-12}
    np.testing.assert_allclose(np.asarray(got), function(*arrays), **tolerance)


@each_function
def test_arrays_stay_on_their_device(name):
    arrays, function = inputs(name)
    device = array_api_strict.Device("device1")
    moved = [array_api_strict.asarray(a, device=device) for a in arrays]
    assert function(*moved).device == device


@each_function
def test_lists_and_numpy_join_the_other_library(name):
    arrays, function = inputs(name, np.float32)
    strict = type(array_api_strict.asarray(0))
    for i in range(len(arrays)):
        mixed = [a.tolist() if j % 2 else a for j, a in enumerate(arrays)]
        mixed[i] = array_api_strict.asarray(arrays[i])
        got = function(*mixed)
        assert isinstance(got, strict) or name in ("Embedding", "one_hot")


def test_lists_take_the_dtype_of_the_arrays_beside_them():
    query = np.ones((3, 5), np.float32)
    assert dot_product_scores(query, [[0.1] * 5]).dtype == np.float32
    assert dot_product_scores(query, [[1] * 5]).dtype == np.float32
    assert dot_product_scores(query.astype(int), [[0.1] * 5]).dtype == np.float64


def test_lists_lose_nothing_on_the_way_to_another_library():
    query = array_api_strict.asarray([[1.0]])
    assert float(dot_product_scores(query, [[0.1]])[0, 0]) == 0.1


def test_masks_join_the_library_of_the_arrays():
    query = array_api_strict.asarray(np.ones((3, 5)))
    for mask in (attnlib.causal_mask(3), attnlib.causal_mask(3).tolist()):
        got = np.asarray(attention_weights(query, query, mask=mask))
        np.testing.assert_array_equal(got > 0, attnlib.causal_mask(3))


def test_two_libraries_are_one_too_many():
    mask = array_api_strict.asarray(np.ones((3, 3), bool))
    with pytest.raises(
        ValueError, match=r"^attention_weights: all arrays must come fr"
    ):
        attention_weights(np.ones((3, 5)), np.ones((3, 5)), mask=mask)


def test_the_scale_factor_leaves_float32_alone():
    layer = SelfAttention(*(np.ones((6, 5), np.float32),) * 3)
    trace = layer.trace(np.ones((3, 6), np.float32))
    for field in dataclasses.fields(trace)[1:]:
        assert getattr(trace, field.name).dtype == np.float32


def test_views_that_run_backwards_and_read_only_arrays():
    x = np.arange(6.0).reshape(2, 3)[:, ::-1]
    x.flags.writeable = False
    got = attention_weights(array_api_strict.asarray(np.ones((2, 3))), x)
    expected = attention_weights(np.ones((2, 3)), x.copy())
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-13)
