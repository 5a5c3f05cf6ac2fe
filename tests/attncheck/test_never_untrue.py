"""What a report says of a function is true of it: what blind testers found untrue."""

import numpy as np
import pytest

from attncheck import ask, read_run
from attncheck.formats import round_to
from attncheck.model import Model, attend
from attncheck.reading.where import describe
from attnlib import rotary_embedding, softmax

pytestmark = pytest.mark.slow

PLACE = np.arange(600)


def scores(q, k):
    return q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5


def causal(q, k):
    return PLACE[: k.shape[-2]] <= PLACE[: q.shape[-2], None]


def plain(q, k, v):
    return softmax(scores(q, k)) @ v


def both_reversed(q, k, v):
    return plain(q, k[:, ::-1], v[:, ::-1])


def in_steps(q, k, v):
    return np.round(softmax(scores(q, k)) * 255) / 255 @ v


def wrapped_keys(q, k, v):
    return plain(q, k[:, :, PLACE[: k.shape[2]] % 128], v)


def last_column_lost(q, k, v):
    output = plain(q, k, v)
    output[..., -1] = 0
    return output


def reshaped(q, k, v):
    turned = k.reshape(*k.shape[:2], k.shape[3], k.shape[2])
    return softmax(q @ turned / q.shape[-1] ** 0.5) @ v


def begins_anew(q, k, v):
    place = PLACE[: q.shape[2]] % 64
    seen = PLACE[: k.shape[2]] <= place[:, None]
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v


def filled_with_100(q, k, v):
    return softmax(np.where(causal(q, k), scores(q, k), -100.0)) @ v


def softplus(q, k, v):
    raised = np.logaddexp(0, scores(q, k))
    return raised / raised.sum(-1, keepdims=True) @ v


def inverted(q, k, v):
    seen = PLACE[: k.shape[2]] >= PLACE[: q.shape[2], None]
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v


def not_divided(q, k, v):
    s = scores(q, k)
    return np.exp(s - s.max(-1, keepdims=True)) @ v


def slower(q, k, v):
    q, k = (rotary_embedding(x, positions=PLACE[: x.shape[2]] / 2) for x in (q, k))
    return plain(q, k, v)


