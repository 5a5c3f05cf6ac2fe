"""The landing page's live figure: follow one word through every step."""

import dataclasses

import ipywidgets
import traitlets

from attnlib import SelfAttention, softmax

from ..kit.checks import check_between, check_whole
from ..kit.panel import LABEL, Panel, View, numbers, slider
from . import still
from .sentences import SENTENCES

STEPS = 7
COLDEST, HOTTEST = 0.25, 4.0
MOST = 2.0
# The entries that sliders move: row 2, column 1 of W_Q and row 2, column 2 of W_K.
OF_QUERY, OF_KEY = (1, 0), (1, 1)


class FollowView(View, beside=__file__):
    """All sentences with their weights, and what the controls say."""

    sentences = traitlets.List().tag(sync=True)
    sentence = traitlets.Int().tag(sync=True)
    word = traitlets.Int(1).tag(sync=True)
    d_k = traitlets.Int(1).tag(sync=True)
    temperature = traitlets.Float(1.0).tag(sync=True)
    w_query = traitlets.Float().tag(sync=True)
    w_key = traitlets.Float().tag(sync=True)
    step = traitlets.Int(1).tag(sync=True)
    # What the sentence allows: linked to the ends of the sliders of word and d_k.
    n_words = traitlets.Int(1).tag(sync=True)
    n_columns = traitlets.Int(1).tag(sync=True)


def panel(
    sentence="Smart robots perform complex tasks", word=2, *, temperature=1.0, step=5
):
    """Return the live figure that follows one word through self-attention.

    Parameters
    ----------
    sentence : str
        One of ``attncourse.figures.follow.sentences.SENTENCES``.
    word : int
        The word that asks, counted from 1.
    temperature : float, from 0.25 to 4
        Divides the scaled scores.
    step : int, from 1 to 7
        The step that is lit.

    Returns
    -------
    Panel
        ``compute()`` gives the `AttentionTrace` of the whole sentence.

    Raises
    ------
    ValueError
        If there is no such sentence, or a number is outside of its slider's range.
    """
    name = "follow_one_word"
    if sentence not in SENTENCES:
        rule = f"sentence must be one of {list(SENTENCES)}"
        raise ValueError(f"{name}: {rule}, got {sentence!r}")
    n_words, n_columns, w_query, w_key = _beginning(sentence)
    values = {
        "sentence": sentence,
        "word": check_whole(name, "word", word, 1, n_words),
        "d_k": n_columns,
        "temperature": check_between(
            name, "temperature", temperature, COLDEST, HOTTEST
        ),
        "w_query": w_query,
        "w_key": w_key,
        "step": check_whole(name, "step", step, 1, STEPS),
    }
    controls = _controls(n_words, n_columns, **values)
    start = {**values, "sentence": list(SENTENCES).index(sentence)}
    view = FollowView(sentences=_data(), n_words=n_words, n_columns=n_columns, **start)
    _follow_the_sentence(view, controls)
    picture = still.one_word(_trace(**values), word)
    return Panel(view, controls, still=picture, compute=_trace).add_class("aw-many")


def _controls(n_words, n_columns, **values):
    """Return a control for each of the values, in the order of the page."""

    def make(name, label, low, high, step):
        return slider(label, values[name], low, high, step)

    return {
        "sentence": ipywidgets.Dropdown(
            description="Sentence",
            options=list(SENTENCES),
            value=values["sentence"],
            style=LABEL,
        ),
        "word": make("word", "Word that asks", 1, n_words, 1),
        "step": make("step", "Step", 1, STEPS, 1),
        "temperature": make("temperature", "Temperature, T", COLDEST, HOTTEST, 0.05),
        "d_k": make("d_k", "Columns, d_k", 1, n_columns, 1),
        "w_query": make("w_query", "Weight in W_Q", -MOST, MOST, 0.1),
        "w_key": make("w_key", "Weight in W_K", -MOST, MOST, 0.1),
    }


def _data():
    """Return the sentences as the view takes them."""
    return [
        {
            "tokens": list(s.tokens),
            "note": s.note,
            "x": numbers(s.x),
            "w_query": numbers(s.layer.w_query),
            "w_key": numbers(s.layer.w_key),
            "w_value": numbers(s.layer.w_value),
            "value": numbers(s.x @ s.layer.w_value),
        }
        for s in SENTENCES.values()
    ]


def _beginning(sentence):
    """Return a sentence's count of words and columns, and its two moving weights."""
    tokens, _, layer, _ = SENTENCES[sentence]
    w_query, w_key = float(layer.w_query[OF_QUERY]), float(layer.w_key[OF_KEY])
    return len(tokens), layer.w_key.shape[1], w_query, w_key


def _follow_the_sentence(view, controls):
    """Let the sentence set the sliders' ends and its own weights, in both languages."""
    ipywidgets.jslink((view, "n_words"), (controls["word"], "max"))
    ipywidgets.jslink((view, "n_columns"), (controls["d_k"], "max"))

    def begin(change):
        n_words, n_columns, w_query, w_key = _beginning(change["new"])
        controls["word"].max, controls["d_k"].max = n_words, n_columns
        view.n_words, view.n_columns = n_words, n_columns
        controls["d_k"].value = n_columns
        controls["w_query"].value, controls["w_key"].value = w_query, w_key

    controls["sentence"].observe(begin, "value")


def _trace(sentence, word, d_k, temperature, w_query, w_key, step):
    tokens, x, layer, _ = SENTENCES[sentence]
    of_query, of_key = layer.w_query.copy(), layer.w_key.copy()
    of_query[OF_QUERY], of_key[OF_KEY] = w_query, w_key
    shown = SelfAttention(of_query[:, :d_k], of_key[:, :d_k], layer.w_value)
    trace = shown.trace(x, tokens)
    scaled_scores = trace.scaled_scores / temperature
    weights = softmax(scaled_scores)
    tempered = {"scaled_scores": scaled_scores, "weights": weights}
    return dataclasses.replace(trace, **tempered, output=weights @ trace.value)
