"""Published models hold what transformers' classes of them hold."""

import math
import tomllib
from pathlib import Path

import pytest

from attnconfig import needed, read
from tests.attnconfig.published import LLAMA, MODELS, config, numbers, small

SILENT = tomllib.loads(Path(__file__).with_name("small.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", MODELS)
def test_totals_are_those_of_transformers(name):
    model, expected = read(MODELS[name]["config"]), MODELS[name]["measured"]
    assert model.refused == {}
    assert model.n_parameters == expected["n_parameters"]
    if expected["n_active_parameters"] is not None:
        assert model.n_active_parameters == expected["n_active_parameters"]
    n = expected["n_tokens"]
    if expected["cache_bytes"] is not None:
        kept = model.cache_bytes(n)
        assert expected["cache_bytes"] in (kept, kept - last_rows(model, n))


@pytest.mark.parametrize("name", SILENT)
def test_what_a_family_takes_for_granted(name):
    row = SILENT[name]
    lines = small(name, **row.get("lines", {}))
    for key in row.get("without", "").split():
        del lines[key]
    assert list(numbers(read(lines))) == row["totals"]


def last_rows(model, n_tokens):
    """Transformers keeps a row less than the window: the next token brings one."""
    kept = [each for layer in model.layers for each in layer.kept]
    full = [each for each in kept if each.rows and each.rows.most]
    return sum(2 * each.row for each in full if each.rows.most <= n_tokens)


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("Llama 3 8B", 8_030_261_248),
        ("Mistral 7B", 7_241_732_096),
        ("Gemma 2 9B", 9_241_705_984),
        ("Nemotron-3-Nano 30B-A3B", 31_577_937_344),
        ("Qwen3 Next 80B A3B", 79_674_391_296),
    ],
)
def test_parameters_are_as_many_as_published(name, published):
    assert read(config(name)).n_parameters == published


def test_a_small_one_by_hand():
    sizes = {"hidden_size": 6, "num_hidden_layers": 5, "num_attention_heads": 3}
    more = {"intermediate_size": 13, "vocab_size": 17, "num_key_value_heads": 1}
    model = read({"model_type": "llama", "head_dim": 11, **sizes, **more})
    a_layer = 2 * 6 * 33 + 2 * 6 * 11 + 3 * 6 * 13 + 2 * 6
    assert model.n_parameters == 5 * a_layer + 6 + 2 * 17 * 6
    assert model.n_active_parameters == 5 * a_layer + 6 + 17 * 6 + 6  # one row
    assert model.cache_bytes(7, 4) == 7 * 5 * 2 * 11 * 4


@pytest.mark.parametrize("name", MODELS)
def test_equations_add_up(name):
    model = read(MODELS[name]["config"])
    total = 0
    for line in model.equations:
        left, _, right = line.rpartition(" = ")
        factors = left.rpartition(": ")[2].replace(",", "").split(" × ")
        assert math.prod(map(int, factors)) == int(right.replace(",", ""))
        total += int(right.replace(",", ""))
    assert total == model.n_parameters
    memory = needed(model, 5000, 3, 0.5)
    ends = [line.rpartition(" = ")[2] for line in memory.equations]
    bytes_ = [float(end.removesuffix(" bytes").replace(",", "")) for end in ends]
    assert sum(bytes_) == memory.n_bytes == 3 * model.cache_bytes(5000, 0.5)


def test_states_count_in_their_own_format():
    hybrid = config("Qwen3 Next 80B A3B")
    states = 36 * 32 * 128 * 128
    convolutions = 36 * (2 * 16 * 128 + 32 * 128) * 4
    assert read(hybrid).cache_bytes(0) == 4 * states + 2 * convolutions
    said = read(hybrid | {"mamba_ssm_dtype": "bfloat16"})
    assert said.cache_bytes(0) == 2 * states + 2 * convolutions
    strange = read(hybrid | {"mamba_ssm_dtype": "posit16"})
    assert set(strange.refused) == {"cache_bytes"}
    assert "posit16" in strange.refused["cache_bytes"]


def test_falcon_mamba_says_the_width_inside():
    lines = {"model_type": "falcon_mamba", "hidden_size": 4096, "state_size": 16}
    lines |= {"num_hidden_layers": 64, "vocab_size": 65024, "conv_kernel": 4}
    lines |= {"intermediate_size": 8192, "expand": 16, "time_step_rank": 256}
    model = read(lines | {"tie_word_embeddings": False})
    assert model.n_parameters == 7_272_665_088  # as its weights are published


def test_a_window_bounds_the_cache():
    model = read(config("Mistral 7B"))
    assert model.cache_bytes(4096) == model.cache_bytes(100_000)
    assert model.cache_bytes(4095) == 4095 * 32 * 2 * 8 * 128 * 2


def test_bits_of_the_cache():
    sizes = [read(LLAMA).cache_bytes(8192, bits / 8) for bits in (16, 8, 4)]
    assert sizes == [2**30, 2**29, 2**28]
