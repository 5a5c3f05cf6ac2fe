"""Whatever goes wrong: the still picture, one line beside it, one warning, no more."""

import math

import ipywidgets as w
import pytest
from small_pages import Probe, html, panel, probe, saved, x_of


def state_with(root, model_name, **traits):
    """The saved state of `root`, with traits that Python would have refused."""
    state = saved(root)
    for one in state["state"].values():
        if one["model_name"] == model_name:
            one["state"].update(traits)
    return state


def without(root, model_name):
    state = saved(root)["state"]
    return {"state": {k: v for k, v in state.items() if v["model_name"] != model_name}}


def slider_panel():
    return panel(w.IntSlider(3, 1, 9))


def bad_trait(model_name, **traits):
    root = slider_panel()
    return root, {"state": state_with(root, model_name, **traits)}


def bad_esm(esm):
    return w.VBox([w.IntSlider(), probe(esm)]), {}


def missing(model_name):
    root = slider_panel()
    return root, {"state": without(root, model_name)}


def empty_dropdown():
    root = panel(w.Dropdown(options="abc"), "index")
    return root, {"state": state_with(root, "DropdownModel", _options_labels=[])}


def broken_link():
    root = slider_panel()
    gone = ["IPY_MODEL_gone", "x"]
    return root, {"state": state_with(root, "LinkModel", target=gone)}


def bad_buffers():
    root = slider_panel()
    state = saved(root)
    view = next(m for m in state["state"].values() if m["model_name"] == "AnyModel")
    view["buffers"] = [{"path": ["x"], "data": "?", "encoding": "base64"}]
    return root, {"state": state}


