"""Says and does: runs of a few layers, right, and with one thing wrong in one layer."""

import json
import sys

import numpy as np
import pytest

from attncheck import layers
from attncheck.__main__ import main
from attncheck.safetensors import write_safetensors
from attnlib import alibi_bias, rotary_embedding, scaled_dot_product_attention

N, STEP = 23, 5  # tokens of the first call, and of one with a cache
HEADS, KV_HEADS, D = 4, 2, 16
CONFIG = {
    **{"model_type": "gpt_oss", "hidden_size": 64, "intermediate_size": 32},
    **{"num_hidden_layers": 4, "num_attention_heads": HEADS, "vocab_size": 99},
    **{"num_key_value_heads": KV_HEADS, "head_dim": D, "sliding_window": 8},
    **{"num_local_experts": 4, "num_experts_per_tok": 2},
    "layer_types": ["sliding_attention", "full_attention"] * 2,
    "rope_parameters": {
        **{"rope_type": "yarn", "factor": 32.0, "rope_theta": 150_000.0},
        **{"original_max_position_embeddings": 4096, "truncate": False},
    },
}
WINDOWS = [(7, 0), None] * 2
YARN = {k: v for k, v in CONFIG["rope_parameters"].items() if k != "rope_theta"}
RIGHT = {
    **{"scale": D**-0.5, "window": None, "sinks": True, "base": 150_000.0},
    **{"scaling": YARN, "moved": 0, "interleaved": False, "softcap": None},
    **{"tile": False, "late": 0, "step": 1},
}


def run(rng, n, m, **how):
    """Attend in one layer as a program does: rotate, attend, with sinks."""
    how = RIGHT | how
    before = rng.standard_normal((1, HEADS, n, D)), rng.standard_normal((1, 2, m, D))
    keywords = {name: how[name] for name in ("base", "scaling", "interleaved")}
    q = rotary_embedding(
        before[0], positions=np.arange(n) + m - n - how["moved"] * (m > n), **keywords
    )
    k = rotary_embedding(before[1], positions=how["step"] * np.arange(m), **keywords)
    v = rng.standard_normal((1, KV_HEADS, m, D))
    sinks = np.array([0.5, -1.0, 1.5, 0.0])
    shared = [np.tile(x, (1, 2, 1, 1)) for x in (k, v)] if how["tile"] else [k, v]
    output = scaled_dot_product_attention(
        *(q, *shared),
        **{name: how[name] for name in ("scale", "window", "softcap")},
        is_causal=True,
        query_offset=m - n + how["late"],
        enable_gqa=True,
        sinks=sinks if how["sinks"] else None,
    )
    names = ("query", "key", "value", "output", "sinks", "query_before", "key_before")
    arrays = (q, k, v, output, sinks, before[0], before[1][:, :, m - n :])
    return dict(zip(names, arrays, strict=True))


def runs(wrong=(), **how):
    """Return the runs of all layers; those in `wrong` compute something else."""
    rng, found = np.random.default_rng(0), {}
    for layer, window in enumerate(WINDOWS):
        for call, (n, m) in enumerate([(N, N), (STEP, N + STEP)]):
            more = {"window": window, **(how if layer in wrong else {})}
            each = run(rng, n, m, **more)
            found |= {f"{layer}.{call}.{name}": x for name, x in each.items()}
    return found


def test_right_layers_are_not_named():
    page = layers(CONFIG, runs())
    assert (page.problems, page.status, len(page.judged)) == ([], 0, 4)
    assert page.unseen == []
    assert "4 of 4 layers have runs; no layer differs." in str(page)
    assert "As said, layers 0, 2: heads 4, kv_heads 2" in str(page)


