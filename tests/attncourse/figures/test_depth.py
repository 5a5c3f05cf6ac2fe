"""The pictures of rows in many layers say what they are given."""

from attncourse.figures.depth import still


def test_similarity_says_its_beginning_and_its_end():
    alike = {"without": [0, 0.5, 0.9, 0.99, 1, 1, 0.97], "with": [0, 0.1] + [0.25] * 5}
    says = repr(still.similarity_by_depth(alike))
    assert "without, 0.00, 0.50, 0.90, 0.99, 1.00 and 0.97 at the end" in says
    assert "with, 0.00, 0.10, 0.25, 0.25, 0.25 and 0.25 at the end" in says
    assert "0, 1, … 6 attentions" in says


def test_share_says_the_first_the_middle_and_the_last():
    share = {"post-norm": [0.7, 0.2, 0.06, 0.0123], "pre-norm": [0.9, 0.8, 0.7, 0.6]}
    says = repr(still.direct_share(share))
    assert "post-norm 0.70 after 1 layer, 0.20 after 2, 0.012 after 4" in says
    assert "pre-norm 0.90 after 1 layer, 0.80 after 2, 0.600 after 4" in says
