"""The saved controls on a static page: what they do, say and look like."""

import itertools

import ipywidgets as w
import pytest
from small_pages import Probe, panel, x_of

# Control, linked trait, key; what the key gives, and what a press at the end gives.
CONTROLS = {
    "IntSlider": (lambda: w.IntSlider(3, 1, 9), "value", "ArrowRight", 4, 9),
    "FloatSlider": (lambda: w.FloatSlider(0.5, min=-1, max=1), "value", "Home", -1, 1),
    "FloatLogSlider": (
        lambda: w.FloatLogSlider(1, min=-2, max=2, step=1),
        "value",
        "ArrowLeft",
        0.1,
        100,
    ),
    "SelectionSlider": (
        lambda: w.SelectionSlider(options=[1, 2, 64, 512]),
        "index",
        "ArrowRight",
        1,
        3,
    ),
    "Checkbox": (lambda: w.Checkbox(False), "value", "Space", True, True),
    "ToggleButtons": (
        lambda: w.ToggleButtons(options="abc"),
        "index",
        "ArrowRight",
        1,
        2,
    ),
    "RadioButtons": (
        lambda: w.RadioButtons(options="abc"),
        "index",
        "ArrowDown",
        1,
        2,
    ),
}


@pytest.mark.parametrize("name", CONTROLS)
def test_each_control_moves_the_figure_by_keyboard(load, name):
    make, trait, key, expected, _ = CONTROLS[name]
    page = load(panel(make(), trait))
    page.keyboard.press("Tab")
    page.keyboard.press(key)
    assert x_of(page) == pytest.approx(expected)
    assert page.said == []


# In turn: a browser makes one event of both.
PRESSES = [*zip(CONTROLS, itertools.cycle(["click", "tap"]), strict=False)]


@pytest.mark.parametrize(("name", "press"), PRESSES)
def test_each_control_moves_the_figure_by_mouse_and_touch(load, name, press):
    make, trait, _, _, expected = CONTROLS[name]
    page = load(panel(make(), trait), has_touch=True)
    target = page.locator(".nk-control input").last
    box = target.bounding_box()
    at = {"x": box["width"] - 2, "y": box["height"] / 2}
    getattr(target, press)(position=at)
    assert x_of(page) == pytest.approx(expected)
    assert page.said == []


def test_a_dropdown_moves_the_figure(load):
    page = load(panel(w.Dropdown(options="abc", description="letter"), "index"))
    select = page.get_by_role("combobox", name="letter")
    select.focus()
    page.keyboard.press("ArrowDown")
    assert x_of(page) == 1
    select.select_option("c")
    assert x_of(page) == 2
    page.get_by_text("letter").click()
    assert select.evaluate("(node) => node === document.activeElement")
    assert page.said == []


def test_dragging_moves_the_figure_all_the_way(load):
    page = load(panel(w.IntSlider(1, 1, 9)))
    box = page.get_by_role("slider").bounding_box()
    y, left, width = box["y"] + box["height"] / 2, box["x"], box["width"]
    page.mouse.move(left + 9, y)
    page.mouse.down()
    seen = []
    for part in (0.3, 0.5, 0.7, 0.99):
        page.mouse.move(left + part * width, y)
        seen.append(x_of(page))
    page.mouse.up()
    assert seen == sorted(set(seen))
    assert seen[-1] == 9


def test_the_figure_changes_before_the_input_event_is_over(load):
    page = load(panel(w.IntSlider(3, 1, 9)))
    told = page.evaluate("""() => {
        const input = document.querySelector("input");
        input.value = 7;
        input.dispatchEvent(new Event("input"));
        return document.querySelector(".probe").textContent;
    }""")
    assert told == "7"


