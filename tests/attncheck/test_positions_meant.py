"""What `meant` says of positions; and what the verdict adds where it says nothing."""

import numpy as np
import pytest
from attentions import make, rope

from attncheck import ask

pytestmark = pytest.mark.slow

PAIRS = make(turn=lambda x: rope(x, pairs=True, base=500_000.0))
HALVES = make(turn=rope)
PUBLISHED = tuple(2.0 ** -np.arange(1, 9))


def steep(heads):
    return [2.0**-i for i in range(heads)]


def published(heads):
    return [2.0 ** -(8 * (i + 1) / heads) for i in range(heads)]


def verdict(function, **meant):
    return ask(function, meant=meant).verdict.partition(": ")[2]


def test_unusual_positions_are_in_the_first_line():
    words = verdict(PAIRS, position="rotary")
    assert words.startswith("nothing wrong was found, but its rotary positions have")
    assert "pairs of neighbors" in words
    assert "base 500,000" in words
    assert verdict(HALVES, position="rotary") == "nothing wrong was found."
    assert "rotated by their place (rotary)" in verdict(HALVES)
    assert "slopes are not those of the paper" in verdict(
        make(slope=steep), position="alibi"
    )


def test_positions_that_were_meant_are_compared():
    right = {"base": 5e5, "interleaved": True, "rotary_dim": 64}
    assert verdict(PAIRS, rotary=right) == "nothing wrong was found."
    report = ask(PAIRS, meant={"rotary": {"base": 1e4, "interleaved": False}})
    codes = [problem.code for problem in report.problems]
    assert codes == ["rotary-base", "rotary-interleaved"]
    assert "base was meant to be 10000.0; it is 500000.0" in str(report)


def test_of_queries_that_turn_alone_one_problem_is_said():
    def attention(query, key, value):
        return make()(rope(query).astype(query.dtype), key, value)

    report = ask(attention, meant={"rotary": {"base": 1e4}})
    assert [problem.code for problem in report.problems] == ["rotary"]


@pytest.mark.parametrize("cap", [30.0, 5.0])
def test_a_cap_does_not_bend_the_base(cap):
    meant = {"softcap": cap, "rotary": {"base": 1e4, "interleaved": False}}
    assert verdict(make(turn=rope, cap=cap), **meant) == "nothing wrong was found."


def test_the_opposite_direction_is_not_what_was_meant():
    turned = make(turn=lambda x: rope(x[..., ::-1, :])[..., ::-1, :])
    report = ask(turned, meant={"rotary": {"base": 1e4}})
    assert [problem.code for problem in report.problems] == ["rotary-backwards"]
    assert "64 of 64 columns, in the opposite direction." in " ".join(
        str(report).split()
    )


@pytest.mark.parametrize("wanted", ["published", PUBLISHED])
def test_slopes_that_were_meant_are_compared(wanted):
    assert ask(make(slope=steep), meant={"slopes": wanted}).problems[0].code == "slopes"
    codes = [
        p.code for p in ask(make(slope=published), meant={"slopes": PUBLISHED}).problems
    ]
    assert codes == []


@pytest.mark.parametrize("more", [{"rotary": {"base": 1e4}}, {"slopes": "published"}])
def test_positions_that_were_meant_and_are_not_there_are_a_problem(more):
    report = ask(make(), meant=more)
    assert [problem.code for problem in report.problems] == ["position"]
    kind = "rotary" if "rotary" in more else "alibi"
    assert f"position was meant to be '{kind}'; it is None." in str(report)


@pytest.mark.parametrize(
    ("meant", "words"),
    [
        ({"rotary": {"bass": 1}}, "rotary is a dict of base, interleaved, rotary_dim"),
        ({"rotary": "halves"}, "got 'halves'"),
        ({"slopes": "steep"}, 'slopes are "published" or a number for each head'),
    ],
)
def test_what_cannot_be_meant_is_refused(meant, words):
    with pytest.raises(ValueError, match=words):
        ask(HALVES, meant=meant)


def test_a_number_that_hides_too_little_is_in_the_first_line():
    causal = {"sees": lambda i, j, more: j <= i}
    words = verdict(make(low=-1e4, **causal))
    assert "keys that are hidden get a weight" in words
    assert verdict(make(low=-1e9, **causal)) == "nothing wrong was found."
    assert verdict(make(**causal)) == "nothing wrong was found."


def test_large_scores_that_overflow_are_in_the_first_line():
    assert "it gives NaN" in verdict(make(shift=False))
    codes = [
        p.code for p in ask(make(shift=False), meant={"large_scores": "fine"}).problems
    ]
    assert codes == ["large-scores"]


def test_all_keys_but_its_own_is_no_causal_mask():
    report = ask(make(sees=lambda i, j, more: i != j), meant={"alignment": "none"})
    assert report.status == 0
    assert report.verdict.endswith("but no query sees its own key.")


def test_a_block_that_is_skipped_is_not_called_a_tail():
    skips = make(sees=lambda i, j, more: j // 32 < i // 32)
    report = ask(lambda q, k, v: np.nan_to_num(skips(q, k, v)))
    assert "a block that is not full" not in str(report)
    assert report.status == 1


def test_a_mask_in_place_of_the_causal_one_mixes_no_sentences():
    def attention(query, key, value, attention_mask=None):
        n, m = query.shape[-2], key.shape[-2]
        own = np.tri(n, m, dtype=bool) if attention_mask is None else attention_mask
        scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
        weights = np.exp(np.where(own, scores, -np.inf))
        return weights / weights.sum(-1, keepdims=True) @ value

    report = ask(attention, meant={"alignment": "start", "mask": "may attend"})
    assert report.problems == []
    assert report.details["mask_in_place_of_band"]
    assert "takes the place of" in report.verdict


def test_the_scale_of_sigmoids_is_no_slope():
    def attention(query, key, value):
        scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
        return 1 / (1 + np.exp(-scores)) @ value

    report = ask(attention)
    assert report.facts["scale_name"] == "1/√d_k"
    assert "times 0.125 at d_k = 64: 1/√d_k." in str(report)


def test_the_empty_row_of_a_mask_that_is_transposed():
    def attention(query, key, value, mask=None):
        scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
        if mask is not None:
            scores = np.where(mask.swapaxes(-1, -2), scores, -np.inf)
        weights = np.exp(scores - np.nan_to_num(scores.max(-1, keepdims=True)))
        total = weights.sum(-1, keepdims=True)
        return weights / np.where(total > 0, total, 1) @ value

    report = ask(attention)
    assert [problem.code for problem in report.problems] == ["mask-transposed"]
    assert report.facts["empty_row"] == "zeros"


@pytest.mark.parametrize(
    ("slope", "words"),
    [
        (lambda h: [x / 8 for x in published(h)], "They are added before the scale"),
        (lambda h: [3 * x for x in published(h)], "Each is 3 times as large"),
        (lambda h: published(h)[::-1], "They are in reversed order."),
        (
            lambda h: [x / 8 for x in published(h)[::-1]],
            "They are in reversed order. They are added before the scale",
        ),
    ],
)
def test_it_says_how_slopes_became_others(slope, words):
    report = ask(make(slope=slope), meant={"slopes": PUBLISHED})
    (problem,) = report.problems
    assert words in problem.sentence
    np.testing.assert_allclose(problem.numbers["found"], slope(8), rtol=1e-3)
    assert report.unexplained == ""
