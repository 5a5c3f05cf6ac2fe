"""The same numbers as PyTorch, and the same functions on its tensors.

Run by `make parity`, which installs what it needs.
"""

from functools import partial

import numpy as np
import pytest
import torch
from torch.nn import functional

import attnlib
from attnlib import EncoderLayer, MultiHeadAttention

TOLERANCE = {
    torch.float32: {"rtol": 1e-5, "atol": 1e-5},
    torch.float64: {"rtol": 1e-12, "atol": 1e-12},
}
dtypes = pytest.mark.parametrize("dtype", TOLERANCE)
seeds = pytest.mark.parametrize("seed", range(5))
BLOCKS = partial(attnlib.blockwise_attention, block_size=2)
both_ways = pytest.mark.parametrize(
    "attend", [attnlib.scaled_dot_product_attention, BLOCKS], ids=["at once", "blocks"]
)


def random_shapes(seed):
    """Draw a batch of one or two axes, and sizes that share no factor."""
    rng = np.random.default_rng(seed)
    batch = tuple(rng.permutation([2, 3])[: rng.integers(1, 3)])
    n_queries, n_keys, d_k, d_v = rng.permutation([5, 7, 11, 13])
    shapes = [(n_queries, d_k), (n_keys, d_k), (n_keys, d_v)]
    return rng, [(*map(int, batch), *map(int, shape)) for shape in shapes]


def close(got, expected, dtype):
    got = got.detach().numpy() if torch.is_tensor(got) else got
    assert got.dtype == expected.detach().numpy().dtype
    np.testing.assert_allclose(got, expected.detach().numpy(), **TOLERANCE[dtype])


@seeds
@dtypes
@both_ways
@pytest.mark.parametrize("how", ["plain", "boolean", "floating", "causal", "scale"])
@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_scaled_dot_product_attention(seed, dtype, attend, how, library):
    rng, shapes = random_shapes(seed)
    arrays = [torch.asarray(rng.normal(size=s), dtype=dtype) for s in shapes]
    pairs = (*shapes[0][:-1], shapes[1][-2])
    boolean = torch.asarray(rng.random(pairs) < 0.7)
    floating = torch.asarray(rng.normal(size=pairs), dtype=dtype)
    boolean[..., 0, :] = False  # who may see nothing gets zeros, here and there
    floating[..., 0, :] = -torch.inf
    ours, theirs = {
        "plain": ({}, {}),
        "boolean": ({"mask": boolean}, {"attn_mask": boolean}),
        "floating": ({"mask": floating}, {"attn_mask": floating}),
        "causal": ({"is_causal": True}, {"is_causal": True}),
        "scale": ({"scale": 0.3}, {"scale": 0.3}),
    }[how]
    expected = functional.scaled_dot_product_attention(*arrays, **theirs)
    if library == "numpy":
        arrays = [a.numpy() for a in arrays]
        ours = {n: m.numpy() if torch.is_tensor(m) else m for n, m in ours.items()}
    close(attend(*arrays, **ours), expected, dtype)


def test_the_loss_is_that_of_pytorch():
    logits = torch.asarray(np.random.default_rng(0).normal(size=(3, 5)))
    targets = torch.asarray([0, 4, 2])
    loss = functional.cross_entropy(logits, targets, reduction="none")
    close(attnlib.cross_entropy(logits, targets), loss, torch.float64)


@dtypes
def test_softmax(dtype):
    x = torch.asarray(np.random.default_rng(0).normal(size=(5, 7)) * 30, dtype=dtype)
    close(attnlib.softmax(x), torch.softmax(x, dim=-1), dtype)
    x[1, 2], x[2, 3], x[3, 4] = torch.inf, torch.nan, -torch.inf
    close(attnlib.softmax(x, axis=0), torch.softmax(x, dim=0), dtype)


def test_a_forbidden_nan_value_reaches_the_output_in_both():
    query = torch.ones((2, 3))
    value, mask = torch.asarray([[1.0], [torch.nan]]), torch.asarray([True, False])
    theirs = functional.scaled_dot_product_attention(
        query, query, value, attn_mask=mask.expand(2, 2)
    )
    ours = attnlib.scaled_dot_product_attention(query, query, value, mask=mask)
    assert theirs.isnan().all()
    assert ours.isnan().all()


@dtypes
def test_cosine_layer_norm_and_activations(dtype):
    rng = np.random.default_rng(0)
    x, y, gain, bias = (
        torch.asarray(rng.normal(size=s), dtype=dtype) for s in [(5, 7), (5, 7), 7, 7]
    )
    close(attnlib.cosine_similarity(x, y), functional.cosine_similarity(x, y), dtype)
    expected = functional.layer_norm(x, (7,), gain, bias, eps=0.1)
    close(attnlib.layer_norm(x, gain, bias, eps=0.1), expected, dtype)
    close(attnlib.layer_norm(x, gain), functional.layer_norm(x, (7,), gain), dtype)
    close(attnlib.relu(x), functional.relu(x), dtype)
    close(attnlib.gelu(x), functional.gelu(x), dtype)


