"""The calls of attnlib that are written from a layer's facts, run beside transformers'
own attention: small models of random numbers, in float32."""

import dataclasses

import pytest

from attnconfig import read
from attnconfig.attention import Rope
from attncourse.real_model.configuration.calls import calls
from tests.parity import called, small_models

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
ELSEWHERE = {"codegen", "dbrx"}
NAMES = [name for name in small_models.NAMES if small_models.writes(name)]
NAMES = [name for name in NAMES if name not in ELSEWHERE]


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
    facts = Rope.facts
    half = {"columns": 8}
    monkeypatch.setattr(
        Rope, "facts", lambda *a: dataclasses.replace(facts(*a), **half)
    )
    assert min(called.compare(prepared("gemma2")).values()) > CLOSE
