"""Configurations beside transformers: numbers, calls, and what layers say and do."""

import dataclasses
import re
import sys
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
from transformers.models.llama import modeling_llama

from attncheck import layers
from attnconfig import Layer, read
from attnconfig.families import FAMILIES
from attncourse.real_model.configuration.calls import calls
from tests.attnconfig.published import MODELS
from tests.attnconfig.test_published import last_rows
from tests.parity import built, called, measure_configurations, small_models
from tests.parity import small_models as small

# attnconfig against transformers' own classes, models and caches.

MEASURED = [name for name in MODELS if "source" not in MODELS[name]["measured"]]

ELSEWHERE = {"dbrx"}  # whose class stops at a line of its own
KEEPS_ALL = {"gpt_neo"}  # transformers keeps what its windows never see again


@pytest.mark.parametrize("name", MEASURED)
def test_what_was_measured_is_measured_again(name):
    model = MODELS[name]
    assert measure_configurations.measure(model["config"]) == model["measured"]


@pytest.mark.parametrize("name", small.NAMES)
def test_a_small_model_and_each_of_its_lines_changed(name):
    """As many numbers as transformers' class learns, or refused: never wrong."""
    lines = small.small(name)
    assert read(lines).n_parameters == small.true_parameters(lines)
    same, wrong = 0, []
    for key, value, changed in small.changes(name):
        got = read(changed).n_parameters
        expected = None if got is None else small.true_parameters(changed)
        same += got is not None and got == expected
        if expected is not None and got != expected:
            wrong.append((key, value, got, expected))
    assert not wrong
    assert same > 5  # not all may be refused


def test_a_wrong_family_would_be_seen(monkeypatch):
    """The comparison fails for a family whose heads get biases that it has not."""
    build, sizes = FAMILIES["qwen2"]
    monkeypatch.setitem(FAMILIES, "llama", (build, sizes))
    lines = small.small("llama")
    assert read(lines).n_parameters not in (None, small.true_parameters(lines))


@pytest.mark.parametrize("n_tokens", [12, 40])
@pytest.mark.parametrize(
    "name", [name for name in small.NAMES if name not in ELSEWHERE]
)
def test_a_real_cache_in_bfloat16_takes_as_many_bytes(name, n_tokens):
    """States in their own format; transformers keeps a row less than the window."""
    lines = small.small(name)
    if not small.writes(name):
        pytest.skip("its class does not write")
    model = AutoModelForCausalLM.from_config(
        built.settings(lines), dtype=torch.bfloat16
    ).eval()
    found = built.n_bytes(built.cache(model, n_tokens, "cpu"))
    ours = read(lines)
    kept = ours.cache_bytes(n_tokens)
    if name in KEEPS_ALL:
        assert found >= kept
    else:
        assert found in (kept, kept - last_rows(ours, n_tokens))


# The calls of attnlib that are written from a layer's facts, run beside transformers'
# own attention: small models of random numbers, in float32.

# A softmax between two projections in float32; a wrong call is off by a tenth or more.
CLOSE = 2e-5
LINEAR = {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}
WAYS = {
    "as it is": {},
    "base": {"rope_theta": 777.0},
    "stretch": LINEAR,
    "both": {"rope_theta": 777.0, **LINEAR},
}
ROPE = ("rope_parameters", "rope_scaling", "rope_theta")
# Whose matrices lie in blocks of their own.
NOT_CALLED = {"codegen", "dbrx"}
NAMES = [name for name in small_models.NAMES if small_models.writes(name)]
NAMES = [name for name in NAMES if name not in NOT_CALLED]


def prepared(name, more=()):
    """Return the small configuration of a family, so that its class can run it."""
    lines = small_models.small(name)
    if name == "stablelm":  # a quarter of few columns cannot be rotated in pairs
        lines["partial_rotary_factor"] = 0.5
    kept = {key: value for key, value in lines.items() if not (more and key in ROPE)}
    return kept | dict(more)


def has_calls(lines):
    """Say whether any layer has a call."""
    return any(not told[0].startswith("# No call") for told in calls(read(lines)))


@pytest.mark.filterwarnings("ignore:.rope_scaling. is deprecated:FutureWarning")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_calls_compute_what_transformers_computes(name, way):
    lines = prepared(name, WAYS[way])
    off = called.compare(lines)
    assert off or not has_calls(lines) or way != "as it is", "nothing was compared"
    assert max((off or {0: 0.0}).values()) < CLOSE, off


@pytest.mark.parametrize("name", NAMES)
def test_other_values_of_a_familys_lines_change_no_call_or_are_told(name):
    for key, value, lines in small_models.changes(name):
        off = called.compare(lines) if has_calls(lines) else None
        assert not off or max(off.values()) < CLOSE, (key, value, off)


def test_a_wrong_call_would_be_seen(monkeypatch):
    def half(layer):
        told = layer.attention.facts
        rotary = dataclasses.replace(told.rotary, columns=8)
        return dataclasses.replace(told, rotary=rotary)

    monkeypatch.setattr(Layer, "facts", property(half))
    assert min(called.compare(prepared("gemma2")).values()) > CLOSE


# Says and does, with small models of transformers, some with one thing wrong.
#
# What records the runs is the code of attncheck's README.

