"""The figure of what comes back: it shows what is stored, and says it in words."""

import pytest

from attncourse.figures.recall import live
from attncourse.toys import recall


def test_the_figure_holds_what_is_stored():
    panel = live.panel(64, twice=True)
    view = panel.view
    assert view.shares[1][view.n_pairs] == list(panel.compute().values())
    panel.controls["n_pairs"].value, panel.controls["twice"].value = 4, False
    assert panel.compute() is recall.load()["once"]["4"]
    assert "64 pairs, each key written twice" in repr(panel)
    said = ", ".join(
        f"{name} {mean:.2f}" for name, (mean, _) in recall.load()["twice"]["64"].items()
    )
    assert said in repr(panel)


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
