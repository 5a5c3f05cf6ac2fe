"""The canaries: each catches its bug, and nothing that merely looks right passes."""

from pathlib import Path

import numpy as np
import pytest

from attncheck.canaries import CANARIES, Canaries, canaries_for, model_of, pairs
from attncheck.model.attending import attend
from attncheck.model.fields import Model
from attncheck.subject import Subject

ROOT = Path(__file__).parents[2]
pytest_plugins = ["pytester"]
EXPECTED = {
    "any": Model(),
    "causal": Model(window=(None, 0)),
    "window": Model(window=(7, 0)),
    "softcap": Model(softcap=20.0),
}


def by(model):
    def attention(query, key, value):
        return attend(query, key, value, model).output.astype(np.float32)

    return attention


# The bug that a canary catches, and where the model is more than plain.
FAULTS = {
    "scores are not scaled": {"scale": 1.0},
    "a d of 128 is scaled as 64": {"scale": 0.125},
    "softmax runs over the queries": {"normalized": "queries"},
    "keys and values are exchanged": {"roles": "qvk"},
    "heads that share keys take them in turn": {"grouping": "tile"},
    "all heads read the first key head": {"grouping": "first"},
    "a maximum that starts at 0 loses low scores": {"lowest": 0.0},
    "exp of a large score overflows": {"normalized": "keys, no maximum"},
    **{
        f"the tail after blocks of {b} is dropped": {
            "dropped_keys": f"j < (m - m % {b} or m)"
        }
        for b in (16, 32, 64, 128)
    },
    "padding takes part in the softmax": {"pad": 32},
    "the running sum is not rescaled": {"normalized": "sum not rescaled, 64"},
    "parts of keys are merged by their maxima": {"normalized": "by maximum, 64"},
    "the last column of an odd d is dropped": {"columns": (0, 76)},
    "the columns of values change the scale": {"scale": 0.125},
    "the last query is lost": {"output_order": "last query 0"},
    "heads are put side by side without a transpose": {
        "output_order": "not transposed"
    },
    "allowed keys all weigh the same": {"scale": 0.0},
    "a step of decoding sees other keys": {"window": (3, 0), "offset": 5},
    "a causal mask one key too wide": {"window": (None, 1)},
    "the causal mask is dropped in full tiles": {"window": (None, None)},
    "queries beside a cache are counted from elsewhere": {"offset": 3},
    "a window one key too long": {"window": (8, 0)},
    "a window that is ignored past 128 tokens": {"window": (None, 0)},
    "a cap that is dropped": {"softcap": None},
}


def asked(function, model, monkeypatch):
    canaries = Canaries(Subject(function), model)
    monkeypatch.setattr(canaries, "cause", lambda run: "")
    return canaries


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.catches)
def test_each_catches_its_bug_and_passes_what_is_right(canary, monkeypatch):
    model = EXPECTED[canary.needs]
    assert asked(by(model), model, monkeypatch).failure(canary) == ""
    wrong = model.change(**FAULTS[canary.catches])
    with np.errstate(all="ignore"):
        assert asked(by(wrong), model, monkeypatch).failure(canary) != ""


def test_each_has_a_bug_that_it_catches():
    assert set(FAULTS) == {canary.catches for canary in CANARIES}
    assert sum("#" in canary.thread for canary in CANARIES) == 7


@pytest.mark.parametrize("page", ["attncheck/README.md", "book/who_means_what.md"])
def test_the_failure_that_a_page_shows_is_what_is_printed(page):
    canaries = Canaries(Subject(by(Model(scale="1/d_k"))), Model())
    failure = canaries.failure(CANARIES[0])
    assert f"```\n{failure}\n```" in (ROOT / page).read_text(encoding="utf-8")


def zeros(query, key, value):
    return np.zeros((*query.shape[:3], value.shape[3]), np.float32)


def noise(query, key, value):
    shape = (*query.shape[:3], value.shape[3])
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def averages(query, key, value):
    group = query.shape[1] // key.shape[1]
    mean = np.repeat(value, group, axis=1).mean(-2, keepdims=True)
    return np.broadcast_to(mean, (*query.shape[:3], value.shape[3])).copy()


@pytest.mark.parametrize("function", [zeros, noise, averages])
def test_what_computes_nothing_fails_every_one(function, monkeypatch):
    canaries = asked(function, Model(), monkeypatch)
    passed = [c.catches for c in canaries_for(Model()) if not canaries.failure(c)]
    assert passed == []


def test_answers_for_short_inputs_alone_fail(monkeypatch):
    def short(query, key, value):
        right = by(Model(window=(None, 0)))(query, key, value)
        return right if key.shape[2] <= 128 else np.zeros_like(right)

    model = Model(window=(None, 0))
    canaries = asked(short, model, monkeypatch)
    assert any(canaries.failure(canary) for canary in canaries_for(model))


def test_what_is_right_may_be_said_in_words():
    assert model_of({"alignment": "end", "window": [7, 0]}, {}).alignment == "end"
    assert model_of(pairs(["window=7,0"]), {"is_causal": True}).window == (7, 0)
    assert model_of({}, {"is_causal": True}).window == (None, 0)


def test_a_failure_prints_the_cause_then_numbers(pytester):
    pytester.makepyfile(
        mine="""
        from attnlib import scaled_dot_product_attention

        def right(query, key, value, is_causal=False):
            return scaled_dot_product_attention(
                query, key, value, is_causal=is_causal, enable_gqa=True)

        def wrong(query, key, value):
            return right(query, key, value * 1.0) if key.shape[2] < 2 else (
                scaled_dot_product_attention(
                    query, key, value, scale=1.0, enable_gqa=True))
        """
    )
    options = ("-p", "no:randomly")
    found = pytester.runpytest(*options, "--attncheck", "mine:right")
    assert found.ret == 0
    found.assert_outcomes(passed=len(canaries_for(Model())))
    causal = ("--attncheck", "mine:right", "--attncheck-with", "is_causal=true")
    assert pytester.runpytest(*options, *causal).ret == 0
    found = pytester.runpytest(*options, "--attncheck", "mine:wrong", "-x")
    assert found.ret == 1
    found.stdout.fnmatch_lines(["*scores are multiplied by 1*", "*expected*"])
