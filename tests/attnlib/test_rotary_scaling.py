"""Frequencies beyond the length of the training, each kind in plain arithmetic."""

import math

import numpy as np
import pytest

from attnlib import rotary_embedding, rotary_frequencies

LENGTH = {"original_max_position_embeddings": 64}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, **LENGTH}
LLAMA3 |= {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
YARN = {"rope_type": "yarn", "factor": 4.0, **LENGTH}
LONG = {"rope_type": "longrope", "factor": 4.0, **LENGTH}
LONG |= {"short_factor": [1.0, 1.5, 2.0], "long_factor": [1.0, 3.0, 9.0]}
PLAIN = rotary_frequencies(16)[0]


def test_without_scaling():
    found, factor = rotary_frequencies(6, base=1000)
    np.testing.assert_allclose(found, [1, 0.1, 0.01], rtol=1e-12)
    assert factor == 1
    same, _ = rotary_frequencies(6, base=1000, scaling={"rope_type": "default"})
    np.testing.assert_array_equal(same, found)


def test_linear():
    found, factor = rotary_frequencies(16, scaling={"type": "linear", "factor": 4})
    np.testing.assert_allclose(found, PLAIN / 4, rtol=1e-12)
    assert factor == 1


def test_dynamic_grows_with_the_sequence():
    """With d = 6 and twice the length, the base grows by (2 · 2 − 1) to the 6/4."""
    scaling = {"rope_type": "dynamic", "factor": 2.0, "max_position_embeddings": 10}
    for n in (1, 10):
        found, _ = rotary_frequencies(6, scaling=scaling, n_positions=n)
        np.testing.assert_allclose(found, rotary_frequencies(6)[0], rtol=1e-12)
    found, _ = rotary_frequencies(6, scaling=scaling, n_positions=20)
    expected, _ = rotary_frequencies(6, base=10_000 * 3**1.5)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_llama3_by_turns():
    """Of 64 positions: more than 4 turns stay, fewer than 1 are slowed by 8."""
    found, factor = rotary_frequencies(16, scaling=LLAMA3)
    assert factor == 1
    for plain, got in zip(PLAIN, found, strict=True):
        turns = 64 * plain / (2 * math.pi)
        kept = (turns - 1) / 3
        kept = 1 if turns > 4 else 0 if turns < 1 else kept
        assert got == pytest.approx(kept * plain + (1 - kept) * plain / 8, rel=1e-12)
    assert len({*np.round(found / PLAIN, 6)}) > 2  # both ends and a mixture


YARN_CASES = {
    "rounded outward": (10_000, {"beta_fast": 5.0, "beta_slow": 0.5}),
    "not rounded": (10_000, {"beta_fast": 5.0, "beta_slow": 0.5, "truncate": False}),
    "from below the first pair": (10_000, {"beta_fast": 32.0, "beta_slow": 1.0}),
    "to beyond the last pair": (3, {"beta_fast": 5.0, "beta_slow": 0.1}),
    "nothing between": (
        *(10_000, {"beta_fast": 3.412, "beta_slow": 3.412, "truncate": False}),
    ),
}


@pytest.mark.parametrize(("base", "given"), YARN_CASES.values(), ids=YARN_CASES)
def test_yarn_by_pairs(base, given):
    found, factor = rotary_frequencies(16, base=base, scaling=YARN | given)
    assert factor == pytest.approx(0.1 * math.log(4) + 1, rel=1e-12)
    first, last = (
        16 * math.log(64 / (given[name] * 2 * math.pi)) / (2 * math.log(base))
        for name in ("beta_fast", "beta_slow")
    )
    if given.get("truncate", True):
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, 15)
    for i, got in enumerate(found):
        plain, width = base ** (-i / 8), last - first or 0.001
        slowed = min(max((i - first) / width, 0), 1)
        expected = slowed * plain / 4 + (1 - slowed) * plain
        assert got == pytest.approx(expected, rel=1e-12)


def test_yarn_defaults():
    found = rotary_frequencies(16, scaling=YARN)[0]
    same = YARN | {"beta_fast": 32, "beta_slow": 1, "truncate": True}
    np.testing.assert_array_equal(rotary_frequencies(16, scaling=same)[0], found)
    longest = {k: v for k, v in YARN.items() if k != "factor"}
    longest |= {"max_position_embeddings": 256}
    np.testing.assert_array_equal(rotary_frequencies(16, scaling=longest)[0], found)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"attention_factor": 1.5}, 1.5),
        ({"factor": 0.5}, 1),
        ({"mscale": 1.0, "mscale_all_dim": 1.0}, 1),
        (
            {"mscale": 2.0, "mscale_all_dim": 0.5},
            (0.2 * math.log(4) + 1) / (0.05 * math.log(4) + 1),
        ),
        ({"mscale": 2.0}, 0.1 * math.log(4) + 1),
    ],
)
def test_attention_factor_of_yarn(given, expected):
    _, factor = rotary_frequencies(16, scaling=YARN | given)
    assert factor == pytest.approx(expected, rel=1e-12)


