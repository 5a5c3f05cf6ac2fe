""""""

import dataclasses
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from attnlib import AttentionTrace, SelfAttention, causal_mask, softmax
from tests.attnlib import oracle


@pytest.fixture
def layer(rng):
    """d_model = 5, d_k = 3, d_v = 11."""
    return SelfAttention.random(5, 3, 11, rng=rng)


def test_against_loops(xp, rng, layer):
    x, mask = rng.normal(size=(7, 5)), rng.random((7, 7)) < 0.6
    weights = (layer.w_query, layer.w_key, layer.w_value)
    query, key, value = (oracle.project(x, w) for w in weights)
    expected = oracle.attention(query, key, value, allowed=mask)
    mine = SelfAttention(*(xp.asarray(w) for w in weights))
    got = mine(xp.asarray(x), mask=xp.asarray(mask))
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-12, atol=1e-14)


def test_project_gives_query_key_value(layer, rng):
    x = rng.normal(size=(2, 7, 5))
    query, key, value = layer.project(x)
    np.testing.assert_allclose(query, x @ layer.w_query, rtol=1e-14)
    np.testing.assert_allclose(key, x @ layer.w_key, rtol=1e-14)
    np.testing.assert_allclose(value, x @ layer.w_value, rtol=1e-14)


def test_causal(layer, rng):
    x = rng.normal(size=(7, 5))
    got = layer(x, is_causal=True)
    np.testing.assert_array_equal(got, layer(x, mask=causal_mask(7)))
    np.testing.assert_allclose(got[:3], layer(x[:3], is_causal=True), rtol=1e-12)


def test_random_sizes_and_seeds():
    one, two = (SelfAttention.random(5, 3, rng=np.random.default_rng(7)) for _ in "ab")
    assert one.w_query.shape == one.w_key.shape == one.w_value.shape == (5, 3)
    np.testing.assert_array_equal(one.w_value, two.w_value)
    assert not np.array_equal(one.w_query, one.w_key)
    wide = SelfAttention.random(400, 300, rng=np.random.default_rng(7))
    assert wide.w_key.var() == pytest.approx(1 / 400, rel=0.02)


def test_the_layer_prints_its_sizes(layer):
    assert repr(layer) == "SelfAttention(d_model=5, d_k=3, d_v=11, float64)"


@pytest.mark.parametrize("how", [{}, {"is_causal": True}, {"mask": np.arange(7) < 4}])
def test_trace_keeps_every_step(layer, rng, how):
    x = rng.normal(size=(2, 7, 5))
    trace = layer.trace(x, list("abcdefg"), **how)
    query, key, value = layer.project(x)
    np.testing.assert_array_equal(trace.x, x)
    np.testing.assert_array_equal(trace.query, query)
    np.testing.assert_array_equal(trace.key, key)
    np.testing.assert_array_equal(trace.value, value)
    scores = query @ np.moveaxis(key, -1, -2)
    np.testing.assert_allclose(trace.scores, scores, rtol=1e-12)
    allowed = how.get("mask", True) & (causal_mask(7) if "is_causal" in how else True)
    scaled = np.where(allowed, scores / np.sqrt(3), -np.inf)
    np.testing.assert_allclose(trace.scaled_scores, scaled, rtol=1e-12)
    np.testing.assert_array_equal(trace.weights, softmax(trace.scaled_scores))
    np.testing.assert_allclose(trace.output, layer(x, **how), rtol=1e-12)
    assert trace.tokens == tuple("abcdefg")


def test_trace_without_tokens(layer):
    assert layer.trace(np.ones((7, 5))).tokens is None


W = np.ones((5, 3))
LAYER = SelfAttention(W, W, W)
X = np.ones((7, 5))


