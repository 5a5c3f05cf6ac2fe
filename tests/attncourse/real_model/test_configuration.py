"""Configurations: as many numbers as transformers' models hold, or a reason why not."""

import json
from pathlib import Path

import pytest

from attncourse.real_model.configuration import (
    decode,
    equations,
    explain,
    family,
    meanings,
    prefill,
    read,
)

ROOT = Path(__file__).resolve().parents[3]
# Measured with transformers by tests/parity/measure_configurations.py.
MEASURED = json.loads((ROOT / "tests/parity/configurations.json").read_text())["models"]
MODELS = {model["name"]: model for model in MEASURED}
LLAMA = MODELS["Llama 3 8B"]["config"]
MISTRAL = MODELS["Mistral 7B"]["config"]
GPT_OSS = MODELS["gpt-oss 20B"]["config"]
TOTALS = ("n_parameters", "n_active_parameters", "cache_bytes")
# As the model cards' weights have them.
PUBLISHED = {
    "Llama 3 8B": 8_030_261_248,
    "Mistral 7B": 7_241_732_096,
    "Gemma 2 9B": 9_241_705_984,
}


def numbers(found, n_tokens=100):
    return found.n_parameters, found.n_active_parameters, found.cache_bytes(n_tokens)


@pytest.mark.parametrize("model", MEASURED, ids=MODELS)
def test_totals_are_those_of_transformers(model):
    found, expected = read(model["config"]), model["measured"]
    assert found.refused == {}
    assert found.n_parameters == expected["n_parameters"]
    assert found.n_active_parameters == expected["n_active_parameters"]
    n_tokens = expected["n_tokens"]
    if expected["cache_numbers"] is not None:
        # Transformers keeps a row less than the window: the next token brings one.
        less = sum(
            layer.row
            for layer in found.layers
            if layer.window and layer.window <= n_tokens
        )
        kept = found.cache_bytes(n_tokens, 1)
        assert expected["cache_numbers"] in (kept, kept - less)


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters_are_as_many_as_published(name):
    assert read(MODELS[name]["config"]).n_parameters == PUBLISHED[name]


def test_a_small_one_by_hand():
    sizes = {"hidden_size": 6, "num_hidden_layers": 5, "num_attention_heads": 3}
    more = {"intermediate_size": 13, "vocab_size": 17, "num_key_value_heads": 1}
    found = read({"model_type": "llama", "head_dim": 11, **sizes, **more})
    attention = 2 * 6 * 33 + 2 * 6 * 11
    a_layer = attention + 3 * 6 * 13 + 2 * 6
    assert found.n_parameters == 5 * a_layer + 6 + 2 * 17 * 6
    assert found.cache_bytes(7, 4) == 7 * 5 * 2 * 11 * 4
    one = decode(found, 7)
    assert one.multiplications == 5 * (attention + 3 * 6 * 13 + 7 * 2 * 33) + 6 * 17
    # Of the embedding one row is fetched.
    assert one.n_bytes == 2 * (found.n_parameters - 16 * 6) + found.cache_bytes(7)
    many = prefill(found, 7)
    seen = 7 * 8 // 2 * 2 * 33
    once = 5 * (7 * (attention + 3 * 6 * 13) + seen) + 6 * 17
    assert many.multiplications == once


def test_a_window_bounds_the_cache():
    found = read(MISTRAL)
    assert found.cache_bytes(4096) == found.cache_bytes(100_000)
    assert found.cache_bytes(4095) == 4095 * 32 * 2 * 8 * 128 * 2


def test_bits_of_the_cache():
    found = read(LLAMA)
    at_16, at_8, at_4 = (found.cache_bytes(8192, n / 8) for n in (16, 8, 4))
    assert (at_16, at_8, at_4) == (2**30, 2**29, 2**28)


