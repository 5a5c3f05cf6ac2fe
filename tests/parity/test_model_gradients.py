"""The gradients that train the course's models, against autograd and differences.

Each parameter is moved along its own gradient and along a random direction: there are
two slopes for each.
Run by `make parity`, which installs what it needs.
"""

from functools import partial

import numpy as np
import pytest
import torch

from attncourse.toys import card_game, copying, echoes
from attncourse.toys.writer import model as writer
from attncourse.toys.writer import stories
from attnlib import cross_entropy, sinusoidal_positional_encoding
from tests.attnlib.differences import along
from tests.parity import models_in_torch as theirs


def compare(row, rng, params, ours, in_torch):
    """Compare the loss and the gradients that ours(params) returns."""
    loss, found = ours(params)
    tensors = {name: torch.tensor(x).requires_grad_() for name, x in params.items()}
    expected = in_torch(tensors)
    assert float(loss) == pytest.approx(expected.item(), rel=1e-12)
    grads = torch.autograd.grad(expected, list(tensors.values()))
    steps, slopes = {}, {}
    for name, grad in found.items():
        ways = [grad, rng.normal(size=grad.shape)]
        ways = [way / (np.linalg.norm(way) or 1) for way in ways]
        moved = partial(loss_of, ours, params, name)
        steps[name] = np.array([np.sum(grad * way) for way in ways])
        slopes[name] = np.array([along(moved, [params[name]], 0, way) for way in ways])
    row.compare(found, dict(zip(params, grads, strict=True)), steps, slopes)


def loss_of(ours, params, name, x):
    return ours({**params, name: x})[0]


def of(model, *read):
    """Make a function of parameters out of a model and what it reads."""

    def loss_and_gradients(params):
        model.params = params
        return model.loss_and_gradients(*read)

    return loss_and_gradients


def tensors_of(loss, *read, **how):
    """Make one out of a loss in PyTorch's words."""
    read = [torch.as_tensor(x) for x in read]
    return lambda params: loss(params, *read, **how)


CARDS = {
    "whole": {},
    "two heads": {"n_heads": 2},
    "no scale": {"scale": 1.0},
    "no attention": {"scale": 0.0},
    "no positions": {"positions": False},
}


@pytest.mark.parametrize("how", CARDS.values(), ids=CARDS)
def test_card_reader(row, rng, how):
    model, cards = card_game.CardReader(6, seed=3, **how), card_game.deal(5, rng)
    options = {"n_heads": model.n_heads, "scale": model.scale}
    in_torch = tensors_of(theirs.card_reader, *cards, **options)
    compare(row("the card game"), rng, model.params, of(model, *cards), in_torch)


COPIERS = [{"n_layers": n} for n in (1, 2, 3)] + [{"positions": False}, {"scale": 1.0}]


@pytest.mark.parametrize("how", COPIERS, ids=str)
def test_copier(row, rng, how):
    model = copying.Copier(d_model=6, seed=3, **how)
    texts, _ = copying.write_texts(4, rng)
    params = {name: w.astype(float) for name, w in model.params.items()}
    model.places = model.places.astype(float)
    options = {"n_layers": model.n_layers, "scale": model.options["scale"]}
    in_torch = tensors_of(theirs.copier, texts, model.places, **options)
    compare(row("the model that copies"), rng, params, of(model, texts), in_torch)


@pytest.mark.parametrize("order", ["sinusoids", "alibi", "rotary"])
def test_echoer(row, rng, order):
    model, texts = echoes.Echoer(order, 6, seed=3), echoes.write_texts(4, rng)

    def ours(params):
        model.params = params
        loss = cross_entropy(model(texts[:, :-1]), texts[:, 1:]).mean()
        return loss, model.gradients(texts)

    places = sinusoidal_positional_encoding(echoes.LENGTH - 1, 6)
    in_torch = tensors_of(theirs.echoer, texts, places, order=order)
    compare(row("the model of echoes"), rng, model.params, ours, in_torch)


# With seed 0, a step crosses the kink of relu: a hidden number lies too close to 0.
@pytest.mark.parametrize("seed", [1, 2])
def test_writer(row, rng, seed):
    params = writer.first_parameters(seed)  # and noise, for no bias is 0, no gain 1
    params = {k: x + 0.1 * rng.standard_normal(x.shape) for k, x in params.items()}
    texts = stories.write_texts(2, 20, rng)
    sizes = {"n_layers": writer.N_LAYERS, "n_heads": writer.N_HEADS}
    in_torch = tensors_of(theirs.writer, texts, **sizes)
    ours = partial(writer.loss_and_gradients, texts=texts)
    compare(row("the writer"), rng, params, ours, in_torch)
