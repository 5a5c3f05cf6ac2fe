"""A large run is read by its parts: what does not fit a few queries is not computed."""

import itertools

import numpy as np
import pytest

from attncheck import read_run
from attncheck.formats import round_to
from attncheck.mistakes import Sizes, catalogue, only_large
from attncheck.model import Model, attend, attending

pytestmark = pytest.mark.slow

ROWS_MOVED = ["not transposed", "not transposed back", "last query 0"]


def models(shape):
    """Every mistake, and every one together with an output whose rows are moved."""
    _, h, g, n, m, d = shape
    sizes = Sizes(h, g, n, m, d, d)
    for base in (Model(), Model(window=(4, 0), softcap=4.0)):
        for mistake in [*catalogue(), *only_large()]:
            model = mistake.change(base, sizes)
            if model is not None:
                yield model
                yield from (model.change(gives=gives) for gives in ROWS_MOVED)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 4, 2, 21, 45, 16), (1, 6, 6, 17, 17, 8)])
def test_a_few_queries_are_what_all_of_them_give(shape):
    b, h, g, n, m, d = shape
    rng = np.random.default_rng(0)
    query = rng.standard_normal((b, h, n, d))
    key, value = rng.standard_normal((2, b, g, m, d))
    rows = np.array([0, 5, n - 1])
    for model in models(shape):
        if model.roles != "qkv" and (n, h) != (m, g):
            continue
        with np.errstate(all="ignore"):
            few = attend(query, key, value, model, rows)
            whole = attend(query, key, value, model).take(rows)
        for one, other in zip(few, whole, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-12, err_msg=str(model))


@pytest.mark.parametrize("gives", ROWS_MOVED)
@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
def test_rows_that_are_moved_bring_their_rounding_along(gives, name):
    for seed, causal in itertools.product(range(3), (True, False)):
        rng = np.random.default_rng(seed)
        q, k, v = (round_to(rng.standard_normal((2, 4, 64, 16)), name) for _ in "qkv")
        model = Model(gives=gives, window=(None, 0 if causal else None))
        output = round_to(attend(q, k, v, model).output, name)
        report = read_run(q, k, v, output, dtype=name, is_causal=causal)
        assert report.details.get("mistakes") == [f"output: {gives}"], (seed, causal)


@pytest.mark.slow
def test_an_unknown_mistake_costs_little_more_than_a_known_one(monkeypatch):
    weigh, counts = attending.weigh, []

    def counted(scores, allowed, model):
        counts.append(scores.size)
        return weigh(scores, allowed, model)

    monkeypatch.setattr(attending, "weigh", counted)
    rng = np.random.default_rng(0)
    h, n = 8, 256
    q, k, v = rng.standard_normal((3, 1, h, n, 16))
    output = attend(q, k, v, Model(window=(None, 0))).output
    output[:, 3] = 1.3 * output[:, 3] + np.sin(np.arange(16))
    counts.clear()
    report = read_run(q, k, v, output, dtype="float32", is_causal=True)
    assert [problem.code for problem in report.problems] == ["unknown"]
    assert len(counts) > 2000  # known mistakes and pairs that were tried
    assert sum(counts) < 60 * h * n * n  # as often as all was computed
