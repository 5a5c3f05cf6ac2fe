"""The calls of attnlib that the reader of configurations writes, run beside
transformers' own attention: small models of random numbers, in float32."""

import pytest

from attncourse.real_model.configuration import call, family, machine, read
from tests.parity import called
from tests.parity import random_configurations as random_ones

# A softmax between two projections in float32; a wrong call is off by a tenth or more.
CLOSE = 2e-5
# What a random configuration has to be given so that transformers can run it.
GIVEN = {
    "bamba": {"attn_layer_indices": [1, 3]},
    "gptj": {"rotary_dim": 4},
    "stablelm": {"partial_rotary_factor": 0.5},
}
BY_TURNS = ("granitemoehybrid",)
WITHOUT_SOFTMAX = ("mamba", "falcon_mamba", "mamba2")
REFUSED = {
    "ministral3": "queries also grow with their position",
    "llama4_text": "queries and keys are normalized after the rotation, and queries "
    "grow with their position",
}
COMPARED = [name for name in family.table() if name not in (*REFUSED, *WITHOUT_SOFTMAX)]


def prepared(name, n):
    """Return random configurations of a family that can also be run."""
    found = []
    for config in random_ones.some(name, n, seed=2):
        config |= GIVEN.get(name, {})
        if "kv_lora_rank" in config:  # the classes' own defaults would be too large
            config |= {"num_key_value_heads": config["num_attention_heads"]}
        if "n_routed_experts" in config:
            config |= {"n_group": 1, "topk_group": 1}
        if "index_n_heads" in config:
            config |= {"index_topk": 4}
            config.pop("layer_types", None)
        if name in BY_TURNS:
            kinds = ["linear_attention", "full_attention"] * 4
            config |= {"layer_types": kinds[: config["num_hidden_layers"]]}
        found.append(config)
    return found


def compared(configs, enough=4):
    """Compare configurations until some have a call that could be compared."""
    found = []
    for config in configs:
        off = called.compare(config)
        if off:
            found.append((config, off))
        if len(found) == enough:
            break
    return found


@pytest.mark.parametrize("name", COMPARED)
def test_calls_compute_what_transformers_computes(name):
    found = compared(prepared(name, 16))
    assert found, "no call of this family was compared"
    for config, off in found:
        assert max(off.values()) < CLOSE, (off, config)


@pytest.mark.parametrize("name", REFUSED)
def test_what_attnlib_cannot_do_gets_no_call_and_a_reason(name):
    layers = (read(config).layers for config in prepared(name, 16))
    told = {tuple(call(layer)) for found in layers for layer in found}
    assert told == {(f"# No call: {REFUSED[name]}.",)}


@pytest.mark.parametrize("name", COMPARED)
def test_keys_that_are_not_read_change_no_call(name):
    """Another value of each of the class's own keys: right still, or no call."""
    config = compared(prepared(name, 16), enough=1)[0][0]
    for key, value in random_ones.other_values(name, config):
        off = called.compare({**config, key: value})
        assert not off or max(off.values()) < CLOSE, (key, value, off)


def test_a_wrong_call_would_be_seen(monkeypatch):
    (config, _), *_ = compared(prepared("gemma2", 16), enough=1)
    rotation = machine._rotation
    shares = {"share": 0.5}
    monkeypatch.setattr(machine, "_rotation", lambda *a: {**rotation(*a), **shares})
    assert min(called.compare(config).values()) > CLOSE


LINEAR = {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}
OWN = {
    "base": {"rope_theta": 777.0},
    "stretch": LINEAR,
    "both": {"rope_theta": 777.0, **LINEAR},
}
# These stretch in a way of their own, or don't turn at all.
NOT_STRETCHED = ("phi3", "phimoe", "nemotron_h")


@pytest.mark.filterwarnings("ignore:.rope_scaling. is deprecated:FutureWarning")
@pytest.mark.parametrize("how", OWN)
@pytest.mark.parametrize("name", COMPARED)
def test_the_rotation_is_that_of_the_file(name, how):
    """A base and a stretch that stand in a file are those that its layers turn by."""
    lines = ("rope_parameters", "rope_scaling", "rope_theta")
    configs = [
        {key: config[key] for key in config if key not in lines} | OWN[how]
        for config in prepared(name, 6)
    ]
    found = compared(configs, enough=2)
    assert found or name in NOT_STRETCHED
    for config, off in found:
        assert max(off.values()) < CLOSE, (off, config)
