"""Lesson 12's live figure: what it saves, says, computes and recomputes."""

import gzip
import json

import numpy as np
import pytest

from attncourse.figures.own_sentence import live, still_heads
from attncourse.real_model import load_extract
from tests.attncourse.figures.conftest import in_node

pytestmark = pytest.mark.long

SHOWN = [0, 1, 4, 5]  # of the extract's sentences


@pytest.fixture(scope="module")
def panel():
    return live.panel(1, layer=3, head=1)


def weights(sentence):
    return load_extract()[f"attention_{sentence}"].astype(float)


def test_values_follow_the_controls():
    panel = live.panel()
    panel.controls["pair"].index, panel.controls["head"].value = 1, 1
    names = list(live.PAIRS)
    assert panel.values == {"pair": names[1], "layer": 5, "head": 1, "word": 8}
    np.testing.assert_array_equal(panel.compute().second, weights(5)[5, 1])


def test_pairs_differ_in_the_last_word_alone():
    tokens = live.panel().view.tokens
    for one, other in (tokens[:2], tokens[2:]):
        assert one[-2] != other[-2]
        assert [*one[:-2], one[-1]] == [*other[:-2], other[-1]]


def test_compute_and_page_hold_the_extract(panel):
    view = panel.view
    for place, tokens in enumerate(view.tokens):
        shape = (6, 12, len(tokens), len(tokens))
        saved = [(ord(one) - ord("#")) / 100 for one in view.weights[place]]
        stored = weights(SHOWN[place])
        gap = np.abs(np.reshape(saved, shape).swapaxes(-1, -2) - stored)
        assert gap.max() <= 0.005 + 1e-12  # right to the digits that are shown
    np.testing.assert_array_equal(panel.compute().first, weights(4)[3, 1])


def test_changes_are_half_the_sum_of_the_differences():
    got = live.panel(word=8).compute().changes
    first, second = weights(0), weights(1)
    for layer, head in ((0, 0), (3, 1), (5, 11)):
        gaps = [
            abs(first[layer, head, 7, j] - second[layer, head, 7, j]) for j in range(11)
        ]
        assert got[layer, head] == pytest.approx(sum(gaps) / 2)
    assert got[3, 1] > 3 * got[5, 11]  # the real one and the fake


def test_own_sentences_are_the_pages_alone():
    panel = live.panel()
    panel.controls["pair"].value = live.OWN
    with pytest.raises(ValueError, match=r"own_sentence: .*load_minilm\(\) does"):
        panel.compute()


def readings(view, *places):
    """What the page makes of stored sentences, as lists."""
    packs = [view.weights[place] for place in places]
    sizes = [len(view.tokens[place]) for place in places]
    calls = [["unpack", *each] for each in zip(packs, sizes, strict=True)]
    found = [list(one.values()) for one in in_page(calls)]
    return [
        {"tokens": view.tokens[place], "weights": one}
        for place, one in zip(places, found, strict=True)
    ]


def in_page(calls, script="weights"):
    """Call functions of the figure's own modules in node."""
    return in_node("calls", [[f"own_sentence/{script}", *call] for call in calls])


def test_the_page_finds_the_same_heads_and_changes(panel):
    both = readings(panel.view, 2, 3)
    asked = [(0, 0), (3, 1), (5, 11)]
    calls = [["headOf", both[1], *place] for place in asked]
    *heads, changes = in_page([*calls, ["changes", *both, 7]])
    for got, place in zip(heads, asked, strict=True):
        np.testing.assert_allclose(got, weights(5)[place], rtol=0, atol=0.0051)
    expected = live.panel(1, word=8).compute().changes
    # Each of 15 differences is off by a hundredth at most, and the sum is halved.
    np.testing.assert_allclose(changes, expected, rtol=0, atol=0.075)
    assert np.argmax(changes) == np.argmax(expected)


def test_changes_need_sentences_of_one_length(panel):
    one, other = readings(panel.view, 0, 2)  # 11 and 15 tokens
    assert (
        in_page([["changes", one, other, 3], ["changes", one, None, 3]]) == [None] * 2
    )


