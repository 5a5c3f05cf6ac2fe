import dataclasses
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from attnlib import AttentionTrace, SelfAttention, softmax

NAMES = ["x", "query", "key", "value", "scores", "scaled_scores", "weights", "output"]


@pytest.fixture
def layer(rng):
    return SelfAttention.random(5, 2, 4, rng=rng)


@pytest.fixture
def trace(layer, rng):
    return layer.trace(rng.normal(size=(3, 5)), ["I", "am", "<b>"], is_causal=True)


class Tables(HTMLParser):
    """Read a page of tables back: class, caption, header cells and data cells."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.tags = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if tag == "table":
            css = attributes["class"]
            self.tables.append(
                {"class": css, "col": [], "row": [], "td": [], "caption": []}
            )
        self.into = attributes.get("scope", tag)

    def handle_endtag(self, tag):
        self.into = None

    def handle_data(self, text):
        self.tables[-1].get(self.into, []).append(text)


def test_fields_are_the_steps(trace):
    assert [f.name for f in dataclasses.fields(AttentionTrace)] == ["tokens", *NAMES]
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.weights = 0


def test_text_carries_every_number(trace):
    text = repr(trace)
    assert text.startswith("AttentionTrace of 3 tokens: I am <b>\n")
    steps = re.split(r"\n\n", text)[1:]
    for name, step in zip(NAMES, steps, strict=True):
        array = getattr(trace, name)
        head, _, body = step.partition("\n")
        assert head.startswith(name)
        assert head.endswith(str(array.shape))
        numbers = [float(n) for n in re.findall(r"-?inf|-?\d+\.\d*", body)]
        np.testing.assert_allclose(numbers, array.ravel(), atol=5.1e-5)


def test_text_is_the_same_in_every_library(xp, layer, rng):
    x = rng.normal(size=(3, 5))
    assert repr(layer.trace(xp.asarray(x))) == repr(layer.trace(x))
    assert layer.trace(xp.asarray(x))._repr_html_() == layer.trace(x)._repr_html_()


def test_text_without_tokens(layer):
    assert repr(layer.trace(np.ones((3, 5)))).startswith("AttentionTrace of 3 tokens\n")


def test_tables_carry_every_number(trace):
    page = Tables(trace._repr_html_())
    for name, table in zip(NAMES, page.tables, strict=True):
        array = getattr(trace, name)
        assert table["class"] == "attnlib-" + name.replace("_", "-")
        assert table["caption"][0].startswith(name)
        assert table["row"] == ["I", "am", "<b>"]
        square = name in ("scores", "scaled_scores", "weights")
        expected = (
            ["I", "am", "<b>"] if square else [str(j) for j in range(array.shape[1])]
        )
        assert table["col"] == expected
        cells = [c.replace("−", "-").replace("∞", "inf") for c in table["td"]]
        np.testing.assert_allclose(
            [float(c) for c in cells], array.ravel(), atol=5.1e-5
        )


def test_tables_need_no_colors_and_no_script(trace):
    tags = Tables(trace._repr_html_()).tags
    assert {tag for tag, _ in tags} <= {
        *("div", "table", "caption", "thead", "tbody", "tr", "th", "td")
    }
    assert {name for _, attributes in tags for name in attributes} <= {"class", "scope"}


def test_long_inputs_are_cut(layer, rng):
    trace = layer.trace(rng.normal(size=(100, 5)), [f"t{i}" for i in range(100)])
    assert len(repr(trace)) < 10_000
    assert len(trace._repr_html_()) < 30_000
    weights = Tables(trace._repr_html_()).tables[6]
    shown = ["t0", "t1", "t2", "t3", "…", "t96", "t97", "t98", "t99"]
    assert weights["row"] == shown
    assert [head for head in weights["col"] if head != "…"] == shown[:4] + shown[5:]
    assert f"{trace.weights[99, 98]:.4f}" in weights["td"]


@pytest.mark.parametrize(("n_tokens", "is_cut"), [(12, False), (13, True)])
def test_twelve_rows_and_columns_are_shown_whole(layer, rng, n_tokens, is_cut):
    trace = layer.trace(rng.normal(size=(n_tokens, 5)))
    table = Tables(trace._repr_html_()).tables[6]
    assert ("…" in table["row"], "…" in table["td"]) == (is_cut, is_cut)
    assert len(table["col"]) == (8 if is_cut else 12)
    assert ("..." in repr(trace)) is is_cut


def test_of_a_batch_the_first_item_is_laid_out(layer, rng):
    x = rng.normal(size=(2, 13, 3, 5))
    first = Tables(layer.trace(x[0, 0])._repr_html_()).tables
    for some in (x, x[0]):
        batch = Tables(layer.trace(some)._repr_html_()).tables
        assert [t["td"] for t in batch] == [t["td"] for t in first]
        assert "first of the batch" in batch[0]["caption"][0]
    assert repr(layer.trace(x)).count("(2, 13, 3, ") == 8
    assert layer.trace(np.ones((0, 3, 5)))._repr_html_()


def test_an_empty_batch_is_laid_out_without_rows(layer):
    page = layer.trace(np.ones((0, 2, 5)), ["I", "am"])._repr_html_()
    tables = Tables(page).tables
    assert len(tables) == len(NAMES)
    assert not any(table["td"] for table in tables)
    assert page.count("<tbody></tbody>") == len(NAMES)


def test_large_and_undefined_numbers_print():
    numbers = -123456.0, 10_000.0, 9_999.0, np.nan, -np.inf, 0.0, 0.0, 0.0
    trace = AttentionTrace(None, *(np.array([[number]]) for number in numbers))
    shown = [table["td"][0] for table in Tables(trace._repr_html_()).tables]
    assert shown[:5] == ["−1.235e+05", "1e+04", "9999.0000", "nan", "−∞"]


def test_scores_beyond_float16_are_what_softmax_is_given():
    """Steps in between stay in float32, as they were computed."""
    weight = np.array([[300, 0], [0, 300]], np.float16)
    layer = SelfAttention(weight, weight, weight)
    x = np.array([[1, 0], [0, 1], [1, 1]], np.float16)
    trace = layer.trace(x)
    assert np.isfinite(trace.scores).all()
    assert trace.scores.max() > np.finfo(np.float16).max
    got = softmax(trace.scaled_scores).astype(np.float16)
    np.testing.assert_array_equal(got, trace.weights)
    assert trace.weights.dtype == trace.output.dtype == np.float16
