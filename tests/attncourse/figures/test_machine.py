"""The machine: each of its numbers is attnlib's, and each sum is that of its cell."""

import re

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.machine import live, poster
from attncourse.figures.machine.inputs import given, names
from attncourse.figures.machine.plan import CELL, WIDTH, plan_of
from attncourse.figures.machine.tables import FACTORS, PARTS, tables
from attnlib import MultiHeadAttention

CLOSE = {"rtol": 1e-12, "atol": 1e-14}
STAGES = range(2, live.DECODER + 1)


def in_python(stage, sentence, edits=()):
    found = tables(given(stage), sentence, edits, masked=stage == 9)
    return [table for _, table in found]


def machine(stage):
    return live.panel.data["machines"][str(stage)]


def test_two_heads_add_what_multi_head_attention_adds():
    x, blocks = given(6).rows[0], given(6).blocks
    joined = [
        np.hstack([one.matrices[name] for one in blocks]) for name in ("WQ", "WK", "WV")
    ]
    update = in_python(6, 0)[0]["Z"]
    # MultiHeadAttention wants d_model = n_heads · d_k: the same numbers, with room.
    wide = [np.hstack([w, np.zeros((6, 2))]) for w in joined]
    out = np.vstack(
        [np.vstack([one.matrices["WO"] for one in blocks]), np.zeros((2, 6))]
    )
    heads = MultiHeadAttention(*wide, out, n_heads=3)
    np.testing.assert_allclose(heads(x), update, **CLOSE)


def test_two_layers_are_the_storys():
    from attncourse.story.layers import two_layers

    for sentence, adjective in enumerate(("hungry", "delicious")):
        steps = two_layers(story.embed(story.sentence(adjective))).rows
        first, second = in_python(8, sentence)
        for name, step in (("Y", "attention"), ("N", "network")):
            np.testing.assert_allclose(first[name], steps[f"{step} 1"], **CLOSE)
            np.testing.assert_allclose(second[name], steps[f"{step} 2"], **CLOSE)


def spoken(figure_javascript, stage, cells, block=0):
    """The sums of some cells, as they are read."""
    passed = machine(stage)["given"]
    (factors,) = figure_javascript([["machine/notation", "factorsOf", FACTORS, passed]])
    asked = {"given": passed, "choice": 0, "edits": [], "masked": stage == 9}
    (found,) = figure_javascript([["machine/maths", "runMachine", asked]])
    here = {
        "now": found[block],
        "parts": PARTS,
        "factors": factors,
        "names": names(given(stage), 0, block),
        "hint": "",
    }
    calls = [["machine/maths", "sumOf", cell, here] for cell in cells]
    return [
        "".join("^" * ("raised" in (role or [""])[0]) + text for text, *role in pieces)
        for pieces in figure_javascript(calls)
    ]


SUMS = {
    ("X", 4, 4): (
        "hungry, says alive: 1. Its query, key and value take row “says alive” of each "
        "matrix once."
    ),
    ("WQ", 4, 0): "W^Q, row “says alive”, column “alive”: 6",
    ("Q", 4, 0): "hungry asks for alive: 1 × 6 + five zeros = 6",
    ("Q", 0, 0): "dog asks for alive: six zeros = 0",
    ("K", 2, 1): "food offers edible: 1 × 1 + five zeros = 1",
    ("S", 4, 0): "hungry asks dog: 6 × 1 + 0 × 0 = 6",
    ("D", 4, 0): "hungry asks dog: 6 ÷ √2 = 4.243",
    ("A", 4, 0): "hungry looks at dog: e^4.24 ÷ (e^4.24 + e^0 + e^0 + e^0 + e^0) = "
    "69.6 ÷ 73.6 = 0.946",
    ("O", 4, 0): "hungry takes home alive: 0.946 × 1 + 0.014 × 0 + 0.014 × 0 + "
    "0.014 × 0 + 0.014 × 0 = 0.946",
}


def test_each_sum_says_where_its_number_comes_from(figure_javascript):
    cells = [{"base": base, "i": i, "j": j} for base, i, j in SUMS]
    assert spoken(figure_javascript, 5, cells) == list(SUMS.values())
    (found,) = spoken(figure_javascript, 8, [{"base": "N", "i": 3, "j": 4}])
    assert found == "it, says alive: row 0.946 + network 0.054 = 1"


