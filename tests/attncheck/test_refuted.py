"""What one probe suggests and a second one refutes is not said."""

import numpy as np
import pytest

from attncheck import ask
from attnlib import rotary_embedding, softmax

pytestmark = pytest.mark.slow


def dots(q, k):
    return q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])


def causal(s, corner=0):
    n, m = s.shape[-2:]
    seen = np.arange(m) <= np.arange(n)[:, None] + corner
    return np.where(seen, s, -np.inf)


def of_first_sentence(q, k, v, attention_mask=None):
    """A mask of keys, (batch, n_keys): that of the first sentence is used for all."""
    s = dots(q, k)
    if attention_mask is not None:
        keys = np.asarray(attention_mask, bool)[0]
        if keys.ndim > 1:
            raise ValueError("a mask is (batch, n_keys)")
        s = np.where(keys, s, -np.inf)
    return softmax(s) @ v


def clipped_values(q, k, v):
    """Values are clipped to the largest of the first 16."""
    top = np.abs(v[:, :, :16]).max(2, keepdims=True)
    return softmax(dots(q, k)) @ np.clip(v, -top, top)


def own_block_alone(q, k, v):
    """Causal; of blocks of 16 keys, every second is seen by later queries alone."""
    n, m = q.shape[2], k.shape[2]
    block = np.arange(m) // 16
    read = block <= np.arange(n)[:, None] // 32 * 2
    return softmax(np.where(read, causal(dots(q, k)), -np.inf)) @ v


