"""Each mistake is named, by the fact or by the problem that tells it."""

import math

import numpy as np
import pytest
from attentions import causal, causal_at_end, make, plain, tile

from attncheck import ask
from attncheck.report import FACTS

pytestmark = pytest.mark.slow

right = plain()


def exchanged(query, key, value):
    return right(query, value, key)


def keys_as_values(query, key, value):
    return right(query, key, key)


def turned_around(query, key, value):
    return right(key, query, value)


def backwards(query, key, value):
    return right(query, key, value[..., ::-1, :])


def greedy(query, key, value):
    query *= 0.125
    return plain(scale=1.0)(query, key, value)


def queries_as_keys(query, key, value):
    return right(query, query, value)


def relu(query, key, value):
    weights = np.maximum(query @ key.swapaxes(-1, -2), 0)
    return weights / (weights.sum(-1, keepdims=True) + 1e-6) @ value


def reshaped(query, key, value):
    output = plain(sees=causal)(query, key, value)
    b, h, n, d = output.shape
    return output.reshape(b, n, h * d)


def mixed(query, key, value):
    return right(query, key, value) + 0.1 * value[:, ::-1]


class Random:
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def __call__(self, query, key, value):
        output = right(query, key, value)
        return output * (self.rng.random(output.shape) > 0.1) / 0.9


def over_heads(query, key, value):
    s = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True) @ value


def sigmoid(query, key, value):
    s = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])
    return 1 / (1 + np.exp(-s)) @ value


def refuses(query, key, value):
    raise RuntimeError("no kernel for this")


def wrong_shape(query, key, value):
    return query[..., :3]


def text(query, key, value):
    return "attention"


def all_nan(query, key, value):
    return value * np.nan


