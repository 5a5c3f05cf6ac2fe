import numpy as np
import pytest

from attnlib import alibi_bias, attention_weights

# As in the paper's code: the power of two below, then every other slope above.
SLOPES = {
    1: [2**-8],
    2: [2**-4, 2**-8],
    3: [2**-4, 2**-8, 2**-2],
    6: [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3],
    8: [2.0**-i for i in range(1, 9)],
}


@pytest.mark.parametrize("n_heads", SLOPES)
@pytest.mark.parametrize("query_offset", [0, 2, -1])
def test_against_its_rule(n_heads, query_offset):
    bias = alibi_bias(n_heads, 3, 5, query_offset=query_offset)
    assert (bias.shape, bias.dtype) == ((n_heads, 3, 5), float)
    for h, i, j in np.ndindex(n_heads, 3, 5):
        assert bias[h, i, j] == -SLOPES[n_heads][h] * abs(i + query_offset - j)


def test_as_many_keys_as_queries_unless_asked():
    assert alibi_bias(2, 3).shape == (2, 3, 3)


def test_it_is_a_float_mask(rng):
    """With equal scores, weights fall by a factor for each step into the past."""
    zero = np.zeros((4, 3, 5))
    weights = attention_weights(zero, zero, mask=alibi_bias(4, 3), is_causal=True)
    ratios = weights[:, 2, 1] / weights[:, 2, 2]
    np.testing.assert_allclose(ratios, np.exp(-np.array([2**-2, 2**-4, 2**-6, 2**-8])))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((0, 3), "n_heads must be an integer of at least 1"),
        ((2, -1), "n_queries must be an integer of at least 0"),
        ((2, 3, 0), "n_keys must be an integer of at least 1"),
        ((2.0, 3), "n_heads must be an integer"),
    ],
)
def test_errors(sizes, message):
    with pytest.raises(ValueError, match=f"^alibi_bias: {message}"):
        alibi_bias(*sizes)
    with pytest.raises(ValueError, match=r"^alibi_bias: query_offset must be an integ"):
        alibi_bias(2, 3, query_offset=0.5)


def test_offsets_that_no_sequence_reaches():
    with pytest.raises(ValueError, match=r"^alibi_bias: query_offset must be between"):
        alibi_bias(2, 3, query_offset=10**30)
