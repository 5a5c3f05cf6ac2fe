"""The stored steps of the fall: what they are of, and that they come out again."""

from math import comb

import pytest
from copying_seeds import in_page

from attncourse.toys.copying.seeds import (
    KINDS,
    STEPS,
    fall,
    interval,
    stored_falls,
    stored_seconds,
)

pytestmark = pytest.mark.slow


def test_every_kind_has_twelve_seeds():
    stored, seconds = stored_falls(), stored_seconds()
    assert stored.keys() == seconds.keys() == {"numpy", "page"}
    assert stored["numpy"].keys() == KINDS.keys() == stored["page"].keys()
    for kinds in stored.values():
        for falls in kinds.values():
            assert len(falls) == 12
            assert all(step is None or 0 < step <= STEPS for step in falls)
    for where, each in seconds.items():
        assert len(each) == 12
        assert min(each) > 0
        assert None not in stored[where]["two layers"]


@pytest.mark.parametrize("where", ["numpy", "page"])
def test_the_quickest_comes_out_again(where):
    """Within two steps: float32 rounds otherwise on other machines."""
    stored = stored_falls()[where]["two layers"]
    seed = stored.index(min(stored))
    (found,) = (
        in_page([seed], n_layers=2) if where == "page" else [fall(seed, n_layers=2)]
    )
    step, seconds = found
    assert abs(step - stored[seed]) <= 2
    assert seconds > 0


@pytest.mark.parametrize(("found", "n"), [(0, 12), (11, 12), (12, 12), (3, 7)])
def test_an_interval_ends_where_what_was_found_gets_unlikely(found, n):
    """Of its two ends, each leaves 2.5% for what was found or more extreme."""

    def chance(share, counts):
        return sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in counts)

    low, high = interval(found, n)
    assert (low == 0) == (found == 0)
    assert (high == 1) == (found == n)
    if found:
        assert chance(low, range(found, n + 1)) == pytest.approx(0.025, rel=1e-9)
    if found < n:
        assert chance(high, range(found + 1)) == pytest.approx(0.025, rel=1e-9)
    if found == n:
        assert low == pytest.approx(0.025 ** (1 / n), rel=1e-9)  # by a pencil