def dropped_and_leaking(q, k, v):
    """Causal in blocks of 16 keys; a last block that is not full is dropped."""
    n, m = q.shape[2], k.shape[2]
    block, query = np.arange(m) // 16, np.arange(n)[:, None]
    seen = block <= query // 16
    seen &= (np.arange(m) <= query) | (block * 16 == query // 32 * 32)
    seen &= (np.arange(m) < m // 16 * 16) | (m <= 16)
    return softmax(np.where(seen, dots(q, k), -np.inf)) @ v


def last_page_lost(q, k, v):
    """Pages of 16; the last is taken for empty if it is full, and not the only one."""
    m = k.shape[2]
    m -= 16 * (m > 16 and m % 16 == 0)
    return softmax(dots(q, k[:, :, :m])) @ v[:, :, :m]


def one_key_is_none(q, k, v, mask=None):
    """Rows of a mask that allow a single key are taken for empty."""
    s = dots(q, k)
    if mask is not None:
        seen = mask & (mask.sum(-1, keepdims=True) > 1)
        s = np.where(seen, s, -np.inf)
    return np.nan_to_num(softmax(s)) @ v


def skipped_for_all(q, k, v, key_padding_mask=None):
    """The mask is left out where the first sentence has no padding."""
    s = dots(q, k)
    if key_padding_mask is not None and not np.all(key_padding_mask[0]):
        s = np.where(np.asarray(key_padding_mask, bool)[:, None, None], s, -np.inf)
    return softmax(s) @ v


def blocks_of_first_sentence(q, k, v, mask=None):
    """Blocks of 16 keys that the first sentence does not see are read for none."""
    s = dots(q, k)
    if mask is not None:
        block = np.arange(k.shape[2]) // 16
        read = [mask.any((-3, -2))[:1, block == i].any() for i in block]
        s = np.where(mask & np.array(read), s, -np.inf)
    return np.nan_to_num(softmax(s)) @ v


def first_keys_twice(q, k, v):
    """Causal; the first four keys are joined to keys that have them already."""
    s = causal(dots(q, k))
    s = np.concatenate([s[..., :4], s], -1)
    return softmax(s) @ np.concatenate([v[:, :, :4], v], 2)


def values_reshaped(q, k, v):
    """Values are brought to (batch, n_keys, heads, d) by a reshape."""
    b, h, m, d = v.shape
    return softmax(dots(q, k)) @ v.reshape(b, m, h, d).swapaxes(1, 2)


def one_rule_of_slopes(q, k, v):
    """ALiBi, slopes 2^(−8 i / H) for any number of heads."""
    h, n, m = q.shape[1], q.shape[2], k.shape[2]
    if k.shape[1] != h:
        raise ValueError("as many key heads are wanted")
    slopes = 2.0 ** (-8 * np.arange(1, h + 1) / h)
    away = np.arange(n)[:, None] - np.arange(m)
    return softmax(causal(dots(q, k) - slopes[:, None, None] * away)) @ v


def masked_before_the_cap(q, k, v, mask=None):
    """A mask of truth values, or of numbers that are read so, comes before the cap."""
    s = dots(q, k)
    if mask is not None:
        s = np.where(np.asarray(mask, bool), s, -np.inf)
    return softmax(3 * np.tanh(s / 3)) @ v


def signed_distance(q, k, v):
    """ALiBi, both ways, of signed distances; every sixteen columns are summed."""
    h, d = q.shape[1], q.shape[3] // 16 * 16 if q.shape[3] > 16 else q.shape[3]
    away = np.arange(q.shape[2])[:, None] - np.arange(k.shape[2])
    slopes = 2.0 ** (-8 * np.arange(1, h + 1) / h)
    s = q[..., :d] @ k[..., :d].swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    return softmax(s - slopes[:, None, None] * away) @ v


def keys_of_first_sentence(q, k, v):
    """Where key heads are shared, each sentence reads those of the first."""
    if q.shape[1] != k.shape[1]:
        k, v = (
            np.broadcast_to(
                x[:1].repeat(q.shape[1] // x.shape[1], 1), (*q.shape[:2], *x.shape[2:])
            )
            for x in (k, v)
        )
    return softmax(dots(q, k)) @ v


def pairs_of_heads(q, k, v):
    """Heads two by two; of an odd number, the last gets what the one before it does."""
    out = softmax(dots(q, k)) @ v
    if q.shape[1] > 1 and q.shape[1] % 2:
        out[:, -1] = out[:, -2]
    return out


def packed(q, k, v):
    """Query heads that share keys are packed into rows, and masked as if in turn."""
    share = q.shape[1] // k.shape[1]
    b, h, n, d = q.shape
    rows = np.arange(share * n) // share
    s = dots(q.reshape(b, h // share, share * n, d), k)
    s = np.where(np.arange(k.shape[2]) <= rows[:, None], s, -np.inf)
    s = np.concatenate([s, np.zeros_like(s[..., :1])], -1)
    return (softmax(s)[..., :-1] @ v).reshape(b, h, n, -1)


def keys_one_later(q, k, v):
    """Rotary, keys by one place too many; of odd columns, the last is not rotated."""
    d = q.shape[-1] // 2 * 2
    q, k = (
        np.concatenate(
            [
                rotary_embedding(x[..., :d], positions=np.arange(x.shape[2]) + late),
                x[..., d:],
            ],
            -1,
        )
        for x, late in ((q, 0), (k, 1))
    )
    return softmax(causal(dots(q, k))) @ v


def laid_out_otherwise(q, k, v):
    """Neighbors are rotated by angles that are laid out for halves."""

    def turn(x):
        half = x.shape[-1] // 2
        angle = np.arange(x.shape[2])[:, None] * 1e4 ** (-np.arange(half) / half)
        angle = np.concatenate([angle, angle], -1)
        other = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
        return x * np.cos(angle) + other * np.sin(angle)

    return softmax(dots(turn(q), turn(k))) @ v


def scaled_mask(q, k, v, attn_mask=None):
    """A mask is added before the scale; a Boolean one is first turned into numbers."""
    s = q @ k.swapaxes(-1, -2)
    if attn_mask is not None:
        if attn_mask.dtype == bool:
            attn_mask = np.where(attn_mask, 0, -np.inf)
        s = s + attn_mask
    return np.nan_to_num(softmax(s / np.sqrt(q.shape[-1]))) @ v


def stops_at_padding(q, k, v, key_padding_mask=None):
    """Values of padding are 0; what follows a block of 16 with only padding is lost."""
    s, m = dots(q, k), k.shape[2]
    if key_padding_mask is None:
        return softmax(s) @ v
    seen = np.asarray(key_padding_mask, bool)
    read = np.ones_like(seen)
    for j in range(0, m, 16):
        none = ~seen[:, j : j + 16].any(-1)
        read[:, j:] &= ~none[:, None]
    s = np.where(read[:, None, None], s, -np.inf)
    return np.nan_to_num(softmax(s)) @ (v * seen[:, None, :, None])


def zeroed_beside_sink(q, k, v, key_padding_mask=None):
    """A sink; the scores of padding are 0."""
    s = dots(q, k)
    if key_padding_mask is not None:
        s = s * np.asarray(key_padding_mask)[:, None, None]
    s = np.concatenate([s, np.full_like(s[..., :1], -0.5)], -1)
    return softmax(s)[..., :-1] @ v


def lengths(q, k, v, key_padding_mask=None):
    """A mask is turned into lengths, as if all padding came last."""
    s = dots(q, k)
    if key_padding_mask is not None:
        many = np.asarray(key_padding_mask, bool).sum(-1)[:, None, None, None]
        s = np.where(np.arange(k.shape[2]) < many, s, -np.inf)
    return softmax(s) @ v


SAID = {
    of_first_sentence: "not every one was used for its own sentence alone",
    clipped_values: "the values of 8 reach outputs only beside other values",
    own_block_alone: "the values of those from 16 on reach no output.",
    dropped_and_leaking: "67% of the pairs of 24 queries and 24 keys have a weight",
    last_page_lost: "With 32 tokens its outputs do not follow from the facts below",
    skipped_for_all: "three sentences (the first hides nothing)",
    blocks_of_first_sentence: "masks for three sentences (the first leaves the last",
    first_keys_twice: "I cannot tell.",
    values_reshaped: "Values of one head reach outputs of another.",
    masked_before_the_cap: "A hidden key gets the score -3, not −∞",
    signed_distance: "With 77 columns, the last 13 are not multiplied",
    keys_of_first_sentence: "With two sentences, six query heads on two key heads",
    one_key_is_none: "Under a mask that leaves one key to each",
    pairs_of_heads: "With 3 heads its outputs do not follow",
    packed: "with as many of both: queries see other keys",
    keys_one_later: "The keys are rotated by one place more (pairs of halves)",
    laid_out_otherwise: "laid out for pairs of halves, and columns rotated in others "
    "(pairs of neighbors)",
    scaled_mask: "The mask is added before the scale",
    stops_at_padding: "Under a mask of keys that leaves one key",
    zeroed_beside_sink: "gets equal parts of all values",
    one_rule_of_slopes: "but its ALiBi slopes for 6 heads are not those of the authors",
    lengths: "but a mask of keys passed as key_padding_mask is read as a length",
}


@pytest.mark.parametrize("function", SAID, ids=lambda function: function.__name__)
def test_what_is_said_holds(function):
    report = ask(function)
    said = " ".join(str(report).split())
    assert SAID[function] in said
    cannot_tell = (lengths, first_keys_twice, one_rule_of_slopes)
    assert len(report.problems) == (function not in cannot_tell), report


@pytest.mark.parametrize("name", ["mask", "key_padding_mask"])
def test_masks_that_are_kept_are_a_problem(name):
    kept = {}

    def keeps(query, key, value, **masks):
        scores = dots(query, key)
        if masks:
            (mask,) = (np.asarray(x, bool) for x in masks.values())
            mask = mask[:, None, None] if name == "key_padding_mask" else mask
            mask = kept.setdefault(mask.shape, mask)
            scores = np.where(mask, scores, -np.inf)
        return softmax(scores) @ value

    def masked(query, key, value, mask=None):
        return keeps(query, key, value, **({} if mask is None else {"mask": mask}))

    def padded(query, key, value, key_padding_mask=None):
        given = key_padding_mask is not None
        masks = {"key_padding_mask": key_padding_mask} if given else {}
        return keeps(query, key, value, **masks)

    function = padded if name == "key_padding_mask" else masked
    report = ask(function, meant={"mask": "may attend"})
    (problem,) = report.problems
    assert problem.code == "mask-remembered"
    assert "Could not be told: mask" not in problem.sentence


def test_a_scaled_mask_of_numbers_is_no_other_mask():
    report = ask(scaled_mask, meant={"mask": "added"})
    assert [problem.code for problem in report.problems] == ["mask-added"]


def test_facts_are_those_of_few_tokens_where_many_do_not_follow():
    def capped_in_blocks(query, key, value):
        scores = dots(query, key)
        full = query.shape[2] // 32 * 32
        capped = 10 * np.tanh(scores[:, :, :full] / 10)
        scores = np.concatenate([capped, scores[:, :, full:]], 2)
        return softmax(scores) @ value

    problems = ask(capped_in_blocks, meant={"softcap": 10.0}).problems
    assert problems[0].sentence == (
        "softcap was meant to be 10.0; with few tokens, it is None."
    )
    assert problems[1].code == "wrong-when-long"


def test_later_keys_that_are_favored_are_told_in_the_first_line():
    def signed(query, key, value):
        away = np.arange(query.shape[2])[:, None] - np.arange(key.shape[2])
        slopes = 2.0 ** -np.arange(1, query.shape[1] + 1)
        return softmax(dots(query, key) - slopes[:, None, None] * away) @ value

    verdict = ask(signed, meant={"position": "alibi"}).verdict
    assert "rise from each key to the next, later keys too" in verdict


def test_a_cap_that_is_taken_back_is_none():
    def capped(query, key, value):
        n, m, d = query.shape[2], key.shape[2], query.shape[3]
        scores = 10 * np.tanh(query @ key.swapaxes(-1, -2) / 10) / np.sqrt(d)
        seen = np.arange(m) <= np.arange(n)[:, None] % 64 + m - n
        return softmax(np.where(seen, scores, -1e30)) @ value

    report = ask(capped, meant={"softcap": 10.0, "alignment": "end"})
    assert report.problems or report.unexplained


def test_a_base_that_goes_with_the_columns_is_said_to():
    def turned(query, key, value):
        def turn(x):
            half = x.shape[-1] // 2
            pair = np.arange(half) / max(half - 1, 1)
            angle = np.arange(x.shape[2])[:, None] * 1e4**-pair
            a, b = x[..., :half], x[..., half:]
            cos, sin = np.cos(angle), np.sin(angle)
            return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)

        if query.shape[-1] % 2:
            raise ValueError("columns come in pairs")
        return softmax(dots(turn(query), turn(key))) @ value

    report = ask(turned, meant={"rotary": {"base": 1e4}})
    said = " ".join(str(report).split())
    assert "at 64 columns, as when pair i turns by 10000^(−i/(32 − 1))" in said


def test_what_is_wrong_without_masks_is_not_said_of_those_of_sentences():
    def three_of_48(query, key, value, mask=None):
        scores = dots(query, key)
        if query.shape[0] == 3 and query.shape[2] == key.shape[2] == 48:
            scores = scores * 1.5
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    assert "Under masks" not in str(ask(three_of_48))


@pytest.mark.parametrize("by_distance", [True, False])
def test_shared_slopes_are_named_only_if_weights_change_with_distance(by_distance):
    def biased(query, key, value):
        h, n, m = query.shape[1], query.shape[2], key.shape[2]
        share = h // key.shape[1]
        key, value = (x.repeat(share, 1) for x in (key, value))
        away = np.arange(n)[:, None] - np.arange(m)
        bias = -(2.0 ** -np.arange(1, h + 1))[:, None, None] * away
        if share > 1:
            bias = bias / 2 if by_distance else bias + np.sin(away**2)
        return softmax(causal(dots(query, key) + bias)) @ value

    (problem,) = ask(biased, meant={"position": "alibi"}).problems
    assert problem.code == "shared-bias"
    assert ("as when slopes" in problem.sentence) == by_distance


@pytest.mark.parametrize("least", [0.0, 3.0])
def test_what_larger_scores_refute_is_said_of_ordinary_ones_alone(least):
    """Sums are not rescaled; or only where the largest score rises by more."""

    def by_blocks(query, key, value):
        scores, top, total, output = dots(query, key), -np.inf, 0.0, 0.0
        for block in np.arange(0, key.shape[2], 16):
            part = scores[..., block : block + 16]
            new = np.maximum(top, part.max(-1, keepdims=True))
            rescaled = np.exp(top - new) if block else 0.0
            rescaled = np.where(new - top >= least, rescaled, 1.0) if least else 1.0
            weights = np.exp(part - new)
            output = output * rescaled + weights @ value[:, :, block : block + 16]
            total, top = total * rescaled + weights.sum(-1, keepdims=True), new
        return output / total

    (problem,) = ask(by_blocks).problems
    assert "are not rescaled when the maximum rises" in problem.sentence
    assert ("ith ordinary scores" in problem.sentence) == bool(least)
    assert ("10 times as large" in problem.sentence) == bool(least)


@pytest.mark.parametrize("at_most", [40, 300])
def test_few_queries_before_many_keys_are_asked_too(at_most):
    def drafts(query, key, value):
        """Causal; drafts see each other, and no more than so many keys are kept."""
        key, value = key[:, :, -at_most:], value[:, :, -at_most:]
        n, m = query.shape[2], key.shape[2]
        corner = m if 2 <= n <= 8 and n < m else m - n
        return np.nan_to_num(softmax(causal(dots(query, key), corner))) @ value

    codes = {problem.code for problem in ask(drafts).problems}
    assert "few-queries" in codes
    assert ("wrong-when-long" in codes) == (at_most < 300)


def test_keys_and_values_of_different_heads_are_told():
    def mixed(query, key, value):
        share = query.shape[1] // key.shape[1]
        key, value = key.repeat(share, 1), np.concatenate([value] * share, 1)
        return softmax(dots(query, key)) @ value

    (problem,) = ask(mixed).problems
    assert "keys of two heads thus: 0 0 0 1 1 1; but" in problem.sentence
    assert "values thus: 0 1 0 1 0 1" in problem.sentence


def test_scores_that_are_clipped_are_not_called_fine():
    report = ask(lambda q, k, v: softmax(dots(q, k).clip(-10, 10)) @ v)
    assert [problem.code for problem in report.problems] == ["scores-clipped"]
    assert "are fine" not in str(report)


@pytest.mark.parametrize("first", [0, 1])
def test_heads_that_are_shared_wrongly_from_a_sentence_on_are_told_so(first):
    def shared(query, key, value):
        groups = query.shape[1] // key.shape[1]
        key, value = key.repeat(groups, 1), value.repeat(groups, 1)
        if groups > 1:
            key[first:] = key[first:, ::-1]
        return softmax(dots(query, key)) @ value

    (problem,) = ask(shared).problems
    assert problem.code == "grouping"
    assert ("With two sentences, six query heads" in problem.sentence) == bool(first)


def test_a_table_of_angles_that_ends_leaves_what_few_tokens_show():
    def turned(query, key, value):
        def turn(x):
            places = np.minimum(np.arange(x.shape[2]), 63)
            return rotary_embedding(x, positions=places)

        return softmax(causal(dots(turn(query), turn(key)))) @ value

    report = ask(turned, meant={"rotary": {"base": 1e4}})
    assert report.facts["position"] == "rotary"
    assert "with 70 tokens its outputs do not follow" in report.verdict


def test_what_many_tokens_change_is_not_said_of_large_scores():
    def chunks_after_the_first_are_whole(query, key, value):
        n, m = query.shape[2], key.shape[2]
        place = np.arange(n)[:, None]
        seen = np.arange(m) <= np.where(place < 32, place, place | 31)
        return softmax(np.where(seen, dots(query, key), -np.inf)) @ value

    report = ask(chunks_after_the_first_are_whole)
    assert [problem.code for problem in report.problems] == ["wrong-when-long"]
    assert "than small ones" not in str(report)


@pytest.mark.parametrize("joined", [True, False])
def test_rows_that_a_mask_and_the_rule_empty_together_are_asked_about(joined):
    def function(query, key, value, attention_mask=None):
        scores = dots(query, key)
        n, m = scores.shape[-2:]
        seen = own = np.tri(n, m, dtype=bool)
        if attention_mask is not None:
            seen = own & attention_mask
        output = softmax(np.where(seen, scores, -1e9)) @ value
        some = seen.any(-1) if joined or seen is own else attention_mask.any(-1)
        return output * some[..., None]

    report = ask(function, meant={"mask": "may attend", "empty_row": "zeros"})
    assert [problem.code for problem in report.problems] == ["empty-row"] * (not joined)
    both = "rule leave none together attends to keys which its own rule hides"
    assert (both in " ".join(str(report).split())) == (not joined)


def test_a_bend_that_is_no_cap_is_not_called_one():
    def bent(query, key, value):
        x = dots(query, key) / 20
        return softmax(20 * x * (27 + x**2) / (27 + 9 * x**2)) @ value

    report = ask(bent, meant={"softcap": 20.0})
    assert "but still differ far beyond" in report.problems[0].sentence
    assert report.facts["softcap"] is None
    assert "c · tanh" not in str(report)


def test_more_columns_of_values_are_asked_in_several_blocks_of_keys():
    def by_blocks(query, key, value):
        """Only as many columns are rescaled as queries have."""
        scores, top, total, output = dots(query, key), -np.inf, 0.0, 0.0
        for block in np.arange(0, key.shape[2], 32):
            part = scores[..., block : block + 32]
            new = np.maximum(top, part.max(-1, keepdims=True))
            rescaled = np.exp(top - new) if block else np.zeros_like(new)
            by_column = np.arange(value.shape[-1]) < query.shape[-1]
            weights = np.exp(part - new)
            output = output * np.where(by_column, rescaled, 1.0)
            output = output + weights @ value[:, :, block : block + 32]
            total, top = total * rescaled + weights.sum(-1, keepdims=True), new
        return output / total

    (problem,) = ask(by_blocks).problems
    assert problem.code == "value-columns"
    assert "columns 64–127" in problem.sentence


def test_what_a_mask_was_seen_to_do_is_told_though_who_sees_whom_is_not():
    def function(query, key, value, key_mask=None):
        n, m = query.shape[2], key.shape[2]
        seen = (np.arange(n)[:, None] * 7 + np.arange(m) ** 2) % 5 < 3
        scores = np.where(seen | (np.arange(m) == 0), dots(query, key), -np.inf)
        if key_mask is not None:
            count = np.asarray(key_mask).sum(-1)[:, None, None, None]
            scores = np.where(np.arange(m) < count, scores, -np.inf)
        return softmax(scores) @ value

    report = ask(function, meant={"mask": "may attend"})
    (problem,) = report.problems
    assert "is read as a length" in problem.sentence
    assert "Could not be told" not in str(report)


def test_a_rule_that_only_more_queries_than_keys_break_is_no_lost_key():
    """Chunks of 8 queries are written over a ring of 32 before they attend."""

    def over_a_ring(query, key, value):
        n, m = query.shape[2], key.shape[2]
        rows, place = np.arange(n)[:, None] + m - n, np.arange(m)
        last = np.minimum(np.arange(n)[:, None] // 8 * 8 + 7, n - 1) + m - n
        seen = (place <= rows) & (place > last - 32)
        empty = ~seen.any(-1, keepdims=True) & (np.arange(n)[:, None] >= 8)
        scores = np.where(seen, dots(query, key), -np.inf)
        return softmax(np.where(empty & (place < 3), 0.0, scores)) @ value

    report = ask(over_a_ring, meant={"window": (31, 0), "alignment": "end"})
    assert not any("Not asked" in note for note in report.notes)
    assert report.problems or report.unexplained
    assert "beside its window" not in str(report)


def test_what_a_mask_of_keys_empties_after_the_softmax_gets_zeros():
    def function(query, key, value, key_padding_mask=None):
        n, m = query.shape[2], key.shape[2]
        near = np.abs(np.arange(n)[:, None] - np.arange(m)) <= 4
        weights = softmax(np.where(near, dots(query, key), -1e9))
        if key_padding_mask is not None:
            weights = weights * np.asarray(key_padding_mask)[:, None, None]
        return weights @ value

    said = " ".join(str(ask(function)).split())
    assert "to which a mask leaves no key gets zeros; one to which its own rule" in said


def test_numbers_that_count_twice_with_few_tokens_are_said_to():
    def tail_twice(query, key, value, attn_mask=None):
        m = key.shape[2]
        scores = dots(query, key)
        if attn_mask is not None:
            twice = np.arange(m) >= m // 32 * 32
            scores = scores + np.asarray(attn_mask, float) * (1 + twice)
        return np.nan_to_num(softmax(scores)) @ value

    (problem,) = ask(tail_twice, meant={"mask": "added"}).problems
    assert problem.sentence.startswith("With 12 tokens, a number that is added by")
    assert problem.sentence.endswith("; with 64, its outputs do not follow from that.")


def test_a_mask_of_keys_that_means_the_opposite_of_one_of_pairs_is_told():
    def function(query, key, value, mask=None):
        scores = dots(query, key)
        if mask is not None:
            seen = ~mask[:, None, None] if mask.ndim == 2 else mask
            scores = np.where(seen, scores, -1e9)
        return softmax(scores) @ value

    (problem,) = ask(function, meant={"mask": "may attend"}).problems
    assert "of keys alone, (batch, n_keys), means the opposite" in problem.sentence


def test_keys_that_count_twice_are_not_called_forbidden():
    def neighbors_twice(query, key, value):
        n, m = query.shape[2], key.shape[2]
        away = np.abs(np.arange(n)[:, None] - np.arange(m))
        scores = dots(query, key) + np.where(away < 3, np.log(2), 0)
        return softmax(scores) @ value

    said = " ".join(str(ask(neighbors_twice)).split())
    assert "forbidden key" not in said
    assert "some keys have half the weight of others" in said


def test_columns_beside_slopes_are_those_of_queries_and_keys():
    def biased(query, key, value):
        h, n, m = query.shape[1], query.shape[2], key.shape[2]
        slopes = 2.0 ** (-8 * np.arange(1, h + 1) / h)[:, None, None]
        away = np.abs(np.arange(n)[:, None] - np.arange(m))
        bias = slopes * away * 8 / np.sqrt(query.shape[-1])
        return softmax(dots(query, key) - bias) @ value

    said = " ".join(str(ask(biased)).split())
    assert "With 8 columns of queries and keys, and 64 of values, outputs" in said
