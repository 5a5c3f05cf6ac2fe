"""The page's model computes what attnlib does with the same rounded weights.

Both work in float32 and sum in another order: weights differ by less than 0.00001. An
error of a hundredth in one scale is fifty times that.
"""

import numpy as np
import pytest

pytestmark = pytest.mark.slow

ROUNDING = {"rtol": 0, "atol": 2e-5}
HUNGRY = "A dog ate the food because it was hungry"
DELICIOUS = HUNGRY.replace("hungry", "delicious")
IT = 7  # its place in both
TEXTS = [
    "dog",
    HUNGRY,
    "The photosynthesis of naïve cafés didn't stop [SEP] 犬 on 3,000 screens!",
    "word and " * 30,
]
CHANGED = [
    {"text": HUNGRY, "cut": [{"layer": 2, "head": 3, "query": IT, "key": 9}]},
    {"text": HUNGRY, "cut": [{"layer": 0, "head": 0}, {"layer": 5, "head": 11}]},
    {"text": HUNGRY, "cut": [{"layer": 1, "head": 4, "key": 0}]},
    {"text": HUNGRY, "cut": [{"layer": 1, "head": 4, "query": IT}]},
    *(
        {
            "text": HUNGRY,
            "patch": {"text": DELICIOUS, "from": IT, "to": IT + 1, "layer": layer},
        }
        for layer in (0, 3, 6)
    ),
]


@pytest.fixture(scope="module")
def results(page_model):
    """Texts as they are, and changed: before rows of them are kept, and after."""
    plain = [{"text": text} for text in TEXTS]
    found = page_model([*CHANGED, *plain, *CHANGED])
    parts = np.split(np.array(found), [len(CHANGED), -len(CHANGED)])
    return dict(zip(("before", "plain", "after"), parts, strict=True))


@pytest.mark.parametrize("i", range(len(TEXTS)))
def test_weights_are_attnlibs(results, rounded, i):
    expected = rounded(TEXTS[i])
    got = results["plain"][i]
    assert got["tokens"] == expected.tokens
    np.testing.assert_allclose(got["weights"], expected.weights, **ROUNDING)


def masks(cut, n_tokens):
    """Say a list of cuts as attnlib's masks, by layer."""
    found = {}
    for one in cut:
        mask = found.setdefault(one["layer"], np.ones((12, n_tokens, n_tokens), bool))
        where = (one.get("query", slice(None)), one.get("key", slice(None)))
        mask[one["head"], *where] = False
    return found


def patched(model, text, patch):
    """Run attnlib's layers, and replace a row on the way."""
    rows, other = model(text).hidden[0], model(patch["text"]).hidden
    for i, layer in enumerate(model.layers):
        if i == patch["layer"]:
            rows[patch["to"]] = other[i][patch["from"]]
        yield layer.attention.weights(rows)
        rows = layer(rows)


@pytest.mark.parametrize("i", range(len(CHANGED)))
def test_cuts_and_patches_are_attnlibs(results, rounded, i):
    job, got = CHANGED[i], results["before"][i]["weights"]
    if "cut" in job:
        expected = rounded(job["text"], masks=masks(job["cut"], got.shape[-1])).weights
    else:
        expected = list(patched(rounded, job["text"], job["patch"]))
    np.testing.assert_allclose(got, expected, **ROUNDING)
    np.testing.assert_array_equal(results["after"][i]["weights"], got)