def attention_of(module):
    """Copy PyTorch's weights: transposed, query, key and value in one block."""
    d_model = module.embed_dim
    w_in = module.in_proj_weight.detach().numpy()
    weights = [w_in[i * d_model : (i + 1) * d_model].T for i in range(3)]
    biases = {}
    if module.in_proj_bias is not None:
        b_query, b_key, b_value = module.in_proj_bias.detach().numpy().reshape(3, -1)
        biases = {"b_query": b_query, "b_key": b_key, "b_value": b_value}
        biases["b_output"] = module.out_proj.bias.detach().numpy()
    w_output = module.out_proj.weight.detach().numpy().T
    return MultiHeadAttention(*weights, w_output, n_heads=module.num_heads, **biases)


def shaken(module):
    """Replace all parameters, so that no bias is 0 and no gain 1."""
    generator = torch.Generator().manual_seed(0)
    for p in module.parameters():
        p.data = torch.randn(p.shape, dtype=p.dtype, generator=generator) / 4
    return module


@dtypes
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("n_heads", [1, 3, 5])
def test_multi_head_attention(dtype, bias, n_heads):
    module = shaken(
        torch.nn.MultiheadAttention(
            15, n_heads, bias=bias, batch_first=True, dtype=dtype
        )
    )
    rng = np.random.default_rng(0)
    x = torch.asarray(rng.normal(size=(2, 7, 15)), dtype=dtype)
    context = torch.asarray(rng.normal(size=(2, 11, 15)), dtype=dtype)
    mask = torch.asarray(rng.random((7, 11)) < 0.7)
    mask[:, 0] = True
    lengths = torch.asarray([4, 11])
    theirs, weights = module(
        *(x, context, context),
        attn_mask=~mask,  # there True forbids
        key_padding_mask=torch.arange(11) >= lengths[:, None],
        average_attn_weights=False,
    )
    layer = attention_of(module)
    both = mask & attnlib.padding_mask(lengths, 11)
    for convert in (torch.asarray, lambda a: a.numpy()):
        arrays = convert(x), convert(context)
        close(layer(*arrays, mask=convert(both)), theirs, dtype)
        close(layer.weights(*arrays, mask=convert(both)), weights, dtype)


@dtypes
def test_a_mask_for_every_head(dtype):
    module = shaken(torch.nn.MultiheadAttention(15, 3, batch_first=True, dtype=dtype))
    rng = np.random.default_rng(0)
    x = torch.asarray(rng.normal(size=(2, 7, 15)), dtype=dtype)
    mask = torch.asarray(rng.normal(size=(2, 3, 7, 7)), dtype=dtype)
    flat = mask.reshape(6, 7, 7)  # theirs has batch and heads in one axis
    theirs, _ = module(x, x, x, attn_mask=flat)
    close(attention_of(module)(x, mask=mask), theirs, dtype)


@dtypes
@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_encoder_layer(dtype, norm_first, activation):
    module = torch.nn.TransformerEncoderLayer(
        *(15, 3, 11, 0.0, activation, 0.1),
        batch_first=True,
        norm_first=norm_first,
        dtype=dtype,
    )
    module = shaken(module).eval()
    rest = {
        **{"w_1": module.linear1.weight.T, "b_1": module.linear1.bias},
        **{"w_2": module.linear2.weight.T, "b_2": module.linear2.bias},
        **{"gain_1": module.norm1.weight, "bias_1": module.norm1.bias},
        **{"gain_2": module.norm2.weight, "bias_2": module.norm2.bias},
    }
    layer = EncoderLayer(
        attention_of(module.self_attn),
        **{name: parameter.detach().numpy() for name, parameter in rest.items()},
        activation=getattr(attnlib, activation),
        norm_first=norm_first,
        eps=0.1,
    )
    rng = np.random.default_rng(0)
    x = torch.asarray(rng.normal(size=(2, 7, 15)), dtype=dtype)
    mask = torch.asarray(rng.random((7, 7)) < 0.7) | torch.eye(7, dtype=torch.bool)
    theirs = module(x, src_mask=~mask)
    close(layer(x, mask=mask), theirs, dtype)
    close(layer(x.numpy(), mask=mask.numpy()), theirs, dtype)