REPORTS = "export default { render() { throw new Error('no picture'); } };"
BROKEN = {  # what is wrong: (figure, how the page differs), and what the warning says
    "unknown model": (
        lambda: (w.VBox([w.Password()]), {}),
        "Password: needs a kernel",
    ),
    "NaN written bare": (
        lambda: (w.VBox([w.IntSlider(), Probe(x=[[1, 2], [3, math.nan]])]), {}),
        "Probe: its trait x holds NaN",
    ),
    "NaN as a kernel writes it": (
        lambda: (w.VBox([w.IntSlider(), Probe(x=[[1, 2], [3, "nan"]])]), {}),
        "Probe: its trait x holds NaN",
    ),
    "NaN in a slider": (
        lambda: bad_trait("IntSliderModel", value=math.nan),
        "IntSlider: its trait value holds NaN",
    ),
    "infinite slider": (
        lambda: bad_trait("IntSliderModel", max=math.inf),
        "IntSlider: it cannot show 3 between 1 and Infinity",
    ),
    "crossed limits": (
        lambda: bad_trait("IntSliderModel", min=10),
        "IntSlider: it cannot show 3 between 10 and 9",
    ),
    "no options": (empty_dropdown, "Dropdown: it has no options"),
    "ESM with a syntax error": (lambda: bad_esm("export default {"), "Probe: "),
    "ESM that throws": (lambda: bad_esm("throw new Error('early')"), "Probe: early"),
    "ESM without default": (lambda: bad_esm("export const a = 1"), "no default export"),
    "ESM from elsewhere": (
        lambda: bad_trait("AnyModel", _esm="https://example.org/a.js"),
        "Probe: its _esm or _css is an address",
    ),
    "CSS from elsewhere": (
        lambda: bad_trait("AnyModel", _css="https://example.org/a.css"),
        "Probe: its _esm or _css is an address",
    ),
    "no ESM": (lambda: bad_trait("AnyModel", _esm=None), "Probe: its _esm is not in"),
    "render throws": (lambda: bad_esm(REPORTS), "Probe: no picture"),
    "render rejects": (
        lambda: bad_esm("export default { async render() { throw 'no picture'; } };"),
        "Probe: no picture",
    ),
    "initialize throws": (
        lambda: bad_esm("export default { initialize() { throw Error('no data'); } };"),
        "Probe: no data",
    ),
    "missing child": (
        lambda: missing("IntSliderModel"),
        "it is not in the saved state",
    ),
    "missing model": (
        lambda: (None, {"ids": ["gone"], "state": {"state": {}}}),
        "gone",
    ),
    "broken link": (broken_link, "IntSlider: it is linked to a widget that is not in"),
    "bad buffers": (bad_buffers, "Probe: its binary traits cannot be read"),
    "no state": (
        lambda: (None, {"ids": ["a1"], "state": ""}),
        "a1: the page has no saved widget state",
    ),
    "malformed state": (
        lambda: (None, {"ids": ["a1"], "state": '{"state": {'}),
        "a1: the saved widget state cannot be read",
    ),
    "malformed view": (lambda: (None, {"ids": [None], "state": {"state": {}}}), "JSON"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_mounted_leaves_the_picture_and_one_message(load, name):
    make, expected = BROKEN[name]
    root, options = make()
    page = load(*([root] if root else []), **options)
    assert page.mounted == [0, 1]
    (said,) = page.said
    assert said.startswith("warning: mount-widgets: a figure stays a still picture.")
    assert expected in said
    assert page.get_by_text("A still picture").is_visible()
    (note,) = page.get_by_role("note").all_inner_texts()
    assert note.startswith("The live version of this figure could not run")
    assert note.endswith(". The picture shows its first values.")
    named = expected.split(":")[0] if ":" in expected else ""
    assert named in note
    assert page.locator(".nk-live, .nk-mounted").count() == 0


def test_a_widget_that_needs_a_kernel_is_named(load):
    page = load(w.VBox([w.IntSlider(), w.Password()]))
    assert "(Password needs a kernel)" in page.get_by_role("note").inner_text()


def test_other_figures_on_the_page_are_not_touched(load):
    bad = w.VBox([w.IntSlider(), Probe(x=math.nan)])
    page = load(slider_panel(), bad, slider_panel())
    assert page.mounted == [2, 1]
    assert len(page.said) == 1
    for index in (0, 1):
        page.locator(".probe").nth(index).scroll_into_view_if_needed()
        page.get_by_role("slider").nth(index).press("End")
        assert x_of(page, index) == 9
    stills = page.get_by_text("A still picture").all()
    assert [still.is_visible() for still in stills] == [False, True, False]


def test_two_figures_in_one_output_keep_their_own_pictures(load):
    good, bad = slider_panel(), w.VBox([w.Password()])
    text = html([good.model_id, bad.model_id], saved(good, bad))
    page = load(text=text.replace("</section><section>", ""))
    stills = page.get_by_text("A still picture").all()
    assert [still.is_visible() for still in stills] == [False, True]
    page.emulate_media(media="print")
    assert [still.is_visible() for still in stills] == [True, True]


def test_a_figure_without_a_picture_says_so_much_and_no_more(load):
    text = html(["gone"], {"state": {}}).replace("nk-still", "other")
    page = load(text=text)
    note = page.get_by_role("note").inner_text()
    assert note == "The live version of this figure could not run (widget gone)."


def test_infinity_is_a_number(load):
    page = load(
        probe("export default { render({ model, el }) { DRAW } };", x=[math.inf])
    )
    assert page.mounted == [1, 0]
    assert x_of(page) == [None]  # JSON's word for Infinity


FAILS_LATER = """export default { render({ model, el }) {
  DRAW
  model.on("change:x", () => { if (model.get("x") > 4) throw new Error("too far"); });
} };"""


def test_a_figure_that_fails_later_gives_its_place_back(load):
    view, slider = probe(FAILS_LATER), w.IntSlider(3, 1, 9)
    w.jslink((slider, "value"), (view, "x"))
    page = load(w.VBox([slider, view]), slider_panel())
    page.get_by_role("slider").first.press("ArrowRight")
    assert page.said == []
    assert x_of(page) == 4
    page.get_by_role("slider").first.press("ArrowRight")
    (said,) = page.said
    assert "Probe: too far" in said
    assert page.get_by_text("A still picture").first.is_visible()
    assert page.get_by_role("slider").count() == 1
    page.get_by_role("slider").press("End")
    assert x_of(page) == 9


def test_a_figure_that_fails_later_takes_nothing_from_one_that_shares_its_slider(load):
    good, bad, slider = Probe(), probe(FAILS_LATER), w.IntSlider(3, 1, 9)
    for view in (good, bad):
        w.jslink((slider, "value"), (view, "x"))
    page = load(w.VBox([slider, good]), w.VBox([slider, bad]))
    remaining = page.get_by_role("slider").first
    remaining.press("End")
    assert page.locator(".nk-live").count() == 1
    remaining.press("Home")
    assert x_of(page) == 1
    assert page.locator("output").inner_text() == "1"


def test_changes_without_end_come_to_an_end(load):
    loop = 'model.on("change:x", () => model.set("x", model.get("x") + 1));'
    view = probe(f"export default {{ render({{ model, el }}) {{ DRAW {loop} }} }};")
    slider = w.IntSlider(3, 1, 9)
    w.jsdlink((slider, "value"), (view, "x"))
    page = load(w.VBox([slider, view]))
    page.get_by_role("slider").press("ArrowRight")
    (said,) = page.said
    assert "Maximum call stack" in said
    assert page.get_by_text("A still picture").is_visible()
