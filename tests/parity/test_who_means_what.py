"""The stored table is what the pinned libraries answer today, asked again."""

import importlib.metadata
import importlib.util
import shutil
from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaModel
from who_means_what import TOLD_BY, told

from attncheck import ask
from attncheck.table import stored
from tests.parity.ways import WAYS

ROWS = {row["name"]: row for row in stored()["rows"]}
COMPILERS = {
    "PyTorch: flex_attention, compiled": "g++",
    "tinygrad: Tensor.scaled_dot_product_attention": "clang",
}


def test_every_way_has_its_row():
    assert list(ROWS) == list(WAYS)


@pytest.mark.filterwarnings("ignore:`torch.jit.script")  # x-transformers, Inductor
@pytest.mark.parametrize("name", WAYS)
def test_a_row_is_what_the_library_answers(name):
    distribution, calls = WAYS[name]
    compiler = COMPILERS.get(name)
    if compiler and not shutil.which(compiler):
        pytest.skip(f"{name} is compiled when it is called: {compiler} is not on PATH")
    row = ROWS[name]
    version = importlib.metadata.version(distribution).partition("+")[0]
    assert version == row["version"]
    for how, (function, keywords) in calls().items():
        report = ask(function, **keywords)
        assert report.status == row["calls"][how], str(report)
        for fact, told_by in TOLD_BY.items():
            if told_by == how:
                found = told(report, fact)
                found = list(found) if isinstance(found, tuple) else found
                assert found == row["facts"][fact]


LINES = [  # what the page quotes
    ("x_transformers", "attend.py", "if k_len > q_len and causal:"),
    ("x_transformers", "attend.py", "repeat(t, 'b kvh n d -> b (r kvh) n d'"),
    (
        "torch",
        "nn/functional.py",
        "True indicates that the element *should* take part in attention",
    ),
    ("torch", "nn/modules/activation.py", "position is not allowed to attend"),
    (
        "transformers",
        "integrations/sdpa_attention.py",
        "is_causal = q_length > 1 and attention_mask is None and is_causal",
    ),
]


@pytest.mark.parametrize(("library", "file", "line"), LINES)
def test_a_line_that_the_page_quotes_stands_in_the_source(library, file, line):
    (place,) = importlib.util.find_spec(library).submodule_search_locations
    assert line in (Path(place) / file).read_text(encoding="utf-8")


def test_a_mask_takes_the_place_of_the_causal_one_in_transformers():
    _, calls = WAYS["transformers: sdpa"]
    function, keywords = calls()["causal"]
    report = ask(function, **keywords)
    assert report.apart["alignment"] == ("start", "none")  # none for one query
    assert any("its own mask is left out" in note for note in report.notes)


def test_nan_of_one_head_reaches_all_heads_of_pytorchs_module():
    layer = torch.nn.MultiheadAttention(4, 2, bias=False, batch_first=True)
    x, mask = torch.ones(1, 3, 4), torch.zeros(2, 3, 3, dtype=torch.bool)
    mask[1, 2] = True
    with torch.no_grad():
        layer.out_proj.weight.copy_(torch.eye(4))
        output, _ = layer(x, x, x, attn_mask=mask)
    assert output.isnan().all(-1).tolist() == [[False, False, True]]
    assert not output[:, :2].isnan().any()


def test_the_masks_that_transformers_makes_leave_no_row_empty():
    config = LlamaConfig(
        **{"hidden_size": 48, "num_attention_heads": 4, "num_key_value_heads": 2},
        **{"intermediate_size": 20, "num_hidden_layers": 1, "vocab_size": 7},
        attn_implementation="eager",
    )
    padded = torch.tensor([[0, 0, 1, 1, 1]])
    with torch.no_grad():
        found = LlamaModel(config).eval()(
            torch.ones_like(padded), attention_mask=padded, output_attentions=True
        )
    assert torch.allclose(found.attentions[0][0, :, :2], torch.tensor(0.2))


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_queries_before_every_key_get_the_mean_from_x_transformers():
    attend = importlib.import_module("x_transformers.attend").Attend
    query, key, value = torch.zeros(1, 1, 5, 4), torch.zeros(1, 1, 2, 4), torch.eye(2)
    (found,) = attend(heads=1, causal=True)(query, key, value[None, None])[0][0]
    assert found[:3].tolist() == [[0.5, 0.5]] * 3
    assert found[3:].tolist() == [[1, 0], [0.5, 0.5]]
    flash = attend(heads=1, causal=True, flash=True)
    (found,) = flash(query, key, value[None, None])[0][0]
    assert found.tolist() == [[1, 0]] + [[0.5, 0.5]] * 4