@both_ways
@pytest.mark.parametrize("how", [{}, {"is_causal": True}, {"scale": 0.3}])
def test_gradients_are_those_of_pytorch(attend, how):
    rng, shapes = random_shapes(0)
    arrays = [torch.asarray(rng.normal(size=s)).requires_grad_() for s in shapes]
    pull = torch.asarray(rng.normal(size=(*shapes[0][:-1], shapes[2][-1])))
    ours = attend(*arrays, **how)
    theirs = functional.scaled_dot_product_attention(*arrays, **how)
    ours = torch.autograd.grad((ours * pull).sum(), arrays)
    theirs = torch.autograd.grad((theirs * pull).sum(), arrays)
    for a, b in zip(ours, theirs, strict=True):
        close(a, b, torch.float64)


def test_gradients_of_softmax_are_those_of_pytorch():
    x = torch.asarray(np.random.default_rng(0).normal(size=(5, 7))).requires_grad_()
    pull = torch.arange(35.0, dtype=x.dtype).reshape(5, 7).cos()
    (ours,) = torch.autograd.grad((attnlib.softmax(x) * pull).sum(), x)
    (theirs,) = torch.autograd.grad((torch.softmax(x, dim=-1) * pull).sum(), x)
    close(ours, theirs, torch.float64)


@both_ways
def test_gradients_of_a_query_that_sees_nothing_are_zero(attend):
    x = torch.ones((3, 5), dtype=torch.float64, requires_grad=True)
    output = attend(x, x, x, mask=False)
    (gradient,) = torch.autograd.grad(output.sum(), x)
    assert not gradient.any()


def test_gradients_flow_through_an_encoder_to_every_weight():
    rng = np.random.default_rng(0)
    weights = [torch.asarray(rng.normal(size=(6, 6))) for _ in range(6)]
    rows = [torch.asarray(rng.normal(size=6)) for _ in range(6)]
    for p in (*weights, *rows):
        p.requires_grad_()
    attention = MultiHeadAttention(*weights[:4], n_heads=2)
    w_1, w_2, (b_1, b_2, *norms) = *weights[4:], rows
    layer = EncoderLayer(attention, w_1, b_1, w_2, b_2, *norms, activation=attnlib.gelu)
    x = torch.asarray(rng.normal(size=(2, 7, 6)))
    output = attnlib.Encoder([layer, layer])(x, is_causal=True)
    output.square().sum().backward()
    for p in (*weights, *rows):
        assert p.grad.isfinite().all()
        assert p.grad.any()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_sixteen_bits_are_rounded_at_the_end(dtype):
    rng, shapes = random_shapes(3)
    arrays = [torch.asarray(rng.normal(size=s)).to(dtype) for s in shapes]
    wide = attnlib.scaled_dot_product_attention(*(a.float() for a in arrays))
    got = attnlib.scaled_dot_product_attention(*arrays)
    assert got.dtype == dtype
    assert torch.equal(got, wide.to(dtype))


def test_lists_numpy_and_random_layers_meet_tensors():
    x = torch.ones((3, 6), dtype=torch.float64)
    layer = MultiHeadAttention.random(6, 2, rng=np.random.default_rng(0))
    assert torch.is_tensor(layer(x, mask=attnlib.causal_mask(3)))
    backwards = np.arange(18.0).reshape(3, 6)[:, ::-1]
    backwards.flags.writeable = False
    assert attnlib.dot_product_scores(x, backwards)[0].tolist() == [15, 51, 87]
    scores = attnlib.dot_product_scores(x.float(), [[0.1] * 6])
    assert scores.dtype == torch.float32
    assert torch.is_tensor(attnlib.layer_norm(x, np.ones(6)))
    trace = attnlib.SelfAttention(*[torch.eye(6, dtype=torch.float64)] * 3).trace(x)
    assert "[[1. 1. 1. 1. 1. 1.]" in repr(trace)


@pytest.mark.parametrize("position", [10**5, 10**6, 10**7])
def test_rotary_scores_of_far_positions_depend_on_the_difference(position):
    """In float32 an angle near 10⁶ would be off by up to a thirtieth."""
    query, key = torch.randn(2, 1, 64, generator=torch.Generator().manual_seed(0))
    scores = [
        attnlib.rotary_embedding(query, positions=[start + 3])
        @ attnlib.rotary_embedding(key, positions=[start]).T
        for start in (0, position)
    ]
    close(scores[1], scores[0], torch.float32)


def allocated(n):
    """Add up the memory that attention with a window of 64 keys asks for."""
    x = torch.zeros(n, 4)
    with torch.profiler.profile(profile_memory=True) as profile:
        attnlib.blockwise_attention(x, x, x, window=(64, 0))
    sizes = (event.self_cpu_memory_usage for event in profile.events())
    return sum(size for size in sizes if size > 0)


def test_a_window_costs_as_much_for_every_query():
    """Values outside of a block's window are looked at once, not once a block."""
    assert 3.5 < allocated(8192) / allocated(2048) < 4.5