def test_longrope_has_two_lists():
    plain = rotary_frequencies(6)[0]
    for n, name in ((64, "short_factor"), (65, "long_factor")):
        found, factor = rotary_frequencies(6, scaling=LONG, n_positions=n)
        np.testing.assert_allclose(found, plain / LONG[name], rtol=1e-12)
        assert factor == pytest.approx(math.sqrt(1 + math.log(4) / math.log(64)))
    assert rotary_frequencies(6, scaling=LONG | {"factor": 0.5})[1] == 1
    assert rotary_frequencies(6, scaling=LONG | {"attention_factor": 1.2})[1] == 1.2


@pytest.mark.parametrize("scaling", [LLAMA3, YARN, LONG], ids=lambda s: s["rope_type"])
@pytest.mark.parametrize("last", [6, 64, 70])
def test_rotated_by_these_frequencies(xp, rng, scaling, last):
    x, positions = rng.normal(size=(2, 6)), [3, last]
    given = xp.asarray(positions)
    got = rotary_embedding(xp.asarray(x), positions=given, scaling=scaling)
    how = {"scaling": scaling, "n_positions": last + 1}
    frequencies, factor = rotary_frequencies(6, **how)
    for row, position, turned in zip(x, positions, np.asarray(got), strict=True):
        for i, frequency in enumerate(frequencies):
            pair = complex(row[i], row[i + 3])
            pair *= factor * np.exp(1j * position * frequency)
            np.testing.assert_allclose(turned[[i, i + 3]], [pair.real, pair.imag])


def test_columns_that_do_not_rotate_stay(rng):
    x = rng.normal(size=(3, 8))
    got = rotary_embedding(x, rotary_dim=4, scaling=YARN)
    np.testing.assert_array_equal(got[:, 4:], x[:, 4:])


@pytest.mark.parametrize(
    ("scaling", "message"),
    [
        ("yarn", "scaling must be a dict"),
        ({}, "rope_type of scaling must be one of default, linear, .* rope_type Non"),
        ({"rope_type": "ntk", "factor": 2}, "rope_type of scaling must be one of"),
        ({"rope_type": ["yarn"]}, "rope_type of scaling must be one of"),
        ({"rope_type": "linear"}, r"'linear' needs factor, got scaling \[\]"),
        ({"rope_type": "linear", "factor": None}, "'linear' needs factor"),
        ({"rope_type": "linear", "factor": 0}, "factor of scaling must be a positive"),
        (YARN | {"rope_theta": 1e6}, r"has no rope_theta: it is given as base="),
        (YARN | {"partial_rotary_factor": 0.5}, r"it is given as rotary_dim="),
        (YARN | {"low_freq_factor": 0.5}, "'yarn' has no low_freq_factor, got"),
        (YARN | {"truncate": "no"}, r"truncate of scaling must be True or False"),
        (YARN | {"original_max_position_embeddings": 4.5}, r"must be an integer"),
        (LLAMA3 | {"high_freq_factor": 1.0}, r"high_freq_factor .* must be more than"),
        (LONG | {"short_factor": [1.0, 2.0]}, r"short_factor .* must be 3 positive"),
        (LONG | {"long_factor": [1.0, 2.0, 0.0]}, r"long_factor .* must be 3 positi"),
    ],
)
def test_errors(scaling, message):
    with pytest.raises(ValueError, match=f"^rotary_embedding: .*{message}"):
        rotary_embedding(np.ones((2, 6)), scaling=scaling)
    with pytest.raises(ValueError, match=f"^rotary_frequencies: .*{message}"):
        rotary_frequencies(6, scaling=scaling)


def test_sizes():
    with pytest.raises(ValueError, match=r"^rotary_frequencies: rotary_dim must be ev"):
        rotary_frequencies(5)
    dynamic = {"rope_type": "dynamic", "factor": 2.0, **LENGTH}
    with pytest.raises(ValueError, match=r"dynamic scaling needs a rotary_dim of more"):
        rotary_frequencies(2, scaling=dynamic)
    assert rotary_frequencies(4, scaling=dynamic)[0].shape == (2,)


def test_of_no_position_to_one_the_original_length_is_not_left():
    """An empty sequence is as short as any; a length below 0 is none."""
    short = {
        "rope_type": "dynamic",
        "factor": 2.0,
        "original_max_position_embeddings": 1,
    }
    default = rotary_frequencies(8, scaling=short)[0]
    for n_positions in (0, 1):
        found, _ = rotary_frequencies(8, scaling=short, n_positions=n_positions)
        np.testing.assert_array_equal(found, default)
    assert (rotary_frequencies(8, scaling=short, n_positions=2)[0] != default).any()
    message = "n_positions must be an integer of at least 0, got n_positions -1"
    with pytest.raises(ValueError, match=message):
        rotary_frequencies(8, n_positions=-1)
