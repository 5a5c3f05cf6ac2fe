"""A run is given a name only where the numbers, and all that was given, bear it out."""

from __future__ import annotations

import numpy as np
import pytest

from attncheck import read_run
from attncheck.formats import FORMATS, round_to
from attncheck.mistakes import catalogue
from attncheck.model import Model
from attncheck.reading.likelier import is_nearer
from attncheck.reading.rounding import tolerance
from attncheck.reading.run import Run
from attncheck.reading.search import Found
from attncheck.reading.stages import allowed_by
from attnlib import softmax

FLOAT32 = FORMATS["float32"]


def draw(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal((3, *shape)).astype(np.float32)


def weights_of(q, k):
    return softmax(q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5)


@pytest.mark.parametrize(("share", "named"), [(0.8, False), (0.2, True)])
def test_what_is_hardly_beyond_rounding_is_named_if_little_is_left(share, named):
    q, k, v = draw(1, 2, 9, 8).astype(float)
    right = Run(q, k, v, weights_of(q, k) @ v, FLOAT32)
    found = right.compute(Model())
    output = found.output.copy()
    output[0, 0, 0, 0] += 1.01 * tolerance(found, FLOAT32)[0, 0, 0, 0]
    off = Run(q, k, v, output, FLOAT32)
    assert 1 < off.error(Model()) < 1.1
    assert is_nearer(off, Model(), FLOAT32, Found((), Model(), share)) == named


def test_a_mistake_in_weights_that_were_right_is_no_name():
    q, k, v = draw(1, 2, 9, 8).astype(float)
    given = {"weights": weights_of(q, k)}
    run = Run(q, k, v, given["weights"] @ v, FLOAT32)
    scale = next(one for one in catalogue() if one.code == "scale: 1 (none)")
    changed = Model(scale="1 (none)")
    assert not allowed_by(given, run, Model(), Found((scale,), changed, 0.0))
    values = next(one for one in catalogue() if one.code == "values: reversed")
    reversed_values = Model(values="reversed")
    assert allowed_by(given, run, Model(), Found((values,), reversed_values, 0.0))


def test_transposed_weights_are_named_where_the_weights_were_right():
    q, k, v = draw(1, 2, 9, 8)
    w = weights_of(q, k)
    report = read_run(q, k, v, w.swapaxes(-1, -2) @ v, weights=w)
    assert report.details["mistakes"] == ["values: transposed weights"]
    assert report.details["first_wrong_stage"] == "output"


def test_blocks_that_are_merged_one_into_the_next_are_right():
    q, k, v = np.round(3 * draw(2, 4, 16, 16, seed=3))
    top = np.float32(-1e9)
    output = total = None
    for start in range(0, 16, 4):
        part = slice(start, start + 4)
        s = q @ k[..., part, :].swapaxes(-1, -2) / np.float32(4)
        top = s.max(-1, keepdims=True)
        e = np.exp(s - top)
        some = e @ v[..., part, :] / e.sum(-1, keepdims=True)
        lse = top + np.log(e.sum(-1, keepdims=True))
        if output is None:
            output, total = some, lse
            continue
        output = output - (output - some) / (1 + np.exp(total - lse))
        total = np.logaddexp(total, lse)
    assert read_run(q, k, v, output, dtype="float32").status == 0


def test_rows_that_see_nothing_do_not_make_a_narrow_format_a_mistake():
    q, k, v = draw(2, 2, 24, 8, seed=4)
    rounded = [round_to(x, "tfloat32") for x in (q, k, v)]
    s = rounded[0] @ rounded[1].swapaxes(-1, -2) / 8**0.5
    seen = np.broadcast_to(np.arange(24)[:, None] < 9, s.shape)
    w = np.where(seen, softmax(s), 0)
    output = (w @ rounded[2]).astype(np.float32)
    report = read_run(q, k, v, output, mask=seen)
    assert report.status == 2, report
    assert "11 bits" in report.unexplained


def test_the_stored_format_counts_where_numbers_are_few():
    q, k = np.full((5, 1), 6, np.float16), np.full((6, 1), 6, np.float16)
    v = draw(6, 1)[0].astype(np.float16)
    output = np.full((5, 1), v.astype(float).mean()).astype(np.float16)
    assert read_run(q, k, v, output, layout="nd").status == 0


def test_scores_far_from_0_may_be_rounded():
    q, k, v = draw(1, 2, 48, 80, seed=5)
    q[..., 0], k[..., 0] = 60.0, -60.0
    s = np.float32(80**-0.5) * (q @ k.swapaxes(-1, -2))
    report = read_run(q, k, v, np.zeros_like(v), scores=s)
    assert report.details["first_wrong_stage"] == "after the scores"
