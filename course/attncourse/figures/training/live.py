"""Lesson 10's live figure: a small model learns where to look."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from attncourse.toys.card_game import N_LETTERS, CardReader, deal, train

from ..kit.controls import Choice
from ..kit.declared import Figure
from ..kit.described import Line, Matrix, Table
from ..kit.grids import grid
from ..kit.panel import choice, letters, numbers
from ..kit.picture import KEY, QUERY, WEIGHTS, panels


def one_moment(state, now, cards, losses):
    """Draw the weights at one step of the training beside the loss at every step."""
    figure, (above, below) = panels(2, 1, size=(4.4, 5.4), height_ratios=(4, 3))
    names = dict(zip(("rows", "columns"), cards, strict=True))
    look = {"most": 1.0, "text": "{:.2f}", "size": 8}
    title = f"Weights after {state['step']} steps"
    grid(above, now.weights, title=title, **names, **look)
    above.tick_params(labelsize=8)
    above.tick_params(axis="y", labelcolor=QUERY)
    above.tick_params(axis="x", labelcolor=KEY)
    below.plot(*losses, color=WEIGHTS)
    below.plot(state["step"], now.loss, "o", color=WEIGHTS)
    below.set(xlabel="steps", ylabel="loss", title=state["model"], ylim=(0, None))
    return figure


MODELS = {
    "whole model": {},
    "no scale": {"scale": 1.0},
    "no positions": {"positions": False},
    "no attention": {"scale": 0.0},
}
STEPS = tuple(range(0, 121, 6))
ALPHABET = np.array(list("ABCDEFGH"))
LETTERS = np.array([3, 0, 5, 1, 7, 2])
MIDDLE = 69  # the letter of a number that is as the one before
NUMBERS = np.array([3, 6, 1, 2, 2, 5]) - 1
ASKS = [f"{i} asks {n + 1}" for i, n in enumerate(NUMBERS, 1)]
SHOWS = [f"{i}: {letter}" for i, letter in enumerate(ALPHABET[LETTERS], 1)]


@cache
def history(name):
    """Train one of `MODELS` and keep what it does after each of `STEPS`.

    Returns
    -------
    dict of str to list
        After each number of steps: for the figure's row of cards its ``weights``,
        (6, 6), and ``probabilities``, (6, 8); and for 200 rows that it was not trained
        on its ``losses`` and ``accuracies``.
    """
    model, test = CardReader(**MODELS[name]), deal(200, np.random.default_rng(1))
    found: dict[str, list] = {}
    for step, _ in train(model, STEPS[-1]):
        if step in STEPS:
            now = {
                "weights": numbers(model.weights(LETTERS, NUMBERS)[0], 4),
                "probabilities": numbers(model(LETTERS, NUMBERS), 4),
                "losses": round(float(model.loss_and_gradients(*test)[0]), 4),
                "accuracies": round(float(model.accuracy(*test)), 4),
            }
            for key, value in now.items():
                found.setdefault(key, []).append(value)
    return found


@cache
def sent(name):
    """Return what the page has of a training: whole numbers, (50, n_steps).

    In hundredths, as they are shown: 36 weights, what each card gives its answer, loss
    and accuracy. Then the letter that is likeliest for each card.
    """
    run = {key: np.array(value) for key, value in history(name).items()}
    shares = run["probabilities"]
    of_answer = shares[:, range(6), LETTERS[NUMBERS]]
    drawn = (run["weights"], of_answer, run["losses"], run["accuracies"])
    n_steps = len(STEPS)
    shown = np.hstack([one.reshape(n_steps, -1) for one in drawn])
    return np.rint(np.hstack([100 * shown, shares.argmax(axis=-1)])).astype(int).T


def _packed(rows):
    """Return a letter for each number: how much more it is than the one before.

    What changes little from step to step takes fewest bytes in a page.
    """
    return letters(np.diff(rows, prepend=0) + MIDDLE)


def _compute(step, model):
    """Compute weights and answers of the cards after some steps, loss and accuracy."""
    now, answers = sent(model)[:, STEPS.index(step)], LETTERS[NUMBERS]
    weights, of_answer, (loss, accuracy), best = np.split(now, (36, 42, 44))
    weights = weights.reshape(6, 6) / 100
    return SimpleNamespace(
        weights=weights,
        says=ALPHABET[best],
        right=best == answers,
        of_answer=of_answer / 100,
        on_named=weights[range(6), NUMBERS],
        n_right=int((best == answers).sum()),
        loss=loss / 100,
        accuracy=accuracy / 100,
    )


panel = Figure(
    __file__,
    controls={
        "step": Choice("Steps of training", 0, STEPS, look=choice),
        "model": Choice("Model", "whole model", tuple(MODELS)),
    },
    data=lambda: {
        "asks": ASKS,
        "shows": SHOWS,
        "alphabet": ALPHABET[:N_LETTERS],
        "answers": LETTERS[NUMBERS],
        "answer": ALPHABET[LETTERS[NUMBERS]],
        "named": NUMBERS,
        "steps": STEPS,
        "runs": {name: _packed(sent(name)) for name in MODELS},
    },
    compute=_compute,
    still=lambda state, now: one_moment(
        state, now, (ASKS, SHOWS), (STEPS, history(state["model"])["losses"])
    ),
    title="What each card looks at while a small model learns",
    summary=(
        "Model “{model}” after {step} steps: {n_right} of these 6 cards right.",
        "On 200 other rows: loss {loss:.2f}, accuracy {accuracy:.2f}.",
    ),
    tables=(
        Matrix("Weights: each card asks for one of six", "asks", "shows", "weights"),
        Table(
            "Answers",
            "asks",
            Line("answer", "answer"),
            Line("model says", "says"),
            Line("right", "right"),
            Line("p(answer)", "of_answer"),
            Line("weight on the card named", "on_named"),
        ),
    ),
    said=(
        "loss {loss:.2f}, accuracy {accuracy:.2f}",
        "{n_right} of 6 right",
        "card 1 gives card 3 {on_named.0:.2f}",
    ),
)
