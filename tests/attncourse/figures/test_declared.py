"""Declared figures: the page computes, says and holds what Python does."""

import json
from math import isclose

import numpy as np
import pytest
from matplotlib.figure import Figure

from attncourse.figures.kit.controls import Cells, Check, Slider, Text
from attncourse.figures.kit.slots import plain
from attncourse.figures.kit.tabled import Tabled
from attncourse.figures.listed import figure, names
from attncourse.site.embeds import address
from tests.attncourse.figures.conftest import in_node

# How many states of each figure are drawn.
FEW, MANY, N_ADDRESSES = 40, pytest.param(200, marks=pytest.mark.release), 40
MOST = 12  # words that are heard after a change
# What these show is measured first, which takes seconds.
MEASURED = {"dflash", "dsa", "eagle", "four_bits", "fp4_lost", "mtp"}
# Of these one state in so many: test_writer.py compares what it computes, too.
FEWER = {"writer": 4}
# To how many digits a figure sends what it has measured.
SENT = {"word_order": 2e-4}
pytestmark = pytest.mark.usefixtures("untrained_copiers")
NAMES = [
    pytest.param(name, marks=[pytest.mark.slow] * (name in MEASURED))
    for name in names()
]
each_figure = pytest.mark.parametrize("name", NAMES)


def drawn(control, rng):
    """Draw a value of a control by chance."""
    if isinstance(control, Check):
        return bool(rng.integers(2))
    if isinstance(control, Text):
        return control.example(rng)
    if isinstance(control, Cells):
        return sorted(
            rng.choice(control.count, rng.integers(4), replace=False).tolist()
        )
    if not isinstance(control, Slider):
        values = [*control.values, *[None] * control.optional]
        return values[rng.integers(len(values))]
    count = round((control.high - control.low) / control.step) + 1
    steps = rng.integers(count, size=len(control.names(""))).tolist()
    values = [round(control.low + k * control.step, 6) for k in steps]
    return control.read([type(control.step)(x) for x in values])


def states_of(figure, rng, count):
    """Draw so many states of a figure by chance, and list each of them once."""
    drawn_states = (
        {name: drawn(control, rng) for name, control in figure.controls.items()}
        for _ in range(count)
    )
    return list({json.dumps(plain(state)): state for state in drawn_states}.values())


