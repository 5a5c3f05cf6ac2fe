"""Calls of a configuration's layers, and the cards of their parts."""

import pytest

from attnconfig import read
from attncourse.figures.configuration.models import MODELS as CARDS_MODELS
from attncourse.real_model import configuration
from attncourse.real_model.configuration.calls import calls
from attncourse.real_model.configuration.cards import of_layer, of_line
from attncourse.real_model.configuration.described import describe
from tests.attnconfig.published import MODELS, config, small


def lines(config, layer=0):
    return calls(read(config))[layer]


@pytest.mark.parametrize("name", MODELS)
def test_calls_are_python(name):
    for told in calls(read(MODELS[name]["config"])):
        for line in told:
            compile(line, "call", "exec")


def test_the_readers_name_stays_for_a_while():
    assert configuration.read is read
    assert configuration.call(read(config("Llama 3 8B")).layers[0])[0] == (
        "query = rotary_embedding(query, base=500000.0)"
    )


@pytest.mark.parametrize(
    ("config", "layer", "part"),
    [
        (config("Gemma 2 9B"), 0, "enable_gqa=True, window=(4095, 0), softcap=50.0)"),
        (config("Gemma-2 27B"), 0, "scale=144 ** -0.5"),
        (config("Llama 3 8B"), 0, "value, is_causal=True, enable_gqa=True)"),
        (config("gpt-oss 20B"), 0, "window=(127, 0), sinks=sinks)"),
        (config("DeepSeek-V3.2"), 0, "mask=chosen, scale=0.1352"),
        (config("Falcon 7B"), 0, "enable_gqa=True)"),
        (config("MPT 7B"), 0, "mask=alibi_bias(32, len(i)))"),
        (small("granite", attention_multiplier=0.3), 0, "scale=0.3)"),
    ],
)
def test_the_last_line_has_the_facts_as_keywords(config, layer, part):
    assert part in lines(config, layer)[-1]


@pytest.mark.parametrize(
    ("config", "part"),
    [
        (small("llama", rope_theta=777.0), "base=777.0"),
        (small("stablelm"), "rotary_dim=4"),
        (small("glm", head_dim=16), "rotary_dim=8, interleaved=True"),
        (config("gpt-oss 20B"), "base=150000.0, scaling=rope"),
        (small("qwen3", head_dim=16), "rms_norm(query, gain_query, eps=1e-06)"),
        (small("olmo2"), "Before the split into heads"),
    ],
)
def test_the_first_line_turns_or_normalizes(config, part):
    assert part in lines(config)[0]


def test_norms_after_the_rotation_come_after_it():
    told = lines(config("Hunyuan 7B"))
    assert ["rotary" in line for line in told[:4]] == [True, True, False, False]


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (small("gpt_neox", num_key_value_heads=4, rotary_pct=0.2), "an odd number of"),
        (small("cohere", use_qk_norm=True), "each head's norm has gains of its own."),
        (small("olmo", clip_qkv=8.0), "clip_qkv = 8.0 changes more than a call"),
        (small("ministral3"), "queries also grow with their position."),
        (small("falcon", alibi=True), "the bias of ALiBi is rounded to bfloat16."),
        (small("llama", n_registers=4), "a line of this file is not understood here."),
        (config("MiMo-V2-Flash", attention_value_scale=0.7), "attention_value_scale"),
        (config("Mamba 2.8B"), "this layer keeps a state"),
        (config("LFM2 350M"), "a short convolution"),
        (config("Nemotron H 8B"), "this layer keeps a state"),
    ],
)
def test_what_has_no_call_says_why(config, reason):
    (line,) = lines(config)
    assert line.startswith(f"# No call: {reason}")


def test_a_stretch_that_attnlib_has_not_has_no_call():
    kinds = ["conv", "full_attention"] * 2
    told = lines(small("lfm3", head_dim=16, layer_types=kinds), 1)
    assert told == ["# No call: 'proportional' is a stretch that attnlib has not."]
    assert lines(config("Gemma-4 E2B")) == ["# No call: values are normalized too."]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Mistral 7B", {"sliding_attention"}),
        ("DeepSeek V3", {"latent_attention"}),
        ("Llama 4 Scout", {"chunked_attention", "full_attention"}),
        ("Falcon H1 0.5B", {"hybrid"}),
        ("LFM2 350M", {"conv", "full_attention"}),
        ("Nemotron H 8B", {"linear_attention", "full_attention", "network"}),
    ],
)
def test_layers_have_a_kind_to_be_drawn_by(name, kind):
    drawn = describe(read(config(name)))
    assert {each["kind"] for each in drawn["kinds"]} == kind
    assert len(drawn["order"]) == len(read(config(name)).layers)


def names(layer):
    return [name for name, _ in of_layer(layer)]


@pytest.mark.parametrize(
    ("model", "layer", "there", "not_there"),
    [
        ("Llama 3 8B", 0, ["GQA", "RoPE", "SwiGLU"], ["MLA", "YaRN"]),
        ("GPT-2", 0, [], ["GQA", "RoPE", "SwiGLU", "Partial rotation"]),
        ("DeepSeek V3", 5, ["MLA", "MoE", "YaRN"], ["GQA"]),
        ("Gemma 4 26B", 0, ["Sliding window", "QK-norm"], ["Shared keys"]),
        ("Gemma 4 26B", 5, ["Shared keys", "Partial rotation"], ["Sliding window"]),
        ("DeepSeek V4 Flash", 2, ["CSA and HCA", "Hyper-connections"], ["MLA"]),
        ("DeepSeek V4 Flash", 0, ["Sliding window"], ["CSA and HCA"]),
        ("Qwen3 Next 80B", 0, ["DeltaNet", "MoE"], ["RoPE", "KDA"]),
        ("Qwen3 Next 80B", 3, ["Gates on the output", "QK-norm"], ["DeltaNet"]),
        ("Jamba", 0, ["Mamba"], ["DeltaNet", "GQA"]),
    ],
)
def test_a_tile_leads_to_the_cards_of_its_parts(model, layer, there, not_there):
    found = names(read(CARDS_MODELS[model]).layers[layer])
    assert [name for name in there if name not in found] == []
    assert [name for name in not_there if name in found] == []


def test_an_index_leads_to_its_card():
    assert "DSA" in names(read(config("DeepSeek-V3.2")).layers[0])


@pytest.mark.parametrize(
    ("line", "card"),
    [
        ("num_key_value_heads", "GQA"),
        ("text_config.sliding_window", "Sliding window"),
        ("linear_attn_config", "KDA"),
        ("linear_num_value_heads", "DeltaNet"),
        ("rope_scaling", "YaRN and others"),
        ("rope_theta", "RoPE"),
        ("hc_mult", "Hyper-connections"),
        ("attn_res_block_size", "Attention residuals"),
        ("add_swa_attention_sink_bias", "Learned sinks"),
    ],
)
def test_a_line_leads_to_its_card(line, card):
    assert of_line(line)[0] == card


def test_a_line_of_no_part_leads_nowhere():
    assert of_line("hidden_size") == []
