"""What a report names is computed again: what does not hold is not said."""

import numpy as np
import pytest
from attentions import make, rope

from attncheck import ask, read_run
from attncheck.formats import round_to
from attncheck.model import Model, attend

pytestmark = pytest.mark.slow


def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def scores_of(query, key):
    return query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])


def at_end(n, m):
    return np.arange(m) <= np.arange(n)[:, None] + m - n


def rotated_from(x, first):
    before = np.zeros((*x.shape[:-2], first, x.shape[-1]))
    return rope(np.concatenate([before, x], -2))[..., first:, :]


def cached(query, key, value, forgotten=False):
    n, m = query.shape[-2], key.shape[-2]
    first = 0 if forgotten else max(m - n, 0)
    s = scores_of(rotated_from(query, first), rope(key))
    return (softmax(np.where(at_end(n, m), s, -1e30)) @ value).astype(query.dtype)


def turned(turn):
    def attention(query, key, value):
        s = scores_of(turn(query), turn(key))
        return (softmax(s) @ value).astype(query.dtype)

    return attention


def angles(x, places=None):
    n, d = x.shape[-2:]
    places = np.arange(n) if places is None else places
    angle = places[:, None] / 1e4 ** (np.arange(0, d, 2) / d)
    return np.cos(angle), np.sin(angle)


def table_of_halves(x):
    c, s = (np.concatenate([t, t], -1) for t in angles(x))
    other = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    return x * c + other * s


def half_the_place(x):
    n, d = x.shape[-2:]
    c, s = angles(x, np.arange(n) // 2)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate([a * c - b * s, b * c + a * s], -1)


def changed_in_between(x):
    d = x.shape[-1]
    c, s = angles(x)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    first = a * c - b * s
    return np.concatenate([first, b * c + first * s], -1)


def capped_twice(query, key, value):
    s = scores_of(query, key)
    for _ in range(2):
        s = 5 * np.tanh(s / 5)
    return softmax(s) @ value


def mean_for_sum(query, key, value):
    e = np.exp(scores_of(query, key))
    return e / e.mean(-1, keepdims=True) @ value


def slopes(h):
    return 2.0 ** (-8 * np.arange(1, h + 1) / h)


def test_angles_that_are_laid_out_for_other_pairs_are_named():
    (problem,) = ask(turned(table_of_halves)).problems
    words = (
        "laid out for pairs of halves, and columns rotated in others (pairs of neigh"
    )
    assert words in problem.sentence


@pytest.mark.parametrize(
    "function",
    [
        *(turned(half_the_place), turned(changed_in_between)),
        *(capped_twice, make(cap=5.0, slope=slopes)),
    ],
    ids=["half-place", "in-between", "cap-twice", "cap-and-alibi"],
)
def test_numbers_that_do_not_hold_are_not_said(function):
    report = ask(function)
    assert report.status != 0
    assert report.unexplained
    facts = ("scale", "scale_name", "softcap", "position", "alignment", "window")
    assert {name: report.facts[name] for name in facts} == dict.fromkeys(facts)
    assert not {"rotary", "slopes", "bits"} & set(report.details)
    assert {problem.code for problem in report.problems} <= {"rows"}
    assert report.sentences == []


def test_an_offset_that_the_rotation_forgets():
    assert ask(cached).problems == []
    report = ask(lambda *inputs: cached(*inputs, forgotten=True))
    assert [problem.code for problem in report.problems] == ["rotary-offset"]
    assert report.details["rotary"]["base"] == 1e4


def test_a_mask_that_begins_anew_is_told_for_blocks_of_any_size():
    def restarted(query, key, value):
        causal = make(sees=lambda i, j, more: j <= i)
        parts = np.split(query, range(48, query.shape[-2], 48), -2)
        return np.concatenate([causal(part, key, value) for part in parts], -2)

    (problem,) = ask(restarted).problems
    assert problem.code == "mask-begins-anew"
    assert "block of 48 queries: query 48 sees only key 0 again" in problem.sentence


def test_what_differs_at_some_queries_is_told():
    def moved(query, key, value):
        output = make()(query, key, value)
        late = output[..., 192:, :]
        output[..., 192:, :] = late[..., ::-1, :]
        return output

    (problem,) = ask(moved).problems
    assert problem.code == "wrong-when-long"
    assert "all of them in queries 192" in problem.sentence


@pytest.mark.parametrize("causal", [False, True])
def test_a_key_that_is_transposed_by_its_shape_is_wrong_when_square(causal):
    def guessing(query, key, value):
        square = key.shape[-2] == key.shape[-1]
        scores = query @ (key if square else key.mT) / query.shape[-1] ** 0.5
        if causal:
            n, m = scores.shape[-2:]
            scores = np.where(np.tri(n, m, m - n, dtype=bool), scores, -np.inf)
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        return powers / powers.sum(-1, keepdims=True) @ value

    report = ask(guessing)
    assert [problem.code for problem in report.problems] == ["wrong-when-square"]
    assert "as many tokens as columns (64)" in str(report)


def masked(hide):
    def attention(query, key, value, mask=None):
        return softmax(hide(scores_of(query, key), mask)) @ value

    return attention


def joined_with_or(s, mask):
    n, m = s.shape[-2:]
    own = np.arange(m) <= np.arange(n)[:, None]
    return np.where(own if mask is None else own | mask, s, -1e30)


def of_the_last_head(s, mask):
    if mask is not None:
        s = s.copy()
        s[:, -1] = np.where(np.broadcast_to(mask, s.shape)[:, -1], s[:, -1], -1e30)
    return s


@pytest.mark.parametrize(
    ("hide", "code", "words"),
    [
        (joined_with_or, "mask-adds-keys", "joined with OR"),
        (of_the_last_head, "mask-of-some-heads", "reaches 1 of 2 heads"),
    ],
)
def test_masks_that_are_read_otherwise(hide, code, words):
    report = ask(masked(hide), meant={"mask": "may attend"})
    assert code in {problem.code for problem in report.problems}
    assert words in str(report)


def test_a_mask_that_changes_nothing():
    report = ask(masked(lambda s, mask: s), meant={"mask": "may attend"})
    assert "changes nothing" in report.problems[0].sentence


@pytest.mark.parametrize(
    ("meant", "words"),
    [
        ({"alignmnet": "start"}, "alignment"),
        ({"alignment": "strat"}, "'start'"),
        ({"scale_name": "1/√dk"}, "1/√d_k"),
        ({"softcap": "50"}, "is a number"),
        ({"window": 3}, "two bounds"),
        ({"mask": "may-attend"}, "'may attend'"),
        ({"layout": "bxnd"}, "'bhnd'"),
    ],
)
def test_what_no_report_can_say_is_refused(meant, words):
    with pytest.raises(ValueError, match="ask: ") as refused:
        ask(make(), meant=meant)
    (value,) = meant.values()
    assert words in str(refused.value)
    assert repr(value) in str(refused.value) or "alignmnet" in str(refused.value)


def test_a_mistake_within_rounding_is_told_by_its_sum():
    rng = np.random.default_rng(3)
    shape = (2, 4, 48, 16)
    q, k, v = (round_to(0.3 * rng.standard_normal(shape), "bfloat16") for _ in range(3))
    right = round_to(attend(q, k, v, Model()).output, "bfloat16")
    assert read_run(q, k, v, right, dtype="bfloat16").status == 0
    wrong = Model(scale="1/√(d_k − 1)")
    output = round_to(attend(q, k, v + 0, wrong).output, "float32")
    report = read_run(q, k, v, output, dtype="bfloat16")
    assert report.details["mistakes"] == ["scale: 1/√(d_k − 1)"]
