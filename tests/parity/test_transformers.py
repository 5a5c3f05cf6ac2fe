"""The same numbers as `transformers`: scaled rotations, sinks, a layer of a Llama.

Run by `make parity`, which installs what it needs.
"""

import numpy as np
import pytest
import torch
from transformers import GptOssConfig, LlamaConfig, T5Config
from transformers.models.gpt_oss import modeling_gpt_oss
from transformers.models.llama import modeling_llama
from transformers.models.t5 import modeling_t5

import attnlib
from attncheck import ask
from attnlib import DecoderLayer, MultiHeadAttention

LENGTH = {"original_max_position_embeddings": 32}
SIZES = {"hidden_size": 48, "num_attention_heads": 4, "num_key_value_heads": 2}
SIZES |= {"intermediate_size": 20, "num_hidden_layers": 1, "vocab_size": 7}
SIZES |= {"head_dim": 16, "max_position_embeddings": 128, "rms_norm_eps": 1e-6}
EIGHT = np.linspace(1, 6, 8).tolist()
LONG = {"rope_type": "longrope", "short_factor": EIGHT[::-1], "long_factor": EIGHT}
SCALINGS = {
    "default": {"rope_type": "default"},
    "linear": {"rope_type": "linear", "factor": 4.0},
    "dynamic": {"rope_type": "dynamic", "factor": 2.0},
    "llama3": {
        **{"rope_type": "llama3", "factor": 8.0, **LENGTH},
        **{"low_freq_factor": 1.0, "high_freq_factor": 4.0},
    },
    "yarn": {"rope_type": "yarn", "factor": 4.0, **LENGTH},
    "yarn, all keys": {
        **{"rope_type": "yarn", "factor": 4.0, **LENGTH, "truncate": False},
        **{"beta_fast": 8.0, "beta_slow": 0.5, "mscale": 2.0, "mscale_all_dim": 0.7},
    },
    "yarn, factor": {
        **{"rope_type": "yarn", "factor": 4.0, **LENGTH},
        **{"attention_factor": 1.3, "beta_fast": 3.0},
    },
    "longrope": LONG | LENGTH | {"factor": 4.0},
    "longrope, factor": LONG | LENGTH | {"factor": 4.0, "attention_factor": 1.1},
}
BASE = 500.0


def theirs(scaling):
    """Make their configuration, and the module that computes cosines and sines."""
    rope = {**scaling, "rope_theta": BASE}
    config = LlamaConfig(**SIZES, rope_parameters=rope, attn_implementation="eager")
    return config, modeling_llama.LlamaRotaryEmbedding(config)


def ours(scaling):
    """Say what theirs takes from the rest of the configuration."""
    if scaling["rope_type"] != "dynamic":
        return scaling
    return scaling | {"max_position_embeddings": SIZES["max_position_embeddings"]}


@pytest.mark.parametrize("scaling", SCALINGS.values(), ids=SCALINGS)
@pytest.mark.parametrize("n_positions", [20, 33, 100, 300])
def test_scaled_rotations(scaling, n_positions):
    _, rotary = theirs(scaling)
    x = torch.zeros(1, n_positions, 16)
    cos, sin = rotary(x, torch.arange(n_positions)[None])
    how = {"base": BASE, "scaling": ours(scaling), "n_positions": n_positions}
    frequencies, factor = attnlib.rotary_frequencies(16, **how)
    np.testing.assert_allclose(rotary.inv_freq, frequencies, rtol=2e-6)
    assert rotary.attention_scaling == pytest.approx(factor, rel=1e-7)
    how = {"base": BASE, "scaling": ours(scaling)}
    x[..., :8] = 1  # rotated, it shows its cosines and sines
    found = attnlib.rotary_embedding(x, **how)
    np.testing.assert_allclose(found[..., :8], cos[..., :8], atol=1e-4)
    np.testing.assert_allclose(found[..., 8:], sin[..., 8:], atol=1e-4)


