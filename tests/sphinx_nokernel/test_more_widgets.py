"""Widgets beyond sliders: what they show, and what a reader can do with each."""

import base64
import datetime
import json

import ipywidgets as w
import pytest
from books import interact
from small_pages import panel, saved, x_of

from sphinx_nokernel.widget_state import shorten_state

NO_LIMIT = "Nothing on this page follows “x”: that needs a kernel."
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8A"
PNG += "AAAASUVORK5CYII="


# What a reader does, in the part of the page that has the control.
def fill(text):
    return lambda part: part.locator(".nk-control :is(input, textarea)").fill(text)


def blurred(text):
    def act(part):
        box = part.locator(".nk-control :is(input, textarea)").first
        box.fill(text)
        box.dispatch_event("change")

    return act


def choose(*names):
    return lambda part: part.locator("select").select_option([*names])


def press(key, nth=0):
    return lambda part: part.get_by_role("slider").nth(nth).press(key)


def click(part):
    part.locator(".nk-button").click()


SET = {  # a control, its trait, what a reader does, and what its figure hears
    "Text": (w.Text("a"), "value", fill("b"), "b"),
    "Text, at the end": (
        w.Text("a", continuous_update=False),
        "value",
        blurred("b"),
        "b",
    ),
    "Textarea": (w.Textarea("a"), "value", fill("b\nc"), "b\nc"),
    "Combobox": (w.Combobox(options=["a", "b"]), "value", fill("b"), "b"),
    "IntText": (w.IntText(1), "value", blurred("7"), 7),
    "BoundedIntText": (w.BoundedIntText(1, max=5), "value", blurred("9"), 5),
    "FloatText": (w.FloatText(1), "value", blurred("0.5"), 0.5),
    "BoundedFloatText": (w.BoundedFloatText(1, max=5), "value", blurred("2.5"), 2.5),
    "ColorPicker": (w.ColorPicker(value="red"), "value", blurred("#00ff00"), "#00ff00"),
    "DatePicker": (
        w.DatePicker(value=datetime.date(2020, 1, 2)),
        "value",
        blurred("2021-03-04"),
        {"year": 2021, "month": 2, "date": 4},
    ),
    "Select": (w.Select(options="abc"), "index", choose("b"), 1),
    "SelectMultiple": (
        w.SelectMultiple(options="abc"),
        "index",
        choose("a", "c"),
        [0, 2],
    ),
    "IntRangeSlider": (
        w.IntRangeSlider(value=[2, 5], min=0, max=9),
        "value",
        press("End", 0),
        [5, 5],
    ),
    "FloatRangeSlider": (
        w.FloatRangeSlider(value=[2, 5], min=0, max=9),
        "value",
        press("End", 1),
        [2, 9],
    ),
    "SelectionRangeSlider": (
        w.SelectionRangeSlider(options="abc", index=(0, 1)),
        "index",
        press("End", 1),
        [0, 2],
    ),
    "ToggleButton": (w.ToggleButton(False), "value", click, True),
}


@pytest.fixture(scope="module")
def all_of_them(small_pages):
    """One page with a figure for each."""
    page = small_pages.load(*(panel(*one[:2]) for one in SET.values()))
    assert page.mounted == [len(SET), 0]
    return page


@pytest.mark.parametrize("name", SET)
def test_what_a_reader_sets_reaches_the_figure(all_of_them, name):
    *_, act, expected = SET[name]
    place = [*SET].index(name)
    act(all_of_them.locator("section").nth(place))
    assert x_of(all_of_them, place) == expected
    assert all_of_them.said == []


def test_play_steps_and_stops(load):
    page = load(panel(w.Play(value=0, min=0, max=3, interval=10)))
    page.get_by_role("button", name="Play").click()
    page.get_by_text("3", exact=True).wait_for()
    assert x_of(page) == 3
    page.get_by_role("button", name="Play").wait_for()


# ── What only shows something ──


def test_html_is_shown_and_its_scripts_are_not_run(load):
    root = w.HTML("<b>bold</b><script>document.title = 'run'</script>")
    page = load(root, state=json.dumps(saved(root)).replace("</", "<\\/"))
    assert page.locator("b").inner_text() == "bold"
    assert page.title() == "Figures"


@pytest.mark.parametrize("kind", [w.IntProgress, w.FloatProgress])
def test_progress_is_a_bar_with_a_name(load, kind):
    page = load(kind(value=40, min=10, max=50, description="Read"))
    assert (
        page.get_by_role("progressbar", name="Read").evaluate("p => p.position") == 0.75
    )


def test_an_image_is_shown_from_its_saved_bytes(load):
    page = load(w.Image(value=base64.b64decode(PNG), width=9))
    look = "async i => (await i.decode(), [i.naturalWidth, i.width])"
    assert page.locator("img").evaluate(look) == [1, 9]


