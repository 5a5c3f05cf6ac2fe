"""Lesson 11's training in the page: attnlib's arithmetic, its chance, what it says."""

import inspect

import numpy as np
import pytest

from attncourse.figures.train_copying import live
from attncourse.toys.copying import (
    LENGTH,
    N_SYMBOLS,
    RUNS,
    Copier,
    train,
    write_texts,
)
from attncourse.toys.copying.measures import measure
from attncourse.toys.training import Adam
from attnlib import sinusoidal_positional_encoding

pytestmark = pytest.mark.slow

# Layers, width, rows, steps; then whether it has positions, and its scale.
KINDS = [
    (2, 64, 8, 50, True, None),
    (1, 16, 3, 12, True, None),
    (2, 16, 3, 12, False, None),
    (2, 16, 3, 12, True, 1.0),
]


def told(layers, width, rows, steps, positions, scale):
    """A model in float64, texts for its steps, and both as the page is told them."""
    model = Copier(layers, width, seed=7, positions=positions, scale=scale)
    model.params = {name: w.astype(float) for name, w in model.params.items()}
    # The model's own positions are rounded to float32.
    model.places = positions * sinusoidal_positional_encoding(LENGTH, width)
    rng = np.random.default_rng(11)
    batches = [write_texts(rows, rng) for _ in range(steps)]
    data = {
        "params": {name: w.tolist() for name, w in model.params.items()},
        "batches": [
            [
                {"text": text, "run": run}
                for text, run in zip(texts.tolist(), runs.tolist(), strict=True)
            ]
            for texts, runs in batches
        ],
        "layers": layers,
        "positions": positions,
        "scale": 1 / np.sqrt(width) if scale is None else scale,
        "rate": 0.005,
    }
    return model, batches, data


@pytest.fixture(scope="module")
def both(training_javascript):
    """Every kind of model, trained by attnlib and by the page's JavaScript."""
    pairs = [told(*kind) for kind in KINDS]
    found = training_javascript([data for *_, data in pairs])
    return list(zip(pairs, found, strict=True))


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_the_page_trains_as_attnlib_does(both, kind):
    """To rounding: both are float64, and 1e-15 apart at most. A β₂ of 0.9990001 in one
    of them sets them 1e-8 apart.
    """
    (model, batches, _), found = both[kind]
    adam = Adam(model.params, 0.005)
    for (texts, runs), step in zip(batches, found["steps"], strict=True):
        wanted = measure(model, texts, runs)
        actual = [step[name] for name in ("fresh", "again", "right")]
        np.testing.assert_allclose(actual, wanted, rtol=1e-12)
        adam.step(model.loss_and_gradients(texts)[1])
    assert found["params"].keys() == model.params.keys()
    for name, w in model.params.items():
        np.testing.assert_allclose(found["params"][name], w.ravel(), atol=1e-12)


def test_products_of_any_shape(figure_javascript, rng):
    """Shapes in which tiles of 2 x 4 fit, fit not, and do not fit at all."""
    script, calls, wanted = "train_copying/layers", [], []
    for rows, inner, columns in [(4, 3, 8), (7, 5, 11), (1, 2, 3)]:
        a = rng.standard_normal((rows, inner))
        b = rng.standard_normal((inner, columns))
        one = {"rows": rows, "columns": inner, "at": 0, "down": inner, "across": 1}
        two = {"rows": inner, "columns": columns, "at": 0, "down": 1, "across": inner}
        data = [
            {**one, "data": a.ravel().tolist()},
            {**two, "data": b.T.ravel().tolist()},
        ]
        calls.append([script, "product", *data])
        wanted.append(a @ b)
    for found, expected in zip(figure_javascript(calls), wanted, strict=True):
        assert (found["rows"], found["columns"]) == expected.shape
        numbers = [found["data"][str(i)] for i in range(expected.size)]
        np.testing.assert_allclose(numbers, expected.ravel(), rtol=1e-12)


