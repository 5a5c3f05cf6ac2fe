"""The stored steps of the fall: what they are of, and that they come out again."""

import pytest
from copying_seeds import in_page

from attncourse.copying_seeds import KINDS, STEPS, fall, stored_falls


def test_every_kind_has_twelve_seeds():
    stored = stored_falls()
    assert stored.keys() == {"numpy", "page"}
    assert stored["numpy"].keys() == KINDS.keys() > stored["page"].keys()
    for kinds in stored.values():
        for falls in kinds.values():
            assert len(falls) == 12
            assert all(step is None or 0 < step <= STEPS for step in falls)


@pytest.mark.parametrize("where", ["numpy", "page"])
def test_the_quickest_comes_out_again(where):
    """Within two steps: float32 rounds otherwise on other machines."""
    stored = stored_falls()[where]["two layers"]
    seed = stored.index(min(stored))
    (found,) = (
        in_page([seed], n_layers=2) if where == "page" else [fall(seed, n_layers=2)]
    )
    assert abs(found - stored[seed]) <= 2