def random(*sizes, rng=None):
    return SelfAttention.random(*sizes, rng=rng or np.random.default_rng(0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SelfAttention(W, np.ones((5, 2)), W), ": w_query and w_"),
        (lambda: SelfAttention(W, np.ones((4, 3)), W), ": w_query and w_"),
        (lambda: SelfAttention(W, W, W[:4]), r": all .* and w_value \(4, 3\)$"),
        (lambda: SelfAttention(W[0], W, W), ": w_query must be a matrix"),
        (lambda: SelfAttention(W, W, W[:, :0]), ": w_value must be"),
        (lambda: LAYER(X[:, :4]), r": x must .* d_model = 5, got x \(7, 4\)$"),
        (lambda: LAYER(X[0]), ": x must have sha"),
        (lambda: LAYER(X[:0]), r": x must .* one row, got x \(0, 5\)$"),
        (lambda: LAYER(X, mask=np.ones((7, 6), bool)), r": mask .* mask \(7, 6\)$"),
        (lambda: LAYER.trace(X, mask=np.ones(7, int)), ".trace: mask .* dtype int64"),
        (lambda: LAYER.trace(X[:2], ["one"]), r".trace: tokens .* x \(2, 5\)$"),
        (lambda: LAYER.trace(X[:2], "ab"), ".trace: tokens must be a list of strings"),
        (lambda: LAYER.trace(X[:2], ["a", 2]), ".trace: tokens must be a list of s"),
        (lambda: LAYER.project(X[:, :4]), ".project: x must have rows of d_model = 5"),
        (lambda: random(5, 3, rng=7), ".random: rng must"),
        (lambda: random(0, 3), ".random: d_model must be .* got d_model 0$"),
        (lambda: random(5, 3, 0), ".random: d_v must be .* got d_v 0$"),
        (lambda: random(5, 3.0), ".random: d_k must be .* got d_k 3.0$"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=f"^SelfAttention{message}"):
        call()


def test_rng_is_required():
    with pytest.raises(TypeError):
        SelfAttention.random(5, 3)


NAMES = ["x", "query", "key", "value", "scores", "scaled_scores", "weights", "output"]


@pytest.fixture
def trace_layer(rng):
    return SelfAttention.random(5, 2, 4, rng=rng)


@pytest.fixture
def trace(trace_layer, rng):
    return trace_layer.trace(
        rng.normal(size=(3, 5)), ["I", "am", "<b>"], is_causal=True
    )


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


def test_text_is_the_same_in_every_library(xp, trace_layer, rng):
    x = rng.normal(size=(3, 5))
    assert repr(trace_layer.trace(xp.asarray(x))) == repr(trace_layer.trace(x))
    pages = [trace_layer.trace(one)._repr_html_() for one in (xp.asarray(x), x)]
    assert pages[0] == pages[1]


def test_text_without_tokens(trace_layer):
    text = repr(trace_layer.trace(np.ones((3, 5))))
    assert text.startswith("AttentionTrace of 3 tokens\n")


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


def test_long_inputs_are_cut(trace_layer, rng):
    trace = trace_layer.trace(rng.normal(size=(100, 5)), [f"t{i}" for i in range(100)])
    assert len(repr(trace)) < 10_000
    assert len(trace._repr_html_()) < 30_000
    weights = Tables(trace._repr_html_()).tables[6]
    shown = ["t0", "t1", "t2", "t3", "…", "t96", "t97", "t98", "t99"]
    assert weights["row"] == shown
    assert [head for head in weights["col"] if head != "…"] == shown[:4] + shown[5:]
    assert f"{trace.weights[99, 98]:.4f}" in weights["td"]


@pytest.mark.parametrize(("n_tokens", "is_cut"), [(12, False), (13, True)])
def test_twelve_rows_and_columns_are_shown_whole(trace_layer, rng, n_tokens, is_cut):
    trace = trace_layer.trace(rng.normal(size=(n_tokens, 5)))
    table = Tables(trace._repr_html_()).tables[6]
    assert ("…" in table["row"], "…" in table["td"]) == (is_cut, is_cut)
    assert len(table["col"]) == (8 if is_cut else 12)
    assert ("..." in repr(trace)) is is_cut


def test_of_a_batch_the_first_item_is_laid_out(trace_layer, rng):
    x = rng.normal(size=(2, 13, 3, 5))
    first = Tables(trace_layer.trace(x[0, 0])._repr_html_()).tables
    for some in (x, x[0]):
        batch = Tables(trace_layer.trace(some)._repr_html_()).tables
        assert [t["td"] for t in batch] == [t["td"] for t in first]
        assert "first of the batch" in batch[0]["caption"][0]
    assert repr(trace_layer.trace(x)).count("(2, 13, 3, ") == 8
    assert trace_layer.trace(np.ones((0, 3, 5)))._repr_html_()


def test_an_empty_batch_is_laid_out_without_rows(trace_layer):
    page = trace_layer.trace(np.ones((0, 2, 5)), ["I", "am"])._repr_html_()
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
    trace_layer = SelfAttention(weight, weight, weight)
    x = np.array([[1, 0], [0, 1], [1, 1]], np.float16)
    trace = trace_layer.trace(x)
    assert np.isfinite(trace.scores).all()
    assert trace.scores.max() > np.finfo(np.float16).max
    got = softmax(trace.scaled_scores).astype(np.float16)
    np.testing.assert_array_equal(got, trace.weights)
    assert trace.weights.dtype == trace.output.dtype == np.float16
