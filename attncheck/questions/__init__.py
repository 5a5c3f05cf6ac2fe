"""What is asked, in this order; a module for each question."""

from __future__ import annotations

from attncheck.questions.alike import ask_alike
from attncheck.questions.arguments import ask_arguments
from attncheck.questions.axes import ask_layout
from attncheck.questions.cap import ask_cap
from attncheck.questions.first_calls import ask_first_again, ask_roles, ask_twice
from attncheck.questions.given_masks import ask_mask
from attncheck.questions.kept_masks import ask_kept_mask
from attncheck.questions.large import ask_large
from attncheck.questions.last_check import ask_all_at_once
from attncheck.questions.mixing import ask_keys
from attncheck.questions.other_sizes import ask_other_sizes
from attncheck.questions.position import ask_position
from attncheck.questions.scale import ask_scale
from attncheck.questions.sharing import ask_grouping
from attncheck.questions.summed_axis import ask_axis
from attncheck.questions.sums import ask_sums
from attncheck.questions.tails import ask_tails
from attncheck.questions.value_columns import ask_value_columns
from attncheck.questions.who_sees_whom import ask_band
from attncheck.questions.zero_scores import ask_zero_scores

QUESTIONS = (
    *(ask_twice, ask_roles, ask_layout, ask_axis, ask_keys, ask_band, ask_kept_mask),
    *(ask_alike, ask_position, ask_scale, ask_cap, ask_sums, ask_grouping, ask_mask),
    *(ask_tails, ask_large, ask_all_at_once, ask_other_sizes, ask_value_columns),
    *(ask_zero_scores, ask_first_again, ask_arguments),
)
