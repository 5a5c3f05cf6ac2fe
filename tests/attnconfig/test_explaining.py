"""Each line of a file has a sentence, which says what another value would change."""

import pytest

from attnconfig import keys, read
from attnconfig.families import FAMILIES
from attnconfig.noted import Noted
from tests.attnconfig.published import LLAMA, MODELS, config, small


def told(lines, key):
    """Return what is said of one line."""
    return next(line for line in read(lines).explain() if line.key == key)


@pytest.mark.parametrize("name", MODELS)
def test_no_line_of_a_published_model_is_unknown(name):
    lines = read(MODELS[name]["config"]).explain()
    assert [line.key for line in lines if line.changes == "unknown"] == []
    assert all(line.sentence.endswith(".") for line in lines)


def test_every_line_is_told_in_the_order_of_the_file():
    assert [line.key for line in read(LLAMA).explain()] == [*LLAMA]
    unknown = told(LLAMA | {"n_registers": 4}, "n_registers")
    assert unknown == ("n_registers", "unknown", "Not known here.")
    stranger = {"model_type": "unheard_of", "hidden_size": 8, "n_registers": 4}
    assert [line.changes for line in read(stranger).explain()] == [
        *("totals", "totals", "unknown")
    ]


def test_every_key_that_a_family_reads_has_a_sentence(monkeypatch):
    """Or stands in a line that allows a few values only."""
    asked, fixed = set(), set()
    get, only = Noted.__getitem__, Noted.only

    def ask(c, key):
        asked.add(key)
        return get(c, key)

    def allow(c, key, *values):
        fixed.add(key)
        only(c, key, *values)

    monkeypatch.setattr(Noted, "__getitem__", ask)
    monkeypatch.setattr(Noted, "only", allow)
    for name in FAMILIES:
        read(small(name))
    for model in MODELS.values():
        read(model["config"])
    silent = {key for key in asked - fixed if keys.sentence(key) is None}
    assert silent <= {"rope_scaling", "rope_parameters", "attn_type_list", "norm_type"}
    assert len(asked) > 150


def test_each_stretch_has_its_sentence_and_factor():
    named = [{"rope_type": kind, "factor": 4.0} for kind in keys.table()["stretches"]]
    odd = {"type": "spiral"}, {"type": "mrope", "mrope_section": [16, 24, 24]}, {}
    found = [told(LLAMA | {"rope_scaling": one}, "rope_scaling") for one in named]
    assert {line.changes for line in found} == {"attention"}
    factors = [line.sentence.endswith("The factor is 4.") for line in found]
    assert factors == [one["rope_type"] != "default" for one in named]
    assert len({line.sentence for line in found}) == len(found) - 1  # "su": "longrope"
    spiral, mrope, none = (
        told(LLAMA | {"rope_scaling": x}, "rope_scaling") for x in odd
    )
    assert "'spiral'" in spiral.sentence
    assert mrope.sentence == keys.table()["stretches"]["mrope"]
    assert none.sentence == keys.table()["stretches"]["default"]


@pytest.mark.parametrize(
    ("lines", "key", "changes"),
    [
        (small("qwen2", mrope_section=[2, 3, 3]), "mrope_section", "attention"),
        (small("minimax", block_size=256), "block_size", "elsewhere"),
        (small("llama", block_size=32), "block_size", "unknown"),
        (LLAMA | {"rope_theta": 1e4}, "rope_theta", "attention"),
        (LLAMA | {"hidden_act": "silu"}, "hidden_act", "elsewhere"),
        (LLAMA | {"norm_topk_prob": True}, "norm_topk_prob", "elsewhere"),
        (LLAMA | {"bos_token_id": 1}, "bos_token_id", "nothing"),
        (LLAMA | {"n_layer": 32}, "n_layer", "totals"),
        (config("Gemma 2 9B"), "attn_logit_softcapping", "attention"),
        (config("DeepSeek-V3.2", index_topk=9), "index_topk", "attention"),
        (
            config("Qwen3 Next 80B A3B", mamba_ssm_dtype="float32"),
            "mamba_ssm_dtype",
            "totals",
        ),
    ],
)
def test_a_line_says_what_it_changes(lines, key, changes):
    assert told(lines, key).changes == changes


def test_layers_that_guess_further_tokens_are_named():
    model = read(config("DeepSeek V3", num_nextn_predict_layers=1))
    assert model.n_parameters == read(config("DeepSeek V3")).n_parameters
    (note,) = model.notes
    assert "num_nextn_predict_layers = 1: not counted: 1 layer" in note
    assert read(LLAMA).notes == ()


def test_lines_that_the_facts_do_not_tell_are_named():
    flash = config("MiMo-V2-Flash", attention_value_scale=0.707)
    assert read(flash).unsaid == ("attention_value_scale",)
    without = config("MiMo-V2-Flash")  # where the program scales by 0.707 all the same
    assert read(without).unsaid == ("attention_value_scale",)
    assert read(flash).refused == {}
    assert read(LLAMA).unsaid == ()
