"""The vectors: right by two hands, small, each with a mistake of its own."""

import json
import zipfile

import numpy as np
import pytest

from attncheck import vectors
from attncheck.formats import round_to
from attncheck.model.domain import ALL
from attncheck.safetensors import read_safetensors
from attncourse.site.files import write_zip
from attnlib import scaled_dot_product_attention

CASES = {case.call.id: case for case in vectors.CASES}


@pytest.mark.parametrize("name", CASES)
def test_right_outputs_are_agreed_on(name):
    case = CASES[name]
    more = {
        **case.arrays,
        **case.keywords,
        "enable_gqa": case.call.h != case.call.g,
    }
    again = scaled_dot_product_attention(**more)
    np.testing.assert_allclose(again, case.right, rtol=1e-13, atol=1e-15)


def test_each_mistake_is_caught_and_each_case_catches_one_more():
    known = set()
    for case in CASES.values():
        assert set(case.catches) - known, case.call.id
        known |= set(case.catches)
    assert known == {value.code for value in ALL}


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16"])
def test_right_answers_are_within_the_tolerance(name):
    for case in CASES.values():
        off = np.abs(round_to(case.right, name) - case.right)
        assert off.max() <= case.tolerances[name]


@pytest.mark.slow
def test_the_zip_of_the_site_is_small_and_holds_what_is_said(tmp_path):
    for name in ("first.zip", "again.zip"):
        write_zip(tmp_path / name)
    assert (tmp_path / "first.zip").read_bytes() == (
        tmp_path / "again.zip"
    ).read_bytes()
    assert (tmp_path / "first.zip").stat().st_size < 5_000_000
    with zipfile.ZipFile(tmp_path / "first.zip") as archive:
        assert archive.namelist() == ["cases.json", "cases.safetensors"]
        archive.extractall(tmp_path)
    cases = json.loads((tmp_path / "cases.json").read_text(encoding="utf-8"))["cases"]
    arrays = read_safetensors(tmp_path / "cases.safetensors")
    assert [case["id"] for case in cases] == list(CASES)
    for case in cases:
        query = arrays[f"{case['id']}.query"]
        assert query.dtype == np.float32
        assert list(query.shape) == [case["shape"][c] for c in "bhnd"]
        np.testing.assert_array_equal(round_to(query, "bfloat16"), query)
        assert arrays[f"{case['id']}.output"].dtype == np.float64
