"""The same functions on JAX arrays: jitted, differentiated and mapped.

Run by `make parity`, which installs what it needs.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import attnlib
from attncheck import ask
from attnlib import Decoder, Embedding, Encoder, MultiHeadAttention, SelfAttention

FLOAT32 = {"rtol": 1e-5, "atol": 1e-5}
QKV = [(2, 3, 5), (2, 7, 5), (2, 7, 11)]


def draw(*shapes):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


MASK = np.random.default_rng(1).random((3, 7)) < 0.7
ADDED = np.where(MASK, 0.5, -np.inf).astype(np.float32)
ENCODER = Encoder.random(2, 6, 3, 5, rng=np.random.default_rng(0))
SELF = SelfAttention.random(6, 5, rng=np.random.default_rng(0))
MULTI = MultiHeadAttention.random(6, 2, rng=np.random.default_rng(0))
TABLE = Embedding(np.arange(35.0).reshape(7, 5))
KEYWORDS = {"softcap": 2.0, "window": (3, 1), "query_offset": 2, "enable_gqa": True}
GROUPED = [(2, 6, 3, 5), (2, 2, 7, 5), (2, 2, 7, 11)]
TARGETS = np.arange(14).reshape(2, 7) % 6
DECODER = Decoder.random(2, 20, 8, 2, 5, rng=np.random.default_rng(0))
BLOCKS = partial(attnlib.blockwise_attention, block_size=2)
X = (2, 7, 6)
CASES = {
    "attention": (attnlib.scaled_dot_product_attention, QKV),
    "causal": (
        lambda *a: attnlib.scaled_dot_product_attention(*a, is_causal=True),
        QKV,
    ),
    "mask": (lambda *a: attnlib.scaled_dot_product_attention(*a, mask=MASK), QKV),
    "added": (lambda *a: attnlib.scaled_dot_product_attention(*a, mask=ADDED), QKV),
    "nothing": (lambda *a: attnlib.scaled_dot_product_attention(*a, mask=False), QKV),
    "blocks": (BLOCKS, QKV),
    "blocks, causal": (partial(BLOCKS, is_causal=True), QKV),
    "blocks, mask": (lambda *a: BLOCKS(*a, mask=MASK), QKV),
    "every keyword": (
        partial(attnlib.scaled_dot_product_attention, **KEYWORDS),
        GROUPED,
    ),
    "blocks, every keyword": (partial(BLOCKS, **KEYWORDS), GROUPED),
    "attention_vjp": (
        lambda *a: attnlib.attention_vjp(*a, **KEYWORDS)[1],
        [*GROUPED, (2, 6, 3, 11)],
    ),
    "attention_vjp, blocks": (
        lambda *a: attnlib.attention_vjp(*a, **KEYWORDS, block_size=2)[1],
        [*GROUPED, (2, 6, 3, 11)],
    ),
    "softmax": (attnlib.softmax, [X]),
    "cross_entropy": (lambda x: attnlib.cross_entropy(x, TARGETS), [X]),
    "rms_norm": (attnlib.rms_norm, [X, (6,)]),
    "rotary_embedding": (attnlib.rotary_embedding, [X]),
    "DecoderLayer": (DECODER.layers[0], [(2, 7, 8)]),
    "cosine": (attnlib.cosine_similarity, [X, X]),
    "layer_norm": (attnlib.layer_norm, [X, (6,), (6,)]),
    "relu": (attnlib.relu, [X]),
    "gelu": (attnlib.gelu, [X]),
    "SelfAttention": (lambda x: SELF(x, is_causal=True), [X]),
    "trace": (lambda x: SELF.trace(x).scaled_scores, [X]),
    "MultiHeadAttention": (lambda x, c: MULTI(x, c), [(2, 3, 6), X]),
    "weights": (MULTI.weights, [X]),
    "Encoder": (lambda x: ENCODER(x, mask=attnlib.padding_mask([4, 7], 7)), [X]),
}
each_function = pytest.mark.parametrize("name", CASES)


@each_function
@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit])
def test_numbers_are_those_of_numpy(name, wrap):
    function, shapes = CASES[name]
    arrays = draw(*shapes)
    got = wrap(function)(*map(jnp.asarray, arrays))
    assert isinstance(got, jax.Array)
    assert got.dtype == jnp.float32
    np.testing.assert_allclose(got, function(*arrays), **FLOAT32)


@each_function
def test_vmap_is_a_batch(name):
    function, shapes = CASES[name]
    arrays = [jnp.asarray(a) for a in draw(*[(13, *shape) for shape in shapes])]
    got = jax.vmap(function)(*arrays)
    expected = function(*(a[4] for a in arrays))
    np.testing.assert_allclose(got[4], expected, **FLOAT32)


@each_function
def test_gradients_are_finite(name):
    function, shapes = CASES[name]
    arrays = [jnp.asarray(a) for a in draw(*shapes)]

    def total(*arrays):
        output = function(*arrays)
        return jnp.sum(output * jnp.cos(jnp.arange(output.size)).reshape(output.shape))

    every = tuple(range(len(arrays)))
    for gradient in jax.jit(jax.grad(total, argnums=every))(*arrays):
        assert jnp.isfinite(gradient).all()
        assert gradient.any() or name == "nothing"


def test_offsets_of_a_batch_inside_jit():
    arrays = draw(*QKV)
    offsets = np.array([0, 3])
    attend = partial(attnlib.blockwise_attention, is_causal=True, block_size=2)
    expected = attend(*arrays, query_offset=offsets)
    got = jax.jit(lambda *a, o: attend(*a, query_offset=o))(*arrays, o=offsets)
    np.testing.assert_allclose(got, expected, **FLOAT32)


def test_a_decoder_writes_the_same():
    ids = jnp.asarray([[3, 1, 4], [1, 5, 9]])
    got = attnlib.generate(DECODER, ids, 9, temperature=0)
    assert isinstance(got, jax.Array)
    expected = attnlib.generate(DECODER, np.asarray(ids), 9, temperature=0)
    np.testing.assert_array_equal(got, expected)


def test_a_dtype_that_numpy_does_not_know_is_refused():
    x = np.ones((2, 3), jnp.bfloat16)
    with pytest.raises(
        ValueError, match="softmax: x must hold real numbers, got dtype b"
    ):
        attnlib.softmax(x)


def test_double_precision():
    arrays = [a.astype(np.float64) for a in draw(*QKV)]
    expected = attnlib.scaled_dot_product_attention(*arrays, mask=MASK)
    with jax.enable_x64(True):
        arrays = [jnp.asarray(a) for a in arrays]
        got = attnlib.scaled_dot_product_attention(*arrays, mask=MASK)
        assert got.dtype == jnp.float64
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)


def test_lookup_and_lengths_inside_jit():
    rows = jax.jit(TABLE)(jnp.asarray([[1, 2], [6, 0]]))
    np.testing.assert_array_equal(rows, TABLE([[1, 2], [6, 0]]))
    mask = jax.jit(lambda lengths: attnlib.padding_mask(lengths, 7))
    got = mask(jnp.asarray([4, 0]))
    np.testing.assert_array_equal(got, attnlib.padding_mask([4, 0], 7))


@pytest.mark.parametrize("dtype", [jnp.float16, jnp.bfloat16])
def test_sixteen_bits_are_rounded_at_the_end(dtype):
    arrays = [jnp.asarray(a, dtype=dtype) for a in draw(*QKV)]
    wide = [a.astype(jnp.float32) for a in arrays]
    got = attnlib.scaled_dot_product_attention(*arrays)
    assert got.dtype == dtype
    expected = attnlib.scaled_dot_product_attention(*wide).astype(dtype)
    np.testing.assert_array_equal(got, expected)


def test_two_libraries_are_refused():
    message = r"^dot_product_scores: all arrays must come from one library, got \['jax"
    with pytest.raises(ValueError, match=message):
        attnlib.dot_product_scores(jnp.ones((3, 5)), torch.ones((3, 5)))


def test_a_function_that_clamps_an_index_is_asked_with_its_own_arrays():
    """NumPy's arrays, which it takes too, would refuse the index."""

    def by_groups(query, key, value):
        index = jnp.arange(query.shape[1]) // key.shape[1]
        if key.shape[1] != query.shape[1]:
            key, value = key[:, index], value[:, index]
        scores = jnp.einsum("bhqd,bhkd->bhqk", query, key) / query.shape[-1] ** 0.5
        return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores), value)

    report = ask(by_groups)
    assert report.facts["grouping"] == "other", report