def sheets(figure_javascript, stage, block=0):
    """What a wide screen shows one of at a time."""
    passed = [machine(stage)["plan"], names(given(stage), 0, block), PARTS]
    (found,) = figure_javascript([["machine/tiles", "sheetsOf", *passed]])
    return found


def check_corners(plan):
    """A product has the rows of its left factor and the columns of its top one."""
    matrices = plan["matrices"]
    for left, top, product, _ in plan["products"]:
        one, made = matrices[left], matrices[product]
        if top != -2 or one["x"] != made["x"]:
            assert (one["y"], one["rows"]) == (made["y"], made["rows"])
        if top >= 0:
            over = matrices[top]
            assert [over[k] for k in ("x", "width", "columns")] == [
                made[k] for k in ("x", "width", "columns")
            ]
            assert one["columns"] == over["rows"]
            assert over["y"] + CELL * over["rows"] < made["y"]


def check_boxes(plan, top, foot):
    """No two matrices overlap, and all are in the picture."""
    boxes = [
        (m["x"], m["y"], m["x"] + m["columns"] * m["width"], m["y"] + m["rows"] * CELL)
        for m in plan["matrices"]
    ]
    for k, box in enumerate(boxes):
        assert box[0] >= 0
        assert box[2] <= WIDTH
        assert box[1] >= top
        assert box[3] <= foot
        for other in boxes[:k]:
            apart = other[2] <= box[0] or box[2] <= other[0]
            assert apart or other[3] <= box[1] or box[3] <= other[1]


@pytest.mark.parametrize("stage", STAGES)
def test_products_meet_in_their_corner_and_matrices_keep_apart(
    figure_javascript, stage
):
    plan = machine(stage)["plan"]
    check_corners(plan)
    check_boxes(plan, 0, plan["height"])
    for sheet in sheets(figure_javascript, stage):
        check_corners(sheet)
        check_boxes(sheet, sheet["top"] + 27, sheet["top"] + sheet["height"])


@pytest.mark.parametrize("stage", STAGES)
def test_each_matrix_is_on_a_sheet_with_what_it_is_made_of(figure_javascript, stage):
    plan, found = machine(stage)["plan"], sheets(figure_javascript, stage)
    (factors,) = figure_javascript(
        [["machine/notation", "factorsOf", FACTORS, machine(stage)["given"]]]
    )
    on = [{one["base"] for one in sheet["matrices"]} for sheet in found]
    bases = {one["base"] for one in plan["matrices"]}
    assert set.union(*on) == bases
    for base in bases & factors.keys():
        assert any({base, *factors[base]} <= sheet for sheet in on), base
    assert all(sheet["height"] <= 462 for sheet in found)


def test_compute_follows_the_readers_numbers():
    panel = live.panel(5)
    (trace,) = panel.compute().traces
    assert trace.weights[4, 0] == pytest.approx(0.9456, abs=1e-4)
    panel.view.choice = 1
    assert panel.compute().traces[0].tokens[4] == "delicious"
    assert panel.compute().traces[0].weights[4].argmax() == 2
    panel.view.edits = "0.WQ.5.1.0~0.WQ.6.1.9~1.WQ.0.0.9~0.E.0.0.9"  # 3 don't fit
    np.testing.assert_allclose(panel.compute().traces[0].weights[4], 0.2)
    np.testing.assert_array_equal(given(5).blocks[0].matrices["WQ"][5, 1], 6)


def test_the_picture_says_the_numbers_that_its_lesson_knows():
    second, fifth = repr(live.panel(2)), repr(live.panel(5))
    assert "W^Q, says alive: numbers alive 6, edible 0" in second
    assert "scores" not in second
    assert "weights, hungry: numbers dog 0.95, ate 0.01" in fifth


def test_a_lessons_page_has_the_numbers_of_its_machine_alone():
    assert [*live.panel(3).view.data["machines"]] == ["3"]
    assert len(live.panel(3, whole=1).view.data["machines"]) == len(STAGES)


def test_numbers_fit_their_cells(figure_javascript):
    values = [6, 0.9464, -0.5, -0.001, 42.43, 1200, -1200]
    texts = ["6", "0.95", "−0.50", "0", "42.4", "1k", "−1k"]
    assert (
        figure_javascript([["machine/notation", "short", v] for v in values]) == texts
    )
    tight = [["machine/notation", "inCell", v, 24] for v in (0.9464, 1.2, 6, 0.9999)]
    assert figure_javascript(tight) == [".95", "1.2", "6", "1.0"]
    wider = [["machine/notation", "inCell", v, 34] for v in (0.9464, -5.049, -0.06)]
    assert figure_javascript(wider) == ["0.95", "−5.0", "−.06"]
    least = [["machine/notation", "inCell", v, 18] for v in (0.2, 0.9464, 0.0136, 1)]
    assert figure_javascript(least) == [".2", ".95", ".01", "1"]
    sums = [["machine/notation", "inSum", v] for v in (0.94645, 1556.2)]
    assert figure_javascript(sums) == ["0.946", "1,556"]