def test_a_validity_is_said_in_words(load):
    page = load(w.VBox([w.Valid(value=True), w.Valid(value=False, readout="Too long")]))
    assert page.locator(".nk-text").all_inner_texts() == ["✓", "✗ Too long"]


# ── Outputs as they were saved ──

OUTPUTS = [
    {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]},
    {"output_type": "display_data", "data": {"text/html": "<i>three</i>"}},
    {"output_type": "display_data", "data": {"image/png": PNG, "text/plain": "a dot"}},
    {"output_type": "error", "traceback": ["\x1b[31mfour\x1b[0m"]},
]


def state_of(root):
    state = saved(root)
    for name, outputs in root.saved_outputs.items():
        state["state"][name]["state"]["outputs"] = outputs
    return state


def test_interact_keeps_its_slider_and_its_output(load):
    root = interact(OUTPUTS)
    page = load(root, state=state_of(root))
    assert page.mounted == [1, 0]
    said = page.locator(".nk-output").inner_text()
    assert [word for word in said.split() if word] == ["one", "two", "three", "four"]
    assert page.get_by_role("img", name="a dot").count() == 1
    assert page.get_by_role("slider").input_value() == "10"


def test_a_control_that_nothing_follows_says_so_when_it_is_moved(load):
    root = interact(OUTPUTS)
    view = json.dumps({"model_id": root.model_id})
    state = json.loads(shorten_state(json.dumps(state_of(root)), view))
    page = load(root, state=state)
    assert page.get_by_text(NO_LIMIT).count() == 0
    for _ in range(2):
        page.get_by_role("slider").press("ArrowRight")
    assert page.get_by_text(NO_LIMIT).count() == 1


def test_a_view_inside_of_an_output_is_mounted(load):
    inner, root = w.Label("inside"), w.Output()
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": inner.model_id}}
    state = saved(root, inner)
    state["state"][root.model_id]["state"]["outputs"] = [
        {"output_type": "display_data", "data": view}
    ]
    page = load(root, state=state)
    assert page.locator(".nk-output .nk-text").inner_text() == "inside"


# ── Boxes and looks ──


def test_tabs_show_one_part_at_a_time(load):
    page = load(w.Tab([w.Label("a"), w.Label("b")], titles=["First", "Second"]))
    assert page.get_by_role("tab").all_inner_texts() == ["First", "Second"]
    assert page.get_by_role("tabpanel").inner_text() == "a"
    page.get_by_role("tab", name="First").press("ArrowRight")
    assert page.get_by_role("tabpanel").inner_text() == "b"
    assert page.get_by_role("tab", name="Second").evaluate(
        "tab => tab === document.activeElement"
    )
    stops = page.get_by_role("tab").evaluate_all("all => all.map((t) => t.tabIndex)")
    assert stops == [-1, 0]  # one stop for Tab: the part that is shown


def test_a_stack_shows_the_part_that_a_control_chooses(load):
    stack = w.Stack([w.Label("a"), w.Label("b")], selected_index=0)
    choice = w.Dropdown(options="xy")
    w.jslink((choice, "index"), (stack, "selected_index"))
    page = load(w.VBox([choice, stack]))
    page.get_by_role("combobox").select_option("y")
    texts = page.locator(".nk-text")
    assert [one.is_visible() for one in texts.all()] == [False, True]


def test_a_grid_has_its_columns(load):
    layout = w.Layout(grid_template_columns="1fr 1fr")
    page = load(w.GridBox([w.Label("a"), w.Label("b")], layout=layout))
    tops = page.locator(".nk-text").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().top)"
    )
    assert tops[0] == tops[1]


def test_what_a_layout_hides_stays_hidden(load):
    hidden = w.Label("hidden", layout=w.Layout(visibility="hidden"))
    page = load(w.VBox([hidden, w.Label("gone", layout={"display": "none"})]))
    assert not page.get_by_text("hidden").is_visible()
    assert not page.get_by_text("gone").is_visible()


def test_a_vertical_slider_stands_up(load):
    page = load(w.IntSlider(orientation="vertical"))
    box = page.get_by_role("slider").bounding_box()
    assert box["height"] > 2 * box["width"]
    page.get_by_role("slider").press("ArrowUp")
    assert page.get_by_role("slider").input_value() == "1"


def test_a_state_saved_without_its_defaults_is_filled_up():
    state = {"model_name": "IntSliderModel", "state": {"value": 7}}
    text = shorten_state(json.dumps({"state": {"a1": state}}), '"model_id": "a1"')
    filled = json.loads(text)["state"]["a1"]["state"]
    assert (filled["min"], filled["max"], filled["value"]) == (0, 100, 7)
