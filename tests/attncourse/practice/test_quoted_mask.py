"""A mask with too many axes: the code that is to blame is quoted."""

from attncourse.practice import check
from tests.attncourse.practice.answers.masked_multi_head_attention import (
    behind_the_first_axis,
)


def test_the_mask_to_blame_is_quoted():
    report = check("masked_multi_head_attention", behind_the_first_axis, seed=0)
    messages = {f.code: f.message for f in report.findings}
    assert "`mask[:, None]`" in messages["number-of-axes"]