def of_no_base(q, k, v):
    """Neighbors are turned by the table of halves: a pair has two angles."""
    place, d = PLACE[: q.shape[2], None], q.shape[-1]
    angles = np.tile(place * 1e4 ** (-2 * PLACE[: d // 2] / d), 2)

    def turned(x):
        crossed = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
        return x * np.cos(angles) + crossed * np.sin(angles)

    return plain(turned(q), turned(k), v)


def by_width(q, k, v):
    """The scale of the model's width, with groups."""
    k, v = (np.repeat(x, q.shape[1] // k.shape[1], 1) for x in (k, v))
    width = q.shape[1] * q.shape[3]
    return softmax(q @ k.swapaxes(-1, -2) / width**0.5) @ v


def next_key_heads(q, k, v):
    return plain(q, np.roll(k, -1, 1), np.roll(v, -1, 1))


def buffer_of_128(q, k, v):
    n, m = q.shape[2], k.shape[2]
    seen = (PLACE[:m] <= PLACE[:n, None]) | (PLACE[:n, None] >= 128)
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v


def maximum_of_16(q, k, v):
    s = scores(q, k)
    raised = np.exp(s - s[..., :16].max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True) @ v


def in_eight_bits(q, k, v):
    return plain(round_to(q, "bfloat16"), round_to(k, "bfloat16"), v)


UNTRUE = {
    "by_width": (by_width, "something else than each"),
    "next_key_heads": (next_key_heads, "reads the queries of"),
    "buffer_of_128": (buffer_of_128, "nothing wrong was found."),
    "maximum_of_16": (maximum_of_16, "nothing wrong was found."),
    "in_eight_bits": (in_eight_bits, "numbers are wrong"),
    "both_reversed": (both_reversed, "One number of the queries"),
    "in_steps": (in_steps, "The weights of each query add up to 1."),
    "wrapped_keys": (wrapped_keys, "300 tokens. What several blocks"),
    "last_column_lost": (last_column_lost, "unequal weights"),
    "reshaped": (reshaped, "Hidden keys"),
    "begins_anew": (begins_anew, "Query i sees"),
    "filled_with_100": (filled_with_100, "depends on place"),
    "softplus": (softplus, "times 0.09018 at"),
    "inverted": (inverted, "only later keys"),
    "not_divided": (not_divided, "exp(score), divided"),
    "of_no_base": (of_no_base, "the base is"),
}
MEANT = {"inverted": {"alignment": "start"}}
SAID = {
    "buffer_of_128": "With 300 tokens its outputs do not follow",
    "both_reversed": "are those of the values in reversed order",
    "wrapped_keys": "do not follow from the facts",
    "reshaped": "Keys are reshaped",
    "begins_anew": "begins anew with each block of 64 queries",
    "filled_with_100": "its score is about -100 rather than",
    "inverted": "its own key and later ones",
    "not_divided": "exp(score − the largest)",
}


@pytest.mark.parametrize("name", UNTRUE)
def test_nothing_untrue_is_said(name):
    function, untrue = UNTRUE[name]
    report = ask(function, meant={"scale_name": "1/√d_k", **MEANT.get(name, {})})
    text = " ".join(str(report).split())
    assert untrue not in text
    assert SAID.get(name, "") in text
    assert report.status or " but " in report.verdict
    assert report.status == 1 or name not in SAID


def test_a_mask_is_not_joined_with_one_that_is_not_there():
    def lowered(q, k, v, mask=None):
        return softmax(scores(q, k) - (0 if mask is None else 3 * ~mask)) @ v

    codes = [p.code for p in ask(lowered, meant={"mask": "may attend"}).problems]
    assert codes
    assert "mask-adds-keys" not in codes


def test_columns_that_are_not_rotated_are_told_in_the_first_line():
    def half(q, k, v):
        return plain(*(rotary_embedding(x, rotary_dim=32) for x in (q, k)), v)

    report = ask(half, meant={"rotary": {"base": 10_000.0}})
    assert "32 of 64 columns are rotated" in report.verdict


def test_places_multiplied_by_a_number_are_told_with_the_right_base():
    report = ask(slower, meant={"rotary": {"base": 10_000.0}})
    assert [problem.code for problem in report.problems] == ["rotary-step"]
    assert report.details["rotary"]["base"] == 10_000
    assert report.details["rotary"]["step"] == 0.5


@pytest.mark.parametrize("interleaved", [True, False])
@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
def test_a_base_is_told_in_few_bits(interleaved, base):
    def rotated(q, k, v):
        x = [rotary_embedding(x, base=base, interleaved=interleaved) for x in (q, k)]
        q, k = (round_to(one, "float16") for one in x)
        s = np.where(causal(q, k), round_to(scores(q, k), "float16"), -np.inf)
        return round_to(softmax(s) @ v, "float16")

    def call(*arrays):
        return rotated(*(np.asarray(x, np.float64) for x in arrays))

    report = ask(call, dtype="float16", arrays="numpy")
    if report.facts["position"] is None:
        pytest.fail(str(report))
    assert report.details["rotary"]["base"] == base
    assert report.problems == []


def run(name, model, n=24, d=16):
    draw = np.random.default_rng(3).standard_normal
    arrays = [round_to(draw((2, 4, n, d)), name) for _ in range(3)]
    return arrays, round_to(attend(*arrays, model).output, name)


def test_a_scale_of_its_own_is_not_told_as_a_pair_that_hardly_fits():
    arrays, output = run("bfloat16", Model(scale=1 / 32))
    report = read_run(*arrays, output, dtype="bfloat16")
    assert report.details["mistakes"] == ["scale: another"]


def test_weights_that_are_all_equal_are_told():
    arrays, output = run("bfloat16", Model(scale=0.0))
    report = read_run(*arrays, output, dtype="bfloat16")
    assert report.details["mistakes"] == ["scale: 0"]


def test_a_mistake_within_rounding_is_told_where_it_is_far_closer():
    arrays, output = run("bfloat16", Model(scale="1/√(d_k + 1)"))
    report = read_run(*arrays, output, dtype="bfloat16")
    assert report.details["mistakes"] == ["scale: 1/√(d_k + 1)"]


def turned(x, by=0):
    return rotary_embedding(x, positions=PLACE[: x.shape[-2]] + by)


@pytest.mark.parametrize("one_later", [True, False])
def test_half_a_rotation_is_not_called_none(one_later):
    def function(q, k, v):
        return plain(turned(q), turned(k, by=1) if one_later else k, v)

    report = ask(function, meant={"position": "rotary"})
    assert report.facts["position"] == "rotary"
    assert [p.code for p in report.problems] == ["rotary"]


def eight_bits(x):
    step = np.abs(x).max(-1, keepdims=True) / 127
    return (np.round(x / step) * step).astype(np.float32)


def test_a_cache_of_eight_bits_mixes_nothing():
    report = ask(lambda q, k, v: plain(q, eight_bits(k), eight_bits(v)))
    assert report.problems == []
    assert report.facts["layout"] == "bhnd"


def test_columns_that_mix_are_not_called_heads():
    report = ask(lambda q, k, v: plain(q, k, v) + v.mean(-1, keepdims=True))
    assert "own head's" not in str(report)


def maximum_from_0(q, k, v):
    s = scores(q, k)
    w = np.exp(s - np.maximum(s.max(-1, keepdims=True), 0))
    return w / w.sum(-1, keepdims=True) @ v


def test_scores_that_vanish_are_not_called_fine():
    report = ask(maximum_from_0)
    assert [p.code for p in report.problems] == ["low-scores-lost"]
    assert "are fine" not in str(report)


def test_sums_that_were_not_meant_to_be_1_are_no_problem():
    def sigmoid(q, k, v):
        s = scores(q, k) - np.log(k.shape[-2])
        return (1 + np.tanh(s / 2)) / 2 @ v

    report = ask(sigmoid, meant={"normalized": "no"})
    assert report.problems == []


def values_one_page_behind(q, k, v):
    pages = PLACE[: k.shape[-2]] // 16 - 1
    return plain(q, k, v[..., np.maximum(pages, 0) * 16 + PLACE[: len(pages)] % 16, :])


def test_values_of_another_page_are_not_called_keys_that_are_unseen():
    text = str(ask(values_one_page_behind))
    assert "never seen" not in text
    assert "the values of those from 16 on reach no output" in text


def test_channels_that_fill_no_eight_are_asked():
    def channels(q, k, v):
        whole = k.shape[-1] // 8 * 8
        return softmax(q[..., :whole] @ k[..., :whole].mT / k.shape[-1] ** 0.5) @ v

    assert [p.code for p in ask(channels).problems] == ["columns"]


def test_sharing_one_key_head_is_not_called_refused():
    text = str(ask(plain))
    assert "It takes one key head for six query heads, and refuses two." in text


def test_one_key_head_that_is_not_shared_by_all_is_told():
    def other_sign(q, k, v):
        return plain(q, k if k.shape[1] == q.shape[1] else -k, v)

    report = ask(other_sign)
    assert [p.code for p in report.problems] == ["grouping"]
    assert "Six query heads on one key head" in str(report)
    assert report.facts["grouping"] == "other"


def test_a_constant_scale_under_a_cap_is_named_by_several_sizes():
    def capped(q, k, v):
        return softmax(50 * np.tanh(q @ k.mT / 16 / 50)) @ v

    report = ask(capped, meant={"scale": 1 / 16, "softcap": 50.0})
    assert report.facts["scale_name"] == "0.0625, whatever d_k is"
    assert report.problems == []


def test_a_scale_of_the_columns_of_the_values_is_told():
    def by_values(q, k, v):
        return softmax(q @ k.mT / v.shape[-1] ** 0.5) @ v

    assert "scores are divided by √d_v" in str(ask(by_values)).replace("\n    ", " ")


def test_columns_of_the_values_that_are_lost_are_told():
    def narrow(q, k, v):
        output = np.zeros_like(q)
        output[..., : v.shape[-1]] = plain(q, k, v)[..., : q.shape[-1]]
        return output

    assert "With values of 32 columns: it gives an array" in str(ask(narrow))


def test_scores_of_0_that_are_hidden_are_told():
    def masked_by_0(q, k, v):
        s = scores(q, k) * causal(q, k)
        return softmax(np.where(s == 0, -np.inf, s)) @ v

    report = ask(masked_by_0, meant={"alignment": "start"})
    assert [p.code for p in report.problems] == ["zero-scores-hidden"]


def test_queries_of_0_that_give_nan_are_in_the_first_line():
    def of_length_one(q, k, v):
        return plain(q / np.linalg.norm(q, axis=-1, keepdims=True), k, v)

    assert "a query of 0 gets NaN" in ask(lambda q, k, v: plain(q, k, v) * (q / q)).but
    assert "zero-scores-hidden" not in str(ask(of_length_one).problems)


def test_full_blocks_that_are_wrong_are_not_told_as_a_tail():
    def half_a_diagonal(q, k, v):
        parts, place = [], PLACE[: k.shape[2]]
        for start in range(0, q.shape[2], 64):
            seen = place <= place[start : start + 64, None]
            seen &= place < start + 32
            s = scores(q[:, :, start : start + 64], k)
            parts.append(softmax(np.where(seen, s, -np.inf)) @ v)
        return np.concatenate(parts, 2)

    text = " ".join(str(ask(half_a_diagonal)).split())
    assert "as when a block that is not full" not in text
    assert "With 64 tokens its outputs do not follow" in text


def test_a_scale_that_nobody_mentioned_is_in_the_first_line():
    def by_heads(q, k, v):
        return softmax(q @ k.mT / (q.shape[1] * q.shape[3]) ** 0.5) @ v

    assert "but its scale is 1/√(n_heads·d_k)" in ask(by_heads).verdict
    meant = {"scale_name": "1/√(n_heads·d_k)"}
    assert ask(by_heads, meant=meant).verdict.endswith("nothing wrong was found.")


def test_one_that_is_added_too_late_is_told_where_a_sink_was_meant():
    def late(q, k, v):
        s = scores(q, k)
        w = np.exp(s - s.max(-1, keepdims=True))
        return w / (1 + w.sum(-1, keepdims=True)) @ v

    report = ask(late, meant={"normalized": "sink"})
    assert [p.code for p in report.problems] == ["rows"]


def test_a_query_that_mask_and_rule_empty_only_together_is_told():
    def lowered(q, k, v, mask=None):
        s = scores(q, k) + np.where(causal(q, k), 0, -1e9)
        return softmax(s + (0 if mask is None else mask)) @ v

    report = ask(lowered, meant={"alignment": "start", "mask": "added"})
    assert any("which its own rule hides" in line for line in report.sentences)
    assert report.problems == []


def test_a_number_far_off_is_one():
    assert "1 of 1,536 numbers is far off" in describe(
        np.arange(1536).reshape(1, 2, 12, 64) == 700, "far off"
    )


def test_facts_of_a_run_are_those_of_the_run():
    draw = np.random.default_rng(4).standard_normal
    q, k, v = draw((1, 2, 5, 16)), draw((1, 2, 9, 16)), draw((1, 2, 9, 16))

    def facts(offset, q=q):
        model = Model(window=(None, 0), offset=offset)
        arrays = q, k, v, attend(q, k, v, model).output
        return read_run(*arrays, is_causal=True, query_offset=offset).facts

    found = [facts(offset)["alignment"] for offset in (0, 4, 2)]
    assert found == ["start", "end", None]
    assert facts(0)["large_scores"] is None
    assert facts(0, q=100 * q)["large_scores"] == "fine"


@pytest.mark.parametrize("layout", ["bnhd", "hnd", None])
def test_the_layout_of_a_run_is_the_one_that_was_given(layout):
    arrays, output = run("float32", Model())
    given = [*arrays, output]
    if layout == "bnhd":
        given = [x.swapaxes(1, 2) for x in given]
    if layout == "hnd":
        given = [x[0] for x in given]
    assert read_run(*given, layout=layout).facts["layout"] == (layout or "bhnd")


def test_no_mask_is_told_where_none_was_passed():
    arrays, _ = run("float32", Model(), n=37)
    output = attend(
        *(x[:, :, :32] if x is not arrays[0] else x for x in arrays), Model()
    )
    report = read_run(*arrays, output.output)
    assert [p.code for p in report.problems] == ["tail"]
    assert report.facts["mask"] is None


def test_heads_that_are_exchanged_are_not_called_repeated():
    draw = np.random.default_rng(5).standard_normal
    q = draw((1, 8, 12, 16))
    k, v = (draw((1, 4, 12, 16)) for _ in range(2))
    turned = [x[:, [0, 2, 1, 3]] for x in (k, v)]
    report = read_run(q, k, v, attend(q, *turned, Model()).output)
    assert [p.code for p in report.problems] == ["unknown"]
    assert report.facts["grouping"] is None


def values_one_late(q, k, v):
    n, m = q.shape[2], k.shape[2]
    q, k = (rotary_embedding(x, positions=PLACE[: x.shape[2]]) for x in (q, k))
    seen = PLACE[:m] <= PLACE[:n, None] + m - n
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ np.roll(v, 1, axis=2)


def log_weights(q, k, v):
    return np.log(softmax(scores(q, k))) @ v


def last_block_moved_back(q, k, v):
    """Rows of the last block of 4 have the mask of the rows that they took it from."""
    n = q.shape[2]
    rows = PLACE[:n].copy()
    if n > 4 and n % 4:
        rows[-4:] += -n % 4
    seen = PLACE[: k.shape[2]] <= rows[:, None]
    return softmax(np.where(seen, scores(q, k), -np.inf)) @ v


def test_values_one_late_are_not_a_mask_that_lets_one_key_through():
    report = ask(values_one_late, meant={"alignment": "end", "position": "rotary"})
    assert report.status == 2, report
    assert "more than one key" not in str(report)


def test_weights_below_0_are_not_called_nothing():
    report = ask(log_weights)
    assert report.status == 2, report
    assert "Some of its weights are negative" in report.verdict


def test_other_keys_at_equal_scores_are_not_called_other_weights():
    report = ask(last_block_moved_back, meant={"alignment": "start"})
    assert report.status == 2, report
    assert "not those of the mask that fewer tokens show" in " ".join(
        report.verdict.split()
    )
