"""Two layers that are told positions otherwise, and what they reach."""

import json

import numpy as np
import pytest

from attncourse.toys.copying import far
from attncourse.toys.copying.far import CHUNK, KINDS, READ, Layered, shares, write_runs
from tests.attncourse.toys.slopes import assert_slopes


@pytest.mark.parametrize("kind", KINDS)
def test_every_gradient_against_differences(rng, kind):
    model, (texts, _) = Layered(kind, 3, d_model=4), write_runs(4, 24, rng)
    model.params = {k: w.astype(float) for k, w in model.params.items()}
    _, gradients = model.loss_and_gradients(texts)
    loss = lambda: model.loss_and_gradients(texts)[0]  # noqa: E731
    assert_slopes(model.params, gradients, loss, rng)


def test_a_chunk_sees_nothing_of_the_one_before(rng):
    model, (texts, _) = Layered("iRoPE", 3, d_model=8), write_runs(4, 24, rng)
    changed = texts.copy()
    changed[:, CHUNK - 1] += 1
    before, after = (model.layers(one % 20) for one in (texts, changed))
    np.testing.assert_allclose(before[1][:, CHUNK:], after[1][:, CHUNK:])
    assert not np.isclose(before[2][:, CHUNK:], after[2][:, CHUNK:]).all()


def test_no_symbol_comes_twice_in_a_run(rng):
    texts, runs = write_runs(50, 192, rng, (15, 20))
    for text, run in zip(texts, runs, strict=True):
        assert len({*text[:run]}) == run
        np.testing.assert_array_equal(text[run:], text[:-run])


def test_stored_shares_have_an_interval():
    assert all(len(part) == len(READ) for kind in KINDS for part in shares(kind))


@pytest.mark.release
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_stored_comes_out_again(kind):
    """Within 3 in 100: float32 rounds otherwise on other machines."""
    stored = json.loads(far.STORED.read_text(encoding="utf-8"))[kind][0]
    np.testing.assert_allclose(far.measure(kind, 0), stored, atol=0.03)
