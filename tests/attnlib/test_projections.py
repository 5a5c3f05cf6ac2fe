import numpy as np
import pytest

from attnlib.projections import project, random_weight
from tests.attnlib import oracle


def test_against_loops(xp, rng):
    x, weight, bias = (
        rng.normal(size=(3, 5)),
        rng.normal(size=(5, 7)),
        rng.normal(size=7),
    )
    got = project(xp.asarray(x), xp.asarray(weight), xp.asarray(bias))
    expected = oracle.project(x, weight, bias)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-12)


def test_identity_returns_the_rows():
    x = [[1.0, 2.0], [3.0, 4.0]]
    np.testing.assert_array_equal(project(x, np.eye(2)), x)


def test_batches(rng):
    x, weight = rng.normal(size=(2, 3, 5)), rng.normal(size=(5, 7))
    np.testing.assert_allclose(project(x, weight)[1], project(x[1], weight), rtol=1e-13)


def test_random_weights_keep_the_variance(rng):
    weight = random_weight(rng, 400, 300)
    assert weight.shape == (400, 300)
    assert weight.var() == pytest.approx(1 / 400, rel=0.02)
    assert weight.mean() == pytest.approx(0, abs=0.001)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((3, 5), (7, 5), None), r"rows of x must .* x \(3, 5\) and weight \(7, 5\)$"),
        (((3, 5), (5,), None), r"weight must be a matrix .* got weight \(5,\)$"),
        (((3, 5), (5, 0), None), r"weight must be a matrix .* got weight \(5, 0\)$"),
        (((3, 5), (5, 7), (5,)), r"bias must have shape \(7,\), got bias \(5,\)$"),
        (((5,), (5, 7), None), r"x must have shape .* got x \(5,\)$"),
    ],
)
def test_errors(shapes, message):
    x, weight, bias = (None if s is None else np.ones(s) for s in shapes)
    with pytest.raises(ValueError, match=f"^project: {message}"):
        project(x, weight, bias)