def test_a_slider_speaks_its_label_its_value_and_the_unit(load):
    page = load(panel(w.IntSlider(3, 1, 9, description="angle [degrees]")))
    slider = page.get_by_role("slider", name="angle [degrees]", exact=True)
    assert slider.get_attribute("aria-valuetext") == "3 degrees"
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "4 degrees"
    output = page.locator("output")
    assert output.inner_text() == "4"
    assert output.get_attribute("for") == slider.get_attribute("id")
    assert output.get_attribute("aria-live") == "off"  # or it would be said twice
    page.get_by_text("angle").click()
    assert slider.evaluate("(node) => node === document.activeElement")


def test_a_selection_slider_speaks_its_option(load):
    options = [("one", 1), ("sixty-four", 64), ("five hundred and twelve", 512)]
    control = w.SelectionSlider(options=options, description="d_k")
    page = load(panel(control, "index"), viewport={"width": 600, "height": 400})
    slider = page.get_by_role("slider", name="d_k")
    width = slider.bounding_box()["width"]
    slider.press("End")
    assert slider.get_attribute("aria-valuetext") == "five hundred and twelve"
    assert page.locator("output").inner_text() == "five hundred and twelve"
    assert slider.bounding_box()["width"] == width  # the track keeps its length


def test_a_group_of_radio_buttons_has_a_name_and_each_button_a_label(load):
    buttons = w.ToggleButtons(options=["row", "column"], description="normalize by")
    page = load(panel(buttons, "index"))
    group = page.get_by_role("radiogroup", name="normalize by")
    group.get_by_text("column").click()
    assert group.get_by_role("radio", name="column").is_checked()
    assert x_of(page) == 1


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_where_nothing_is_chosen_arrow_keys_only_look(load, key):
    """Or the first of them would make a guess for the reader."""
    page = load(panel(w.ToggleButtons(options=["a", "b", "c"], value=None), "index"))
    page.get_by_role("radio", name="a").focus()
    for arrow in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(arrow)
    assert page.get_by_role("radio", checked=True).count() == 0
    page.keyboard.press(key)
    assert page.get_by_role("radio", name="c").is_checked()
    assert x_of(page) == 2
    page.keyboard.press("ArrowLeft")
    assert x_of(page) == 1


def test_the_chosen_chip_is_filled(load):
    page = load(panel(w.ToggleButtons(options=["row", "column"]), "index"))
    ground = "(one) => getComputedStyle(one).backgroundColor"
    both = page.locator(".nk-chips .nk-control-options > span").all()
    before = [one.evaluate(ground) for one in both]
    assert before[0] != before[1]
    page.get_by_text("column").click()
    assert [one.evaluate(ground) for one in both] == before[::-1]


def test_an_accordion_folds_its_controls_and_they_still_move_the_figure(load):
    slider, probe = w.IntSlider(3, 1, 9), Probe()
    w.jslink((slider, "value"), (probe, "x"))
    fold = w.Accordion([w.VBox([slider])], titles=["Exact values"])
    page = load(w.VBox([probe, fold]))
    assert not page.get_by_role("slider").is_visible()
    page.get_by_text("Exact values").click()
    page.get_by_role("slider").press("End")
    assert x_of(page) == 9


def test_a_control_without_a_description_still_has_a_name(load):
    page = load(w.HBox([w.IntSlider(), w.Checkbox(tooltip="scaled"), w.Label("√2")]))
    assert page.get_by_role("slider", name="IntSlider").count() == 1
    assert page.get_by_role("checkbox", name="scaled").count() == 1
    assert page.get_by_text("scaled").bounding_box()["width"] <= 1
    assert page.get_by_text("√2").is_visible()


FORMATS = [
    ("d", 3.0, "3"),
    (".2f", -0.001, "0.00"),
    (".2f", -1.5, "−1.50"),
    ("+.1f", 1.5, "+1.5"),
    (".0%", 0.25, "25%"),
    (".3g", 1234.5, "1.23e+3"),
    (".1e", 1234.5, "1.2e+3"),
    (",.4f", 1234567.8912, "1,234,567.8912"),
    ("", 0.1 + 0.2, "0.3"),
]


