"""Other names that are read, and lines that are refused by name."""

from pathlib import Path

import pytest

import attnconfig
from attnconfig import read
from attnconfig.building import WAYS
from attnconfig.families import FAMILIES
from tests.attnconfig.published import LLAMA, TOTALS, config, numbers, small

GPT_OSS = config("gpt-oss 20B")
GEMMA = config("Gemma 3 4B")
NEMOTRON = config("Nemotron-3-Nano 30B-A3B")
PUZZLE = [{"attention": {"n_heads_in_group": 8}, "ffn": {}}] * 4  # of 4 heads


def refused(lines, key, totals=TOTALS):
    """Check that just these totals are refused, by a sentence that names a line."""
    model = read(lines)
    assert set(model.refused) == set(totals)
    assert all(key in model.refused[total] for total in totals)
    got = dict(zip(TOTALS, numbers(model), strict=True))
    assert [total for total in TOTALS if got[total] is None] == list(totals)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("n_memory_tokens", 16),
        ("sliding_window", 4096),
        ("kv_lora_rank", 512),
        ("block_size", 32),  # of blocks that see each other, as far as anybody knows
        ("n_layer", 31),
        ("num_kv_shared_layers", 4),
        ("num_attention_heads", "32"),
        ("num_hidden_layers", 32.0),
        ("hidden_size", True),
        ("hidden_size", -4096),
        ("num_key_value_heads", 5),
        ("num_key_value_heads", 0),
        ("layer_types", ["full_attention"] * 31),
        ("model_type", "llama5"),
        ("model_type", None),
        ("add_cross_attention", True),
        ("num_attention_heads", 10**9),
        ("num_hidden_layers", 10**9),
        ("text_config", "llama"),
        ("rope_theta", 0.0),
        ("partial_rotary_factor", 0.0),
    ],
)
def test_what_could_change_a_total_is_refused_by_name(line, value):
    refused(LLAMA | {line: value}, line)


@pytest.mark.parametrize(
    ("line", "totals"),
    [
        ("vocab_size", TOTALS[:2]),
        ("intermediate_size", TOTALS[:2]),
        ("hidden_size", TOTALS),
        ("num_hidden_layers", TOTALS),
    ],
)
def test_a_size_that_is_missing_is_not_made_up(line, totals):
    lines = {key: value for key, value in LLAMA.items() if key != line}
    refused(lines, line, totals)


@pytest.mark.parametrize(
    ("lines", "key", "totals"),
    [
        (GPT_OSS | {"num_experts_per_tok": 33}, "num_experts_per_tok", TOTALS[1:2]),
        (LLAMA | {"mlp_gate_width": 7}, "mlp_gate_width", TOTALS[:2]),
        (LLAMA | {"num_local_experts": 8}, "num_local_experts", TOTALS[:2]),
        (LLAMA | {"ffn_dim_multiplier": 1.3}, "ffn_dim_multiplier", TOTALS[:2]),
        (GPT_OSS | {"experts_per_token": 2}, "experts_per_token", TOTALS[:2]),
        (GEMMA | {"n_extra_layers": 3}, "n_extra_layers", TOTALS),
        (
            GEMMA | {"text_config": GEMMA["text_config"] | {"n_more": 3}},
            "n_more",
            TOTALS,
        ),
        (
            {
                "text_config": GEMMA["text_config"] | {"tie_word_embeddings": True},
                **{"model_type": "gemma3", "tie_word_embeddings": False},
            },
            "tie_word_embeddings",
            TOTALS[:2],
        ),
        (small("falcon", new_decoder_architecture=True), "new_decoder", TOTALS[2:]),
        (small("qwen2_moe", mlp_only_layers=3), "mlp_only_layers", TOTALS),
        (small("nemotron-nas", block_configs=PUZZLE), "n_heads_in_group", TOTALS),
        (small("t5"), "encoder beside a decoder", TOTALS),
        (small("bert"), "an encoder, which keeps no cache", TOTALS),
        (NEMOTRON | {"hybrid_override_pattern": "MEM*"}, "hybrid_override", TOTALS),
        (
            config("DeepSeek V3", rope_scaling={"type": "yarn", "factor": "x"}),
            "factor = 'x': this should be a number",
            TOTALS,
        ),
        (
            small("nemotron-nas", block_configs=[1] * 4),
            "block_configs holds 1: no attention and ffn",
            TOTALS,
        ),
        (
            config("Qwen3 Next 80B A3B", mamba_ssm_dtype=["float32"]),
            "mamba_ssm_dtype = ['float32']: a format that is not known",
            TOTALS[2:],
        ),
        (small("ministral", max_window_layers=2), "max_window_layers = 2", TOTALS),
        (small("mellum"), "moe_intermediate_size is missing", TOTALS[:2]),
        (small("minimax_m2", attn_type_list=1), "attn_type_list = 1", TOTALS),
    ],
)
def test_totals_are_refused_by_the_line_that_changes_them(lines, key, totals):
    refused(lines, key, totals)


def test_a_model_that_sees_names_its_family_by_its_own_name():
    text = {
        key: value for key, value in small("exaone4").items() if key != "model_type"
    }
    found = read({"model_type": "exaone4_5", "text_config": text})
    assert (found.family, found.refused) == ("exaone4_5_text", {})


def test_experts_may_work_on_narrower_rows():
    model, narrow = read(NEMOTRON), read(NEMOTRON | {"moe_latent_size": 1024})
    assert narrow.n_parameters < model.n_parameters
    assert narrow.cache_bytes(8) == model.cache_bytes(8)


