"""The safetensors format: what is written is read again; bad files are refused."""

import json

import numpy as np
import pytest

from attncheck.safetensors import read_safetensors, write_safetensors


@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<f8", "<i8", "|b1"])
def test_reads_what_was_written(tmp_path, dtype):
    rng = np.random.default_rng(0)
    arrays = {"b": rng.normal(size=(3, 5)), "a": rng.normal(size=7), "c": np.ones(())}
    arrays = {name: (10 * array).astype(dtype) for name, array in arrays.items()}
    write_safetensors(tmp_path / "x", arrays, format="pt")
    got = read_safetensors(tmp_path / "x")
    assert list(got) == list(arrays)
    for name, array in arrays.items():
        assert got[name].dtype == array.dtype
        np.testing.assert_array_equal(got[name], array, strict=True)


ENTRY = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("entry", "data", "says"),
    [
        (ENTRY, b"1234567", "must take 8 bytes of the 7"),
        ({**ENTRY, "data_offsets": [0, 4]}, b"12345678", "must take 8 bytes"),
        ({**ENTRY, "data_offsets": [-8, 0]}, b"12345678", "must take 8 bytes"),
        ({**ENTRY, "dtype": "F8_E4M3"}, b"12345678", "dtype of w must be one of"),
        ({"dtype": "F32"}, b"", "must have dtype, shape and two data_offsets"),
        ([], b"", "must have dtype, shape and two data_offsets"),
    ],
)
def test_bad_entry_is_refused(tmp_path, entry, data, says):
    text = json.dumps({"w": entry}).encode()
    (tmp_path / "x").write_bytes(len(text).to_bytes(8, "little") + text + data)
    with pytest.raises(ValueError, match=f"read_safetensors: .*{says}"):
        read_safetensors(tmp_path / "x")


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"1234", "8 bytes of length, got bytes 4"),
        ((99).to_bytes(8, "little") + b"{}", "must end within the file's 10 bytes"),
        ((2).to_bytes(8, "little") + b"{!", "must be JSON"),
        ((2).to_bytes(8, "little") + b"[]", "the header names arrays"),
    ],
)
def test_bad_file_is_refused(tmp_path, raw, says):
    (tmp_path / "x").write_bytes(raw)
    with pytest.raises(ValueError, match=f"read_safetensors: .*{says}"):
        read_safetensors(tmp_path / "x")


def test_bfloat16_is_read_as_float32(tmp_path):
    entry = {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}
    text = json.dumps({"w": entry}).encode()
    data = np.array([0x3F80, 0xC040], "<u2").tobytes()
    (tmp_path / "x").write_bytes(len(text).to_bytes(8, "little") + text + data)
    np.testing.assert_array_equal(read_safetensors(tmp_path / "x")["w"], [1.0, -3.0])


def test_a_dtype_that_the_format_lacks_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="dtype of w must be one of"):
        write_safetensors(tmp_path / "x", {"w": np.ones(2, complex)})