def test_values_are_written_as_their_format_says(load):
    limits = {"min": -1e7, "max": 1e7}
    sliders = [w.FloatSlider(v, readout_format=f, **limits) for f, v, _ in FORMATS]
    page = load(w.VBox(sliders))
    written = page.locator("output").all_inner_texts()
    assert written == [expected for *_, expected in FORMATS]


def test_disabled_readout_and_continuous_update_are_kept(load):
    late = w.IntSlider(3, 1, 9, continuous_update=False)
    page = load(
        panel(late), panel(w.Checkbox(disabled=True)), w.IntSlider(readout=False)
    )
    assert page.get_by_role("checkbox").is_disabled()
    assert not page.locator("output").nth(1).is_visible()
    slider = page.get_by_role("slider").first
    slider.evaluate("(it) => { it.value = 7; it.dispatchEvent(new Event('input')); }")
    assert (x_of(page), page.locator("output").first.inner_text()) == (3, "7")
    slider.evaluate("(it) => it.dispatchEvent(new Event('change'))")
    assert x_of(page) == 7


WIDE_LABEL = "a label that is a good deal longer than a telephone is wide"


def everything():
    """Each kind of control once, with long names."""
    names = {"description": WIDE_LABEL}
    options = {"options": ["first of the options", "second", "third one"], **names}
    return w.VBox(
        [
            w.HBox([w.IntSlider(**names), w.FloatSlider(**names)]),
            w.SelectionSlider(**options),
            w.ToggleButtons(**options),
            w.Dropdown(**options),
            w.Checkbox(**names),
            w.Label(WIDE_LABEL),
            Probe(),
        ]
    )


def test_at_320_pixels_nothing_runs_over_and_all_can_be_hit(load):
    page = load(everything(), viewport={"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    for control in page.locator("input, select").all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 24
        assert 0 <= box["x"] <= 320 - box["width"]
    assert page.get_by_role("slider").first.bounding_box()["height"] >= 44


def test_every_control_shows_that_it_has_the_focus(load):
    page = load(everything())
    for _ in range(6):  # three sliders, a radio group, a select and a checkbox
        page.keyboard.press("Tab")
        style = "(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])"
        focused = f"{style}(getComputedStyle(document.activeElement))"
        assert page.evaluate(focused) == ["solid", "3px"]


def test_the_controls_take_the_colors_of_the_theme(load):
    page = load(everything())
    style = ":root { --pst-color-text-base: rgb(1, 2, 3); --pst-color-primary: red; }"
    page.add_style_tag(content=style)
    color = "(node) => getComputedStyle(node)"
    assert page.locator("label").first.evaluate(f"{color}.color") == "rgb(1, 2, 3)"
    slider = page.get_by_role("slider").first
    assert slider.evaluate(f"{color}.accentColor") == "rgb(255, 0, 0)"


def test_nothing_moves_by_itself(load):
    page = load(everything(), reduced_motion="reduce")
    page.get_by_role("slider").first.press("End")
    assert page.evaluate("document.getAnimations().length") == 0


def test_paper_gets_the_still_picture(load):
    page = load(panel(w.IntSlider(3, 1, 9)))
    still, live = page.get_by_text("A still picture"), page.locator(".nk-live")
    assert [still.is_visible(), live.is_visible()] == [False, True]
    page.emulate_media(media="print")
    assert [still.is_visible(), live.is_visible()] == [True, False]


def test_without_javascript_the_still_picture_is_there(load):
    page = load(panel(w.IntSlider(3, 1, 9)), java_script_enabled=False)
    assert page.get_by_text("A still picture").is_visible()
    assert page.locator("input, .nk-live").count() == 0


def test_a_picture_that_stays_still_is_printed_without_the_note(load):
    page = load(ids=["gone"], state={"state": {}})
    page.emulate_media(media="print")
    assert page.get_by_text("A still picture").is_visible()
    assert not page.locator(".nk-not-live").is_visible()
