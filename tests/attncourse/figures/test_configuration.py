"""Lesson 14's live figure: what it computes, in Python and in the page alike."""

import json

import pytest

from attnconfig import needed, read
from attncourse.figures.configuration import live
from attncourse.real_model.configuration.described import describe
from attncourse.real_model.configuration.pasted import answer
from tests.attnconfig.published import MODELS
from tests.attncourse.figures.conftest import run

ASKED = [(256, 16), (8192, 4), (1_048_576, 8)]
SCRIPT = "configuration/costs"


OTHERS = {
    name: MODELS[name]["config"]
    for name in ("DeepSeek-V3.2", "DeepSeek-V4-Flash", "Falcon H1 0.5B", "Gemma-4 E2B")
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_page_computes_the_same_of_what_is_pasted(name, monkeypatch):
    monkeypatch.setattr(live, "MODELS", live.MODELS | OTHERS)
    described = json.loads(answer(json.dumps(live.MODELS[name])))
    calls = [
        [SCRIPT, function, described, tokens, bits]
        for tokens, bits in ASKED
        for function in ("cacheSizeOf", "readingCost", "writingCost")
    ]
    expected = []
    for asked in ASKED:
        costs = live._compute(name, *asked)
        expected += [costs.cache_bytes, costs.reading, costs.writing]
    assert run(calls) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["gpt-oss 20B", "Qwen3 Next 80B", "DeepSeek V3"])
def test_the_cache_is_written_out_alike(name):
    found = read(live.MODELS[name])
    described = describe(found)
    (lines,) = run([[SCRIPT, "cacheEquation", described, 8192, 4]])
    totals = [line.rpartition(" = ")[2] for line in lines]
    there = needed(found, 8192, n_bytes=0.5).equations
    assert sorted(totals) == sorted(line.rpartition(" = ")[2] for line in there)


@pytest.mark.parametrize("name", live.MODELS)
def test_the_page_counts_and_multiplies_what_is_learned(name):
    found = read(live.MODELS[name])
    (lines,) = run([[SCRIPT, "parametersOf", describe(found)]])
    assert lines == found.equations or found.n_parameters is None


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
    panel.view.asked = json.dumps(live.MODELS["Jamba"])
    assert json.loads(panel.view.answer)["family"] == "jamba"


def test_the_still_picture_tells_the_totals():
    told = repr(live.panel("gpt-oss 20B", tokens=8192, bits=4))
    assert "12 × attention with a window, 12 × full attention" in told
    assert "20,914,757,184, used for one token: 3,608,310,144." in told
    assert "48.8 MiB" in told  # 51,118,080 bytes
    assert "Refused. n_registers" in repr(live.panel([*live.MODELS][-1]))
    assert round(read(live.MODELS["DeepSeek V3"]).n_parameters / 1e9) == 671


def test_the_menus_deepseek_has_its_stretched_rotation():
    found = read(live.MODELS["DeepSeek V3"])
    drawn = describe(found)["kinds"][0]
    assert "stretched 40 times by yarn" in drawn["told"]
    assert any("scale=0.1352337788608801" in line for line in drawn["call"])


def test_positions_of_pictures_are_not_called_a_stretch():
    mrope = {"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}}
    config = live.MODELS["Llama 3 8B"] | mrope
    described = describe(read(config))
    assert "pairs shared among time" in described["kinds"][0]["told"]
    assert "stretched" not in described["kinds"][0]["told"]
    (told,) = [line[2] for line in described["lines"] if line[0] == "rope_scaling"]
    assert "M-RoPE" in told