def test_texts_and_weights_of_the_page(training_javascript):
    """Drawn as Python draws them: bounds, repeats, spreads; a seed is a training."""
    kind = {"layers": 2, "positions": True, "scaled": True}
    task = {**live.TASK, "rows": 3000}
    drawn = [{"seed": seed, "task": task, **kind} for seed in (0, 0, 1)]
    first, again, other = training_javascript(drawn)
    assert first == again != other
    runs = [one["run"] for one in first["texts"]]
    counts = np.bincount(runs)[RUNS[0] :]
    assert len(counts) == RUNS[1] - RUNS[0] + 1
    share = 3000 / len(counts)
    assert np.abs(counts - share).max() < 5 * np.sqrt(share)
    texts = np.array([one["text"] for one in first["texts"]])
    assert texts.shape == (3000, LENGTH)
    assert (np.unique(texts) == np.arange(N_SYMBOLS)).all()
    for text, run in zip(texts, runs, strict=True):
        assert (text[run:] == text[:-run]).all()
    python = Copier(2, live.TASK["width"]).params
    assert {n: len(w) for n, w in first["params"].items()} == {
        name: w.size for name, w in python.items()
    }
    for name, w in first["params"].items():
        spread = 1 if name == "symbol" else live.TASK["width"] ** -0.5
        assert abs(np.mean(w)) < 5 * spread / np.sqrt(len(w))
        assert np.std(w) == pytest.approx(spread, rel=5 / np.sqrt(2 * len(w)))


def test_the_task_is_what_python_does_unless_told_otherwise():
    defaults = inspect.signature(train).parameters
    assert live.TASK["rows"] == defaults["n_rows"].default
    assert live.TASK["rate"] == defaults["learning_rate"].default
    width = inspect.signature(Copier).parameters["d_model"].default
    assert live.TASK["width"] == width


def test_what_is_said(figure_javascript):
    script = "train_copying/training"
    losses = [3.0] * 50 + [1.0] * 50
    half, fall = 1.5, 53  # the first step with four losses of 1 among the last five

    def news(n):
        return [script, "news", losses[:n], 99, half, 4.26]

    calls = [["train_copying/training", "fallOf", losses, half]]
    calls += [["train_copying/training", "fallOf", losses[:50], half]]
    calls += [news(n) for n in (1, 40, 51, fall + 1, 60, 100)]
    calls += [
        [script, "describe", {"positions": False, "scaled": True, "seed": 3}],
        [script, "describe", {"seed": 0}],
    ]
    ends = [{"name": "One layer", "loss": 2.14}, {"name": "Two layers", "loss": 0.55}]
    calls += [["train_copying/picture", "outcome", 99, ends]]
    at, none, start, quiet, step, now, past, last, kind, bare, done = figure_javascript(
        calls
    )
    assert (at, none, start, quiet, past, last) == (fall, -1, "", "", "", "")
    assert step == "After 50 steps: loss on repeated letters 2.6."
    assert now == "The fall, after 53 steps, 4.3 seconds: loss on repeated letters 1.4."
    assert kind == "one layer and two, no positions; seed 3"
    assert bare == "one layer and two, no positions, no scale; seed 0"
    assert done == (
        "Done after 99 steps: the loss on repeated letters is "
        "2.1 with one layer, 0.6 with two layers."
    )


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("c a fRj", {"run": [2, 0, 5, 17, 9]}),
        ("ABCDE FGHIJK", {"run": list(range(11))}),
        ("CAFUJ", {"wrong": "“U” is not one of its letters, A to T."}),
        ("CA1RJ", {"wrong": "“1” is not one of its letters, A to T."}),
        ("CAFR", {"wrong": "A run has 5 to 11 letters: this has 4."}),
        ("A" * 12, {"wrong": "A run has 5 to 11 letters: this has 12."}),
        ("", {"wrong": "A run has 5 to 11 letters: this has 0."}),
    ],
)
def test_a_run_that_is_typed(figure_javascript, typed, expected):
    call = ["train_copying/network", "readRun", typed, list(live.ALPHABET), list(RUNS)]
    assert figure_javascript([call]) == [expected]


def test_letters_that_go_on_with_the_run(figure_javascript):
    script, run = "train_copying/network", [2, 0, 5]
    calls = [
        [script, "copied", wrote, run]
        for wrote in ([0, 5, 2, 0, 5], [0, 5, 0, 2, 5], [], [2, 2])
    ]
    assert figure_javascript(calls) == [5, 3, 0, 0]


def test_the_page_writes_what_python_would(training_javascript):
    """Always the likeliest letter, each read back before the next."""
    model, _, data = told(2, 16, 3, 12, True, None)
    run, length = [2, 0, 5, 17, 9], 14
    wrote = training_javascript([{**data, "batches": [], "run": run, "until": length}])
    ids = [*run, run[0]]
    while len(ids) < length:
        ids.append(int(model(np.array(ids))[-1].argmax()))
    assert wrote[0]["wrote"] == ids[len(run) + 1 :]


def test_figure_for_python(untrained_copiers):
    """It says how the models of its boxes end."""
    panel = live.panel(scaled=False)
    assert panel.compute().kind == "one layer and two, no scale"
    end = live.history(2)[panel.compute().steps[-1]]
    said = f"loss of {end.new:.1f} on new letters and {end.repeated:.1f} on repeated"
    assert said in repr(panel)