README = Path(__file__).resolve().parents[2] / "attncheck" / "README.md"
SECTION = README.read_text(encoding="utf-8").partition("## Says and does")[2]
RECORDS, RUNS = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)[:2]
LLAMA3 = {
    **{"rope_type": "llama3", "rope_theta": 500_000.0, "factor": 8.0},
    **{"low_freq_factor": 1.0, "high_freq_factor": 4.0},
    "original_max_position_embeddings": 64,
}
MORE = {"llama": {"rope_parameters": LLAMA3}}
RUN_FAMILIES = (
    *("llama", "qwen3", "gemma2", "gemma3_text", "gpt_oss", "cohere2", "glm4"),
    *("olmo2", "phi", "phi3", "mistral", "smollm3", "qwen3_moe", "granite"),
)


def config(family):
    """Return the small configuration of a family."""
    return small.small(family) | MORE.get(family, {})


@pytest.fixture
def model_of(monkeypatch):
    """A function: lines of a configuration to a small random model."""

    def build(lines):
        torch.manual_seed(0)
        model = AutoModelForCausalLM.from_config(built.settings(lines)).eval()
        with torch.no_grad():  # else scores are near 0, and caps and sinks do little
            for p in model.parameters():
                p.copy_(p + 0.2 * torch.randn_like(p))
        return model

    return build


def recorded(model, monkeypatch, path, calls=RUNS):
    """Follow the README with a model; return where the runs are."""
    code = sys.modules[type(model).__module__]
    monkeypatch.setattr(code, "apply_rotary_pos_emb", code.apply_rotary_pos_emb)
    monkeypatch.chdir(path)
    ids = torch.randint(3, 90, (1, 30), generator=torch.Generator().manual_seed(1))
    found = {"model": model, "ids": ids, "torch": torch}
    exec(RECORDS, found)
    try:
        with torch.no_grad():
            exec(calls, found)
    finally:
        del ALL_ATTENTION_FUNCTIONS.get_interface
    return path / "runs.safetensors"


def test_fifteen_lines_record_them():
    lines = [line for line in RECORDS.splitlines() if line.strip()]
    assert len([line for line in lines if " import " not in line]) - 1 == 15


@pytest.mark.parametrize("family", RUN_FAMILIES)
def test_a_right_model_has_no_layer_named(family, model_of, monkeypatch, tmp_path):
    lines = config(family)
    page = layers(lines, recorded(model_of(lines), monkeypatch, tmp_path))
    assert page.problems == []
    assert (page.status, len(page.judged)) == (0, lines["num_hidden_layers"])
    assert {field for _, field, _ in page.unseen} <= {"softcap"}


def problems(lines, model, monkeypatch, tmp_path, calls=RUNS):
    """Return layer, field, said and shown of all that differs."""
    page = layers(lines, recorded(model, monkeypatch, tmp_path, calls))
    return [(p.layer, p.field, p.said, p.shown) for p in page.problems]


@pytest.mark.parametrize("family", ["gpt_oss", "gemma3_text", "cohere2"])
def test_a_window_off_by_one(family, model_of, monkeypatch, tmp_path):
    """Its lines say 16, of 4 layers; one layer's mask lets 17 through."""
    lines = config(family)
    model = model_of(lines)
    layer = next(i for i, t in enumerate(model.config.layer_types) if t[0] == "s")

    def widen(module, args, named):
        mask = named["attention_mask"]
        i = torch.arange(mask.shape[-1])
        away = i[:, None] - i
        seen = (away >= 0) & (away <= lines["sliding_window"])
        low = torch.where(seen, 0.0, torch.finfo(torch.float32).min)
        named["attention_mask"] = (seen if mask.dtype == torch.bool else low)[
            None, None
        ]
        return args, named

    attention = model.model.layers[layer].self_attn
    attention.register_forward_pre_hook(widen, with_kwargs=True)
    once = re.sub(r"model\(ids\[:, -4:\].*\n", "", RUNS)
    found = problems(lines, model, monkeypatch, tmp_path, once)
    assert found == [(layer, "window", (15, 0), (16, 0))]


def test_sinks_dropped(model_of, monkeypatch, tmp_path):
    lines = config("gpt_oss")
    model = model_of(lines)
    code = sys.modules[type(model).__module__]
    right = code.eager_attention_forward

    def attend(module, *args, **named):
        plain = modeling_llama.eager_attention_forward
        return (plain if module.layer_idx == 1 else right)(module, *args, **named)

    monkeypatch.setattr(code, "eager_attention_forward", attend)
    found = problems(lines, model, monkeypatch, tmp_path)
    assert found == [(1, "sinks", "as given", "none")]


@pytest.mark.parametrize("family", ["gpt_oss", "gemma3_text", "cohere2"])
def test_layer_types_swapped(family, model_of, monkeypatch, tmp_path):
    lines = config(family)
    types = ["sliding_attention", "full_attention"] * 2
    model = model_of(lines | {"layer_types": types[::-1]})
    found = problems(lines | {"layer_types": types}, model, monkeypatch, tmp_path)
    windows = [one for one in found if one[1] == "window"]
    said = [(15, 0), None] * 2
    shown = [None, (15, 0)] * 2
    assert windows == [(i, "window", said[i], shown[i]) for i in range(4)]
    fields = {"gemma3_text": {"rotary.base"}, "cohere2": {"rotary"}}
    assert {one[1] for one in found} == {"window"} | fields.get(family, set())


@pytest.mark.parametrize("family", ["llama", "gpt_oss", "glm4"])
def test_places_lost_after_a_cache(family, model_of, monkeypatch, tmp_path):
    lines = config(family)
    lost = RUNS.replace("-4:], ", "-4:], position_ids=torch.arange(4)[None], ")
    found = problems(lines, model_of(lines), monkeypatch, tmp_path, lost)
    assert found == [(i, "first position", 26, 0) for i in range(4)]