HARMLESS = {
    "MLX": {"quantization": {"group_size": 64, "bits": 4}},
    "GPTQ": {"quantization_config": {"quant_method": "gptq", "bits": 4}},
    "AWQ": {
        "quantization_config": {"quant_method": "awq", "w_bit": 4, "zero_point": 1}
    },
    "web": {"transformers.js_config": {"dtype": "q4", "use_external_data_format": 1}},
    "fine-tuned": {"_attn_implementation_autoset": True, "unsloth_fixed": True},
    "length": {"model_max_length": 131_072, "max_position_embeddings": 8192},
    "off": {"use_mrope": False, "q_lora_rank": None, "attention_bias": False},
    "said again": {"head_dim": 128, "n_layer": 32, "n_embed": 4096},
    "further tokens": {"_num_mtp_layers": 1, "index_share_for_mtp_iteration": True},
    "training": {"attention_dropout": 0.1, "initializer_range": 0.02},
    "tokens": {"bos_token_id": 7, "eos_token_id": [7, 8], "image_token_id": 9},
}


@pytest.mark.parametrize("name", HARMLESS)
def test_files_as_they_are_found(name):
    assert numbers(read(LLAMA | HARMLESS[name])) == numbers(read(LLAMA))


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("hidden_size", "n_embed"),
        ("hidden_size", "n_embd"),
        ("num_hidden_layers", "n_layer"),
        ("num_attention_heads", "n_heads"),
        ("num_key_value_heads", "num_kv_heads"),
    ],
)
def test_old_names_of_a_line(name, ours):
    lines = {ours if key == name else key: value for key, value in LLAMA.items()}
    assert ours in lines
    assert numbers(read(lines)) == numbers(read(LLAMA))
    assert ours in [
        line.key for line in read(lines).explain() if line.changes == "totals"
    ]


@pytest.mark.parametrize("key", ["text_config", "language_config", "llm_config"])
def test_the_language_model_of_one_that_sees(key):
    model = read({"model_type": "some_vl", "vision_config": {"depth": 3}, key: LLAMA})
    assert model.family == "llama"
    assert numbers(model) == numbers(read(LLAMA))
    told = {line.key: line.changes for line in model.explain()}
    assert told["vision_config"] == "nothing"
    assert told[f"{key}.hidden_size"] == "totals"


def test_lines_beside_a_text_config_may_repeat_it():
    config = {"model_type": "voxtral", "text_config": LLAMA, "audio_config": {}}
    same = config | {"hidden_size": 4096, "do_image_splitting": True, "tile_size": 512}
    assert numbers(read(same)) == numbers(read(LLAMA))
    assert {line.key: line.changes for line in read(same).lines}["hidden_size"] == (
        "nothing"
    )
    refused(config | {"hidden_size": 2048}, "hidden_size", TOTALS)


def test_ling_with_narrow_queries_is_refused():
    lines = small("bailing_hybrid", moe_intermediate_size=8, kv_lora_rank=8)
    lines |= {"no_kda_lora": True, "use_qk_norm": True, "q_lora_rank": None}
    assert read(lines).refused == {}
    refused(lines | {"q_lora_rank": 256}, "q_lora_rank", TOTALS)
    refused(lines | {"no_kda_lora": False}, "no_kda_lora", TOTALS)


def test_a_text_config_has_the_sizes_of_its_class():
    assert read({"model_type": "gemma3", "text_config": {}}).refused == {}
    assert read({"model_type": "gemma3_text"}).refused


def test_a_class_stands_for_its_family():
    lines = {key: value for key, value in LLAMA.items() if key != "model_type"}
    named = lines | {"architectures": ["LlamaForCausalLM"]}
    assert numbers(read(named)) == numbers(read(LLAMA))
    refused(lines, "model_type")
    refused(lines | {"architectures": ["LlamaForCausalLM", "Other"]}, "model_type")


@pytest.mark.parametrize("config", [None, [], "llama", {}, {"a": 1}, 7])
def test_what_is_no_configuration_is_an_error(config):
    with pytest.raises(ValueError, match="read: "):
        read(config)


@pytest.mark.parametrize(
    ("n_tokens", "n_bytes", "name"),
    [(-1, 2, "n_tokens"), (1.5, 2, "n_tokens"), (8, 0, "n_bytes"), (8, "2", "n_bytes")],
)
def test_a_length_and_a_size_that_cannot_be(n_tokens, n_bytes, name):
    with pytest.raises(ValueError, match=f"cache_bytes: {name}"):
        read(LLAMA).cache_bytes(n_tokens, n_bytes)


@pytest.mark.parametrize("name", FAMILIES)
def test_any_file_is_read_or_refused(name):
    """Lines that are missing, and lines of other families, are no crash."""
    for lines in (
        {"model_type": name},
        small(name),
        small(name, layer_types=["x"] * 4),
    ):
        model = read(lines)
        assert model.family == name
        assert model.layers or set(model.refused) == set(TOTALS)


def test_no_family_lets_an_unknown_line_through():
    for lines in ({"n_registers": 4}, {"use_extra_layers": True}, {"sharing": [1]}):
        for name in FAMILIES:
            model = read(small(name, **lines))
            assert set(model.refused) >= {"n_parameters", "cache_bytes"}, name


def test_every_function_for_rows_is_named_by_one():
    table = Path(attnconfig.__file__).with_name("families.toml").read_text("utf-8")
    assert {name for name in WAYS if f'"{name}"' not in table} <= {"Mla"}