FAULTY = {
    "no scale": (plain(scale=1.0), {"scale_name": "1 (none)"}),
    "by d_k": (plain(scale=lambda d: 1 / d), {"scale_name": "1/d_k"}),
    "by √ of d_k − 1": (
        plain(scale=lambda d: (d - 1) ** -0.5),
        {"scale_name": "1/√(d_k − 1)"},
    ),
    "times √d_k": (plain(scale=lambda d: d**0.5), {"scale_name": "√d_k"}),
    "negated": (
        plain(scale=lambda d: -(d**-0.5)),
        {"scale_name": "−1/√d_k (negated)"},
    ),
    "exp for exp2": (
        plain(scale=lambda d: math.log2(math.e) * d**-0.5),
        {"scale_name": "log2(e)/√d_k (exp for exp2)"},
    ),
    "strict": (plain(sees=lambda i, j, more: j < i), {"alignment": "strict"}),
    "one too many": (
        plain(sees=lambda i, j, more: j <= i + 1),
        {"alignment": "one-too-many"},
    ),
    "inverted": (plain(sees=lambda i, j, more: j > i), {"alignment": "inverted"}),
    "inverted with its own": (
        plain(sees=lambda i, j, more: j >= i),
        {"alignment": "inverted"},
    ),
    "window and one": (
        plain(sees=lambda i, j, more: (j <= i) & (j >= i - 4)),
        {"window": (4, 0), "alignment": "start"},
    ),
    "tile": (make(groups=tile), {"grouping": "tile"}),
    "no maximum": (plain(shift=False), {"large_scores": "nan"}),
    "a mean for nobody": (
        plain(sees=causal_at_end, low=-1e30),
        {"alignment": "end", "empty_row": "mean"},
    ),
    "no scale and one too many": (
        plain(scale=1.0, sees=lambda i, j, more: j <= i + 1),
        {"scale_name": "1 (none)", "alignment": "one-too-many"},
    ),
}
NOBODY_MEANS = {
    "queries": (plain(axis=-2), "rows", {"normalized": "queries"}),
    "causal and queries": (
        plain(axis=-2, sees=causal),
        "rows",
        {"normalized": "queries", "alignment": "start"},
    ),
    "not normalized": (plain(norm=False), "rows", {"normalized": "no"}),
    "exp alone": (plain(norm=False, shift=False), "rows", {"normalized": "no"}),
    "over the heads": (over_heads, "rows", {"normalized": "no"}),
    "sigmoid": (sigmoid, "rows", {"normalized": "no"}),
    "multiplied after": (
        plain(sees=causal, after=True),
        "rows",
        {"mask": "multiplied after", "alignment": "start"},
    ),
    "strict": (plain(sees=lambda i, j, more: j < i), "nan", {"empty_row": "nan"}),
    "mask before a cap": (
        plain(sees=causal, cap=5.0, cap_last=True),
        "mask-leaks",
        {"softcap": 5.0, "alignment": "start"},
    ),
    "causal, multiplied onto the scores": (
        plain(sees=causal, low=0.0),
        "mask-leaks",
        {"alignment": "start", "scale_name": "1/√d_k"},
    ),
    "a window at the end, multiplied, no scale": (
        plain(
            sees=lambda i, j, more: (j <= i + more) & (j > i + more - 4), low=0, scale=1
        ),
        "mask-leaks",
        {"alignment": "end", "window": (3, 0), "scale_name": "1 (none)"},
    ),
    "inverted, multiplied, negated": (
        plain(sees=lambda i, j, more: j >= i, low=0.0, scale=-0.125),
        "mask-leaks",
        {"alignment": "inverted", "window": None},
    ),
    "causal, filled with −10": (
        plain(sees=causal, low=-10.0),
        "mask-leaks",
        {"alignment": "start"},
    ),
    "blocks of 16": (plain(block=16), "tail-dropped", {"scale_name": "1/√d_k"}),
    "blocks of 64": (plain(block=64), "tail-dropped", {}),
    "the tail of 32 in long runs": (plain(block=32, whole=True), "tail-dropped", {}),
    "start at −50,000": (plain(start=-5e4), "low-scores-lost", {}),
    "exchanged": (exchanged, "keys-values-exchanged", {"scale_name": "1/√d_k"}),
    "keys as values": (keys_as_values, "values-not-used", {}),
    "turned around": (turned_around, "queries-keys-exchanged", {}),
    "queries as keys": (queries_as_keys, "queries-as-keys", {}),
    "backwards": (backwards, "values-reversed", {}),
    "changes its query": (greedy, "arguments-changed", {}),
    "reshape, no transpose": (reshaped, "heads-scrambled", {"alignment": "start"}),
    "mixes heads": (mixed, "mixed-axes", {}),
    "random": (Random(), "not-the-same-twice", {}),
    "NaN": (all_nan, "nan", {}),
    "refuses": (refuses, "refused", {}),
    "a wrong shape": (wrong_shape, "refused", {}),
    "no array": (text, "refused", {}),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_mistake_shows_in_the_facts(name):
    function, facts = FAULTY[name]
    report = ask(function)
    assert {k: report.facts[k] for k in facts} == facts
    assert report.unexplained == ""


@pytest.mark.parametrize("name", NOBODY_MEANS)
def test_what_nobody_can_mean_is_a_problem(name):
    function, code, facts = NOBODY_MEANS[name]
    report = ask(function)
    assert code in [problem.code for problem in report.problems]
    assert {k: report.facts[k] for k in facts} == facts
    assert report.status == 1
    assert tuple(report.facts) == FACTS


def test_what_is_no_softmax_is_not_given_a_name():
    report = ask(relu)
    assert (report.status, report.problems, report.facts["scale"]) == (2, [], None)


def test_what_differs_from_what_was_meant_comes_first():
    meant = {"alignment": "end", "scale": 0.125, "grouping": "repeat"}
    report = ask(plain(sees=causal, block=16), meant=meant)
    assert [problem.code for problem in report.problems] == [
        "alignment",
        "tail-dropped",
    ]
    assert str(report).splitlines()[2].startswith("  • alignment was meant to be 'end'")


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"meant": {"aligned": "end"}}, "got 'aligned'"),
        ({"layout": "bhd"}, "got 'bhd'"),
        ({"dtype": "int8"}, "got 'int8'"),
    ],
)
def test_wrong_questions_are_refused(keywords, words):
    with pytest.raises(ValueError, match=words):
        ask(right, **keywords)
