"""Lesson 11's pretrained decoder, run by attnlib: the model, and what is stored."""

import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from attncourse.real_model import induction
from tests.parity import measure_induction as measured
from tests.parity import smollm2


@pytest.fixture(scope="module")
def weights():
    return smollm2.load()


def halves(matrix, n_heads):
    """Move neighbors of a pair half a head apart, where transformers looks for them."""
    return matrix.reshape(n_heads, -1, 2, matrix.shape[-1]).swapaxes(1, 2)


def in_torch(weights):
    """Build transformers' model on the same numbers."""
    names = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm"}
    names |= {f"attn_{x}": f"self_attn.{x}_proj" for x in "qkv"}
    names |= {"attn_output": "self_attn.o_proj"}
    names |= {f"ffn_{x}": f"mlp.{x}_proj" for x in ("gate", "up", "down")}
    heads = {"attn_q": smollm2.N_HEADS, "attn_k": smollm2.N_KV_HEADS}
    found = {
        "model.embed_tokens.weight": weights["token_embd"],
        "lm_head.weight": weights["token_embd"],
        "model.norm.weight": weights["output_norm"],
    }
    for layer in range(smollm2.N_LAYERS):
        for ours, theirs in names.items():
            x = weights[f"blk.{layer}.{ours}"]
            x = halves(x, heads[ours]).reshape(x.shape) if ours in heads else x
            found[f"model.layers.{layer}.{theirs}.weight"] = x
    config = LlamaConfig(
        hidden_size=576,
        intermediate_size=1536,
        num_hidden_layers=smollm2.N_LAYERS,
        num_attention_heads=smollm2.N_HEADS,
        num_key_value_heads=smollm2.N_KV_HEADS,
        vocab_size=smollm2.N_TOKENS,
        rms_norm_eps=smollm2.EPS,
        rope_parameters={"rope_type": "default", "rope_theta": smollm2.BASE},
        tie_word_embeddings=True,
    )
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    model.to_empty(device="cpu")
    model.model.rotary_emb = type(model.model.rotary_emb)(config)  # its own numbers
    tensors = {name: torch.tensor(x) for name, x in found.items()}
    model.load_state_dict(tensors, strict=True)
    return model.eval()


def test_logits_are_those_of_transformers(weights):
    """On one text and with the same numbers; and what is compared could differ."""
    ids = measured.texts(1, n=1)[:, :30]
    with torch.no_grad():
        expected = in_torch(weights)(torch.tensor(ids)).logits.numpy()
    ours = smollm2.forward(weights, ids)
    np.testing.assert_allclose(ours, expected, atol=2e-3 * abs(expected).max())
    assert (ours.argmax(axis=-1) == expected.argmax(axis=-1)).all()
    cut = smollm2.forward(weights, ids, [(0, 0)])
    assert abs(cut - expected).max() > 0.05 * abs(expected).max()


def test_the_heads_look_where_it_is_stored(weights):
    found = induction.stored()
    looks = measured.looks(weights, measured.texts(1)[:10])
    for head, stored in zip(found["heads"], found["on_next"], strict=True):
        np.testing.assert_allclose(looks[:, *head], stored[:10], atol=0.01)


def test_cuts_cost_what_is_stored(weights):
    found, ids = induction.stored(), measured.texts(1)[:10]
    for name, cut in (("right", ()), ("without_found", found["heads"])):
        right = measured.right(weights, ids, [tuple(head) for head in cut])
        assert abs(np.mean(right) - np.mean(found[name][:10])) < 0.02, name


def test_others_are_of_the_same_layers_and_not_those_found():
    found = [(3, 0), (3, 8), (7, 1)]
    drawn = measured.others(found, np.random.default_rng(0))
    assert sorted(layer for layer, _ in drawn) == [3, 3, 7]
    assert not {*drawn} & {*found}
    assert len({*drawn}) == 3
