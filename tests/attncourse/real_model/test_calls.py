"""Calls of attnlib that are written for a layer; `make parity` runs each family's."""

import json
from pathlib import Path

import pytest

from attncourse.real_model.configuration import call, read

ROOT = Path(__file__).resolve().parents[3]
MEASURED = json.loads((ROOT / "tests/parity/configurations.json").read_text())["models"]
MODELS = {model["name"]: model["config"] for model in MEASURED}
SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
SMALL |= {"intermediate_size": 72, "vocab_size": 97, "num_key_value_heads": 4}
GPT2 = {"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 97}
MPT = {
    "model_type": "mpt",
    "d_model": 64,
    "n_layers": 2,
    "n_heads": 4,
    "vocab_size": 97,
}


def lines(config, layer=0):
    return call(read(config).layers[layer])


def of(family, **more):
    return {"model_type": family, **SMALL, **more}


@pytest.mark.parametrize("config", MODELS.values(), ids=MODELS)
def test_calls_are_python(config):
    for layer in read(config).layers:
        for line in call(layer):
            compile(line, "call", "exec")


def test_window_cap_and_scale_of_gemma():
    last = lines(MODELS["Gemma 2 9B"])[-1]
    for option in ("window=(4095, 0)", "softcap=50.0", "scale=256 ** -0.5"):
        assert option in last


@pytest.mark.parametrize(
    ("config", "base"),
    [
        (of("llama", rope_theta=777.0), "777.0"),
        (of("llama"), "10000.0"),  # the family's own
        (of("llama", rope_theta=777.0, rope_scaling={"rope_theta": 5.0}), "5.0"),
        (of("gpt_neox", rope_theta=777.0), "10000"),  # its line is rotary_emb_base
        (of("gpt_neox", rotary_emb_base=777), "777"),
        (of("apertus", rope_theta=777.0), "12000000.0"),
    ],
)
def test_the_base_is_the_files_where_its_family_reads_it(config, base):
    turned = [line for line in lines(config) if "rotary_embedding" in line]
    assert turned
    for line in turned:
        assert f"base={base}" in line


def test_gpt_j_reads_neither_base_nor_stretch():
    config = {**GPT2, "model_type": "gptj", "n_inner": 72, "rotary_dim": 4}
    more = {"rope_theta": 777.0, "rope_scaling": {"rope_type": "linear", "factor": 2.0}}
    assert lines(config | more) == lines(config)
    assert "rotary_dim=4" in lines(config)[0]


@pytest.mark.parametrize(
    ("family", "local"), [("gemma3_text", "10000.0"), ("olmo3", "500000.0")]
)
def test_windows_are_not_stretched_by_a_line_that_names_no_kind(family, local):
    kinds = ["sliding_attention", "full_attention"]
    config = of(family, layer_types=kinds, sliding_window=8, rope_theta=777.0)
    config |= {"rope_scaling": {"rope_type": "linear", "factor": 8.0}}
    window, full = lines(config), lines(config, layer=1)
    assert f"base={local}" in window[2]
    assert "scaling" not in window[2]
    assert "base=777.0, scaling=rope" in full[2]
    if family == "gemma3_text":
        local_too = lines(config | {"rope_local_base_freq": 5.0})
        assert "base=5.0" in local_too[2]
        assert "scaling" not in local_too[2]


def test_norms_that_a_file_leaves_out_are_not_written():
    plain = of("cohere", use_qk_norm=False)
    assert "qk_norm" not in read(plain).layers[0].features
    assert not any("rms_norm" in line for line in lines(plain))
    assert "gains of its own" in lines(of("cohere", use_qk_norm=True))[0]
    normed = of("qwen3", head_dim=16, rms_norm_eps=1e-4)
    assert lines(normed)[0] == "query = rms_norm(query, gain_query, eps=0.0001)"
    silent = of("qwen3", head_dim=16)  # then the family's own
    assert lines(silent)[1] == "key = rms_norm(key, gain_key, eps=1e-06)"


@pytest.mark.parametrize(
    ("config", "columns"),
    [
        (of("stablelm"), "rotary_dim=4"),  # the family's quarter
        (of("stablelm", partial_rotary_factor=0.5), "rotary_dim=8"),
        (of("stablelm", rope_parameters={"partial_rotary_factor": 0.75}), "=12"),
        (GPT2 | {"model_type": "gptj", "rotary_dim": 6}, "rotary_dim=6"),
        (of("gpt_neox", rotary_pct=0.5), "rotary_dim=8"),
    ],
)
def test_the_file_says_how_many_columns_turn_before_the_family(config, columns):
    assert columns in lines(config)[0]


def test_an_odd_number_of_columns_gets_no_call():
    told = "# No call: an odd number of columns is rotated."
    assert lines(of("gpt_neox", rotary_pct=0.2)) == [told]


def test_granite_four_turns_only_where_it_says_so():
    hybrid = MODELS["Granite 4 Tiny"]
    at = hybrid["layer_types"].index("attention")
    for said, turns in (("nope", False), ("rope", True)):
        layer = read(hybrid | {"position_embedding_type": said}).layers[at]
        assert ("rotation" in layer.features) == turns


@pytest.mark.parametrize(
    ("config", "scale"),
    [
        (GPT2 | {"scale_attn_by_inverse_layer_idx": True}, "scale=16 ** -0.5 / 2"),
        (GPT2 | {"scale_attn_weights": False}, "scale=1)"),
        (MPT | {"attn_config": {"softmax_scale": 0.3}}, "scale=0.3)"),
        (GPT2, "is_causal=True)"),
    ],
)
def test_lines_that_change_the_scale(config, scale):
    assert scale in lines(config, layer=1)[-1]


def test_what_attnlib_has_not_gets_no_call():
    clipped = {"attn_config": {"clip_qkv": 8.0}}
    assert lines(MPT | clipped)[0].startswith("# No call: clip_qkv = 8.0")
    assert lines(of("olmo", clip_qkv=8.0))[0].startswith("# No call: clip_qkv = 8.0")
    assert not lines(of("olmo", clip_qkv=None))[0].startswith("# No call")


@pytest.mark.parametrize(
    "config",
    [
        of("phi", qk_layernorm=True),
        of("llama", n_registers=4),
        MODELS["Gemma 3 1B"] | {"use_bidirectional_attention": True},
    ],
    ids=["phi", "registers", "gemma3"],
)
def test_a_line_that_nobody_knows_gets_no_call(config):
    assert lines(config) == ["# No call: a line of this file is not understood here."]


def test_falcon_with_alibi_turns_nothing():
    """Its bias is rounded to bfloat16 before it is added, so no call is written."""
    for said in (True, False):
        sizes = {"hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 97}
        config = {"model_type": "falcon", "num_attention_heads": 4, "alibi": said}
        config |= sizes
        layer = read(config).layers[0]
        assert ("rotation" in layer.features) != said
        assert call(layer)[0].startswith("# No call: alibi") == said


def test_one_mask_for_all_layers_and_a_list_that_says_otherwise():
    """Qwen3-MoE's own program looks at no list: all layers have the window, or none."""
    sizes = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20}
    windows = of("qwen3_moe", use_sliding_window=True, sliding_window=7, **sizes)
    assert "window=(6, 0)" in lines(windows)[-1]
    assert (
        "cache_bytes" in read(windows | {"layer_types": ["full_attention"] * 2}).refused
    )