WRONG = {
    "window off by one": ({"window": (8, 0)}, [("window", (7, 0), (8, 0), "9 tokens")]),
    "no window": ({"window": None}, [("window", (7, 0), None, "9 tokens")]),
    "sinks dropped": ({"sinks": False}, [("sinks", "as given", "none", "1 token")]),
    "scale": ({"scale": 1.0}, [("scale", 0.25, 1.0, "1 token")]),
    "cap": (
        {"softcap": 2.0},
        [("softcap", "as in the file", "scores capped at 2", "1 token")],
    ),
    "one key too late": (
        {"late": 1},
        [("offset", "as in the file", "positions are too large by one", "2 tokens")],
    ),
    "heads": (
        {"tile": True},
        [("kv_heads", "neighbors share", "every so many share", "1 token")],
    ),
    "base": ({"base": 1e4}, [("rotary.base", 150_000.0, 1e4, "2 tokens")]),
    "pairs": (
        {"interleaved": True},
        [("rotary.pairs", "halves", "neighbors", "2 tokens")],
    ),
    "stretch": ({"scaling": None}, [("rotary.scaling", YARN, None, "1 token")]),
    "places": ({"moved": N}, [("first position", N, 0, "1 token after 1 kept")]),
    "two": (
        {"window": None, "sinks": False},
        [
            ("window", (7, 0), None, "1 token"),
            ("sinks", "as given", "none", "1 token"),
        ],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_in_one_layer_is_named(name):
    how, expected = WRONG[name]
    page = layers(CONFIG, runs([2], **how))
    assert page.status == 1
    print(page)
    assert {problem.layer for problem in page.problems} == {2}
    got = [(p.field, p.said, p.shown, p.shortest) for p in page.problems]
    assert got == expected


def test_layer_types_that_are_swapped_are_named_in_every_layer():
    config = CONFIG | {"layer_types": CONFIG["layer_types"][::-1]}
    page = layers(config, runs())
    assert [p.layer for p in page.problems] == [0, 1, 2, 3]
    assert {p.field for p in page.problems} == {"window"}
    assert "- layers 0, 2, window: said none, shown (7, 0) (shortest" in str(page)


def test_a_base_alone_is_fitted():
    config = CONFIG | {"rope_parameters": {"rope_theta": 150_000.0}}
    found = runs([1], base=3.2e4, scaling=None).items()
    page = layers(config, {name: x for name, x in found if name.startswith("1.0.")})
    shown = [(p.field, p.shown) for p in page.problems if p.layer == 1]
    assert shown == [("rotary.base", 3.2e4)]


def test_sinks_that_the_file_lacks_are_measured():
    found = {name: x for name, x in runs().items() if "sinks" not in name}
    assert layers(CONFIG, found).problems == []
    dropped = runs([1], sinks=False).items()
    dropped = {n: np.float32(x) for n, x in dropped if "sinks" not in n}
    dropped["1.1.output"] = dropped["1.1.output"] * np.float32(1 - 1e-7)  # no sink
    only = {n: x for n, x in dropped.items() if n.startswith("1.1.")}
    for given in (dropped, only):
        problems = layers(CONFIG, given).problems
        assert [p.layer for p in problems if p.field == "sinks"] == [1]


def test_alibi():
    rng = np.random.default_rng(3)
    q, k, v = rng.standard_normal((3, 8, 9, 8))
    config = {"model_type": "bloom", "hidden_size": 64, "n_head": 8, "n_layer": 1}
    bias = alibi_bias(8, 9)
    names, problems = ("query", "key", "value", "output"), []
    for mask in (bias, 0 * bias):
        output = scaled_dot_product_attention(q, k, v, mask=mask, is_causal=True)
        found = dict(zip(names, (q, k, v, output), strict=True))
        found = {f"0.0.{name}": x for name, x in found.items()}
        problems.append(layers(config | {"vocab_size": 9}, found).problems)
    assert problems[0] == []
    assert [(p.field, p.said, p.shown) for p in problems[1]] == [
        ("position", "alibi", None)
    ]


def test_what_a_short_run_does_not_show_is_said():
    rng = np.random.default_rng(0)
    config = CONFIG | {"sliding_window": 4096, "num_hidden_layers": 1}
    config |= {"layer_types": ["sliding_attention"]}
    found = {f"0.0.{name}": x for name, x in run(rng, N, N).items()}
    bare = {name: x for name, x in found.items() if "before" not in name}
    assert layers(config, bare).unseen == [
        (0, "window", "4,097 tokens"),
        (0, "alignment", "a call with more keys than queries"),
        (0, "rotary", "rows before the rotation"),
    ]


def test_layers_without_runs_and_runs_without_layers():
    found = {name: x for name, x in runs().items() if name[0] in "012"}
    page = layers(CONFIG, found)
    assert [(p.layer, p.field) for p in page.problems] == [(3, "no run")]
    assert page.status == 2
    fewer = CONFIG | {"num_hidden_layers": 2, "layer_types": CONFIG["layer_types"][:2]}
    assert [(p.layer, p.field) for p in layers(fewer, found).problems] == [(2, "kind")]
    wider = CONFIG | {"num_key_value_heads": 4}
    assert {p.field for p in layers(wider, runs()).problems} == {"kv_heads"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("0.query", "names must be LAYER.CALL.WHAT"),
        ("0.0.scores", "names must be LAYER.CALL.WHAT"),
        ("9.0.query", "must hold 9.0.key, 9.0.value, 9.0.output too"),
    ],
)
def test_files_that_make_no_sense(name, words):
    with pytest.raises(ValueError, match=words):
        layers(CONFIG, runs() | {name: np.ones((1, 1, 2, 2))})
    with pytest.raises(ValueError, match="does not know"):
        layers({"model_type": "no such family"}, runs())


def test_the_command(tmp_path, capsys):
    config, file = tmp_path / "config.json", tmp_path / "runs.safetensors"
    config.write_text(json.dumps(CONFIG))
    write_safetensors(file, runs([0], window=(6, 0)))
    assert main(["layers", str(config), str(file)]) == 1
    told = "- layer 0, window: said (7, 0), shown (6, 0) (shortest input: 8 tokens)"
    assert told in capsys.readouterr().out
    assert main(["layers", str(config), str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["problems"][0]["shown"] == [6, 0]


def test_without_attnconfig_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "attnconfig", None)
    with pytest.raises(ImportError, match=r"pip install \./attnconfig"):
        layers(CONFIG, runs())
    assert main(["layers", "config.json", "runs.npz"]) == 2
    assert "not installed" in capsys.readouterr().err