def refused(config, key, totals=TOTALS):
    found = read(config)
    assert set(found.refused) == set(totals)
    assert all(key in found.refused[total] for total in totals)
    got = dict(zip(TOTALS, numbers(found), strict=True))
    assert [total for total in TOTALS if got[total] is None] == list(totals)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("n_memory_tokens", 16),
        ("sliding_window", 4096),
        ("kv_lora_rank", 512),
        ("num_local_experts", 8),
        ("num_attention_heads", "32"),
        ("num_hidden_layers", 32.0),
        ("hidden_size", True),
        ("hidden_size", -4096),
        ("num_key_value_heads", 5),
        ("num_key_value_heads", 0),
        ("layer_types", ["full_attention"] * 31),
        ("layer_types", ["sliding_attention"] * 32),
        ("layer_types", "full_attention"),
        ("model_type", "llama5"),
        ("model_type", None),
        ("add_cross_attention", True),
        ("is_encoder_decoder", True),
        ("num_attention_heads", 10**9),
        ("num_hidden_layers", 10**9),
        ("text_config", "llama"),
    ],
)
def test_what_could_change_a_total_is_refused_by_name(line, value):
    key = {"num_hidden_layers": "layers", "num_attention_heads": "heads"}.get(
        line, line
    )
    refused({**LLAMA, line: value}, key)


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
    config = {key: value for key, value in LLAMA.items() if key != line}
    refused(config, line, totals)


def test_experts_that_are_not_counted_refuse_what_one_token_uses():
    refused({**GPT_OSS, "num_experts_per_tok": 33}, "num_experts_per_tok", TOTALS[1:2])


def test_what_changes_nothing_refuses_nothing():
    more = {
        "torch_dtype": "float16",
        "quantization_config": {"bits": 4},
        "use_mrope": False,
    }
    more |= {"q_lora_rank": None, "bos_token_id": 7, "head_dim": 128, "max_length": 20}
    assert numbers(read({**LLAMA, **more})) == numbers(read(LLAMA))


def test_a_class_stands_for_its_family():
    config = {key: value for key, value in LLAMA.items() if key != "model_type"}
    named = {**config, "architectures": ["LlamaForCausalLM"]}
    assert numbers(read(named)) == numbers(read(LLAMA))
    refused(config, "model_type")
    refused({**config, "architectures": ["LlamaForCausalLM", "Other"]}, "model_type")


def test_the_language_model_of_one_that_sees():
    model = MODELS["Gemma 3 4B"]["config"]
    assert read(model).family == "gemma3_text"
    refused({**model, "n_extra_layers": 3}, "n_extra_layers")
    inner = {**model["text_config"], "n_extra_layers": 3}
    refused({**model, "text_config": inner}, "n_extra_layers")
    inner = {**model["text_config"], "tie_word_embeddings": True}
    said_twice = {**model, "text_config": inner, "tie_word_embeddings": False}
    refused(said_twice, "tie_word_embeddings", TOTALS[:2])


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


@pytest.mark.parametrize("model", MEASURED, ids=MODELS)
def test_equations_add_up(model):
    found = read(model["config"])
    products = [line.rpartition(" = ") for line in equations.parameters(found)]
    for left, _, right in products:
        factors = left.rpartition(": ")[2].replace(",", "").split(" × ")
        product = 1
        for factor in factors:
            product *= int(factor)
        assert f"{product:,}" == right
    assert sum(int(x.replace(",", "")) for *_, x in products) == found.n_parameters
    sums = [line.rpartition(" = ")[2] for line in equations.cache(found, 5000, 0.5)]
    assert sum(float(x.replace(",", "")) for x in sums) == found.cache_bytes(5000, 0.5)


def test_the_machine_layer_by_layer():
    first, second = read(GPT_OSS).layers[:2]
    assert (first.kind, first.window) == ("sliding_attention", 128)
    assert (second.kind, second.window) == ("full_attention", None)
    assert (first.heads, first.kv_heads, first.d_k) == (64, 8, 64)
    assert first.features["sinks"]
    assert first.features["experts"] == {"n": 32, "used": 4, "shared": False}
    assert first.features["rotation"]["scaling"]["factor"] == 32.0
    smol = read(MODELS["SmolLM3 3B"]["config"]).layers
    assert [i for i in range(8) if "rotation" not in smol[i].features] == [3, 7]


def test_every_key_that_a_family_reads_has_a_sentence():
    known = meanings.sentences()
    for entry in family.table().values():
        for key in family.named_keys(entry):
            assert key in known["totals"], key
    assert {table for _, table, _ in explain(GPT_OSS)} <= set(known) - {"off"}
    assert explain({"n_memory_tokens": 1}) == [
        ("n_memory_tokens", "unknown", "Not known here.")
    ]
