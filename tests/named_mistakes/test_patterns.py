"""Wrong numbers that no table knows: what is said of them is true, and enough."""

import numpy as np
import pytest

from named_mistakes.patterns.numbers import a_little_less
from named_mistakes.patterns.pair import Pair
from tests.named_mistakes.toys import EXERCISES, assert_found, check

pytestmark = pytest.mark.slow


def changed(name, change):
    """A right answer, and then a change."""
    reference = EXERCISES[name].reference
    return lambda *inputs: change(np.array(reference(*inputs)))


def put(x, where, value=0.0):
    x[where] = value
    return x


FOUND = [
    ("weighted_sum", "off-by-a-factor", lambda x: 2 * x, "times 2, which is 2"),
    ("project", "off-by-a-term", lambda x: x + 1, "is off by 1, the same everywhere"),
    ("scale_scores", "one-step-too-many", np.abs, "its absolute value"),
    ("weighted_sum", "one-step-too-many", lambda x: x.round(1), "rounded to 1 decimal"),
    ("weighted_sum", "one-step-too-many", lambda x: x.round(2), "to 2 decimals"),
    (
        "weighted_sum",
        "one-step-too-many",
        lambda x: x - x.mean(-1, keepdims=True),
        "each row less its mean",
    ),
    ("project", "all-zeros", np.zeros_like, "is 0 everywhere"),
    ("scale_scores", "sign-flipped", np.negative, "has the wrong sign"),
    (
        "project",
        "last-alone-wrong",
        lambda x: put(x, np.s_[..., -1, :]),
        "right but for the last row, which is 0",
    ),
    ("encoding", "right-in-part", lambda x: put(x, np.s_[..., -2:]), "only a part of"),
    (
        "weighted_sum",
        "first-alone-right",
        lambda x: put(x, np.s_[..., 1:, :]),
        "only the first row of your output is right, and the rest is 0",
    ),
    (
        "encoding",
        "right-in-part",
        lambda x: put(x, np.s_[:, 1::2]),
        "only every second column, from the second on, of your encoding is 0",
    ),
    ("split_heads", "order-changed", lambda x: x[..., ::-1, :, :], "the matrices on"),
    ("score_matrix", "diagonal", np.tril, "wrong above the diagonal and nowhere else"),
    (
        "outside_range",
        "right-in-part",
        lambda x: np.where(x == 0, 0.1, x),
        "wrong only where 0 was expected",
    ),
    ("weighted_sum", "rows-all-alike", lambda x: x[..., :1, :] + 0 * x, "every row of"),
    (
        "outside_range",
        "a-little-too-small",
        lambda x: x / (1 + 0.01 / (1 + x)),
        "a little nearer to 0 than expected",
    ),
    (
        "weighted_sum",
        "few-digits",
        lambda x: x.astype(np.float16).astype(float),
        "nearly right",
    ),
    (
        "standardized",
        "few-digits",
        lambda x: x.astype(np.float16).astype(float),
        "nearly right",
    ),
]


@pytest.mark.parametrize(("name", "code", "change", "said"), FOUND)
def test_what_wrong_numbers_have_in_common(name, code, change, said):
    assert_found(name, code, changed(name, change))
    messages = [f.message for f in check(name, changed(name, change), seed=0).findings]
    assert any(said in message for message in messages)


def test_a_factor_is_named_after_the_size_that_makes_it():
    report = check("look_up", lambda ids, table: table[ids] * table.shape[1] ** 0.5)
    assert report.findings[0].code == "off-by-a-factor"
    assert "is the length of axis -1 of table" in report.findings[0].message


@pytest.mark.parametrize("name", ["project", "attention", "softmax", "standardized"])
def test_nothing_is_said_of_numbers_without_a_pattern(name):
    answer = changed(name, lambda x: x + np.sin(9 * x) + 0.1 * np.cos(x**2))
    codes = {finding.code for finding in check(name, answer, seed=0).findings}
    assert codes & {"wrong-numbers", "not-normalized"}
    assert len(codes) == 1


def test_what_differs_each_time():
    rng = np.random.default_rng()
    assert_found(
        "project", "differs-each-time", lambda x, w: x @ w + rng.random((1, 1))
    )


def test_sizes_that_are_taken_for_each_other():
    answer = lambda ids, table: np.eye(table.shape[1])[ids] @ table  # noqa: E731
    report = check("look_up", answer, seed=0)
    (finding,) = (f for f in report.findings if f.code != "crashed")
    assert finding.code == "sizes-mixed-up"
    assert "axis -1 of table and the length of axis -2 of table" in finding.message


def test_a_tuple_where_one_array_was_expected():
    report = check("attention", lambda q, k, v: (q, v))
    assert "Return that one alone" in report.findings[0].message


def test_crashes_tell_mistakes_apart_that_agree_where_they_run():
    """A reshape never stops; a product of two arrays as they are does."""

    def reshaped(query, key):
        return query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])

    for answer, code in (
        (reshaped, "reshaped-instead-of-transposed"),
        (lambda q, k: q @ k, "key-not-transposed"),
    ):
        codes = {f.code for f in check("scores", answer, seed=0).findings}
        assert code in codes
        assert not codes & {
            "reshaped-instead-of-transposed",
            "key-not-transposed",
        } - {code}


def test_numbers_near_0_are_not_called_a_little_too_small():
    expected = np.array([1e-4, -2e-4, 3e-4])
    assert a_little_less([Pair(0.9 * expected, expected, None)], "effect") is None
