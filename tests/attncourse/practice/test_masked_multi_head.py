"""What else holds for masked_multi_head_attention, beside its answers."""

from attncourse.practice import check
from tests.attncourse.practice.answers.masked_multi_head_attention import built, hide

NAME = "masked_multi_head_attention"


def test_verdict_lists_the_masks_that_were_tried():
    tried = check(NAME, built(), seed=0).tried
    for label in ("a causal mask", "padding in a batch", "a query that sees nothing"):
        assert label in tried


def test_a_mask_that_must_be_there():
    """None is used as a mask: it crashes there, and the piece to blame is quoted."""

    def answer(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
        return built(default=lambda s: hide(s, mask))(
            x, w_query, w_key, w_value, w_output, n_heads, mask
        )

    report = check(NAME, answer, seed=0)
    assert [finding.code for finding in report.findings] == ["one-piece-wrong"]
    assert "mask = None no array came back: TypeError" in report.findings[0].message
    assert "Look at `hide(s, mask)`" in report.findings[0].message