def test_a_token_finds_its_partner_from_the_nearer_end():
    short, long = (
        ["a", "dog", "ran", "off", "."],
        ["a", "dog", "ran", "away", "from", "me", "."],
    )
    ways = [(short, long, 1), (short, long, 4), (long, short, 4), (long, short, 6)]
    assert in_page([["partner", *way] for way in ways]) == [1, 6, 2, 4]
    assert in_page([["partner", short, ["x", "dog", "ran", "off", "!"], 3]]) == [3]


def test_small_squares_show_the_largest_of_what_they_stand_for():
    matrix = np.random.default_rng(7).random((11, 11))
    same, small = in_page([["pooled", matrix.tolist(), m] for m in (11, 4)])
    np.testing.assert_array_equal(same, matrix)
    places = [(i, j) for i in range(4) for j in range(4)]
    for i, j in places:  # three rows to one, and two to the last
        block = matrix[3 * i : 3 * i + 3, 3 * j : 3 * j + 3]
        assert small[i][j] == block.max()


def test_cells_are_drawn_where_their_weights_are():
    matrix = [[0.1, 0.5], [0.9, 0.4]]
    low, high = in_page(
        [["cells", matrix, 0, 0.45, 10, 20, 3], ["cells", matrix, 0.45, 2, 0, 0, 1]]
    )
    assert low == "M10 20h3v3h-3zM13 23h3v3h-3z"
    assert high == "M1 0h1v1h-1zM0 1h1v1h-1z"


STATES = [
    {
        "first": "Ein Ä & 50 % + #?",
        "second": "犬 🐕",
        "layer": 3,
        "head": 11,
        "word": 8,
    },
    {"first": "one", "second": "", "layer": 0, "head": 0, "word": 1},
]


def test_an_address_says_what_is_shown():
    hashes = in_page([["toHash", state] for state in STATES], "live")
    assert all(one.isascii() and " " not in one for one in hashes)
    assert in_page([["fromHash", one] for one in hashes], "live") == STATES


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("#the-model", None),
        ("#sentence=", None),
        ("#sentence=hi&head=6.1&word=0", {"first": "hi", "second": ""}),
        ("#sentence=hi&head=3.12&word=2.5", {"first": "hi", "second": ""}),
        ("#sentence=%E0%A4&head=x", {"first": "\ufffd", "second": ""}),
        (f"#sentence={'a' * 9000}", {"first": "a" * 2000, "second": ""}),
    ],
)
def test_what_an_address_cannot_mean_is_left_out(said, kept):
    assert in_page([["fromHash", said]], "live") == [kept]


def test_text_carries_the_numbers(panel):
    row = weights(4)[3, 1, 7]
    for weight in np.sort(row)[-3:]:
        assert f"{weight:.3f}" in repr(panel)
    assert "dog 0.529" in repr(live.panel(0, layer=3, head=1))


def test_state_is_json_and_small(panel):
    state = json.dumps(panel.view.get_state(), allow_nan=False)
    assert len(gzip.compress(state.encode())) < 60_000


def test_the_still_picture_shows_all_heads():
    """What is drawn of head 3.1: a vertical line for neighbors in a column."""
    cells = np.zeros((6, 12, 5, 5), bool)
    cells[3, 1, [0, 1, 2, 4], 2] = cells[5, 11, 4, 4] = True
    lines = still_heads._runs(cells, 7).vertices.reshape(-1, 2, 2).tolist()
    assert lines == [
        [[9.5, 21], [9.5, 24]],
        [[9.5, 25], [9.5, 26]],
        [[81.5, 39], [81.5, 40]],
    ]
    tokens = [
        ["[CLS]", "a", "dog", "ran", "[SEP]"],
        ["[CLS]", "a", "cat", "ran", "[SEP]"],
    ]
    weights = np.full((6, 12, 5, 5), 0.1)
    weights[0, :, :3, 0] = weights[1:, :, :, 2] = weights[2, :, :2, 4] = 0.7
    weights[2, :, :2, 2] = 0.1
    rows = [np.array([0.1, 0.2, 0.4, 0.2, 0.1])] * 2
    alt = still_heads.word_and_heads(tokens, rows, "ran", weights, (3, 1)).alt
    assert "“ran” in head 3.1. In “a dog ran” it looks most at dog 0.400" in alt
    assert alt.endswith("in 12 of them most tokens look most at [CLS] or [SEP].")
