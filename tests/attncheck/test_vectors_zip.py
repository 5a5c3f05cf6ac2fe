"""The zip of vectors on the site: small, the same each time, and complete."""

import json
import zipfile

import pytest

from attncourse.site.files import write_zip


@pytest.mark.slow
def test_the_zip_is_small_and_the_same_each_time(tmp_path):
    first, again = tmp_path / "first.zip", tmp_path / "again.zip"
    write_zip(first)
    write_zip(again)
    assert first.read_bytes() == again.read_bytes()
    assert first.stat().st_size < 5_000_000
    with zipfile.ZipFile(first) as archive:
        assert archive.namelist() == ["cases.json", "cases.safetensors"]
        cases = json.loads(archive.read("cases.json"))["cases"]
    assert len(cases) > 10
