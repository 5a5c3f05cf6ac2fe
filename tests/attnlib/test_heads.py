import numpy as np
import pytest

from attnlib.heads import merge_heads, split_heads


def test_head_h_takes_its_columns(xp):
    x = np.arange(2 * 5 * 21).reshape(2, 5, 21)
    heads = np.asarray(split_heads(xp.asarray(x), 3))
    assert heads.shape == (2, 3, 5, 7)
    for h in range(3):
        np.testing.assert_array_equal(heads[:, h], x[..., 7 * h : 7 * (h + 1)])


def test_merging_undoes_splitting(xp):
    x = np.arange(2 * 5 * 21).reshape(2, 5, 21)
    merged = merge_heads(split_heads(xp.asarray(x), 3))
    np.testing.assert_array_equal(np.asarray(merged), x)


def test_heads_are_put_side_by_side():
    heads = [[[1, 2]], [[3, 4]], [[5, 6]]]  # three heads, one token, d_k = 2
    np.testing.assert_array_equal(merge_heads(heads), [[1, 2, 3, 4, 5, 6]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: split_heads(np.ones((5, 12)), 5),
            r"^split_heads: d_model must be divisible by n_heads, "
            r"got d_model 12 and n_heads 5$",
        ),
        (lambda: split_heads(np.ones((5, 12)), 0), r"^split_heads: n_heads must be"),
        (lambda: split_heads(np.ones(12), 3), r"^split_heads: x must have shape"),
        (lambda: merge_heads(np.ones((5, 12))), r"^merge_heads: heads must have shape"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
