"""The figure of what comes back: shares in hundredths, and what is refused."""

import pytest

from attncourse.figures.recall import live


def test_shares_in_hundredths(figure_javascript):
    calls = [
        ["recall/live", "hundredths", one]
        for one in ([0.7758, 0.0091], [1.0, 0.0], [0.9999, 0.0002])
    ]
    assert figure_javascript(calls) == ["78 ± 1", "100 ± 0", "100 ± 1"]


@pytest.mark.parametrize("bad", [{"n_pairs": 5}, {"n_pairs": True}, {"twice": 1}])
def test_bad_input(bad):
    (name,) = bad
    with pytest.raises(ValueError, match=f"recall: {name} must be"):
        live.panel(**bad)
