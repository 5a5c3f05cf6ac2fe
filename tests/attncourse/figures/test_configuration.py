"""Lesson 14's live figure: what it computes, in Python and in the page alike."""

import json

import pytest

from attnconfig import needed, read
from attncourse.figures.configuration import live
from attncourse.real_model.configuration.described import describe
from attncourse.real_model.configuration.pasted import answer
from tests.attnconfig.published import MODELS
from tests.attncourse.figures.test_maths import run

ASKED = [("256", "16 bits"), ("8,192", "4 bits"), ("1,048,576", "8 bits")]
SCRIPT = "configuration/costs"


OTHERS = {
    name: MODELS[name]["config"]
    for name in ("DeepSeek-V3.2", "DeepSeek-V4-Flash", "Falcon H1 0.5B", "Gemma-4 E2B")
}


@pytest.mark.parametrize("name", [*live.MODELS, *OTHERS])
def test_the_page_computes_the_same(name, monkeypatch):
    monkeypatch.setattr(live, "MODELS", live.MODELS | OTHERS)
    described = describe(read(live.MODELS[name]))
    functions = ("cacheSizeOf", "readingCost", "writingCost")
    calls = [
        [SCRIPT, function, described, live.TOKENS[tokens], live.BITS[bits]]
        for tokens, bits in ASKED
        for function in functions
    ]
    expected = []
    for asked in ASKED:
        costs = live._compute(name, *asked)
        expected += [costs.cache_bytes, costs.reading, costs.writing]
    got = run(calls)
    if costs.refused:
        assert got == expected == [None] * len(calls)
    else:
        assert got == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["gpt-oss 20B", "Qwen3 Next 80B", "DeepSeek V3"])
def test_the_cache_is_written_out_alike(name):
    found = read(live.MODELS[name])
    described = describe(found)
    (lines,) = run([[SCRIPT, "cacheEquation", described, 8192, 4]])
    totals = [line.rpartition(" = ")[2] for line in lines]
    there = needed(found, 8192, n_bytes=0.5).equations
    assert sorted(totals) == sorted(line.rpartition(" = ")[2] for line in there)


def test_a_pasted_file_is_read_or_the_error_says_where():
    config = live.MODELS["Mistral 7B"]
    assert json.loads(answer(json.dumps(config))) == json.loads(
        json.dumps(describe(read(config)))
    )
    said = json.loads(answer('{"hidden_size": }'))["error"]
    assert said == "This is not JSON (Expecting value, line 1, column 17)."
    assert "no configuration" in json.loads(answer("{}"))["error"]
    assert "a dict, got list" in json.loads(answer("[]"))["error"]


def test_a_kernel_answers_what_is_pasted():
    panel = live.panel()
    panel.view.pasted = json.dumps(live.MODELS["Jamba"])
    assert json.loads(panel.view.answer)["family"] == "jamba"


def test_the_still_picture_tells_the_totals():
    told = repr(live.panel("gpt-oss 20B", tokens=8192, bits=4))
    assert "12 sliding attention, 12 full attention" in told
    assert "20,914,757,184" in told
    assert "51,118,080 bytes" in told
    assert "Refused: n_registers" in repr(live.panel([*live.MODELS][-1]))


def test_counts_in_words():
    asked = [8_030_261_248, 124_439_808, 1_026_408_209_408]
    got = run([[SCRIPT, "inWords", n] for n in asked])
    assert got == ["8.03 billion", "124.4 million", "1.026 trillion"]


def test_what_a_token_uses_is_one_row_of_the_embedding():
    told = repr(live.panel("gpt-oss 20B", tokens=8192, bits=16))
    assert "used for one token: 3,608,310,144." in told
    assert round(read(live.MODELS["DeepSeek V3"]).n_parameters / 1e9) == 671


def test_the_menus_deepseek_has_its_stretched_rotation():
    found = read(live.MODELS["DeepSeek V3"])
    drawn = describe(found)["kinds"][0]
    assert any("stretched 40 times by yarn" in fact for fact in drawn["facts"])
    assert any("scale=0.1352337788608801" in line for line in drawn["call"])


def test_positions_of_pictures_are_not_called_a_stretch():
    mrope = {"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}}
    config = live.MODELS["Llama 3 8B"] | mrope
    described = describe(read(config))
    assert "pairs shared among time" in described["kinds"][0]["facts"][0]
    assert "stretched" not in described["kinds"][0]["facts"][0]
    (told,) = [line[2] for line in described["lines"] if line[0] == "rope_scaling"]
    assert "M-RoPE" in told
