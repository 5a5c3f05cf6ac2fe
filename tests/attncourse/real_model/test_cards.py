"""Cards that a tile and a line of a file lead to."""

import pytest

from attnconfig import read
from attncourse.figures.configuration.models import MODELS
from attncourse.real_model.configuration.cards import of_layer, of_line
from tests.attnconfig.published import config


def names(layer):
    return [name for name, _ in of_layer(layer)]


@pytest.mark.parametrize(
    ("model", "layer", "there", "not_there"),
    [
        ("Llama 3 8B", 0, ["GQA", "RoPE", "SwiGLU"], ["MLA", "YaRN and others"]),
        ("GPT-2", 0, [], ["GQA", "RoPE", "SwiGLU", "Partial rotation"]),
        ("DeepSeek V3", 5, ["MLA", "MoE", "YaRN and others"], ["GQA"]),
        ("Gemma 4 26B", 0, ["Sliding window", "QK-norm"], ["Shared keys"]),
        ("Gemma 4 26B", 5, ["Shared keys", "Partial rotation"], ["Sliding window"]),
        ("DeepSeek V4 Flash", 2, ["CSA and HCA", "Learned sinks"], ["MLA"]),
        ("DeepSeek V4 Flash", 0, ["Sliding window"], ["CSA and HCA"]),
        ("Qwen3 Next 80B", 0, ["DeltaNet", "MoE"], ["RoPE", "KDA"]),
        ("Qwen3 Next 80B", 3, ["Gates on the output", "QK-norm"], ["DeltaNet"]),
        ("Jamba", 0, ["Mamba"], ["DeltaNet", "GQA"]),
    ],
)
def test_a_tile_leads_to_the_cards_of_its_parts(model, layer, there, not_there):
    found = names(read(MODELS[model]).layers[layer])
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
    ],
)
def test_a_line_leads_to_its_card(line, card):
    assert of_line(line)[0] == card


def test_a_line_of_no_part_leads_nowhere():
    assert of_line("hidden_size") == []