@pytest.fixture(scope="module", params=[FEW, MANY])
def asked(request, untrained_copiers):
    """States of the figures whose tests are to be run."""
    rng, several = np.random.default_rng(2027), request.session.items
    run = {
        one.callspec.params["name"] for one in several if "asked" in one.fixturenames
    }
    of = {name: figure(name) for name in names() if name in run}
    count = {name: request.param // FEWER.get(name, 1) for name in of}
    return {name: states_of(one, rng, count[name]) for name, one in of.items()}


@pytest.fixture(scope="module")
def got(asked):
    given = {
        name: {
            "controls": figure(name).spec["controls"],
            "begun": plain(figure(name).begun()),
            "states": list(map(plain, states[:N_ADDRESSES])),
        }
        for name, states in asked.items()
    }
    for name, one in given.items():
        addresses = (address(figure(name), state) for state in one["states"])
        one["queries"] = [text.partition("?")[2] for text in addresses]
    found = in_node("addresses", given)
    return {name: (one["states"], found[name]) for name, one in given.items()}


@each_figure
def test_what_is_written_is_read(name, got):
    for state, found in zip(*got[name], strict=True):
        assert found["refused"] == [], found["query"]
        assert found["state"] == state, found["query"]
        assert found["same"] == state, address(figure(name), state)


@each_figure
def test_no_control_can_have_what_is_no_value(name, got):
    for found in got[name][1]:
        assert len(found["nonsense"]["refused"]) == len(figure(name).controls)
        assert found["nonsense"]["state"] == {}


@pytest.fixture(scope="module")
def declared_got(asked):
    given = [
        {
            "spec": figure(n).spec,
            "data": figure(n).data,
            "script": str(figure(n).script),
            "states": states,
        }
        for n, states in asked.items()
    ]
    text = json.dumps(plain(given), allow_nan=False)  # as a page has it
    found = in_node("declared", json.loads(text))
    return dict(zip(asked, found, strict=True))


@pytest.fixture(scope="module")
def computed(asked):
    """What Python computes of every state, for all that compare with it."""
    return {
        name: [figure(name).compute(**state) for state in states]
        for name, states in asked.items()
    }


def same(theirs, ours, where):
    if isinstance(ours, dict):
        assert theirs.keys() >= ours.keys(), where
        for key in ours:
            same(theirs[key], ours[key], f"{where}.{key}")
    elif isinstance(ours, list):
        assert len(theirs) == len(ours), where
        for i, one in enumerate(ours):
            same(theirs[i], one, f"{where}.{i}")
    elif isinstance(ours, float):
        close = SENT.get(where.split(".")[0], 1e-12)
        assert isclose(theirs, ours, rel_tol=1e-9, abs_tol=close), where
    else:
        assert theirs == ours, where


@each_figure
def test_the_page_computes_the_same(name, computed, declared_got):
    for ours, found in zip(computed[name], declared_got[name], strict=True):
        same(found["numbers"], plain(ours), name)


def test_what_figures_of_few_states_keep_is_what_they_compute_again():
    for made in map(figure, {*names()} - MEASURED):
        if isinstance(made, Tabled):
            assert made.computed_anew(**made.begun()) == made.compute(**made.begun())


@each_figure
def test_the_page_says_the_same_and_says_it_shortly(
    name, asked, computed, declared_got
):
    several = zip(asked[name], computed[name], declared_got[name], strict=True)
    for state, ours, found in several:
        said = figure(name).described(state, ours)
        assert found["said"] == said
        assert len(found["heard"].split()) <= MOST


@each_figure
def test_traits_hold_the_state(name, asked, declared_got):
    for state, found in zip(asked[name], declared_got[name], strict=True):
        assert found["again"] == plain(state)
    view = figure(name)(**asked[name][0]).view
    assert {
        t: getattr(view, t) for t in declared_got[name][0]["traits"]
    } == declared_got[name][0]["traits"]


def impossible(control):
    """List values that a control cannot have: beyond its ends, or of another kind."""
    if isinstance(control, Check):
        return [1, None]
    if isinstance(control, Cells):
        return [[-1], [control.count]]
    if not isinstance(control, Slider):
        return ["none of these", True, ["a list"]]
    ends = [control.low - 1, control.high + 1, np.nan, "many"]
    ends += [control.low + 0.5, True] if isinstance(control.step, int) else []
    if not control.each:
        return ends
    first, *others = control.default
    return [first, others, *([*others, one] for one in ends)]


@each_figure
def test_what_a_control_cannot_have_is_refused(name):
    panel = figure(name)
    for control, about in panel.controls.items():
        for bad in impossible(about):
            with pytest.raises(ValueError, match=rf"^{panel.name}: {control} must be"):
                panel(**{control: bad})


@each_figure
def test_every_control_is_moved_in_python_too(name):
    panel = figure(name)()
    before = panel.state
    for widget in panel.controls.values():
        if hasattr(widget, "index"):
            widget.index = ((widget.index or 0) + 1) % len(widget.options)
        else:
            ends = getattr(widget, "min", False), getattr(widget, "max", True)
            widget.value = next(end for end in ends if end != widget.value)
    after = panel.state
    pressed = {
        n for n, c in panel.figure.controls.items() if not c.widgets(n, c.default)
    }
    assert {n for n in before if before[n] != after[n]} == before.keys() - pressed
    assert panel.describe() == panel.figure.described(after, panel.compute())


@each_figure
def test_words_stand_for_the_picture_and_sources_lead_somewhere(name, monkeypatch):
    """Every build draws all, for the page of all figures; here, one in sixteen."""
    made = figure(name)
    if names().index(name) % 16:
        monkeypatch.setattr(made, "still", lambda *_: Figure((1, 1)))
    panel = made(**made.opened)
    text = repr(panel)
    described = panel.describe()
    assert text.startswith(f"{described['title']}. {described['summary']}")
    assert f'aria-label="{described["title"]}' in panel._still()._repr_html_()
    for table in described["tables"]:
        for row in table["cells"]:
            assert all(cell in text for cell in row)
    tables = figure(name).spec["tables"]
    keys = {one["key"] for table in tables for one in table.get("lines", [table])}
    sources = [one.get("source") for t in tables for one in t.get("lines", [t])]
    assert {one for one in sources if one} <= keys


TABLES = [
    {"lines": [{"key": "a"}, {"key": "b", "source": "a"}]},
    {"lines": [{"key": "c", "source": "m"}, {"key": "d"}], "upright": True},
    {"key": "m", "source": "b"},
]


@pytest.mark.parametrize(
    ("place", "source", "follows"),
    [
        ([0, 1, 2], [0, 0, 2], [2, 2, 0]),
        ([0, 0, 2], None, [0, 1, 2]),
        ([1, 2, 0], [2, 2, 0], None),
        ([2, 1, 2], [0, 1, 2], [1, 2, 0]),
        ([1, 2, 1], None, None),
    ],
)
def test_from_a_number_to_its_sources_and_on(place, source, follows, figure_javascript):
    calls = [["kit/read", "related", TABLES, place, onward] for onward in (False, True)]
    assert figure_javascript(calls) == [source, follows]


def test_what_a_grid_shows_by_color_is_a_column_of_its_table():
    (told,) = figure("window")(left=1, layers=2).describe()["tables"]
    assert told["columns"] == ["hears of", "through"]
    assert told["cells"][4] == ["3, 4, 5", "3"]


SHAPE = [[3, 2], [1, 4]]


@pytest.mark.parametrize(
    ("place", "keys", "expected"),
    [
        ([], "Enter", [0]),
        ([], "ArrowDown", []),
        ([0], "ArrowDown", [1]),
        ([0], "Enter Enter ArrowDown", [0, 1, 0]),
        ([0, 2], "ArrowDown ArrowRight ArrowRight ArrowRight", [0, 2, 1]),
        ([0, 2, 0], "ArrowLeft ArrowUp", [0, 1]),
        ([1, 0, 0], "End", [1, 0, 3]),
        ([1, 0, 3], "Home Escape Escape Escape", []),
        ([], "Escape", None),
    ],
)
def test_a_walk_from_the_whole_to_a_cell_and_back(
    place, keys, expected, figure_javascript
):
    for key in keys.split():
        (place,) = figure_javascript([["kit/reader", "stepped", place, key, SHAPE]])
    assert place == expected