def test_of_two_edits_of_a_cell_the_last_counts(figure_javascript):
    edits = [[0, "X", 1, 2, 3], [0, "WQ", 1, 2, 4]]
    (got,) = figure_javascript([["machine/live", "edited", edits, [0, "X", 1, 2, 5]]])
    assert got == [[0, "WQ", 1, 2, 4], [0, "X", 1, 2, 5]]


def test_every_part_has_its_factors_and_axes_that_fit():
    assert FACTORS["K"][0] == FACTORS["V"][0] == "R"  # X, where words see each other
    for product, (left, top) in FACTORS.items():
        ends = [PARTS[top].columns, PARTS[top].rows]
        rows, inner = PARTS[left].rows, PARTS[left].columns
        if product == "S":  # K lies on its side
            ends.reverse()
        assert (rows, ends[0]) == (PARTS[product].rows, PARTS[product].columns)
        assert inner == ends[1]


ASKED = {
    ("X", 2, 2): "nourriture, object: 1. Its query takes row “object” of W^Q once.",
    ("R", 3, 3): "it, pronoun: 1. Its key and value take row “pronoun” of W^K and W^V "
    "once.",
    ("Q", 2, 2): "nourriture asks for pronoun: 1 × 6 + five zeros = 6",
    ("K", 3, 2): "it offers pronoun: 1 × 1 + five zeros = 1",
    ("S", 2, 3): "nourriture asks it: 0 × 0 + 0 × 0 + 6 × 1 = 6",
    ("D", 2, 3): "nourriture asks it: 6 ÷ √3 = 3.464",
    ("U", 2, 4): "nourriture, masc.: 0.944 × 1 + 0.028 × 0 = 0.944",
}


def test_a_french_word_asks_an_english_one_and_says_so(figure_javascript):
    cells = [{"base": base, "i": i, "j": j} for base, i, j in ASKED]
    said = spoken(figure_javascript, live.DECODER, cells)
    assert said == list(ASKED.values())


def test_the_weights_stay_and_what_is_brought_home_changes():
    hungry, delicious = (in_python(live.DECODER, choice)[0] for choice in (0, 1))
    for name in ("X", "Q"):
        np.testing.assert_array_equal(hungry[name], delicious[name])
    np.testing.assert_allclose(hungry["A"][2], delicious["A"][2], **CLOSE)
    np.testing.assert_allclose(hungry["N"][2, 4:], [1, 0], **CLOSE)
    np.testing.assert_allclose(delicious["N"][2, 4:], [0, 1], **CLOSE)


def test_in_order_x_is_words_and_positions_and_ate_finds_the_noun_before_it():
    for choice, noun in ((0, 0), (1, 0)):
        (table,) = in_python(7, choice)
        np.testing.assert_array_equal(table["X"], table["E"] + table["P"])
        assert table["A"][1].argmax() == noun
        assert table["A"][1].max() > 0.9


@pytest.mark.slow
def test_the_poster_has_the_numbers_of_one_step_on_one_page(tmp_path):
    for choice, words in enumerate(("hungry asks dog:", "delicious asks food:")):
        texts = [one.get_text() for one in poster.poster(choice).axes[0].texts]
        assert words in texts
        cells = [text for text in texts if re.fullmatch(r"−?[0-9.]+", text)]
        shown = {m.base for m in plan_of(5).matrices}
        counted = sum(table.size for name, table in in_python(5, choice)[0].items()
                      if name in shown)  # fmt: skip
        assert len(cells) == counted + 10 + 10  # Q and K stand twice
        assert cells.count("0.95") == 2  # one weight, one output
    poster.save(tmp_path)
    pdf = (tmp_path / "the-machine.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page ") == 1
    once = (tmp_path / "the-machine.svg").read_bytes()
    poster.save(tmp_path)
    assert (tmp_path / "the-machine.pdf").read_bytes() == pdf
    assert (tmp_path / "the-machine.svg").read_bytes() == once
