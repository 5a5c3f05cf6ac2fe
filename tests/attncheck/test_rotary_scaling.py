"""Scaled rotary angles, as in a configuration's rope_scaling, are asked for by it."""

from __future__ import annotations

import pytest

from attncheck import ask
from attnlib import rotary_embedding, scaled_dot_product_attention

pytestmark = pytest.mark.slow

LENGTH = {"original_max_position_embeddings": 8192}
LLAMA = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, **LENGTH}
LLAMA_3_1 = {"rope_type": "llama3", "factor": 8.0, **LLAMA}
LLAMA_3_2 = {"rope_type": "llama3", "factor": 32.0, **LLAMA}
YARN = {"rope_type": "yarn", "factor": 4.0, **LENGTH}
LINEAR = {"rope_type": "linear", "factor": 4.0}
DYNAMIC = {"rope_type": "dynamic", "factor": 4.0, **LENGTH}
LONG = {
    "rope_type": "longrope",
    "factor": 4.0,
    "short_factor": [1 + 0.02 * pair for pair in range(32)],
    "long_factor": [1 + 0.1 * pair for pair in range(32)],
    **LENGTH,
}


def make(scaling, base=5e5):
    def attention(q, k, v):
        q, k = (rotary_embedding(x, base=base, scaling=scaling) for x in (q, k))
        return scaled_dot_product_attention(q, k, v, is_causal=True)

    return attention


def meant(scaling, base=5e5):
    return {"alignment": "start", "rotary": {"base": base, "scaling": scaling}}


@pytest.mark.parametrize("base", [1e4, 5e5])
@pytest.mark.parametrize("scaling", [LLAMA_3_1, LLAMA_3_2, YARN, LINEAR, LONG])
def test_the_scaling_that_was_meant_is_found(scaling, base):
    report = ask(make(scaling, base), meant=meant(scaling, base))
    assert report.verdict == "attention: nothing wrong was found.", report
    assert report.details["rotary"]["scaling"] == scaling
    assert report.details["bits"] > 18


@pytest.mark.parametrize(
    ("is_used", "was_meant", "told"),
    [
        (None, LLAMA_3_1, "meant to be llama3 (factor 8.0, low_freq_factor 1.0"),
        (None, YARN, "meant to be yarn (factor 4.0"),
        (None, LINEAR, "meant to be linear (factor 4.0); it is none"),
        (LLAMA_3_2, LLAMA_3_1, "it is llama3 (factor 32.0"),
    ],
)
def test_another_scaling_than_was_meant_is_a_problem(is_used, was_meant, told):
    report = ask(make(is_used), meant=meant(was_meant))
    assert [problem.code for problem in report.problems] == ["rotary-scaling"], report
    assert told in report.problems[0].sentence


def test_a_scaling_that_nobody_spoke_of_is_named_if_it_is_one_in_use():
    report = ask(make(LLAMA_3_1))
    assert "angles that are scaled: llama3 (factor 8.0" in report.verdict


def test_a_scaling_like_one_in_use_is_not_named_as_that_one():
    report = ask(make({**LLAMA_3_1, "factor": 16.0}))
    assert "scaling" not in report.details.get("rotary", {})
    assert "llama3" not in str(report)


def test_what_short_probes_cannot_tell_is_said():
    report = ask(make(DYNAMIC), meant=meant(DYNAMIC))
    assert report.status == 0
    assert "cannot be told from none" in report.notes[0]


@pytest.mark.parametrize("scaling", [{"rope_type": "llama4"}, "yarn", {"factor": 2}])
def test_what_is_no_scaling_is_refused(scaling):
    with pytest.raises(ValueError, match="ask: in meant, rotary's scaling"):
        ask(make(None), meant=meant(scaling))