@pytest.mark.parametrize("scaling", SCALINGS.values(), ids=SCALINGS)
def test_a_layer_of_a_llama(scaling):
    """Shared heads of a size of their own, a gated network, scaled rotations."""
    torch.manual_seed(0)
    config, rotary = theirs(scaling)
    layer = modeling_llama.LlamaDecoderLayer(config, 0).eval()
    state = {k: torch.randn_like(v) / 3 for k, v in layer.state_dict().items()}
    layer.load_state_dict(state)
    attention = MultiHeadAttention(
        *(state[f"self_attn.{name}_proj.weight"].T for name in "qkvo"),
        **{"n_heads": 4, "n_kv_heads": 2},
    )
    own = DecoderLayer(
        attention,
        w_gate=state["mlp.gate_proj.weight"].T,
        w_1=state["mlp.up_proj.weight"].T,
        w_2=state["mlp.down_proj.weight"].T,
        gain_1=state["input_layernorm.weight"],
        gain_2=state["post_attention_layernorm.weight"],
        activation=attnlib.silu,
        rotary_base=BASE,
        rotary_scaling=ours(scaling),
        eps=config.rms_norm_eps,
    )
    x = torch.randn(2, 40, 48)
    allowed = torch.asarray(attnlib.causal_mask(40))
    added = torch.where(allowed, 0.0, -torch.inf)[None, None]
    positions = rotary(x, torch.arange(40)[None])
    with torch.no_grad():
        expected = layer(x, attention_mask=added, position_embeddings=positions)
    np.testing.assert_allclose(own(x), expected, rtol=1e-4, atol=1e-4)


def draw_with_sinks():
    generator = torch.Generator().manual_seed(7)
    shapes = [(2, 4, 5, 6), (2, 2, 7, 6), (2, 2, 7, 3), (4,)]
    return [
        torch.randn(s, generator=generator, dtype=torch.float64, requires_grad=True)
        for s in shapes
    ]


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("masked", [False, True])
def test_sinks_of_gpt_oss(library, masked):
    query, key, value, sinks = draw_with_sinks()
    config = GptOssConfig(**SIZES, attn_implementation="eager")
    module = modeling_gpt_oss.GptOssAttention(config, 0).double()
    module.sinks = torch.nn.Parameter(sinks.detach().clone())
    mask = torch.asarray(attnlib.causal_mask(5, 7)) if masked else None
    added = None if mask is None else torch.where(mask, 0.0, -torch.inf).double()
    expected, weights = modeling_gpt_oss.eager_attention_forward(
        module, query, key, value, added, scaling=0.3
    )
    grad = torch.randn(2, 4, 5, 3, dtype=torch.float64)
    arrays = [query, key, value, sinks]
    (expected.transpose(1, 2) * grad).sum().backward()
    wanted = [query.grad, key.grad, value.grad, module.sinks.grad]
    arrays = [a.detach() for a in arrays]
    if library == "numpy":
        arrays, grad = [a.numpy() for a in arrays], grad.numpy()
        mask = mask.numpy() if masked else None
    how = {"mask": mask, "scale": 0.3, "enable_gqa": True, "sinks": arrays.pop()}
    for attend in (attnlib.scaled_dot_product_attention, attnlib.blockwise_attention):
        found = np.asarray(attend(*arrays, **how))
        np.testing.assert_allclose(
            found.swapaxes(1, 2), expected.detach(), rtol=1e-12, atol=1e-14
        )
    found = attnlib.attention_weights(*arrays[:2], **how)
    np.testing.assert_allclose(found, weights.detach(), rtol=1e-12)
    grads = attnlib.attention_vjp(*arrays, grad, **how)
    for got, want in zip(grads, wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


def test_a_gated_network_of_a_llama():
    torch.manual_seed(1)
    config, _ = theirs(SCALINGS["default"])
    network = modeling_llama.LlamaMLP(config).double()
    x = torch.randn(3, 48, dtype=torch.float64)
    names = ("gate_proj", "up_proj", "down_proj")
    weights = [getattr(network, name).weight for name in names]
    found = attnlib.gated_feed_forward(x, *(w.detach().T for w in weights))
    np.testing.assert_allclose(found, network(x).detach(), rtol=1e-12)


def test_the_bias_of_t5_depends_on_key_minus_query_alone():
    """`ask` says so of T5, and measures it."""
    biases = {}

    def attention(query, key, value):
        h, n, m = query.shape[1], query.shape[2], key.shape[2]
        if h not in biases:
            config = T5Config(d_model=64, d_kv=64, num_heads=h, is_decoder=False)
            biases[h] = modeling_t5.T5Attention(
                config, has_relative_attention_bias=True
            )
            torch.nn.init.normal_(biases[h].relative_attention_bias.weight)
        scores = query @ key.mT + biases[h].compute_bias(n, m)
        return scores.softmax(-1) @ value

    report = ask(attention, arrays="torch", expected={"scale": 1.0})
    assert report.status == 0, report
    table = report.claim.base.relative.values[2,]
    n = table.shape[-1] // 2 + 1
    wanted = biases[len(table)].compute_bias(n, n)[0].detach().numpy()
    row = n // 2
    measured = table[:, n - 1 - row : 2 * n - 1 - row]
    assert np.allclose(
        measured, wanted[:, row] - wanted[:, row, row : row + 1], atol=1e-3
    )
