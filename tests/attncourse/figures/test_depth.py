"""The pictures of rows in many layers say what they are given."""

from attncourse.figures.depth import still


def test_recognized_says_its_beginning_and_its_end():
    share = {"without": [1, 0.2, 0.1, 0.1, 0.13], "with": [1, 1, 1, 1, 0.9]}
    says = repr(still.recognized_by_depth(share))
    assert "without, 1.00, 0.20, 0.10, 0.10 and 0.13 at the end" in says
    assert "with, 1.00, 1.00, 1.00, 1.00 and 0.90 at the end" in says
    assert "0, 1, … 4 attention steps" in says


def test_share_says_the_first_the_middle_and_the_last():
    share = {"post-norm": [0.7, 0.2, 0.06, 0.0123], "pre-norm": [0.9, 0.8, 0.7, 0.6]}
    says = repr(still.direct_share(share))
    assert "post-norm 0.70 after 1 layer, 0.20 after 2, 0.012 after 4" in says
    assert "pre-norm 0.90 after 1 layer, 0.80 after 2, 0.600 after 4" in says
