"""What else holds for encoder_layer, beside its answers."""

import numpy as np

import attnlib
from attncourse.practice import EXERCISES

NAME = "encoder_layer"


def test_reference_is_a_layer_whose_values_are_the_rows():
    """With the uniform weights of a zero query, attnlib's own layer gives the same."""
    d, rng = 5, np.random.default_rng(0)
    zero, eye, ones = np.zeros((d, d)), np.eye(d), np.ones(d)
    attention = attnlib.MultiHeadAttention(zero, zero, eye, eye, n_heads=1)
    parts = [rng.standard_normal(s) for s in ((d, 7), 7, (7, d), d)]
    layer = attnlib.EncoderLayer(attention, *parts, ones, 0 * ones, ones, 0 * ones)
    x = rng.standard_normal((3, d))
    got = EXERCISES[NAME].reference(x, np.full((3, 3), 1 / 3), *parts)
    np.testing.assert_allclose(got, layer(x), atol=1e-12)
