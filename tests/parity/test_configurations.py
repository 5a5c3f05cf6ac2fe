"""attnconfig against transformers' own classes, models and caches."""

import pytest
import torch
from transformers import AutoModelForCausalLM

from attnconfig import read
from attnconfig.families import FAMILIES
from tests.attnconfig.published import MODELS
from tests.attnconfig.test_published import last_rows
from tests.parity import built, measure_configurations
from tests.parity import small_models as small

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
