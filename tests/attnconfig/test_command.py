"""``python -m attnconfig``: a page to paste into an issue, or JSON."""

import json
import subprocess
import sys

import pytest

from attnconfig.__main__ import main, ranges
from tests.attnconfig.published import config


@pytest.fixture
def place(tmp_path):
    """A file with a configuration."""

    def write(lines):
        path = tmp_path / "config.json"
        path.write_text(json.dumps(lines), encoding="utf-8")
        return str(path)

    return write


def test_the_page(place, capsys):
    file = place(config("gpt-oss 20B", num_nextn_predict_layers=1))
    assert main([file, "--tokens", "8192", "--texts", "32"]) == 0
    page = capsys.readouterr().out
    for words in (
        "gpt_oss: 24 layers, width 2,880\nparameters: 20,914,757,184\n",
        "used for a token: 3,608,310,144\n",
        "cache of one text of 8,192 tokens: 204,472,320 bytes\n    12 × keys and val",
        "set aside for 32 texts in pages of 16 tokens, one pool: 12,884,901,888 bytes",
        "the next token: 4,425,031,680 multiplications, 7,421,092,608 bytes at 16 bits",
        "num_nextn_predict_layers = 1: not counted",
        "layers 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22: GQA + SWA 128 + sinks, MoE",
        "    W^Q: 2,880 × 4,096 = 11,796,480\n",
        "    computes: heads 64, kv_heads 8, d_k 64",
    ):
        assert words in page


def test_refused_totals_are_told_and_the_status_is_1(place, capsys):
    assert main([place(config("Llama 3 8B", n_registers=4))]) == 1
    page = capsys.readouterr().out
    assert page.count("refused. n_registers = 4: not known here") == 3
    assert main([place({"model_type": "t5"})]) == 1
    assert "Refused. model_type 't5' is an encoder" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_what_is_no_configuration_has_the_status_2(text, tmp_path, capsys):
    path = tmp_path / "config.json"
    path.write_text(text)
    assert main([str(path)]) == 2
    assert main([str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err


def test_json_says_the_same(place, capsys):
    assert main([place(config("gpt-oss 20B")), "--json", "--texts", "2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["n_parameters"] == 20_914_757_184
    assert found["needed"]["n_bytes"] == 204_472_320
    assert found["reserved"]["n_bytes"] == 805_306_368
    assert found["layers"][0]["facts"]["window"] == [127, 0]
    assert found["layers"][0]["facts"]["rotary"]["scaling"]["factor"] == 32.0
    assert {"key", "changes", "sentence"} == found["lines"][0].keys()


def test_each_line_is_told(place, capsys):
    assert main([place(config("Llama 3 8B", bos_token_id=1)), "--lines"]) == 0
    page = capsys.readouterr().out
    assert "bos_token_id [nothing] Which tokens these are." in page


def test_it_runs_as_a_module(place):
    command = [sys.executable, "-m", "attnconfig", place(config("Llama 3 8B"))]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "parameters: 8,030,261,248" in run.stdout


def test_numbers_of_layers():
    assert ranges([0]) == "layer 0"
    assert ranges([0, 1, 2, 5, 7, 8]) == "layers 0–2, 5, 7–8"
