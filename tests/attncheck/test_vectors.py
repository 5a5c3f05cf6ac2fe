"""The vectors: right by three hands, small, each with a mistake of its own."""

import json

import numpy as np
import pytest

from attncheck.formats import round_to
from attncheck.model.domain import ALL, LARGE
from attncheck.safetensors import read_safetensors
from attncheck.vectors import choose, right, tolerances, write_vectors
from attnlib import scaled_dot_product_attention

CASES = {case.id: case for case in choose()}


def by_loops(query, key, value, mask=None, **keywords):
    """Compute with plain loops in the widest floats that NumPy has."""
    wide = np.longdouble
    b, h, n, d = query.shape
    g, m = key.shape[1:3]
    output = np.zeros((b, h, n, value.shape[3]), wide)
    scale = keywords.get("scale") or 1 / np.sqrt(wide(d))
    cap = keywords.get("softcap")
    left, after = keywords.get("window", (None, None))
    for s, i, r in np.ndindex(b, h, n):
        kv, place = i // (h // g), r + keywords.get("query_offset", 0)
        scores = {}
        for j in range(m):
            of_pair = (
                None
                if mask is None
                else np.broadcast_to(mask, (b, h, n, m))[s, i, r, j]
            )
            added = mask is not None and mask.dtype != bool
            seen = of_pair is None or added or of_pair
            seen = seen and not (keywords.get("is_causal") and j > place)
            seen = seen and not (left is not None and j < place - left)
            seen = seen and not (after is not None and j > place + after)
            if seen:
                dot = sum(
                    wide(x) * wide(y)
                    for x, y in zip(query[s, i, r], key[s, kv, j], strict=True)
                )
                score = dot * scale
                scores[j] = cap * np.tanh(score / cap) if cap else score
                scores[j] += wide(of_pair) if added else 0
        if scores:
            top = max(scores.values())
            exps = {j: np.exp(x - top) for j, x in scores.items()}
            total = sum(exps.values())
            for j, e in exps.items():
                output[s, i, r] += e / total * value[s, kv, j]
    return output


@pytest.mark.parametrize("name", CASES)
def test_right_outputs_are_agreed_on(name):
    case = CASES[name]
    arrays = case.arrays()
    expected = right(case, arrays).output
    h, g = case.shape[1:3]
    again = scaled_dot_product_attention(**arrays, **case.keywords, enable_gqa=h != g)
    np.testing.assert_allclose(again, expected, rtol=1e-13, atol=1e-15)
    loops = by_loops(**arrays, **case.keywords)
    np.testing.assert_allclose(loops.astype(float), expected, rtol=1e-13, atol=1e-15)


def test_each_mistake_is_caught_and_each_case_catches_one_more():
    known = set()
    for case in CASES.values():
        assert set(case.catches) - known, case.id
        known |= set(case.catches)
    assert known == {value.code for value in (*ALL, *LARGE)}
    sizes = [np.prod(case.shape) for case in CASES.values()]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
def test_right_answers_are_within_the_tolerance(name):
    for case in CASES.values():
        arrays = case.arrays()
        expected = right(case, arrays).output
        rounded = round_to(expected, name)
        assert np.abs(rounded - expected).max() <= tolerances(case, arrays)[name]


@pytest.mark.slow
def test_the_files_hold_what_is_said(tmp_path):
    write_vectors(tmp_path)
    about = json.loads((tmp_path / "cases.json").read_text(encoding="utf-8"))
    arrays = read_safetensors(tmp_path / "cases.safetensors")
    for case in about["cases"]:
        query = arrays[f"{case['id']}.query"]
        assert query.dtype == np.float32
        assert list(query.shape) == [case["shape"][c] for c in "bhnd"]
        np.testing.assert_array_equal(round_to(query, "bfloat16"), query)
        assert arrays[f"{case['id']}.output"].dtype == np.float64
